import { fireEvent, render } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { NOTHING, type BoardProps, type Draft } from "$web/games/contract";
import ui from "$games/court_the_king/web";
import { fitting, partsOf, sameDice, type CourtView } from "$games/court_the_king/web/view";
import { learn, speak } from "$web/app/words.svelte";
import type { RecordFacts } from "$web/protocol";
import fixture from "./board.json";

const { view, records } = fixture as unknown as { view: CourtView; records: RecordFacts[] };
const names = ["Ann", "Bea", "Cleo"];
const props = (onact: (action: string) => void, draft: Partial<Draft> = {}): BoardProps<CourtView> => ({
  view,
  actions: view.actions,
  onact,
  draft: { ...NOTHING, ...draft },
  records,
  mark: records.length - 1,
  previews: {},
  odds: null,
  names,
});

describe("To Court the King", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("court_the_king");
  });

  it("reads what a use does from its notation", () => {
    expect(partsOf("use maid 2+3")).toEqual({ from: [2], to: [5] });
    expect(partsOf("use philosopher 5-2>1")).toEqual({ from: [5, 1], to: [3, 3] });
    expect(partsOf("use alchemist 2 5 5 = 4 4 4")).toEqual({ from: [2, 5, 5], to: [4, 4, 4] });
    expect(partsOf("use queen 6")).toEqual({ from: [], to: [6] });
    expect(partsOf("use merchant 1 1 3")).toEqual({ from: [1, 1, 3], to: [] });
    expect(partsOf("use lady 3 3")).toEqual({ from: [3, 3], to: [4, 4] });
    expect(sameDice([1, 2, 2], [2, 1, 2])).toBe(true);
  });

  it("offers only uses that the server allows for the dice that were picked", () => {
    const index = view.active.findIndex((face) => face < 6);
    const uses = fitting(view, view.actions, "maid", [index]);
    expect(uses.length).toBeGreaterThan(0);
    expect(
      uses.every(
        (action) => view.actions.includes(action) && action.startsWith(`use maid ${view.active[index]}+`),
      ),
    ).toBe(true);
  });

  it("shows twenty characters and their copies", () => {
    const { container } = render(ui.Board, props(vi.fn()));
    expect(container.querySelectorAll(".card")).toHaveLength(20);
    expect(container.querySelector(".card.can")).toBeNull();
  });

  it("picks dice and names them on the button", async () => {
    const { container } = render(ui.Tray, props(vi.fn()));
    expect(container.querySelectorAll(".zone.active button.die")).toHaveLength(view.active.length);
    await fireEvent.click(container.querySelector(".zone.active button.die")!);
    const choice = ui.choices(view, view.actions, { ...NOTHING, chosen: [0] }).find(({ key }) => key === "k");
    expect(choice?.action).toBe(`keep ${view.active[0]}`);
  });

  it("tells every record in words, without a hole left open", () => {
    const told = ui.tell(records, view, (seat) => names[seat]!);
    expect(told.every((sentence) => sentence && !/[{}]/.test(sentence))).toBe(true);
  });
});
