/** The game's own words, by keys that do not name it. */
import type english from "$games/carolus_magnus/words/en.json";
import { wordsOf } from "../../app/words.svelte";

export const t = wordsOf<keyof typeof english>("carolus_magnus");
