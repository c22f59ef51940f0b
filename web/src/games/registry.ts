/** The games with a folder `web`: each is found by its files, none is named. */
import type { Component } from "svelte";
import PlainCover from "../parts/PlainCover.svelte";
import PlainIcon from "../parts/PlainIcon.svelte";
import type { DiagramModule, GameUi } from "./contract";

/** By the game's id, which is the name of the folder that holds `web`. */
function byGame<T>(files: Record<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split("/").at(-3)!, file]));
}

// A board is loaded when a table needs it. Here, and nowhere else, a game's own types are let go: the server says of
// which game a view is, and its board is given no other.
const UIS = byGame(import.meta.glob<GameUi>("$games/*/web/index.ts", { import: "default" }));

// So is what draws the small boards of lists: a game's diagram, and the symbols that it uses.
const DIAGRAMS = byGame(import.meta.glob<DiagramModule>("$games/*/web/Diagram.svelte"));
const SYMBOLS = byGame(
  import.meta.glob<Component>("$games/*/web/{Pieces,Emblems}.svelte", { import: "default" }),
);

// Covers and icons stand on the first page, and so does what they are drawn with.
const COVERS = byGame(
  import.meta.glob<Component>("$games/*/web/Cover.svelte", { import: "default", eager: true }),
);
const ICONS = byGame(
  import.meta.glob<Component>("$games/*/web/Icon.svelte", { import: "default", eager: true }),
);
const ART = byGame(
  import.meta.glob<Component>("$games/*/web/Art.svelte", { import: "default", eager: true }),
);

export const boardCount = Object.keys(UIS).length;
export const hasBoard = (game: string): boolean => game in UIS;
export const loadUi = async (game: string): Promise<GameUi | null> => (await UIS[game]?.()) ?? null;
export async function loadDiagram(game: string): Promise<(DiagramModule & { Symbols?: Component }) | null> {
  const [diagram, Symbols] = await Promise.all([DIAGRAMS[game]?.(), SYMBOLS[game]?.()]);
  return diagram ? { ...diagram, ...(Symbols ? { Symbols } : {}) } : null;
}
export const coverOf = (game: string): Component => COVERS[game] ?? PlainCover;
export const iconOf = (game: string): Component => ICONS[game] ?? PlainIcon;
export const art: readonly Component[] = Object.values(ART);
