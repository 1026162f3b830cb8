"""The measure of the suite's strength: what it finds, and that it can be trusted."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.conformance import Suite, load_suite
from biriba.conformance.strength.coverage import coverage
from biriba.conformance.strength.measure import measure
from biriba.conformance.strength.normal import normal, same
from biriba.conformance.strength.prove import proved
from biriba.conformance.strength.score import (
    BY_SOLVER,
    CAUGHT,
    PROVED,
    REASONED,
    SOLVED,
    STILLBORN,
    SURVIVED,
    equivalents,
    fates,
    judge,
    made,
    reasons,
)
from biriba.data import conformance_dir
from biriba.scenario.scenario import ScenarioError

SAMPLE = 90
"""Every so-manieth mutant is made in a normal run of the tests; all of them in a slow one."""


@cache
def suite() -> Suite:
    return load_suite("biriba")


@cache
def original() -> dict[str, Any]:
    return normal(suite().rules.ruleset)


def test_mutants_have_names_of_their_own() -> None:
    names = [mutant.name for mutant in made("biriba")]
    assert len(names) == len(set(names)) > 500
    assert {mutant.clause for mutant in made("biriba")} <= set(suite().rules.ruleset.clauses)


def test_a_sample_of_the_mutants_is_caught() -> None:
    known = reasons(conformance_dir() / "strength" / "biriba.equivalent")
    for mutant in made("biriba")[::SAMPLE]:
        fate = judge(mutant, suite().scenarios, original())
        assert fate.fate in (CAUGHT, PROVED, STILLBORN) or mutant.name in known, mutant.name


def test_control_mutants_are_caught() -> None:
    names = measure(suite()).controls
    controls = [mutant for mutant in made("biriba") if mutant.name in names]
    assert len(controls) == len(names) > 5
    assert {judge(mutant, suite().scenarios, original()).fate for mutant in controls} == {CAUGHT}


def test_without_vectors_nothing_is_caught() -> None:
    """The measure itself: with no vectors every mutant survives, unless it is proved equivalent."""
    for mutant in made("biriba")[5::100]:
        assert judge(mutant, (), original()).fate in (SURVIVED, PROVED, STILLBORN)


def test_the_normal_form_tells_rule_sets_apart() -> None:
    """What a vector can tell apart is never called the same."""
    rules = suite().rules.ruleset
    assert same(rules, rules)
    other = load_suite("biriba-bounded").rules.ruleset
    assert not same(rules, other)
    for mutant in made("biriba")[3::120]:
        changed = mutant.make()
        if changed is not None and normal(changed) == original():
            assert judge(mutant, suite().scenarios, original()).fate == PROVED


def test_every_condition_is_shown_to_decide() -> None:
    measured = measure(suite())
    assert measured.gaps == []
    decided, ways = measured.covered.counts()
    assert decided == ways - len(measured.unreachable)
    assert all(reason for reason in measured.unreachable.values())


def test_vectors_that_show_nothing_show_no_condition_to_decide() -> None:
    decided, ways = coverage(Suite(suite().rules, ())).counts()
    assert (decided, ways > 40) == (0, True)


@pytest.mark.parametrize("text", ["a mutant\n", "  a reason\n", "one\n  why\none\n  why\n"])
def test_lists_without_reasons_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "list").write_text(text)
    with pytest.raises(ScenarioError):
        reasons(tmp_path / "list")


def test_the_command() -> None:
    result = CliRunner().invoke(app, ["strength", "--clause", "meld.own"])
    assert result.exit_code == 0, result.output
    assert "mutants caught" in result.output
    assert "/" in result.output.split("clauses cited by a vector")[1]


@pytest.mark.slow
def test_every_mutant_that_is_not_equivalent_is_caught() -> None:
    found = fates(suite(), jobs=2)
    strength = measure(suite(), tuple(found))
    assert [fate.name for fate in strength.survivors] == []
    assert strength.ok
    assert {fate.name for fate in found if fate.fate in (SOLVED, REASONED)} == set(equivalents("biriba"))


@pytest.mark.slow
def test_what_is_said_to_be_proved_by_z3_is() -> None:
    pytest.importorskip("z3")
    listed = {name for name, reason in equivalents("biriba").items() if reason.startswith(BY_SOLVER)}
    assert len(listed) > 5
    for mutant in made("biriba"):
        if mutant.name in listed:
            changed = mutant.make()
            assert changed is not None
            assert proved(suite().rules.ruleset, changed), mutant.name


def test_the_solver_is_asked_only_if_nothing_but_actions_differs() -> None:
    """What it does not see is compared by the normal form: such a mutant is never called proved."""
    for mutant in made("biriba"):
        if mutant.clause in ("score.closing", "deal.hands", "match.target", "table.hands"):
            changed = mutant.make()
            assert changed is None or not proved(suite().rules.ruleset, changed, timeout=0.001), mutant.name


def test_it_runs_for_any_rule_set(tmp_path: Path) -> None:
    path = tmp_path / "my-game.rules"
    path.write_text(
        'ruleset my-game "My game" extends biriba\n  version "1.0.0"\n\nset max_run = 12\n', encoding="utf-8"
    )
    for rules, of in (("classic", "classic"), (str(path), "my-game")):
        result = CliRunner().invoke(app, ["strength", "--rules", rules, "--clause", "run.max_size", "--json"])
        assert result.exit_code == 1, result.output
        told = json.loads(result.output)
        assert told["suite"]["ruleset"]["name"] == of
        assert told["mutants"]["all"] == told["mutants"][CAUGHT] + told["mutants"][SURVIVED] > 3, "none is stillborn"
