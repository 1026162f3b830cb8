"""Partial positions: an example or vector states what matters, and the rest follows from the deck."""

from __future__ import annotations

from collections.abc import Sequence

from biriba.model.position import Position, Zone
from biriba.model.ruleset import Ruleset
from biriba.notation.fields import Fields, parse_fields
from biriba.notation.positions import missing_cards, turn_of
from biriba.notation.vocabulary import Vocabulary, vocabulary


def parse_given(rules: Ruleset, text: str, dealt_sizes: Sequence[int]) -> Position:
    """The whole position that a partial one stands for.

    The cards not mentioned are taken in the order of the deck's list: zone by zone, in the order of
    their declaration, each zone that is not mentioned gets as many as it has right after the deal,
    each that is stated to have a number of cards gets so many; what is left goes beneath the cards of
    the zone named by ``rest in``, or of the one that the deck is shuffled into. Where cards are put
    into a pile, the first of them lies on top. Zones of melds that are not mentioned are empty, states
    have their initial value, the dealer is the last seat.

    Args:
        dealt_sizes: how many cards each zone has after the deal, by slot.

    Raises:
        NotationError: the text is not of that form, or the cards do not suffice.
    """
    fields = parse_fields(rules, text, "given")
    words = vocabulary(rules)
    turn, phase = turn_of(rules, fields)
    dealer = len(rules.table.seats) - 1 if fields.dealer is None else fields.dealer
    states = tuple(fields.states.get(slot, initial) for slot, initial in enumerate(words.initial))
    return Position(phase, turn, dealer, _completed(words, fields, dealt_sizes), states)


def _completed(words: Vocabulary, fields: Fields, dealt_sizes: Sequence[int]) -> tuple[Zone, ...]:
    left = missing_cards(words.rules, list(fields.zones.values()))
    rest = words.deck_slot if fields.rest is None else fields.rest
    zones: list[Zone] = []
    for slot, zone in enumerate(words.zone_of):
        stated = fields.zones.get(slot, () if zone.kind == "melds" or slot == rest else dealt_sizes[slot])
        if isinstance(stated, int):
            _check(words, fields, slot, stated, len(left), rest)
            zones.append(_arranged(zone.kind, left[:stated]))
            left = left[stated:]
        else:
            zones.append(stated)
    if not left:
        return tuple(zones)
    if rest is None:
        raise fields.fault("", f"{len(left)} cards are left over", "say where they go: 'rest in' and a zone")
    name = words.zone_name(rest)
    if fields.zones.get(rest) == ():
        raise fields.fault(
            name,
            f"the {len(left)} cards that are not mentioned go to {name}, which is stated to be empty",
            "say where they go: 'rest in' and a zone",
        )
    top = [card for card in zones[rest] if isinstance(card, int)]
    below = _arranged(words.zone_of[rest].kind, left)
    zones[rest] = (*below, *top) if words.zone_of[rest].kind == "pile" else tuple(sorted((*below, *top)))
    return tuple(zones)


def _check(words: Vocabulary, fields: Fields, slot: int, wanted: int, left: int, rest: int | None) -> None:
    name = words.zone_name(slot)
    if slot == rest:
        raise fields.fault(name, f"{name} gets all cards that are left over, so their number cannot be stated")
    if wanted > left:
        hint = f"state its cards, or fewer: '{name} {left} cards'"
        raise fields.fault(name, f"{name} should have {wanted} cards, and only {left} are left", hint)


def _arranged(kind: str, cards: Sequence[int]) -> tuple[int, ...]:
    """Cards in the order of the deck's list as they lie in a zone: in a pile the first on top."""
    return tuple(reversed(cards)) if kind == "pile" else tuple(sorted(cards))
