"""The rare cases of Carolus Magnus, told from the position before and after a record."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from games.carolus_magnus.play import choose_in, mood_of
from regalia import Match
from regalia.core.transcript import Record

RARE = {
    "forced_disc": "CM-12: a number laid twice in a round",
    "short_reserve": "CM-20: fewer knights in reserve than asked for",
    "empty_reserve": "CM-20: no knight at all, straight to the emperor",
    "whole_turn": "CM-30: the emperor once round the ring",
    "given_away": "CM-31: another side than the mover's gains",
    "refill_by_die": "CM-41: courts refill the supply for a die",
    "refill_by_crown": "CM-41: courts refill the supply for a crown",
    "die_as_crown": "CM-42: a die whose colour is not to be had",
    "nothing_taken": "CM-42: no colour is to be had",
    "tie": "CM-51: equality at the top",
    "third_side_stays": "CM-51: a weaker third side keeps its castles under equality",
    "region_taken": "CM-53: several castles change hands together",
    "double_merge": "CM-54: neighbours on both sides join",
    "past_fifteen": "CM-54: a region holds both 15 and 1",
    "short_castles": "CM-56: fewer castles left than to be replaced",
    "won_by_another": "CM-60: the last castle is not of the mover's side",
    "tie_broken": "CM-62: equal castles, more colours",
    "victory_shared": "CM-62: equal in castles and colours",
    "four_running": "CM-X8: two partners act four times running",
}


def play_and_watch(seats: int, seed: int, seen: Counter[str], mood: str | None = None) -> Match:
    """A driven game, in its own mood unless told; counts the rare cases it met."""
    rng = random.Random(seed)
    options = {"partners": rng.choice(["02-13", "01-23", "03-12"])} if seats == 4 else {}
    match = Match.new("carolus_magnus", seats=seats, seed=seed, options=options)
    teams = [set(side["seats"]) for side in match.view()["sides"]]
    movers: list[int] = []
    before = match.position()
    while match.actors:
        seat = match.actors[0]
        moves = (
            {move["action"]: move for move in match.view(seat)["previews"]}
            if match.phase == "emperor"
            else {}
        )
        record = match.play(seat, choose_in(mood or mood_of(match), match, seat, rng))
        after = match.position()
        seen.update(of_knights(before, after, record))
        if moves:
            movers.append(seat)
            seen.update(of_castles(before, after, moves[record.action], teams, seat))
            if seats == 4 and movers[-4:-2] == movers[-2:] and {*movers[-2:]} in teams:
                seen["four_running"] += 1
        before = after
    assert match.outcome is not None
    seen[match.outcome.reason] += 1
    if match.outcome.reason != "castles":
        best = [seat for seat in range(seats) if match.outcome.points[seat] == max(match.outcome.points)]
        tied = sum(bool(team & set(best)) for team in teams)
        first = sum(bool(team & {s for s in range(seats) if match.outcome.ranks[s] == 1}) for team in teams)
        seen["victory_shared"] += first > 1
        seen["tie_broken"] += tied > first
    return match


def of_knights(before: dict[str, Any], after: dict[str, Any], record: Record) -> set[str]:
    """Discs, reserves, dice and the supply."""
    found = set()
    seat = before["turn"]
    service = 4 if before["seats"] == 3 else 3
    if record.action.startswith("disc"):
        number = int(record.action.split()[1])
        if number in [player["disc"] for player in before["players"]]:
            found.add("forced_disc")
    if after["phase"] == "knights" and before["phase"] != "knights" and after["due"] < service:
        found.add("short_reserve")
    if after["phase"] == "emperor" and before["phase"] != "knights":
        found.add("empty_reserve")
    courts = [sum(player["court"].values()) for position in (before, after) for player in position["players"]]
    if sum(courts[: before["seats"]]) > sum(courts[before["seats"] :]):
        found.add("refill_by_crown" if record.action.startswith("take") else "refill_by_die")
    if record.action.startswith("move") and after["phase"] != "over":
        gained = sum(
            sum(p["players"][seat]["reserve"].values()) * sign for p, sign in ((after, 1), (before, -1))
        )
        waiting = after["crowns"] if after["phase"] == "crown" else 0
        if waiting > record.outcomes.count("crown"):
            found.add("die_as_crown")
        if gained + waiting < service:
            found.add("nothing_taken")
    if (
        record.action.startswith("take")
        and before["round"]
        and before["crowns"] > 1
        and after["phase"] != "crown"
    ):
        found.add("nothing_taken")
    return found


def of_castles(
    before: dict[str, Any], after: dict[str, Any], move: dict[str, Any], teams: list[set[int]], seat: int
) -> set[str]:
    """The emperor's move and what it brought."""
    found = set()
    sides = ("black", "white", "grey")
    stop = next(place for place in before["ring"] if place["place"] == move["place"])
    here = next(place for place in after["ring"] if place["place"] == after["emperor"])
    top = max(move["strengths"].values())
    mine = next(sides[k] for k, team in enumerate(teams) if seat in team)
    if int(move["action"].split()[1]) == len(before["ring"]):
        found.add("whole_turn")
    if top and list(move["strengths"].values()).count(top) > 1:
        found.add("tie")
        if stop["owner"] and move["strengths"][stop["owner"]] < top:
            found.add("third_side_stays")
    if move["takes"] not in (None, mine):
        found.add("given_away")
        if after["reason"] == "castles":
            found.add("won_by_another")
    if move["loses"] and move["castles"] > 1:
        found.add("region_taken")
    if len(before["ring"]) - len(after["ring"]) == 2:
        found.add("double_merge")
    if {15, 1} <= set(here["provinces"]):
        found.add("past_fifteen")
    if after["reason"] == "castles" and here["castles"] < len(here["provinces"]):
        found.add("short_castles")
    return found
