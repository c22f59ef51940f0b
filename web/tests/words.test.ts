import { beforeAll, describe, expect, it } from "vitest";
import { learn, number, preferred, speak, t, word } from "../src/app/words.svelte";

describe("words", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("rose_king");
  });

  it("fills in what a sentence leaves open", () => {
    expect(t("ui.home.players", { count: "2" })).toBe("2 players");
    expect(word("rose_king.clause.RK-30")).toContain("fewer than 5");
  });

  it("knows one from many", () => {
    expect(word("rose_king.ui.heroes", { count: 1 })).toBe("1 hero");
    expect(word("rose_king.ui.heroes", { count: 3 })).toBe("3 heroes");
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
