/** Addresses of a table, and a new table that begins where an old one stood. */
import { announcer } from "../app/announcer.svelte";
import { t } from "../app/words.svelte";
import type { GameFacts } from "../protocol";
import { go } from "../router.svelte";
import { reason } from "../server/api";
import { createTable } from "../server/dice";
import { me } from "../server/me.svelte";
import type { TableStore } from "./store.svelte";

/** A table, or (with a ply) a moment of its match. */
export function addressOf(id: string, invite: string, ply: number | null = null): string {
  const query = new URLSearchParams();
  if (ply !== null) query.set("ply", String(ply));
  if (invite) query.set("invite", invite);
  const text = query.toString();
  return `/t/${id}${text ? `?${text}` : ""}`;
}

export async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    announcer.show({ kind: "info", text: t("ui.copied") });
  } catch {
    announcer.show({ kind: "info", text: address });
  }
}

export const share = (table: TableStore, ply: number | null): Promise<void> =>
  copyAddress(`${location.origin}${addressOf(table.id, table.invite, ply)}`);

/** Play on against bots from the ply that is shown. */
export async function fork(table: TableStore, game: GameFacts | null): Promise<void> {
  const facts = table.facts;
  if (!facts) return;
  await me.ensure();
  const bot = game?.bots.at(-1)?.id ?? "random";
  const own = table.seat ?? table.shown?.actors[0] ?? 0;
  try {
    const created = await createTable({
      game: facts.game,
      table: table.id,
      ply: table.shownPly,
      options: facts.options,
      is_public: false,
      seats: facts.seats.map((_, seat) => (seat === own ? { kind: "human" } : { kind: "bot", bot })),
    });
    go(addressOf(created.id, ""));
  } catch (error) {
    announcer.show({ kind: "refused", text: reason(error) });
  }
}
