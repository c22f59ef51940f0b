/** What a game's folder gives the shell. A board shows a view and reports actions; it knows no rule and no socket. */
import type { Component } from "svelte";
import type { RecordFacts } from "../protocol";

/** `Match.view`: these keys in every game, the others the game's own. */
export interface View {
  game: string;
  rules: number;
  seats: number;
  options: Record<string, string>;
  ply: number;
  phase: string;
  actors: number[];
  you: number | null;
  actions: string[];
  outcome: { ranks: number[]; points: number[]; reason: string } | null;
}

/** Half an action, or one that is only pointed at: it lives in this browser until it is played. */
export interface Draft {
  point: string | null; // an action that is looked at
  using: string | null; // what is being used, where an action has parts
  chosen: number[]; // which pieces were picked for it
}
export const NOTHING: Draft = { point: null, using: null, chosen: [] };

/** A button beside the prompt. Without an action it says why not. */
export interface Choice {
  label: string;
  detail?: string;
  action: string | null;
  primary?: boolean;
  key?: string; // on the keyboard
  why?: string;
  run?: () => void; // changes the draft instead of playing
  elsewhere?: boolean; // also to be had on the board or in the hand: a small screen leaves the button out, and so does a row with many of them
}

/** What can be reached in this turn: `exact` false means at least so likely. */
export type Odds = Readonly<Record<string, { odds: number; exact: boolean }>>;

/** A record with what the game tells of it, of the types in the game's `effects.py`. */
export interface RecordOf<E> extends RecordFacts {
  effects: E[];
}

// In what follows V is the game's own view and E what its records tell: a game's folder names both, the shell neither.

/** A game's drawing: an SVG of a view, and nothing else. It has no state, no motion and no rule; lists, rules and pictures
 * show it as it is, and a board lays what can be clicked over it. */
export interface DiagramProps<V extends View = View, E = unknown> {
  view: V;
  last?: RecordOf<E> | undefined; // the record whose traces are marked
  marks?: readonly string[]; // places to point out, named as in the notation
}

/** `Diagram.svelte` of a game. */
export interface DiagramModule {
  default: Component<DiagramProps>;
  isPlace: (name: string) => boolean; // whether there is such a place to mark
}

export interface BoardProps<V extends View = View, E = unknown> {
  view: V;
  actions: readonly string[]; // what may be done here and now; empty when it is not your turn
  onact: (action: string) => void;
  draft: Draft;
  records: readonly RecordOf<E>[]; // the line of play up to this view
  mark: number; // which of them is marked on the board: the last, or the one pointed at in the log
  previews: Readonly<Record<string, V>>; // what an action would lead to, as far as it is known
  odds: Odds | null;
  names: readonly string[];
}

export interface SeatProps<V extends View = View, E = unknown> {
  view: V;
  seat: number;
  preview: V | null; // what the action that is looked at would lead to
  last?: RecordOf<E>; // the record that led to this view
}

export interface ReckoningProps<V extends View = View, E = unknown> {
  view: V;
  names: readonly string[];
  records: readonly RecordOf<E>[];
}

type Naming = (seat: number) => string;

export interface GameUi<V extends View = View, E = unknown> {
  Board: Component<BoardProps<V, E>>;
  Tray: Component<BoardProps<V, E>>; // under the prompt: the hand, the dice
  Seat: Component<SeatProps<V, E>>;
  Aside?: Component<{ view: V }>; // below the players
  Reckoning: Component<ReckoningProps<V, E>>; // of the result
  emblem?: (view: V, seat: number) => string; // the symbol of a seat, where the game has one
  side?: (view: V, seat: number) => string; // what the seat is called in this game
  prompt: (view: V, draft: Draft, name: Naming) => { text: string; more?: string };
  choices: (view: V, actions: readonly string[], draft: Draft) => Choice[];
  tell: (records: readonly RecordOf<E>[], view: V, name: Naming) => string[];
  previews: (view: V, draft: Draft) => string[]; // actions whose outcome the board wants to show
  wantsOdds?: (view: V) => boolean;
  keepsDraft?: (before: V, after: V) => boolean; // what is half chosen stays, since the question has not changed
  linger?: (record: RecordOf<E>) => number; // ms that what it led to stays, once its motion is over, before the next of the others is shown
  example: string; // of the notation
}

/** What a record tells of one kind. */
export const effectsOf = <E extends { type: string }, T extends E["type"]>(
  record: RecordOf<E> | undefined,
  type: T,
): Extract<E, { type: T }>[] =>
  (record?.effects ?? []).filter((effect): effect is Extract<E, { type: T }> => effect.type === type);
