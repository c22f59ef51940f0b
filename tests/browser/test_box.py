"""The table of the boxed game in real browsers: phones that type what fell, and amend it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import HUMAN, LAPTOP, OPEN, PHONE, Player, axe, prompt

pytestmark = pytest.mark.browser

COURT = "court_the_king"
ADDING = ("guard", "hunter", "knight", "laborer", "pawnbroker")  # a die more, before the first roll
NAMES = ("Anne", "Marc", "Carl", "Herman")
GROWTH = ("king", "general", "knight", "hunter", "farmer", "guard", "laborer", "fool")  # from the best


@pytest.fixture
def phones(browser: Browser, base_url: str) -> Iterator[list[Player]]:
    """Four people, each with a phone."""
    contexts = [
        browser.new_context(
            base_url=base_url,
            locale="en-GB",
            viewport=PHONE,  # type: ignore[arg-type]
            reduced_motion="reduce",
            has_touch=True,
        )
        for _ in NAMES
    ]
    yield [Player(context, base_url, name) for context, name in zip(contexts, NAMES, strict=True)]
    for context in contexts:
        context.close()


class Evening:
    """A table, and everybody at it."""

    def __init__(self, phones: list[Player], table: str) -> None:
        self.phones, self.table = phones, table
        self.count = 0

    def command(self, who: int, kind: str, **fields: Any) -> None:
        self.count += 1
        body = {"type": kind, "table": self.table, "id": f"evening-{self.table}-{self.count}", **fields}
        player = self.phones[who]
        reply = player.context.request.post(f"{player.base}/api/tables/{self.table}/commands", data=body)
        assert reply.ok, reply.text()

    def update(self, seat: int | None = None) -> dict[str, Any]:
        return self.phones[seat or 0].update(self.table, seat)

    @property
    def awaited(self) -> int:
        """The seat that decides or rolls."""
        update = self.update()
        due = update["table"]["due"]
        return int(due["seat"] if due else update["view"]["actors"][0])

    def play(self, action: str) -> None:
        seat = self.awaited
        self.command(seat, "play", seat=seat, seq=self.update(seat)["seq"], action=action)

    def roll(self, text: str) -> None:
        self.command(self.awaited, "outcome", text=text, seq=self.update()["seq"])

    def turn(self) -> None:
        """Everything falls on six, is set aside, and wins the best there is."""
        while True:
            actions = self.update(self.awaited)["view"]["actions"]
            takes = [action for action in actions if action.startswith("take ")]
            if takes:
                best = [f"take {name}" for name in GROWTH if f"take {name}" in takes]
                return self.play((best or ["take none"])[0])
            early = [f"use {name}" for name in ADDING if f"use {name}" in actions]
            if early and self.update()["view"]["in_hand"]:
                self.play(early[0])
                continue
            self.play("roll")
            due = self.update()["table"]["due"]
            self.roll(" ".join(["6"] * due["count"]))
            actions = self.update(self.awaited)["view"]["actions"]
            keep = max((action for action in actions if action.startswith("keep ")), key=len)
            self.play(keep)
            if self.update()["table"]["status"] == "ended":
                return None


def joined(phones: list[Player], game: str, by_hand: str, people: int, **more: Any) -> Evening:
    table = phones[0].table(game, [HUMAN] + [OPEN] * (people - 1), by_hand=by_hand, **more)
    evening = Evening(phones[:people], table)
    for seat in range(1, people):
        evening.command(seat, "sit", seat=seat)
    return evening


def pages(evening: Evening) -> list[Page]:
    opened = []
    for player in evening.phones:
        page = player.context.new_page()
        page.goto(f"/t/{evening.table}")
        expect(page.locator(".prompt")).to_be_visible()
        opened.append(page)
    return opened


def pad(page: Page) -> Locator:
    return page.get_by_role("region", name="What fell")


def tap(page: Page, *faces: str, by_touch: bool = True) -> int:
    """Tap each face as it fell, and confirm; how many taps that took."""
    names = [*(f"^{face}, " for face in faces), "^Confirm"]
    for name in names:
        button = pad(page).get_by_role("button", name=re.compile(name))
        button.tap() if by_touch else button.click()
    return len(names)


def test_an_evening_with_four_phones_and_real_dice(phones: list[Player]) -> None:
    host = phones[0].context.new_page()
    host.goto(f"/new/{COURT}?with=friends")
    host.get_by_role("group", name="Players").get_by_role("button", name="4").click()
    host.get_by_text("We have the box").click()
    host.get_by_role("group", name="We have the box").get_by_role("button", name="Dice by hand").click()
    expect(host.get_by_text("unrated, and there is no proof of its dice")).to_be_visible()
    host.get_by_role("button", name="Open the table").click()
    expect(host.get_by_text("Dice by hand")).to_be_visible()
    link = host.get_by_label("Invitation link").input_value()
    table = re.search(r"/t/([\w-]+)", link)
    assert table
    opened = [host]
    for player in phones[1:]:
        page = player.context.new_page()
        page.goto(link)
        page.get_by_role("button", name="Sit down").first.click()
        expect(page.get_by_text("Anne").first).to_be_visible()
        opened.append(page)
    expect(prompt(host)).to_be_visible()
    seats = phones[0].update(table[1], None)["table"]["seats"]
    order = [NAMES.index(seat["name"]) for seat in seats]
    evening = Evening([phones[who] for who in order], table[1])
    opened = [opened[who] for who in order]

    first = evening.awaited
    mine, other = opened[first], opened[(first + 1) % 4]
    mine.get_by_role("button", name=re.compile("^Roll")).tap()
    expect(prompt(mine)).to_contain_text("roll 3 dice")
    expect(prompt(other)).to_contain_text("roll 3 dice")
    expect(pad(mine)).to_be_visible()
    for face in pad(mine).get_by_role("group").get_by_role("button").all():
        box = face.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    assert not axe(mine)
    assert tap(mine, "6", "6", "5") == 4  # a tap for each die, and one to confirm
    expect(mine.get_by_role("group", name="Active dice").get_by_role("button")).to_have_count(3)
    expect(pad(mine)).to_be_hidden()
    evening.play("keep 5 6 6")
    evening.play("take none")

    for _ in range(60):
        if evening.update()["table"]["status"] == "ended":
            break
        evening.turn()
    for page in opened:
        expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    text = phones[0].context.request.get(f"{phones[0].base}/api/tables/{table[1]}/transcript").text()
    assert "# by hand" in text


def test_one_die_takes_two_taps(phones: list[Player]) -> None:
    evening = joined(phones, COURT, "dice", 2)
    for _ in range(2):  # both win a Fool, who rolls one die again
        evening.play("roll")
        evening.roll("1 3 4")
        evening.play("keep 1 3 4")
        evening.play("take fool")
    evening.play("roll")
    evening.roll("1 3 4")
    seat = evening.awaited
    evening.play("use fool 1")
    page = evening.phones[seat].context.new_page()
    page.goto(f"/t/{evening.table}")
    expect(prompt(page)).to_contain_text("roll 1 die")
    assert tap(page, "6") == 2
    expect(page.get_by_role("button", name="Die showing 6", exact=True)).to_be_visible()


def test_digits_and_enter_type_a_roll(phones: list[Player]) -> None:
    evening = joined(phones, COURT, "dice", 2)
    seat = evening.awaited
    evening.play("roll")
    page = evening.phones[seat].context.new_page()
    page.goto(f"/t/{evening.table}")
    expect(pad(page)).to_be_visible()
    page.keyboard.press("7")
    expect(page.locator(".beside")).to_contain_text("No die shows 7")
    page.keyboard.press("Enter")
    expect(page.locator(".beside")).to_contain_text("3 still to be tapped")
    for key in "551":
        page.keyboard.press(key)
    page.keyboard.press("Backspace")
    page.keyboard.press("2")
    expect(pad(page)).to_contain_text("5 5 2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Die showing 5", exact=True)).to_have_count(2)


def test_a_wrong_roll_three_plies_ago_is_amended_when_both_agree(phones: list[Player]) -> None:
    evening = joined(phones, COURT, "dice", 2)
    evening.play("roll")
    evening.roll("6 6 6")
    evening.play("keep 6 6 6")
    evening.play("take none")
    evening.play("roll")
    evening.roll("1 1 2")
    one, other = pages(evening)
    one.get_by_role("button", name="Menu").tap()
    one.get_by_role("button", name="Amend").tap()
    one.get_by_role("button", name="Type again: 6 6 6").tap()
    expect(one.locator(".beside")).to_contain_text("waits for the word of Marc")
    expect(other.locator(".beside")).to_contain_text("Anne wants to go back")
    other.get_by_role("button", name="Agree").tap()
    expect(prompt(one)).to_contain_text("roll 3 dice")
    expect(prompt(other)).to_contain_text("roll 3 dice")
    seat = evening.awaited
    page = (one, other)[seat]
    expect(pad(page)).to_be_visible()
    tap(page, "6", "6", "5")
    expect(page.get_by_role("button", name="Die showing 6", exact=True)).to_have_count(2)
    records = evening.update()["records"]
    assert [record["outcomes"] for record in records[1:]] == [["6", "6", "5"]]


def test_a_phone_that_slept_comes_back_to_its_pad(phones: list[Player]) -> None:
    evening = joined(phones, COURT, "dice", 2)
    seat = evening.awaited
    page = pages(evening)[seat]
    page.context.set_offline(True)
    evening.play("roll")
    page.context.set_offline(False)
    expect(pad(page)).to_be_visible()
    page.reload()
    expect(pad(page)).to_be_visible()


def test_the_rose_king_offers_the_cards_that_are_left(phones: list[Player]) -> None:
    evening = joined(phones, "rose_king", "manual", 2)
    page = pages(evening)[0]
    faces = pad(page).get_by_role("group").get_by_role("button")
    expect(faces).to_have_count(24)
    for number in range(10):
        faces.nth(number).tap()
    faces.nth(20).tap(force=True)
    expect(page.locator(".beside")).to_contain_text("That makes 10")
    pad(page).get_by_role("button", name=re.compile("^Confirm")).tap()
    expect(pad(page)).to_be_hidden()
    evening.play("draw") if "draw" in evening.update(evening.awaited)["view"]["actions"] else evening.play(
        evening.update(evening.awaited)["view"]["actions"][0]
    )
    assert len(evening.update()["records"]) == 2


def test_the_provinces_of_carolus_magnus_are_set_up_by_tapping(phones: list[Player]) -> None:
    evening = joined(phones, "carolus_magnus", "manual", 2)
    page = pages(evening)[0]
    expect(pad(page)).to_contain_text("Province 1")
    faces = pad(page).get_by_role("group").get_by_role("button")
    expect(faces).to_have_count(5)
    for number in range(15):
        faces.nth(number % 5).tap()
    pad(page).get_by_role("button", name=re.compile("^Confirm")).tap()
    expect(prompt(page)).to_contain_text("emperor")
    faces.nth(3).tap()
    pad(page).get_by_role("button", name=re.compile("^Confirm")).tap()
    expect(prompt(page)).to_contain_text("roll 7 dice")
    expect(faces).to_have_count(6)


class Sent:
    """Everything that a page is sent."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        page.on(
            "websocket",
            lambda line: line.on("framereceived", lambda frame: self.frames.append(str(frame))),
        )

    def hands(self) -> list[Any]:
        updates = [json.loads(frame) for frame in self.frames if '"update"' in frame]
        return [update["view"]["hands"] for update in updates if update["view"]]


