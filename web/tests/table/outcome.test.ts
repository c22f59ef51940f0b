import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, speak } from "../../src/app/words.svelte";
import { score, scores, standings, winner } from "../../src/table/outcome";

const name = (seat: number): string => ["Ann", "Bob", "Cyd"][seat]!;
const result = { ranks: [2, 1], points: [17, 24], reason: "blocked" };

describe("a result", () => {
  beforeAll(() => speak("en"));

  it("is told in the game's own unit, one of it and several, in every language", async () => {
    const said: Record<string, string[]> = {};
    for (const language of LANGUAGES) {
      await speak(language);
      said[language] = ["rose_king", "carolus_magnus", "long_live_the_king", "court_the_king"].map((game) =>
        [0, 1, 2].map((count) => score(game, count)).join(", "),
      );
    }
    await speak("en");
    expect(said).toEqual({
      en: [
        "0 points, 1 point, 2 points",
        "0 castles, 1 castle, 2 castles",
        "0 votes, 1 vote, 2 votes",
        ", , ",
      ],
      de: [
        "0 Punkte, 1 Punkt, 2 Punkte",
        "0 Burgen, 1 Burg, 2 Burgen",
        "0 Stimmen, 1 Stimme, 2 Stimmen",
        ", , ",
      ],
      nl: [
        "0 punten, 1 punt, 2 punten",
        "0 burchten, 1 burcht, 2 burchten",
        "0 stemmen, 1 stem, 2 stemmen",
        ", , ",
      ],
    });
  });

  it("names who won and everybody's points, best first", () => {
    expect(winner(result, name, [])).toBe("Bob wins");
    expect(winner(result, name, [1])).toBe("You have won!");
    expect(winner(result, name, [0, 1])).toBe("Bob wins"); // on one device
    expect(winner({ ...result, ranks: [1, 1] }, name, [0])).toBe("A draw");
    expect(winner({ ...result, ranks: [1, 2, 1] }, name, [0])).toBe("Ann and Cyd win");
    expect(standings("rose_king", result, name)).toBe("Bob 24 points · Ann 17 points");
    expect(scores("rose_king", [24, 1])).toBe("24\u2009:\u20091 points");
  });

  it("has no points where somebody gave up or the game counts none", () => {
    expect(standings("rose_king", { ...result, points: [0, 0], reason: "resigned" }, name)).toBe("");
    expect(standings("court_the_king", { ...result, points: [0, 1], reason: "king" }, name)).toBe("");
  });
});
