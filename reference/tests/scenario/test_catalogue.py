"""Every example of the rule file and of the catalogues holds, and the vector files are made from them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import jsonschema
import pytest

import biriba
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.scenario import Scenario, load_vector, read_catalogues, run, spec_examples, vector
from biriba.scenario.build import WRITTEN_KINDS, build, completed, write
from biriba.scenario.scenario import level_of

VECTORS = conformance_dir() / "vectors"
FILES = sorted(VECTORS.rglob("*.json"))
CASES = conformance_dir() / "catalogue" / "cases.md"


@cache
def rules() -> Rules:
    return biriba.load("biriba")


@cache
def scenarios() -> tuple[Scenario, ...]:
    return (*spec_examples(rules()), *read_catalogues(rules(), conformance_dir() / "catalogue"))


def test_every_example_holds() -> None:
    failed = [str(outcome) for outcome in (run(scenario, rules()) for scenario in scenarios()) if not outcome.passed]
    assert not failed, "\n" + "\n".join(failed)


def test_every_vector_holds() -> None:
    outcomes = [run(load_vector(path), rules()) for path in FILES]
    failed = [str(outcome) for outcome in outcomes if not outcome.passed]
    assert not failed, "\n" + "\n".join(failed)


def test_vector_files_are_those_that_the_examples_make() -> None:
    made = build(rules(), conformance_dir())
    found = {
        path.relative_to(VECTORS).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in FILES
        if load_vector(path).provenance.kind in WRITTEN_KINDS
    }
    hint = "run: python -m biriba.scenario.build"
    assert sorted(found) == sorted(made), hint
    changed = [name for name in made if made[name] != found[name]]
    assert not changed, hint


def test_ids_are_the_paths_of_the_files() -> None:
    for path in FILES:
        assert load_vector(path).id == path.relative_to(VECTORS).with_suffix("").as_posix()


def test_levels_are_those_of_what_is_asked() -> None:
    """No vector asks for more than its level says, nor says more than it asks for."""
    for folder in ("vectors", "variants", "played"):
        for path in (conformance_dir() / folder).rglob("*.json"):
            scenario = load_vector(path)
            assert scenario.level == level_of(scenario.given, scenario.steps), path


def test_vectors_are_of_the_schema() -> None:
    schema = json.loads((conformance_dir() / "schema" / "vector.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in FILES:
        validator.validate(json.loads(path.read_text(encoding="utf-8")))


def test_reading_and_writing_lose_nothing() -> None:
    for scenario in scenarios():
        document = vector(completed(rules(), scenario))
        path = VECTORS / f"{scenario.id}.json"
        assert vector(load_vector(path)) == document == json.loads(path.read_text(encoding="utf-8"))


def test_levels_are_all_there() -> None:
    from biriba.scenario import LEVELS

    assert {scenario.level for scenario in scenarios()} == set(LEVELS)


def test_every_clause_that_judges_or_scores_has_a_vector() -> None:
    ruleset = rules().ruleset
    judging = {guard.clause for guard in ruleset.guards} | {law.clause for law in ruleset.laws}
    judging |= {growing.clause for growing in ruleset.growings} | {line.clause for line in ruleset.score}
    judging |= {consequence.clause for consequence in ruleset.consequences}
    tested = {clause for scenario in scenarios() for clause in scenario.clauses}
    # An empty pile at the start of a turn is impossible, so that no honest vector can begin with one.
    assert sorted(judging - tested) == ["turn.pile_not_empty"]


def test_no_case_is_missing() -> None:
    """The table of cases names just the vectors that say that they stand for the case, and tests that there are."""
    told: dict[str, set[str]] = {}
    tests = Path(__file__).parent
    for case, vectors, named in re.findall(
        r"^\| ((?:TV|BR)-\w+) \| (.*?) \| (.*?) \|$", CASES.read_text(), re.MULTILINE
    ):
        told[case] = set(re.findall(r"`([^`]+)`", vectors))
        functions = re.findall(r"`([\w.]+)::(\w+)`", named)
        assert told[case] or functions, f"{case} has neither a vector nor a test"
        for file, function in functions:
            assert f"def {function}(" in (tests / file).read_text(encoding="utf-8"), f"{case}: no test {function}"
    found: dict[str, set[str]] = {case: set() for case in told}
    for scenario in scenarios():
        for case in scenario.provenance.cases:
            found.setdefault(case, set()).add(scenario.id)
    assert found == told
    assert len(told) == 139


def test_writing_removes_what_is_no_longer_made(tmp_path: Path) -> None:
    made = build(rules(), conformance_dir())
    name, other = list(made)[:2]
    assert write({name: made[name], other: made[other]}, tmp_path) == (2, 0)
    assert write({name: made[name]}, tmp_path) == (0, 1)
    assert [path.relative_to(tmp_path / "vectors").as_posix() for path in tmp_path.rglob("*.json")] == [f"{name}.json"]


@pytest.mark.parametrize("text", ["30", "15"])
def test_a_failing_example_says_what_was_expected_and_what_was_found(text: str, tmp_path: Path) -> None:
    lines = f'example wrong "A wrong value"\n  tests score.melds\n  meld 3H 4H 5H: value {text}, bonus 200\n'
    (tmp_path / "wrong.examples").write_text(lines, encoding="utf-8")
    (scenario,) = read_catalogues(rules(), tmp_path)
    outcome = run(scenario, rules())
    assert not outcome.passed
    report = str(outcome)
    assert "FAILED  wrong/wrong: A wrong value" in report
    assert f"wrong.examples:3 meld 3H 4H 5H: value {text}, bonus 200" in report
    assert "expected  3H 4H 5H: bonus 200\n    found     bonus 0" in report
    assert ("found     value 15" in report) == (text == "30")
