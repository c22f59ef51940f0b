/** The game's own words, by keys that do not name it. */
import type english from "../words/en.json";
import { wordsOf } from "$web/app/words.svelte";

export const t = wordsOf<keyof typeof english>("probe");
