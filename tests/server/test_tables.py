"""People and tables: sitting, starting, leaving, bots, clocks, draws, rematches, talk, lists. In virtual time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import regalia
from regalia.bots import BOTS
from server.harness import SEED, Guest
from server.simulator import World


@pytest.fixture
def server() -> Iterator[World]:
    with World() as world:
        yield world


def kinds(shown: dict[str, Any]) -> list[str]:
    return [event["kind"] for event in shown["events"]]


def test_a_guest_is_the_same_player_tomorrow(server: World, ann: Guest) -> None:
    table = ann.new_table()["table"]["id"]
    server.tick(86_400)
    server.restart()
    assert ann.get("/api/me").json == {"id": ann.id, "name": "Ann", "is_guest": True}
    assert [t["id"] for t in ann.get("/api/tables", list="mine").json["tables"]] == [table]
    assert ann.post("/api/guest", {"name": "Anna"}).json == {"id": ann.id, "name": "Anna", "is_guest": True}


def test_the_cookie_is_for_this_server_only_and_not_for_scripts(server: World) -> None:
    with Guest(server, None) as guest:
        cookie = guest.post("/api/guest", {"name": "Eve"}).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()


def test_a_table_fills_and_starts(ann: Guest, bob: Guest) -> None:
    created = ann.new_table(seats=["human", "open"])
    table = created["table"]["id"]
    assert created["table"]["status"] == "open"
    assert created["view"] is None
    assert len(created["table"]["fairness"]["commitment"]) == 64
    assert created["table"]["fairness"]["client_seeds"] is None
    assert bob.do("sit", table, seat=0).code == "seat_taken"
    assert ann.do("sit", table, seat=1).code == "already_seated"
    bob.must("sit", table, seat=1, seed="cafe" * 8)
    shown = bob.table(table, seat=1)
    assert shown["table"]["status"] == "running"
    assert shown["table"]["fairness"]["client_seeds"][1] == "cafe" * 8
    assert shown["table"]["fairness"]["server_seed"] is None
    assert kinds(shown) == ["created", "sat", "sat", "started"]


def test_the_same_wish_makes_the_same_table(ann: Guest, bob: Guest) -> None:
    first = ann.new_table(id="wish-00001")["table"]["id"]
    assert ann.new_table(id="wish-00001")["table"]["id"] == first
    assert bob.new_table(id="wish-00001")["table"]["id"] != first


def test_the_host_starts_by_hand_and_places_bots(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"], autostart=False)["table"]["id"]
    assert ann.do("start", table).code == "wrong_phase"
    assert bob.do("place", table, seat=1, bot="random").code == "host_only"
    assert ann.do("place", table, seat=1, bot="nobody").code == "setup"
    ann.must("place", table, seat=1, bot="random")
    ann.must("place", table, seat=1, bot="")
    ann.must("place", table, seat=1, bot="random")
    assert bob.do("start", table).code == "host_only"
    ann.must("start", table)
    assert ann.table(table, seat=0)["table"]["status"] == "running"


def test_leaving_before_the_start_opens_the_seat_and_the_host_closes_an_empty_table(
    ann: Guest, bob: Guest
) -> None:
    table = ann.new_table(seats=["human", "open", "open"], game="carolus_magnus")["table"]["id"]
    bob.must("sit", table, seat=1)
    bob.must("leave", table, seat=1)
    assert ann.table(table)["table"]["seats"][1]["kind"] == "open"
    ann.must("leave", table, seat=0)
    assert ann.table(table)["table"]["status"] == "closed"
    assert bob.do("sit", table, seat=1).code == "wrong_phase"


def test_a_guest_who_sits_and_leaves_does_not_close_the_table_of_a_host_who_never_sat(
    ann: Guest, bob: Guest
) -> None:
    table = ann.new_table(seats=["open", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    bob.must("leave", table, seat=1)
    assert ann.table(table)["table"]["status"] == "open"
    ann.must("sit", table, seat=0)
    ann.must("leave", table, seat=0)
    assert ann.table(table)["table"]["status"] == "closed"


def test_a_private_table_is_seen_only_with_its_invitation(ann: Guest, bob: Guest) -> None:
    created = ann.new_table(seats=["human", "open"], is_public=False)["table"]
    table, invite = created["id"], created["invite"]
    assert bob.get(f"/api/tables/{table}").code == "not_found"
    assert bob.get(f"/api/tables/{table}", invite="wrong").code == "not_found"
    assert bob.do("sit", table, seat=1).code == "not_found"
    with bob.socket() as line:
        assert line.watch(table)["code"] == "not_found"
        assert line.watch(table, invite=invite)["type"] == "update"
    assert bob.table(table, invite=invite)["table"]["invite"] is None
    assert table not in {t["id"] for t in bob.get("/api/tables", list="open").json["tables"]}
    bob.must("sit", table, seat=1, invite=invite)
    assert bob.table(table, seat=1)["table"]["invite"] == invite
    assert ann.get(f"/api/tables/{table}/qr.svg").raw.startswith(b"<?xml")


def test_hot_seat_one_browser_plays_both_sides(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    for ply in range(1, 5):
        seat = ann.table(table)["view"]["actors"][0]
        view = ann.table(table, seat=seat)["view"]
        ann.must("play", table, seat=seat, ply=ply, action=view["actions"][0])
    assert [facts["kind"] for facts in ann.table(table)["table"]["seats"]] == ["human", "hotseat"]
    assert bob.get(f"/api/tables/{table}", seat=1).code == "not_your_seat"


def test_a_bot_answers_and_survives_a_restart(server: World, ann: Guest) -> None:
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    view = ann.table(table, seat=0)["view"]
    ann.must("play", table, seat=0, ply=1, action=view["actions"][0])
    server.restart()
    assert ann.table(table, seat=0)["view"]["actors"] == [1]
    server.tick(1)
    assert ann.table(table, seat=0)["view"]["actors"] == [0]


def test_bots_alone_play_to_the_end(server: World, ann: Guest) -> None:
    table = ann.new_table(seats=["bot", "bot"])["table"]["id"]
    server.tick(300)
    shown = ann.table(table)
    assert shown["table"]["status"] == "ended"
    assert shown["table"]["result"]["reason"] == shown["view"]["outcome"]["reason"]


def test_a_seat_is_taken_over_and_reclaimed(server: World, ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    assert bob.do("takeover", table, seat=0, bot="random").code == "not_your_seat"
    bob.must("leave", table, seat=1)
    assert ann.table(table)["table"]["seats"][1]["bot"] in BOTS
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    server.tick(1)
    assert ann.table(table, seat=0)["view"]["actors"] == [0]
    bob.must("reclaim", table, seat=1)
    shown = ann.table(table, seat=0)
    assert shown["table"]["seats"][1]["bot"] == ""
    assert bob.do("reclaim", table, seat=1).code == "wrong_phase"
    ann.must("play", table, seat=0, ply=shown["view"]["ply"], action=shown["view"]["actions"][0])
    server.tick(60)
    assert ann.table(table)["view"]["actors"] == [1]


def test_resigning_with_two_gives_the_win_to_the_other(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    assert ann.do("resign", table, seat=1).code == "not_your_seat"
    bob.must("resign", table, seat=1)
    result = ann.table(table)["table"]["result"]
    assert (result["ranks"], result["reason"]) == ([1, 2], "resigned")
    assert ann.do("play", table, seat=0, ply=1, action="N1").code == "match_over"


def test_resigning_with_three_is_played_on_by_a_bot_and_ranks_last(server: World, ann: Guest) -> None:
    table = ann.new_table(game="carolus_magnus", seats=["human", "bot", "bot"])["table"]["id"]
    ann.must("resign", table, seat=0)
    assert ann.do("reclaim", table, seat=0).code == "wrong_phase"
    server.tick(1000)
    shown = ann.table(table)
    assert shown["table"]["result"]["ranks"][0] == 3
    assert min(shown["table"]["result"]["ranks"]) == 1
    assert shown["table"]["seats"][0]["is_out"] is True


def test_a_draw_is_offered_declined_and_accepted(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    assert bob.do("answer_draw", table, seat=1, accept=True).code == "wrong_phase"
    ann.must("offer_draw", table, seat=0)
    assert ann.table(table)["table"]["draw_offer"] == 0
    assert ann.do("answer_draw", table, seat=0, accept=True).code == "wrong_phase"
    bob.must("answer_draw", table, seat=1, accept=False)
    assert ann.do("offer_draw", table, seat=0).code == "wrong_phase"
    bob.must("offer_draw", table, seat=1)
    ann.must("answer_draw", table, seat=0, accept=True)
    result = ann.table(table)["table"]["result"]
    assert (result["ranks"], result["reason"]) == ([1, 1], "draw")


def test_a_draw_offer_ends_when_the_other_acts(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    bob.must("offer_draw", table, seat=1)
    ann.must("play", table, seat=0, ply=1, action=ann.table(table, seat=0)["view"]["actions"][0])
    assert ann.table(table)["table"]["draw_offer"] is None


def test_a_bot_is_offered_no_draw(ann: Guest) -> None:
    table = ann.new_table(seats=["human", "bot"])["table"]["id"]
    assert ann.do("offer_draw", table, seat=0).code == "not_at_this_table"


def test_a_rematch_is_one_table_for_all_who_ask(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"], undo=False)["table"]["id"]
    bob.must("sit", table, seat=1)
    assert ann.do("rematch", table, seat=0).code == "wrong_phase"
    bob.must("resign", table, seat=1)
    answer = ann.must("rematch", table, seat=0)
    following = answer["next"]
    again = bob.must("rematch", table, seat=1)
    assert (again["next"], again["commitment"]) == (following, answer["commitment"])
    shown = ann.table(following)["table"]
    assert shown["fairness"]["commitment"] == answer["commitment"]
    assert [seat["name"] for seat in shown["seats"]] == ["", "Ann"]
    assert (shown["previous"], shown["undo"]) == (table, False)
    bob.must("sit", following, seat=0)
    assert ann.table(following)["table"]["status"] == "open"
    ann.must("seed", following, seed=SEED)
    assert ann.table(following)["table"]["status"] == "running"


def test_talk_reaches_the_table_as_plain_words(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    with bob.socket() as line:
        line.watch(table)
        ann.must("chat", table, seat=0, text="<b>hi</b>\u202e\x00\n there")
        update = line.receive("update")
    assert (update["events"][0]["name"], update["events"][0]["text"]) == ("Ann", "<b>hi</b> there")
    bob.must("chat", table, text="watching")
    assert ann.table(table)["events"][-1]["seat"] is None
    assert ann.do("chat", table, seat=0, text="\x00 \n").code == "bad_message"
    assert bob.do("chat", table, seat=0, text="as Ann").code == "not_your_seat"
    assert ann.do("chat", table, seat=0, text="psst", audience="partners").code == "not_at_this_table"


def test_partners_talk_among_themselves_where_the_rule_says_so(server: World) -> None:
    guests = [Guest(server, name) for name in ("Ann", "Bob", "Cyd", "Dan")]
    options = {"partners": "02-13", "confer": "true"}
    table = guests[0].new_table("carolus_magnus", ["human", "open", "open", "open"], options=options)[
        "table"
    ]["id"]
    for seat in (1, 2, 3):
        guests[seat].must("sit", table, seat=seat)
    guests[0].must("chat", table, seat=0, text="our plan", audience="partners")
    heard = [
        "our plan" in [event["text"] for event in guest.table(table, seat=seat)["events"]]
        for seat, guest in enumerate(guests)
    ]
    assert heard == [True, False, True, False]
    assert "our plan" not in guests[3].get(f"/api/tables/{table}").text
    for guest in guests:
        guest.close()


def listed(guest: Guest, kind: str, **more: Any) -> set[str]:
    return {t["id"] for t in guest.get("/api/tables", list=kind, limit=100, **more).json["tables"]}


def test_an_open_table_leaves_the_list_when_nobody_comes_but_its_link_still_works(
    server: World, ann: Guest, bob: Guest
) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    server.tick(23 * 3600)
    assert table in listed(bob, "open")
    server.tick(3601)
    assert table not in listed(bob, "open")
    assert table in listed(ann, "mine")
    bob.must("sit", table, seat=1)
    assert table in listed(bob, "running")


def test_lists_show_open_running_finished_and_mine(server: World, ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]

    assert table in listed(bob, "open")
    assert table in listed(bob, "open", game="rose_king")
    assert table not in listed(bob, "open", game="carolus_magnus")
    bob.must("sit", table, seat=1)
    assert table in listed(ann, "running")
    assert table in listed(bob, "mine")
    bob.must("resign", table, seat=1)
    assert table in listed(ann, "finished")
    page = ann.get("/api/tables", list="finished", limit=1).json
    assert page["tables"][0]["id"] == table
    older = ann.get("/api/tables", list="finished", limit=1, before=page["before"]).json
    assert table not in {t["id"] for t in older["tables"]}
    with Guest(server, None) as nobody:
        assert nobody.get("/api/tables", list="mine").code == "sign_in"


def test_the_lobby_tells_when_it_changes(ann: Guest, bob: Guest) -> None:
    with bob.socket() as line:
        line.send(type="watch_lobby", on=True)
        line.send(type="ping", t=1)
        line.receive("pong")
        ann.new_table(seats=["human", "open"])
        line.receive("lobby")


def test_presence_says_who_is_there(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    with ann.socket() as a:
        a.watch(table, 0)
        assert a.receive("presence")["online"] == [True, False]
        with bob.socket() as b:
            b.watch(table, 1)
            assert a.receive("presence")["online"] == [True, True]
        assert a.receive("presence")["online"] == [True, False]


def test_a_spectator_without_a_name_sits_on_no_seat(server: World, ann: Guest) -> None:
    """Neither on an open one nor on a bot's, which have no player either."""
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    with ann.socket() as a, Guest(server, None) as nobody, nobody.socket() as watching:
        a.watch(table, 0)
        assert a.receive("presence")["online"] == [True, False]
        watching.watch(table, None)
        presence = a.receive("presence")
        assert (presence["online"], presence["watchers"]) == ([True, False], 2)


