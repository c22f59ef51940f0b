/** HTTP: one typed call per route. A refusal becomes a `Refused`, whose words are in the reader's language. */
import type { ErrorBody, Frames, GameFacts, Hint, ListKind, NewTable, PlayerFacts, Proof, Refusal, TableList, Update } from "../protocol";
import { has, spoken, t, word } from "./words.svelte";

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

async function call<T>(method: "GET" | "POST" | "PATCH", path: string, body?: unknown): Promise<T> {
  const reply = await fetch(path, {
    method,
    headers: { "Accept-Language": spoken(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
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

const query = (values: Record<string, string | number | null | undefined>): string => {
  const all = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== null && value !== undefined && value !== "") all.set(key, String(value));
  const text = all.toString();
  return text ? `?${text}` : "";
};

let games: Promise<GameFacts[]> | undefined;

export const api = {
  guest: (name: string) => call<PlayerFacts>("POST", "/api/guest", { name }),
  rename: (name: string) => call<PlayerFacts>("PATCH", "/api/me", { name }),
  games: (): Promise<GameFacts[]> =>
    (games ??= call<GameFacts[]>("GET", "/api/games").catch((error: unknown) => {
      games = undefined;
      throw error;
    })),
  tables: (kind: ListKind, before?: string | null, game?: string) => call<TableList>("GET", `/api/tables${query({ list: kind, before, game })}`),
  create: (table: Partial<NewTable> & Pick<NewTable, "game" | "seats">) => call<Update>("POST", "/api/tables", table).then((update) => update.table),
  frames: (id: string, seat: number | null, first: number, invite: string) =>
    call<Frames>("GET", `/api/tables/${id}/frames${query({ seat, first, invite })}`),
  /** Null when the match went on meanwhile; so too the odds. */
  preview: (id: string, seat: number, ply: number, action: string) => call<unknown>("GET", `/api/tables/${id}/preview${query({ seat, ply, action })}`),
  odds: (id: string, seat: number, ply: number) => call<{ targets: { target: string; odds: number; exact: boolean; available: boolean }[] } | null>("GET", `/api/tables/${id}/odds${query({ seat, ply })}`),
  hint: (id: string, seat: number, ply: number) => call<Hint>("POST", `/api/tables/${id}/hint`, { seat, ply }),
  proof: (id: string) => call<Proof>("GET", `/api/tables/${id}/proof`),
  transcript: (id: string, seat: number | null, invite: string) => `/api/tables/${id}/transcript${query({ seat, invite })}`,
  qr: (id: string, invite: string) => `/api/tables/${id}/qr.svg${query({ invite })}`,
};
