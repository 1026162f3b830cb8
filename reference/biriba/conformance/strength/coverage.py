"""What the vectors cover: the clauses that they cite, and MC/DC of every guard and law.

A guard is a formula of conditions. Each condition should decide the whole formula in some step in which it
holds, and in another in which it does not (modified condition/decision coverage, with masking). A condition
that the parameters of the rules fix is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from biriba.conformance.strength.normal import Normal
from biriba.conformance.suite import Suite
from biriba.interpreter.frame import Env
from biriba.interpreter.rules import Rules
from biriba.model import expr as x
from biriba.scenario.run import run

Tree = Any
"""A number (of a condition), or a tuple of ``and``, ``or``, ``not`` or ``implies`` and trees."""


@dataclass(slots=True)
class Formula:
    """A guard or law whose evaluations are watched.

    Attributes:
        conditions: its conditions, as expressions.
        seen: the values of all conditions at each evaluation; None where one could not be evaluated.
    """

    clause: str
    of: str
    tree: Tree
    conditions: list[x.Node]
    seen: set[tuple[bool | None, ...]] = field(default_factory=set)

    def shown(self) -> list[tuple[bool, bool]]:
        """For each condition, whether it was seen to decide the formula: when it holds, and when it does not."""
        found = []
        for i in range(len(self.conditions)):
            deciding = {values[i] for values in self.seen if self._decides(values, i)}
            found.append((True in deciding, False in deciding))
        return found

    def _decides(self, values: tuple[bool | None, ...], i: int) -> bool:
        if values[i] is None:
            return False
        flipped = (*values[:i], not values[i], *values[i + 1 :])
        return _value(self.tree, values) != _value(self.tree, flipped)


def _value(tree: Tree, values: Sequence[bool | None]) -> bool:
    match tree:
        case int():
            return bool(values[tree])
        case ("and", *parts):
            return all(_value(part, values) for part in parts)
        case ("or", *parts):
            return any(_value(part, values) for part in parts)
        case ("not", body):
            return not _value(body, values)
        case ("implies", left, right):
            return not _value(left, values) or _value(right, values)
    raise AssertionError(tree)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is covered.

    Attributes:
        cited: for every clause how many vectors cite it.
        formulas: the guards and laws with what was seen of them.
    """

    cited: dict[str, int]
    formulas: tuple[Formula, ...]

    def uncovered(self) -> Iterator[tuple[Formula, x.Node, str]]:
        """Each condition that was not seen to decide, when it ``holds`` or when it ``fails``."""
        for formula in self.formulas:
            for condition, ways in zip(formula.conditions, formula.shown(), strict=True):
                for way, covered in zip(("holds", "fails"), ways, strict=True):
                    if not covered:
                        yield formula, condition, way

    def counts(self) -> tuple[int, int]:
        """How many of the two ways of each condition were seen, and how many there are."""
        ways = [covered for formula in self.formulas for pair in formula.shown() for covered in pair]
        return sum(ways), len(ways)


def coverage(suite: Suite) -> Coverage:
    """Run all vectors of a suite on the reference and watch its guards and laws."""
    rules = Rules(suite.rules.ruleset)  # one of its own, since it is watched
    formulas = tuple(_watch(rules))
    for scenario in suite.scenarios:
        run(scenario, rules)
    cited = dict.fromkeys(rules.ruleset.clauses, 0)
    for scenario in suite.scenarios:
        for clause in scenario.clauses:
            if clause in cited:
                cited[clause] += 1
    return Coverage(cited, formulas)


def _watch(rules: Rules) -> Iterator[Formula]:
    """Put a watch on every guard and law of a rule set's interpreter."""
    normal = Normal(rules.ruleset)
    evaluator = rules._evaluator
    for name, action in rules._judge._actions.items():
        for i, (guard, code, slots) in enumerate(action.guards):
            formula = _formula(normal, guard.clause, f"guard of {name}", guard.body)
            if formula.conditions:
                action.guards[i] = (guard, _watched(evaluator, formula, code, action.env), slots)
                yield formula
        for i, (guard, code) in enumerate(action.ensures):
            formula = _formula(normal, guard.clause, f"guard of {name}", guard.body)
            if formula.conditions:
                action.ensures[i] = (guard, _watched(evaluator, formula, code, action.env))
                yield formula
    laws = evaluator.melds.laws
    for template, of_template in laws._of.items():
        for i, (law, code) in enumerate(of_template):
            formula = _formula(normal, law.clause, f"law of {template}", law.body)
            if formula.conditions:
                of_template[i] = (law, _watched(evaluator, formula, code, laws.env_of(law)))
                yield formula


def _watched(evaluator: Any, formula: Formula, code: Callable[[Any, Any], Any], env: Env) -> Callable[[Any, Any], Any]:
    conditions = [evaluator.compile(condition, env) for condition in formula.conditions]

    def look(condition: Callable[[Any, Any], Any], situation: Any, frame: Any) -> bool | None:
        try:
            return bool(condition(situation, frame))
        except Exception:  # evaluated where the formula itself would not have looked at it
            return None

    def watched(situation: Any, frame: Any) -> Any:
        wide = evaluator.widened(frame)
        formula.seen.add(tuple(look(condition, situation, wide) for condition in conditions))
        return code(situation, frame)

    return watched


def _formula(normal: Normal, clause: str, of: str, body: x.Node) -> Formula:
    conditions: list[x.Node] = []

    def tree(node: x.Node) -> Tree:
        match node:
            case x.And(parts=parts):
                return ("and", *map(tree, parts))
            case x.Or(parts=parts):
                return ("or", *map(tree, parts))
            case x.Not(body=inner):
                return ("not", tree(inner))
            case x.Implies(left=left, right=right):
                return ("implies", tree(left), tree(right))
            case x.Apply(definition=name, args=()) if normal.definitions[name].type.kind == "bool":
                return tree(normal.definitions[name])
            case _:
                if node not in conditions:
                    conditions.append(node)
                return conditions.index(node)

    folded = normal.fold(body)
    if isinstance(folded, x.Const):
        return Formula(clause, of, 0, [])
    return Formula(clause, of, tree(folded), conditions)