@pytest.mark.parametrize("tempo", ["live", "turns"])
def test_whose_time_runs_out_loses(server: World, ann: Guest, bob: Guest, tempo: str) -> None:
    clock = {"tempo": tempo, "reserve_ms": 7000, "increment_ms": 500}
    table = ann.new_table(seats=["human", "open"], clock=clock)["table"]["id"]
    bob.must("sit", table, seat=1)
    shown = ann.table(table, seat=0)
    assert [facts["is_running"] for facts in shown["table"]["seats"]] == [True, False]
    server.tick(2)
    ann.must("play", table, seat=0, ply=1, action=shown["view"]["actions"][0])
    seats = ann.table(table)["table"]["seats"]
    assert [facts["is_running"] for facts in seats] == [False, True]
    assert [facts["left_ms"] for facts in seats] == [5500, 7000]
    with ann.socket() as line:
        line.watch(table, 0)
        server.tick(6.9)
        assert [frame["type"] for frame in line.connection.read()] == ["presence"]
        server.tick(0.1)
        update = line.receive("update")
    assert update["table"]["result"] == {"ranks": [1, 2], "points": [0, 0], "reason": "time"}
    assert "flagged" in kinds(update)


def test_clocks_stand_still_while_the_server_is_down(server: World, ann: Guest) -> None:
    names = {}
    for tempo in ("live", "turns"):
        clock = {"tempo": tempo, "reserve_ms": 60_000}
        names[tempo] = ann.new_table(seats=["human", "hotseat"], clock=clock)["table"]["id"]
    server.stop()
    server.tick(15)
    server.start()
    left = {tempo: ann.table(name)["table"]["seats"][0]["left_ms"] for tempo, name in names.items()}
    assert left == {"live": 60_000, "turns": 60_000}


