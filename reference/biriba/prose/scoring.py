"""The scoring of a rule set as tables: what cards are worth, and the lines of the score sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset, ScoreLine
from biriba.prose.expressions import constant_text, readable

Say = Callable[[str], str]
"""The translation of a phrase."""


@dataclass(frozen=True, slots=True)
class CardValue:
    """Cards that are worth the same: ``three to seven``, 5.

    Attributes:
        written: the points as people write them, divided where the rules say so.
        names: of what it is about: a card, or the ranks from the first to the last.
    """

    cards: str
    points: int
    written: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A line of the score sheet.

    Attributes:
        label: what the points are for.
        subject: for whom or what: ``side``, ``run``, ``meld``.
        where: the condition under which it counts, empty if it always does.
        cells: pairs of a condition (empty: always) and the points, a number or an expression.
        clause: the clause that says so.
    """

    label: str
    subject: str
    where: str
    cells: tuple[tuple[str, str], ...]
    clause: str


def card_values(rules: Ruleset) -> tuple[CardValue, ...]:
    """What cards are worth: those without a rank first, then the ranks as listed, equal neighbours together."""
    cards = rules.cards
    found = [_value(rules, [face.name], face.value) for face in cards.faces if face.rank is None]
    runs: list[tuple[list[str], int]] = []
    for index, rank in enumerate(cards.ranks):
        values = {face.value for face in cards.faces if face.rank == index}
        if len(values) != 1:
            found += [_value(rules, [face.name], face.value) for face in cards.faces if face.rank == index]
            continue
        value = values.pop()
        if runs and runs[-1][1] == value:
            runs[-1][0].append(rank.name)
        else:
            runs.append(([rank.name], value))
    return (*found, *(_value(rules, names, value) for names, value in runs))


def _value(rules: Ruleset, names: list[str], points: int) -> CardValue:
    return CardValue(_span(names), points, rules.written(points), tuple(names))


def _span(names: list[str]) -> str:
    if len(names) < 3:
        return " and ".join(names)
    return f"{names[0]} to {names[-1]}"


def score_rows(rules: Ruleset, say: Say = str) -> tuple[ScoreRow, ...]:
    """The lines of the score sheet, in order; `say` translates the words in them."""
    return tuple(_row(rules, line, say) for line in rules.score)


def _row(rules: Ruleset, line: ScoreLine, say: Say) -> ScoreRow:
    subject = "side" if line.type.kind == "side" else line.type.detail or "meld"
    where = "" if line.where is None else readable(rules, line.where)
    return ScoreRow(line.label, subject, where, tuple(_cells(rules, line.body, say)), line.clause)


def _cells(rules: Ruleset, body: x.Node, say: Say) -> list[tuple[str, str]]:
    match body:
        case x.Table(columns=columns, conditions=conditions, rows=rows):
            found = []
            for condition, row in zip(conditions, rows, strict=True):
                first = "" if isinstance(condition, x.Const) else f"{say(readable(rules, condition))}, "
                for column, cell in zip(columns, row.cells, strict=True):
                    found.append((first + say(readable(rules, column)), _points(rules, cell, say)))
            return found
        case x.If(condition=condition, then=then, otherwise=otherwise):
            cells = [
                (readable(rules, condition), _points(rules, then, say)),
                (say("otherwise"), _points(rules, otherwise, say)),
            ]
            return [cell for cell in cells if cell[1] != "0"]
        case _:
            return [("", _points(rules, body, say))]


def _points(rules: Ruleset, node: x.Node, say: Say) -> str:
    """The points in words; a reader has the clause's sentence beside them."""
    value = constant_text(rules, node)
    if value is not None:
        return rules.written(int(value)).replace("-", "−")
    match node:
        case x.Fold(kind="sum"):
            return say("their sum")
        case x.Arith(op="-", left=x.Const(value=0), right=right):
            return f"− {_points(rules, right, say)}"
        case x.Arith(op="*", left=left, right=x.Fold(kind="count")):
            return say("{points} each").format(points=_points(rules, left, say))
        case _:
            return readable(rules, node)
