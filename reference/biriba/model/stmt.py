"""Effects: what an action, a consequence or the deal does. Cards are only ever moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from biriba.model.expr import Binder, Node, State, Zone
from biriba.model.span import NOWHERE, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What every effect has: a place in the source."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


Block = tuple[Effect, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCard(Effect):
    """Move one named card; onto the top of a pile. The checker has shown that it lies in `source`."""

    card: Node
    source: Zone
    target: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveTop(Effect):
    """Move `count` cards from the top of a pile, one at a time: the first moved lies lowest."""

    count: Node
    source: Zone
    target: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAll(Effect):
    """Move all cards of a zone, keeping their order in a pile; moving none is no fault.

    From a zone of melds to another of melds the melds are moved as they lie.
    """

    source: Zone
    target: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Lay(Effect):
    """Lay the new meld of variable `meld` with cards from a hand, after the melds already there."""

    meld: str
    source: Zone
    target: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Grow(Effect):
    """Let the laid meld of variable `meld` grow as variable `growth` says, with a card from a hand."""

    meld: str
    growth: str
    source: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Assign(Effect):
    target: State
    value: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class When(Effect):
    condition: Node
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForEach(Effect):
    binder: Binder
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Effect):
    times: Node
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class WithOne(Effect):
    """Do the body for the first or last choice of the binder, not at all if there is none."""

    last: bool
    binder: Binder
    body: Block


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTo(Effect):
    """Give the turn to a seat. `me` stays the seat that acts until the step is over."""

    seat: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class GoTo(Effect):
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndDeal(Effect):
    """The deal is over: nothing after this takes effect in the same step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Effect):
    """Put the deck, in the order that is given from outside, into a pile: its first card is the top."""

    target: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Effect):
    """A seat cuts a pile. The order of the deck is given as it lies after the cut, so nothing moves."""

    target: Zone
    seat: Node


def walk(block: Iterable[Effect]) -> Iterator[Effect]:
    """All effects of a block in their order, those inside others too."""
    for effect in block:
        yield effect
        match effect:
            case When(then=then, otherwise=otherwise):
                yield from walk((*then, *otherwise))
            case ForEach(body=body) | Repeat(body=body) | WithOne(body=body):
                yield from walk(body)
