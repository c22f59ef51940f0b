/** HTTP: one typed call per route. A refusal becomes a `Refused`, whose words are in the reader's language. */
import type {
  AccountBegun,
  AccountFacts,
  Ack,
  AnalysisFacts,
  AnalysisRequest,
  AttemptFacts,
  Boards,
  ErrorBody,
  ExampleFacts,
  Frames,
  GameFacts,
  Glossary,
  GuideFacts,
  Hint,
  LessonFacts,
  ListKind,
  NewAccount,
  NewTable,
  PasskeyAnswer,
  PasskeyAsked,
  PasskeySignIn,
  PlayerFacts,
  Preparing,
  Previews,
  Proof,
  Reach,
  Proving,
  RecoveryCode,
  Rulebook,
  Refusal,
  ReviewFacts,
  ReviewRequest,
  SessionFacts,
  SignedInFacts,
  StudyFacts,
  TableList,
  TrainerFacts,
  Update,
} from "../protocol";
import { has, spoken, t, word } from "../app/words.svelte";

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.text);
  }
}

/** The words of a refusal, from the reader's own catalogue where it knows the key. */
export function explain(refusal: Refusal): string {
  return has(refusal.key) ? word(refusal.key, refusal.values) : refusal.text;
}

/** What went wrong, as a sentence. */
export function reason(error: unknown): string {
  return error instanceof Refused ? explain(error.refusal) : t("ui.error.network");
}

