"""Long Live the King in a real browser: map, disputes with sealed stakes, elections, and what nobody else may see."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import regalia
from browser.conftest import (
    BOT,
    HUMAN,
    LAPTOP,
    OPEN,
    PHONE,
    Player,
    Visit,
    axe,
    play_by_command_line,
    play_now,
    prompt,
)
from browser.kings import five, four, last_card
from browser.test_pages import SMALL_TARGETS
from regalia.bots import BOTS, choose
from regalia.games.long_live_the_king.odds import turn_odds
from server.harness import Guest, Running

pytestmark = pytest.mark.browser

GAME = "long_live_the_king"
HOTSEAT = [{"kind": "hotseat", "name": name} for name in ("Ann", "Bea", "Cleo", "Dora", "Eve")]


@pytest.fixture(scope="module", autouse=True)
def warm(house: Running) -> None:
    """Rules, bots and odds compile before any clock of the browser runs."""
    match = regalia.Match.from_position(GAME, four(), seed=1)
    for bot in ("random", BOTS[-1]):
        choose(match, 0, bot)
    match.play(0, "move Oxeneford")
    turn_odds(match.view(0))


def area(page: Page, name: str) -> Locator:
    return page.locator(f"[data-area={name}]")


def plus(page: Page, value: str) -> Locator:
    """The button that stakes one more card of a value."""
    return page.get_by_role("button", name=re.compile(f"^One more of {value}"))


def say(player: Player, kind: str, table: str, **fields: Any) -> Any:
    """A command over HTTP."""
    body = {"type": kind, "table": table, "id": secrets.token_urlsafe(15), **fields}
    return player.context.request.post(f"{player.base}/api/tables/{table}/commands", data=body)


def act(player: Player, table: str, seat: int, action: str) -> None:
    ply = player.update(table, seat)["view"]["ply"]
    reply = say(player, "play", table, seat=seat, ply=ply, action=action)
    assert reply.ok, reply.text()


def settle(page: Page, player: Player, table: str, by_keys: bool = False) -> None:
    """Do whatever is asked of seat 0, the least of it, until its turn is over."""
    for _ in range(20):
        view = player.update(table)["view"]
        if view["turn"] != 0:
            return
        if 0 not in view["actors"]:
            page.wait_for_timeout(50)
            continue
        before = page.locator(".log li").count()
        least = "end" if "end" in view["actions"] else view["actions"][0]
        expect(page.locator(f"#offers option[value='{least}']")).to_be_attached()
        if by_keys:
            page.keyboard.type(least)
            page.keyboard.press("Enter")
        else:
            label = {"end": "End the turn", "reclaim 0": "Take none"}.get(least, least.split()[-1])
            page.locator(".acts").get_by_role("button", name=re.compile(f"^{label}")).click()
        expect(page.locator(".log li").nth(before)).to_be_attached()
    raise AssertionError("it never ended")


# --- Playing ---


def test_from_the_first_page_to_the_first_move_in_two_clicks(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Play now: Long Live the King").click()
    page.get_by_role("button", name="Start the game").click()
    expect(prompt(page).get_by_text("Your turn")).to_be_visible()
    expect(page.locator("[data-area]")).to_have_count(13)


def test_a_whole_match_from_play_now_to_the_result(visit: Visit) -> None:
    def least(offers: list[str]) -> str:
        rolls = [offer for offer in offers if offer.startswith("roll ")]
        return next((offer for offer in ("place", *rolls, "end") if offer in offers), offers[0])

    page = visit("/")
    play_now(page, "Long Live the King")
    assert play_by_command_line(page, least) >= 5
    ceremony = page.get_by_role("region", name=re.compile("^Election"))
    expect(ceremony).to_be_visible()
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_have_count(0)
    ceremony.get_by_role("button", name="Go on").click()
    expect(result.get_by_text("A king was elected")).to_be_visible()
    votes = [int(text) for text in result.locator(".sum").all_inner_texts()]
    assert len(votes) == 3
    assert votes == sorted(votes, reverse=True)
    page.keyboard.press("Escape")
    expect(page.locator(".log")).to_contain_text("An election is held.")


def test_a_match_against_bots_ends_with_a_coronation_and_the_reckoning(visit: Visit, ann: Player) -> None:
    table = ann.table(GAME, [HUMAN, BOT, BOT], position=last_card())
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    page.get_by_role("button", name=re.compile("^Stay and place")).click()
    expect(area(page, "Stadford")).to_have_attribute("aria-label", re.compile("courtiers: 2, with the noble"))
    page.get_by_role("button", name=re.compile("^Pay x1 ")).click()
    expect(page.locator(".log")).to_contain_text("Ann discards x1 for another courtier in Stadford.")
    page.get_by_role("button", name=re.compile("^End the turn")).click()
    ceremony = page.get_by_role("region", name=re.compile("^Election"))
    expect(ceremony).to_contain_text("Ann is elected king")
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)
        crown, title = (
            ceremony.locator(".total svg").bounding_box(),
            ceremony.locator("header").bounding_box(),
        )
        assert crown
        assert title
        assert crown["y"] >= title["y"] + title["height"], size
    page.set_viewport_size(LAPTOP)
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_have_count(0)  # it does not cover the ceremony
    page.keyboard.press("Escape")
    expect(result).to_contain_text("You have won!")
    expect(result.get_by_text("22 votes", exact=True)).to_be_visible()
    expect(result.get_by_text("A king was elected")).to_be_visible()
    points = ann.update(table)["table"]["result"]["points"]
    for number in points:
        expect(result.get_by_role("cell", name=str(number), exact=True).first).to_be_visible()
    expect(result).to_contain_text("17 − 5")  # an empty hand costs a third
    page.keyboard.press("Escape")
    expect(page.locator(".log")).to_contain_text(
        "An election is held. Ann: area votes 12, bonus votes 10, total 22."
    )


def test_a_move_can_be_taken_back_until_a_die_falls(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=four())}")
    area(page, "Lincolia").click()
    expect(area(page, "Lincolia")).to_have_attribute(
        "aria-label", re.compile("Ann, courtiers: 0, with the noble")
    )
    page.get_by_role("button", name="Take back").click()
    expect(area(page, "Lincolia")).to_have_attribute("aria-label", re.compile("empty"))
    area(page, "Lincolia").click()
    area(page, "Tateshale").click()
    expect(prompt(page)).to_contain_text("On to Tateshale: which card do you pay?")
    page.get_by_role("button", name=re.compile("^Pay x3 .*100%")).click()
    expect(page.locator(".log")).to_contain_text("Ann discards x3 to move on to Tateshale.")
    expect(page.get_by_role("button", name="Take back")).to_have_attribute(
        "title", re.compile("counts as practice")
    )


def test_a_dispute_of_five_from_sealed_stakes_to_the_end_of_the_turn(visit: Visit, ann: Player) -> None:
    table = ann.table(GAME, [HUMAN, BOT, BOT, BOT, BOT], position=five())
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    area(page, "Oxeneford").click()
    stage = page.get_by_role("region", name="The dispute for Oxeneford")
    expect(stage).to_contain_text("Ann, from Stadford, against")
    expect(stage.get_by_text("sealed", exact=True)).to_have_count(4)  # bots do not wait
    more = plus(page, "x3")
    more.click()
    more.click()
    plus(page, "x1").click()
    chances = page.get_by_role("table", name="Chance to win if the others stake")
    expect(chances.get_by_role("cell")).to_have_text([re.compile(r"^[\d.]+%$")] * 3)
    numbers = [float(text.rstrip("%")) for text in chances.get_by_role("cell").all_inner_texts()]
    assert numbers == sorted(numbers, reverse=True)  # the more the others stake, the less likely
    page.get_by_role("button", name=re.compile("^Seal 3 cards")).click()
    expect(stage.locator(".verdict")).to_contain_text(re.compile(r"wins?, \d+ to \d+"))
    expect(page.locator(".log")).to_contain_text("Ann stakes x1 x3 x3.")
    expect(page.locator(".log")).to_contain_text(re.compile(r"Ann rolls \d \d \d and reaches \d+"))
    expect(page.locator(".log")).to_contain_text(re.compile(r"wins Oxeneford with \d+"))
    settle(page, ann, table)
    expect(page.get_by_role("region", name="Ann", exact=True)).to_contain_text(re.compile("known:|cards"))


def take_device(page: Page, name: str) -> None:
    """What everybody may see is seen by all before it is passed on."""
    ready = page.get_by_role("button", name=f"I am {name}")
    pass_on = page.get_by_role("button", name="Pass the device")
    expect(ready.or_(pass_on).first).to_be_visible()
    if pass_on.is_visible():
        pass_on.click()
    ready.click()


def test_a_winner_banishes_on_the_map_or_by_a_button(visit: Visit, ann: Player) -> None:
    """Seat 0 alone holds more than single cards."""
    position = four(hands=["0 0 4", "1 0 0", "1 0 0", "1 0 0"])
    seats = [HUMAN, *HOTSEAT[1:4]]
    table = ann.table(GAME, seats, position=position)
    act(ann, table, 0, "move Oxeneford")
    act(ann, table, 0, "stake x3 x3 x3 x3")
    for seat in (1, 2, 3):
        act(ann, table, seat, "stake x1")
    page = visit(f"/t/{table}")
    take_device(page, "Ann")
    expect(prompt(page)).to_contain_text("You won Oxeneford. Banish the noble of Dora:")
    expect(page.get_by_role("button", name=re.compile("^Lundonia"))).to_be_visible()
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Back to the dispute")).to_be_visible()
    area(page, "Lideforde").click()
    expect(page.locator(".log")).to_contain_text("Ann banishes the noble of Dora to Lideforde.")
    page.get_by_role("button", name=re.compile("^Place a courtier")).click()
    expect(page.locator(".log")).to_contain_text("Ann places a courtier in Oxeneford for free.")


def test_dice_are_put_on_cards_by_hand_where_the_table_says_so(visit: Visit, ann: Player) -> None:
    position = four(dice_by_hand=True)
    table = ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=position)
    page = visit(f"/t/{table}")
    area(page, "Oxeneford").click()
    plus(page, "x1").click()
    plus(page, "x2").click()
    page.get_by_role("button", name=re.compile("^Seal 2 cards")).click()
    expect(prompt(page)).to_contain_text("Put each of your dice on one of your staked cards.")
    page.get_by_role("button", name=re.compile("^Put . on x2")).first.click()
    page.get_by_role("button", name=re.compile("^Put . on x1")).first.click()
    page.get_by_role("button", name="Leave them so").click()
    expect(page.locator(".log")).to_contain_text(re.compile(r"Ann places the dice: .>x2 .>x1\."))


def test_an_election_without_a_winner_is_a_ceremony_with_a_new_deal(visit: Visit, ann: Player) -> None:
    position = four(hands=["1 0 0", "4 3 0", "3 2 0", "6 3 0"], bonus=[1, 2, 3, 4])
    page = visit(f"/t/{ann.table(GAME, [HUMAN, *HOTSEAT[1:4]], position=position)}")
    take_device(page, "Ann")
    page.get_by_role("button", name=re.compile("^Stay and place")).click()
    page.get_by_role("button", name=re.compile("^Pay x1 ")).click()
    page.get_by_role("button", name=re.compile("^End the turn")).click()
    take_device(page, "Bea")
    ceremony = page.get_by_role("region", name="Election 2")
    expect(ceremony).to_contain_text("Nobody has 20 votes: bonus votes by rank.")
    expect(ceremony.get_by_role("img", name="Ann: area votes 6, bonus votes 1, 7 in all")).to_be_visible()
    expect(ceremony).to_contain_text("−3")
    expect(ceremony.get_by_text(re.compile(r"^\+\d bonus$"))).to_have_text(
        [re.compile(f"\\+{gain} bonus") for gain in (1, 3, 2, 4)]
    )
    expect(ceremony).to_contain_text("The discard pile is dealt anew")
    ceremony.get_by_role("button", name="Go on").click()
    expect(ceremony).to_have_count(0)
    expect(prompt(page)).to_contain_text("Your turn")


def test_the_replay_shows_the_map_and_the_stakes_of_its_moment(visit: Visit, ann: Player) -> None:
    table = ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=four())
    page = visit(f"/t/{table}")
    area(page, "Oxeneford").click()
    plus(page, "x3").click()
    page.get_by_role("button", name=re.compile("^Seal 1 card")).click()
    settle(page, ann, table)
    page.goto(f"/t/{table}?ply=1")  # a link to a moment
    slider = page.get_by_role("slider", name="Moment of the game")
    expect(slider).to_be_visible()
    noble = re.compile("with the noble")
    expect(area(page, "Stadford")).to_have_attribute("aria-label", noble)
    stage = page.get_by_role("region", name="The dispute for Oxeneford")
    expect(stage).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(stage).to_contain_text("still choosing")
    assert "stake x3" not in stage.inner_text()
    shown = next(
        index
        for index, record in enumerate(ann.update(table)["records"])
        if record["action"].startswith("stake ") and record["outcomes"]
    )
    slider.fill(str(shown))
    expect(stage.locator(".verdict")).to_contain_text(re.compile(r"wins?, \d+ to \d+"))
    assert f"moment={shown}" in page.url
    page.goto(page.url)
    expect(stage.locator(".verdict")).to_be_visible()
    expect(slider).to_have_value(str(shown))


def test_a_refused_move_shows_its_clause(visit: Visit, ann: Player) -> None:
    page = visit(f"/t/{ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=four())}")
    area(page, "Lideforde").click()
    expect(page.locator(".strip")).to_contain_text("That area is not a neighbour")
    page.get_by_role("button", name="Read LK-12").click()
    expect(page.locator(".strip .law")).to_contain_text("Dashed sea lines")


def test_a_turn_and_a_dispute_by_keyboard_alone(visit: Visit, ann: Player) -> None:
    table = ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=four())
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    area(page, "Stadford").focus()
    page.keyboard.press("ArrowDown")
    expect(area(page, "Oxeneford")).to_be_focused()
    expect(area(page, "Oxeneford")).to_have_attribute("aria-label", re.compile("a dispute follows"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="The dispute for Oxeneford")).to_be_visible()
    for key in ("3", "3", "2", "2", "1", "Backspace"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name=re.compile("^Seal 4 cards"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]").first).to_contain_text("Ann stakes x2 x2 x3 x3.")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Type an action in notation")).to_be_focused()
    settle(page, ann, table, by_keys=True)


# --- Motion ---


@pytest.fixture
def lively(browser: Browser, base_url: str) -> Iterator[tuple[Page, Player]]:
    """A page with motion, which notes what it says at every frame."""
    context = browser.new_context(base_url=base_url, locale="en-GB", reduced_motion="no-preference")
    ann = Player(context, base_url)
    page = context.new_page()
    page.add_init_script(NOTE_FRAMES)
    yield page, ann
    context.close()


NOTE_FRAMES = """
    window.frames_ = [];
    const text = selector => [...document.querySelectorAll(selector)].map(each => each.textContent).join(' ');
    const note = () => {
        window.frames_.push({
            at: performance.now(), prompt: text('.prompt'), log: text('.log li'), said: text('[role=status]'),
            moving: document.querySelectorAll('.die.tumbling, .die .tumbling').length,
            verdict: text('.verdict'), favour: text('.favour .said'), dealt: document.querySelectorAll('.dealt').length,
        });
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
"""


def frames(page: Page) -> list[dict[str, Any]]:
    noted: list[dict[str, Any]] = page.evaluate("window.frames_")
    return noted


def test_words_wait_until_the_dice_of_a_dispute_have_fallen(lively: tuple[Page, Player]) -> None:
    page, ann = lively
    page.goto(f"/t/{ann.table(GAME, [HUMAN, BOT, BOT, BOT, BOT], position=five())}")
    area(page, "Oxeneford").click()
    expect(page.get_by_role("region", name="The dispute for Oxeneford")).to_contain_text("sealed")
    plus(page, "x3").click()
    page.get_by_role("button", name=re.compile("^Seal 1 card")).click()
    expect(page.locator(".log")).to_contain_text(re.compile(r"wins Oxeneford with \d+"))
    seen = frames(page)
    falling = [each for each in seen if each["moving"]]
    assert falling
    for each in falling:
        assert "Watch what happens" in each["prompt"]
        assert "wins Oxeneford" not in each["log"] + each["said"]
        assert not each["verdict"] or "roll again" in each["verdict"]
    started = falling[0]["at"]
    told = next(each["at"] for each in seen if "wins Oxeneford" in each["log"])
    assert told - started < 4_000  # a second and a half where nothing else runs
    assert "wins Oxeneford" in seen[-1]["said"] or "wins Oxeneford" in frames(page)[-1]["said"]


def test_words_wait_for_the_die_of_a_favour_roll_and_a_click_ends_it(lively: tuple[Page, Player]) -> None:
    page, ann = lively
    page.goto(f"/t/{ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=four())}")
    area(page, "Lincolia").click()
    area(page, "Tateshale").click()
    page.get_by_role("button", name=re.compile("^Pay x1 ")).click()
    expect(page.locator(".log")).to_contain_text("Ann discards x1 to move on to Tateshale.")
    falling = [each for each in frames(page) if each["moving"]]
    assert falling
    for each in falling:
        assert "Watch what happens" in each["prompt"]
        assert "Ann discards" not in each["log"] + each["said"]
        assert not each["favour"]
    expect(page.locator(".favour .said")).to_contain_text("Ann rolls")


def test_a_click_or_a_key_ends_the_motion_and_does_nothing_else(lively: tuple[Page, Player]) -> None:
    page, ann = lively
    for end in ("click", "key"):
        table = ann.table(GAME, [HUMAN, BOT, BOT, BOT, BOT], position=five())
        page.goto(f"/t/{table}")
        area(page, "Oxeneford").click()
        expect(
            page.get_by_role("region", name="The dispute for Oxeneford").get_by_text("sealed")
        ).to_have_count(4)
        plus(page, "x3").click()
        page.evaluate(
            """end => {
                const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
                const beside = document.querySelector('.players');
                const press = () => end === 'click' ? beside.click() : window.dispatchEvent(key);
                const look = () => {
                    if (!document.querySelector('.tumbling')) return requestAnimationFrame(look);
                    window.pressed = performance.now();
                    press();
                };
                look();
            }""",
            end,
        )
        page.get_by_role("button", name=re.compile("^Seal 1 card")).click()
        expect(page.locator(".log")).to_contain_text("wins Oxeneford")
        pressed = page.evaluate("window.pressed")
        after = [each for each in frames(page) if each["at"] > pressed + 50]
        assert not any(each["moving"] for each in after[:1])
        assert "wins Oxeneford" in after[0]["log"]


def test_the_new_deal_comes_in_before_the_eyes(lively: tuple[Page, Player]) -> None:
    page, ann = lively
    position = four(hands=["1 0 0", "4 3 0", "3 2 0", "6 3 0"], bonus=[1, 2, 3, 4])
    table = ann.table(GAME, [HUMAN, OPEN, OPEN, OPEN], position=position)
    guests = [Guest(ann.base, name) for name in ("Bea", "Cleo", "Dan")]
    invite = ann.update(table, None)["table"]["invite"]
    for seat, guest in enumerate(guests, 1):
        guest.must("sit", table, seat=seat, invite=invite)
    page.goto(f"/t/{table}")
    for name in ("Stay and place", "Pay x1 ", "End the turn"):
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
    expect(page.get_by_role("region", name="Election 2")).to_be_visible()
    expect(prompt(page)).to_contain_text("Watch what happens")
    hand = sum(ann.update(table)["view"]["hands"][0].values())
    expect(page.locator(".hand .dealt")).to_have_count(hand)  # the last card had been paid
    expect(prompt(page)).to_contain_text("Bea")
    assert page.locator(".players .dealt").count() == 4 * hand
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect(page.locator(".hand svg").first).to_be_visible()
    still = "each => getComputedStyle(each).animationName"
    assert {each.evaluate(still) for each in page.locator(".dealt").all()} <= {"none"}
    for guest in guests:
        guest.close()


# --- Everyone, everywhere ---


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_phase(visit: Visit, page: Page, ann: Player, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    table = ann.table(GAME, [HUMAN, BOT, BOT, BOT], position=four())
    visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("Your turn")
    assert not axe(page)
    area(page, "Lincolia").click()
    area(page, "Tateshale").click()
    expect(prompt(page)).to_contain_text("which card do you pay?")
    assert not axe(page)
    page.get_by_role("button", name="Not now").click()
    page.get_by_role("button", name="Take back").click()
    area(page, "Oxeneford").click()
    plus(page, "x3").click()
    expect(page.get_by_role("table", name="Chance to win if the others stake")).to_be_visible()
    assert not axe(page)
    page.get_by_role("button", name=re.compile("^Seal 1 card")).click()
    expect(page.locator(".verdict")).to_be_visible()
    assert not axe(page)
    visit(f"/t/{ann.table(GAME, [HUMAN, *HOTSEAT[1:3]], position=last_card())}")
    expect(page.get_by_role("heading", name="Pass the device")).to_be_visible()
    assert not axe(page)
    page.get_by_role("button", name="I am Ann").click()
    for name in ("Stay and place", "Pay x1 ", "End the turn"):
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
    expect(page.get_by_role("region", name=re.compile("^Election"))).to_be_visible()
    assert not axe(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    assert not axe(page)


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_a_phone_never_scrolls_and_its_targets_are_large(
    browser: Browser, base_url: str, language: str
) -> None:
    context = browser.new_context(
        base_url=base_url,
        locale=language,
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        reduced_motion="reduce",
    )
    ann = Player(context, base_url, "A guest with a rather long name")
    page = context.new_page()
    stakes = ann.table(GAME, [HUMAN, *HOTSEAT[1:]], position=five())
    act(ann, stakes, 0, "move Oxeneford")
    shown = ann.table(GAME, [HUMAN, *HOTSEAT[1:]], position=five())
    act(ann, shown, 0, "move Oxeneford")
    for seat in range(5):
        act(ann, shown, seat, "stake x1 x1 x2 x2")
    for table in (ann.table(GAME, [HUMAN, BOT, BOT, BOT, BOT], position=five()), stakes, shown):
        page.goto(f"/t/{table}")
        ready = page.locator(".pass button")
        expect(ready.or_(prompt(page)).first).to_be_visible()
        if ready.count():
            ready.click()
            expect(prompt(page)).to_be_visible()
        if table == stakes:
            page.keyboard.press("1")
            page.keyboard.press("2")
            expect(page.locator(".odds table")).to_be_visible()
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size[0] <= PHONE["width"], table
        assert size[1] <= PHONE["height"], table
        assert not page.evaluate(SMALL_TARGETS), table
        wide = page.evaluate(
            "[...document.querySelectorAll('.stage *, .tray *')].filter(each => !each.closest('svg') "
            "&& !each.closest('.sr') && each.getBoundingClientRect().right > innerWidth + 1).length"
        )
        assert wide == 0, table
    context.close()


def test_at_a_laptop_nothing_needs_scrolling_with_any_number_of_players(
    visit: Visit, page: Page, ann: Player
) -> None:
    for seats in (3, 4, 5):
        visit(f"/t/{ann.table(GAME, [HUMAN, *[BOT] * (seats - 1)])}")
        expect(prompt(page)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight") <= 900
        hidden = "all => all.filter(each => each.scrollHeight > each.clientHeight + 1).length"
        assert page.locator(".players, .stage, .tray").evaluate_all(hidden) == 0, seats


# --- Secrets ---


class Ear:
    """Everything a page is sent: frames of its socket, answers to its requests."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[str] = []
        page.on("websocket", lambda line: line.on("framereceived", self.take))
        page.on("response", self.read)

    def take(self, frame: str | bytes) -> None:
        self.heard.append(frame if isinstance(frame, str) else frame.decode())

    def read(self, response: Any) -> None:
        if "/api/" in response.url:
            self.heard.append(response.text())

    def views(self) -> Iterator[dict[str, Any]]:
        for answer in map(json.loads, self.heard):
            if isinstance(answer, dict):
                yield from (view for view in [*answer.get("views", []), answer.get("view")] if view)

    def everything(self) -> str:
        return "\n".join(self.heard) + self.page.content()


def newcomer(browser: Browser, base: str, name: str | None) -> tuple[Page, Player | None]:
    context = browser.new_context(base_url=base, locale="en-GB", reduced_motion="reduce")
    player = Player(context, base, name) if name else None
    return context.new_page(), player


def sit(player: Player, host: Player, table: str, seat: int) -> None:
    invite = host.update(table, None)["table"]["invite"]
    reply = say(player, "sit", table, seat=seat, invite=invite)
    assert reply.ok, reply.text()


def test_nobody_else_is_sent_a_hand_or_a_sealed_stake(
    visit: Visit, ann: Player, browser: Browser, base_url: str
) -> None:
    """Of all at the table only Ann holds x3, and stakes both: no x3 is in the page of another before all is shown."""
    table = ann.table(GAME, [HUMAN, OPEN, BOT, BOT], position=four())
    other, bea = newcomer(browser, base_url, "Bea")
    outside, _ = newcomer(browser, base_url, None)
    assert bea
    sit(bea, ann, table, 1)
    ears = [Ear(other), Ear(outside)]
    for ear in ears:
        ear.page.goto(f"/t/{table}")
        expect(prompt(ear.page)).to_be_visible()
    page = visit(f"/t/{table}")
    area(page, "Oxeneford").click()
    for _ in range(2):
        plus(page, "x3").click()
    plus(page, "x2").click()
    page.get_by_role("button", name=re.compile("^Seal 3 cards")).click()
    expect(prompt(page)).to_contain_text("Your stake is sealed. Still choosing: Bea")
    expect(page.get_by_role("img", name="Your sealed stake: x3 x3 x2")).to_be_visible()
    for ear in ears:
        sealed = ear.page.get_by_role("region", name="The dispute for Oxeneford").get_by_text(
            "sealed", exact=True
        )
        expect(sealed).to_have_count(3)
        ear.page.reload()  # asking again tells no more, nor does looking back
        expect(sealed).to_have_count(3)
        views = list(ear.views())
        assert len(views) >= 3
        for view in views:
            assert view["hands"][0] is None
            assert view["sealed"][0] is None
            assert view["cards"][0] == 9  # as before the stake
            assert "sealed" not in view or all(stake is None or stake == [] for stake in view["sealed"])
        assert "x3 x3" not in ear.everything()
        assert "x2 x3" not in ear.everything()
        assert ear.page.locator("[href='#lk-card-x3']").count() == 0
        assert ear.page.get_by_role("listitem").filter(has_text="Ann has staked.").count() == 1
    expect(other.get_by_role("group", name=re.compile("^Your hand: 4 × x1, 3 × x2"))).to_be_visible()
    assert outside.locator(".hand [href^='#lk-card-']").count() <= 1  # the discard pile
    plus(other, "x1").click()
    other.get_by_role("button", name=re.compile("^Seal 1 card")).click()
    for ear in ears:  # the same ears hear it when it may be heard
        expect(ear.page.locator(".log")).to_contain_text("Ann stakes x2 x3 x3.")
        assert "stake x2 x3 x3" in ear.everything()
    other.context.close()
    outside.context.close()


def test_the_device_is_passed_and_nothing_of_the_one_before_stays(visit: Visit, ann: Player) -> None:
    """Ann alone holds x3; Bea's screen never has one, nor has the screen between them."""
    page = visit(f"/t/{ann.table(GAME, [HUMAN, *HOTSEAT[1:4]], position=four())}")
    expect(page.get_by_role("heading", name="Pass the device")).to_be_visible()
    assert "dagger" not in page.content()
    page.get_by_role("button", name="I am Ann").click()
    area(page, "Oxeneford").click()
    plus(page, "x3").click()
    page.get_by_role("button", name=re.compile("^Seal 1 card")).click()
    expect(page.get_by_text("It is Bea’s turn now.")).to_be_visible()
    assert "dagger" not in page.content()
    assert page.locator("[href^='#lk-card']").count() == 0
    page.get_by_role("button", name="I am Bea").click()
    expect(page.get_by_role("group", name=re.compile("^Your hand: 4 × x1, 3 × x2"))).to_be_visible()
    assert page.locator("[href='#lk-card-x3']").count() == 0
    assert "stake x3" not in page.content()
    expect(page.get_by_role("listitem").filter(has_text="Ann has staked.")).to_have_count(1)
    page.reload()
    expect(page.get_by_text("It is Bea’s turn now.")).to_be_visible()
    for name in ("Bea", "Cleo", "Dora"):
        page.get_by_role("button", name=f"I am {name}").click()
        plus(page, "x1").click()
        page.get_by_role("button", name=re.compile("^Seal 1 card")).click()
    # the stakes are open: all of them look before anybody takes the device
    expect(page.get_by_text("Have a look, all of you.")).to_be_visible()
    expect(page.locator(".dispute.open .staked .die").first).to_be_visible()
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.get_by_role("group", name=re.compile("^Your hand"))).to_have_count(0)
    page.get_by_role("button", name="Pass the device").click()
    expect(page.get_by_role("heading", name="Pass the device")).to_be_visible()


