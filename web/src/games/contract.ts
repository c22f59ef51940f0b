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

/** A button beside the prompt. Without an action it says why not when it is pressed. */
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
  scores?: (view: View) => readonly number[]; // of each seat so far, where the game counts while it is played
}

export interface BoardProps<V extends View = View, E = unknown> {
  view: V;
  actions: readonly string[]; // what may be done here and now; empty when it is not your turn
  onact: (action: string) => void;
  onsay: (text: string) => void; // why something cannot be done now, or what it is
  draft: Draft;
  records: readonly RecordOf<E>[]; // the line of play up to this view
  mark: number; // which of them is marked on the board: the last, or the one pointed at in the log
  previews: Readonly<Record<string, V>>; // what an action would lead to, as far as it is known
  odds: Odds | null;
  names: readonly string[];
  onseen?: () => void; // what was celebrated has been looked at
  marks?: readonly string[]; // places to point out, named as in the notation
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

/** The fields of a position, and what a piece that was put somewhere makes of them: the server judges it. */
export interface SetUpProps {
  position: Readonly<Record<string, unknown>>;
  onplace: (position: Record<string, unknown>) => void;
}

/** What marks a seat in lists and sentences: a symbol drawn on every page, and its name. */
export interface SideSign {
  symbol: string;
  label: string;
}

type Naming = (seat: number) => string;

/** What is rolled and dealt at a real table, and typed (`table/Pad.svelte`). How it is asked for are the words
 * `type.PHASE`, and `type.PHASE.slot` where the order counts. */
export interface HandUi {
  Face: Component<{ outcome: string; phase: string }>; // a die as it fell, a card
  name?: (outcome: string) => string; // what it is called
}

export interface GameUi<V extends View = View, E = unknown> {
  Board: Component<BoardProps<V, E>>;
  Tray: Component<BoardProps<V, E>>; // under the prompt: the hand, the dice
  Seat: Component<SeatProps<V, E>>;
  Aside?: Component<{ view: V }>; // below the players
  Reckoning: Component<ReckoningProps<V, E>>; // of the result
  SetUp?: Component<SetUpProps>; // pieces to set up a position with
  sign?: (seat: number) => SideSign; // of a seat, where its pieces are the game's own sign of it
  emblem?: (view: V, seat: number) => string; // the symbol of a seat, where the game has one
  side?: (view: V, seat: number) => string; // what the seat is called in this game
  prompt: (view: V, draft: Draft, name: Naming) => { text: string; more?: string };
  choices: (view: V, actions: readonly string[], draft: Draft) => Choice[];
  tell: (records: readonly RecordOf<E>[], view: V, name: Naming) => string[];
  score?: (record: RecordOf<E>) => string; // the score that a record led to, where the game has one
  describe: (action: string, view: V) => string; // an action in words, as somebody would advise it
  previews: (view: V, draft: Draft) => string[]; // actions whose outcome the board wants to show
  wantsOdds?: (view: V) => boolean;
  keepsDraft?: (before: V, after: V) => boolean; // what is half chosen stays, since the question has not changed
  ending?: (view: V, name: Naming) => string; // by what the match was won, where it is not by points
  celebrates?: (record: RecordOf<E>) => boolean; // it put something on the board that is looked at before the result
  isForAll?: (record: RecordOf<E>) => boolean; // something everyone at one device looks at before it is passed on
  linger?: (record: RecordOf<E>) => number; // ms that what it led to stays, once its motion is over, before the next of the others is shown
  spell?: (text: string) => string; // notation in the reader's letters, which the server reads too
  example: string; // of the notation
  hand?: HandUi; // for people who have the box
}

/** What a record tells of one kind. */
export const effectsOf = <E extends { type: string }, T extends E["type"]>(
  record: RecordOf<E> | undefined,
  type: T,
): Extract<E, { type: T }>[] =>
  (record?.effects ?? []).filter((effect): effect is Extract<E, { type: T }> => effect.type === type);
