/** The games with a folder `web`: each is found by its files, none is named. */
import type { Component } from "svelte";
import type { GameUi } from "./contract";

/** By the game's id, which is the name of the folder that holds `web`. */
function byGame<T>(files: Record<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path.split("/").at(-3)!, file]));
}

// A board is loaded when a table needs it; covers and icons stand on the first page. Here, and nowhere else, a game's
// own types are let go: the server says of which game a view is, and its board is given no other.
const UIS = byGame(import.meta.glob<GameUi>("$games/*/web/index.ts", { import: "default" }));
const COVERS = byGame(
  import.meta.glob<Component>("$games/*/web/Cover.svelte", { import: "default", eager: true }),
);
const ICONS = byGame(
  import.meta.glob<Component>("$games/*/web/Icon.svelte", { import: "default", eager: true }),
);

export const hasBoard = (game: string): boolean => game in UIS;
export const loadUi = async (game: string): Promise<GameUi | null> => (await UIS[game]?.()) ?? null;
export const coverOf = (game: string): Component | null => COVERS[game] ?? null;
export const iconOf = (game: string): Component | null => ICONS[game] ?? null;
