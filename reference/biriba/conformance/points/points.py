"""The points of a rule set, each with its sides.

- **guard**: whatever can reject an action or a meld. Its sides are ``rejected``, by this clause alone, and
  ``accepted``, beside it.
- **number**: a parameter, or a number in a formal line. Its sides are ``one less`` and ``one more``: a
  vector shows one if it fails under the rules with that number instead, and so tells the two apart.
- **row**: a cell of a scoring table, a branch or a line of the score sheet, the points of a rank. Its side is
  ``counts``: a vector shows it if it fails under the rules in which it gives other points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from biriba.conformance.strength.mutants import Mutant, mutants
from biriba.data import spec_dir
from biriba.model import expr as x
from biriba.model.ruleset import Ruleset, ScoreLine

GUARD, NUMBER, ROW = "guard", "number", "row"
REJECTED, ACCEPTED = "rejected", "accepted"
LESS, MORE, COUNTS = "one less", "one more", "counts"
SIDES = {GUARD: (REJECTED, ACCEPTED), NUMBER: (LESS, MORE), ROW: (COUNTS,)}
MELD = "meld"
"""What a law is about where it judges a stated meld, and no action."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point.

    Attributes:
        about: of a guard the action, or `MELD`; of a number or row what it is, in words.
        mutants: of a number or row, for each side the rule set that has something else there; a side without
            one is a number that the language does not allow.
    """

    kind: str
    clause: str
    about: str
    mutants: tuple[tuple[str, Mutant], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.clause}: {self.about}"

    @property
    def slug(self) -> str:
        """The name as a part of a vector's id."""
        return f"{'.'.join(map(_slug, self.clause.split('.')))}.{_slug(self.about)}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def points(rules: Ruleset) -> list[Point]:
    """All points of a rule set, in the order of its clauses."""
    order = {clause: i for i, clause in enumerate(rules.clauses)}
    found = [*_guards(rules), *_numbers(rules), *_rows(rules)]
    return sorted(dict.fromkeys(found), key=lambda point: (order[point.clause], tuple(SIDES).index(point.kind)))


# ---------------------------------------------------------------- guards


def _guards(rules: Ruleset) -> Iterator[Point]:
    guard = partial(Point, GUARD)
    for action in rules.actions.values():
        yield guard(action.clause, action.name)  # its phase
        domains = {param.domain for param in action.params}
        for law in rules.laws:
            grows = [growing for growing in rules.growings if law.template in (None, growing.template)]
            if "new_meld" in domains or ("growth" in domains and grows):
                yield guard(law.clause, action.name)
        if "growth" in domains:
            yield from (guard(growing.clause, action.name) for growing in rules.growings)
    yield from (guard(of.clause, of.action) for of in rules.guards)
    yield from (guard(law.clause, MELD) for law in rules.laws)


# ---------------------------------------------------------------- numbers

_STEP = re.compile(
    r"(?:parameter )?(?P<of>.*?)(?:: )?(?:in '(?P<quoted>.*)' )?(?P<old>-?\d+) becomes (?P<new>-?\d+)(?P<again> #\d+)?"
)


def _numbers(rules: Ruleset) -> Iterator[Point]:
    """The numbers that mutants make one less and one more."""
    sides: dict[tuple[str, str], dict[str, Mutant]] = {}
    for mutant in mutants(rules, spec_dir()):
        step = _STEP.fullmatch(mutant.what)
        if step is not None:
            of, old, quoted = step["of"], step["old"], step["quoted"]
            within = "" if quoted in (None, old) else f" in '{quoted}'"
            about = f"{f'{of}: ' if of and quoted else f'{of} '}{old}{within}{step['again'] or ''}".strip()
            side = LESS if int(step["new"]) < int(step["old"]) else MORE
            sides.setdefault((mutant.clause, about), {})[side] = mutant
    for (clause, about), found in sides.items():
        yield Point(NUMBER, clause, about, tuple(found.items()))


# ---------------------------------------------------------------- rows


def _rows(rules: Ruleset) -> Iterator[Point]:
    values = rules.cards.clauses["value"]
    for mutant in mutants(rules, spec_dir()):
        if mutant.clause == values and mutant.what.endswith(": 5 points more"):
            yield Point(ROW, values, mutant.what.partition(":")[0], ((COUNTS, mutant),))
    for i, line in enumerate(rules.score):
        for words, body in _otherwise(line):
            score = (*rules.score[:i], replace(line, body=body), *rules.score[i + 1 :])
            about = f"“{line.label}”{words}"
            mutant = Mutant(line.clause, f"{about} gives other points", partial(replace, rules, score=score))
            yield Point(ROW, line.clause, about, ((COUNTS, mutant),))


def _otherwise(line: ScoreLine) -> Iterator[tuple[str, x.Node]]:
    """The bodies of a score line with other points in one place, and which place that is."""
    match line.body:
        case x.Table(rows=rows) as table:
            for r, row in enumerate(rows):
                for c, cell in enumerate(row.cells):
                    cells = (*row.cells[:c], _more(cell), *row.cells[c + 1 :])
                    changed = (*rows[:r], x.Row(cells), *rows[r + 1 :])
                    yield f", row {r + 1}, column {c + 1}", replace(table, rows=changed)
        case x.If(then=then, otherwise=otherwise) as choice:
            yield ", where it holds", replace(choice, then=_more(then))
            yield ", where it does not", replace(choice, otherwise=_more(otherwise))
        case body:
            yield "", x.Const(value=0, type=body.type)


def _more(body: x.Node) -> x.Node:
    five = x.Const(value=5, type=body.type)
    return x.Arith(op="+", left=body, right=five, type=body.type)
