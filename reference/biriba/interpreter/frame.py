"""What an expression can look at besides the position: who acts, the old position, bound variables.

A frame is a list. Its first slots are fixed; every variable of the rule set has a slot of its own,
given when the rules are compiled, so that looking one up is a list access.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from biriba.model.position import Zone

ME, MINE, OLD, TOTALS, DEALS, SUBTOTALS, FREE = range(7)
"""Slots: the acting seat, its side, the position before the step, points and deals of the match so far, points
by the lines of the score sheet so far."""

Frame = list[Any]


class Situation(Protocol):
    """A position, or the draft of one while a step is under way."""

    @property
    def phase(self) -> str: ...
    @property
    def turn(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    @property
    def zones(self) -> Sequence[Zone]: ...
    @property
    def states(self) -> Sequence[int | bool | None]: ...


Code = Callable[[Any, Frame], Any]
"""A compiled expression: called with a situation and a frame it returns the value."""


class Constant:
    """A compiled expression whose value is known."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, situation: Any, frame: Frame) -> Any:
        return self.value


class Local(NamedTuple):
    """Where a variable is kept, and whether it holds a laid meld rather than a meld."""

    slot: int
    laid: bool = False


Env = Mapping[str, Local]
"""The variables that an expression may name."""


class Standing(NamedTuple):
    """How a match stands when a deal begins: points by side, and the number of deals played."""

    totals: tuple[int, ...] = ()
    deals: int = 0
