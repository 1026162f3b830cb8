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

OF_POSITIONS = ("turn", "phase", "over", "zones", "sizes", "holds", "states", "only", "unchanged", "open")
"""The members of an `expect` object that are looked up in the position that an implementation tells."""
OF_MATCHES = ("match", "deck", "table", "legal_count")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for a step.

    Attributes:
        asked: the question as it is sent.
        step: the step whose answer it is; None for a look at the position where a vector begins.
        text: the question in words, for reports.
    """

    asked: Mapping[str, Any]
    step: Step | None
    text: str


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
        expected = [step.body.facts for step in all_steps(scenario.steps) if isinstance(step.body, Expect)]
        self.compares = any("only" in facts or "unchanged" in facts for facts in expected)

    def questions(self) -> Iterator[Question]:
        if self.compares and isinstance(self.scenario.given, GivenDeck):
            yield Question({"tell": {"position": True}}, None, "the position at the beginning")
        yield from self.through(self.scenario.steps)

    def through(self, steps: Iterable[Step]) -> Iterator[Question]:
        for step in steps:
            match step.body:
                case Repeat(times=times, steps=inner):
                    for _ in range(times):
                        yield from self.through(inner)
                case Play(act=act):
                    yield Question({"act": _written(act)}, step, act.text)
                case Accept(act=act):
                    yield Question({"judge": _written(act)}, step, act.text)
                case Reject(act=act, seat=seat):
                    # Either kind of question is right: a rejected action changes nothing.
                    kind = self.random.choice(("act", "judge"))
                    asked: dict[str, Any] = {kind: _written(act)}
                    if seat is not None:
                        asked["seat"] = seat
                    yield Question(asked, step, f"{seat}: {act.text}" if seat else act.text)
                case Claim(meld=meld):
                    yield Question({"meld": _written(meld), "tell": self.of_melds}, step, f"the meld {meld.text}")
                case Layouts(cards=cards):
                    shuffled = self.random.sample(cards, len(cards))
                    yield Question({"layouts": shuffled}, step, f"the melds of {' '.join(cards)}")
                case Value(cards=cards):
                    yield Question({"value": list(cards)}, step, f"the value of {' '.join(cards)}")
                case Expect() as expect:
                    yield Question({"tell": self.wanted(expect)}, step, "what holds now")

    def wanted(self, expect: Expect) -> dict[str, Any]:
        asked = self.asked(expect.facts)
        if expect.legal is not None:
            asked["legal"] = True
        return asked

    def asked(self, facts: Fields) -> dict[str, Any]:
        """What must be told so that facts can be compared; of several allowed outcomes, what any of them needs."""
        asked: dict[str, Any] = {}
        if self.compares or any(name in facts for name in OF_POSITIONS):
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
