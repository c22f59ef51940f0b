import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { motion } from "../src/app/motion.svelte";
import { settings } from "../src/app/settings.svelte";

async function isOver(after: number): Promise<boolean> {
  let over = false;
  void motion.over().then(() => (over = true));
  await vi.advanceTimersByTimeAsync(after);
  return over;
}

describe("motion", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    settings.set({ motion: "full" });
  });
  afterEach(() => {
    motion.skip();
    vi.useRealTimers();
  });

  it("is over at once where nothing moves", async () => {
    expect(await isOver(0)).toBe(true);
  });

  it("lasts as long as the longest of all that moves", async () => {
    motion.play(300);
    motion.play(800);
    motion.play(100);
    expect(await isOver(700)).toBe(false);
    expect(await isOver(200)).toBe(true);
  });

  it("also waits for what begins to move meanwhile", async () => {
    motion.play(300);
    const waiting = isOver(0);
    await waiting;
    motion.play(600);
    expect(await isOver(400)).toBe(false);
    expect(await isOver(300)).toBe(true);
  });

  it("ends at once when it is skipped, and whatever moves hears of it", async () => {
    motion.play(5_000);
    let over = false;
    void motion.over().then(() => (over = true));
    await vi.advanceTimersByTimeAsync(10);
    const before = motion.skips;
    motion.skip();
    await vi.advanceTimersByTimeAsync(0);
    expect(over).toBe(true);
    expect(motion.skips).toBe(before + 1);
    motion.skip(); // nothing moves any more: nothing to hear
    expect(motion.skips).toBe(before + 1);
  });

  it("ends when the page is hidden", async () => {
    motion.play(5_000);
    const state = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(await isOver(0)).toBe(true);
    state.mockRestore();
  });

  it("does not begin where motion is reduced", async () => {
    settings.set({ motion: "none" });
    motion.play(5_000);
    expect(await isOver(0)).toBe(true);
  });
});
