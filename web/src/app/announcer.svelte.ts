/** What is said aloud to those who listen, and the short notes that everybody sees. */
export interface Note {
  text: string;
  clause?: string;
  game?: string;
  kind: "info" | "refused";
}

const TOGETHER_MS = 1_500;

class Announcer {
  polite = $state("");
  urgent = $state("");
  note = $state.raw<Note | null>(null);
  #said = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What comes in quick succession is said together, so that nothing is cut off. */
  say(text: string): void {
    const now = Date.now();
    const joined = now - this.#said < TOGETHER_MS ? `${this.polite} ${text}`.slice(-600) : text;
    this.#said = now;
    this.polite = joined === this.polite ? `${joined}\u00a0` : joined;
  }

  show(note: Note): void {
    clearTimeout(this.#timer);
    this.note = note;
    this.urgent = note.text === this.urgent ? `${note.text}\u00a0` : note.text;
    this.#timer = setTimeout(() => (this.note = null), note.clause ? 12_000 : 6_000);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.note = null;
  }
}

export const announcer = new Announcer();
