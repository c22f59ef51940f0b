/** Updates as a server tells them, and a line that notes what a table sends. */
import type { View } from "../../src/games/contract";
import type { Ack, RecordFacts, Refusal, SeatFacts, TableFacts, Update } from "../../src/protocol";
import type { Line, TableCommand } from "../../src/table/feed.svelte";

export const seat = (index: number, more: Partial<SeatFacts> = {}): SeatFacts => ({
  seat: index,
  kind: "human",
  name: ["Ann", "Bob", "Cyd"][index] ?? "",
  player: `p${index}`,
  is_guest: true,
  bot: "",
  is_yours: index === 0,
  is_out: false,
  left_ms: null,
  is_running: false,
  ...more,
});

export const facts = (more: Partial<TableFacts> = {}): TableFacts => ({
  id: "table1",
  game: "rose_king",
  rules: 1,
  status: "running",
  options: {},
  seats: [seat(0), seat(1)],
  host: "p0",
  host_name: "Ann",
  is_host: true,
  is_public: true,
  invite: null,
  watch_key: null,
  hotseat: false,
  undo: true,
  hints: true,
  clock: { tempo: "none", reserve_ms: 0, increment_ms: 0 },
  can_undo: false,
  can_go_back: false,
  is_practice: false,
  draw_offer: null,
  partners: [],
  partner_talk: false,
  from_position: false,
  is_imported: false,
  by_hand: "",
  odds: true,
  due: null,
  amend_from: null,
  typed: [],
  amendment: null,
  previous: null,
  next: null,
  result: null,
  fairness: { proof: 2, commitment: "", awaited: [], client_seeds: null, sources: null, server_seed: null },
  created_ms: 0,
  started_ms: 0,
  ended_ms: null,
  now_ms: 0,
  ...more,
});

export const record = (ply: number, action: string): RecordFacts => ({
  ply,
  seat: ply === 1 ? null : ply % 2,
  action,
  outcomes: [],
  effects: [],
  at_ms: ply * 1000,
});

export const view = (ply: number, more: Partial<View> = {}): View & { crown: string } => ({
  game: "rose_king",
  rules: 1,
  seats: 2,
  options: {},
  ply,
  phase: "turn",
  actors: [0],
  you: 0,
  actions: ["N1", "draw"],
  outcome: null,
  crown: "e5",
  ...more,
});

/** The whole table with so many actions played. */
export const whole = (seq: number, actions: readonly string[], more: Partial<Update> = {}): Update => ({
  type: "update",
  table: facts(),
  seat: 0,
  seq,
  since: null,
  from_ply: 0,
  records: actions.map((action, index) => record(index + 1, action)),
  events: [],
  view: view(actions.length),
  ...more,
});

/** What happened since another update: records from a ply on are told anew. */
export const later = (since: number, seq: number, from: number, actions: readonly string[]): Update => ({
  ...whole(seq, []),
  since,
  from_ply: from,
  records: actions.map((action, index) => record(from + index + 1, action)),
  view: view(from + actions.length),
});

export class NotedLine implements Line {
  state: Line["state"] = "open";
  sent: TableCommand[] = [];
  asked = 0; // how often all was asked for again
  renewed = 0;
  answer: (answer: Ack | Refusal) => void = () => undefined; // to the last command
  hear: (update: Update) => void = () => undefined;
  watch: () => unknown = () => undefined;

  follow: Line["follow"] = (_, listener, watch) => {
    this.hear = listener;
    this.watch = watch;
    return () => undefined;
  };
  again = (): void => void this.asked++;
  renew = (): void => void this.renewed++;
  command: Line["command"] = (command) => {
    this.sent.push(command);
    return new Promise((done) => (this.answer = done));
  };
}

export const ack: Ack = {
  type: "ack",
  id: "a",
  table: "table1",
  seq: 9,
  ply: 1,
  next: null,
  commitment: null,
};
