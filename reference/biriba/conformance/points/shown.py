"""Which vectors show the sides of points, and why those sides that none shows cannot be shown."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from biriba.conformance.points.apart import passes
from biriba.conformance.points.points import GUARD, MELD, REJECTED, SIDES, Point, points
from biriba.conformance.strength.mutants import Mutant
from biriba.conformance.strength.normal import Normal, normal
from biriba.conformance.strength.score import equivalents, reasons
from biriba.conformance.suite import Suite
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.model import expr as x
from biriba.model.ruleset import Ruleset
from biriba.scenario.scenario import Accept, Claim, Play, Reject, Repeat, Scenario, Step

MOST_NAMED = 2
"""So many of the vectors that show a side are named."""


@dataclass(slots=True)
class Side:
    """What is known of a side of a point.

    Attributes:
        vectors: ids of the first vectors that show it, those that show little else before others.
        reason: why none can show it; empty if some do, or if nobody knows.
    """

    vectors: list[str] = field(default_factory=list)
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        return {"vectors": self.vectors} if self.vectors else {"reason": self.reason}


@dataclass(frozen=True, slots=True)
class Shown:
    """A point with what is known of each of its sides."""

    point: Point
    sides: dict[str, Side]

    @property
    def empty(self) -> list[str]:
        """The sides that no vector shows, without a reason."""
        return [name for name, side in self.sides.items() if not side.vectors and not side.reason]

    def to_json(self) -> dict[str, Any]:
        sides = {name: side.to_json() for name, side in self.sides.items()}
        return {"kind": self.point.kind, "clause": self.point.clause, "about": self.point.about, "sides": sides}


def shown(suite: Suite, told: Callable[[Point], None] = lambda point: None) -> list[Shown]:
    """All points of a suite's rule set with the vectors that show them.

    Args:
        told: is called with each point before it is looked at.
    """
    why = Reasons(suite.rules.ruleset)
    acts = Acts(suite.scenarios)
    found = []
    for point in points(suite.rules.ruleset):
        told(point)
        sides = {}
        for name in SIDES[point.kind]:
            likely = sorted(suite.scenarios, key=lambda scenario: _weight(scenario, point))
            vectors = acts.showing(point, name, likely) if point.kind == GUARD else _catching(point, name, likely, why)
            ids = [scenario.id for scenario in itertools.islice(vectors, MOST_NAMED)]
            sides[name] = Side(ids, "" if ids else why.of(point, name))
        found.append(Shown(point, sides))
    return found


def _weight(scenario: Scenario, point: Point) -> tuple[bool, bool, bool, int, str]:
    """Vectors that were made for just this point first, then others of its clause, the short ones before the long."""
    own = scenario.id.startswith(("boundary/", "solver/")) and point.clause == scenario.clauses[0]
    cites = point.clause in scenario.clauses
    return not own, not cites, scenario.level in ("games", "legal"), len(scenario.steps), scenario.id


def _catching(point: Point, side: str, likely: Sequence[Scenario], why: Reasons) -> Iterator[Scenario]:
    """The vectors that fail if a number or row is another one: those that cite the clause, or if there is none, any."""
    mutant = dict(point.mutants).get(side)
    ruleset = None if mutant is None or why.equivalent(mutant) else mutant.make()
    if ruleset is None:
        return
    rules, found = Rules(ruleset), False
    for scenario in likely:
        if found and point.clause not in scenario.clauses:
            return
        if not passes(scenario, rules):
            found = True
            yield scenario


class Acts:
    """What vectors reject and accept, and of which melds."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self.rejected: dict[tuple[str, str], list[Scenario]] = {}
        self.accepted: dict[tuple[str, str], list[Scenario]] = {}
        for scenario in scenarios:
            for key in {key for step in _flat(scenario.steps) for key in _rejects(step)}:
                self.rejected.setdefault(key, []).append(scenario)
            abouts = {about for step in _flat(scenario.steps) for about in _accepts(step)}
            for key in {(clause, about) for clause in scenario.clauses for about in abouts}:
                self.accepted.setdefault(key, []).append(scenario)

    def showing(self, point: Point, side: str, likely: Sequence[Scenario]) -> Iterator[Scenario]:
        """The vectors in which the clause alone rejects, or that cite it and accept what is of the same kind."""
        of = self.rejected if side == REJECTED else self.accepted
        showing = {scenario.id for scenario in of.get((point.clause, point.about), ())}
        return (scenario for scenario in likely if scenario.id in showing)


