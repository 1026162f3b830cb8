"""From a vector to the questions that an implementation is asked: nothing of what is expected is in them.

conformance/protocol.md describes the questions. A step that plays an action and one that rejects it make
the same kind of question, so that nobody can tell from the question what the answer should be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, cast

from biriba.scenario.scenario import (
    UNCHANGED,
    Accept,
    Claim,
    Expect,
    Fields,
    Given,
    GivenDeck,
    GivenPosition,
    GivenTotals,
    Layouts,
    Play,
    Reject,
    Repeat,
    Scenario,
    Step,
    Value,
    Written,
    all_steps,
)
from biriba.scenario.vectors import given_to_json

OF_POSITIONS = ("turn", "phase", "over", "zones", "sizes", "holds", "states", "open")
"""The members of an `expect` object that are looked up in the position that an implementation tells."""
OF_MATCHES = ("match", "deck", "table", "legal_count")
BEGINNING, BEFORE, AFTER = "beginning", "before", "after"
"""Why a position is asked for without an expectation: see `Question`."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for a step.

    Attributes:
        asked: the question as it is sent.
        step: the step whose answer it is; None for a look at the position that no step asks for.
        text: the question in words, for reports.
        look: what such a look is for: the position at the `BEGINNING`, or the one `BEFORE` actions that are not played,
            which must be the same `AFTER` them.
    """

    asked: Mapping[str, Any]
    step: Step | None
    text: str
    look: str = ""


_POSITION = {"tell": {"position": True}}
_LOOKS = {
    look: Question(_POSITION, None, text, look)
    for look, text in (
        (BEGINNING, "the position at the beginning"),
        (BEFORE, "the position before what is rejected"),
        (AFTER, "the position after what is not played"),
    )
}


@dataclass(frozen=True, slots=True)
class Case:
    """A vector as it is asked under one rule set."""

    scenario: Scenario
    ruleset: tuple[str, str]
    questions: tuple[Question, ...]

    @property
    def asked(self) -> dict[str, Any]:
        """The member `case` of the message that is sent."""
        name, version = self.ruleset
        told: dict[str, Any] = {"ruleset": {"name": name, "version": version}}
        if self.scenario.given is not None:
            told["given"] = given_to_json(_asked(self.scenario.given))
        told["questions"] = [question.asked for question in self.questions]
        return told


def qualities(scenarios: Iterable[Scenario]) -> dict[str, tuple[str, ...]]:
    """For each level, what is asked of every stated meld: whatever some vector of the level says of one.

    If only that were asked which a vector states, the question would tell lawful melds from unlawful ones.
    """
    found: dict[str, set[str]] = {}
    for scenario in scenarios:
        for step in all_steps(scenario.steps):
            if isinstance(step.body, Claim):
                found.setdefault(scenario.level, set()).update(step.body.facts)
    return {level: tuple(sorted(names)) for level, names in found.items()}


def make_case(scenario: Scenario, ruleset: tuple[str, str], told: Mapping[str, Sequence[str]] | None = None) -> Case:
    """The questions of a vector; `told` is what `qualities` says of the whole suite."""
    of_melds = (told or qualities([scenario])).get(scenario.level, ())
    return Case(scenario, ruleset, tuple(_Asker(scenario, of_melds).questions()))


class _Asker:
    def __init__(self, scenario: Scenario, of_melds: Sequence[str]) -> None:
        self.scenario, self.of_melds = scenario, list(of_melds)
        digest = hashlib.sha256(scenario.id.encode()).digest()
        self.random = Random(digest)

    def questions(self) -> Iterator[Question]:
        steps = list(_unrolled(self.scenario.steps))
        compares, tells = _compared(steps)
        # Whether the harness knows the position, and whether something that must not change it was tried since.
        known, tried = isinstance(self.scenario.given, GivenPosition), False
        if any(compares) and not known:
            yield _LOOKS[BEGINNING]
            known = True
        for step, compared, told in zip(steps, compares, tells, strict=True):
            if tried and not compared and not isinstance(step.body, (Accept, Reject)):
                yield _LOOKS[AFTER]
                tried = False
            match step.body:
                case Accept() | Reject():
                    if not known:
                        yield _LOOKS[BEFORE]
                    known = tried = True
                case Play():
                    known = False
                case Expect() as expect:
                    asked = self.wanted(expect, position=told)
                    known, tried = known or "position" in asked, False
            yield self.question(step, told)
        if tried:
            yield _LOOKS[AFTER]

    def question(self, step: Step, told: bool) -> Question:
        """What is asked for a step; `told`: an expectation wants the position, whatever it mentions."""
        match step.body:
            case Play(act=act):
                return Question({"act": _written(act)}, step, act.text)
            case Accept(act=act):
                return Question({"judge": _written(act)}, step, act.text)
            case Reject(act=act, seat=seat):
                # Either kind of question is right: a rejected action changes nothing.
                kind = self.random.choice(("act", "judge"))
                asked: dict[str, Any] = {kind: _written(act)}
                if seat is not None:
                    asked["seat"] = seat
                return Question(asked, step, f"{seat}: {act.text}" if seat else act.text)
            case Claim(meld=meld):
                return Question({"meld": _written(meld), "tell": self.of_melds}, step, f"the meld {meld.text}")
            case Layouts(cards=cards):
                shuffled = self.random.sample(cards, len(cards))
                return Question({"layouts": shuffled}, step, f"the melds of {' '.join(cards)}")
            case Value(cards=cards):
                return Question({"value": list(cards)}, step, f"the value of {' '.join(cards)}")
            case Expect() as expect:
                return Question({"tell": self.wanted(expect, position=told)}, step, "what holds now")
            case Repeat():
                raise AssertionError("repetitions are unrolled")

    def wanted(self, expect: Expect, *, position: bool = False) -> dict[str, Any]:
        """What must be told so that an expectation can be compared."""
        first = {"position": True} if position or expect.also else {}
        legal = {"legal": True} if expect.legal is not None else {}
        return {**first, **self.asked(expect.facts), **legal}

    def asked(self, facts: Fields) -> dict[str, Any]:
        """What must be told so that facts can be compared; of several allowed outcomes, what any of them needs."""
        asked: dict[str, Any] = {}
        if any(name in facts for name in OF_POSITIONS):
            asked["position"] = True
        if "meld" in facts:
            asked["melds"] = {name: sorted(of) for name, of in _objects(facts["meld"]).items()}
        if "score" in facts or "lines" in facts:
            asked["score"] = True
        for name in ("lines", "written"):
            if name in facts:
                asked[name] = True
        if "view" in facts:
            asked["views"] = list(_objects(facts["view"]))
        if "perft" in facts and isinstance(facts["perft"], list):
            asked["perft"] = len(facts["perft"])
        for name in OF_MATCHES:
            if name in facts:
                asked[name] = True
        for choice in cast(list[Fields], facts.get("one_of", [])):
            for name, value in self.asked(choice).items():
                asked[name] = {**_objects(asked.get(name)), **value} if isinstance(value, dict) else value
        return asked


def _unrolled(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps as they are gone through, those of a repetition as often as it says."""
    for step in steps:
        if isinstance(step.body, Repeat):
            for _ in range(step.body.times):
                yield from _unrolled(step.body.steps)
        else:
            yield step


