/** What is said aloud to those who listen, and the short notes that everybody sees. */
export interface Note { text: string; clause?: string; game?: string; kind: "info" | "refused" }

class Live {
  polite = $state("");
  urgent = $state("");
  note = $state.raw<Note | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    // the same sentence twice in a row is still news
    this.polite = text === this.polite ? `${text}\u00a0` : text;
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

export const live = new Live();
