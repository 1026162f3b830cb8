"""Points: all guards, numbers and rows are among them, each side is shown by vectors or has a reason, and it is so."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from biriba.conformance import Suite, load_suite
from biriba.conformance.points.apart import Apart, passes
from biriba.conformance.points.beside import NEAR, Beside, Rejection
from biriba.conformance.points.points import COUNTS, GUARD, LESS, MORE, NUMBER, ROW, SIDES, Point, points
from biriba.conformance.points.shown import Acts, Reasons, page, shown
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.notation import parse_action, parse_given
from biriba.scenario.run import run, start
from biriba.scenario.scenario import Accept, Claim, GivenPosition, Reject

ALONE = {"boundary/run.max-size.extend", "boundary/turn.lay.lay"}
"""Beside these the search found nothing accepted that is near enough; the table names vectors that accept elsewhere."""
HINT = "run: python -m biriba.conformance.generate table"


@cache
def suite() -> Suite:
    return load_suite("biriba", forms=False)


@cache
def every() -> tuple[Point, ...]:
    return tuple(points(suite().rules.ruleset))


@cache
def table() -> list[dict[str, Any]]:
    found = json.loads((conformance_dir() / "strength" / "biriba.points.json").read_text(encoding="utf-8"))
    assert isinstance(found, list)
    return found


def point(name: str) -> Point:
    return next(point for point in every() if point.name == name)


def test_every_guard_number_and_row_is_a_point() -> None:
    ruleset = suite().rules.ruleset
    guards = {(of.clause, of.about) for of in every() if of.kind == GUARD}
    assert guards >= {(guard.clause, guard.action) for guard in ruleset.guards}
    assert {clause for clause, _ in guards} >= {law.clause for law in ruleset.laws}
    numbers = {of.about.split(" ")[0] for of in every() if of.kind == NUMBER}
    declared = {
        p.name for p in ruleset.parameters.values() if isinstance(p.value, int) and not isinstance(p.value, bool)
    }
    assert numbers >= declared
    assert {of.clause for of in every() if of.kind == ROW} >= {line.clause for line in ruleset.score}
    assert len({of.name for of in every()}) == len(every()) == len({of.slug for of in every()})


def test_each_side_is_shown_or_has_a_reason() -> None:
    assert [(of["kind"], of["clause"], of["about"]) for of in table()] == [
        (of.kind, of.clause, of.about) for of in every()
    ], HINT
    ids = {scenario.id for scenario in suite().scenarios}
    for of in table():
        assert list(of["sides"]) == list(SIDES[of["kind"]])
        for name, side in of["sides"].items():
            assert side.get("vectors") or side.get("reason"), f"{of['clause']}: {of['about']}, {name}"
            assert set(side.get("vectors", ())) <= ids, HINT


def test_the_page_is_made_from_the_table() -> None:
    assert (conformance_dir().parent / "docs/points.md").read_text(encoding="utf-8") == page(table()), HINT


def test_what_the_table_says_of_guards_is_so() -> None:
    acts = Acts(suite().scenarios)
    for of, told in zip(every(), table(), strict=True):
        if of.kind == GUARD:
            for name, side in told["sides"].items():
                showing = {scenario.id for scenario in acts.showing(of, name, suite().scenarios)}
                assert set(side.get("vectors", ())) <= showing
                assert bool(showing) == bool(side.get("vectors")), f"{of.name}, {name}: {HINT}"


@pytest.mark.parametrize("first", range(4))
def test_what_the_table_says_of_numbers_and_rows_is_so(first: int) -> None:
    """One vector of every fourth side fails under the rules with another number there."""
    by_id = {scenario.id: scenario for scenario in suite().scenarios}
    sides = [(side, mutant, told) for of, told in zip(every(), table(), strict=True) for side, mutant in of.mutants]
    for side, mutant, told in sides[first::20]:
        vectors = told["sides"][side].get("vectors")
        if vectors:
            changed = mutant.make()
            assert changed is not None
            assert not passes(by_id[vectors[0]], Rules(changed)), mutant.name


def test_the_list_of_what_cannot_be_shown_names_sides_of_points() -> None:
    assert Reasons(suite().rules.ruleset).strange(every()) == []


def test_vectors_of_guards_are_small_and_have_an_accepted_neighbour() -> None:
    rules = suite().rules
    made = [s for s in suite().scenarios if s.id.startswith("solver/")]
    made += [s for s in suite().scenarios if s.id.startswith("boundary/") and isinstance(s.steps[0].body, Reject)]
    assert len(made) > 20
    ids = {scenario.id for scenario in suite().scenarios}
    for scenario in made:
        bodies = [step.body for step in scenario.steps]
        if isinstance(bodies[0], Reject):
            assert bodies[0].because == (scenario.clauses[0],)
            beside = any(isinstance(body, Accept) for body in bodies) or f"{scenario.id}-beside" in ids
            assert beside or scenario.id in ALONE, scenario.id
        position = start(rules, scenario)
        assert position is not None
        hands = [
            len(zone) for zone, (name, _) in zip(position.zones, rules.layout.zone_slots, strict=True) if name == "hand"
        ]
        assert sorted(hands)[:3] == [1, 1, 1], f"{scenario.id}: the others hold one card each"


def test_a_number_is_told_from_its_neighbours_by_the_smallest_meld() -> None:
    apart = Apart(suite().rules, positions=0)
    shortest = {}
    for side, mutant in point("meld.biriba: biriba_length 7").mutants:
        changed = mutant.make()
        assert changed is not None
        scenario = apart.find(Rules(changed))
        assert scenario is not None
        assert run(scenario, suite().rules).passed
        body = scenario.steps[-1].body
        assert isinstance(body, Claim)
        shortest[side] = len(body.meld.text.split())
    assert shortest == {LESS: 6, MORE: 7}


def test_nothing_is_found_where_nothing_differs() -> None:
    assert Apart(suite().rules, positions=3).find(suite().rules) is None


def test_a_rejection_is_made_small() -> None:
    rules = suite().rules
    text = "discard 9H; hand A 9H KS QS 4C 5C; hand B 3H 4H; melds Y [3S 4S 5S 6S]; turn A play; barred 9H"
    position = parse_given(rules.ruleset, text, rules.dealt_sizes)
    action = parse_action(rules.ruleset, "discard 9H")
    ((name, scenario),) = Beside(rules).vectors(Rejection("discard.not_what_you_took", position, action))
    assert (name, run(scenario, rules).passed) == ("", True)
    rejected, accepted = (step.body for step in scenario.steps)
    assert isinstance(rejected, Reject)
    assert isinstance(accepted, Accept)
    assert rejected.because == ("discard.not_what_you_took",)
    assert isinstance(scenario.given, GivenPosition)
    zones: Any = scenario.given.data["zones"]
    assert sorted(map(len, zones["hand"].values())) == [1, 1, 1, NEAR]
    assert zones["melds"] == {"X": [], "Y": []}


def test_a_rejection_without_a_neighbour_in_its_position_has_one_in_another() -> None:
    rules = suite().rules
    position = parse_given(rules.ruleset, "stock empty; rest in discard; hand A KS QS; turn A start", rules.dealt_sizes)
    found = dict(Beside(rules).vectors(Rejection("turn.stock_lasts", position, parse_action(rules.ruleset, "draw"))))
    assert set(found) == {"", "-beside"}
    assert isinstance(found["-beside"].steps[0].body, Accept)
    assert all(run(scenario, rules).passed for scenario in found.values())


@pytest.mark.slow
def test_the_table_is_what_the_vectors_show() -> None:
    found = [of.to_json() for of in shown(suite())]
    assert found == table(), HINT
    assert all(side.get("vectors") or side["reason"] for of in found for side in of["sides"].values())


def test_rows_are_changed_one_at_a_time() -> None:
    rows = [of for of in every() if of.kind == ROW and of.clause == "score.run"]
    assert [of.about for of in rows] == ["“run biriba”, row 1, column 1", "“run biriba”, row 1, column 2"]
    assert all(dict(of.mutants)[COUNTS].make() is not None for of in rows)
