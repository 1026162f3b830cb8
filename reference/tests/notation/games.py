"""Two games for the tests of the notation, and random positions, melds and actions of theirs, lawful or not."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from biriba.language.load import compile_rules, load_ruleset
from biriba.language.source import read_source
from biriba.model.position import Action, Growth, LaidMeld, Meld, Position, Zone
from biriba.model.pure import Value, count_of
from biriba.model.ruleset import ActionParam, Ruleset
from biriba.model.types import Type
from biriba.notation.errors import NotationError
from biriba.notation.growths import GrowthText, grown
from biriba.notation.vocabulary import vocabulary

LANTERNS = Path(__file__).with_name("lanterns.rules")


@cache
def biriba() -> Ruleset:
    return load_ruleset("biriba")


@cache
def lanterns() -> Ruleset:
    """A game with other words than Biriba's, and with what Biriba has not: values and numbers as arguments."""
    return compile_rules(read_source(LANTERNS))[0]


def whole_deck(rules: Ruleset) -> list[int]:
    return [face.index for face in rules.cards.faces for _ in range(face.copies)]


def random_meld(rules: Ruleset, rng: Random, cards: list[int]) -> Meld | None:
    """A meld made of some of the cards, which are then taken away; laws play no part."""
    shapes = vocabulary(rules).shapes
    template = rng.choice(list(rules.templates))
    key = rng.choice(shapes.keys(template))
    size = rng.randint(1, 6)
    low = rng.randint(1, max(1, shapes.places - size + 1)) if shapes.is_sequence(template) else None
    chosen: list[int] = []
    left = list(cards)
    for i in range(size):
        place = None if low is None else low + i
        if place is not None and place > shapes.places:
            break
        natural, substitute = shapes.fitting(template, key, place)
        liked = substitute if rng.random() < 0.3 else natural
        options = [card for card in left if card in liked] or [c for c in left if c in natural or c in substitute]
        if not options:
            break
        chosen.append(rng.choice(options))
        left.remove(chosen[-1])
    if not chosen:
        return None
    cards[:] = left
    return shapes.group(template, key, chosen) if low is None else shapes.sequence(template, key, low, chosen)


def random_value(rules: Ruleset, rng: Random, of: Type) -> Value:
    if of.optional and rng.random() < 0.3:
        return None
    if of.kind == "bool":
        return rng.random() < 0.5
    if of.kind == "int":
        return rng.randint(of.low or 0, of.high if of.high is not None else 9)
    return rng.randrange(count_of(rules, of.kind))


def random_position(rules: Ruleset, rng: Random) -> Position:
    """A position with every card somewhere and melds of all sorts."""
    words = vocabulary(rules)
    cards = whole_deck(rules)
    rng.shuffle(cards)
    zones: list[Zone] = [()] * len(words.zone_of)
    for slot, zone in enumerate(words.zone_of):
        if zone.kind == "melds":
            found = (random_meld(rules, rng, cards) for _ in range(rng.randint(0, 4)))
            zones[slot] = tuple(meld for meld in found if meld is not None)
    others = [slot for slot, zone in enumerate(words.zone_of) if zone.kind != "melds"]
    used = rng.sample(others, rng.randint(1, len(others)))
    heaps: dict[int, list[int]] = {slot: [] for slot in used}
    for card in cards:
        heaps[rng.choice(used)].append(card)
    for slot, heap in heaps.items():
        zones[slot] = tuple(sorted(heap) if words.zone_of[slot].kind == "hand" else heap)
    states = tuple(
        initial if rng.random() < 0.5 else random_value(rules, rng, state.type)
        for state, initial in zip(words.state_of, words.initial, strict=True)
    )
    seats = len(rules.table.seats)
    return Position(rng.choice(words.phases), rng.randrange(seats), rng.randrange(seats), tuple(zones), states)


def random_growth(rules: Ruleset, rng: Random, meld: Meld) -> Growth | None:
    """A growth of a meld, possible or not, as far as a text can describe it."""
    card = rng.randrange(len(rules.cards.faces))
    if meld.low is None:
        return grown(rules, meld, GrowthText(card))
    moving = rng.choice([None, rng.choice(meld.cards)])
    at = None if moving is None else meld.low + meld.cards.index(moving)
    try:
        return grown(rules, meld, GrowthText(card, at, moving, rng.choice(["low", "high"])))
    except NotationError:
        return None


def random_action(rules: Ruleset, rng: Random, position: Position) -> Action | None:
    """An action that a text can state in a position, legal or not; None if the dice fall badly."""
    action = rng.choice(list(rules.actions.values()))
    args: list[object] = []
    for param in action.params:
        arg = _random_argument(rules, rng, position, param, args)
        if arg is None:
            return None
        args.append(arg)
    return Action(action.name, tuple(args))


def _random_argument(
    rules: Ruleset, rng: Random, position: Position, param: ActionParam, before: list[object]
) -> object:
    words = vocabulary(rules)
    match param.domain:
        case "new_meld":
            return random_meld(rules, rng, whole_deck(rules))
        case "laid_meld":
            assert param.zone is not None
            laid = [
                LaidMeld(slot, i, owner, meld)
                for slot, (name, owner) in enumerate(words.layout.zone_slots)
                if name == param.zone.name
                for i, meld in enumerate(position.zones[slot])
                if isinstance(meld, Meld)
            ]
            return rng.choice(laid) if laid else None
        case "growth":
            of = before[0]
            assert isinstance(of, LaidMeld)
            return random_growth(rules, rng, of.meld)
        case "card":
            return rng.randrange(len(rules.cards.faces))
        case "number":
            return rng.randint(0, 99)
        case _:
            return random_value(rules, rng, param.type)


games = st.sampled_from([biriba, lanterns])
"""The two games, to be called for their rules."""

dice = st.integers(0, 2**48).map(Random)
"""Sources of chance; an example is one number, which tells it all."""
