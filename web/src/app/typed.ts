/** What TypeScript cannot know by itself, said once. */

/** The entries of an object whose keys are a closed set. */
export const entriesOf = <K extends string, V>(values: Partial<Record<K, V>>): [K, V][] =>
  Object.entries(values) as [K, V][];

/** The member of a closed set that a text is. */
export const memberOf = <T extends string>(set: readonly T[], text: string | null): T | undefined =>
  set.find((member) => member === text);
