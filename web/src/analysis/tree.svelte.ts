/** Lines of play that branch, as a study has them. What is legal the server says; here it is kept in order. */
import type {
  AnalysisFacts,
  AnalysisRecord,
  AnalysisRequest,
  StudyChapter,
  StudyFacts,
  StudyNode,
} from "../protocol";

export const MARKS = ["good", "interesting", "doubtful", "mistake", "blunder"] as const;
export const MOST_NODES = 3000;
export const MOST_CHAPTERS = 64;

/** A position, and the action and outcomes that led to it. */
export interface Node {
  parent: Node | null; // null: the root
  children: Node[]; // the first goes on with the line, the others branch off
  seat: number | null;
  action: string;
  outcomes: readonly string[];
  comment: string;
  mark: string | null;
  places: readonly string[];
  arrows: readonly (readonly [string, string])[];
  share: readonly number[] | null;
  facts: AnalysisFacts | null; // what the server said of it, once it was looked at
}

export type Where = Pick<AnalysisRequest, "start" | "records">;

const recordOf = ({ seat, action, outcomes }: Node): Required<AnalysisRecord> => ({
  seat,
  action,
  outcomes: [...outcomes],
});
const isSame = (one: Node, other: Node): boolean =>
  one.seat === other.seat &&
  one.action === other.action &&
  one.outcomes.join("\n") === other.outcomes.join("\n");

export function newNode(parent: Node | null, record: Required<AnalysisRecord>): Node {
  return {
    parent,
    children: [],
    ...record,
    comment: "",
    mark: null,
    places: [],
    arrows: [],
    share: null,
    facts: null,
  };
}

/** A node and all that follows: its line to the end, then what branches off from it, nearest first. */
export function walk(node: Node): Node[] {
  const found: Node[] = [];
  const branches = [node];
  for (let at = branches.shift(); at; at = branches.shift())
    for (let next: Node | undefined = at; next; next = next.children[0]) {
      found.push(next);
      branches.push(...next.children.slice(1));
    }
  return found;
}

export const plyOf = (node: Node): number => (node.parent ? plyOf(node.parent) + 1 : 0);

/** From the root to the node. */
export function pathTo(node: Node): Node[] {
  const path = [node];
  while (path[0]!.parent) path.unshift(path[0]!.parent);
  return path;
}

export class Tree {
  title = $state("");
  root: Node;
  current: Node;
  version = $state(0); // of nodes, which are plain: what shows them reads it

  constructor(readonly beginning: Omit<StudyChapter, "nodes" | "title">) {
    this.root = newNode(null, { seat: null, action: "", outcomes: [] });
    this.current = this.root;
  }

  static of({ title, nodes, ...beginning }: StudyChapter): Tree {
    const tree = new Tree(beginning);
    tree.title = title;
    const made: Node[] = [];
    for (const { parent, ...said } of nodes) {
      const node: Node = { ...newNode(parent === null ? null : made[parent]!, said), ...said };
      node.parent?.children.push(node);
      made.push(node);
    }
    if (made[0]) tree.root = tree.current = made[0];
    return tree;
  }

  get size(): number {
    return walk(this.root).length;
  }

  facts(): StudyChapter {
    const nodes = walk(this.root);
    const numbers = new Map(nodes.map((node, number) => [node, number]));
    return {
      title: this.title,
      ...this.beginning,
      nodes: nodes.map(
        ({ parent, seat, action, outcomes, comment, mark, places, arrows, share }): StudyNode => ({
          parent: parent ? numbers.get(parent)! : null,
          seat,
          action,
          outcomes: [...outcomes],
          comment,
          mark,
          places: [...places],
          arrows: arrows.map(([from, to]) => [from, to]),
          share: share ? [...share] : null,
        }),
      ),
    };
  }

  /** Where a node is, said as shortly as it can be: from the nearest position before it that is known. */
  where(node: Node): Where {
    const records: AnalysisRecord[] = [recordOf(node)];
    let at = node.parent;
    for (; at && !at.facts; at = at.parent) records.unshift(recordOf(at));
    const { position, seats, options } = this.beginning;
    return at?.facts
      ? { start: { position: at.facts.position, seats: null, options: {} }, records }
      : { start: position ? { position, seats: null, options: {} } : { position, seats, options }, records };
  }

  // --- Changes ---

  /** Put a child in its place, or find the one that says the same. */
  add(node: Node): Node {
    const parent = node.parent!;
    const known = parent.children.find((child) => child !== node && isSame(child, node));
    if (known) parent.children = parent.children.filter((child) => child !== node);
    else if (!parent.children.includes(node)) parent.children.push(node);
    this.version++;
    return known ?? node;
  }

  go(node: Node): void {
    this.current = node;
    this.version++;
  }

  /** The line goes on through here, from the root on. */
  promote(node: Node): void {
    for (let at = node; at.parent; at = at.parent)
      at.parent.children = [at, ...at.parent.children.filter((child) => child !== at)];
    this.version++;
  }

  /** A node and all that follows it. */
  remove(node: Node): void {
    const { parent } = node;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    if (pathTo(this.current).includes(node)) this.current = parent;
    this.version++;
  }

  change(node: Node, what: Partial<Pick<Node, "comment" | "mark">>): void {
    Object.assign(node, what);
    this.version++;
  }
}

/** Several chapters under a title. */
export const studyOf = (trees: readonly Tree[], title: string, language: string): StudyFacts => ({
  title,
  language,
  chapters: trees.map((tree) => tree.facts()),
});