def _flat(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        if isinstance(step.body, Repeat):
            yield from _flat(step.body.steps)
        else:
            yield step


def _rejects(step: Step) -> Iterator[tuple[str, str]]:
    match step.body:
        case Reject(because=(clause,), act=act) if act.data is not None:
            yield clause, str(act.data["action"])
        case Claim(because=(clause,)):
            yield clause, MELD


def _accepts(step: Step) -> Iterator[str]:
    match step.body:
        case Accept(act=act) | Play(act=act) if act.data is not None:
            yield str(act.data["action"])
        case Claim(lawful=True):
            yield MELD


class Reasons:
    """Why a side cannot be shown."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._normal = Normal(rules)
        self._original: Mapping[str, Any] = normal(rules)
        self._equivalent = equivalents(rules.name)
        self._written = reasons(conformance_dir() / "strength" / f"{rules.name}.unshown")
        self._same: dict[str, bool] = {}

    def equivalent(self, mutant: Mutant) -> str:
        """Why nobody can tell a mutant from the original; empty if that is not known."""
        if mutant.name in self._equivalent:
            return self._equivalent[mutant.name]
        if mutant.name not in self._same:
            changed = mutant.make()
            self._same[mutant.name] = changed is not None and normal(changed) == self._original
        return "Nobody can tell: it has the same normal form, proved." if self._same[mutant.name] else ""

    def of(self, point: Point, side: str) -> str:
        """The reason; empty if there is none."""
        written = self._written.get(f"{point.name}, {side}", "")
        if written or point.kind == GUARD:
            return written or ("The numbers of these rules switch it off." if self.switched_off(point) else "")
        mutant = dict(point.mutants).get(side)
        if mutant is None:
            return "The language allows no such number: it is beyond the parameter's range."
        if mutant.make() is None:
            return "The language allows no such number."
        return self.equivalent(mutant)

    def switched_off(self, point: Point) -> bool:
        """Whether a guard or law is always true by the parameters of the rules."""
        bodies = [of.body for of in self.rules.guards if (of.clause, of.action) == (point.clause, point.about)]
        bodies += [law.body for law in self.rules.laws if law.clause == point.clause]
        folded = [self._normal.fold(body) for body in bodies]
        return bool(folded) and all(isinstance(body, x.Const) and body.value is True for body in folded)

    def strange(self, every: Iterable[Point]) -> list[str]:
        """Entries of the written list that are no side of a point."""
        names = {f"{point.name}, {side}" for point in every for side in SIDES[point.kind]}
        return sorted(set(self._written) - names)


def page(found: Sequence[Mapping[str, Any]]) -> str:
    """The table as Markdown.

    Args:
        found: points as `Shown.to_json` tells them.
    """
    return "\n".join(_page(found)) + "\n"


_TITLES = {
    "guard": "Guards and laws",
    "number": "Numbers",
    "row": "Rows of scores and values",
}
_WORDS = {
    "guard": "What is rejected by this clause alone, and what is accepted beside it. The second column says of which "
    "action, or that it is about stated melds.",
    "number": "Vectors that fail in a program whose number is one less, or one more. What an implementation gets wrong "
    "by one is caught by name.",
    "row": "Vectors that fail in a program that gives other points there.",
}


def _page(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "# What the vectors show"
    yield ""
    yield "Made by `python -m biriba.conformance.generate`; not written by hand."
    for kind, title in _TITLES.items():
        of = [point for point in found if point["kind"] == kind]
        sides = [side for point in of for side in point["sides"].values()]
        named = sum("vectors" in side for side in sides)
        yield f"\n## {title}\n"
        yield f"{_WORDS[kind]} {len(of)} points; {named} of {len(sides)} sides are shown, the others have a reason.\n"
        yield f"| clause | what | {' | '.join(SIDES[kind])} |"
        yield f"|---|---|{'---|' * len(SIDES[kind])}"
        for point in of:
            cells = " | ".join(_cell(point["sides"][name]) for name in SIDES[kind])
            yield f"| `{point['clause']}` | {_escaped(point['about'])} | {cells} |"


def _cell(side: Mapping[str, Any]) -> str:
    if "reason" in side:
        return f"*{_escaped(side['reason'])}*" if side["reason"] else "**nothing**"
    return ", ".join(f"`{name}`" for name in side["vectors"])


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("[", "\\[").replace("_", "\\_")
