import { beforeAll, describe, expect, it } from "vitest";
import { learn } from "$web/app/words.svelte";
import { AREAS } from "$games/long_live_the_king/web/chart";
import Diagram, { isPlace } from "$games/long_live_the_king/web/Diagram.svelte";
import type { KingRecord } from "$games/long_live_the_king/web/scene";
import type { KingView } from "$games/long_live_the_king/web/view";
import { draw, faults } from "../../../web/tests/picture";
import fixture from "./board.json";

interface Played {
  views: Record<string, KingView>;
  records: KingRecord[];
}
const played = fixture as unknown as Played & {
  plies: { stakes: number; reveal: number };
  election: Played;
  over: Played;
};
const count = (picture: string, part: string): number => picture.split(part).length - 1;
const first = played.views[1]!;

describe("the diagram of Long Live the King", () => {
  beforeAll(() => learn("long_live_the_king"));

  it.each(Object.entries({ played, election: played.election, over: played.over }))(
    "is nothing but SVG: %s",
    (_, { views, records }) => {
      for (const view of Object.values(views))
        expect(faults(draw(Diagram, { view, last: records[view.ply - 1], marks: ["Man"] }))).toEqual([]);
    },
  );

  it("shows nobles, courtiers, free places and the votes that are needed", () => {
    const picture = draw(Diagram, { view: first });
    const courtiers = Object.values(first.areas).reduce((sum, held) => sum + held.courtiers, 0);
    expect(count(picture, 'class="noble ')).toBe(first.nobles.filter(Boolean).length);
    expect(count(picture, 'class="courtier ')).toBe(courtiers);
    const key = 1;
    expect(count(picture, 'class="place ')).toBe(39 - courtiers + key);
    expect(picture).toContain(`>${first.needed_votes} make a king.<`);
    expect(picture).not.toContain("you may go there"); // nothing can be done in a picture
  });

  it("leaves Man out among three", () => {
    const held = { ...first, seats: 3, areas: {}, nobles: [null, null, null] };
    expect(count(draw(Diagram, { view: held }), 'class="place ')).toBe(39 - 2 + 1);
    expect(draw(Diagram, { view: held })).toContain(">37 votes in all;<");
  });

  it("marks a running dispute, the last action and the areas that are pointed out", () => {
    const { plies, views, records } = played;
    const isOn = (view: KingView): number => count(draw(Diagram, { view }), 'href="#lk-swords"');
    expect([first, views[plies.stakes]!, views[plies.reveal + 1]!].map(isOn)).toEqual([0, 1, 0]);
    const picture = draw(Diagram, { view: first, last: records[1], marks: ["Man", "Lundonia"] });
    expect(count(picture, 'class="last ')).toBe(1);
    expect(count(picture, 'class="mark ')).toBe(2);
  });

  it("knows its areas by their names", () => {
    expect(AREAS.every(({ name }) => isPlace(name))).toBe(true);
    expect(isPlace("Anglia")).toBe(false);
  });
});
