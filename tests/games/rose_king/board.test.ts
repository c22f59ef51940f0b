import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { effectsOf, NOTHING, type BoardProps, type RecordOf } from "$web/games/contract";
import ui from "$games/rose_king/web";
import type { Effect } from "$games/rose_king/web/types";
import type { RoseView } from "$games/rose_king/web/view";
import { learn, speak } from "$web/app/words.svelte";
import fixture from "./board.json";

const { view, records } = fixture as unknown as { view: RoseView; records: RecordOf<Effect>[] };
const names = ["Ann", "Bea"];
const props = (
  onact: (action: string) => void,
  actions: string[] = view.actions,
): BoardProps<RoseView, Effect> => ({
  view,
  actions,
  onact,
  onsay: () => undefined,
  draft: { ...NOTHING },
  records,
  mark: records.length - 1,
  previews: {},
  odds: null,
  names,
});

describe("The Rose King", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("rose_king");
  });

  it("marks exactly the fields that the server calls legal, and reports the action", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Board, props(onact));
    const targets = container.querySelectorAll(".target");
    expect(targets).toHaveLength(view.actions.filter((action) => action !== "draw").length);
    await fireEvent.click(targets[0]!);
    expect(view.actions).toContain(onact.mock.calls[0]![0]);
  });

  it("marks nothing when it is not your turn", () => {
    const { container } = render(ui.Board, props(vi.fn(), []));
    expect(container.querySelectorAll(".target")).toHaveLength(0);
  });

  it("shows every stone of the board and tells it in words", () => {
    const { container } = render(ui.Board, props(vi.fn()));
    const stones = view.board.join("").replaceAll(".", "").length;
    expect(container.querySelectorAll(".stone")).toHaveLength(stones);
    expect(container.querySelectorAll("td")).toHaveLength(81);
    expect(screen.getByText(new RegExp(`^${view.crown}, .*crown`))).toBeTruthy();
  });

  it("offers a card to be tried even when it cannot be played: the server says why", async () => {
    const onact = vi.fn();
    const { container } = render(ui.Tray, props(onact, ["draw"]));
    const card = container.querySelector(".card.cannot")!;
    await fireEvent.click(card);
    expect(onact).toHaveBeenCalledOnce();
  });

  it("names the choices that the actions allow", () => {
    const name = (seat: number): string => names[seat]!;
    expect(ui.prompt({ ...view, actions: ["draw"] }, NOTHING, name).text).toContain("so draw one");
    expect(ui.prompt({ ...view, actions: ["N1"] }, NOTHING, name).text).toBe("Your turn: play a card.");
    expect(ui.prompt({ ...view, you: 1, actions: [] }, NOTHING, name).text).toBe("It is Ann’s turn.");
    expect(
      ui.choices(view, ["draw", "N1"], { ...NOTHING, using: "N1" }).map((choice) => choice.action),
    ).toEqual(["draw", "N1"]);
  });

  it("tells each record as a sentence, with the field the crown came to", () => {
    const told = ui.tell(records, view, (seat) => names[seat]!);
    expect(told).toHaveLength(records.length);
    expect(told.every(Boolean)).toBe(true);
    expect(told.every((sentence) => !sentence.includes("{"))).toBe(true);
    const paths = records.flatMap((record) => effectsOf(record, "crown_moved"));
    expect(paths[0]!.from).toBe("e5");
    expect(paths.at(-1)!.to).toBe(view.crown);
    expect(told[records.findIndex((record) => record.ply > 0 && record.effects.length > 1)]).toContain(
      paths[0]!.to,
    );
  });

  it.each([
    ["de", "SO II", "SO2"],
    ["nl", "ZO II", "ZO2"],
  ] as const)("writes directions in the letters of the reader (%s)", async (language, card, notation) => {
    await speak(language);
    const held = { ...view, you: 0, actors: [0], hands: [["SE2"], ["NE1"]], actions: ["SE2"] };
    const { container } = render(ui.Tray, { ...props(vi.fn(), ["SE2"]), view: held });
    expect(container.querySelector(".hand .direction")!.textContent).toBe(card.split(" ")[0]);
    expect(container.querySelector(".theirs .direction")!.textContent).toBe("NO");
    const [choice] = ui.choices(held, ["SE2"], { ...NOTHING, using: "SE2" });
    expect(choice!.label).toContain(card);
    expect(choice!.action).toBe("SE2");
    expect(ui.spell!("draw, SE2*")).toBe(`draw, ${notation}*`);
    await speak("en");
  });
});
