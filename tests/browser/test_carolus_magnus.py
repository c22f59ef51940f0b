"""Carolus Magnus in a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import regalia
from browser.conftest import BOT, HUMAN, PHONE, Player, Visit, axe, play_by_command_line, play_now, prompt

pytestmark = pytest.mark.browser

View = dict[str, Any]
HUMAN_TOO = {"kind": "hotseat", "name": "Bea"}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> Iterator[None]:
    """Compile before any clock of the browser runs."""
    match = regalia.Match.new("carolus_magnus", seed=1)
    match.preview(match.actors[0], match.actions(match.actors[0])[0])
    match.view(None)
    return


def position(seats: int, is_wanted: Callable[[View], bool], seed: int = 1) -> dict[str, Any]:
    """A position that seat 0 is to decide in, from a match in which everybody likes castles."""
    choice = random.Random(seed)
    match = regalia.Match.new("carolus_magnus", seats=seats, seed=seed)
    while match.actors:
        seat = match.actors[0]
        view = match.view(seat)
        if seat == 0 and is_wanted(view):
            return match.position()
        actions = view["actions"]
        if view["phase"] == "knights" and choice.random() < 0.5:
            actions = [action for action in actions if action.endswith("court")]
        elif view["phase"] == "emperor":
            side = next(each["side"] for each in view["sides"] if seat in each["seats"])
            own = [stop["action"] for stop in view["previews"] if stop["takes"] == side]
            actions = own or actions
        match.play(seat, choice.choice(actions))
    return position(seats, is_wanted, seed + 1)


def in_phase(phase: str, due: int = 0, least_round: int = 3) -> Callable[[View], bool]:
    def is_wanted(view: View) -> bool:
        return view["phase"] == phase and view["round"] >= least_round and (not due or view["due"] == due)

    return is_wanted


def about_to_win(view: View) -> bool:
    """All knights still to be brought, and a stop that would end the match for seat 0."""
    return (
        view["phase"] == "knights"
        and view["due"] == 3
        and any(stop["ends"] and stop["winners"] == [0] for stop in view["previews"])
    )


def bring_to_court(page: Page) -> None:
    before = page.locator(".log li").count()
    page.locator("button.knight.can").first.click()
    page.get_by_role("button", name=re.compile("^Into court")).click()
    expect(page.locator(".log li").nth(before)).to_be_attached()


def test_from_the_first_page_to_the_first_decision_in_two_clicks(visit: Visit) -> None:
    page = visit("/")
    page.get_by_role("link", name="Play now: Carolus Magnus").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("group", name=re.compile("^Ring of provinces, 15 places"))).to_be_visible()
    expect(page.locator("[data-place]")).to_have_count(15)


def test_a_whole_match_from_play_now_to_the_result(visit: Visit) -> None:
    page = visit("/")
    play_now(page, "Carolus Magnus")
    assert play_by_command_line(page, lambda offers: offers[0]) >= 10
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("Most castles on the table win")
    castles = [int(text) for text in result.locator(".sum").all_inner_texts()]
    assert castles == sorted(castles, reverse=True)
    expect(result).to_contain_text(re.compile("You have won!|has won|wins"))
    page.keyboard.press("Escape")
    expect(page.locator("g.castle")).to_have_count(sum(castles))


def test_a_match_goes_from_knights_and_a_ride_to_the_reckoning(visit: Visit, ann: Player) -> None:
    where = position(2, about_to_win)
    table = ann.table("carolus_magnus", [HUMAN, BOT], position=where)
    page = visit(f"/t/{table}")
    expect(prompt(page)).to_contain_text("bring 3 more knights into play")
    for _ in range(3):
        bring_to_court(page)
    expect(prompt(page)).to_contain_text("Move the emperor clockwise")
    stops = page.locator("button.card", has_text="the game ends")
    expect(stops.first).to_be_visible()
    winning = next(stop["action"] for stop in ann.update(table)["view"]["previews"] if stop["winners"] == [0])
    page.keyboard.press(winning[-1])
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("You have won!")
    expect(result).to_contain_text("Most castles on the table win")
    castles = ann.update(table)["table"]["result"]["points"]
    assert [int(text) for text in result.locator(".sum").all_inner_texts()] == sorted(castles, reverse=True)
    expect(page.locator(".log li").last).to_contain_text(re.compile("builds a castle|takes over"))


def test_placed_knights_are_taken_back_until_the_dice_fall(visit: Visit, ann: Player) -> None:
    table = ann.table("carolus_magnus", [HUMAN, BOT], position=position(2, in_phase("knights", 3)))
    page = visit(f"/t/{table}")
    placed = page.locator(".slot:not(.empty)")
    undo = page.get_by_role("button", name="Take back")
    bring_to_court(page)
    page.locator("button.knight.can").first.click()
    page.locator("[data-place]").nth(4).click()
    expect(placed).to_have_count(2)
    undo.click()
    expect(placed).to_have_count(1)
    undo.click()
    expect(placed).to_have_count(0)
    expect(undo).to_have_count(0)
    for _ in range(3):
        bring_to_court(page)
    expect(undo).to_be_visible()
    page.locator("[data-place][role=button]").first.click()
    expect(page.locator(".log")).to_contain_text("Ann rolls")
    expect(page.locator(".middle span.die")).to_have_count(3)
    expect(undo).to_have_attribute("title", re.compile("counts as practice"))


def test_a_chosen_knight_marks_every_place_where_it_may_go(visit: Visit, ann: Player) -> None:
    table = ann.table("carolus_magnus", [HUMAN, BOT], position=position(2, in_phase("knights", 3)))
    page = visit(f"/t/{table}")
    offers = page.locator("[data-place]:has(.offer)")
    expect(page.locator("button.knight.can").first).to_be_visible()
    expect(offers).to_have_count(0)
    page.locator("button.knight.can").first.click()
    actions = ann.update(table)["view"]["actions"]
    family = actions[0].split(">")[0]
    places = [action.removeprefix(f"{family}>") for action in actions if action.startswith(f"{family}>")]
    expect(offers).to_have_count(len(places) - 1)
    marked = offers.evaluate_all("places => places.map(place => place.dataset.place)")
    assert sorted([*marked, "court"]) == sorted(places)


def test_a_knight_can_be_dragged_to_a_place(visit: Visit, ann: Player) -> None:
    page = visit(
        f"/t/{ann.table('carolus_magnus', [HUMAN, BOT], position=position(2, in_phase('knights', 3)))}"
    )
    place = page.locator("[data-place]").nth(3)
    number = place.get_attribute("data-place")
    page.locator("button.knight.can").first.drag_to(place)
    expect(page.locator(".slot:not(.empty)")).to_have_count(1)
    expect(page.locator(".log li").last).to_contain_text(f">{number}")


def test_three_players_choose_for_crowns(visit: Visit, ann: Player) -> None:
    where = position(3, in_phase("crown"))
    page = visit(f"/t/{ann.table('carolus_magnus', [HUMAN, BOT, BOT], position=where)}")
    expect(prompt(page)).to_contain_text("choose the colour of a knight")
    expect(page.get_by_role("group", name="You rolled a crown").get_by_role("button")).to_have_count(5)
    page.get_by_role("button", name=re.compile("^Take: blue knight")).click()
    expect(page.locator(".log")).to_contain_text("Ann takes a blue knight for a crown.")


def test_four_players_in_two_teams_play_a_turn_by_keyboard(visit: Visit, ann: Player) -> None:
    where = position(4, in_phase("knights", 3))
    table = ann.table("carolus_magnus", [HUMAN, BOT, BOT, BOT], position=where)
    page = visit(f"/t/{table}")
    order = page.get_by_role("list", name="Discs, in the order in which the players act")
    expect(order.get_by_role("listitem")).to_have_count(4)
    expect(page.get_by_role("region", name="Ann")).to_contain_text("Black")
    families = ["red", "purple", "blue", "yellow", "green"]
    for count in range(1, 4):
        reserve = ann.update(table)["view"]["players"][0]["reserve"]
        page.keyboard.press(str(1 + next(index for index, each in enumerate(families) if reserve[each])))
        expect(prompt(page)).to_contain_text("where to?")
        if count < 3:
            page.keyboard.press("c")
        else:
            page.locator("[data-place][tabindex='0']").focus()
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            expect(prompt(page)).to_contain_text("Move the emperor")
            break
        expect(page.locator(".slot:not(.empty)")).to_have_count(count)
    page.keyboard.press("1")
    expect(page.locator(".log")).to_contain_text("Ann moves the emperor 1 on")
    expect(page.locator("[aria-live]").filter(has_text="Ann moves the emperor").first).to_be_attached()


def test_a_castle_built_beside_ones_own_joins_the_lands(visit: Visit, ann: Player) -> None:
    def joining(view: View) -> bool:
        return view["phase"] == "emperor" and any(
            stop["merges"] and not stop["ends"] for stop in view["previews"]
        )

    table = ann.table("carolus_magnus", [HUMAN, BOT], position=position(2, joining))
    stop = next(stop for stop in ann.update(table)["view"]["previews"] if stop["merges"])
    page = visit(f"/t/{table}")
    places = page.locator("[data-place]")
    expect(places.first).to_be_visible()
    before = places.count()
    card = (
        page.get_by_role("group", name=re.compile("^Move the emperor"))
        .get_by_role("button")
        .nth(int(stop["action"][-1]) - 1)
    )
    expect(card).to_contain_text("joins")
    card.click()
    expect(places).to_have_count(before - len(stop["merges"]))
    region = f"region {stop['region'][0]}–{stop['region'][-1]}"
    expect(page.locator(f"[data-place][aria-label*='{region}']")).to_have_count(1)


def test_three_at_one_device_lay_their_discs_in_turn(visit: Visit, ann: Player) -> None:
    names = ("Ann", "Bea", "Cem")
    plan = [{"kind": "hotseat", "name": name} for name in names]
    where = position(3, lambda view: view["phase"] == "disc" and not any(p["disc"] for p in view["players"]))
    table = ann.table("carolus_magnus", plan, position=where)
    page = visit(f"/t/{table}")
    order = ann.update(table)["view"]["order"]
    for count, seat in enumerate(order):
        expect(page.locator(".order li.now")).to_contain_text(names[seat])
        page.locator("button.disc.free").first.click()
        expect(page.locator(".log li")).to_have_count(count + 2)
        expect(page.locator(".log li").last).to_contain_text(f"{names[seat]} lays disc")
    discs = [int(text) for text in page.locator(".order .disc text").all_text_contents()]
    assert discs == sorted(discs)  # whoever laid the lowest acts first


def test_a_disc_that_lies_already_is_refused_with_its_clause(visit: Visit, ann: Player) -> None:
    def taken(view: View) -> bool:
        free = {int(action[-1]) for action in view["actions"] if action.startswith("disc")}
        own = set(range(1, 6)) - set(view["players"][0]["used"])
        return view["phase"] == "disc" and bool(own - free)

    where = position(3, taken)
    table = ann.table("carolus_magnus", [HUMAN, BOT, BOT], position=where)
    page = visit(f"/t/{table}")
    page.get_by_role("button", name=re.compile("that number is already laid")).first.click(force=True)
    expect(page.locator(".strip")).to_contain_text("That number has been laid this round")
    expect(page.get_by_role("button", name="Read CM-12")).to_be_visible()


def test_the_command_line_takes_notation_and_the_rules_are_at_hand(visit: Visit, ann: Player) -> None:
    where = position(2, in_phase("knights", 3))
    table = ann.table("carolus_magnus", [HUMAN, BOT], position=where)
    action = next(each for each in ann.update(table)["view"]["actions"] if each.endswith(">4"))
    page = visit(f"/t/{table}")
    expect(page.locator("button.knight.can").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(action)
    page.keyboard.press("Enter")
    expect(page.locator(".log li").last).to_contain_text(action)
    expect(page.locator(".slot:not(.empty)")).to_have_count(1)
    page.get_by_role("combobox", name="Type an action").fill("red>99")
    page.keyboard.press("Enter")
    expect(page.locator(".strip")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog", name=re.compile("Carolus Magnus"))).to_contain_text("CM-31")


def test_a_spectator_sees_every_stop_and_can_do_nothing(ann: Player, browser: Browser, base_url: str) -> None:
    where = position(2, in_phase("emperor"))
    table = ann.table("carolus_magnus", [HUMAN, BOT], position=where, is_public=True)
    outside = browser.new_context(base_url=base_url, locale="en-GB", reduced_motion="reduce")
    watcher = outside.new_page()
    watcher.goto(f"/t/{table}")
    expect(watcher.get_by_text("You are watching")).to_be_visible()
    stops = ann.update(table)["view"]["previews"]
    expect(watcher.locator(".stop")).to_have_count(len(stops))
    assert watcher.locator("[data-place][role=button], button.knight.can, button.card").count() == 0
    ann.context.request.post(
        f"{base_url}/api/tables/{table}/commands",
        data={
            "type": "play",
            "table": table,
            "id": "a-ride-of-the-emperor",
            "seat": 0,
            "ply": ann.update(table)["view"]["ply"],
            "action": stops[0]["action"],
        },
    )
    expect(watcher.locator(".log")).to_contain_text("Ann moves the emperor 1 on")
    outside.close()


def test_the_replay_shows_the_castles_of_its_moment(visit: Visit, ann: Player) -> None:
    where = position(2, about_to_win)
    table = ann.table("carolus_magnus", [HUMAN, BOT], position=where)
    page = visit(f"/t/{table}")
    castles = page.locator("g.castle")
    expect(page.locator("[data-place]").first).to_be_visible()
    at_first = castles.count()
    for _ in range(3):
        bring_to_court(page)
    winning = next(stop for stop in ann.update(table)["view"]["previews"] if stop["winners"] == [0])
    page.keyboard.press(winning["action"][-1])
    page.get_by_role("dialog", name="Result").get_by_role("button", name="Watch it again").click()
    expect(page.get_by_text("0 of 4", exact=True)).to_be_visible()
    assert castles.count() == at_first
    page.keyboard.press("ArrowRight")
    expect(page.locator(".slot:not(.empty)")).to_have_count(1)
    page.get_by_role("slider", name="Moment of the game").fill("5")
    expect(page.get_by_text("4 of 4", exact=True)).to_be_visible()
    built = sum(place["castles"] for place in ann.update(table)["view"]["ring"])
    expect(castles).to_have_count(built)
    assert built > at_first or winning["loses"]


def test_the_emperor_rides_before_the_eyes_and_a_click_ends_it(browser: Browser, base_url: str) -> None:
    context = browser.new_context(base_url=base_url, locale="en-GB", reduced_motion="no-preference")
    ann = Player(context, base_url)
    page = context.new_page()
    page.clock.install()
    where = position(2, in_phase("emperor"))
    page.goto(f"/t/{ann.table('carolus_magnus', [HUMAN, HUMAN_TOO], position=where)}")
    expect(page.locator("button.card").first).to_be_visible()
    seen = "() => document.querySelector('.emperor').getAttribute('transform')"
    rides = [page.evaluate(seen)]
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 5"))  # frames come when the test asks for them
    page.keyboard.press("2")
    expect(prompt(page)).to_contain_text("Watch what happens")
    assert page.locator(".log li").count() == 1  # what comes of the ride is told when it is over
    for _ in range(100):
        page.clock.run_for(50)
        rides.append(page.evaluate(seen))
        if page.locator(".log li").count() == 2:
            break
    expect(page.locator(".log li")).to_have_count(2)
    assert len(set(rides)) > 4  # not a jump: the emperor is seen on the way
    page.clock.resume()
    expect(prompt(page)).not_to_contain_text("Watch what happens")
    place = page.locator("[data-place][aria-label*='emperor']")
    arrived = place.get_attribute("data-place")

    page.goto(f"/t/{ann.table('carolus_magnus', [HUMAN, HUMAN_TOO], position=where)}")
    expect(page.locator("button.card").first).to_be_visible()
    page.keyboard.press("2")
    expect(prompt(page)).to_contain_text("Watch what happens")
    page.locator(".chart").click(position={"x": 4, "y": 4})
    expect(page.locator(".log li")).to_have_count(2)
    expect(prompt(page)).not_to_contain_text("Watch what happens")
    page.wait_for_timeout(100)  # other dice ask another question, and its tray leaves the map another height
    rests = page.evaluate(seen)
    page.wait_for_timeout(300)
    assert page.evaluate(seen) == rests
    assert place.get_attribute("data-place") == arrived
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_phase(visit: Visit, page: Page, ann: Player, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    for seats, phase in ((2, "disc"), (3, "knights"), (4, "emperor"), (3, "crown")):
        where = position(seats, in_phase(phase))
        visit(f"/t/{ann.table('carolus_magnus', [HUMAN, *[BOT] * (seats - 1)], position=where)}")
        expect(page.locator("[data-place]").first).to_be_visible()
        assert not axe(page), (seats, phase)


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_a_phone_shows_the_whole_table(browser: Browser, base_url: str, language: str) -> None:
    context = browser.new_context(base_url=base_url, locale=language, viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    ann = Player(context, base_url, "A guest with a rather long name")
    page = context.new_page()
    for seats, phase in ((2, "emperor"), (3, "disc"), (4, "knights"), (4, "crown")):
        where = position(seats, in_phase(phase))
        page.goto(f"/t/{ann.table('carolus_magnus', [HUMAN, *[BOT] * (seats - 1)], position=where)}")
        expect(page.locator("[data-place]").first).to_be_visible()
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [PHONE["width"], PHONE["height"]], (seats, phase)
        small = page.evaluate(
            "() => [...document.querySelectorAll('.tray button')].filter(each => { const box ="
            " each.getBoundingClientRect(); return box.width && (box.height < 43.5 || box.width < 43.5); })"
            ".map(each => each.outerHTML.slice(0, 140))"
        )
        assert not small, (seats, phase, small)
        sky = page.locator("svg.map").bounding_box()
        assert sky
        assert sky["height"] > 280, (seats, phase, sky)
    context.close()


def test_at_a_laptop_nothing_scrolls_with_any_number_of_seats(visit: Visit, page: Page, ann: Player) -> None:
    for seats in (2, 3, 4):
        where = position(seats, in_phase("knights"))
        visit(f"/t/{ann.table('carolus_magnus', [HUMAN, *[BOT] * (seats - 1)], position=where)}")
        expect(page.locator("[data-place]").first).to_be_visible()
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [1440, 900]
        panels = page.locator(".players")
        assert panels.evaluate("each => each.scrollHeight - each.clientHeight") <= 0, seats
