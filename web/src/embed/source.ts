/** What an embed asks the server: as a stranger who came without cookies, whoever looks at it. */
import { spoken } from "../app/words.svelte";
import type { AnalysisFacts, ErrorBody, Frames, Update } from "../protocol";

export class Refused extends Error {
  constructor(
    readonly isMissing: boolean,
    text: string,
  ) {
    super(text);
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const reply = await fetch(path, {
    credentials: "omit",
    headers: {
      "Accept-Language": spoken(),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const answer = (await reply.json()) as T & Partial<ErrorBody>;
  if (reply.ok) return answer;
  throw new Refused(reply.status === 404, answer.error?.text ?? "");
}

export const source = {
  table: (id: string) => ask<Update>(`/api/tables/${id}`),
  frames: (id: string, first: number) => ask<Frames>(`/api/tables/${id}/frames?first=${first}`),
  position: (game: string, position: string) =>
    ask<AnalysisFacts>(`/api/games/${game}/analysis`, { start: { position }, viewer: "spectator" }),
};
