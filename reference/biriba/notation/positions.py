"""Positions as text: equal positions have equal texts, and a text tells everything of a position.

``turn A play; dealer D; stock …; discard 9H 4C; hand A KS QS; …; melds X [3H 4H 5H]; taken X yes``
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import cast

from biriba.model.position import Meld, Position, Zone
from biriba.model.ruleset import Ruleset
from biriba.notation.cards import format_cards, format_value
from biriba.notation.errors import fault
from biriba.notation.fields import Fields, parse_fields
from biriba.notation.melds import format_meld
from biriba.notation.vocabulary import vocabulary

_SHOWN = 12


def format_position(rules: Ruleset, position: Position, hidden: Collection[int] = ()) -> str:
    """The canonical text of a position.

    Args:
        hidden: slots of zones of which only the number of cards is told.
    """
    words = vocabulary(rules)
    fields = [
        f"turn {rules.table.seats[position.turn]} {position.phase}",
        f"dealer {rules.table.seats[position.dealer]}",
    ]
    for slot, zone in enumerate(position.zones):
        if zone:
            text = format_count(len(zone)) if slot in hidden else format_zone(rules, zone)
            fields.append(f"{words.zone_name(slot)} {text}")
    for slot, value in enumerate(position.states):
        if value != words.initial[slot]:
            fields.append(f"{words.state_name(slot)} {format_value(rules, words.state_of[slot].type, value)}")
    return "; ".join(fields)


def parse_position(rules: Ruleset, text: str) -> Position:
    """The position that a text tells.

    Raises:
        NotationError: the text is not of that form, or a card is missing or too many.
    """
    fields = parse_fields(rules, text, "position")
    words = vocabulary(rules)
    for slot, contents in fields.zones.items():
        if isinstance(contents, int):
            name = words.zone_name(slot)
            raise fields.fault(name, f"{name} is hidden, and a position tells every card")
    turn, phase = turn_of(rules, fields)
    if fields.dealer is None:
        raise fault(text, len(text), "the position does not say who dealt", f"add 'dealer {rules.table.seats[-1]}'")
    zones = tuple(cast(Zone, fields.zones.get(slot, ())) for slot in range(len(words.zone_of)))
    missing = missing_cards(rules, zones)
    if missing:
        raise fault(text, len(text), missing_message(rules, missing))
    states = tuple(fields.states.get(slot, initial) for slot, initial in enumerate(words.initial))
    return Position(phase, turn, fields.dealer, zones, states)


def position_hash(rules: Ruleset, position: Position) -> str:
    """The SHA-256 of a position's canonical text, in hexadecimal."""
    return sha256(format_position(rules, position).encode()).hexdigest()


def format_zone(rules: Ruleset, zone: Zone) -> str:
    """What lies in a zone: cards, or melds in brackets; ``empty`` if nothing does."""
    if not zone:
        return "empty"
    if isinstance(zone[0], Meld):
        return " ".join(f"[{format_meld(rules, meld)}]" for meld in zone if isinstance(meld, Meld))
    return format_cards(rules, zone)


def format_count(count: int) -> str:
    """How many cards lie where they cannot be seen: ``11 cards``."""
    return "1 card" if count == 1 else f"{count} cards"


def turn_of(rules: Ruleset, fields: Fields) -> tuple[int, str]:
    """Whose turn it is and in which phase.

    Raises:
        NotationError: the text does not say.
    """
    if fields.turn is None or fields.phase is None:
        hint = f"add 'turn {rules.table.seats[0]} {rules.phases[0]}'"
        raise fault(fields.text, len(fields.text), "the position does not say whose turn it is", hint)
    return fields.turn, fields.phase


def cards_in(zones: Sequence[Zone | int]) -> Counter[int]:
    """How many copies of each card lie in zones, in melds too."""
    found: Counter[int] = Counter()
    for zone in zones:
        for item in () if isinstance(zone, int) else zone:
            found.update(item.cards if isinstance(item, Meld) else (item,))
    return found


def missing_cards(rules: Ruleset, zones: Sequence[Zone | int]) -> list[int]:
    """The cards of the deck that lie nowhere, in the order of the deck's list."""
    found = cards_in(zones)
    return [face.index for face in rules.cards.faces for _ in range(face.copies - found[face.index])]


def missing_message(rules: Ruleset, missing: Sequence[int]) -> str:
    count = f"{len(missing)} card{'s' if len(missing) > 1 else ''}"
    listed = format_cards(rules, list(missing[:_SHOWN])) + (" …" if len(missing) > _SHOWN else "")
    return f"{count} of the deck lie{'' if len(missing) > 1 else 's'} nowhere: {listed}"
