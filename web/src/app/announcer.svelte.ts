/** What is said aloud to those who listen, and the short notes that everybody sees. */
export interface Note {
  text: string;
  clause?: string;
  game?: string;
  kind: "info" | "refused";
  stays?: boolean; // until it is closed
}

const TOGETHER_MS = 1_500;

class Announcer {
  polite = $state("");
  urgent = $state("");
  note = $state.raw<Note | null>(null);
  dialogs = $state(0); // so many lie over the page: the uppermost shows and says what is news
  #said = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What comes in quick succession is said together, so that nothing is cut off. */
  say(text: string): void {
    const now = Date.now();
    const joined = now - this.#said < TOGETHER_MS ? `${this.polite} ${text}`.slice(-600) : text;
    this.#said = now;
    this.polite = joined === this.polite ? `${joined}\u00a0` : joined;
  }

  /** Say at once what cannot wait. */
  alert(text: string): void {
    this.urgent = text === this.urgent ? `${text}\u00a0` : text;
  }

  show(note: Note): void {
    clearTimeout(this.#timer);
    this.note = note;
    this.alert(note.text);
    if (!note.stays) this.#timer = setTimeout(() => (this.note = null), 6_000);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.note = null;
  }
}

export const announcer = new Announcer();
