/** Motion explains what happened. Whatever moves says for how long, and the words about it wait until it is over. */
import { tick } from "svelte";
import { settings } from "./settings.svelte";

class Motion {
  skips = $state(0); // goes up when all motion ends at once: whatever moves listens
  #until = 0;
  #wake: (() => void) | null = null;

  constructor() {
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.skip());
  }

  /** Something begins to move for so long. */
  play(ms: number): void {
    if (!settings.isStill) this.#until = Math.max(this.#until, performance.now() + ms);
  }

  /** All that the page set in motion when it showed what is new is over, or was skipped. */
  async over(): Promise<void> {
    await tick();
    for (let left = this.#left; left > 0; left = this.#left)
      await new Promise<void>((done) => {
        this.#wake = done;
        setTimeout(done, left);
      });
  }

  skip(): void {
    if (this.#left > 0) this.skips++;
    this.#until = 0;
    this.#wake?.();
    this.#wake = null;
  }

  get #left(): number {
    return this.#until - performance.now();
  }
}

export const motion = new Motion();
