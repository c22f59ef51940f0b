import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Feed } from "../../src/table/feed.svelte";
import { ack, later, NotedLine, whole } from "./telling";

const following = (): { feed: Feed; line: NotedLine } => {
  const line = new NotedLine();
  return {
    line,
    feed: new Feed(
      "table1",
      {},
      line,
      () => 0,
      () => undefined,
    ),
  };
};

describe("what the server tells", () => {
  it("goes on from the update before", () => {
    const { feed } = following();
    feed.apply(whole(3, ["set up", "N1"]), 0);
    const change = feed.apply(later(3, 4, 2, ["S1"]), 0);
    expect(change).toMatchObject({ isFirst: false, kept: 2, isMoved: true });
    expect(feed.records.map(({ action }) => action)).toEqual(["set up", "N1", "S1"]);
    expect([feed.seq, feed.positionSeq]).toEqual([4, 4]);
  });

  it("is asked for from the start when something is missing", () => {
    const { feed, line } = following();
    feed.apply(whole(3, ["set up", "N1"]), 0);
    expect(feed.apply(later(5, 6, 2, ["S1"]), 0)).toBeNull();
    expect(line.asked).toBe(1);
    expect(line.watch()).toMatchObject({ seq: null });
    expect(feed.seq).toBe(3); // still what is shown
  });

  it("says how much of the match stands after one action was taken back and another played", () => {
    const { feed } = following();
    feed.apply(whole(3, ["set up", "N1", "S1"]), 0);
    expect(feed.apply(later(3, 5, 2, ["S2"]), 0)).toMatchObject({ kept: 2, isMoved: true });
    expect(feed.apply(whole(9, ["set up", "N2", "S2"]), 0)).toMatchObject({ kept: 1, isMoved: true });
    expect(feed.apply(whole(10, ["set up", "N2", "S2"]), 0)).toMatchObject({ kept: 3, isMoved: false });
    expect([feed.seq, feed.positionSeq]).toEqual([10, 9]);
  });
});

describe("a command", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("keeps the table busy until it is answered", async () => {
    const { feed, line } = following();
    const answer = feed.send({ type: "resign", seat: 0 });
    expect(feed.busy).toBe(true);
    line.answer(ack);
    await expect(answer).resolves.toBe(ack);
    expect(feed.busy).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(line.renewed).toBe(0);
  });

  it("without an answer for ten seconds makes the connection anew and lets the table go on", async () => {
    const { feed, line } = following();
    const answer = feed.send({ type: "resign", seat: 0 });
    await vi.advanceTimersByTimeAsync(9_900);
    expect([feed.busy, line.renewed]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(200);
    expect([feed.busy, line.renewed]).toEqual([false, 1]);
    line.answer(ack); // it comes after all
    await expect(answer).resolves.toBe(ack);
    expect(feed.busy).toBe(false);
  });
});