# --- What goes wrong, with five players ---


def test_five_players_two_leave_one_stakes_twice_one_comes_back_and_the_match_goes_on(
    visit: Visit, ann: Player, browser: Browser, base_url: str, complaints: list[str]
) -> None:
    table = ann.table(GAME, [HUMAN, OPEN, OPEN, OPEN, OPEN], position=five())
    invite = ann.update(table, None)["table"]["invite"]
    dans, dan = newcomer(browser, base_url, "Dan")
    assert dan
    sit(dan, ann, table, 3)
    bea, cleo, eve = (Guest(base_url, name) for name in ("Bea", "Cleo", "Eve"))
    for guest, seat in ((bea, 1), (cleo, 2), (eve, 4)):
        guest.must("sit", table, seat=seat, invite=invite)
    outside, _ = newcomer(browser, base_url, None)
    ear = Ear(outside)
    outside.goto(f"/t/{table}")
    expect(prompt(outside)).to_be_visible()
    page = visit(f"/t/{table}")
    area(page, "Oxeneford").click()
    expect(page.get_by_role("region", name="The dispute for Oxeneford")).to_be_visible()
    ply = ann.update(table)["view"]["ply"]

    # a stake arrives twice: the same command again is the same stake, another one is refused
    stake = {"type": "play", "table": table, "id": secrets.token_urlsafe(15), "seat": 0, "ply": ply}
    where = f"{base_url}/api/tables/{table}/commands"
    replies = [ann.context.request.post(where, data={**stake, "action": "stake x3 x3"}) for _ in range(2)]
    assert [reply.status for reply in replies] == [200, 200]
    second = ann.context.request.post(
        where, data={**stake, "id": secrets.token_urlsafe(15), "action": "stake x1"}
    )
    assert second.status != 200
    expect(prompt(page)).to_contain_text("Your stake is sealed. Still choosing: Bea, Cleo, Dan and Eve")

    # the one who staked loses the network and comes back while the stakes are sealed
    page.context.set_offline(True)
    expect(prompt(page)).to_contain_text("Reconnecting")
    page.context.set_offline(False)
    expect(page.get_by_role("img", name="Your sealed stake: x3 x3")).to_be_visible()
    expect(prompt(page)).to_contain_text("Your stake is sealed.")

    # two leave at once: bots stand in and stake for them
    with ThreadPoolExecutor() as both:
        left = [both.submit(guest.do, "leave", table, seat=seat) for guest, seat in ((bea, 1), (cleo, 2))]
        assert [reply.result().status for reply in left] == [200, 200]
    expect(prompt(page)).to_contain_text("Still choosing: Dan and Eve")

    # in the middle of the dispute another hands the seat to a bot, from the menu
    dans.goto(f"/t/{table}")
    expect(prompt(dans)).to_contain_text("A dispute: stake 1 to 5 cards, in secret.")
    dans.get_by_role("button", name="Menu").click()
    dans.get_by_role("button", name="Let a bot play for me").click()
    expect(prompt(page)).to_contain_text("Still choosing: Eve")
    assert "x3 x3" not in ear.everything()
    assert all(view["hands"] == [None] * 5 for view in ear.views())

    ply = eve.table(table, seat=4)["view"]["ply"]
    eve.must("play", table, seat=4, ply=ply, action="stake x1")
    expect(outside.locator(".log")).to_contain_text("Ann stakes x3 x3.")
    expect(page.locator(".log")).to_contain_text(re.compile(r"wins Oxeneford with \d+"))
    assert ann.update(table)["table"]["status"] == "running"
    complaints[:] = [each for each in complaints if "ERR_INTERNET_DISCONNECTED" not in each]
    for each in (outside, dans):
        each.context.close()
    for guest in (bea, cleo, eve):
        guest.close()