async function call<T>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<T> {
  const reply = await fetch(path, {
    method,
    headers: {
      "Accept-Language": spoken(),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.ok) return (reply.status === 204 ? undefined : await reply.json()) as T;
  let refusal: Refusal | undefined;
  try {
    refusal = ((await reply.json()) as ErrorBody).error;
  } catch {
    throw new Error(`${reply.status}`);
  }
  throw new Refused(refusal);
}

/** What opens a table that is not public to who neither sits there nor made it: an invitation, or a link to watch. */
export interface Pass {
  invite?: string;
  key?: string;
}

/** As it stands in an address. */
export function passOf(address: URLSearchParams): Pass {
  const [invite, key] = [address.get("invite"), address.get("key")];
  return { ...(invite ? { invite } : {}), ...(key ? { key } : {}) };
}

type Value = string | number | null | undefined;

/** A list becomes a parameter per value, all of the same name. */
const query = (values: Record<string, Value | readonly string[]>): string => {
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    for (const one of typeof value === "object" && value ? value : [value])
      if (one !== null && one !== undefined && one !== "") all.append(key, String(one));
  const text = all.toString();
  return text ? `?${text}` : "";
};

let games: Promise<GameFacts[]> | undefined;

export const api = {
  guest: (name: string) => call<PlayerFacts>("POST", "/api/guest", { name }),
  rename: (name: string) => call<PlayerFacts>("PATCH", "/api/me", { name }),
  account: () => call<AccountFacts>("GET", "/api/account"),
  beginAccount: (name: string) => call<AccountBegun>("POST", "/api/account/begin", { name }),
  createAccount: (body: Partial<NewAccount>) => call<PlayerFacts>("POST", "/api/account", body),
  setPassword: (password: string) => call<AccountFacts>("POST", "/api/account/password", { password }),
  beginPasskey: () => call<PasskeyAsked>("POST", "/api/account/passkey/begin"),
  addPasskey: (body: PasskeyAnswer) => call<AccountFacts>("POST", "/api/account/passkey", body),
  removeWay: (id: string) =>
    call<AccountFacts>("DELETE", `/api/account/credentials/${encodeURIComponent(id)}`),
  newRecovery: () => call<RecoveryCode>("POST", "/api/account/recovery"),
  prove: (body: Partial<Proving>) => call<PlayerFacts>("POST", "/api/account/proof", body),
  askPasskey: () => call<PasskeyAsked>("POST", "/api/sign_in/passkey/begin"),
  signInByPasskey: (body: PasskeySignIn) => call<SignedInFacts>("POST", "/api/sign_in/passkey", body),
  signInByPassword: (name: string, password: string, bring: boolean) =>
    call<SignedInFacts>("POST", "/api/sign_in/password", { name, password, bring }),
  signInByRecovery: (name: string, code: string, bring: boolean) =>
    call<SignedInFacts>("POST", "/api/sign_in/recovery", { name, code, bring }),
  sessions: () => call<SessionFacts[]>("GET", "/api/me/sessions"),
  endSession: (id: string) => call<SessionFacts[]>("DELETE", `/api/me/sessions/${id}`),
  endOthers: (tokens: boolean) => call<SessionFacts[]>("POST", "/api/me/sessions/end_others", { tokens }),
  games: (): Promise<GameFacts[]> =>
    (games ??= call<GameFacts[]>("GET", "/api/games").catch((error: unknown) => {
      games = undefined;
      throw error;
    })),
  reach: () => call<Reach>("GET", "/api/reach"),
  preparation: (game?: string) => call<Preparing[]>("GET", `/api/preparation${query({ game })}`),
  guide: (game: string) => call<GuideFacts>("GET", `/api/games/${game}/guide`),
  lesson: (game: string, step: number, answers: readonly string[], previews: readonly string[] = []) =>
    call<LessonFacts>("POST", `/api/games/${game}/lesson`, { step, answers, previews }),
  analysis: (game: string, moment: Partial<AnalysisRequest>) =>
    call<AnalysisFacts>("POST", `/api/games/${game}/analysis`, moment),
  study: (text: string) => call<StudyFacts>("POST", "/api/study", { text }),
  glossary: (game: string) => call<Glossary>("GET", `/api/games/${game}/glossary`),
  example: (game: string, clause: string) =>
    call<ExampleFacts>("GET", `/api/games/${game}/examples/${encodeURIComponent(clause)}`),
  attempt: (game: string, clause: string, actions: readonly string[], previews: readonly string[] = []) =>
    call<AttemptFacts>("POST", `/api/games/${game}/examples/${encodeURIComponent(clause)}`, {
      actions,
      previews,
    }),
  trainer: (game: string, level: string, hand: number, answer: string | null) =>
    call<TrainerFacts>("POST", `/api/games/${game}/trainer`, { level, hand, answer }),
  rulebook: (game: string) => call<Rulebook>("GET", `/api/games/${game}/rulebook`),
  tables: (kind: ListKind, before?: string | null, game?: string) =>
    call<TableList>("GET", `/api/tables${query({ list: kind, before, game })}`),
  boards: (tables: readonly string[]) => call<Boards>("GET", `/api/boards${query({ tables })}`),
  create: (table: Partial<NewTable> & Pick<NewTable, "game" | "seats">) =>
    call<Update>("POST", "/api/tables", table).then((update) => update.table),
  seed: (table: string, id: string, seed: string) =>
    call<Ack>("POST", `/api/tables/${table}/commands`, { type: "seed", table, id, seed }),
  frames: (id: string, seat: number | null, first: number, pass: Pass) =>
    call<Frames>("GET", `/api/tables/${id}/frames${query({ seat, first, ...pass })}`),
  /** Null when the match went on meanwhile; so too the odds. */
  previews: (id: string, seat: number, seq: number, actions: readonly string[]) =>
    call<Previews | null>("GET", `/api/tables/${id}/previews${query({ seat, seq, actions })}`),
  odds: (id: string, seat: number, seq: number) =>
    call<{ targets: { target: string; odds: number; exact: boolean; available: boolean }[] } | null>(
      "GET",
      `/api/tables/${id}/odds${query({ seat, seq })}`,
    ),
  hint: (id: string, seat: number, seq: number) =>
    call<Hint>("POST", `/api/tables/${id}/hint`, { seat, seq }),
  review: (id: string, view: number | null, after: number, pass: Pass) =>
    call<ReviewFacts>("GET", `/api/tables/${id}/review${query({ view, after, ...pass })}`),
  makeReview: (id: string, request: ReviewRequest) =>
    call<ReviewFacts>("POST", `/api/tables/${id}/review`, request),
  proof: (id: string, pass: Pass) => call<Proof>("GET", `/api/tables/${id}/proof${query({ ...pass })}`),
  transcript: (id: string, seat: number | null, pass: Pass) =>
    `/api/tables/${id}/transcript${query({ seat, ...pass })}`,
  picture: (id: string, kind: string, look: Record<string, Value>, pass: Pass) =>
    `/api/tables/${id}/picture.${kind}${query({ ...look, ...pass })}`,
  position: (id: string, ply: number | null, seat: number | null, pass: Pass) =>
    `/api/tables/${id}/position${query({ ply, seat, ...pass })}`,
  /** `to`: the seat that who scans it is led to. */
  qr: (id: string, pass: Pass, to?: number) => `/api/tables/${id}/qr.svg${query({ ...pass, to })}`,
};
