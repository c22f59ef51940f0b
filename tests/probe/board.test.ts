import { fireEvent, render } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { learn, speak } from "$web/app/words.svelte";
import { NOTHING, type BoardProps, type Draft, type RecordOf } from "$web/games/contract";
import ui from "$probe/web";
import type { Effect } from "$probe/web/types";
import { diceOf, handOf, type GameView } from "$probe/web/view";
import fixture from "./board.json";

type Moment = "stake" | "turn" | "over";
const { stake, turn, over, records } = fixture as unknown as Record<Moment, GameView> & {
  records: RecordOf<Effect>[];
};
const names = ["Ann", "Bea", "Cleo", "Dora"];
const name = (seat: number): string => names[seat]!;
const props = (
  view: GameView,
  onact: (action: string) => void,
  draft: Partial<Draft> = {},
): BoardProps<GameView, Effect> => ({
  view,
  actions: view.actions,
  onact,
  onsay: () => undefined,
  draft: { ...NOTHING, ...draft },
  records: records.slice(0, view.ply),
  mark: view.ply - 1,
  previews: {},
  odds: null,
  names,
});

describe("The probe", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("probe");
  });

  it("offers exactly the cards of the hand, and stakes the one that is clicked", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Tray, props(stake, onact));
    const cards = [...container.querySelectorAll("button")];
    expect(cards.map((card) => Number(card.textContent))).toEqual(handOf(stake, 0));
    await fireEvent.click(cards[0]!);
    expect(onact).toHaveBeenCalledExactlyOnceWith(`stake ${handOf(stake, 0)[0]}`);
  });

  it("shows every die, and marks only what the server allows", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Board, props(turn, onact));
    expect(container.querySelectorAll(".die svg")).toHaveLength(diceOf(turn).length);
    const marks = [...container.querySelectorAll<HTMLButtonElement>(".face > button")];
    const allowed = turn.actions.filter((action) => action.startsWith("mark"));
    expect(marks.filter((button) => !button.disabled)).toHaveLength(allowed.length);
    await fireEvent.click(marks[0]!);
    expect(allowed).toContain(onact.mock.calls[0]![0]);
  });

  it("names a key for every action but a re-roll, and one for the dice that were picked", () => {
    const plain = turn.actions.filter((action) => !action.startsWith("reroll"));
    const offered = (draft: Partial<Draft>): (string | null)[] =>
      ui.choices(turn, turn.actions, { ...NOTHING, ...draft }).map(({ action }) => action);
    expect(offered({}).toSorted()).toEqual(plain.toSorted());
    expect(offered({ chosen: [0] })).toContain(`reroll ${diceOf(turn)[0]}`);
    expect(ui.choices(turn, turn.actions, NOTHING).every(({ key }) => key)).toBe(true);
  });

  it("tells each record as a sentence", () => {
    const told = ui.tell(records, over, name);
    expect(told).toHaveLength(records.length);
    for (const sentence of told) expect(sentence).toMatch(/^[^{}]+$/);
  });

  it("reckons by team", () => {
    const { container } = render(ui.Reckoning, { view: over, names, records });
    const points = [...container.querySelectorAll("td b")].map((cell) => Number(cell.textContent));
    expect(points).toEqual(over.points);
    expect(container.textContent).toContain("Ann and Cleo");
  });
});
