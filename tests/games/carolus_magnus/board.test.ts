import { fireEvent, render } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { NOTHING, type BoardProps, type Draft, type RecordOf } from "$web/games/contract";
import ui from "$games/carolus_magnus/web";
import { centreOf, lands, makeRing, outline } from "$games/carolus_magnus/web/ring";
import type { Effect } from "$games/carolus_magnus/web/types";
import {
  brought,
  lastRoll,
  placesOf,
  span,
  standing,
  type CarolusView,
} from "$games/carolus_magnus/web/view";
import { learn, speak } from "$web/app/words.svelte";
import fixture from "./board.json";

type Moment = "knights" | "emperor" | "disc" | "crown" | "over";
const { knights, emperor, disc, crown, over, records } = fixture as unknown as Record<Moment, CarolusView> & {
  records: RecordOf<Effect>[];
};
const names = ["Ann", "Bea", "Cleo"];
const upTo = (view: CarolusView): RecordOf<Effect>[] => records.slice(0, view.ply);
const props = (
  view: CarolusView,
  onact: (action: string) => void,
  draft: Partial<Draft> = {},
): BoardProps<CarolusView, Effect> => ({
  view,
  actions: view.actions,
  onact,
  onsay: () => undefined,
  draft: { ...NOTHING, ...draft },
  records: upTo(view),
  mark: view.ply - 1,
  previews: {},
  odds: null,
  names,
});
const told = (ply: number): string => ui.tell(records, over, (seat) => names[seat]!)[ply]!;

