/** The words of a game that somebody must know, in the reader's language. */
import { spoken } from "../app/words.svelte";
import type { TermFacts } from "../protocol";
import { api } from "../server/api";

class Glossary {
  #known = $state.raw<Readonly<Record<string, readonly TermFacts[]>>>({});
  #asked = new Set<string>();

  /** None until they are there. */
  of(game: string): readonly TermFacts[] {
    return this.#known[`${spoken()}/${game}`] ?? [];
  }

  async load(game: string): Promise<void> {
    const key = `${spoken()}/${game}`;
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    try {
      const { terms } = await api.glossary(game);
      this.#known = { ...this.#known, [key]: terms };
    } catch {
      this.#asked.delete(key); // the texts stay without links
    }
  }
}
export const glossary = new Glossary();

/** A text in pieces: each word of the glossary where it first occurs, and what is between. */
export function linked(
  text: string,
  terms: readonly TermFacts[],
): readonly { text: string; term?: TermFacts }[] {
  const byForm = new Map(
    terms.flatMap((term) => term.forms.map((form) => [form.toLocaleLowerCase(), term] as const)),
  );
  if (!byForm.size) return [{ text }];
  const forms = [...byForm.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const pieces: { text: string; term?: TermFacts }[] = [];
  const seen = new Set<TermFacts>();
  let from = 0;
  for (const found of text.matchAll(
    new RegExp(`(?<![\\p{L}\\d-])(?:${forms.join("|")})(?![\\p{L}\\d])`, "giu"),
  )) {
    const term = byForm.get(found[0].toLocaleLowerCase());
    if (!term || seen.has(term)) continue;
    seen.add(term);
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) });
    pieces.push({ text: found[0], term });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
