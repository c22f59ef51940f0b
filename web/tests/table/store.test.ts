import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "../../src/app/settings.svelte";
import type { Server } from "../../src/table/state.svelte";
import { TableStore } from "../../src/table/store.svelte";
import { later, NotedLine, whole } from "./telling";

const SERVER: Server = {
  games: () => Promise.resolve([]),
  frames: () => Promise.resolve({ seat: null, first: 1, views: [] }),
  previews: () => Promise.resolve(null),
  odds: () => Promise.resolve(null),
  hint: () => Promise.reject(new Error("nobody thinks here")),
};

describe("a decision", () => {
  let line: NotedLine;
  let table: TableStore;
  beforeEach(async () => {
    line = new NotedLine();
    table = new TableStore("table1", {}, line, SERVER);
    line.hear(whole(3, ["set up", "N1", "S1"]));
    await vi.waitFor(() => expect(table.ui).not.toBeNull(), 20_000);
    line.hear(whole(3, ["set up", "N1", "S1"])); // from the seat that was taken meanwhile
    expect(table.actions).toEqual(["N1", "draw"]);
  });
  afterEach(() => {
    table.close();
    settings.set({ confirm: false });
  });

  it("says on which update it was taken", () => {
    table.choose("draw");
    expect(line.sent).toEqual([{ type: "play", table: "table1", seat: 0, seq: 3, action: "draw" }]);
  });

  it("left in its dialog over an undo is sent for the position it was taken on", () => {
    settings.set({ confirm: true });
    table.choose("draw");
    expect(table.pending).toMatchObject({ action: "draw", seq: 3 });
    line.hear(later(3, 4, 2, []));
    line.hear(later(4, 5, 2, ["S2"]));
    expect(table.view?.ply).toBe(3); // the same ply, another position
    void table.play(table.pending!);
    expect(line.sent).toEqual([{ type: "play", table: "table1", seat: 0, seq: 3, action: "draw" }]);
    expect(table.pending).toBeNull();
  });

  it("is taken on what is shown, not on what has come in and waits to be shown", () => {
    settings.set({ motion: "full" });
    line.hear(later(3, 4, 3, ["N1", "S1"]));
    line.hear(later(4, 6, 5, ["N2"]));
    expect(table.playback.isIdle).toBe(false);
    table.choose("draw");
    expect(line.sent).toMatchObject([{ seq: 4 }]);
    expect(table.feed.seq).toBe(6);
    settings.set({ motion: "none" });
  });

  it("to take back says on which update it was taken, too", () => {
    void table.undo();
    expect(line.sent).toEqual([{ type: "undo", table: "table1", seat: 0, seq: 3 }]);
  });
});
