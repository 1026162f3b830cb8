"""Random positions that the rules do not call impossible, most of them of the rare kind.

Hands and piles are short or empty, melds are long, states have any value: what seldom comes up in play
comes up here all the time. Nothing is known of the game but its zones, states and templates.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from biriba.conformance.strength.normal import Normal
from biriba.interpreter.rules import Rules
from biriba.model.position import Meld, Position, Zone
from biriba.model.pure import count_of
from biriba.model.ruleset import StateDecl
from biriba.model.shapes import Shapes
from biriba.planner.flows import sealed_slots

MOST_TRIES = 400
_HAND_SIZES = (1, 1, 1, 2, 2, 3, 4, 6, 11)
_PILE_SIZES = (0, 0, 1, 1, 2, 3)


class Positions:
    """Makes random positions of a rule set.

    Args:
        random: where all chance comes from: equal states of it give equal positions.
    """

    def __init__(self, rules: Rules, random: Random) -> None:
        self.rules, self.ruleset, self.random = rules, rules.ruleset, random
        self.shapes = _shapes(rules)
        self.sizes = rules.dealt_sizes
        self.constant = _constant(rules)
        self.sealed = sealed_slots(rules.ruleset, rules.layout)

    def position(self) -> Position | None:
        """A position in which no invariant is violated and there is something to do, None if none was found."""
        for _ in range(MOST_TRIES):
            position = self._any()
            if not self.rules.violated_invariants(position) and self.rules.legal(position):
                return position
        return None

    def _any(self) -> Position:
        random = self.random
        left = [face.index for face in self.ruleset.cards.faces for _ in range(face.copies)]
        random.shuffle(left)
        zones: list[Zone] = [()] * len(self.rules.layout.zone_slots)
        slots = list(enumerate(self.rules.layout.zone_slots))
        kinds = {slot: self.ruleset.zones[name].kind for slot, (name, _) in slots}
        for slot, kind in kinds.items():
            if kind == "melds":
                zones[slot] = self._melds(left)
        piles = [slot for slot, kind in kinds.items() if kind == "pile"]
        for slot, kind in kinds.items():
            if kind == "hand":
                zones[slot] = tuple(sorted(self._hand(left, zones)))
        rest = random.choice(
            [slot for slot in piles if self.ruleset.zones[self.rules.layout.zone_slots[slot][0]].owner is None]
        )
        for slot in piles:
            if slot != rest:
                numbered = self.ruleset.zones[self.rules.layout.zone_slots[slot][0]].owner is not None
                wanted = random.choice((0, self.sizes[slot])) if numbered else random.choice(_PILE_SIZES)
                if numbered and wanted > len(left):
                    wanted = 0
                zones[slot] = tuple(left.pop() for _ in range(min(wanted, len(left))))
        zones[rest] = tuple(left)
        if random.random() < 0.5:
            self._twins(zones, kinds, rest)
        states = tuple(self._state(self.ruleset.states[name], zones) for name, _ in self.rules.layout.state_slots)
        turn = random.randrange(len(self.ruleset.table.seats))
        dealer = random.randrange(len(self.ruleset.table.seats))
        return Position(random.choice(self.ruleset.phases), turn, dealer, tuple(zones), states)

    def _twins(self, zones: list[Zone], kinds: dict[int, str], rest: int) -> None:
        """Make the only card of a pile that of a short hand, if there is another copy."""
        hands = [slot for slot, kind in kinds.items() if kind == "hand" and 0 < len(zones[slot]) <= 2]
        piles = [
            slot
            for slot, kind in kinds.items()
            if kind == "pile" and slot not in (rest, *self.sealed) and len(zones[slot]) <= 2
        ]
        if not hands or not piles:
            return
        card = self.random.choice(zones[self.random.choice(hands)])
        others = [c for c in zones[rest] if isinstance(c, int)]
        if isinstance(card, int) and card in others:
            pile = self.random.choice(piles)
            others.remove(card)
            zones[rest] = (*(c for c in zones[pile] if isinstance(c, int)), *others)
            zones[pile] = (card,)

    def _hand(self, left: list[int], zones: list[Zone]) -> list[int]:
        """Some cards, often such as make a meld or fit one on the table."""
        random = self.random
        found: list[int] = []
        meld = self.meld(left) if random.random() < 0.4 else None
        if meld is not None and len(meld.cards) < 6:
            found += meld.cards
        laid = [item for zone in zones for item in zone if isinstance(item, Meld)]
        if laid and random.random() < 0.5:
            meld = random.choice(laid)
            places = (None,) if meld.low is None else (meld.low - 1, meld.low + len(meld.cards))
            able = {c for place in places for c in self.shapes.fitting(meld.template, meld.key, place).natural}
            found += [card for card in sorted(able) if card in left and card not in found][:2]
        for card in found:
            left.remove(card)
        wanted = random.choice(_HAND_SIZES) if not found else random.choice((0, 0, 1, 2))
        return found + [left.pop() for _ in range(min(wanted, len(left)))]

    def _state(self, state: StateDecl, zones: list[Zone]) -> int | bool | None:
        """A value of a state, often the first one."""
        if state.name in self.constant:
            value = self.constant[state.name].value
            return value if value is None or isinstance(value, (bool, int)) else None
        random, kind = self.random, state.type.kind
        if state.type.optional and random.random() < 0.6:
            return None
        if kind == "bool":
            return random.random() < 0.4
        if kind == "int":
            # The greatest value is left out: counts that reach their limit end something.
            low, high = state.type.low or 0, state.type.high or 0
            return random.choice((low, low, max(low, high - 1), random.randint(low, max(low, high - 1))))
        if kind == "card":
            held = [card for zone in zones for card in zone if isinstance(card, int)]
            return random.choice(held) if held else None
        if kind in ("seat", "side"):
            return None if state.type.optional else random.randrange(count_of(self.ruleset, kind))
        return None

    def _melds(self, left: list[int]) -> tuple[Meld, ...]:
        found = []
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 2, 3, 4))):
            meld = self.meld(left)
            if meld is not None and self.rules.lawful(meld):
                for card in meld.cards:
                    left.remove(card)
                found.append(meld)
        return tuple(found)

    def meld(self, cards: list[int]) -> Meld | None:
        """Cards, among those given, that fit a template, mostly as themselves; None if it did not work out."""
        random, held = self.random, Counter(cards)
        template = random.choice(list(self.ruleset.templates))
        key = random.choice(self.shapes.keys(template))
        size = random.choice((3, 3, 4, 5, 6, 6, 7, 7, 8, 9, 12, 13))
        if self.shapes.is_sequence(template):
            if size > self.shapes.places:
                return None
            low = random.randint(1, self.shapes.places - size + 1)
            places: list[int | None] = list(range(low, low + size))
        else:
            low, places = 0, [None] * size
        strange = random.randrange(size) if random.random() < 0.5 else -1
        chosen: list[int] = []
        for i, place in enumerate(places):
            fitting = self.shapes.fitting(template, key, place)
            able = [c for c in (fitting.substitute if i == strange else fitting.natural) if held[c]]
            able = able or [c for c in fitting.natural | fitting.substitute if held[c]]
            if not able:
                break
            chosen.append(random.choice(sorted(able)))
            held[chosen[-1]] -= 1
        if not chosen:
            return None
        if self.shapes.is_sequence(template):
            return self.shapes.sequence(template, key, low, chosen)
        return self.shapes.group(template, key, chosen)


@cache
def _shapes(rules: Rules) -> Shapes:
    """Those of a rule set, which are worked out as they are needed and then kept."""
    return Shapes(rules.ruleset)


@cache
def _constant(rules: Rules) -> dict[str, Any]:
    """The states that never change."""
    return Normal(rules.ruleset).constant
