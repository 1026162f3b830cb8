"""The words that a rule set gives to the notation, and what its zones and states are like."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from biriba.model import stmt
from biriba.model.position import Layout, Meld
from biriba.model.pure import Value, evaluate
from biriba.model.ruleset import OVER, Ruleset, StateDecl, ZoneDecl
from biriba.model.shapes import Shapes
from biriba.model.types import Type

YES, NO, NONE = "yes", "no", "none"


class Vocabulary:
    """What stands for what in the notation of one rule set.

    Attributes:
        faces, suits, ranks, seats, sides: indices by name.
        zone_of, state_of: for each slot its declaration.
        initial: the values of the states when a deal begins, by slot.
        deck_slot: the zone that the deck is shuffled into, None if there is no such zone.
        meld_texts: the canonical texts of the melds that were written so far.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.layout = Layout(rules)
        self.meld_texts: dict[Meld, str] = {}
        self.shapes = Shapes(rules)
        self.faces = {face.symbol: face.index for face in rules.cards.faces}
        self.suits = _numbered(suit.symbol for suit in rules.cards.suits)
        self.ranks = _numbered(rank.symbol for rank in rules.cards.ranks)
        self.seats = _numbered(rules.table.seats)
        self.sides = _numbered(rules.table.sides)
        self.phases = (*rules.phases, OVER)
        self.zone_of = [rules.zones[name] for name, _ in self.layout.zone_slots]
        self.state_of = [rules.states[name] for name, _ in self.layout.state_slots]
        self.initial = tuple(evaluate(rules, state.initial) for state in self.state_of)
        self.deck_slot = next(self._shuffles(effect for step in rules.deal for effect in step.effects), None)

    def owners(self, declared: ZoneDecl | StateDecl) -> Sequence[str]:
        """The names of the owners of a zone or state: one empty name if it is nobody's."""
        if isinstance(declared, ZoneDecl):
            return self.rules.owners(declared.owner, declared.low, declared.high)
        return self.rules.owners(declared.owner)

    def zone_slot(self, name: str, owner: int = 0) -> int:
        return self.layout.zone_base[name] + owner

    def zone_name(self, slot: int) -> str:
        """A zone as it is named in texts: ``stock``, ``hand A``."""
        name, owner = self.layout.zone_slots[slot]
        return f"{name} {self.owners(self.zone_of[slot])[owner]}".rstrip()

    def state_name(self, slot: int) -> str:
        name, owner = self.layout.state_slots[slot]
        return f"{name} {self.owners(self.state_of[slot])[owner]}".rstrip()

    def names(self, of: Type) -> Mapping[str, Value]:
        """The words for all values of a type that are not numbers, `none` included if it is one."""
        named: dict[str, Value] = {}
        match of.kind:
            case "bool":
                named = {NO: False, YES: True}
            case "card":
                named.update(self.faces)
            case "rank":
                named.update(self.ranks)
            case "suit":
                named.update(self.suits)
            case "seat":
                named.update(self.seats)
            case "side":
                named.update(self.sides)
            case "phase":
                named.update(_numbered(self.phases))
            case "option":
                named.update(_numbered(self.rules.parameters[of.detail or ""].options))
        if of.optional:
            named[NONE] = None
        return named

    def key_type(self, template: str) -> Type | None:
        return self.rules.templates[template].key_type

    def _shuffles(self, effects: Iterator[stmt.Effect]) -> Iterator[int]:
        for effect in effects:
            if isinstance(effect, stmt.Shuffle):
                zone = self.rules.zones[effect.target.name]
                index = 0 if effect.target.index is None else evaluate(self.rules, effect.target.index)
                yield self.zone_slot(zone.name, int(index or 0) - (zone.low if zone.owner == "number" else 0))


def _numbered(names: Iterator[str] | Sequence[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(names)}


_KEPT = 48
"""More than there are rule sets in a family, each of which is asked in turn."""
_known: OrderedDict[int, Vocabulary] = OrderedDict()


def vocabulary(rules: Ruleset) -> Vocabulary:
    """The vocabulary of a rule set, made once for each of the rule sets last used."""
    found = _known.get(id(rules))
    if found is None:  # a kept vocabulary holds its rule set, so no other object can have that id
        found = _known[id(rules)] = Vocabulary(rules)
        if len(_known) > _KEPT:
            _known.popitem(last=False)
    else:
        _known.move_to_end(id(rules))
    return found
