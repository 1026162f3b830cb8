"""When a match ends: for each condition a score at which it does, and the neighbour at which it goes on.

Points come in steps: if all that the score sheet can give is a multiple of five, then so is every
total, and neighbours lie five apart. Each comparison that a condition is made of gets a boundary of its
own, and each is confirmed by the interpreter's reckoning of matches. Where one ends, one side must win it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from math import gcd
from typing import Any

from biriba.interpreter.frame import Standing
from biriba.model import expr as x
from biriba.model.position import Position
from biriba.model.ruleset import OVER, Ruleset, Statement
from biriba.verify.encode import Encoder, Scope
from biriba.verify.solving import Asked, Clock, within
from biriba.verify.symbols import SymPosition
from biriba.verify.terms import Term, and_, implies, integer, ite, known, not_, or_, total
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result, Witness
from biriba.verify.witness import Referee
from biriba.verify.z3api import z3

GROUP = "decisive clause"
MOST = 100_000
"""Totals beyond this, or below its negative, are not looked at."""


def prove_matches(referee: Referee, timeout: float) -> list[Result]:
    """The boundaries of every condition on which a match ends."""
    rules = referee.ruleset
    results: list[Result] = []
    for end in rules.match.ends:
        clock = Clock()
        results += _boundaries(referee, end, timeout, clock)
    return [*results, *_winners(referee.ruleset, timeout)]


def _boundaries(referee: Referee, end: Statement, timeout: float, clock: Clock) -> Iterator[Result]:
    problem = _Problem(referee.ruleset, end)
    if problem.never(timeout):
        note = "never ends a match; covered by the parameters' values"
        yield Result(GROUP, end.clause, "match", NOTED, clock.read(), note)
        return
    if problem.always(timeout):
        yield Result(GROUP, end.clause, "match", NOTED, clock.read(), "ends every match with its first deal")
        return
    for i, part in enumerate(problem.parts):
        about = f"match, condition {i + 1} of {len(problem.parts)}"
        found = problem.boundary(referee, part, timeout)
        if found is None:
            note = "no score was found at which this condition alone decides"
            yield Result(GROUP, end.clause, about, UNKNOWN, clock.read(), note)
            continue
        ends, on = (_text(referee.ruleset, standing) for standing in found)
        shown = {"ends": found[0]._asdict(), "goes on": found[1]._asdict()}
        witness = Witness(ends, (), None, shown, (end.clause,), confirmed=True)
        yield Result(GROUP, end.clause, about, PROVED, clock.read(), f"goes on beside it: {on}", witness)


def _winners(rules: Ruleset, timeout: float) -> Iterator[Result]:
    """That whenever a match ends one side wins it, and no other."""
    winner, ends = rules.match.winner, rules.match.ends
    if winner is None or not ends:
        return
    problem, clock = _Problem(rules, ends[0]), Clock()
    over = or_(problem.value(end.body, 0) for end in ends)
    wins = [problem.value(winner.body, 0, {winner.var: side}) for side in range(len(rules.table.sides))]
    two = or_(and_(pair) for pair in combinations(wins, 2))
    for about, term in (("match, some side wins", or_(wins)), ("match, no two sides win", not_(two))):
        asked = Asked(problem.plain(), timeout)
        status, note = {"yes": (PROVED, ""), "no": (NOTED, "not so")}.get(
            asked.follows(implies(over, term)), (UNKNOWN, "no answer within the time limit")
        )
        if status == NOTED:
            model = asked.model(over, not_(term))
            note = "not so" if model is None else f"not so: {_text(rules, problem.standing(model, 0))}"
        yield Result("match winner", winner.clause, about, status, clock.read(), note)


def _text(rules: Ruleset, standing: Standing) -> str:
    totals = ", ".join(f"{side} {total}" for side, total in zip(rules.table.sides, standing.totals, strict=True))
    return f"totals {totals}; deals {standing.deals}"


class _Problem:
    """Two standings, one at which a condition ends the match and one beside it."""

    def __init__(self, rules: Ruleset, end: Statement) -> None:
        self.rules, self.end, self.encoder = rules, end, Encoder(rules)
        self.step = points_step(rules)
        sides = range(len(rules.table.sides))
        self.units = [(integer(f"here{p}"), integer(f"there{p}")) for p in sides]
        self.deals = (integer("deals.here"), integer("deals.there"))
        self.parts = list(_conjuncts(rules, end.body))

    def value(self, node: x.Node, which: int, env: Mapping[str, int] | None = None) -> Term:
        """An expression at one of the standings."""
        position = SymPosition(len(self.rules.phases), 0, 0, (), ())
        totals = tuple(self.step * unit[which] for unit in self.units)
        return self.encoder.value(
            node, replace(Scope(position, 0, env=env or {}), totals=totals, deals=self.deals[which])
        )

    def never(self, timeout: float) -> bool:
        """Whether it ends no match at all."""
        ends = self.value(self.end.body, 0)
        return not ends if known(ends) else Asked(self.plain(), timeout).possible(ends) == "no"

    def always(self, timeout: float) -> bool:
        """Whether it ends every match as soon as a deal is complete."""
        return Asked(self.plain(), timeout).follows(self.value(self.end.body, 0)) == "yes"

    def plain(self) -> list[Term]:
        most = MOST // self.step
        bounds = [bound for pair in self.units for unit in pair for bound in (unit >= -most, unit <= most)]
        return [*bounds, *(deals >= 1 for deals in self.deals), *(deals <= 1000 for deals in self.deals)]

    def boundary(self, referee: Referee, part: x.Node, timeout: float) -> tuple[Standing, Standing] | None:
        """A standing at which the match ends by the condition, and a neighbour at which only this part fails."""
        others = [end.body for end in self.rules.match.ends if end is not self.end]
        told: list[Term] = [*self.plain(), self.value(self.end.body, 0), not_(self.value(part, 1))]
        told += [self.value(other, 1) for other in self.parts if other is not part]
        told += [not_(self.value(other, which)) for other in others for which in (0, 1)]
        numbers = [*self.units, self.deals]
        told.append(
            or_(and_([or_([b == a + 1, b == a - 1]), *(c == d for c, d in numbers if c is not a)]) for a, b in numbers)
        )
        # The least: small totals, few deals.
        search = z3.Optimize()
        search.add(*(term for term in told if not known(term)))
        search.minimize(total([*(ite(here >= 0, here, -here) for here, _ in self.units), self.deals[0]]))
        if not all(term for term in told if known(term)) or within(timeout, search.check) != "sat":
            return None
        return self._confirmed(referee, search.model())

    def _confirmed(self, referee: Referee, model: Any) -> tuple[Standing, Standing] | None:
        here, there = (self.standing(model, which) for which in (0, 1))
        last = _blank(referee)
        ends, on = (referee.rules.matches.ended_by(standing, last) for standing in (here, there))
        return (here, there) if ends == [self.end.clause] and not on else None

    def standing(self, model: Any, which: int) -> Standing:
        """One of the standings in a model."""

        def number(term: Any) -> int:
            return int(model.eval(term, model_completion=True).as_long())

        return Standing(tuple(self.step * number(unit[which]) for unit in self.units), number(self.deals[which]))


def _blank(referee: Referee) -> Position:
    """Some position: conditions that look at it have no encoding."""
    return replace(referee.rules.deal(seed=0).position, phase=OVER)


def _conjuncts(rules: Ruleset, node: x.Node) -> Iterator[x.Node]:
    """The conditions that must all hold."""
    match node:
        case x.And(parts=parts):
            for part in parts:
                yield from _conjuncts(rules, part)
        case x.Apply(definition=name, args=()):
            yield from _conjuncts(rules, rules.definitions[name].body)
        case _:
            yield node


# ---------------------------------------------------------------- the steps in which points come


def points_step(rules: Ruleset) -> int:
    """The greatest number of which all points of deals are multiples, as far as the score sheet shows it."""
    steps = gcd(*(_step(rules, line.body) for line in rules.score))
    return steps or 1


def _step(rules: Ruleset, node: x.Node) -> int:
    """A number of which the value of an expression is always a multiple; 0 if it is 0."""
    match node:
        case x.Const(value=int(value)):
            return abs(value)
        case x.Param(name=name):
            setting = rules.parameters[name].value
            return abs(setting) if isinstance(setting, int) else 1
        case x.Call(function="value"):
            return gcd(*(face.value for face in rules.cards.faces))
        case x.Call(function="min" | "max", args=args):
            return gcd(*(_step(rules, arg) for arg in args))
        case x.Arith(op="*", left=left, right=right):
            return _step(rules, left) * _step(rules, right)
        case x.Arith(left=left, right=right):
            return gcd(_step(rules, left), _step(rules, right))
        case x.If(then=then, otherwise=otherwise):
            return gcd(_step(rules, then), _step(rules, otherwise))
        case x.Fold(kind="sum" | "greatest" | "smallest", body=body):
            return _step(rules, body)
        case x.Table(rows=rows):
            return gcd(*(_step(rules, cell) for row in rows for cell in row.cells))
        case x.Apply(definition=name):
            return _step(rules, rules.definitions[name].body)
        case _:
            return 1
