"""Lines of the score sheet: where several could apply, exactly one does; each is reached by some meld."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from biriba import notation
from biriba.model import expr as x
from biriba.model.ruleset import Ruleset, ScoreLine
from biriba.verify.concrete import Reading
from biriba.verify.encode import Scope
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Steps
from biriba.verify.symbols import SymLaid, SymMeld
from biriba.verify.terms import Term, and_, implies, not_, or_
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result
from biriba.verify.witness import Referee

GROUP = "score sheet"


def prove_score(referee: Referee, timeout: float) -> list[Result]:
    """The verdicts about the lines for melds and the tables in them."""
    rules = referee.ruleset
    results: list[Result] = []
    for template in rules.templates:
        lines = [line for line in rules.score if line.type.kind == "meld" and line.type.detail in (None, template)]
        if lines:
            results += _Lines(rules, template, timeout).results(lines)
    return results


class _Lines:
    """The lines for melds of one template, asked of any lawful meld of that template."""

    def __init__(self, rules: Ruleset, template: str, timeout: float) -> None:
        self.rules, self.template, self.timeout = rules, template, timeout
        self.steps = Steps(rules)
        self.position, facts = self.steps.position("p", 0, PROOF, {})
        self.meld = self.steps.encoder.shapes.fresh(template, "m")
        copies = [self.meld.counts[face.index] <= face.copies for face in rules.cards.faces]
        shapes = self.steps.encoder.shapes
        lawful = self.steps.encoder.lawful(self.meld, Scope(self.position, 0))
        self.facts = [*facts, *shapes.fits(self.meld), *shapes.counted(self.meld), *copies, lawful]

    def scope(self, line: ScoreLine) -> Scope:
        slot = next(
            s for s, (z, _) in enumerate(self.steps.encoder.layout.zone_slots) if self.rules.zones[z].kind == "melds"
        )
        meld: SymMeld | SymLaid = SymLaid(slot, 0, 0, self.meld) if line.type.laid else self.meld
        return Scope(self.position, 0, env={line.var: meld}, totals=(0,) * len(self.rules.table.sides))

    def where(self, line: ScoreLine) -> Term:
        return True if line.where is None else self.steps.encoder.value(line.where, self.scope(line))

    def results(self, lines: list[ScoreLine]) -> Iterator[Result]:
        clock = Clock()
        asked = Asked(self.facts, self.timeout)
        wheres = [self.where(line) for line in lines]
        for (a, here), (b, there) in combinations(list(zip(lines, wheres, strict=True)), 2):
            about = f"{self.template}: not with {b.clause}"
            yield self._exclusive(asked, a.clause, about, and_((here, there)), clock)
        for line, where in zip(lines, wheres, strict=True):
            about = f"{self.template}: reached"
            reached = asked.possible(where)
            status = {"yes": PROVED, "no": NOTED}.get(reached, UNKNOWN)
            yield Result(GROUP, line.clause, about, status, clock.read(), "" if reached == "yes" else "never reached")
            if isinstance(line.body, x.Table):
                yield from self._table(asked, line, where, line.body, clock)

    def _table(self, asked: Asked, line: ScoreLine, where: Term, table: x.Table, clock: Clock) -> Iterator[Result]:
        """That one row and one column apply to every meld, no two do, and each some time.

        Of the rows the first that applies counts, so each is to be reached where no earlier one applies.
        """
        rows = [self.steps.encoder.value(condition, self.scope(line)) for condition in table.conditions]
        columns = [self.steps.encoder.value(column, self.scope(line)) for column in table.columns]
        if len(table.rows) > 1:
            yield from self._one_of(asked, line, where, "row", rows, clock, in_order=True)
        yield from self._one_of(asked, line, where, "column", columns, clock, in_order=False)

    def _one_of(
        self, asked: Asked, line: ScoreLine, where: Term, what: str, cases: list[Term], clock: Clock, *, in_order: bool
    ) -> Iterator[Result]:
        """That some case applies to every meld, no two do, and each some time."""
        complete = asked.follows(implies(where, or_(cases)))
        status = {"yes": PROVED, "no": NOTED}.get(complete, UNKNOWN)
        about = f"{self.template}: a {what} for every meld"
        yield Result(GROUP, line.clause, about, status, clock.read(), "" if complete == "yes" else "some meld has none")
        for i, j in combinations(range(len(cases)), 2):
            about = f"{self.template}: {what}s {i + 1} and {j + 1} apart"
            yield self._exclusive(asked, line.clause, about, and_((where, cases[i], cases[j])), clock)
        for i, case in enumerate(cases):
            reached = asked.possible(where, case, *(not_(earlier) for earlier in cases[:i] if in_order))
            status = {"yes": PROVED, "no": NOTED}.get(reached, UNKNOWN)
            about = f"{self.template}: {what} {i + 1} reached"
            yield Result(GROUP, line.clause, about, status, clock.read(), "" if reached == "yes" else "never reached")

    def _exclusive(self, asked: Asked, clause: str, about: str, both: Term, clock: Clock) -> Result:
        answer = asked.follows(not_(both))
        if answer != "no":
            return Result(GROUP, clause, about, PROVED if answer == "yes" else UNKNOWN, clock.read())
        model = asked.model(both)
        meld = None if model is None else Reading(self.rules, self.steps.encoder.shapes.tables, model).meld(self.meld)
        shown = "" if meld is None else f", for instance for {notation.format_meld(self.rules, meld)}"
        return Result(GROUP, clause, about, NOTED, clock.read(), f"both apply{shown}")
