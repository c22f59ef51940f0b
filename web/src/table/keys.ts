/** The keyboard at a table: choices by their letters, undo, the command line, and steps of a replay. */
import { isForPage, isTyped } from "../app/keys";
import type { Choice } from "../games/contract";
import type { TableStore } from "./store.svelte";

const SILENT = ["Tab", "Shift", "Control", "Alt", "Meta"];

/** What a key does. */
export function onKey(event: KeyboardEvent, table: TableStore, openRules: () => void): void {
  if (isUndo(event)) {
    event.preventDefault();
    if (table.canTakeBack) void table.undo();
    return;
  }
  if (!isForPage(event)) return;
  if (table.pending && event.key === "Escape") table.pending = null;
  else if (table.isHeld) endMotion(event, table);
  else if (table.shownPly !== null) stepReplay(event, table, table.shownPly);
  else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("command")?.focus();
  } else if (event.key === "?") openRules();
  else if (event.key === "z" && table.canTakeBack) void table.undo();
  else choose(event, table);
}

/** Ctrl+Z or ⌘+Z; in a field it takes back what was typed there. */
const isUndo = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) &&
  !event.shiftKey &&
  !event.altKey &&
  event.key.toLowerCase() === "z" &&
  !isTyped(event);

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

/** Do what a button beside the prompt stands for, or say why it cannot be done. */
export function take(choice: Choice, table: TableStore): void {
  if (choice.run) choice.run();
  else if (choice.action) table.choose(choice.action);
  else if (choice.why) table.say(choice.why);
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
  take(choice, table);
}
