"""Boards on other sites: frames that anybody may show, and what oEmbed tells of them."""

from __future__ import annotations

import re

import pytest

from server.harness import Guest


@pytest.mark.parametrize("path", ["/embed/t/abcdef", "/embed/p", "/embed/t/abcdef?ply=3&theme=dark&lang=de"])
def test_only_embeds_may_be_shown_in_a_frame(ann: Guest, path: str) -> None:
    inside, usual = ann.http.get(path), ann.http.get("/")
    assert inside.status_code == 200
    assert "frame-ancestors *" in inside.headers["content-security-policy"]
    assert "x-frame-options" not in inside.headers
    assert inside.headers["cross-origin-resource-policy"] == "cross-origin"
    assert inside.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in inside.headers
    assert "frame-ancestors 'none'" in usual.headers["content-security-policy"]
    assert usual.headers["x-frame-options"] == "DENY"
    others = [header.headers["content-security-policy"].split("; ") for header in (inside, usual)]
    assert set(others[0]) ^ set(others[1]) == {"frame-ancestors *", "frame-ancestors 'none'"}


def test_a_table_tells_other_sites_how_to_show_it(ann: Guest) -> None:
    with Guest(ann.server, 'Cyd "<b>"') as cyd, Guest(ann.server, None) as nobody:
        table = cyd.new_table(seats=["human", "bot"])["table"]["id"]
        found = nobody.get("/api/oembed", url=f"{ann.base}/t/{table}?moment=0", maxwidth=400).json
        assert (found["type"], found["version"], found["width"]) == ("rich", "1.0", 400)
        assert found["title"].startswith('The Rose King: Cyd "<b>"')
        assert "<b>" not in found["html"]
        assert f'src="{ann.base}/embed/t/{table}?ply=1"' in found["html"]
        assert nobody.http.get(found["thumbnail_url"]).headers["content-type"] == "image/png"
        same = nobody.get("/api/oembed", url=f"{ann.base}/embed/t/{table}?ply=1", maxwidth=400)
        assert same.json == found
        page = nobody.http.get(f"/t/{table}").text
        link = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page)
        assert link is not None
        assert nobody.http.get(link[1].replace("&amp;", "&")).json()["title"] == found["title"]


def test_an_embed_of_a_private_table_is_refused(ann: Guest) -> None:
    facts = ann.new_table(seats=["human", "bot"], is_public=False)["table"]
    for address in (
        f"/t/{facts['id']}",
        f"/t/{facts['id']}?key={facts['watch_key']}",
        f"/embed/t/{facts['id']}",
    ):
        assert ann.get("/api/oembed", url=ann.base + address).code == "not_found"


@pytest.mark.parametrize(
    "url", ["https://example.org/t/abcdefgh", "http://[", "nonsense", "/t/abcdefgh", "http://127.0.0.1/rules"]
)
def test_what_is_no_table_of_this_server_is_not_found(ann: Guest, url: str) -> None:
    assert ann.get("/api/oembed", url=url).code == "not_found"


def test_other_formats_are_refused(ann: Guest) -> None:
    assert ann.get("/api/oembed", url=f"{ann.base}/t/abcdefgh", format="xml").code == "bad_message"
