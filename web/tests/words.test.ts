import { beforeAll, describe, expect, it } from "vitest";
import { learn, number, preferred, speak, speakWith, t, word } from "../src/app/words.svelte";

describe("words", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("rose_king");
  });

  it("fills in what a sentence leaves open", () => {
    expect(t("ui.home.players", { count: "2" })).toBe("2 players");
    expect(word("rose_king.clause.RK-30")).toContain("fewer than 5");
  });

  it("has one form for one and another for any other number, in each language", async () => {
    for (const [language, one, more] of [
      ["de", "Held", "Helden"],
      ["nl", "held", "helden"],
      ["en", "hero", "heroes"],
    ] as const) {
      await speak(language);
      const said = [0, 1, 2, 5].map((count) => word("rose_king.ui.heroes", { count }));
      expect(said).toEqual([`0 ${more}`, `1 ${one}`, `2 ${more}`, `5 ${more}`]);
    }
  });

  it("goes by the first number of a text that has no count", () => {
    speakWith("en", { named: "{name}: a card||{name}: {cards} cards of {all}", unsaid: "It is||They are" });
    const said = [0, 1, 2, 5].map((cards) => word("named", { name: "1", cards, all: 1 }));
    expect(said).toEqual(["1: 0 cards of 1", "1: a card", "1: 2 cards of 1", "1: 5 cards of 1"]);
    expect([1, 2].map((count) => word("unsaid", { count }))).toEqual(["It is", "They are"]);
    expect(word("unknown")).toBe("");
  });

  it("changes the language of everything at once, with its numbers", async () => {
    await speak("de");
    expect(word("rose_king.ui.heroes", { count: 2 })).toBe("2 Helden");
    expect(word("rose_king.title")).toBe("Rosenkönig");
    expect(number(1234.5)).toBe("1.234,5");
    expect(document.documentElement.lang).toBe("de");
    await speak("en");
  });

  it("takes the first of the reader's languages that it speaks", () => {
    expect(preferred(["fr-CH", "nl-BE", "de"])).toBe("nl");
    expect(preferred(["fr"])).toBe("en");
  });
});
