/** Which choices stand as buttons beside the prompt. */
import type { Choice } from "../games/contract";

export const MOST_BUTTONS = 6; // that fit in a row on a laptop

/** All, or where they are too many only those that can be had nowhere else. The others keep their keys. */
export const buttonsOf = (choices: readonly Choice[]): readonly Choice[] =>
  choices.length > MOST_BUTTONS ? choices.filter(({ elsewhere }) => !elsewhere) : choices;
