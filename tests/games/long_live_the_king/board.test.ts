import { fireEvent, render } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { NOTHING, type BoardProps, type Draft } from "$web/games/contract";
import ui from "$games/long_live_the_king/web";
import { AREAS, COAST, ROUTES, SPOTS } from "$games/long_live_the_king/web/chart";
import { ceremonyOf, dealtTo, isReveal, sceneOf, type KingRecord } from "$games/long_live_the_king/web/scene";
import { areaOf, diceText, movesOf, stakeOf, type KingView } from "$games/long_live_the_king/web/view";
import { settings } from "$web/app/settings.svelte";
import { learn, speak } from "$web/app/words.svelte";
import type { Effect } from "$games/long_live_the_king/web/types";
import fixture from "./board.json";

interface Played {
  views: Record<string, KingView>;
  records: KingRecord[];
}
const played = fixture as unknown as Played & {
  plies: Record<string, number>;
  election: Played;
  over: Played;
};
const { election, over } = played;
const names = ["Ann", "Bea", "Cleo", "Dora"];
const name = (seat: number): string => names[seat]!;
const at = (ply: number, from: Played = played): KingView => from.views[ply]!;
const last = (from: Played): KingView => at(from.records.length, from);
const props = (
  view: KingView,
  onact: (action: string) => void,
  draft: Partial<Draft> = {},
  from: Played = played,
): BoardProps<KingView, Effect> => ({
  view,
  actions: view.actions,
  onact,
  onsay: () => undefined,
  draft: { ...NOTHING, ...draft },
  records: from.records.slice(0, view.ply),
  mark: view.ply - 1,
  previews: {},
  odds: null,
  names,
});
const told = (from: Played): string[] => ui.tell(from.records, last(from), name);
const { plies } = played;
const stakes = at(plies.stakes!);
const revealed = at(plies.reveal! + 1);