describe("Carolus Magnus", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("carolus_magnus");
  });

  it("draws a place for each of the ring, and says what is there", () => {
    const { container } = render(ui.Board, props(emperor, vi.fn()));
    const places = [...container.querySelectorAll("[data-place]")];
    expect(places).toHaveLength(emperor.ring.length);
    const owned = emperor.ring.findIndex(({ owner, castles }) => owner && castles > 1);
    expect(owned).toBeGreaterThanOrEqual(0);
    expect(places[owned]!.getAttribute("aria-label")).toContain(
      `region ${span(emperor.ring[owned]!.provinces)}`,
    );
    expect(container.querySelectorAll(".things")[owned]!.querySelectorAll(".castle")).toHaveLength(
      emperor.ring[owned]!.castles,
    );
  });

  it("carries the castles in the log where they change", () => {
    const effect: Effect = { type: "scored", castles: [3, 1] };
    expect(ui.score!({ ...records[1]!, effects: [effect] })).toBe("3 : 1");
    expect(ui.score!({ ...records[1]!, effects: [] })).toBe("");
  });

  it("marks where the emperor may stop, and plays the stop that is clicked", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Board, props(emperor, onact));
    expect(container.querySelectorAll(".stop")).toHaveLength(emperor.previews.length);
    await fireEvent.click(container.querySelector(`[data-place="${emperor.previews[1]!.place}"]`)!);
    expect(onact).toHaveBeenCalledExactlyOnceWith("move 2");
  });

  it("tells on the buttons who would take each stop and by how much", () => {
    const { container } = render(ui.Tray, props(emperor, vi.fn()));
    const index = emperor.previews.findIndex(({ takes }) => takes);
    const card = container.querySelectorAll(".card")[index]!;
    for (const [side, strength] of Object.entries(emperor.previews[index]!.strengths)) {
      const seat = emperor.sides.find((each) => each.side === side)!.seats[0]!;
      const who = seat === emperor.you ? "you" : names[seat]!;
      expect(card.querySelector(".forces")!.textContent).toContain(`${who} ${strength}`);
    }
    expect(card.textContent).toMatch(/(Black|White|Grey) (builds|takes over \d)/);
  });

  it("says who stands how against whom, the reader first", () => {
    const sides = [
      { side: "black", seats: [0], castles: 0, stock: 10, colours: [] },
      { side: "white", seats: [1], castles: 0, stock: 10, colours: [] },
    ] as CarolusView["sides"];
    const duel = { ...emperor, seats: 2, sides, you: 1 };
    expect(standing(duel, { black: 2, white: 1 }, ["Roland", "Ann"])).toBe("you 1 : 2 Roland");
    expect(standing({ ...duel, you: null }, { black: 2, white: 1 }, ["Roland", "Ann"])).toBe(
      "Roland 2 : 1 Ann",
    );
    const teams = [
      { ...sides[0]!, seats: [0, 2] },
      { ...sides[1]!, seats: [1, 3] },
    ];
    expect(standing({ ...duel, sides: teams }, { black: 2, white: 1 }, [])).toBe("you 1 : 2 Black");
  });

  it("tells the steps of a turn and what is left of each", () => {
    const steps = (view: CarolusView): string[] => {
      const { container, unmount } = render(ui.Tray, props(view, vi.fn()));
      const texts = [...container.querySelectorAll(".turn li")].map((li) =>
        li.textContent.replace(/\s+/g, " ").trim(),
      );
      unmount();
      return texts;
    };
    const player = knights.players[knights.turn!]!;
    expect(steps({ ...knights, due: 2 })[1]).toBe("2 Knights 2 left");
    expect(steps(knights)[2]).toBe(`3 Emperor up to ${player.disc}`);
    const [disc, brought, ride] = steps(emperor);
    expect([disc![0], brought![0], ride![0]]).toEqual(["✓", "✓", "3"]);
  });

  it("puts a picked knight where it is told", async () => {
    const onact = vi.fn();
    const family = knights.actions[0]!.split(">")[0]!;
    const board = render(ui.Board, props(knights, onact, { using: family }));
    await fireEvent.click(board.container.querySelectorAll("[data-place]")[3]!);
    const tray = render(ui.Tray, props(knights, onact, { using: family }));
    await fireEvent.click(tray.container.querySelector("[data-court]")!);
    expect(onact.mock.calls).toEqual([[`${family}>${knights.ring[3]!.place}`], [`${family}>court`]]);
    expect(onact.mock.calls.every(([action]) => knights.actions.includes(String(action)))).toBe(true);
  });

  it("does nothing on the ring before a knight is picked", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Board, props(knights, onact));
    await fireEvent.click(container.querySelector("[data-place]")!);
    expect(onact).not.toHaveBeenCalled();
  });

  it("walks round the ring with the arrow keys and acts on Enter", async () => {
    const onact = vi.fn();
    const family = knights.actions[0]!.split(">")[0]!;
    const { container } = render(ui.Board, props(knights, onact, { using: family }));
    const places = container.querySelectorAll<SVGGElement>("[data-place]");
    places[0]!.focus();
    await fireEvent.keyDown(places[0]!, { key: "ArrowLeft" });
    expect(document.activeElement).toBe(places[places.length - 1]);
    await fireEvent.keyDown(document.activeElement!, { key: "Enter" });
    expect(onact).toHaveBeenCalledExactlyOnceWith(`${family}>${knights.ring.at(-1)!.place}`);
  });

  it("lays discs and serves crowns by the keys 1 to 5", async () => {
    const onact = vi.fn();
    render(ui.Tray, props(disc, onact));
    await fireEvent.keyDown(window, { key: "4" });
    expect(onact).toHaveBeenLastCalledWith("disc 4");
  });

  it("offers a colour for a crown with what is left of it", () => {
    const { container } = render(ui.Tray, props(crown, vi.fn()));
    expect([...container.querySelectorAll(".knight small")].map((each) => each.textContent)).toEqual(
      Object.values(crown.supply).map((count) => `${count} left`),
    );
  });

  it("shows placed knights and free slots of the turn", () => {
    const { container } = render(ui.Tray, props(knights, vi.fn()));
    expect(container.querySelectorAll(".slot.empty")).toHaveLength(knights.due);
    expect(container.querySelectorAll(".slot:not(.empty)")).toHaveLength(
      brought(upTo(knights), knights.turn).length,
    );
    expect(brought(upTo(knights), knights.turn).length).toBeGreaterThan(0);
  });

  it("compares courts on one scale, with the seal at the controller only", () => {
    const seals = knights.players.map(
      (_, seat) =>
        render(ui.Seat, { view: knights, seat, preview: null }).container.querySelectorAll(".seal").length,
    );
    expect(seals).toEqual(
      knights.players.map((_, seat) => Object.values(knights.control).filter((by) => by === seat).length),
    );
  });

  it("tells what came of an action: strengths, castles, regions, control", () => {
    expect(told(fixture.plies.merge)).toMatch(
      /moves the emperor .* Strength: .* takes over (province|region) .* are now one region\./,
    );
    expect(told(fixture.plies.same)).toMatch(/moves the emperor .*: nothing changes\./);
    expect(told(fixture.plies.court)).toMatch(/ into court\. .* now controls /);
  });

  it("leaves no hole open in any sentence", () => {
    for (const sentence of ui.tell(records, over, (seat) => names[seat]!))
      expect(sentence).toMatch(/^[^{}]+$/);
  });

  it("knows the last dice and where an action happened", () => {
    const roll = lastRoll(upTo(knights), knights)!;
    expect(roll.faces).toHaveLength(4);
    expect(placesOf(records[fixture.plies.merge]).length).toBeGreaterThan(1);
    expect(placesOf(records[fixture.plies.court])).toEqual([]);
  });

  it("reckons castles by side, the winner first", () => {
    const { container } = render(ui.Reckoning, { view: over, names, records });
    const sums = [...container.querySelectorAll(".sum")].map((each) => Number(each.textContent));
    expect(sums).toEqual(over.sides.map(({ castles }) => castles).sort((a, b) => b - a));
  });

  it("joins provinces whose border is closed, also across 15 and 1", () => {
    const borders = Array.from({ length: 15 }, (_, index) => (index === 14 ? 0 : 1));
    expect(lands(borders, [15, 1]).map(([from, to]) => [from, to])).toEqual([[15, 16]]);
    expect(
      lands(
        borders.map(() => 0.5),
        [4, 5],
      ).map(([from, to]) => [from, to]),
    ).toEqual([
      [4, 4],
      [5, 5],
    ]);
    const ring = makeRing(800, 620, 108, 27);
    expect(outline(ring, 15, 16, 1, 1)).not.toContain("NaN");
    expect(centreOf(ring, [15, 1])).toBeCloseTo(14.5 * ring.step);
  });
});
