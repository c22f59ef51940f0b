/** Every word a person reads, one file per language: those of no game from src/regalia/locale, a game's from its folder. */
import type english from "$locale/en.json";
import parts from "virtual:words";
import { upgrade } from "./upgrade.svelte";

export type Key = keyof typeof english;
export type Values = Readonly<Record<string, string | number>>;
export const LANGUAGES = ["en", "de", "nl"] as const;
export type Language = (typeof LANGUAGES)[number];

let language = $state<Language>("en");
let catalogue = $state.raw<Readonly<Record<string, string>>>({});
const loaded = new Set<string>(["shell"]);

async function fetchPart(of: Language, part: string): Promise<Record<string, string>> {
  const load = parts[`${of}/${part}`];
  try {
    return load ? (JSON.parse((await load()).default) as Record<string, string>) : {};
  } catch {
    upgrade.isNeeded = true;
    return {};
  }
}

/** Speak this language: everything already needed is loaded first, then the page changes at once. */
export async function speak(next: Language): Promise<void> {
  const all = await Promise.all([...loaded].map((part) => fetchPart(next, part)));
  catalogue = Object.assign({}, ...all);
  language = next;
  document.documentElement.lang = next;
}

/** Speak with words that came along: for pictures, which are drawn without a page. */
export function speakWith(next: Language, words: Readonly<Record<string, string>>): void {
  [language, catalogue] = [next, words];
}

/** Have a game's words too. */
export async function learn(part: string): Promise<void> {
  if (loaded.has(part)) return;
  const more = await fetchPart(language, part);
  loaded.add(part);
  catalogue = { ...catalogue, ...more };
}

export const spoken = (): Language => language;
export const has = (key: string): boolean => key in catalogue;

const PLACEHOLDER = /\{(\w+)\}/g;

/** Of `one||more` the form for the value called count, or else for the first placeholder that is a number. */
function form(text: string, values: Values): string {
  const [one = "", more] = text.split("||");
  if (more === undefined) return one;
  const names = ["count", ...Array.from(text.matchAll(PLACEHOLDER), ([, name]) => name!)];
  return names.map((name) => values[name]).find((value) => typeof value === "number") === 1 ? one : more;
}

/** The words for a key known only at run time: a game's own, or an error's. */
export function word(key: string, values: Values = {}): string {
  return form(catalogue[key] ?? "", values).replace(PLACEHOLDER, (hole, name: string) =>
    name in values ? String(values[name]) : hole,
  );
}

/** The words for a key of no game. */
export const t = (key: Key, values?: Values): string => word(key, values);

/** The same for a game, whose keys do not name it. */
export const wordsOf =
  <GameKey extends string>(game: string) =>
  (key: GameKey, values?: Values): string =>
    word(`${game}.${key}`, values);

export const number = (value: number): string => new Intl.NumberFormat(language).format(value);
export const percent = (value: number): string =>
  new Intl.NumberFormat(language, {
    style: "percent",
    maximumFractionDigits: value > 0 && value < 0.01 ? 1 : 0,
  }).format(value);
export const date = (ms: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
export const list = (items: readonly string[]): string =>
  new Intl.ListFormat(language, { type: "conjunction" }).format(items);

/** The first of the reader's languages that we speak. */
export function preferred(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const found = LANGUAGES.find((known) => wish.toLowerCase().startsWith(known));
    if (found) return found;
  }
  return "en";
}
