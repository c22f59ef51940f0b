import { beforeEach, describe, expect, it, vi } from "vitest";
import type { TableFacts } from "../src/protocol";
import { api, Refused } from "../src/server/api";
import { createTable, isAsNoted, seedFor, sendSeed } from "../src/server/dice";

const PROMISE = "c0".repeat(32);

function facts(seeds: readonly string[], commitment = PROMISE): TableFacts {
  return {
    id: "table-0001",
    seats: seeds.map((_, seat) => ({ seat, is_yours: seat === 0 })),
    fairness: { commitment, awaited: [0], client_seeds: seeds },
  } as unknown as TableFacts;
}

describe("the reader's share in the dice", () => {
  beforeEach(() => {
    localStorage.clear();
    vi.restoreAllMocks();
  });

  it("is drawn once a table, for every tab and however often it is sent", () => {
    const seed = seedFor("table-0001", PROMISE);
    expect(seed).toMatch(/^[0-9a-f]{32}$/);
    expect(seedFor("table-0001", PROMISE)).toBe(seed);
    expect(seedFor("table-0002", PROMISE)).not.toBe(seed);
  });

  it("is sent only when the commitment is known", async () => {
    const heard: string[] = [];
    vi.spyOn(api, "create").mockImplementation(async () => {
      heard.push("create");
      return facts([]);
    });
    vi.spyOn(api, "seed").mockImplementation(async (table, _, seed) => {
      heard.push(`${table} ${seed === seedFor(table, PROMISE)}`);
      return {} as never;
    });
    await createTable({ game: "rose_king", seats: [{ kind: "human" }] });
    expect(heard).toEqual(["create", "table-0001 true"]);
  });

  it("is compared with what the proof says", () => {
    expect(isAsNoted(facts(["aa", "bb"]))).toBeNull();
    const seed = seedFor("table-0001", PROMISE);
    expect(isAsNoted(facts([seed, "bb"]))).toBe(true);
    expect(isAsNoted(facts(["aa", "bb"]))).toBe(false);
    expect(isAsNoted(facts([seed, "bb"], "dd".repeat(32)))).toBe(false);
  });

  it("is kept when the network fails, and let go of when another device was first", async () => {
    const send = vi.spyOn(api, "seed").mockRejectedValue(new TypeError("offline"));
    await sendSeed("table-0001", PROMISE);
    const seed = send.mock.calls[0]![2];
    expect(isAsNoted(facts([seed]))).toBe(true);
    send.mockRejectedValue(new Refused({ code: "wrong_phase", text: "" } as never));
    await sendSeed("table-0001", PROMISE);
    expect(send.mock.calls[1]![2]).toBe(seed);
    expect(isAsNoted(facts([seed]))).toBe(true);
    await sendSeed("table-0002", PROMISE);
    expect(isAsNoted({ ...facts(["aa"]), id: "table-0002" })).toBeNull();
  });
});
