/** What the server's study finds while one looks: lines that get better until they are stopped. */
import { spoken } from "../app/words.svelte";
import type { ErrorBody, LinesFacts, LinesRequest } from "../protocol";
import { reason, Refused } from "../server/api";

export const SECONDS = 30;

export class Thinking {
  facts = $state.raw<LinesFacts | null>(null);
  isOn = $state(false);
  trouble = $state("");
  #asked: AbortController | null = null;

  async start(game: string, body: Partial<LinesRequest>): Promise<void> {
    this.stop();
    const asked = (this.#asked = new AbortController());
    [this.facts, this.trouble, this.isOn] = [null, "", true];
    try {
      const reply = await fetch(`/api/games/${game}/lines`, {
        method: "POST",
        signal: asked.signal,
        headers: { "Accept-Language": spoken(), "Content-Type": "application/json" },
        body: JSON.stringify({ ...body, seconds: SECONDS }),
      });
      if (!reply.ok) throw new Refused(((await reply.json()) as ErrorBody).error);
      for await (const facts of linesOf(reply.body!)) if (this.#asked === asked) this.facts = facts;
    } catch (error) {
      if (this.#asked === asked) this.trouble = reason(error);
    } finally {
      if (this.#asked === asked) this.isOn = false;
    }
  }

  /** At once: what was found stays. */
  stop(): void {
    const asked = this.#asked;
    this.#asked = null;
    this.isOn = false;
    asked?.abort();
  }

  clear(): void {
    this.stop();
    [this.facts, this.trouble] = [null, ""];
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LinesFacts> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as LinesFacts;
  }
}
