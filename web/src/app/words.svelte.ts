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

/** The language with the reader's own region where the browser names one: dates in Britain are not those of America. */
const wishes = typeof navigator === "undefined" ? [] : navigator.languages; // pictures are drawn without a browser
const locale = (): string => wishes.find((wish) => wish.toLowerCase().split("-")[0] === language) ?? language;
export const number = (value: number): string => new Intl.NumberFormat(locale()).format(value);
export const percent = (value: number): string =>
  new Intl.NumberFormat(locale(), {
    style: "percent",
    maximumFractionDigits: value > 0 && value < 0.01 ? 1 : 0,
  }).format(value);
export const date = (ms: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(ms);
export const list = (items: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: "conjunction" }).format(items);
/** One of several: a or b. */
export const either = (items: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: "disjunction" }).format(items);
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
/** A request after a colon: German begins it with a capital. */
export const afterColon = (request: string): string => (language === "de" ? capital(request) : request);

/** The first of the reader's languages that we speak. */
export function preferred(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const found = LANGUAGES.find((known) => wish.toLowerCase().startsWith(known));
    if (found) return found;
  }
  return "en";
}
