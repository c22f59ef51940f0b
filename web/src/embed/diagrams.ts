/** The games' drawings and what they are drawn with; that of one game is loaded when it is shown. */
import type { Component } from "svelte";
import type { DiagramModule } from "../games/contract";

const DIAGRAMS = import.meta.glob<DiagramModule>("$games/*/web/Diagram.svelte");
const SYMBOLS = import.meta.glob<Component>("$games/*/web/{Art,Pieces,Emblems}.svelte", {
  import: "default",
});
const gameOf = (path: string): string => path.split("/").at(-3) ?? "";
const of = <T>(files: Record<string, () => Promise<T>>, game: string): Promise<T[]> =>
  Promise.all(
    Object.entries(files)
      .filter(([path]) => gameOf(path) === game)
      .map(([, load]) => load()),
  );

export interface Drawing {
  diagram: DiagramModule;
  symbols: readonly Component[];
}

export async function drawingOf(game: string): Promise<Drawing | null> {
  const [[diagram], symbols] = await Promise.all([of(DIAGRAMS, game), of(SYMBOLS, game)]);
  return diagram ? { diagram, symbols } : null;
}
