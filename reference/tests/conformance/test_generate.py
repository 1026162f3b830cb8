"""Vectors that a program finds: they hold, they come out again, and those on disk are of their kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from biriba import load
from biriba.conformance.generate import Generator, known_games, write
from biriba.conformance.points.make import make, rejections
from biriba.conformance.points.points import points
from biriba.conformance.suite import Suite, load_suite
from biriba.data import conformance_dir, spec_dir
from biriba.notation import format_position, parse_given
from biriba.scenario import load_vector, run, spec_examples
from biriba.scenario.rulesets import load_named


@cache
def suite() -> Suite:
    return load_suite("biriba")


def test_deals_come_out_again_and_hold() -> None:
    found = []
    for _ in range(2):
        generator = Generator(load_named("biriba"))
        generator.look(1)
        found.append(list(generator.scenarios()))
    assert found[0] == found[1]
    assert {scenario.id.split("/")[0] for scenario in found[0]} == {"game", "played"}
    assert all(run(scenario, suite().rules).passed for scenario in found[0])
    for scenario in found[0]:
        if scenario.id.startswith("played/"):
            assert scenario.clauses[0].replace("_", "-") in scenario.id


def test_the_solvers_findings_become_rejections(tmp_path: Path) -> None:
    rules = load_named("biriba")
    text = "stock empty; rest in discard; hand A KS QS; turn A start"
    position = format_position(rules.ruleset, parse_given(rules.ruleset, text, rules.dealt_sizes))
    result = {
        "group": "decisive clause",
        "subject": "turn.stock_lasts",
        "about": "draw",
        "witness": {"position": position, "actions": ["draw"]},
    }
    found = list(rejections(rules, [result, {**result, "witness": None}, {**result, "group": "other"}]))
    assert [(of.clause, of.action.name) for of in found] == [("turn.stock_lasts", "draw")]
    untrue = {**result, "subject": "turn.pass"}
    assert list(rejections(rules, [untrue])) == []


def test_writing_removes_what_is_not_found_again(tmp_path: Path) -> None:
    scenarios = [s for s in suite().scenarios if s.id.startswith("solver/")][:2]
    assert write(scenarios, tmp_path, ("solver",)) == (2, 0)
    assert write(scenarios[:1], tmp_path, ("solver",)) == (1, 1)
    assert load_vector(tmp_path / f"{scenarios[0].id}.json").provenance.kind == "solver"


def test_every_clause_that_rejects_an_action_is_played_from_the_deck() -> None:
    """Those that are not are told here, with the reason."""
    ruleset = suite().rules.ruleset
    rejecting = {guard.clause for guard in ruleset.guards} | {law.clause for law in ruleset.laws}
    played = {s.clauses[0] for s in suite().scenarios if s.id.startswith("played/")}
    assert rejecting - played == {
        "turn.pile_not_empty",  # the pile is never empty when a turn begins
        "set.allowed",  # the next three are switched off by the numbers of the canonical game
        "discard.wild_may_close",
        "discard.lone_take",
        "run.max_size",  # fourteen cards of a suit are rare: exact/fourteen-from-the-deck plays them
    }


# ---------------------------------------------------------------- ids are permanent


def test_a_game_keeps_its_id_when_others_are_found_before_it() -> None:
    generator = Generator(load_named("biriba"))
    generator.look(2)
    ids = {of.title.partition(": ")[2]: of.id for of in generator.scenarios() if of.id.startswith("game/")}
    assert known_games(conformance_dir()), "those that are there have theirs"
    again = [of.id for of in generator.scenarios({**dict.fromkeys(ids, "game/deal-7"), "another": "game/deal-9"})]
    assert {name for name in again if name.startswith("game/")} == {"game/deal-7"}
    new = [of.id for of in generator.scenarios({"another": "game/deal-9"}) if of.id.startswith("game/")]
    assert new[0] == "game/deal-10"


def test_a_clause_or_number_more_changes_no_id(tmp_path: Path) -> None:
    """Ids of points and examples come from the names of clauses, actions and parameters, not from where they stand."""
    source = (spec_dir() / "biriba.rules").read_text(encoding="utf-8")
    number = 'parameter more_cards = 3 in 1..9 cards "for a test"\n'
    clause = 'clause deck.more\n  "There are {more_cards} too many."\n  because "a test"\n  fact more_cards > 0\n'
    example = '  example "more"\n    value 9H = 10\n\n'
    text = source.replace("\nparameter ", f"\n{number}parameter ", 1)
    text = text.replace("\nclause ", f"\n{clause}{example}clause ", 1)
    path = tmp_path / "biriba.rules"
    path.write_text(text, encoding="utf-8")
    before, after = suite().rules, load(str(path))
    slugs = {point.slug for point in points(before.ruleset)}
    assert slugs < {point.slug for point in points(after.ruleset)}
    ids = {scenario.id for scenario in spec_examples(before)}
    assert {scenario.id for scenario in spec_examples(after)} == ids | {"example/deck.more.more"}


@pytest.mark.slow
def test_vectors_of_points_that_are_there_are_kept() -> None:
    """Whoever would find them now: nothing is looked for that is shown already."""
    there = load_suite("biriba", forms=False)
    made = make(there.rules, (), suite=there)
    assert [of.id for of in made] == [of.id for of in there.scenarios if of.id.startswith(("solver/", "boundary/"))]
