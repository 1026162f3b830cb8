"""What a scenario leaves to be found out, found out by the reference: an author writes only what matters.

Actions and melds that are written as text get their JSON form. An expectation that does not say what may become of the
rest gets what else has changed since the one before, as its ``also``; so everything is compared, and what the author
wrote stays what the scenario is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from biriba.interpreter.rules import Illegal, Rules
from biriba.model.position import Position
from biriba.model.ruleset import OVER
from biriba.notation import NotationError, action_to_json, format_action, format_meld, meld_to_json
from biriba.scenario.checks import Check
from biriba.scenario.run import read_action, read_meld, start
from biriba.scenario.scenario import (
    ANY,
    DRAFT,
    UNCHANGED,
    Accept,
    Body,
    Claim,
    Expect,
    Fields,
    Layouts,
    Play,
    Reject,
    Repeat,
    Scenario,
    ScenarioError,
    Step,
    Written,
    said_twice,
)
from biriba.scenario.told import PositionFacts, Unchecked, get


def complete(rules: Rules, scenario: Scenario) -> Scenario:
    """The scenario with every action and meld in both forms, the texts canonical, and with all that changes.

    Raises:
        ScenarioError: a step is no action of the rules, or an action that is played is not legal.
    """
    return replace(scenario, steps=tuple(_Completion(rules, start(rules, scenario)).through(scenario.steps)))


def drafted(scenario: Scenario) -> Scenario:
    """The scenario without what was found out of what else changes, so that it can be found out anew."""
    return replace(scenario, steps=tuple(replace(step, body=draft_of(step.body)) for step in scenario.steps))


def draft_of(body: Body) -> Body:
    """A step without what was found out; what the author says of the rest remains."""
    if isinstance(body, Expect) and body.rest != ANY:
        return replace(body, also={}, rest=DRAFT)
    return body


class _Completion:
    """The steps of a scenario under way.

    Attributes:
        now: the position, None if the scenario needs none.
        before: the position at the last expectation, or at the beginning.
        acted: whether anything has been tried since then.
    """

    def __init__(self, rules: Rules, begins: Position | None) -> None:
        self.rules, self.ruleset = rules, rules.ruleset
        self.now = self.before = begins
        self.acted = False

    def through(self, steps: tuple[Step, ...]) -> Iterator[Step]:
        for step in steps:
            try:
                body = self.body(step.body)
            except (NotationError, ValueError, Illegal, Unchecked) as error:
                where = f"{step.line}: {error}" if step.line else str(error)
                raise ScenarioError(step.where, where) from error
            yield replace(step, body=body)

    def body(self, body: Body) -> Body:
        """A step with both forms of its actions and melds; `now` is the position after it."""
        self.acted |= isinstance(body, (Play, Accept, Reject))
        match body:
            case Play(act=act):
                told = self.act(act)
                assert self.now is not None
                self.now = self.rules.apply(self.now, read_action(self.rules, self.now, told))
                return Play(told)
            case Accept(act=act):
                return Accept(self.act(act))
            case Reject(malformed=False, act=act):
                return replace(body, act=self.act(act))
            case Repeat(times=times, steps=steps):
                return self.repeat(times, steps)
            case Claim(meld=meld):
                return replace(body, meld=self.meld(meld))
            case Layouts(cards=cards, melds=melds):
                return Layouts(cards, tuple(self.meld(meld) for meld in melds))
            case Expect():
                return self.expect(body)
            case _:
                return body

    def repeat(self, times: int, steps: tuple[Step, ...]) -> Repeat:
        inner = tuple(self.through(steps))
        for _ in range(times - 1):
            for _ in self.through(inner):
                pass
        return Repeat(times, inner)

    def act(self, act: Written) -> Written:
        if self.now is None:
            raise ValueError("an action needs a position, and the example does not begin with one")
        action = read_action(self.rules, self.now, act)
        return Written(format_action(self.ruleset, action), action_to_json(self.ruleset, action))

    def meld(self, written: Written) -> Written:
        meld = read_meld(self.rules, written)
        return Written(format_meld(self.ruleset, meld), meld_to_json(self.ruleset, meld))

    # ------------------------------------------------------------ what else has changed

    def expect(self, expect: Expect) -> Expect:
        twice = said_twice(expect.facts, expect.also)
        if twice is not None:
            raise ValueError(f"more than one part of it speaks of '{twice}'")
        legal = None if expect.legal is None else tuple(self.act(act) for act in expect.legal)
        found = replace(expect, legal=legal)
        if expect.rest == DRAFT:
            found = replace(found, also=self.also(expect.facts), rest=UNCHANGED)
        self.before, self.acted = self.now, False
        return found

    def also(self, facts: Fields) -> Fields:
        """What has changed without being stated, or is stated only in part."""
        if self.now is None or not self.acted:
            return {}
        look = Check(self.rules, self.now, self.before, None)
        settled, mentioned = look.settled(facts), look.mentioned(facts)
        wanted = {path for path, _, _ in look.changed()} | mentioned
        found: dict[str, Any] = {}
        for path in _in_order(look):
            if path == ("turn",) and self.now.phase == OVER and path not in mentioned:
                found["open"] = ["turn"]  # nobody's turn, so that it may be anybody's
            elif path in wanted - settled:
                tree = found
                for name in path[:-1]:
                    tree = tree.setdefault(name, {})
                tree[path[-1]] = get(look.told, path)
        return found


def _in_order(look: PositionFacts) -> Iterator[tuple[str, ...]]:
    """The paths to all that a position tells, in the order in which it does."""
    for group in ("zones", "states"):
        for name, of in look.told[group].items():
            yield from ((group, name, owner) for owner in of) if isinstance(of, dict) else [(group, name)]
    yield ("turn",)
    yield ("phase",)
