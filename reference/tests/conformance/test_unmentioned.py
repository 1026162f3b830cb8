"""What a vector does not mention has not changed: who changes it all the same is caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from biriba.conformance import Reference, Suite, load_suite, run
from biriba.conformance.questions import make_case
from biriba.conformance.results import Result
from biriba.interpreter.rules import Rules
from biriba.scenario import Scenario, read_catalogue, vector
from biriba.scenario.complete import complete
from biriba.scenario.rulesets import load_named
from biriba.scenario.scenario import Accept, Expect, Play, Reject, ScenarioError

HEAD = 'example shown "Shown"\n  tests turn.draw\n  '


@cache
def suite() -> Suite:
    return load_suite("biriba")


def rules() -> Rules:
    return suite().rules


def written(folder: Path, *lines: str) -> Scenario:
    """The vector of an example that is written by hand."""
    path = folder / "made.examples"
    path.write_text(HEAD + "\n  ".join(lines) + "\n", encoding="utf-8")
    (found,) = read_catalogue(rules(), path)
    return complete(rules(), found)


class Meddler(Reference):
    """The reference, but every position that it tells after some answer is another one."""

    def __init__(self, after: bool, change: Callable[[Any], object], *, only_acts: bool = False) -> None:
        super().__init__(load_named)
        self.after, self.change, self.only_acts = after, change, only_acts

    def answer(self, case: Any) -> list[dict[str, Any]]:
        answers, meddles = super().answer(case), False
        for question, answer in zip(case["questions"], answers, strict=True):
            if "legal" in answer and ("act" in question or not self.only_acts):
                meddles |= answer["legal"] == self.after
            if meddles and "position" in answer:
                self.change(answer["position"])
        return answers


def result(engine: Reference, of: Scenario) -> Result:
    return run(engine, Suite(rules(), (of,))).results[0]


def hurries(position: Any) -> None:
    position["states"]["idle"]["D"] = True


def loses_a_card(position: Any) -> None:
    zones = position["zones"]
    max((zones["packet"]["1"], zones["stock"], zones["discard"]), key=len).pop()


# ---------------------------------------------------------------- what is played


def test_who_changes_what_no_vector_speaks_of_is_caught() -> None:
    """Nearly every vector that plays something and then looks at the position fails; none of them names that state."""
    looking = [
        scenario
        for scenario in suite().scenarios
        if isinstance(scenario.steps[-1].body, Expect) and any(isinstance(step.body, Play) for step in scenario.steps)
    ]
    silent = [of for of in looking if "'idle': {'D'" not in repr(of.steps)]
    report = run(Meddler(True, hurries, only_acts=True), suite(), silent)
    assert len(silent) > 100
    assert {r.verdict for r in report.results} == {"failed"}
    found = {wrong.found for r in report.results for wrong in r.wrong}
    assert "changed but not mentioned: idle D no → yes" in found


def test_the_difference_says_what_has_changed(tmp_path: Path) -> None:
    given = "given hand A KS QS; discard 4C 9H; turn A start"
    (wrong,) = result(Meddler(True, loses_a_card), written(tmp_path, given, "play take", "expect barred none")).wrong
    assert wrong.expected == "stock as before, since it is not mentioned"
    assert re.fullmatch(r"changed but not mentioned: stock (\d+) → (\d+), without \w\w", wrong.found)
    (wrong,) = result(Meddler(True, loses_a_card), written(tmp_path, given, "play draw", "expect barred none")).wrong
    assert re.fullmatch(r"stock: \d+ lie there as stated", wrong.expected)
    assert re.fullmatch(r"\d+, without \w\w", wrong.found)


# ---------------------------------------------------------------- what is rejected


def test_who_changes_something_while_rejecting_is_caught() -> None:
    rejecting = [
        scenario
        for scenario in suite().scenarios
        if scenario.level == "actions" and any(isinstance(step.body, Reject) for step in scenario.steps)
    ]
    report = run(Meddler(False, loses_a_card), suite(), rejecting)
    assert len(rejecting) > 50
    assert {r.verdict for r in report.results} == {"failed"}


def test_who_plays_what_it_should_only_judge_is_caught(tmp_path: Path) -> None:
    of = written(tmp_path, "given hand A KS QS; turn A start", "accept draw")
    (wrong,) = result(Meddler(True, loses_a_card), of).wrong
    assert wrong.expected == "stock as before, since nothing was played"
    assert wrong.found.startswith("changed: stock ")


@pytest.mark.parametrize("name", ["bugs/rejections-change-nothing", "turn/joker-for-joker", "packet/by-discard"])
def test_questions_tell_nothing_of_what_is_expected(name: str) -> None:
    """A vector asks the same whatever else changes in it."""
    (of,) = suite().chosen(only=[name])
    steps = tuple(
        replace(step, body=replace(step.body, also={"turn": "C"} if step.body.also else {}))
        if isinstance(step.body, Expect)
        else step
        for step in of.steps
    )
    assert make_case(of, suite().ruleset).asked == make_case(replace(of, steps=steps), suite().ruleset).asked


# ---------------------------------------------------------------- what an author writes


def test_what_else_changes_is_found_out_and_stands_apart(tmp_path: Path) -> None:
    of = written(
        tmp_path,
        "given hand A KS QS; discard 9H; turn A start",
        "play take",
        "expect barred 9H",
        "expect hand A 3 cards",
    )
    (_, first, second) = vector(of)["steps"]
    also = {"zones": {"discard": [], "hand": {"A": ["9H", "QS", "KS"]}}, "phase": "play"}
    assert first == {"expect": {"states": {"barred": "9H"}, "also": also}}
    assert second == {"expect": {"sizes": {"hand": {"A": 3}}}}, "nothing has been tried since"
    assert result(Reference(load_named), of).verdict == "passed"


def test_the_rest_may_be_anything_if_that_is_said(tmp_path: Path) -> None:
    given = "given hand A KS QS; turn A start"
    of = written(tmp_path, given, "play draw", "expect score Y -275; rest any")
    assert vector(of)["steps"][1] == {"expect": {"score": {"Y": -275}, "rest": "any"}}
    assert result(Meddler(True, hurries), of).verdict == "passed"
    assert make_case(of, suite().ruleset).asked["questions"][1] == {"tell": {"score": True}}


def test_an_author_may_claim_that_nothing_else_changes(tmp_path: Path) -> None:
    given = "given hand A KS QS; discard 9H; turn A start"
    of = written(tmp_path, given, "play take", "expect only barred 9H")
    assert vector(of)["steps"][1] == {"expect": {"states": {"barred": "9H"}}}
    found = [wrong.found for wrong in result(Reference(load_named), of).wrong]
    assert "changed but not mentioned: discard 1 → 0, without 9H" in found
    assert "changed but not mentioned: phase start → play" in found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("expect unchanged; turn A play", "write 'expect only turn A play'"),
        ("expect only turn A play; rest any", "'rest any' beside what says of the rest something else"),
        ("expect turn A play; turn open", "more than one part of it speaks of 'turn'"),
        ("expect hand A 2 cards; hand A open", "more than one part of it speaks of 'hand A'"),
        ("expect rest any or over", "'rest any' cannot be one of several allowed outcomes"),
    ],
)
def test_nothing_is_said_of_the_rest_twice(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        written(tmp_path, "given hand A KS QS; turn A play", line)
    assert message in str(caught.value)


# ---------------------------------------------------------------- what an implementation does not tell


def test_what_is_omitted_is_not_passed_where_it_changes(tmp_path: Path) -> None:
    engine = Reference(load_named)
    engine.implementation = replace(engine.implementation, omits=("barred",))
    given = "given hand A KS QS; discard 9H; turn A start"
    took = result(engine, written(tmp_path, given, "play take", "expect hand A KS QS 9H"))
    assert (took.verdict, "barred" in took.message) == ("skipped", True)
    assert result(engine, written(tmp_path, given, "accept take", "expect hand A KS QS")).verdict == "passed"


class Forgetful(Reference):
    """The reference, but it does not tell some of the positions that it is asked for, counted from 0."""

    def __init__(self, *untold: int) -> None:
        super().__init__(load_named)
        self.untold = untold

    def answer(self, case: Any) -> list[dict[str, Any]]:
        answers = super().answer(case)
        telling = [n for n, answer in enumerate(answers) if "position" in answer]
        for n in self.untold:
            answers[telling[n]] = {"skipped": "not now"}
        return answers


def test_what_was_not_told_is_compared_with_nothing(tmp_path: Path) -> None:
    """The stock has changed, but since a position that was not told: that is no fault."""
    lines = ("play draw", "expect hand A 3 cards", "play discard KS", "expect hand A 2 cards")
    of = written(tmp_path, "given hand A KS QS; turn A start", *lines)
    for untold in range(2):
        assert result(Forgetful(untold), of).verdict == "skipped"
    assert result(Meddler(True, loses_a_card), of).verdict == "failed"


@pytest.mark.parametrize("untold", range(3))
def test_nor_is_what_was_not_told_before_a_rejection(untold: int, tmp_path: Path) -> None:
    lines = ("play draw", "reject draw", "play discard KS", "expect turn B start")
    of = written(tmp_path, "given hand A KS QS; turn A start", *lines)
    assert result(Forgetful(untold), of).verdict == "skipped"


def test_when_the_deal_is_over_it_may_be_nobody_s_turn(tmp_path: Path) -> None:
    """Whoever says that it is nobody's means what the rules say; before the end, it is somebody's."""

    def nobody(position: Any) -> None:
        position["turn"] = None

    closing = "given melds X [3H 4H 5H 6H 7H 8H 9H]; taken X yes; hand A KS; turn A play", "play discard KS"
    of = written(tmp_path, *closing, "expect over", "reject draw", "expect closer X")
    assert result(Meddler(True, nobody), of).verdict == "passed"
    goes_on = written(tmp_path, "given hand A KS QS; turn A start", "play draw", "expect turn A play")
    assert result(Meddler(True, nobody), goes_on).message.endswith("turn: expected a string, found null")


def test_accepted_and_rejected_actions_are_looked_at_after_both() -> None:
    """So that it cannot be told from the questions which of them is which."""
    for scenario in suite().scenarios:
        questions = [q.asked for q in make_case(scenario, suite().ruleset).questions]
        tried = [n for n, step in enumerate(scenario.steps) if isinstance(step.body, (Accept, Reject))]
        if tried and tried[-1] == len(scenario.steps) - 1:
            assert questions[-1] == {"tell": {"position": True}}, scenario.id
