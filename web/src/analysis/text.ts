/** The text of a study, as `regalia.Study` writes and reads it. */
import type { StudyChapter, StudyFacts, StudyNode } from "../protocol";

/** JSON as Python writes it. */
const quoted = (text: string): string => JSON.stringify(text);
const decimal = (share: number): string => (Number.isInteger(share) ? share.toFixed(1) : String(share));

/** a, b … z, aa, ab … */
function letters(number: number): string {
  const before = Math.floor(number / 26);
  return (before ? letters(before - 1) : "") + String.fromCharCode(97 + (number % 26));
}

/** Every node's name: the ply, and in a branch the letters of that branch. */
function namesOf(nodes: readonly StudyNode[]): { ply: number; branch: string }[] {
  const seen = new Set<number>(); // nodes with a child
  const names: { ply: number; branch: string }[] = [];
  let branches = 0;
  for (const { parent } of nodes) {
    const before = parent === null ? null : names[parent]!;
    if (!before) names.push({ ply: 0, branch: "" });
    else if (!seen.has(parent!)) names.push({ ply: before.ply + 1, branch: before.branch });
    else names.push({ ply: before.ply + 1, branch: letters(branches++) });
    if (parent !== null) seen.add(parent);
  }
  return names;
}

function chapterText({ title, game, rules, seats, options, position, nodes }: StudyChapter): string[] {
  const names = namesOf(nodes);
  const name = (number: number): string => `${names[number]!.ply}${names[number]!.branch}`;
  const lines = nodes.map(({ parent, seat, action, outcomes }, number) => [
    name(number),
    ...(names[number]!.branch ? [`<${name(parent!)}`] : []),
    ...(seat === null ? [] : [String(seat), action]),
    ...(outcomes.length ? ["/", ...outcomes] : []),
  ]);
  const remarks = nodes.flatMap(({ comment, mark, places, arrows, share }, number) =>
    [
      ...(comment ? [quoted(comment)] : []),
      ...(mark ? [`mark ${mark}`] : []),
      ...places.map((place) => `place ${place}`),
      ...arrows.map(([from, to]) => `arrow ${from} ${to}`),
      ...(share ? [`share ${share.map(decimal).join(" ")}`] : []),
    ].map((remark) => `; ${name(number)} ${remark}`),
  );
  return [
    `chapter ${quoted(title)}`,
    `game ${game}`,
    `rules ${rules}`,
    `seats ${seats}`,
    ...Object.entries(options).map(([option, value]) => `option ${option} ${value}`),
    ...(position ? [`start ${position.slice(position.indexOf("{"))}`] : []),
    ...lines.map((parts) => parts.join(" ")),
    ...remarks,
    `end ${nodes.length}`,
  ];
}

export function write({ title, language, chapters }: StudyFacts): string {
  const lines = ["regalia study 1", `title ${quoted(title)}`, `language ${language}`];
  return [...lines, ...chapters.flatMap(chapterText), ""].join("\n");
}
