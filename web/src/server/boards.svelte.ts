/** The small boards of lists: those that come into view are asked for together, each once for every ply. */
import type { View } from "../games/contract";
import { api } from "./api";

const MOST = 12; // in one question
const TOGETHER_MS = 40;

class Boards {
  views = $state.raw<Readonly<Record<string, View>>>({});
  #asked = new Map<string, number>(); // per table: the ply of its list line
  #wanted: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A table at this ply is being looked at. */
  want(table: string, ply: number): void {
    if (this.#asked.get(table) === ply) return;
    this.#asked.set(table, ply);
    this.#wanted.push(table);
    this.#timer ??= setTimeout(() => void this.#ask(), TOGETHER_MS);
  }

  async #ask(): Promise<void> {
    while (this.#wanted.length) {
      const tables = this.#wanted.splice(0, MOST);
      try {
        this.views = { ...this.views, ...(await api.boards(tables)).views };
      } catch {
        tables.forEach((table) => this.#asked.delete(table)); // the list goes on without; the next look asks again
      }
    }
    this.#timer = undefined;
  }
}

export const boards = new Boards();
