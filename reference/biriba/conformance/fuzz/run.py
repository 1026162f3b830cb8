"""The fuzzing run: one case after another, each made from a seed and a number, so that it can be made again."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Protocol

from biriba.conformance.child import Child, ChildError
from biriba.conformance.compare import IS_LEGAL, SAID_LEGAL
from biriba.conformance.engine import Engine, answer_run
from biriba.conformance.fuzz.positions import Positions
from biriba.conformance.fuzz.probes import Probe, Prober, choose, named
from biriba.conformance.fuzz.shrink import Shrinker, trimmed
from biriba.conformance.harness import judged
from biriba.conformance.protocol import Implementation, run_message
from biriba.conformance.questions import make_case
from biriba.conformance.results import ERRORED, SKIPPED, Result
from biriba.conformance.suite import Suite
from biriba.interpreter.rules import Rules
from biriba.model.position import Action
from biriba.notation import parse_action
from biriba.notation.jsonvalue import decode, encode
from biriba.scenario.complete import complete
from biriba.scenario.run import read_action, start
from biriba.scenario.scenario import (
    Accept,
    Claim,
    Expect,
    GivenDeck,
    Layouts,
    Play,
    Provenance,
    Reject,
    Scenario,
    Value,
)

PLIES = 5
"""So many actions are played from a random position."""
LONGEST_DEAL = 40
"""So many actions are played from a deck."""


_WHAT = {
    "score": "the score",
    "lines": "the score sheet",
    "meld": "what is true of the melds",
    "view": "what a seat sees",
    "match": "whether the match goes on",
}
"""What a fact is about, for titles; the others are about the position."""


class Peer(Protocol):
    """Whoever is compared with the reference."""

    implementation: Implementation

    def ask(self, scenario: Scenario) -> Result:
        """What becomes of a scenario."""


class EnginePeer:
    """An engine in this process."""

    def __init__(self, engine: Engine, suite: Suite) -> None:
        self.engine, self.suite, self.implementation = engine, suite, engine.implementation

    def ask(self, scenario: Scenario) -> Result:
        case = make_case(scenario, self.suite.ruleset)
        answer = decode(encode({"seq": 0, **answer_run(self.engine, decode(encode(case.asked)))}))
        return judged(self.suite, case, self.implementation, answer, 0, 0.0)


class ChildPeer:
    """An adapter in a process of its own, which is started again when it has ended.

    Raises:
        ChildError: it does not start.
    """

    def __init__(self, command: Sequence[str], suite: Suite, timeout: float = 10.0, startup: float = 20.0) -> None:
        self.suite, self.timeout = suite, timeout
        self._loop = asyncio.new_event_loop()
        self._child = Child(command, startup)
        try:
            self.implementation = self._loop.run_until_complete(self._child.start())
        except ChildError as error:
            self._loop.close()
            raise ChildError(error.kind, self._child.no_start(error)) from None

    def ask(self, scenario: Scenario) -> Result:
        case = make_case(scenario, self.suite.ruleset)
        try:
            if not self._child.running:
                self._loop.run_until_complete(self._child.start())
            asking = self._child.ask(partial(run_message, case=case.asked), self.timeout)
            answer, seq = self._loop.run_until_complete(asking)
        except ChildError as error:
            told = (scenario.id, scenario.title, scenario.level, scenario.clauses, ERRORED)
            return Result(*told, message=str(error), kind=error.kind, stderr=self._child.stderr)
        result = judged(self.suite, case, self.implementation, answer, seq, 0.0)
        if result.kind in ("garbage", "sequence"):
            self._loop.run_until_complete(self._child.kill())
        return result

    def close(self) -> None:
        """End the process, if that has not been done."""
        if self._loop.is_closed():
            return
        self._loop.run_until_complete(self._child.stop())
        self._loop.close()


@dataclass(frozen=True, slots=True)
class Finding:
    """A difference between implementation and reference.

    Attributes:
        number: of the case in which it was found.
        scenario: the difference as a vector.
        result: what the implementation made of it.
        looks: what it looks like: differences that look alike are told once.
    """

    number: int
    scenario: Scenario
    result: Result
    looks: tuple[str, ...] = ()


@dataclass(slots=True)
class Progress:
    """How far a run is: questions asked, questions that were not answered, differences found."""

    asked: int = 0
    skipped: int = 0
    found: int = 0


class Fuzzer:
    """Compares an implementation with the reference.

    Args:
        seed: all cases follow from it.
        most: how many differences are shrunk; those that look alike are told once.
        seen: what differences look like that have been told.
    """

    def __init__(
        self, rules: Rules, peer: Peer, seed: int = 0, most: int = 5, seen: Iterable[tuple[str, ...]] = ()
    ) -> None:
        self.rules, self.peer, self.seed, self.most = rules, peer, seed, most
        self.prober = Prober(rules)
        self.levels = peer.implementation.levels
        self.progress = Progress()
        self._seen = set(seen)

    def run(
        self,
        first: int = 0,
        count: int | None = None,
        seconds: float | None = None,
    ) -> Iterator[Finding]:
        """Go through cases until there were so many, the time is over, or enough was found."""
        begun, number = time.monotonic(), first
        while count is None or number < first + count:
            if (seconds is not None and time.monotonic() - begun > seconds) or self.progress.found >= self.most:
                return
            yield from self.case(number)
            number += 1

    def case(self, number: int) -> Iterator[Finding]:
        """One case: some cards, the totals of a match, a deal, or a random position and what follows."""
        random = Random(f"{self.seed} {number}")
        kinds = [
            kind for kind, level in (("melds", "melds"), ("match", "match"), ("deal", "games")) if level in self.levels
        ]
        if {"scoring", "actions", "legal", "views"} & set(self.levels):
            kinds += ["position"] * 5
        kind = random.choice(kinds)
        if kind == "position":
            yield from self.positions(number, random)
            return
        for _ in range(1 if kind == "deal" else 5):
            scenario = self.scenario(kind, random)
            if scenario is not None:
                result = self.ask(scenario)
                if not result.bad:
                    continue
                probe = self.as_probe(scenario, result)
                if probe is not None:
                    yield from self.differs(number, *probe)
                    continue
                looks = self.looks_of_fact(scenario, result)
                if looks not in self._seen:
                    self._seen.add(looks)
                    small = self.shorter(scenario, result)
                    yield from self.found(number, small, self.ask(small), looks)

    def as_probe(self, scenario: Scenario, result: Result) -> tuple[Probe, Result] | None:
        """What went wrong in a deal as a probe of one position, with its result, if it goes wrong there too."""
        if not isinstance(scenario.given, GivenDeck) or not result.wrong or not {"actions", "legal"} & set(self.levels):
            return None
        position = before = start(self.rules, scenario)
        played: Action | None = None
        wrong = self.step_of(scenario, result)
        for step in scenario.steps[:wrong]:
            if isinstance(step.body, Play) and position is not None:
                played, before = read_action(self.rules, position, step.body.act), position
                position = self.rules.apply(position, played)
        body = scenario.steps[wrong].body
        if position is None or before is None:
            return None
        probes: list[Probe] = []
        if isinstance(body, Play):
            probes = [Probe("verdict", position, self.prober.stated(read_action(self.rules, position, body.act)))]
        elif isinstance(body, Expect) and body.legal is not None:
            probes = [Probe("legal", position)]
        elif isinstance(body, Expect):
            probes = [Probe("score", position)] if "lines" in body.facts and "scoring" in self.levels else []
            probes += [Probe("after", before, self.prober.stated(played))] if played is not None else []
        for probe in probes:
            small = self.prober.scenario(probe)
            if small is not None and (again := self.ask(small)).bad:
                return probe, again
        return None

    def step_of(self, scenario: Scenario, result: Result) -> int:
        """Which step the first wrong answer belongs to; the harness also asks for positions that no step asks for."""
        asked = make_case(scenario, (self.rules.ruleset.name, self.rules.ruleset.version)).questions
        return max(0, sum(question.step is not None for question in asked[: result.wrong[0].question + 1]) - 1)

    def scenario(self, kind: str, random: Random) -> Scenario | None:
        match kind:
            case "melds":
                return self.prober.of_melds(random, scored="scoring" in self.levels)
            case "match":
                return self.prober.of_matches(random)
            case _:
                return self.prober.of_deal(random, LONGEST_DEAL, legal="legal" in self.levels)

    def positions(self, number: int, random: Random) -> Iterator[Finding]:
        position = Positions(self.rules, random).position()
        for _ in range(PLIES):
            if position is None:
                return
            for probe in self.prober.at(position, random, self.levels):
                scenario = self.prober.scenario(probe)
                if scenario is None:
                    continue
                result = self.ask(scenario)
                if result.bad:
                    yield from self.differs(number, probe, result)
                    return
            legal = self.rules.legal(position)
            if not legal:
                return
            position = self.rules.apply(position, choose(legal, random))

    def ask(self, scenario: Scenario) -> Result:
        result = self.peer.ask(scenario)
        self.progress.asked += 1
        self.progress.skipped += result.verdict == SKIPPED
        return result

    def wrong(self, scenario: Scenario) -> bool:
        """Whether the implementation does not do as a scenario says."""
        return self.ask(scenario).bad

    # ------------------------------------------------------------ what was found, made small

    def differs(self, number: int, probe: Probe, result: Result) -> Iterator[Finding]:
        if probe.kind == "legal":
            probe = self.single(probe, result) or probe
        looks = self.looks(probe, result)
        if looks in self._seen:
            return
        self._seen.add(looks)

        def still(smaller: Probe) -> bool:
            scenario = self.prober.scenario(smaller)
            if scenario is None:
                return False
            again = self.ask(scenario)
            return again.bad and self.looks(smaller, again)[:4] == looks[:4]

        probe = Shrinker(self.rules, still).shrunk(probe)
        scenario = self.prober.scenario(probe)
        if scenario is not None:
            scenario = trimmed(scenario, self.wrong)
            yield from self.found(number, scenario, self.ask(scenario), looks)

    def single(self, probe: Probe, result: Result) -> Probe | None:
        """A single action that the implementation judges wrongly, where its list of legal actions is wrong."""
        if "actions" not in self.levels:
            return None
        for wrong in result.wrong:
            for text, end in ((wrong.expected, IS_LEGAL), (wrong.found, SAID_LEGAL)):
                if text.endswith(end):
                    stated = parse_action(self.rules.ruleset, text.removesuffix(end))
                    verdict = Probe("verdict", probe.position, stated)
                    scenario = self.prober.scenario(verdict)
                    if scenario is not None and self.ask(scenario).bad:
                        return verdict
        return None

    def looks(self, probe: Probe, result: Result) -> tuple[str, ...]:
        """What a difference looks like, as far as it matters for whether two are alike."""
        action = probe.action.name if probe.action is not None else ""
        scenario = self.prober.scenario(probe)
        clauses = " ".join(scenario.clauses) if scenario is not None else ""
        first = result.wrong[0].expected.split(" ")[0] if result.wrong and probe.kind != "verdict" else ""
        legal = type(scenario.steps[-1].body).__name__ if scenario is not None else ""
        return (probe.kind, action, result.kind or legal, first, clauses if legal == "Reject" else "")

    def shorter(self, scenario: Scenario, result: Result) -> Scenario:
        """The scenario up to the step that went wrong, the expectations before it left out."""
        steps = scenario.steps
        if len(steps) > 1 and result.wrong:
            last = self.step_of(scenario, result)
            kept = [step for step in steps[:last] if isinstance(step.body, Play)]
            scenario = replace(scenario, steps=(*kept, steps[last]))
        elif scenario.given is None:
            scenario = self.fewer_cards(scenario, result)
        return trimmed(scenario, self.wrong)

    def fewer_cards(self, scenario: Scenario, result: Result) -> Scenario:
        """A question about cards alone with as few of them as show the same difference."""
        looks = self.looks_of_fact(scenario, result)
        while True:
            for smaller in self.prober.fewer_cards(scenario, scored="scoring" in self.levels):
                again = self.ask(smaller)
                if again.bad and self.looks_of_fact(smaller, again) == looks:
                    scenario = smaller
                    break
            else:
                return scenario

    def looks_of_fact(self, scenario: Scenario, result: Result) -> tuple[str, ...]:
        """What a difference looks like by the first differing fact; numbers and cards are left out."""
        words = result.wrong[0].expected.split(" ") if result.wrong else [result.kind]
        return scenario.level, "".join(word for word in words if word.isalpha() and word.islower())[:40]

    def found(self, number: int, scenario: Scenario, result: Result, looks: tuple[str, ...]) -> Iterator[Finding]:
        """The finding that a difference is; nothing if it is none any more."""
        if not result.bad:
            return
        self.progress.found += 1
        digest = hashlib.sha256(repr((scenario.given, scenario.steps)).encode()).hexdigest()[:10]
        note = f"Found by fuzzing: seed {self.seed}, case {number}."
        scenario = complete(self.rules, self.prober.made(scenario.given, scenario.steps))
        scenario = replace(scenario, provenance=Provenance("fuzz", (), note))
        yield Finding(number, named(scenario, f"fuzz/{digest}", self.title(scenario)), result, looks)

    def title(self, scenario: Scenario) -> str:
        """What a scenario shows, in words."""
        match scenario.steps[-1].body:
            case Accept(act=act):
                return f"{act.text} is legal"
            case Reject(act=act):
                return f"{act.text} is rejected"
            case Claim(meld=meld, lawful=lawful):
                return f"{meld.text} is {'lawful' if lawful else 'unlawful'}"
            case Expect(facts=facts):
                played = [step.body.act.text for step in scenario.steps if isinstance(step.body, Play)]
                after = f" after {played[-1]}" if played else ""
                what = ", ".join(dict.fromkeys(_WHAT.get(name, "the position") for name in facts)) or "what is legal"
                return f"{what}{after}"
            case Layouts(cards=cards):
                return f"the melds of {' '.join(cards)}"
            case Value(cards=cards):
                return f"the value of {' '.join(cards)}"
            case _:
                raise AssertionError("no other step ends a case")
