/** The games that have a folder here: each is found by its files, none is named. */
import type { Component } from "svelte";
import type { GameUi } from "./contract";

const UIS = import.meta.glob<GameUi>("./*/index.ts", { import: "default" }); // loaded when a table needs one
const COVERS = import.meta.glob<Component>("./*/Cover.svelte", { import: "default", eager: true });
const ICONS = import.meta.glob<Component>("./*/Icon.svelte", { import: "default", eager: true });

export const hasBoard = (game: string): boolean => `./${game}/index.ts` in UIS;
export const loadUi = async (game: string): Promise<GameUi | null> =>
  (await UIS[`./${game}/index.ts`]?.()) ?? null;
export const coverOf = (game: string): Component | null => COVERS[`./${game}/Cover.svelte`] ?? null;
export const iconOf = (game: string): Component | null => ICONS[`./${game}/Icon.svelte`] ?? null;
