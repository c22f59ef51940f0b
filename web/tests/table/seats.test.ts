import { describe, expect, it } from "vitest";
import { Seats } from "../../src/table/seats.svelte";
import { facts, seat, view, whole } from "./telling";

const OPEN_HANDS = false;
const HIDDEN_HANDS = true;
const TWO_HERE = facts({ seats: [seat(0), seat(1, { is_yours: true }), seat(2)] });

describe("the seat looked from", () => {
  it("is one's own", () => {
    let looks = 0;
    const seats = new Seats("table1", () => looks++);
    seats.follow(facts(), view(1), OPEN_HANDS);
    seats.follow(facts(), view(2, { actors: [1] }), OPEN_HANDS);
    expect([seats.seat, looks]).toEqual([0, 1]);
  });

  it("is the one that is due when several play at one device", () => {
    const seats = new Seats("table1", () => undefined);
    seats.follow(TWO_HERE, view(1), OPEN_HANDS);
    expect(seats.seat).toBe(0);
    seats.follow(TWO_HERE, view(2, { actors: [1] }), OPEN_HANDS);
    expect([seats.seat, seats.passing]).toEqual([1, null]);
  });

  it("is the one that has to type its real cards", () => {
    const seats = new Seats("table1", () => undefined);
    const due = { phase: "deal", seat: null, count: 0, most: {}, can_type: false, awaited: [1] };
    seats.lookFrom(0);
    seats.follow({ ...TWO_HERE, due }, view(2, { actors: [7] }), HIDDEN_HANDS);
    expect(seats.passing).toBe(1);
  });

  it("is nobody's until the device has been passed, where hands are hidden", () => {
    const seats = new Seats("table1", () => undefined);
    seats.follow(TWO_HERE, view(2, { actors: [1] }), HIDDEN_HANDS);
    expect([seats.seat, seats.passing]).toEqual([null, 1]);
    seats.lookFrom(1);
    expect([seats.seat, seats.passing]).toEqual([1, null]);
  });

  it("is nobody's while all look at what came up, and then the device is passed", () => {
    const seats = new Seats("table1", () => undefined);
    const news = 5;
    const follow = (): void => seats.follow(TWO_HERE, view(6, { actors: [1] }), HIDDEN_HANDS, news);
    seats.lookFrom(1); // also when whoever acted last is due again
    follow();
    expect([seats.seat, seats.passing, seats.showing]).toEqual([null, null, 1]);
    follow(); // what a spectator sees of it
    expect([seats.passing, seats.showing]).toEqual([null, 1]);
    seats.passOn();
    follow();
    expect([seats.seat, seats.passing, seats.showing]).toEqual([null, 1, null]);
    seats.lookFrom(1);
    follow(); // it has been seen
    expect([seats.seat, seats.passing, seats.showing]).toEqual([1, null, null]);
  });

  it("stays the one chosen on purpose", () => {
    const seats = new Seats("table1", () => undefined);
    seats.lookFrom(1, true);
    seats.follow(TWO_HERE, view(1), OPEN_HANDS);
    expect(seats.seat).toBe(1);
  });

  it("is a spectator's when somebody else has taken it", () => {
    const seats = new Seats("table1", () => undefined);
    seats.lookFrom(0);
    seats.noticeLoss(whole(4, []));
    expect(seats.seat).toBe(0);
    const lost = facts({ seats: [seat(0, { is_yours: false }), seat(1)] });
    seats.noticeLoss(whole(5, [], { seat: null, table: lost }));
    expect(seats.seat).toBeNull();
  });
});
