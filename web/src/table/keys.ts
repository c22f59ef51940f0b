/** The keyboard at a table: choices by their letters, undo, the command line, and steps of a replay. */
import { isForPage } from "../app/keys";
import type { TableStore } from "./store.svelte";

const SILENT = ["Tab", "Shift", "Control", "Alt", "Meta"];

/** What a key does. */
export function onKey(event: KeyboardEvent, table: TableStore, openRules: () => void): void {
  if (!isForPage(event)) return;
  if (table.isHeld) endMotion(event, table);
  else if (table.shownPly !== null) stepReplay(event, table, table.shownPly);
  else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("command")?.focus();
  } else if (event.key === "?") openRules();
  else if (event.key === "z" && table.facts?.can_undo) void table.undo();
  else choose(event, table);
}

/** A key during motion ends it and does nothing else: what it would mean next is not to be seen yet. */
function endMotion(event: KeyboardEvent, table: TableStore): void {
  if (SILENT.includes(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  table.flush();
}

function stepReplay(event: KeyboardEvent, table: TableStore, ply: number): void {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  void table.replay(ply + step);
}

function choose(event: KeyboardEvent, table: TableStore): void {
  if (!table.ui || !table.shown || !table.isMyTurn) return;
  const choices = table.ui.choices(table.shown, table.actions, table.draft);
  const isOnButton = event.target instanceof Element && event.target.closest("button, a, [role=button]");
  const isEnter = event.key === "Enter" && !isOnButton;
  const choice =
    choices.find(({ key }) => key === event.key.toLowerCase()) ??
    (isEnter ? choices.find(({ primary, action }) => primary && action) : undefined);
  if (!choice) return;
  event.preventDefault();
  if (choice.run) choice.run();
  else if (choice.action) table.choose(choice.action);
}
