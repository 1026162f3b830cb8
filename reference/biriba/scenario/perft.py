"""Perft: how many sequences of legal actions there are, a number that any two engines must agree on.

A sequence ends early when the deal is over, and then counts only for the depths that it reaches: as in
chess, the count of a depth is the number of sequences of just so many actions.
"""

from __future__ import annotations

from collections.abc import Iterator

from biriba.interpreter.rules import Rules
from biriba.model.position import Action, Position

Table = dict[tuple[Position, int], int]


def perft(rules: Rules, position: Position, depth: int, known: Table | None = None) -> int:
    """The number of sequences of `depth` legal actions from a position.

    Args:
        known: counts of positions that were met already; positions are met by many ways.
    """
    if depth == 0:
        return 1
    if rules.over(position):
        return 0
    legal = rules.legal(position)
    if depth == 1:
        return len(legal)
    known = {} if known is None else known
    key = (position, depth)
    if key not in known:
        known[key] = sum(perft(rules, rules.apply(position, action), depth - 1, known) for action in legal)
    return known[key]


def counts(rules: Rules, position: Position, depth: int) -> list[int]:
    """The counts of the depths 1, 2, … `depth`."""
    known: Table = {}
    return [perft(rules, position, n, known) for n in range(1, depth + 1)]


def divide(rules: Rules, position: Position, depth: int) -> Iterator[tuple[Action, int]]:
    """Every legal action with the number of sequences of `depth` actions that begin with it."""
    known: Table = {}
    for action in rules.legal(position):
        yield action, perft(rules, rules.apply(position, action), depth - 1, known)
