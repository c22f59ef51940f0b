/** The games' drawings for lists, loaded when the first small board of a game comes into view. */
import type { Component } from "svelte";
import type { DiagramModule } from "./contract";
import { loadDiagram } from "./registry";

class Diagrams {
  known = $state.raw<Readonly<Record<string, DiagramModule & { Symbols?: Component }>>>({});
  #asked = new Set<string>();

  async load(game: string): Promise<void> {
    if (this.#asked.has(game)) return;
    this.#asked.add(game);
    try {
      const diagram = await loadDiagram(game);
      if (diagram) this.known = { ...this.known, [game]: diagram };
    } catch {
      this.#asked.delete(game); // an icon stands in its place
    }
  }
}

export const diagrams = new Diagrams();
