"""The lines of the score sheet, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from biriba.interpreter.frame import Code, Constant, Frame, Local
from biriba.model.position import Meld
from biriba.model.ruleset import ScoreLine

if TYPE_CHECKING:
    from biriba.interpreter.evaluate import Evaluator


class Line(NamedTuple):
    """A line of the score sheet.

    Attributes:
        slot: where its variable is kept, a side or a meld.
        where: whether it applies.
        body: the points.
    """

    line: ScoreLine
    slot: int
    where: Code
    body: Code

    def points(self, meld: Meld, situation: Any, frame: Frame) -> int:
        """What a meld earns by a line for melds."""
        return int(self.body(situation, frame)) if self.applies(meld, situation, frame) else 0

    def applies(self, meld: Meld, situation: Any, frame: Frame) -> bool:
        """Whether a line for melds applies to a meld, which is then the value of its variable."""
        if self.line.type.detail not in (None, meld.template):
            return False
        frame[self.slot] = meld
        return bool(self.where(situation, frame))


def compiled(evaluator: Evaluator, line: ScoreLine) -> Line:
    """A line of the score sheet, ready to be asked."""
    slot = evaluator.slot()
    env = {line.var: Local(slot)}
    where = Constant(True) if line.where is None else evaluator.compile(line.where, env)
    return Line(line, slot, where, evaluator.compile(line.body, env))


def lines_for_melds(evaluator: Evaluator) -> list[Line]:
    """The lines of the score sheet that are for melds."""
    return [compiled(evaluator, line) for line in evaluator.rules.score if line.type.kind == "meld"]
