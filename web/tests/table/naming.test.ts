import { beforeAll, describe, expect, it } from "vitest";
import { learn, speak } from "../../src/app/words.svelte";
import { endingOf, isShown, nameOf, noticeText } from "../../src/table/naming";
import { facts, seat } from "./telling";

const bot = { kind: "bot", name: "regent", bot: "regent" } as const;
const notice = { seq: 3, at_ms: 0, name: "", text: "", audience: "table" } as const;

describe("names", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("rose_king");
  });

  it("tell two of the same name apart", () => {
    const seats = [seat(0), seat(1, bot), seat(2, bot)];
    expect([0, 1, 2].map((index) => nameOf(seats, index))).toEqual(["Ann", "Matilda", "Matilda II"]);
    expect(nameOf([seat(0, { kind: "open" })], 0)).toBe("Free seat");
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