def _compared(steps: Sequence[Step]) -> tuple[list[bool], list[bool]]:
    """Of each step, whether it compares the position with that at the expectation before, and whether it is told it.

    Only something that was tried since can have changed anything, so that nobody is asked for positions who is
    asked for points alone.
    """
    compares, tells = [False] * len(steps), [False] * len(steps)
    acted, before = False, None
    for n, step in enumerate(steps):
        if isinstance(step.body, (Play, Accept, Reject)):
            acted = True
        elif isinstance(step.body, Expect) and acted:
            compares[n] = tells[n] = step.body.rest == UNCHANGED
            if compares[n] and before is not None:
                tells[before] = True
            acted, before = False, n
    return compares, tells


def _asked(given: Given) -> Given:
    """Where a vector begins, without what is told for readers only."""
    return replace(given, stated="") if isinstance(given, GivenPosition) else given


def _written(act: Written) -> dict[str, Any]:
    return {"text": act.text} if act.data is None else {"text": act.text, "json": dict(act.data)}


def _objects(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def begins_with(scenario: Scenario) -> str:
    """Where a vector begins: ``position``, ``deck``, ``totals`` or ``nothing``."""
    match scenario.given:
        case GivenPosition():
            return "position"
        case GivenDeck():
            return "deck"
        case GivenTotals():
            return "totals"
        case _:
            return "nothing"
