import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { motion } from "../../src/app/motion.svelte";
import { settings } from "../../src/app/settings.svelte";
import { Playback } from "../../src/table/playback.svelte";
import { facts, view, whole } from "./telling";

interface Moving {
  playback: Playback;
  applied: number[]; // the updates on the screen
  said: number[]; // those whose words have been said
}

/** Every update moves something for a second. */
function moving(readingTime = 0, awaited = -1): Moving {
  const applied: number[] = [];
  const said: number[] = [];
  const playback: Playback = new Playback({
    apply: ({ seq }) => {
      playback.catchUp();
      applied.push(seq);
      if (!settings.isStill) {
        playback.hold({ view: view(seq), records: [], facts: facts() });
        motion.play(1000);
      }
      playback.announce(() => said.push(seq));
      if (!playback.held) playback.catchUp();
      return true;
    },
    isAwaited: ({ seq }) => seq === awaited,
    readingTime: () => readingTime,
  });
  return { playback, applied, said };
}

describe("one update after another", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    settings.set({ motion: "full" });
  });
  afterEach(() => {
    motion.skip();
    settings.set({ motion: "none" });
    vi.useRealTimers();
  });

  it("is shown, and its words wait until the motion is over", async () => {
    const { playback, applied, said } = moving();
    playback.enqueue(whole(1, []));
    playback.enqueue(whole(2, []));
    await vi.advanceTimersByTimeAsync(900);
    expect([applied, said, playback.isIdle]).toEqual([[1], [], false]);
    await vi.advanceTimersByTimeAsync(200);
    expect([applied, said, playback.isIdle]).toEqual([[1, 2], [1], true]);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(said).toEqual([1, 2]);
    expect(playback.held).toBeNull();
  });

  it("is shown at once when the reader skips the motion", async () => {
    const { playback, applied, said } = moving();
    for (const seq of [1, 2, 3]) playback.enqueue(whole(seq, []));
    await vi.advanceTimersByTimeAsync(100);
    playback.flush();
    expect([applied, said, playback.isIdle]).toEqual([[1, 2, 3], [1, 2, 3], true]);
  });

  it("waits for reading, but an own decision only for a glance", async () => {
    const others = moving(5_000);
    others.playback.enqueue(whole(1, []));
    others.playback.enqueue(whole(2, []));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(others.applied).toEqual([1]);
    others.playback.close();
    const own = moving(5_000, 2);
    own.playback.enqueue(whole(1, []));
    own.playback.enqueue(whole(2, []));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(own.applied).toEqual([1, 2]);
  });
});