def test_a_seat_left_in_the_middle_of_a_dispute_is_taken_over_and_comes_back(
    visit: Visit, ann: Player, browser: Browser, base_url: str
) -> None:
    """Bea comes back twice while Ann's stake is sealed, goes for good, and finds her seat again after the reveal."""
    table = ann.table(GAME, [HUMAN, OPEN, BOT, BOT, BOT], position=five())
    other, bea = newcomer(browser, base_url, "Bea")
    assert bea
    sit(bea, ann, table, 1)
    ear = Ear(other)
    page = visit(f"/t/{table}")
    area(page, "Oxeneford").click()
    for _ in range(2):
        plus(page, "x3").click()
    page.get_by_role("button", name=re.compile("^Seal 2 cards")).click()
    expect(prompt(page)).to_contain_text("Your stake is sealed. Still choosing: Bea")
    for _ in range(2):
        other.goto(f"/t/{table}")
        expect(prompt(other)).to_contain_text("A dispute: stake 1 to 5 cards, in secret.")
        plus(other, "x1").click()
        expect(other.get_by_role("button", name=re.compile("^Seal 1 card"))).to_be_visible()
    assert "x3 x3" not in ear.everything()
    assert all(view["hands"][0] is None and view["sealed"][0] is None for view in ear.views())
    other.close()

    expect(page.get_by_role("region", name="Bea", exact=True)).to_contain_text("away")
    page.wait_for_timeout(1_200)  # a short while is not gone yet
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Let a bot play for Bea").click()
    expect(page.locator(".log")).to_contain_text(re.compile(r"wins Oxeneford with \d+"))
    assert ann.update(table)["table"]["seats"][1]["bot"]

    again = bea.context.new_page()
    again.goto(f"/t/{table}")
    again.get_by_role("button", name="Play myself").click()
    expect(again.get_by_role("button", name="Play myself")).to_have_count(0)
    expect(again.locator(".log")).to_contain_text("Ann stakes x3 x3.")
    assert ann.update(table)["table"]["status"] == "running"
    other.context.close()