def test_a_dispute_with_real_cards_and_no_phone_is_sent_anothers_hand(phones: list[Player]) -> None:
    evening = joined(phones, "long_live_the_king", "manual", 3)
    opened, heard = [], []
    for player in evening.phones:
        page = player.context.new_page()
        heard.append(Sent(page))
        page.goto(f"/t/{evening.table}")
        opened.append(page)
    host = opened[0]
    expect(pad(host)).to_contain_text("Area of Anne")
    faces = pad(host).get_by_role("group").get_by_role("button")
    for number in range(3):
        faces.nth(number).tap()
    pad(host).get_by_role("button", name=re.compile("^Confirm")).tap()
    expect(pad(host)).to_be_hidden()
    dispute(evening, opened)
    for seat, sent in enumerate(heard):
        assert sent.hands()
        for hands in sent.hands():
            for other, hand in enumerate(hands):
                assert other == seat or not hand or all(count is None for count in counts(hand)), hand


def counts(hand: Any) -> list[Any]:
    return list(hand.values()) if isinstance(hand, dict) else list(hand)


def dispute(evening: Evening, opened: list[Page]) -> None:
    """Nobles move until two meet; then all stake, and each rolls real dice: who rolls first wins."""
    winner = None
    for _ in range(200):
        update = evening.update()
        due, phase = update["table"]["due"], update["view"]["phase"]
        if due:
            winner = due["seat"] if winner is None else winner
            page = opened[due["seat"]]
            expect(prompt(page)).to_contain_text(f"{NAMES[due['seat']]}, roll")
            expect(prompt(page)).to_contain_text("dispute")
            expect(pad(page)).to_contain_text(f"0 of {due['count']}")
            tap(page, *["6" if due["seat"] == winner else "1"] * due["count"])
            expect(prompt(page)).not_to_contain_text(f"{NAMES[due['seat']]}, roll")
        elif winner is not None:
            return
        else:
            actions = evening.update(update["view"]["actors"][0])["view"]["actions"]
            free = [action for action in actions if re.fullmatch(r"move \S+", action)]
            evening.play(actions[0] if phase == "stakes" else (free or ["end"])[-1])
    pytest.fail("nobody met")


