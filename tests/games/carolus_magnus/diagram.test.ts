import { beforeAll, describe, expect, it } from "vitest";
import type { RecordOf } from "$web/games/contract";
import { learn } from "$web/app/words.svelte";
import Diagram, { isPlace } from "$games/carolus_magnus/web/Diagram.svelte";
import { bordersOf, fitRing, middleOf } from "$games/carolus_magnus/web/ring";
import type { Effect } from "$games/carolus_magnus/web/types";
import { FAMILIES, type CarolusView } from "$games/carolus_magnus/web/view";
import { draw, faults } from "../../../web/tests/picture";
import fixture from "./board.json";

type Moment = "knights" | "emperor" | "disc" | "crown" | "over";
const { records, knights, emperor, disc, crown, over } = fixture as unknown as Record<Moment, CarolusView> & {
  records: RecordOf<Effect>[];
};
const count = (picture: string, part: string): number => picture.split(part).length - 1;

describe("the diagram of Carolus Magnus", () => {
  beforeAll(() => learn("carolus_magnus"));

  it.each(Object.entries({ knights, emperor, disc, crown, over }))("is nothing but SVG: %s", (_, view) => {
    const last = records[view.ply - 1];
    for (const room of [{}, { wide: 390, high: 330 }, { wide: 1100, high: 420 }])
      expect(faults(draw(Diagram, { view, last, ...room }))).toEqual([]);
  });

  it("draws castles, knights, the emperor and the courts", () => {
    const view = emperor;
    const picture = draw(Diagram, { view });
    const castles = view.ring.reduce((sum, place) => sum + place.castles, 0);
    const stacks = view.ring.flatMap(({ knights }) => FAMILIES.filter((family) => knights[family]));
    expect(count(picture, 'class="castle ')).toBe(castles);
    expect(count(picture, 'class="stack ')).toBe(stacks.length);
    expect(count(picture, 'href="#cm-emperor"')).toBe(1);
    expect(count(picture, 'class="held ')).toBe(view.players.length * FAMILIES.length);
    const controlled = FAMILIES.filter((family) => view.control[family] !== null);
    expect(count(picture, 'href="#cm-seal"')).toBe(controlled.length);
    expect(count(draw(Diagram, { view, hasCourts: false }), 'class="held ')).toBe(0);
  });

  it("marks the places that are pointed out, by any of their provinces", () => {
    const view = over;
    const region = view.ring.find(({ provinces }) => provinces.length > 1)!;
    const marks = region.provinces.map(String);
    expect(count(draw(Diagram, { view, marks }), 'class="mark ')).toBe(1);
    expect(["1", "15", "0", "16", "e5"].map(isPlace)).toEqual([true, true, false, false, false]);
  });

  it("opens the borders between places and no others", () => {
    const { ring } = over;
    expect(bordersOf(ring).reduce((sum, open) => sum + open, 0)).toBe(ring.length);
    for (const { provinces } of ring) {
      const first = provinces[0]! - 1;
      expect(middleOf(ring, provinces.at(-1)!)).toBe(first + (provinces.length - 1) / 2);
    }
  });

  it("has ornament only where there is room", () => {
    expect(fitRing(780, 620).isBig).toBe(true);
    expect(fitRing(390, 620).isBig).toBe(false);
    expect(fitRing(780, 300).thick).toBeLessThan(fitRing(780, 620).thick);
  });
});
