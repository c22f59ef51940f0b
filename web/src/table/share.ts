/** Addresses of a table, and a new table that begins where an old one stood. */
import { announcer } from "../app/announcer.svelte";
import { t } from "../app/words.svelte";
import type { GameFacts } from "../protocol";
import { go } from "../router.svelte";
import { type Pass, reason } from "../server/api";
import { createTable } from "../server/dice";
import { me } from "../server/me.svelte";
import { momentAt } from "./moments";
import type { TableStore } from "./store.svelte";

/** A table, or (with a ply) a moment of its match. */
export function addressOf(id: string, pass: Pass, ply: number | null = null): string {
  const query = new URLSearchParams();
  if (ply !== null) query.set("moment", String(momentAt(ply)));
  if (pass.invite) query.set("invite", pass.invite);
  if (pass.key) query.set("key", pass.key);
  const text = query.toString();
  return `/t/${id}${text ? `?${text}` : ""}`;
}

/** A name by which a machine calls itself: another device that opens it finds itself. */
export const isThisMachine = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(\.\d+){3}$/.test(name);

/** The analysis of a table's match, at the moment that is shown. */
export function analysisOf(table: TableStore): string {
  const address = addressOf(
    table.id,
    { ...table.pass, ...toWatch(table) },
    table.shownPly ?? table.view?.ply ?? null,
  );
  const query = new URLSearchParams(address.split("?")[1]);
  query.set("table", table.id);
  return `/analysis/${table.facts?.game}?${query}`;
}

/** Not while people play it, for who sits there, nor where hints are off: the server would refuse it. */
export function mayAnalyse({ facts, view, ownSeats }: TableStore): boolean {
  if (!facts || !view) return false;
  const people = facts.seats.filter(({ kind }) => kind === "human" || kind === "hotseat").length;
  return facts.status === "ended" || !ownSeats.length || (facts.hints && people < 2);
}

/** The screen that lies on a real table. */
export const screenOf = (id: string, pass: Pass): string => addressOf(id, pass).replace("/t/", "/screen/");

/** What brings somebody to the table, and to the next of the same people, with all rights of a guest. */
export function invitation({ facts, pass }: TableStore): Pass {
  const invite = facts?.invite ?? pass.invite;
  return invite ? { invite } : {};
}

/** What lets whoever gets it watch, and no more. */
export const toWatch = ({ facts }: TableStore): Pass => (facts?.watch_key ? { key: facts.watch_key } : {});

export async function copyText(text: string, said = t("ui.copied")): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announcer.show({ kind: "info", text: said });
  } catch {
    announcer.show({ kind: "info", text, stays: true }); // to be copied by hand
  }
}

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
      ...toWatch(table),
      options: facts.options,
      is_public: false,
      seats: facts.seats.map((_, seat) => (seat === own ? { kind: "human" } : { kind: "bot", bot })),
    });
    go(addressOf(created.id, {}));
  } catch (error) {
    announcer.show({ kind: "refused", text: reason(error) });
  }
}
