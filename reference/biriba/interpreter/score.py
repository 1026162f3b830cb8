"""The score of a deal, line by line, and what a meld is worth."""

from __future__ import annotations

from typing import NamedTuple

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import SUBTOTALS, Standing
from biriba.interpreter.sheet import compiled
from biriba.model.position import LaidMeld, Meld, Position


class Entry(NamedTuple):
    """A line of the score sheet.

    Attributes:
        clause: the id of the clause that grants or takes the points.
        label: what the points are for.
        side: index of the side.
        points: how many.
        meld: the meld that earns them, None if the whole side does.
    """

    clause: str
    label: str
    side: int
    points: int
    meld: LaidMeld | None = None


class Score(NamedTuple):
    """The score of a deal: all lines, and the total of each side by its index."""

    entries: tuple[Entry, ...]
    totals: tuple[int, ...]

    def lines(self, side: int) -> tuple[Entry, ...]:
        """The lines of one side."""
        return tuple(entry for entry in self.entries if entry.side == side)


class Scorer:
    """Scores by one rule set."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._lines = [compiled(evaluator, line) for line in evaluator.rules.score]

    def score(self, position: Position, standing: Standing | None = None) -> Score:
        """What the sides would score if the deal ended in this position."""
        rules = self._evaluator.rules
        frame = self._evaluator.frame(position.turn, standing)
        entries: list[Entry] = []
        sides = range(len(rules.table.sides))
        for entry in self._lines:
            line, slot, where, body = entry
            frame[SUBTOTALS] = tuple(sum(e.points for e in entries if e.side == side) for side in sides)
            if line.type.kind == "meld":
                for side, laid in self._laid(position):
                    if entry.applies(laid.meld, position, frame):
                        entries.append(Entry(line.clause, line.label, side, body(position, frame), laid))
            else:
                for side in sides:
                    frame[slot] = side
                    if where(position, frame):
                        entries.append(Entry(line.clause, line.label, side, body(position, frame)))
        return Score(tuple(entries), tuple(sum(e.points for e in entries if e.side == side) for side in sides))

    def bonus(self, meld: Meld, position: Position) -> tuple[Entry, ...]:
        """The lines of the score sheet that a meld earns by itself in a position; their side is -1."""
        frame = self._evaluator.frame(0)
        laid = LaidMeld(0, 0, -1, meld)
        entries: list[Entry] = []
        for entry in self._lines:
            line = entry.line
            if line.type.kind == "meld" and entry.applies(meld, position, frame):
                entries.append(Entry(line.clause, line.label, -1, entry.body(position, frame), laid))
        return tuple(entries)

    def value(self, meld: Meld) -> int:
        """The points of a meld's cards."""
        faces = self._evaluator.rules.cards.faces
        return sum(faces[card].value for card in meld.cards)

    def _laid(self, position: Position) -> list[tuple[int, LaidMeld]]:
        """All melds on the table with the side that scores them; those that no side owns score for nobody."""
        found: list[tuple[int, LaidMeld]] = []
        for slot, (name, owner) in enumerate(self._evaluator.layout.zone_slots):
            zone = self._evaluator.rules.zones[name]
            if zone.kind == "melds" and zone.owner in ("seat", "side"):
                side = owner if zone.owner == "side" else self._evaluator.side_of[owner]
                melds = enumerate(position.zones[slot])
                found += [(side, LaidMeld(slot, i, owner, meld)) for i, meld in melds if isinstance(meld, Meld)]
        return found
