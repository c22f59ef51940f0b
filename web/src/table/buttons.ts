/** Which choices stand as buttons beside the prompt. */
import type { Choice } from "../games/contract";

export const MOST_ELSEWHERE = 3; // that leave room for the prompt on a laptop

/** All, but where many can be had elsewhere only those that cannot. The others keep their keys. */
export function buttonsOf(choices: readonly Choice[]): readonly Choice[] {
  const only = choices.filter(({ elsewhere }) => !elsewhere);
  return choices.length - only.length > MOST_ELSEWHERE ? only : choices;
}
