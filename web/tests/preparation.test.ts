import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Preparing } from "../src/protocol";
import { Preparation } from "../src/server/preparation.svelte";

const game = (of: string, done: number, total: number, more: Partial<Preparing> = {}): Preparing => ({
  game: of,
  done,
  total,
  is_ready: false,
  has_failed: false,
  ...more,
});

describe("what the server prepares", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const follow = (...answers: Preparing[][]) => {
    const asked: (string | undefined)[] = [];
    const preparation = new Preparation({
      preparation: (of) => {
        asked.push(of);
        return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1]!);
      },
    });
    return { asked, preparation, stop: preparation.follow("rose_king") };
  };

  it("is asked about until all is ready, and names the game that is open", async () => {
    const { asked, preparation } = follow([game("rose_king", 3, 50)], [game("rose_king", 40, 50)], []);
    await vi.advanceTimersByTimeAsync(0);
    expect([preparation.done, preparation.total]).toEqual([3, 50]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(preparation.done).toBe(40);
    await vi.advanceTimersByTimeAsync(1000);
    expect(preparation.games).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual(["rose_king", "rose_king", "rose_king"]);
  });

  it("never goes back: a game that is ready still counts", async () => {
    const { preparation } = follow([
      game("rose_king", 50, 50, { is_ready: true }),
      game("carolus_magnus", 10, 70),
    ]);
    await vi.advanceTimersByTimeAsync(0);
    expect([preparation.done, preparation.total]).toEqual([60, 120]);
    expect(preparation.underWay.map((each) => each.game)).toEqual(["carolus_magnus"]);
  });

  it("tells no total before all games are counted", async () => {
    const { preparation } = follow([game("rose_king", 3, 50), game("carolus_magnus", 0, 0)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(preparation.total).toBe(0);
  });

  it("stops when nothing is under way any more, or the page is left", async () => {
    const failed = follow([game("rose_king", 3, 50, { has_failed: true })]);
    const left = follow([game("rose_king", 3, 50)]);
    await vi.advanceTimersByTimeAsync(0);
    left.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failed.preparation.failed.length).toBe(1);
    expect([failed.asked.length, left.asked.length]).toEqual([1, 1]);
  });
});
