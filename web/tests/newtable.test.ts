import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { speak } from "../src/app/words.svelte";
import { rememberOpponents } from "../src/newtable/opponents";
import { Wishes } from "../src/newtable/wishes.svelte";
import type { GameFacts } from "../src/protocol";
import { facts, seat } from "./table/telling";

const BOTS = ["random", "page", "squire", "knight", "duke", "regent"];
const game = {
  id: "court_the_king",
  seats: [2, 3],
  options: [],
  by_hand: [],
  bots: BOTS.map((id, rank) => ({ id, strength: Math.max(1, rank) })),
} as unknown as GameFacts;
const played = (...bots: string[]): void =>
  rememberOpponents(
    facts({
      game: game.id,
      seats: [
        seat(0, { is_yours: true }),
        ...bots.map((bot, at) => seat(at + 1, { kind: "bot", name: bot, bot })),
      ],
    }),
  );

describe("a new table", () => {
  beforeAll(() => speak("en"));
  beforeEach(() => localStorage.clear());

  it("offers the easiest opponent first, and later the last one played to the end", () => {
    const wishes = new Wishes("bots");
    wishes.count = 3;
    expect(wishes.opponents(game)).toEqual(["random", "random"]);
    played("duke");
    expect(wishes.opponents(game)).toEqual(["duke", "duke"]);
    played("knight", "page");
    expect(wishes.opponents(game)).toEqual(["knight", "page"]);
    expect(wishes.opponents({ ...game, id: "rose_king" })).toEqual(["random", "random"]);
    wishes.bots = ["regent"];
    expect(wishes.opponents(game)).toEqual(["regent", "page"]);
  });

  it("does not mind what a browser has kept wrongly, or bots that are gone", () => {
    localStorage.setItem("regalia.opponents", "{");
    expect(new Wishes("bots").opponents(game)).toEqual(["random"]);
    localStorage.setItem("regalia.opponents", '{"court_the_king": ["gone", 7]}');
    expect(new Wishes("bots").opponents(game)).toEqual(["random"]);
  });

  it("seats bots among those who share a device", () => {
    const wishes = new Wishes("hotseat");
    wishes.count = 3;
    wishes.sharing = ["", "knight"];
    wishes.names = ["Ann"];
    expect(wishes.table(game).seats).toEqual([
      { kind: "hotseat", name: "Ann" },
      { kind: "bot", bot: "knight" },
      { kind: "hotseat", name: "Player 3" },
    ]);
  });
});
