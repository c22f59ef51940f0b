import { beforeAll, describe, expect, it } from "vitest";
import type { RecordOf } from "$web/games/contract";
import { learn } from "$web/app/words.svelte";
import Diagram from "$games/rose_king/web/Diagram.svelte";
import type { Effect } from "$games/rose_king/web/types";
import type { RoseView } from "$games/rose_king/web/view";
import { draw, faults } from "../../../web/tests/picture";
import fixture from "./board.json";

const { view, records } = fixture as unknown as { view: RoseView; records: RecordOf<Effect>[] };

describe("the diagram of The Rose King", () => {
  beforeAll(() => learn("rose_king"));

  it("is nothing but SVG", () => {
    expect(faults(draw(Diagram, { view }))).toEqual([]);
    expect(faults(draw(Diagram, { view, last: records.at(-1), marks: ["a1", "e5"] }))).toEqual([]);
  });

  it("points out fields", () => {
    expect(draw(Diagram, { view, marks: ["a1", "e5"] }).split('class="ring ').length - 1).toBe(2);
  });
});
