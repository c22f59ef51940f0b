import { describe, expect, it } from "vitest";
import { Replay, type FetchViews } from "../../src/table/replay.svelte";
import { view } from "./telling";

/** A match of eight plies, told five at a time. */
function served(): { fetch: FetchViews; asked: [number | null, number][] } {
  const asked: [number | null, number][] = [];
  return {
    asked,
    fetch: (seat, first) => {
      asked.push([seat, first]);
      const plies = [1, 2, 3, 4, 5, 6, 7, 8].filter((ply) => ply >= first && ply < first + 5);
      return Promise.resolve(plies.map((ply) => view(ply, { you: seat })));
    },
  };
}

describe("going back in time", () => {
  it("fetches what is missing, once", async () => {
    const { fetch, asked } = served();
    const replay = new Replay(fetch);
    await replay.show(3, 7, 0);
    expect(replay.view?.ply).toBe(3);
    await replay.show(7, 8, 0);
    expect(replay.view?.ply).toBe(7);
    expect(asked).toEqual([
      [0, 1],
      [0, 6],
    ]);
  });

  it("fetches all again from another seat", async () => {
    const { fetch, asked } = served();
    const replay = new Replay(fetch);
    await replay.show(1, 5, 0);
    await replay.show(1, 5, null);
    expect(replay.view?.you).toBeNull();
    expect(asked).toEqual([
      [0, 1],
      [null, 1],
    ]);
  });

  it("forgets what was taken back, and shows the last moment that stands", async () => {
    const { fetch, asked } = served();
    const replay = new Replay(fetch);
    await replay.show(5, 5, 0);
    replay.forgetAfter(3);
    expect(replay.view?.ply).toBe(3);
    await replay.show(5, 5, 0);
    expect(asked.at(-1)).toEqual([0, 4]);
  });
});
