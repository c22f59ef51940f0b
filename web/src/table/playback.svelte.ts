/** One update after another, so that each action can be seen; words wait until the motion they tell of is over. */
import { motion } from "../app/motion.svelte";
import { settings } from "../app/settings.svelte";
import type { View } from "../games/contract";
import type { RecordFacts, TableFacts, Update } from "../protocol";

const PACE_MS = 420; // between two actions shown one after another
const GLANCE_MS = 900; // at what came of a dispute, before an own decision takes its place
const HURRY = 6; // so many that wait are shown without motion

/** What the words on the page are about while the board is still moving: what was shown before. */
export interface Words {
  view: View;
  records: readonly RecordFacts[];
  facts: TableFacts;
}

/** What playback asks of the table. */
export interface Shows {
  apply: (update: Update) => boolean; // show it; true: something moved
  isAwaited: (update: Update) => boolean; // it brings a decision of one's own
  readingTime: () => number; // ms that what is shown wants to be read
}

const isPageSeen = (): boolean => document.visibilityState !== "hidden";

export class Playback {
  held = $state.raw<Words | null>(null); // worded until the motion on the board is over
  #news: (() => void) | null = null; // said aloud then
  #queue: Update[] = []; // what is still to be shown
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false; // the timer leaves time to read
  #motion = 0; // the motion that is waited for; 0: none
  #motions = 0; // how many there have been

  constructor(readonly shows: Shows) {}

  close(): void {
    this.#motion = 0;
    clearTimeout(this.#timer);
  }

  get isIdle(): boolean {
    return !this.#queue.length;
  }

  /** Whether there is time and an eye for motion. */
  get isMoving(): boolean {
    return isPageSeen() && !settings.isStill && this.#queue.length <= HURRY;
  }

  enqueue(update: Update): void {
    this.#queue.push(update);
    if (this.#queue.length === 1 && !this.#timer && !this.#motion) this.#step();
    else if (this.#isReading && this.#isAwaited) this.#pause(GLANCE_MS);
  }

  /** Let the words stay behind the board until its motion is over. */
  hold(words: Words): void {
    this.held = words;
  }

  /** Say this when the words have caught up. */
  announce(news: () => void): void {
    this.#news = news;
  }

  /** The words catch up with the board. */
  catchUp(): void {
    this.held = null;
    const news = this.#news;
    this.#news = null;
    news?.();
  }

  /** End all motion and show all that has come in, at once. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReading = false;
    this.#motion = 0;
    motion.skip();
    this.catchUp();
    for (let update = this.#queue.shift(); update; update = this.#queue.shift()) this.shows.apply(update);
    this.catchUp();
  }

  #step(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReading = false;
    const update = this.#queue.shift();
    if (!update) return;
    if (this.shows.apply(update) && isPageSeen()) void this.#watch();
    else if (this.#queue.length) this.#step();
  }

  /** Wait for the motion, tell what came of it, and leave time to see and to read it before the next update. */
  async #watch(): Promise<void> {
    const current = (this.#motion = ++this.#motions);
    const began = performance.now();
    if (this.held) await motion.over();
    if (current !== this.#motion) return;
    this.#motion = 0;
    this.catchUp();
    const reading = Math.min(this.shows.readingTime(), this.#isAwaited ? GLANCE_MS : Infinity);
    const isHurried = settings.isStill || this.#queue.length > HURRY;
    const rest = isHurried ? 0 : Math.max(0, PACE_MS - (performance.now() - began));
    this.#pause(reading || rest, reading > 0);
  }

  #pause(ms: number, isReading = false): void {
    clearTimeout(this.#timer);
    this.#isReading = isReading;
    if (ms) this.#timer = setTimeout(() => this.#step(), ms);
    else this.#step();
  }

  /** Whether an own decision is on its way to the screen: it waits for motion and a glance, not for reading. */
  get #isAwaited(): boolean {
    return this.#queue.some((update) => this.shows.isAwaited(update));
  }
}
