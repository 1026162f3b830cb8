"""Several allowed outcomes, and what is left to the implementation: in examples, in vectors, in the harness."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from biriba.conformance import Reference, Suite
from biriba.conformance import run as conform
from biriba.conformance.words import summary
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.notation import decode
from biriba.scenario import Scenario, ScenarioError, read_vector, run, vector
from biriba.scenario.build import completed, encode_vector
from biriba.scenario.examples import read_catalogue
from biriba.scenario.rulesets import load_named
from biriba.scenario.vectors import load_vector

CLOSING = "given melds X [3H 4H 5H 6H 7H 8H 9H]; taken X yes; packet 2 empty; hand A KS; discard 4C; turn A play"


@cache
def rules() -> Rules:
    return load_named("biriba")


def scenario(tmp_path: Path, *lines: str) -> Scenario:
    text = "\n  ".join(('example shown "Shown"', "tests close.by_discard", *lines))
    path = tmp_path / "made.examples"
    path.write_text(text + "\n", encoding="utf-8")
    (found,) = read_catalogue(rules(), path)
    return completed(rules(), found)


class Changed(Reference):
    """The reference, except that it tells some things otherwise."""

    def __init__(self, **told: Any) -> None:
        super().__init__(load_named)
        self.told = told

    def answer(self, case: Any) -> list[dict[str, Any]]:
        answers = super().answer(case)
        for answer in answers:
            for name, change in self.told.items():
                if name in answer:
                    answer[name] = {**answer[name], **change}
        return answers


def verdict(of: Scenario, **told: Any) -> str:
    report = conform(Changed(**told), Suite(rules(), (of,)))
    return report.results[0].verdict


# ---------------------------------------------------------------- several allowed outcomes


def test_one_of_several_outcomes_is_enough(tmp_path: Path) -> None:
    of = scenario(tmp_path, "given totals X 0, Y 0; deals 0", "expect next dealer B or next dealer C")
    assert vector(of)["steps"] == [
        {"expect": {"one_of": [{"match": {"next_dealer": "B"}}, {"match": {"next_dealer": "C"}}]}}
    ]
    assert read_vector(decode(encode_vector(vector(of)))) == of
    assert verdict(of, match={"next_dealer": "C"}) == "passed"
    assert verdict(of, match={"next_dealer": "D"}) == "failed"


def test_a_difference_names_all_of_them(tmp_path: Path) -> None:
    of = scenario(tmp_path, "given totals X 0, Y 0; dealer D", "expect next dealer B or next dealer C")
    (result,) = run(of, rules()).results
    (difference,) = result.differences
    assert (difference.expected, difference.found) == ("one of: match: next_dealer B; match: next_dealer C", "A")


def test_outcomes_of_positions_are_asked_for_and_compared(tmp_path: Path) -> None:
    of = scenario(tmp_path, CLOSING, "play discard KS", "expect closer Y or hand A empty")
    assert run(of, rules()).passed
    assert verdict(of) == "passed"
    of = scenario(tmp_path, CLOSING, "play discard KS", "expect closer Y or hand A KS")
    assert not run(of, rules()).passed
    assert verdict(of) == "failed"


# ---------------------------------------------------------------- left to the implementation


def test_what_is_left_open_is_not_compared_and_is_counted(tmp_path: Path) -> None:
    lines = (CLOSING, "play discard KS", "expect only hand A empty; discard 4C KS; closer X; over")
    left, pinned = scenario(tmp_path, *lines[:2], lines[2] + "; turn open"), scenario(tmp_path, *lines)
    assert vector(left)["steps"][1]["expect"]["open"] == ["turn"]
    assert read_vector(decode(encode_vector(vector(left)))) == left
    assert [verdict(of, position={"turn": "B"}) for of in (left, pinned)] == ["passed", "failed"]
    assert [verdict(of, position={"phase": "start"}) for of in (left, pinned)] == ["failed", "failed"]

    report = conform(Changed(), Suite(rules(), (left, replace(pinned, id="made/other"))))
    assert {result.id: result.open for result in report.results} == {"made/other": 0, "made/shown": 1}
    assert report.to_json()["results"][1]["open"] == 1
    assert "  left to the implementation, and not compared: 1 fact in 1 vector" in list(summary(report))


@pytest.mark.parametrize("told", ["turn", "hand A", "barred", "taken X", "stock"])
def test_turn_zones_and_states_can_be_left_open(tmp_path: Path, told: str) -> None:
    of = scenario(tmp_path, CLOSING, "expect only hand B 11 cards", f"expect {told} open")
    assert run(of, rules()).passed


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("expect hand open", "'hand' needs an owner"),
        ("expect river open", "river"),
        ("expect turn open or over", "'turn open' cannot be one of several allowed outcomes"),
        ("expect unchanged or over", "'unchanged' cannot be one of several allowed outcomes"),
        ("expect over or river 3", "river"),
    ],
)
def test_faults_in_examples(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario(tmp_path, CLOSING, line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"one_of": [{"turn": "A"}]}, "$.steps[0].expect.one_of: expected several allowed outcomes"),
        ({"one_of": [{"turn": "A"}, {}]}, "$.steps[0].expect.one_of[1]: nothing is expected"),
        (
            {"one_of": [{"turn": "A"}, {"open": ["turn"]}]},
            "$.steps[0].expect.one_of[1]: there is no member 'open' here",
        ),
        ({"one_of": [{"turn": "A"}, {"turn": 5}]}, "$.steps[0].expect.one_of[1].turn: expected a string"),
        ({"open": []}, "$.steps[0].expect.open: the list is empty"),
        ({"open": "turn"}, "$.steps[0].expect.open: expected a list"),
    ],
)
def test_faults_in_vectors(expect: Any, message: str) -> None:
    from biriba.notation import JsonError

    document = vector(load_vector(conformance_dir() / "vectors" / "match" / "exactly-the-target.json"))
    document["steps"] = [{"expect": expect}]
    with pytest.raises(JsonError) as caught:
        read_vector(document)
    assert str(caught.value).startswith(message)


def test_a_name_that_there_is_not_is_no_difference_but_a_fault(tmp_path: Path) -> None:
    of = scenario(tmp_path, CLOSING, "expect turn open")
    document = vector(of)
    document["steps"] = [{"expect": {"open": ["river"]}}]
    (result,) = run(read_vector(document), rules()).results
    assert result.differences[0].found == "nothing called 'river' in these rules"
    assert verdict(read_vector(document)) == "errored"


def test_a_reason_that_is_no_clause_is_no_answer(tmp_path: Path) -> None:
    class Wordy(Reference):
        def answer(self, case: Any) -> list[dict[str, Any]]:
            return [{**answer, "because": ["too.late"]} for answer in super().answer(case)]

    of = scenario(tmp_path, CLOSING, "reject draw by turn.draw")
    (result,) = conform(Wordy(load_named), Suite(rules(), (of,))).results
    assert result.verdict == "errored"
    assert "there is no clause 'too.late'" in result.message
