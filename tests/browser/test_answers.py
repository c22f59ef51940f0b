"""Whatever can be pressed at a table answers, and nothing moves by pointing, by a hint or by a message."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import BOT, HUMAN, LAPTOP, PHONE, Player, last_round, near_the_end, prompt
from browser.kings import four
from browser.test_carolus_magnus import in_phase, position

pytestmark = pytest.mark.browser


def dice_to_set_aside() -> dict[str, Any]:
    return {**last_round(), "in_hand": 0, "phase": "turn", "active": [1, 2, 4, 4], "duty": True}


def poor_result() -> dict[str, Any]:
    """All dice lie aside and pay for few."""
    return {
        **last_round(),
        "final": "none",
        "characters": [["fool"], ["guard"]],
        "best": None,
        "in_hand": 0,
        "phase": "take",
        "active": [],
        "aside": [1, 1, 3],
    }


Begin = Callable[[], dict[str, Any]]
TABLES: dict[str, tuple[str, int, Begin]] = {
    "rose_king": ("rose_king", 2, lambda: near_the_end(20)),
    "carolus_magnus, knights": ("carolus_magnus", 2, lambda: position(2, in_phase("knights", 3))),
    "carolus_magnus, emperor": ("carolus_magnus", 2, lambda: position(2, in_phase("emperor"))),
    "court_the_king, dice": ("court_the_king", 2, dice_to_set_aside),
    "court_the_king, result": ("court_the_king", 2, poor_result),
    "long_live_the_king": ("long_live_the_king", 4, four),
}
STILL = ("rose_king", "carolus_magnus, knights", "court_the_king, dice", "long_live_the_king")

LISTENERS = """() => {
  const plain = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (["click", "pointerdown"].includes(type) && this instanceof Element) this.setAttribute("data-listens", "");
    return plain.call(this, type, ...rest);
  };
}"""

# What can be pressed: buttons, roles, tab stops, and what listens by itself or through the page. Lists that only scroll,
# fields and links (they lead elsewhere by themselves) are left out, and so are the half of a switch that is chosen and
# what listens only to end a motion.
PRESSABLE = """() => {
  const hears = (each) =>
    each.hasAttribute("data-listens") ||
    Object.getOwnPropertySymbols(each).some((symbol) => each[symbol] && (each[symbol].click || each[symbol].pointerdown));
  const isSeen = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    if (width < 4 || height < 4 || !each.checkVisibility({ checkOpacity: true })) return false;
    for (const [a, b] of [[0.5, 0.5], [0.5, 0.25], [0.25, 0.5], [0.75, 0.5], [0.5, 0.75]]) {
      const at = [x + a * width, y + b * height];
      const top = document.elementFromPoint(...at);
      const own = top?.closest("button, a, [role=button], [tabindex], summary, [data-spot]");
      if (top && each.contains(top) && (own === each || !each.contains(own))) {
        each.dataset.spot = at.join();
        return true;
      }
    }
    return false;
  };
  const seen = {};
  document.querySelectorAll("[data-spot]").forEach((each) => delete each.dataset.spot);
  return [...document.querySelectorAll("body *")]
    .filter((each) => each.matches("button, [role=button], [role=tab], [tabindex], summary") || hears(each))
    .filter((each) => !each.matches("#app, ol, main, section, .chart, a, input, select, textarea, dialog, .sr *"))
    .filter((each) => !each.matches(".seg [aria-pressed=true]"))
    .filter(isSeen)
    .filter((each) => { // two of each kind
      const kind = [each.tagName, each.getAttribute("class"), each.role, each.ariaDisabled, each.ariaPressed].join();
      seen[kind] = (seen[kind] ?? 0) + 1;
      return seen[kind] <= 2;
    })
    .map((each, index) => {
      each.dataset.press = index;
      const name = each.getAttribute("aria-label") ?? each.textContent.trim();
      const spot = each.dataset.spot.split(",").map(Number);
      return { index, spot, name: `${each.tagName}.${each.getAttribute("class")} ${name}`.slice(0, 90) };
    });
}"""

LISTEN = """(index) => {
  document.querySelector(`[data-press="${index}"]`)?.focus?.({ preventScroll: true });
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.answers = 0;
    window.watching?.disconnect();
    window.watching = new MutationObserver((all) => (window.answers += all.length));
    window.watching.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    done();
  })));
}"""


# as each game marks what is looked at; a button beside the prompt is marked too
ADVISED = ", ".join(
    [".advised", ".stage .pointed", ".stage .mark", ".stage .ring.solid", ".tray .pointed", ".tray .hover"]
)


@cache
def opening(name: str) -> dict[str, Any]:
    return TABLES[name][2]()


def begin(page: Page, ann: Player, name: str) -> str:
    game, seats, _ = TABLES[name]
    table = ann.table(game, [HUMAN, *[BOT] * (seats - 1)], position=opening(name))
    page.goto(f"/t/{table}")
    expect(prompt(page)).to_be_visible()
    page.wait_for_load_state("networkidle")
    return table


@pytest.mark.parametrize("name", TABLES)
def test_whatever_can_be_pressed_answers(page: Page, ann: Player, name: str) -> None:
    page.add_init_script(f"({LISTENERS})()")
    table = begin(page, ann, name)
    silent, pressed = [], 0
    while True:
        found = page.evaluate(PRESSABLE)
        if pressed >= len(found):
            break
        each = found[pressed]
        page.mouse.move(*each["spot"])
        page.evaluate(LISTEN, each["index"])
        page.mouse.click(*each["spot"])
        try:
            page.wait_for_function("() => window.answers > 0", timeout=1_500)
        except Exception:
            silent.append(each["name"])
        pressed += 1
        is_over = page.locator("dialog[open]").count() > 0
        if is_over:
            page.keyboard.press("Escape")
        elif table not in page.url or page.locator(".log li").count() > 1 or page.locator(".replay").count():
            table = begin(page, ann, name)
        else:
            page.mouse.move(1, 1)
            page.keyboard.press("Escape")
    assert pressed > 10
    assert silent == []


BOXES = """() => Object.fromEntries(
  [".stage", ".stage svg", ".words", ".prompt", ".beside", ".words ~ *", ".players", ".players .panel:last-of-type"]
    .map((part) => [part, document.querySelector(part)?.getBoundingClientRect()])
    .filter(([, box]) => box?.width)
    .map(([part, box]) => [part, [box.x, box.y, box.width, box.height]]))"""


def moved(page: Page, before: dict[str, list[float]]) -> list[str]:
    after = page.evaluate(BOXES)
    return [
        f"{part}: {box} {after.get(part)}"
        for part, box in before.items()
        if any(abs(a - b) > 2 for a, b in zip(box, after.get(part, [1e6] * 4), strict=True))
    ]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("name", STILL)
def test_nothing_moves_by_pointing_by_a_hint_or_by_a_message(
    page: Page, ann: Player, name: str, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    begin(page, ann, name)
    page.evaluate("() => document.fonts.ready.then(() => undefined)")
    before = page.evaluate(BOXES)
    assert ".beside" in before
    for each in page.evaluate(PRESSABLE):
        page.mouse.move(*each["spot"])
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert moved(page, before) == [], each["name"]
    page.mouse.move(1, 1)
    page.get_by_role("button", name="Hint", exact=True).click()
    hint = page.locator(".strip.hint")
    expect(hint).to_contain_text("advises:")
    assert moved(page, before) == [], "hint"
    assert page.locator(ADVISED).count(), "what is advised is marked nowhere"
    board = page.locator(".stage").bounding_box()
    said = hint.bounding_box()
    assert board
    assert said
    assert said["y"] >= board["y"] + board["height"], "the hint lies over the board"
    hint.get_by_role("button", name="Close").click()
    expect(hint).to_be_hidden()
    if size == PHONE:
        page.locator(".lastline").click()
    page.get_by_role("combobox", name="Type an action").fill("nonsense")
    page.keyboard.press("Enter")
    refusal = page.locator(".strip.refused")
    expect(refusal).to_be_visible()
    assert moved(page, before) == [], "refusal"
