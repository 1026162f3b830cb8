"""The vectors of all points of a rule set, each the smallest that was found.

- ``solver/…``: rejections by one clause alone, in positions that the solver found (see `biriba verify`), made small.
- ``boundary/…``: those that it was not asked for or beside which nothing was accepted, and the two sides of numbers and
  the rows of scores, found by a search.

What vectors that are there already show is not looked for again, so that they keep their ids: who found a vector, and
how many sides it shows, would give it another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from biriba.conformance.points.apart import Apart
from biriba.conformance.points.beside import BESIDE, Beside, Rejection
from biriba.conformance.points.points import GUARD, MELD, SIDES, Point, points
from biriba.conformance.points.possible import possible, with_a_way_out
from biriba.conformance.points.shown import Reasons, shown
from biriba.conformance.suite import Suite
from biriba.interpreter.rules import Rules
from biriba.model.position import Position
from biriba.notation import parse_action, parse_position
from biriba.scenario.complete import complete
from biriba.scenario.scenario import Provenance, Scenario, level_of

GROUPS = ("solver", "boundary")
Told = Callable[[str], None]
"""Is told what is looked for."""


def make(
    rules: Rules,
    solved: Iterable[Mapping[str, Any]] = (),
    told: Told = lambda what: None,
    suite: Suite | None = None,
) -> list[Scenario]:
    """The vectors of all points; one that shows several sides comes once, with the name of the first of them.

    Args:
        solved: the results of `biriba verify --only decisive --json`.
        suite: what is there already: its vectors of points are kept, and what any vector shows is not looked for.
    """
    suite = suite or Suite(rules, ())
    table = shown(suite, lambda point: told(point.name))
    lacking = {of.point.name: [name for name, side in of.sides.items() if not side.vectors] for of in table}
    found = {scenario.id: scenario for scenario in suite.scenarios if scenario.id.partition("/")[0] in GROUPS}
    for scenario in (*_guards(rules, solved, told, lacking), *_apart(rules, told, lacking)):
        found.setdefault(scenario.id, scenario)
    # What a search has left out of a vector may leave it at a lower level.
    return [replace(of, level=level_of(of.given, of.steps)) for of in found.values()]


def rejections(rules: Rules, solved: Iterable[Mapping[str, Any]]) -> Iterator[Rejection]:
    """The rejections by one clause alone that a report of the solver tells, as far as they are so."""
    beside = Beside(rules)
    for result in solved:
        shown = result["witness"]
        if result["group"] == "decisive clause" and shown and shown["actions"]:  # the end of a match has none
            position = possible(rules, parse_position(rules.ruleset, shown["position"]))
            stated = parse_action(rules.ruleset, shown["actions"][-1])
            if beside.because(position, stated) == (result["subject"],):
                rejection = Rejection(result["subject"], position, stated)
                still = partial(_rejected, beside, rejection)
                yield replace(rejection, position=with_a_way_out(rules, position, still))


def _rejected(beside: Beside, rejection: Rejection, position: Position) -> bool:
    """Whether the same clause alone rejects the same in another position."""
    return beside.because(position, rejection.action) == (rejection.clause,)


def _guards(
    rules: Rules, solved: Iterable[Mapping[str, Any]], told: Told, lacking: Mapping[str, list[str]]
) -> Iterator[Scenario]:
    beside, why = Beside(rules), Reasons(rules.ruleset)
    guards = {
        (point.clause, point.about): point
        for point in points(rules.ruleset)
        if point.kind == GUARD and lacking[point.name] and not any(why.of(point, side) for side in SIDES[GUARD])
    }
    wanted = {key for key in guards if key[1] != MELD}
    found: dict[tuple[str, str], tuple[str, list[tuple[str, Scenario]]]] = {}
    for rejection in rejections(rules, solved):
        key = (rejection.clause, rejection.action.name)
        if key not in guards:
            continue
        told(guards[key].name)
        vectors = list(beside.vectors(rejection))
        found[key] = "solver", vectors
        if len(vectors) > 1 or len(vectors[0][1].steps) > 1:
            wanted.discard(key)
    told("rejections in random positions")
    for rejection in beside.rejections(wanted):
        key = (rejection.clause, rejection.action.name)
        found[key] = "search", list(beside.vectors(rejection))
    for key, (kind, vectors) in found.items():
        point, group = guards[key], "solver" if kind == "solver" else "boundary"
        for suffix, scenario in vectors:
            accepted = "" if len(scenario.steps) == 1 else f", and beside it {point.about} is accepted"
            title = f"{point.clause} alone rejects {point.about}{accepted}"
            if suffix == BESIDE:
                title = f"Beside what {point.clause} rejects, {point.about} is accepted"
            yield _named(rules, scenario, point, f"{group}/{point.slug}{suffix}", title, kind)
    melds = {clause: point for (clause, about), point in guards.items() if about == MELD}
    for clause, scenario in beside.claims(set(melds)):
        point = melds[clause]
        title = f"{clause} alone forbids a meld, and the nearest one is lawful"
        yield _named(rules, scenario, point, f"boundary/{point.slug}", title, "search")


def _apart(rules: Rules, told: Told, lacking: Mapping[str, list[str]]) -> Iterator[Scenario]:
    apart, why = Apart(rules), Reasons(rules.ruleset)
    known: set[str] = set()
    for point in points(rules.ruleset):
        sides: dict[str, tuple[Scenario, list[str]]] = {}
        for side, mutant in point.mutants:
            changed = None if side not in lacking[point.name] or why.equivalent(mutant) else mutant.make()
            if changed is None:
                continue
            told(f"{point.name}, {side}")
            scenario = apart.find(Rules(changed))
            if scenario is not None:
                sides.setdefault(repr((scenario.given, scenario.steps)), (scenario, []))[1].append(side)
        for key, (scenario, names) in sides.items():
            if key in known:
                continue
            known.add(key)
            alone = len(sides) == 1 and len(lacking[point.name]) == len(point.mutants)
            suffix = "" if alone else f".{names[0].replace(' ', '-')}"
            title = f"{point.name}: {' or '.join(names)} would be wrong"
            if SIDES[point.kind] == tuple(names) and len(names) == 1:
                title = f"{point.name} counts"
            yield _named(rules, scenario, point, f"boundary/{point.slug}{suffix}", title, "search")


def _named(rules: Rules, scenario: Scenario, point: Point, name: str, title: str, kind: str) -> Scenario:
    clauses = tuple(dict.fromkeys((point.clause, *scenario.clauses)))
    digests = {clause: rules.ruleset.clauses[clause].digest for clause in clauses}
    provenance = Provenance(kind)
    return replace(
        complete(rules, scenario), id=name, title=title, clauses=clauses, digests=digests, provenance=provenance
    )
