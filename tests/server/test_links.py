"""What a link shows on other sites: words in the head of the page, and a picture of the public view."""

from __future__ import annotations

import random
import re
import struct
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from regalia import Match
from regalia.locale import LANGUAGES
from regalia.pictures.cards import card
from server.harness import Guest, running

PNG = b"\x89PNG\r\n\x1a\n"


def head(caller: Guest, table: str, language: str = "en", **query: Any) -> dict[str, str]:
    """The properties that the page of a table tells."""
    reply = caller.http.get(f"/t/{table}?{urlencode(query)}", headers={"accept-language": language})
    assert reply.status_code == 200
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', reply.text)
    title = re.search(r"<title>(.*?)</title>", reply.text)
    assert title is not None
    assert '<div id="app">' in reply.text
    return {name: unescape(value) for name, value in found} | {"title": unescape(title[1])}


def picture(caller: Guest, address: str) -> Any:
    reply = caller.http.get(address)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "image/png"
    assert reply.headers["cross-origin-resource-policy"] == "cross-origin"
    assert reply.headers.get_list("cache-control") == ["public, max-age=300"]
    return reply.content


def test_a_public_table_shows_its_players_and_its_board(ann: Guest) -> None:
    with Guest(ann.server, 'Cyd "<b>"') as cyd, Guest(ann.server, None) as nobody:
        table = cyd.new_table(seats=["human", "open"])["table"]["id"]
        waiting = head(nobody, table)
        assert waiting["title"] == waiting["og:title"] == 'The Rose King: Cyd "<b>", Free seat'
        assert waiting["og:description"].startswith("1 of 2 seats")
        start = picture(nobody, waiting["og:image"])
        assert start.startswith(PNG)
        assert struct.unpack(">II", start[16:24]) == (1200, 630)
        ann.must("sit", table, seat=1)
        assert "Under way" in head(nobody, table)["og:description"]
        view = cyd.table(table, seat=0)["view"]
        cyd.must("play", table, seat=0, ply=view["ply"], action=view["actions"][0])
        now, before = head(nobody, table), head(nobody, table, moment=0)
        assert before["og:image"].endswith("ply=1&lang=en")
        assert picture(nobody, now["og:image"]) != picture(nobody, before["og:image"])
        assert head(nobody, table, ply=1)["og:image"] == before["og:image"]
        ann.must("resign", table, seat=1)
        assert {head(nobody, table, language)["og:description"] for language in LANGUAGES} == {
            'Cyd "<b>" won. Watch it again.',
            'Cyd "<b>" hat gewonnen. Sieh dir die Partie noch einmal an.',
            'Cyd "<b>" heeft gewonnen. Bekijk de partij nog eens.',
        }


def test_a_table_that_is_listed_nowhere_shows_itself_only_by_its_link(ann: Guest) -> None:
    facts = ann.new_table(seats=["human", "bot"], is_public=False)["table"]
    with Guest(ann.server, None) as nobody:
        for caller in (nobody, ann):  # a site shows the link to everybody, whoever posts it
            assert "og:image" not in head(caller, facts["id"])
            assert caller.get(f"/api/tables/{facts['id']}/card.png").code == "not_found"
        by_link = head(nobody, facts["id"], key=facts["watch_key"])
        assert by_link["title"].startswith("The Rose King: Ann")
        assert picture(nobody, by_link["og:image"]).startswith(PNG)
        assert head(nobody, "nothing-here") == head(nobody, facts["id"], key="0" * 32)


def test_a_picture_of_no_such_moment_or_language_is_refused(ann: Guest) -> None:
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    path = f"/api/tables/{table}/card.png"
    assert ann.get(path, ply=99).code == "not_found"
    assert ann.get(path, ply=0).code == "not_found"
    assert ann.get(path, lang="fr").code == "not_found"
    assert ann.get(path, theme="pink").code == "bad_message"


def test_a_picture_is_drawn_once(ann: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    from regalia.pictures import cards

    drawn = []
    monkeypatch.setattr(cards, "card", lambda *what: drawn.append(what) or card(*what))
    path = f"/api/tables/{ann.new_table(seats=['human', 'bot'])['table']['id']}/card.png"
    assert picture(ann, path) == picture(ann, path)
    assert len(drawn) == 1


def test_only_so_many_pictures_are_kept(tmp_path: Path) -> None:
    with running(tmp_path, most_cards=1) as server, Guest(server) as ann:
        path = f"/api/tables/{ann.new_table(seats=['human', 'bot'])['table']['id']}/card.png"
        assert picture(ann, path) != picture(ann, f"{path}?theme=dark")
        assert len(server.services.cards) == 1


def test_worlds_that_a_spectator_cannot_tell_apart_have_the_same_card() -> None:
    match, rng = Match.new("long_live_the_king", seed=4), random.Random(4)
    while True:
        worlds = [match.redeal(None, seed) for seed in range(4)]
        if len({world.state_bytes() for world in worlds}) == len(worlds):
            break
        seat = rng.choice(match.actors)
        match.play(seat, rng.choice(match.actions(seat)))
    assert len({card(world, world.ply, "A title", ["Ann", "Bob"]) for world in worlds}) == 1


def test_a_moment_is_had_as_picture_and_as_text(ann: Guest) -> None:
    table = ann.new_table(seats=["human", "bot"], is_public=False)["table"]["id"]
    with Guest(ann.server, None) as nobody:
        for kind, media in (("svg", "image/svg+xml"), ("png", "image/png")):
            reply = ann.get(f"/api/tables/{table}/picture.{kind}", ply=1, lang="de", theme="dark")
            assert reply.headers["content-type"].startswith(media)
            assert nobody.get(f"/api/tables/{table}/picture.{kind}").code == "not_found"
        assert nobody.get(f"/api/tables/{table}/position").code == "not_found"
    assert ann.get(f"/api/tables/{table}/picture.gif").code == "not_found"
    assert ann.get(f"/api/tables/{table}/picture.png", ply=99).code == "not_found"
    text = ann.get(f"/api/tables/{table}/position", ply=1).text
    assert Match.from_position("rose_king", text).position_text() == text
    assert ann.get(f"/api/tables/{table}/position", ply=0).code == "bad_message"


def test_no_picture_shows_a_hand_that_only_its_owner_may_see(ann: Guest) -> None:
    """Long Live the King, with a hand: the picture is the one that a spectator's view gives."""
    match, rng = Match.new("long_live_the_king", seed=4), random.Random(4)
    while True:
        worlds = [match.redeal(None, seed) for seed in range(3)]
        if len({world.state_bytes() for world in worlds}) == len(worlds):
            break
        seat = rng.choice(match.actors)
        match.play(seat, rng.choice(match.actions(seat)))
    from regalia.server.transport.links import draw_picture

    assert len({draw_picture(world, world.ply, "svg", "light", "en") for world in worlds}) == 1
