"""Positions that a solver has found, made such as a game can hold: it knows only what the rules say holds always."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from biriba.conformance.strength.normal import Normal
from biriba.interpreter.rules import Rules
from biriba.model.position import Position
from biriba.planner.flows import sealed_slots


def possible(rules: Rules, position: Position) -> Position:
    """The position with the states that never change as they always are, and its sealed piles complete or gone.

    A pile is sealed if its cards only leave all together. What is missing there comes from the bottom of the greatest
    other pile, and what is too much goes there.
    """
    constant = Normal(rules.ruleset).constant
    names = [name for name, _ in rules.layout.state_slots]
    states = tuple(
        constant[name].value if name in constant else value for name, value in zip(names, position.states, strict=True)
    )
    zones: list[Any] = list(position.zones)
    piles = _piles(rules)
    for slot in sealed_slots(rules.ruleset, rules.layout):
        size, cards = rules.dealt_sizes[slot], zones[slot]
        rest = max(piles, key=lambda pile: len(zones[pile]))
        missing = size - len(cards)
        if 0 < len(cards) < size and missing <= len(zones[rest]):
            zones[slot], zones[rest] = (*cards, *zones[rest][:missing]), zones[rest][missing:]
        else:
            kept = size if len(cards) >= size else 0
            zones[slot], zones[rest] = cards[:kept], (*cards[kept:], *zones[rest])
    return replace(position, zones=tuple(zones), states=states)


def with_a_way_out(rules: Rules, position: Position, still: Callable[[Position], bool]) -> Position:
    """The position in which something can be done, with one more card in the hand if nothing can be done without.

    Args:
        still: whether another position will do; if none does, it is the position itself.
    """
    if rules.legal(position):
        return position
    fits = (of for of in _with_one_more(rules, position) if not rules.violated_invariants(of) and rules.legal(of))
    return next(filter(still, fits), position)


def _with_one_more(rules: Rules, position: Position) -> Iterator[Position]:
    """The positions in which the hand of the seat to act has one more card, from a pile that is not sealed."""
    for hand, (name, owner) in enumerate(rules.layout.zone_slots):
        if rules.ruleset.zones[name].kind == "hand" and owner == position.turn:
            for pile in _piles(rules):
                for card in dict.fromkeys(position.zones[pile]):
                    zones: list[Any] = list(position.zones)
                    rest = list(zones[pile])
                    rest.remove(card)
                    zones[pile], zones[hand] = tuple(rest), tuple(sorted([*zones[hand], card]))
                    yield replace(position, zones=tuple(zones))


def _piles(rules: Rules) -> list[int]:
    """The slots of the piles that are not sealed."""
    sealed, zones = sealed_slots(rules.ruleset, rules.layout), rules.ruleset.zones
    slots = enumerate(rules.layout.zone_slots)
    return [slot for slot, (name, _) in slots if zones[name].kind == "pile" and slot not in sealed]
