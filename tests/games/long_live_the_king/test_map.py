"""The map: the package's table, its polygons for the browser, and everything the rulebooks say of the board."""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest

from regalia import GAMES
from regalia.games.long_live_the_king.components import (
    AREA_NAMES,
    DEGREE,
    MAN,
    NEIGHBOURS,
    NOWHERE,
    SEA_LINES,
    START_NAMES,
    VOTES,
)

Point = tuple[float, float]


@cache
def drawn() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((GAMES["long_live_the_king"].folder / "map.json").read_text("utf-8"))
    return data


def near(name: str) -> set[str]:
    area = AREA_NAMES.index(name)
    return {AREA_NAMES[other] for other in NEIGHBOURS[area, : DEGREE[area]]}


def pairs() -> set[frozenset[str]]:
    return {frozenset((name, other)) for name in AREA_NAMES for other in near(name)}


def votes(name: str) -> int:
    return int(VOTES[AREA_NAMES.index(name)])


@pytest.mark.clause("LK-1")
def test_thirteen_areas_bring_39_votes_in_twos_threes_and_fours() -> None:
    assert len(AREA_NAMES) == len(set(AREA_NAMES)) == 13
    assert VOTES.sum() == 39
    assert set(VOTES.tolist()) == {2, 3, 4}


@pytest.mark.clause("LK-2")
def test_without_man_37_votes_remain() -> None:
    assert VOTES.sum() - VOTES[MAN] == 37
    assert "Man" not in START_NAMES[3]


@pytest.mark.clause("LK-12")
def test_neighbours_go_both_ways_and_sea_lines_are_neighbours() -> None:
    assert all(name in near(other) for name in AREA_NAMES for other in near(name))
    assert pairs() >= SEA_LINES
    assert (NEIGHBOURS[DEGREE[:, None] <= range(NEIGHBOURS.shape[1])] == NOWHERE).all()


@pytest.mark.clause("LK-1")
def test_areas_have_as_many_neighbours_as_the_rulebook_says() -> None:
    assert {len(near(name)) for name in AREA_NAMES if votes(name) == 2} == {2}
    assert {len(near(name)) for name in AREA_NAMES if votes(name) == 4} == {6}
    assert all(3 <= len(near(name)) <= 5 for name in AREA_NAMES if votes(name) == 3)


@pytest.mark.clause("LK-X1", "LK-X4", "LK-X8")
def test_the_areas_the_rulebook_names_are_as_it_says() -> None:
    assert near("Wigemor") == {"Man", "Loncastre", "Tateshale", "Stadford", "Oxeneford", "Lideforde"}
    assert {frozenset(("Wigemor", "Man")), frozenset(("Wigemor", "Lideforde"))} <= SEA_LINES
    assert near("Sarisberie") == {"Oxeneford", "Lideforde"}
    assert [votes(name) for name in ("Tateshale", "Sedberouie", "Oxeneford")] == [4, 2, 4]
    assert sum(map(votes, ("Tateshale", "Lincolia", "Grentebrige", "Lundonia"))) == 14
    assert [START_NAMES[seats][0] for seats in (3, 4, 5)] == ["Rouecestre", "Tateshale", "Stadford"]


@pytest.mark.clause("LK-4")
def test_each_number_of_players_has_its_own_start_areas_and_nobody_starts_beside_another() -> None:
    assert sum(len(names) for names in START_NAMES.values()) == 12
    for seats, names in START_NAMES.items():
        assert len(set(names)) == seats
        assert not {frozenset(pair) for pair in combinations(names, 2)} & pairs()


def test_the_map_for_the_browser_says_the_same_as_the_table() -> None:
    assert {area["name"]: area["votes"] for area in drawn()["areas"]} == {
        name: votes(name) for name in AREA_NAMES
    }
    land = {frozenset(pair) for pair in drawn()["land"]}
    sea = {frozenset(line["between"]) for line in drawn()["sea"]}
    assert land | sea == pairs()
    assert not land & sea
    assert sea == SEA_LINES
    assert {int(seats): tuple(names) for seats, names in drawn()["start"].items()} == START_NAMES


def test_polygons_touch_along_every_land_border_and_nowhere_else() -> None:
    shapes = {area["name"]: [tuple(point) for point in area["polygon"]] for area in drawn()["areas"]}
    touching = {
        frozenset((one, other))
        for one, other in combinations(shapes, 2)
        if shared(shapes[one], shapes[other]) > 0.5
    }
    assert touching == {frozenset(pair) for pair in drawn()["land"]}


def shared(one: list[Point], other: list[Point]) -> float:
    """How much of their outlines two polygons share."""
    return sum(overlap(*edge, *twin) for edge in edges(one) for twin in edges(other))


def edges(shape: list[Point]) -> list[tuple[Point, Point]]:
    return list(zip(shape, [*shape[1:], shape[0]], strict=True))


def overlap(start: Point, end: Point, first: Point, second: Point) -> float:
    """The length that two edges on one line have in common."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    places = []
    for point in (first, second):
        x, y = point[0] - start[0], point[1] - start[1]
        if abs(x * along[1] - y * along[0]) > 0.01:
            return 0
        places.append(x * along[0] + y * along[1])
    return max(0.0, min(length, max(places)) - max(0.0, min(places)))


def test_no_two_connections_cross() -> None:
    """Borders of polygons that do not overlap cannot cross; here the sea lines, and that labels lie in their areas."""
    lines = [list(map(tuple, line["line"])) for line in drawn()["sea"]]
    for one, other in combinations(lines, 2):
        assert not any(crossing(*a, *b) for a in path(one) for b in path(other))
    for area in drawn()["areas"]:
        assert inside(tuple(area["label"]), [tuple(point) for point in area["polygon"]])


def path(line: list[Point]) -> list[tuple[Point, Point]]:
    return list(pairwise(line))


def side(a: Point, b: Point, point: Point) -> float:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def inside(point: Point, shape: list[Point]) -> bool:
    crossings = 0
    for (x1, y1), (x2, y2) in edges(shape):
        if (y1 > point[1]) != (y2 > point[1]):
            crossings += point[0] < (x2 - x1) * (point[1] - y1) / (y2 - y1) + x1
    return crossings % 2 == 1
