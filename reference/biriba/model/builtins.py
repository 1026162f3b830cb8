"""The built-in functions of the rule language, as data: the checker, the docs and the back ends read this.

An argument is written as a type kind; ``meld:suit`` is a meld of a template whose key is a suit,
``meld:sequence`` one that lies in sequence, ``meld:laid`` one that lies in a zone.
"""

from __future__ import annotations

from dataclasses import dataclass

from biriba.model.types import BOOL, CARD, MELD, RANK, SEAT, SIDE, SUIT, Type, number


@dataclass(frozen=True, slots=True)
class Builtin:
    """A built-in function.

    Attributes:
        name, args, result: its signature.
        text: its meaning, a sentence for the language reference.
        guard: what must be known to hold where it is used, for a partial function: ``not empty``.
    """

    name: str
    args: tuple[str, ...]
    result: Type
    text: str
    guard: str | None = None


_COUNT = number(0, None)

BUILTINS: tuple[Builtin, ...] = (
    Builtin("size", ("zone",), _COUNT, "How many cards lie in a zone."),
    Builtin("size", ("meld",), _COUNT, "How many cards a meld has."),
    Builtin("copies", ("card",), _COUNT, "How many copies of a card the deck has."),
    Builtin("copies", ("card", "zone"), _COUNT, "How many copies of a card lie in a zone."),
    Builtin("copies", ("card", "meld"), _COUNT, "How many copies of a card a meld has."),
    Builtin("value", ("card",), number(), "The points of a card."),
    Builtin("wild", ("card",), BOOL, "Whether a card may stand for others."),
    Builtin("suit", ("card",), SUIT.or_none(), "The suit of a card; a joker has none."),
    Builtin("rank", ("card",), RANK.or_none(), "The rank of a card; a joker has none."),
    Builtin("suit", ("meld:suit",), SUIT, "The suit of a meld whose template has a suit."),
    Builtin("rank", ("meld:rank",), RANK, "The rank of a meld whose template has a rank."),
    Builtin("rank_at", ("int",), RANK.or_none(), "The rank that stands at a place of a run; none beyond the ends."),
    Builtin("top", ("zone:pile",), CARD, "The top card of a pile.", guard="not empty"),
    Builtin("substitutes", ("meld",), _COUNT, "How many cards of a meld stand for others."),
    Builtin("naturals", ("meld",), _COUNT, "How many cards of a meld stand for themselves."),
    Builtin("low", ("meld:sequence",), _COUNT, "The place of the lowest card of a meld in sequence."),
    Builtin("high", ("meld:sequence",), _COUNT, "The place of the highest card of a meld in sequence."),
    Builtin("lawful", ("meld",), BOOL, "Whether a meld keeps every law about melds."),
    Builtin(
        "room",
        ("meld", "card"),
        _COUNT,
        "How many copies of a card can be added to a meld one after another, lawfully.",
    ),
    Builtin(
        "deadwood",
        ("zone",),
        _COUNT,
        "The least points that are left of a zone's cards when lawful melds are made of the others.",
    ),
    Builtin("deadwood", ("zone", "int"), _COUNT, "The same when so many of the cards are set aside first."),
    Builtin("result", ("growth",), MELD, "The meld that a growth makes of the one that grows."),
    Builtin("points", ("meld",), number(), "The points that a meld earns by the lines of the score sheet for melds."),
    Builtin("owner", ("meld:laid",), SIDE, "The side whose meld it is."),
    Builtin("side", ("seat",), SIDE, "The side that a seat belongs to."),
    Builtin("left", ("seat",), SEAT, "The neighbour on the left."),
    Builtin("right", ("seat",), SEAT, "The neighbour on the right."),
    Builtin("next", ("seat",), SEAT, "The seat that plays next."),
    Builtin("total", ("side",), number(), "The points of a side in the match so far."),
    Builtin("subtotal", ("side",), number(), "The points of a side by the lines of the score sheet above this one."),
    Builtin("quotient", ("int", "int"), number(), "The first number divided by the second, rounded down."),
    Builtin("min", ("int", "int"), number(), "The smaller of two numbers."),
    Builtin("max", ("int", "int"), number(), "The greater of two numbers."),
)
"""`grown(m, c, n)`, the melds that m becomes by adding up to n copies of c, is a domain: `expr.Grown`."""