def test_phones_come_by_the_code_of_their_seat_and_the_screen_shows_it_all(
    phones: list[Player], browser: Browser, base_url: str
) -> None:
    screen = browser.new_context(
        base_url=base_url,
        locale="en-GB",
        viewport=LAPTOP,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    Player(screen, base_url, "Table")
    page = screen.new_page()
    page.goto(f"/new/{COURT}?with=friends")
    page.get_by_text("We have the box").click()
    page.get_by_role("group", name="We have the box").get_by_role("button", name="Dice by hand").click()
    page.get_by_label("This device lies on the table").check()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Other devices cannot open this link")).to_be_visible()
    expect(page.get_by_role("img", name="Code that leads")).to_have_count(0)
    home = {"is_open": True, "addresses": ["http://192.168.1.20:8000"]}
    page.route("**/api/reach", lambda route: route.fulfill(json=home))
    page.reload()
    expect(page.get_by_text("192.168.1.20:8000").first).to_be_visible()
    expect(page.get_by_role("img", name="Code that leads a phone to seat 1")).to_be_visible()
    expect(page.get_by_role("img", name="Code that leads a phone to seat 2")).to_be_visible()
    table = page.url.split("/screen/")[1].split("?")[0]
    invite = screen.request.get(f"{base_url}/api/tables/{table}").json()["table"]["invite"]
    opened = []
    for seat in (1, 0):
        phone = phones[seat].context.new_page()
        phone.goto(f"/t/{table}?invite={invite}&seat={seat}")
        opened.insert(0, phone)
        expect(page.get_by_role("region", name=NAMES[seat])).to_be_visible()
    evening = Evening(phones[:2], table)
    expect(page.locator(".due")).to_have_count(1)
    seat = evening.awaited
    opened[seat].get_by_role("button", name=re.compile("^Roll")).tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"{NAMES[seat]}, roll 3 dice")
    expect(page.locator(".due")).to_contain_text("rolls")
    assert not axe(page)
    tap(page, "2", "2", "1", by_touch=False)  # the host types too
    expect(opened[seat].get_by_role("button", name="Die showing 2", exact=True)).to_have_count(2)
    for side in ("top", "bottom"):
        box = page.locator(f".{side} .plaque").bounding_box()
        assert box
        assert box["height"] >= 40
    screen.close()