def test_a_clock_needs_a_reserve(ann: Guest) -> None:
    plan = {"game": "rose_king", "seats": [{"kind": "human"}, {}]}
    for clock in ({"tempo": "live"}, {"reserve_ms": 5}, {"tempo": "none", "increment_ms": 5}):
        assert ann.post("/api/tables", {**plan, "clock": clock}).code == "setup"


def test_a_table_can_begin_from_a_transcript_a_position_or_another_table(ann: Guest, bob: Guest) -> None:
    first = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    for _ in range(4):
        seat = ann.table(first)["view"]["actors"][0]
        view = ann.table(first, seat=seat)["view"]
        ann.must("play", first, seat=seat, ply=view["ply"], action=view["actions"][0])
    shown = ann.table(first)["view"]
    text = ann.get(f"/api/tables/{first}/transcript").text
    again = ann.new_table(seats=["human", "hotseat"], transcript=text)
    assert again["table"]["from_position"] is True
    assert again["view"]["board"] == shown["board"]
    moment = ann.new_table(seats=["human", "hotseat"], table=first, ply=3)
    assert moment["view"]["ply"] == 3
    position = regalia.Match.replay(text).position()
    placed = ann.new_table(seats=["human", "hotseat"], position=position)
    assert placed["view"]["board"] == shown["board"]
    table = placed["table"]["id"]
    seat = placed["view"]["actors"][0]
    view = ann.table(table, seat=seat)["view"]
    ann.must("play", table, seat=seat, ply=view["ply"], action=view["actions"][0])
    wrong = {"game": "rose_king", "seats": [{"kind": "human"}, {}], "transcript": "nonsense"}
    assert ann.post("/api/tables", wrong).code == "setup"
    both = {**wrong, "position": position}
    assert ann.post("/api/tables", both).code == "bad_message"


