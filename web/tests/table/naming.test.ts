import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, learn, speak } from "../../src/app/words.svelte";
import { fitted } from "../../src/parts/fitted";
import { endingOf, isShown, nameOf, namesOf, noticeText } from "../../src/table/naming";
import { facts, seat } from "./telling";

const bot = { kind: "bot", name: "regent", bot: "regent" } as const;
const notice = { seq: 3, at_ms: 0, name: "", text: "", audience: "table" } as const;

describe("names", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("rose_king");
  });

  it("tell two of the same name or level apart", () => {
    const matildas = [seat(0), seat(1, bot), seat(2, bot), seat(3, bot), seat(4, bot)];
    expect(namesOf(matildas)).toEqual(["Ann", "Matilda", "Eleanor", "Adelaide", "Blanche"]);
    expect(namesOf([seat(0, bot), seat(1, { name: "Matilda" })])).toEqual(["Eleanor", "Matilda"]);
    expect(namesOf([seat(0), seat(1, { name: "Ann" })])).toEqual(["Ann", "Ann II"]);
    expect(nameOf([seat(0, { kind: "open" })], 0)).toBe("Free seat");
  });

  it.each(LANGUAGES)("are enough for a table full of bots of one level (%s)", async (language) => {
    await speak(language);
    for (const level of ["random", "page", "squire", "knight", "duke", "regent"]) {
      const names = namesOf(Array.from({ length: 5 }, (_, at) => seat(at, { kind: "bot", bot: level })));
      expect(names.filter((name) => / [IV]+$/.test(name))).toEqual([]);
      expect(new Set(names).size).toBe(5);
    }
    await speak("en");
  });

  it("end in full words where there is little room, and stay different", () => {
    const within =
      (room: number) =>
      (text: string): boolean =>
        text.length <= room;
    const players = ["Player 1", "Player 2", "Player 3"];
    const short = (names: readonly string[], room: number): string[] =>
      names.map((name, seat) =>
        fitted(
          name,
          names.filter((_, other) => other !== seat),
          within(room),
        ),
      );
    expect(short(["A guest with a rather long name", "Till"], 15)).toEqual(["A guest with a…", "Till"]);
    expect(short(["Guest Rosalind", "Guest Edmund"], 11)).toEqual(["G. Rosalind", "G. Edmund"]);
    expect(short(players, 8)).toEqual(players);
    expect(short(players, 5)).toEqual(["P. 1", "P. 2", "P. 3"]);
    expect(short(["Rumpelstiltskin", "Till"], 5)).toEqual(["Rumpelstiltskin", "Till"]); // no word to end in
  });

  it("stand in what happened beside the game", () => {
    expect(noticeText({ ...notice, kind: "resigned", seat: 1 }, facts().seats)).toContain("Bob");
    expect(noticeText({ ...notice, kind: "taken_over", seat: 1, text: "regent" }, facts().seats)).toMatch(
      /Bob.*Matilda|Matilda.*Bob/,
    );
    expect([isShown("resigned"), isShown("sat")]).toEqual([true, false]);
  });

  it("stand in why it is over", () => {
    const result = { ranks: [1, 2], points: [3, 1], reason: "resigned" };
    expect(endingOf(facts({ result }))).toContain("Bob");
    expect(endingOf(facts({ result: { ...result, reason: "stones" } }))).not.toBe("");
  });
});
