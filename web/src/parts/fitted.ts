/** Names in little room. */

/** What a name is shortened to, the longest first: without its last words, or with initials for the first ones. */
function shorter(name: string): string[] {
  const words = name.split(/\s+/);
  const [first, last] = [words.slice(0, -1), words.at(-1)!];
  return [
    ...first.map((_, index) => `${words.slice(0, words.length - 1 - index).join(" ")}…`),
    ...(first.length ? [`${first.map((word) => `${[...word][0]}.`).join(" ")} ${last}`] : []),
    ...(first.length > 1 ? [`${[...first[0]!][0]}. ${last}`] : []),
  ];
}

/** A name in the room there is: whole words where possible, and never the same as another's. */
export function fitted(name: string, others: readonly string[], fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  const taken = new Set(others.flatMap((other) => [other, ...shorter(other)]));
  return shorter(name).find((text) => fits(text) && !taken.has(text)) ?? name;
}