describe("Long Live the King", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("long_live_the_king");
  });

  it("draws thirteen areas from the map data, each with a place per vote, and five sea lines", () => {
    expect(AREAS).toHaveLength(13);
    expect(AREAS.every(({ name: area, votes }) => SPOTS[area]!.courtiers.length === votes)).toBe(true);
    expect(AREAS.reduce((sum, { votes }) => sum + votes, 0)).toBe(39);
    expect(ROUTES).toHaveLength(5);
    expect(COAST).not.toContain("NaN");
  });

  it("writes no name where a piece or arms may stand", () => {
    type Box = readonly [left: number, top: number, right: number, bottom: number];
    const piece = ([x, y]: readonly [number, number], half: number, height: number): Box => [
      x - half,
      y - height,
      x + half,
      y,
    ];
    const things = Object.values(SPOTS).flatMap(({ courtiers, noble, guest, arms }) => [
      ...courtiers.map((foot) => piece(foot, 2, 6)),
      piece(noble, 2.9, 9.3),
      piece(guest, 2.9, 9.3),
      piece([arms[0], arms[1] + 3.8], 3.3, 7.6),
    ]);
    for (const [area, spots] of Object.entries(SPOTS)) {
      const [x, y] = spots.name; // in letters of 3.5, as on a phone
      const [left, top, right, bottom]: Box = [
        x - 0.98 * area.length,
        y - 1.9,
        x + 0.98 * area.length,
        y + 0.4,
      ];
      const covering = things.filter(
        ([l, t, r, b]) => l < right - 0.15 && r > left + 0.15 && t < bottom && b > top,
      );
      expect(covering, area).toEqual([]);
    }
  });

  it("lets neighbours share their borders point by point", () => {
    const points = (area: string): Set<string> =>
      new Set(
        AREAS.find((each) => each.name === area)!
          .land.slice(1, -1)
          .split("L"),
      );
    const shared = [...points("Tateshale")].filter((point) => points("Stadford").has(point));
    expect(shared.length).toBeGreaterThanOrEqual(2);
    expect([...points("Man")].some((point) => points("Loncastre").has(point))).toBe(false);
  });

  it("marks what a bot advises: an area, the cards of a stake", () => {
    const goal = at(1).actions.find((action) => action.startsWith("move "))!;
    const board = render(ui.Board, props(at(1), vi.fn(), { point: goal }));
    expect(board.container.querySelectorAll(".edge.pointed")).toHaveLength(1);
    board.unmount();
    const place = render(ui.Board, props({ ...at(1), placing: "Tateshale" }, vi.fn(), { point: "place" }));
    expect(place.container.querySelectorAll(".mark, .edge.pointed")).toHaveLength(1);
    place.unmount();
    const stake = stakes.actions.find((action) => action.split(" ").length > 2)!;
    const { container } = render(ui.Tray, props(stakes, vi.fn(), { point: stake }));
    expect(container.querySelectorAll(".fan .advised")).toHaveLength(stake.split(" ").length - 1);
  });

  it("carries the votes in the log where they change", () => {
    const scored = (...votes: number[]): Effect => ({ type: "scored", votes });
    expect(ui.score!({ ...played.records[1]!, effects: [scored(3, 5, 8, 2)] })).toBe("3 : 5 : 8 : 2");
    expect(ui.score!({ ...played.records[1]!, effects: [] })).toBe("");
  });

  it("shows pieces where they are and says so", () => {
    const { container } = render(ui.Board, props(at(1), vi.fn()));
    const tateshale = container.querySelector('[data-area="Tateshale"]')!;
    expect(tateshale.getAttribute("aria-label")).toBe(
      "you may move here; Tateshale, 4 votes, Ann, courtiers: 3",
    );
    expect(container.querySelectorAll(".noble")).toHaveLength(4);
    expect(container.querySelectorAll(".courtier")).toHaveLength(
      Object.values(at(1).areas).reduce((sum, { courtiers }) => sum + courtiers, 0),
    );
  });

  it("marks where the noble may go, and moves there by a click", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Board, props(at(1), onact));
    expect(
      [...container.querySelectorAll(".area.goal")].map((area) => (area as SVGElement).dataset.area).sort(),
    ).toEqual([...movesOf(at(1).actions).keys()].sort());
    expect(container.querySelector('[data-area="Wigemor"]')!.getAttribute("data-goal")).toBe("dispute");
    await fireEvent.click(container.querySelector('[data-area="Lincolia"]')!);
    await fireEvent.click(container.querySelector('[data-area="Man"]')!); // not a neighbour: the server will say why
    expect(onact.mock.calls).toEqual([["move Lincolia"], ["move Man"]]);
  });

  it("walks over the map with the arrow keys and acts on Enter", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Board, props(at(1), onact));
    const home = container.querySelector<SVGGElement>('[data-area="Stadford"]')!;
    expect(home.getAttribute("tabindex")).toBe("0");
    home.focus();
    await fireEvent.keyDown(home, { key: "ArrowUp" });
    expect((document.activeElement as SVGElement).dataset.area).toBe("Tateshale");
    await fireEvent.keyDown(document.activeElement!, { key: "Enter" });
    expect(onact).toHaveBeenCalledExactlyOnceWith("move Tateshale");
  });

  it("asks for a card before a noble moves on, and pays it from the hand", async () => {
    const onact = vi.fn();
    const entered = at(2);
    const draft: Draft = { ...NOTHING };
    const board = render(ui.Board, { ...props(entered, onact), draft });
    await fireEvent.click(board.container.querySelector('[data-area="Grentebrige"]')!);
    expect(onact).not.toHaveBeenCalled();
    const asked: Draft = { ...NOTHING, using: "move Grentebrige" };
    expect(ui.prompt(entered, asked, name).text).toBe("On to Grentebrige: which card do you pay?");
    expect(ui.choices(entered, entered.actions, asked).map(({ action }) => action)).toEqual([
      "move Grentebrige x1",
      "move Grentebrige x2",
      "move Grentebrige x3",
      null,
    ]);
    const tray = render(ui.Tray, { ...props(entered, onact), draft: asked });
    await fireEvent.click(tray.getByRole("button", { name: /^Pay x2, purse/ }));
    expect(onact).toHaveBeenCalledExactlyOnceWith("move Grentebrige x2");
  });

  it("offers to stay and place, or to end, by keys too", () => {
    expect(ui.choices(at(1), at(1).actions, NOTHING).map(({ action, key }) => [action, key])).toEqual([
      ["place", "p"],
      ["end", "e"],
    ]);
  });

  it("hides stakes until all have chosen: only who has is shown", () => {
    const view = at(plies.sealed!);
    const { container } = render(ui.Board, props(view, vi.fn()));
    expect([...container.querySelectorAll(".contender .now")].map((each) => each.textContent)).toEqual([
      "still choosing",
      "sealed",
      "sealed",
      "still choosing",
    ]);
    expect(container.querySelector('.dispute [href^="#lk-card"]')).toBeNull();
    expect(
      sceneOf(view, played.records.slice(0, view.ply))!.contenders.every(({ cards }) => cards.length === 0),
    ).toBe(true);
  });

  it("stakes the cards that were picked, at most five and only those in hand", () => {
    const tray = render(ui.Tray, props(stakes, vi.fn()));
    expect(
      tray
        .getByRole("button", { name: "Stake one more of x3, dagger: 0 of 1" })
        .getAttribute("aria-disabled"),
    ).toBe("false");
    tray.unmount();
    const full = render(ui.Tray, props(stakes, vi.fn(), { chosen: [3, 2, 2, 2, 1] }));
    expect(
      full
        .getByRole("button", { name: "Stake one more of x3, dagger: 1 of 1" })
        .getAttribute("aria-disabled"),
    ).toBe("true");
    expect(
      full.getByRole("button", { name: "One more of x1, parchment" }).getAttribute("aria-disabled"),
    ).toBe("true");
    expect(ui.choices(stakes, stakes.actions, { ...NOTHING, chosen: [3, 1, 2] })[0]!.action).toBe(
      "stake x1 x2 x3",
    );
    expect(ui.choices(stakes, stakes.actions, NOTHING)[0]!.action).toBeNull();
    expect(stakeOf([3, 1])).toBe("stake x1 x3");
  });

  it("shows the chances of the stake that is considered", () => {
    const odds = Object.fromEntries(
      ["little", "middling", "much"].map((level, index) => [
        `${level} stake x1 x2`,
        { odds: 0.6 - index / 5, exact: true },
      ]),
    );
    const { container } = render(ui.Tray, { ...props(stakes, vi.fn(), { chosen: [2, 1] }), odds });
    expect([...container.querySelectorAll(".odds tr")].map((row) => row.textContent)).toEqual([
      "little60%",
      "middling40%",
      "much20%",
    ]);
  });

  it("keeps what is half chosen while others seal theirs, and nothing longer", () => {
    expect(ui.keepsDraft!(stakes, at(plies.sealed!))).toBe(true);
    expect(ui.keepsDraft!(at(plies.reveal!), revealed)).toBe(false);
    expect(ui.keepsDraft!(at(1), at(2))).toBe(false);
  });

  it("reads every roll of a dispute back from its record, the tie too, to the totals of the view", () => {
    const scene = sceneOf(revealed, played.records)!;
    expect(isReveal(played.records[plies.reveal!])).toBe(true);
    expect(scene.rolls.map(({ seat, round, total }) => [seat, round, total])).toEqual([
      [0, 0, 17],
      [1, 0, 10],
      [2, 0, 14],
      [3, 0, 17],
      [0, 1, 30],
      [3, 1, 11],
    ]);
    expect(scene.contenders.map(({ total }) => total)).toEqual([30, 10, 14, 11]);
    expect(scene.contenders.map(({ addition }) => addition)).toEqual([2, 0, 8, 0]);
    const { container } = render(ui.Board, props(revealed, vi.fn()));
    expect(container.querySelector(".verdict")!.textContent).toBe("You win, 30 to 14");
    expect([...container.querySelectorAll(".sum")].map((each) => each.textContent)[0]).toBe(
      "18 + 8 + 2 + 2 = 30",
    );
  });

  it("shows stakes, dice and totals of a dispute that the match began in, though nothing was told of it", () => {
    const scene = sceneOf(revealed, [])!;
    const whole = sceneOf(revealed, played.records)!;
    expect(scene.contenders.map(({ cards }) => cards)).toEqual(whole.contenders.map(({ cards }) => cards));
    expect(scene.contenders.map(({ pairs }) => pairs)).toEqual(whole.contenders.map(({ pairs }) => pairs));
    expect(scene.contenders.map(({ addition }) => addition)).toEqual([2, 0, 8, 0]);
    expect(scene.contenders.map(({ total }) => total)).toEqual([30, 10, 14, 11]);
    expect(scene.rolls).toEqual([]);
    render(ui.Board, { ...props(revealed, vi.fn()), records: [], mark: -1 });
  });

  it("lays dice put by hand where they were put, and takes up those of a tie", () => {
    const [opened, ...others] = played.records.slice(plies.dispute!, plies.reveal!);
    const put = (seat: number, die: number): Effect => ({
      type: "die_put",
      seat,
      area: "Grentebrige",
      card: "x1",
      die,
      total: die,
    });
    const rolled = (seat: number): Effect => ({ type: "dice_rolled", seat, dice: [4], pairs: [], total: 0 });
    const dice = (effects: Effect[]): (number | null)[] =>
      sceneOf({ ...revealed, ply: 99 }, [
        opened!,
        ...others,
        { ...played.records[plies.reveal!]!, effects },
      ])!.contenders.map(({ pairs }) => pairs[0]!.die);
    expect(dice([rolled(0)])).toEqual([null, null, null, null]);
    expect(dice([rolled(0), put(0, 4), rolled(1), put(1, 4)])).toEqual([4, 4, null, null]);
    const tie: Effect = { type: "dispute_tied", seats: [0], total: 4 };
    expect(dice([rolled(0), put(0, 4), put(1, 2), tie])).toEqual([null, 2, null, null]);
  });

  it("lets the reader look at the map during a dispute", async () => {
    const { container, getByRole } = render(ui.Board, props(revealed, vi.fn()));
    await fireEvent.click(getByRole("button", { name: /^See the map/ }));
    expect(container.querySelector(".dispute")).toBeNull();
    await fireEvent.keyDown(window, { key: "m" });
    expect(container.querySelector(".dispute")).not.toBeNull();
  });

  it("tells favour rolls, disputes, ties and what was taken back", () => {
    const log = told(played);
    expect(log[plies.move!]).toBe("Ann moves to Lincolia.");
    expect(log[plies.failed!]).toBe(
      "Ann discards x1 to move on to Grentebrige. Ann rolls 2 with x1: too little.",
    );
    expect(log[plies.dispute!]).toBe(
      "Ann discards x1 to move on to Grentebrige. Ann rolls 5 with x1: it succeeds. Ann disputes Grentebrige with Cleo.",
    );
    expect(log[plies.reveal!]).toMatch(
      /^Dora stakes x2 x3\. Ann rolls 3 2 1 and reaches 17\. .* Tied at 17: Ann and Dora roll again\. Ann rolls 6 4 1 and reaches 30\. .* Ann wins Grentebrige with 30\.$/,
    );
    expect(log[plies.reclaim!]).toMatch(/ takes back 1 of the staked cards\.$/);
    for (const sentence of log) expect(sentence).toMatch(/^[^{}]+$/);
  });

  it("celebrates an election: what an empty hand loses, dice for a tie, bonus votes and the deal", () => {
    const ceremony = ceremonyOf(election.records.at(-1))!;
    expect(ceremony.candidates.map(({ held, lost, area }) => [held, lost, area])).toEqual([
      [11, 3, 8],
      [3, 0, 3],
      [3, 0, 3],
      [7, 0, 7],
    ]);
    expect(ceremony.candidates.map(({ sums }) => sums)).toEqual([[], [15, 15], [15, 20], []]);
    expect(ceremony.candidates.map(({ gain }) => gain)).toEqual([4, 1, 2, 3]);
    expect(ceremony.dealt).toBeGreaterThan(0);
    const { container, getByRole } = render(ui.Board, props(last(election), vi.fn(), {}, election));
    expect(container.querySelector(".election h2")!.textContent).toBe(`Election ${last(election).elections}`);
    expect([...container.querySelectorAll(".total")].map((each) => Number(each.textContent))).toEqual(
      ceremony.candidates.map(({ total }) => total),
    );
    expect(getByRole("button", { name: "Go on" })).toBeTruthy();
    expect(told(election).at(-1)).toMatch(
      /An election is held\. Ann: area votes 8, bonus votes 1, total 9\. \(An empty hand costs 3 of them\.\).*Each player is dealt/,
    );
  });

  it("shows the backs of the cards that were just dealt to a seat, and the own ones among the hand", () => {
    const dealt = dealtTo(election.records.at(-1), 0);
    expect(dealt).toHaveLength(ceremonyOf(election.records.at(-1))!.dealt);
    expect(dealtTo(election.records.at(-1), 1)).toEqual(dealt.map(() => null));
    const seat = render(ui.Seat, {
      view: last(election),
      seat: 1,
      preview: null,
      last: election.records.at(-1)!,
    });
    expect(seat.container.querySelectorAll(".dealt")).toHaveLength(dealt.length);
    const tray = render(ui.Tray, props(last(election), vi.fn(), {}, election));
    expect(tray.container.querySelectorAll(".dealt")).toHaveLength(dealt.length);
  });

  it("marks where a record happened, in a dispute the disputed area", () => {
    expect(areaOf(played.records[plies.move!])).toBe("Lincolia");
    expect(areaOf(played.records[plies.failed!])).toBe("Grentebrige");
    for (const ply of [plies.stakes!, plies.placing!, plies.reclaim!])
      expect(areaOf(played.records[ply])).toBe("Grentebrige");
    expect(areaOf(played.records[0])).toBeNull();
  });

  it("shows the map as it was until the die of a favour roll has fallen", async () => {
    vi.useFakeTimers();
    settings.set({ motion: "full" });
    try {
      const guests = (container: Element): boolean =>
        container.querySelector('[data-area="Grentebrige"]')!.getAttribute("aria-label")!.includes("of Ann");
      const { container, rerender } = render(ui.Board, props(at(plies.dispute!), vi.fn()));
      await rerender(props(at(plies.dispute! + 1), vi.fn()));
      expect(guests(container)).toBe(false);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(guests(container)).toBe(true);
    } finally {
      settings.set({ motion: "system" });
      vi.useRealTimers();
    }
  });

  it("closes the ceremony when told to", async () => {
    const { container, getByRole } = render(ui.Board, props(last(election), vi.fn(), {}, election));
    await fireEvent.click(getByRole("button", { name: "Go on" }));
    expect(container.querySelector(".election")).toBeNull();
  });

  it("has a reveal and an election seen by all before the device is passed on", () => {
    const isForAll = (record: KingRecord): boolean => ui.isForAll!(record);
    expect(isForAll(played.records[plies.move!]!)).toBe(false);
    expect(isForAll(played.records[plies.reveal!]!)).toBe(true);
    expect(isForAll(election.records.at(-1)!)).toBe(true);
  });

  it("lingers on a reveal and on an election, not on a move", () => {
    expect(ui.linger!(played.records[plies.move!]!)).toBe(0);
    expect(ui.linger!(played.records[plies.reveal!]!)).toBeGreaterThan(1000);
    expect(ui.linger!(election.records.at(-1)!)).toBeGreaterThan(3000);
  });

  it("crowns the elected and reckons areas, deduction and bonus", () => {
    const view = last(over);
    const board = render(ui.Board, props(view, vi.fn(), {}, over));
    expect(board.container.querySelector(".election header p")!.textContent).toBe(
      "Ann is elected king. Long live the king!",
    );
    const { container } = render(ui.Reckoning, {
      view: view,
      names: names.slice(0, 3),
      records: over.records,
    });
    expect([...container.querySelectorAll(".sum")].map((each) => Number(each.textContent))).toEqual([
      23, 9, 4,
    ]);
    expect(container.textContent).toContain("7 − 2");
  });

  it("shows votes against the line, and what everyone knows of a hand", () => {
    const { container } = render(ui.Seat, { view: at(1), seat: 0, preview: null });
    expect(container.querySelector(".gauge")!.getAttribute("aria-label")).toBe(
      "Area votes: 9, bonus votes: 9, needed: 20",
    );
    expect(container.querySelector(".known")!.textContent).toBe("known: x1·1 x2·1 + 5 unknown");
  });

  it("writes dice put by hand as the notation wants them", () => {
    expect(diceText(["x3", "x1", "x1"], [2, 6, 4])).toBe("dice 2>x3 4>x1 6>x1");
  });
});
