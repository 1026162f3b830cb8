"""The types of the rule language.

Every expression of a rule set has one of these types, fixed when the rules are compiled. Values of
all of them are small integers at run time (a card is the index of its face, a seat the index of its
name, ...), booleans, or the zone contents described in `biriba.interpreter.position`; `None` is the
value of `none` in an optional type.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Type:
    """A type: a kind, and what narrows it.

    Attributes:
        kind: one of ``bool int card rank suit seat side phase meld growth option zone cards``.
            ``option`` is a named choice (``one of a, b``); ``cards`` is a set of cards' faces.
        detail: the template name of a ``meld`` or ``growth`` (None: of any template), the zone kind of
            a ``zone`` (``pile``, ``hand``, ``melds``, ``everywhere``), the parameter name of an ``option``.
        low, high: the inclusive bounds of an ``int``, as far as they are known.
        optional: the value may be ``none``.
        laid: a ``meld`` that lies in a zone, so that it has an owner.
    """

    kind: str
    detail: str | None = None
    low: int | None = None
    high: int | None = None
    optional: bool = False
    laid: bool = False

    def or_none(self) -> Type:
        """This type with ``none`` added."""
        return replace(self, optional=True)

    def without_none(self) -> Type:
        """This type without ``none``."""
        return replace(self, optional=False)

    def __str__(self) -> str:
        match self.kind:
            case "bool":
                text = "yes/no"
            case "int" if self.low is not None and self.high is not None:
                text = f"number {self.low}..{self.high}"
            case "int":
                text = "number"
            case "meld":
                text = self.detail or "meld"
            case "growth":
                text = f"growth of a {self.detail or 'meld'}"
            case "zone":
                text = f"zone ({self.detail})"
            case _:
                text = self.kind
        return f"{text} or none" if self.optional and self.kind != "none" else text


BOOL = Type("bool")
CARD = Type("card")
RANK = Type("rank")
SUIT = Type("suit")
SEAT = Type("seat")
SIDE = Type("side")
PHASE = Type("phase")
MELD = Type("meld")
NOTHING = Type("none", optional=True)


def number(low: int | None = None, high: int | None = None) -> Type:
    """An integer between the inclusive bounds, None where a bound is not known."""
    return Type("int", low=low, high=high)


def zone(kind: str) -> Type:
    """The contents of a zone of that kind."""
    return Type("zone", detail=kind)
