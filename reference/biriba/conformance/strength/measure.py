"""All measures of a suite's strength together, in words and as JSON: counts with totals, no bare percentage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from biriba.conformance.strength.coverage import Coverage, coverage
from biriba.conformance.strength.score import (
    CAUGHT,
    FATES,
    PROVED,
    REASONED,
    SOLVED,
    STILLBORN,
    SURVIVED,
    Fate,
    reasons,
)
from biriba.conformance.suite import Suite
from biriba.data import conformance_dir
from biriba.scenario.scenario import ScenarioError


@dataclass(frozen=True, slots=True)
class Strength:
    """What was measured.

    Attributes:
        covered: what the vectors cover.
        unreachable: conditions that decide nothing in any game, each with the reason.
        fates: what became of the mutants; none if they were not made.
        controls: names of mutants that must be caught.
    """

    suite: Suite
    covered: Coverage
    unreachable: dict[str, str]
    fates: tuple[Fate, ...]
    controls: tuple[str, ...]

    @property
    def gaps(self) -> list[str]:
        """The conditions that no vector shows to decide, and that could."""
        return [name for name in self._undecided() if name not in self.unreachable]

    def _undecided(self) -> list[str]:
        found = []
        for formula, condition, way in self.covered.uncovered():
            number = formula.conditions.index(condition) + 1
            found.append(f"{formula.clause}, {formula.of}, condition {number} when it {way}")
        return found

    @property
    def survivors(self) -> list[Fate]:
        return [fate for fate in self.fates if fate.fate == SURVIVED]

    @property
    def missed_controls(self) -> list[str]:
        """Control mutants that were made and not caught."""
        return [fate.name for fate in self.fates if fate.name in self.controls and fate.fate != CAUGHT]

    @property
    def ok(self) -> bool:
        return not (self.survivors or self.gaps or self.missed_controls)

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        counted = Counter(fate.fate for fate in self.fates)
        decided, ways = self.covered.counts()
        return {
            "suite": self.suite.identity,
            "clauses": {"cited": sum(map(bool, self.covered.cited.values())), "all": len(self.covered.cited)},
            "conditions": {"decided": decided, "unreachable": len(self.unreachable), "all": ways, "gaps": self.gaps},
            "mutants": {
                "all": len(self.fates),
                **{fate: counted[fate] for fate in FATES},
                "survivors": [fate.name for fate in self.survivors],
                "controls": {"caught": len(self.controls) - len(self.missed_controls), "all": len(self.controls)},
            },
        }

    def lines(self) -> Iterator[str]:
        """Everything, for people."""
        cited = self.covered.cited
        yield f"clauses cited by a vector      {sum(map(bool, cited.values()))}/{len(cited)}"
        without = [clause for clause, n in cited.items() if not n]
        if without:
            yield f"  not cited: {', '.join(without)}"
        decided, ways = self.covered.counts()
        reachable = ways - len(self.unreachable)
        yield f"conditions shown to decide     {decided}/{reachable}, and {len(self.unreachable)} that never can"
        yield from (f"  not shown: {gap}" for gap in self.gaps)
        if not self.fates:
            return
        counted = Counter(fate.fate for fate in self.fates)
        others = {fate: counted[fate] for fate in (PROVED, SOLVED, REASONED, STILLBORN) if counted[fate]}
        told = ", ".join(f"{n} {fate}" for fate, n in others.items())
        able = counted[CAUGHT] + counted[SURVIVED]
        yield f"mutants caught                 {counted[CAUGHT]}/{able}" + (f"; {told}" if told else "")
        clause = ""
        for fate in self.survivors:
            if fate.clause != clause:
                clause = fate.clause
                yield f"  {clause}"
            yield f"    survived: {fate.name.removeprefix(f'{clause}: ')}"
        made = {fate.name for fate in self.fates}
        controls = [name for name in self.controls if name in made]
        yield f"control mutants caught         {len(controls) - len(self.missed_controls)}/{len(controls)}"
        yield from (f"  not caught: {name}" for name in self.missed_controls)


def measure(suite: Suite, fates: tuple[Fate, ...] = (), *, every: bool = True) -> Strength:
    """Measure what the vectors cover, and put it beside the fates of mutants.

    Args:
        every: all mutants were made, so that a control that is not among them is a fault.

    Raises:
        ScenarioError: a list names a condition or a mutant that there is not.
    """
    folder, name = conformance_dir() / "strength", suite.rules.ruleset.name
    found = coverage(suite)
    unreachable = reasons(folder / f"{name}.unreachable")
    strength = Strength(suite, found, unreachable, fates, _controls(name))
    strange = set(unreachable) - set(strength._undecided())
    if strange:
        message = f"'{min(strange)}' is no condition, or is shown to decide after all"
        raise ScenarioError(str(folder / f"{name}.unreachable"), message)
    missing = set(strength.controls) - {fate.name for fate in fates}
    if fates and every and missing:
        raise ScenarioError(str(folder / f"{name}.controls"), f"there is no mutant '{min(missing)}'")
    return strength


def _controls(name: str) -> tuple[str, ...]:
    path = conformance_dir() / "strength" / f"{name}.controls"
    if not path.is_file():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
