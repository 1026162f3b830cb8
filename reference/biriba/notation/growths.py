"""How a laid meld grows, as text: ``with 9H high``, ``with 5H moving 2H low``, ``with 9C``.

A text is turned into the growth that it describes whether or not the rules allow it: judging is the
interpreter's part, and it can only name the rule that a growth breaks if it sees the growth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biriba.model.position import Growth, Meld
from biriba.model.ruleset import Ruleset
from biriba.notation.cards import format_card
from biriba.notation.errors import NotationError
from biriba.notation.vocabulary import vocabulary

LOW, HIGH = "low", "high"
Lawful = Callable[[Meld], bool]


@dataclass(frozen=True, slots=True)
class GrowthText:
    """A growth as a text or JSON value states it: what is None is left open.

    Attributes:
        card: the face that is added.
        at: the place where it goes.
        moving: the face that moves away from there.
        end: ``low`` or ``high``.
    """

    card: int
    at: int | None = None
    moving: int | None = None
    end: str | None = None


def grown(rules: Ruleset, meld: Meld, stated: GrowthText, lawful: Lawful | None = None) -> Growth:
    """The growth of a meld that a text describes, allowed or not.

    Args:
        lawful: whether a meld keeps the laws; settles what the text leaves open, as far as it can.

    Raises:
        NotationError: the text describes no growth of this meld, or several.
    """
    if meld.low is None:
        return _grouped(rules, meld, stated)
    if stated.moving is None:
        places = {LOW: meld.low - 1, HIGH: meld.low + len(meld.cards)}
        if stated.at is not None and stated.at not in places.values():
            raise NotationError(
                f"place {stated.at} is at no end of the meld",
                hint=f"its ends are {places[LOW]} and {places[HIGH]}; a card in between needs 'moving'",
            )
        ends = [end for end in (LOW, HIGH) if stated.at in (None, places[end])]
        return _at_end(rules, [_longer(meld, meld.cards, stated.card, None, end) for end in ends], stated, lawful)
    place = _place_of_moved(rules, meld, stated)
    cards = list(meld.cards)
    cards[place - meld.low] = stated.card
    options = [_longer(meld, tuple(cards), stated.moving, place, end, stated.card) for end in (LOW, HIGH)]
    return _at_end(rules, options, stated, lawful)


def stated_growth(rules: Ruleset, meld: Meld, growth: Growth) -> GrowthText:
    """What the canonical text of a growth states: all that it takes to tell it from the others."""
    if growth.moved is None or meld.low is None:
        return GrowthText(growth.card, None, None, growth.end)
    moving = meld.cards[growth.moved - meld.low]
    told = _places(rules, meld, GrowthText(growth.card, None, moving)) == [growth.moved]
    return GrowthText(growth.card, None if told else growth.moved, moving, growth.end)


def format_growth(rules: Ruleset, stated: GrowthText) -> str:
    """The text of a growth: ``with 5H moving 2H low``."""
    parts = [f"with {format_card(rules, stated.card)}"]
    if stated.at is not None:
        parts.append(f"at {stated.at}")
    if stated.moving is not None:
        parts.append(f"moving {format_card(rules, stated.moving)}")
    if stated.end is not None:
        parts.append(stated.end)
    return " ".join(parts)


def _grouped(rules: Ruleset, meld: Meld, stated: GrowthText) -> Growth:
    if stated.moving is not None or stated.end is not None or stated.at is not None:
        raise NotationError(f"a {meld.template} has no places and no ends", hint="write only the card that is added")
    cards = (*meld.cards, stated.card)
    result = vocabulary(rules).shapes.group(meld.template, meld.key, cards)
    return Growth(stated.card, result or Meld(meld.template, meld.key, None, cards))


def _longer(
    meld: Meld, cards: tuple[int, ...], last: int, moved: int | None, end: str, card: int | None = None
) -> Growth:
    """The growth that puts a card at an end of a sequence of cards."""
    low = meld.low or 0
    result = (
        Meld(meld.template, meld.key, low - 1, (last, *cards)) if end == LOW else meld._replace(cards=(*cards, last))
    )
    return Growth(last if card is None else card, result, end, moved)


def _at_end(rules: Ruleset, options: Sequence[Growth], stated: GrowthText, lawful: Lawful | None) -> Growth:
    """The one of the growths at the low and high end that the text means."""
    if stated.end is not None:
        for growth in options:
            if growth.end == stated.end:
                return growth
        raise NotationError(f"place {stated.at} is not at the {stated.end} end of the meld")
    shapes = vocabulary(rules).shapes
    fitting = [growth for growth in options if shapes.fits(growth.result)]
    if not fitting:
        return options[-1]._replace(end=None)
    if len(fitting) > 1 and lawful is not None:
        fitting = [growth for growth in fitting if lawful(growth.result)] or fitting[:1]
    if len(fitting) > 1:
        raise NotationError(
            f"{format_card(rules, stated.card if stated.moving is None else stated.moving)} may go to either end",
            hint="write 'low' or 'high' at the end",
        )
    return fitting[0]


def _places(rules: Ruleset, meld: Meld, stated: GrowthText) -> list[int]:
    """The places of the face that moves: where it stands for another card, best where that is the new one."""
    shapes = vocabulary(rules).shapes
    low = meld.low or 0
    held = [low + i for i, card in enumerate(meld.cards) if card == stated.moving and stated.at in (None, low + i)]
    standing_in = [place for place in held if not shapes.is_natural(meld, place - low)]
    filled = [p for p in standing_in if stated.card in shapes.fitting(meld.template, meld.key, p).natural]
    return filled or standing_in or held


def _place_of_moved(rules: Ruleset, meld: Meld, stated: GrowthText) -> int:
    places = _places(rules, meld, stated)
    moving = format_card(rules, stated.moving or 0)
    if not places:
        raise NotationError(f"the meld has no {moving}" + ("" if stated.at is None else f" at place {stated.at}"))
    if len(places) > 1 and stated.at is None:
        listed = " or ".join(str(place) for place in places)
        raise NotationError(f"{moving} may move from place {listed}", hint=f"write 'at {places[0]}' after the card")
    return places[0]