FINISHED = sorted(Path(__file__).parents[1].glob("games/*/transcripts/*.txt"))


@pytest.mark.parametrize("path", FINISHED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_finished_match_is_opened_again_to_be_looked_at(ann: Guest, bob: Guest, path: Path) -> None:
    """From its file, and from the one that is saved of that table."""
    match = regalia.Match.replay(path.read_text("utf-8"))
    outcome = match.outcome
    assert outcome is not None
    plan = ["hotseat"] * match.seats
    text = match.transcript()
    for _ in range(2):
        opened = ann.new_table(match.game.id, plan, transcript=text, is_public=True, options=match.options)
        table = opened["table"]["id"]
        assert opened["table"]["status"] == "ended"
        assert opened["table"]["is_imported"] is True
        result = {"ranks": [*outcome.ranks], "points": [*outcome.points], "reason": outcome.reason}
        assert opened["table"]["result"] == result
        assert bob.get(f"/api/tables/{table}").code == "not_found"  # a private table, whatever was asked for
        for seat in (None, *range(match.seats)):
            query = {} if seat is None else {"seat": seat}
            shown = ann.get(f"/api/tables/{table}/frames", first=1, last=min(match.ply, 200), **query).json
            for ply in {1, min(match.ply, 200)}:
                assert shown["views"][ply - 1] == msgspec.to_builtins(match.at(ply).view(seat))
        whole = ann.get(f"/api/tables/{table}/frames", first=1, last=1, viewer="everything").json
        assert whole["views"] == [msgspec.to_builtins(match.at(1).view(regalia.EVERYTHING))]
        text = ann.get(f"/api/tables/{table}/transcript").text
        assert text == match.transcript()


def test_all_hands_are_shown_only_when_the_match_is_over(ann: Guest) -> None:
    table = ann.new_table("long_live_the_king", ["human", "hotseat", "hotseat"])["table"]["id"]
    path = f"/api/tables/{table}/frames"
    assert ann.get(path, viewer="everything").code == "wrong_phase"
    assert ann.get(path, viewer="anything").code == "bad_message"


def test_an_opened_match_is_over_but_goes_on_at_another_table(server: World, ann: Guest) -> None:
    path = next(path for path in FINISHED if path.parts[-3] == "rose_king")
    match = regalia.Match.replay(path.read_text("utf-8"))
    opened = ann.new_table(seats=["hotseat", "hotseat"], transcript=match.transcript())
    table = opened["table"]["id"]
    assert opened["table"]["fairness"]["awaited"] == []
    assert ann.get(f"/api/tables/{table}/proof").code == "not_at_this_table"  # its dice fell elsewhere
    assert ann.do("play", table, seat=0, ply=match.ply, action="N1").code == "match_over"
    forked = {"game": "rose_king", "seats": [{"kind": "human"}, {"kind": "hotseat"}], "table": table}
    assert (
        ann.post("/api/tables", {**forked, "ply": match.ply}).code == "setup"
    )  # there is nothing left to play
    earlier = ann.post("/api/tables", {**forked, "ply": match.ply - 3}).json
    assert earlier["table"]["status"] == "open"  # it waits for the seed
    server.stop()
    server.start()
    assert ann.table(table)["table"]["status"] == "ended"
    assert ann.must("rematch", table, seat=0)["next"]


def test_hints_come_from_a_bot_and_only_for_the_own_turn(ann: Guest, bob: Guest) -> None:
    table = ann.new_table(seats=["human", "open"])["table"]["id"]
    bob.must("sit", table, seat=1)
    path = f"/api/tables/{table}/hint"
    hint = ann.post(path, {"seat": 0, "ply": 1}).json
    assert hint["action"] in ann.table(table, seat=0)["view"]["actions"]
    assert hint["bot"] == BOTS[-1]
    by_chance = ann.post(path, {"seat": 0, "ply": 1, "bot": "random"}).json
    assert ann.post(path, {"seat": 0, "ply": 1, "bot": "random"}).json == by_chance
    assert ann.post(path, {"seat": 1, "ply": 1}).code == "not_your_seat"
    assert bob.post(path, {"seat": 1, "ply": 1}).code == "not_your_turn"
    assert ann.post(path, {"seat": 0, "ply": 5}).code == "stale"
    without = ann.new_table(seats=["human", "hotseat"], hints=False)["table"]["id"]
    assert ann.post(f"/api/tables/{without}/hint", {"seat": 0, "ply": 1}).code == "not_at_this_table"


def test_a_program_plays_with_a_token_and_the_same_rights(ann: Guest, server: World) -> None:
    token = ann.post("/api/tokens", {"label": "my bot"}).json
    with Guest(server, None, {"authorization": f"Bearer {token['token']}"}) as bot:
        assert bot.get("/api/me").json["id"] == ann.id
        table = bot.new_table(seats=["human", "hotseat"])["table"]["id"]
        with bot.socket(authorization=f"Bearer {token['token']}") as line:
            view = line.watch(table, 0)["view"]
            assert line.ask("play", table=table, seat=0, ply=1, action=view["actions"][0])["type"] == "ack"
        assert [t["label"] for t in ann.get("/api/tokens").json] == ["my bot"]
        assert (
            "token" not in ann.get("/api/tokens").json[0] or ann.get("/api/tokens").json[0]["token"] is None
        )
        assert ann.http.delete(f"/api/tokens/{token['id']}").status_code == 200
        assert bot.get("/api/me").code == "bad_credentials"
        assert ann.http.delete(f"/api/tokens/{token['id']}").status_code == 404


def test_an_idle_table_leaves_memory_and_comes_back(server: World, ann: Guest) -> None:
    table = ann.new_table(seats=["human", "hotseat"])["table"]["id"]
    before = ann.table(table, seat=0)
    server.tick(90)
    assert not server.services.tables.entries
    after = ann.table(table, seat=0)
    assert (after["view"], after["records"], after["events"]) == (
        before["view"],
        before["records"],
        before["events"],
    )
    with ann.socket() as line:
        line.watch(table, 0)
        for _ in range(9):
            server.tick(10)
            line.send(type="ping", t=1)
        assert server.services.tables.entries[table].table is not None
