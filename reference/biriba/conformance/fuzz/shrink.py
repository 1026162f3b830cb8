"""Making a difference small: the same difference at a position with less in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from biriba.conformance.fuzz.probes import Probe
from biriba.interpreter.rules import Rules
from biriba.model.position import Meld, Position, Zone
from biriba.model.pure import evaluate
from biriba.model.shapes import Shapes
from biriba.notation import ActionText, MeldName
from biriba.planner.flows import sealed_slots
from biriba.scenario.scenario import Claim, Expect, Scenario, Step

Differs = Callable[[Probe], bool]
"""Whether implementation and reference still differ in the same way."""


class Shrinker:
    """Shrinks probes of one rule set.

    Args:
        differs: asks the implementation.
        most: how often it is asked for one probe.
    """

    def __init__(self, rules: Rules, differs: Differs, most: int = 400) -> None:
        self.rules, self.ruleset, self.differs, self.left = rules, rules.ruleset, differs, most
        self.shapes = Shapes(rules.ruleset)
        kinds = [self.ruleset.zones[name].kind for name, _ in rules.layout.zone_slots]
        self.hands = [slot for slot, kind in enumerate(kinds) if kind == "hand"]
        self.melds = [slot for slot, kind in enumerate(kinds) if kind == "melds"]
        self.sealed = sealed_slots(rules.ruleset, rules.layout)
        self.piles = [slot for slot, kind in enumerate(kinds) if kind == "pile" and slot not in self.sealed]

    def shrunk(self, probe: Probe) -> Probe:
        """The smallest probe that was found, the probe itself if it is that."""
        alive = self.alive(probe.position)
        changed = True
        while changed and self.left > 0:
            changed = False
            for smaller in self.smaller(probe):
                if self.left <= 0:
                    break
                if self.rules.violated_invariants(smaller.position) or alive > self.alive(smaller.position):
                    continue
                self.left -= 1
                if self.differs(smaller):
                    probe, changed = smaller, True
                    break
        return probe

    def alive(self, position: Position) -> bool:
        """Whether somebody can do something, or nobody need to: a game holds no other position."""
        return self.rules.over(position) or bool(self.rules.legal(position))

    def smaller(self, probe: Probe) -> Iterator[Probe]:
        """The probe at positions with less in them, the boldest steps first."""
        yield from self.without_melds(probe)
        for position in self.positions(probe.position):
            if position != probe.position:
                yield replace(probe, position=position)

    def without_melds(self, probe: Probe) -> Iterator[Probe]:
        """The probe without one of the melds; the action speaks of the same meld as before."""
        position = probe.position
        rest = max(self.piles, key=lambda slot: len(position.zones[slot]))
        for slot in self.melds:
            melds = position.zones[slot]
            for i in range(len(melds)):
                smaller = self.moved(position, slot, (*melds[:i], *melds[i + 1 :]), rest)
                action = probe.action
                if action is not None:
                    args = tuple(
                        replace(arg, number=arg.number - 1)
                        if isinstance(arg, MeldName) and arg.slot == slot and arg.number > i + 1
                        else arg
                        for arg in action.args
                    )
                    action = ActionText(action.name, args)
                yield replace(probe, position=smaller, action=action)

    def positions(self, position: Position) -> Iterator[Position]:
        rest = max(self.piles, key=lambda slot: len(position.zones[slot]))
        for slot in self.hands:
            cards = position.zones[slot]
            if slot != self.hand_of_turn(position):
                yield self.moved(position, slot, cards[:1], rest)
            yield self.moved(position, slot, cards[: (len(cards) + 1) // 2], rest)
        for slot in self.piles:
            if slot != rest:
                yield self.moved(position, slot, (), rest)
                yield self.moved(position, slot, position.zones[slot][-1:], rest)
        for slot in (*self.melds, *self.sealed):
            yield self.moved(position, slot, (), rest)
        for slot, (name, _) in enumerate(self.rules.layout.state_slots):
            first = evaluate(self.ruleset, self.ruleset.states[name].initial)
            yield replace(position, states=(*position.states[:slot], first, *position.states[slot + 1 :]))
        yield replace(position, dealer=len(self.ruleset.table.seats) - 1)
        for slot in self.hands:
            cards = position.zones[slot]
            for i in range(len(cards)):
                yield self.moved(position, slot, (*cards[:i], *cards[i + 1 :]), rest)
        for slot in self.melds:
            melds = position.zones[slot]
            for i, meld in enumerate(melds):
                for shorter in self.shorter(meld):
                    yield self.moved(position, slot, (*melds[:i], shorter, *melds[i + 1 :]), rest)
        # The pile with all the rest in one order, so that equal findings have equal positions.
        pile = tuple(sorted(_cards(position.zones[rest]), reverse=True))
        yield replace(position, zones=(*position.zones[:rest], pile, *position.zones[rest + 1 :]))

    def hand_of_turn(self, position: Position) -> int:
        """The slot of the hand of the seat to act."""
        return next((s for s in self.hands if self.rules.layout.zone_slots[s][1] == position.turn), -1)

    def moved(self, position: Position, slot: int, kept: Zone, rest: int) -> Position:
        """The position with only some of what lies in a zone; the other cards lie at the bottom of a pile."""
        before, after = _cards(position.zones[slot]), _cards(kept)
        for card in after:
            before.remove(card)
        zones = list(position.zones)
        zones[slot], zones[rest] = kept, (*before, *zones[rest])
        return replace(position, zones=tuple(zones))

    def shorter(self, meld: object) -> Iterator[Meld]:
        if not isinstance(meld, Meld):
            return
        for i in (0, len(meld.cards) - 1):
            cards = (*meld.cards[:i], *meld.cards[i + 1 :])
            if meld.low is None:
                found = self.shapes.group(meld.template, meld.key, cards)
            else:
                found = self.shapes.sequence(meld.template, meld.key, meld.low + (i == 0), cards)
            if found is not None and self.rules.lawful(found):
                yield found


def _cards(zone: Zone) -> list[int]:
    return [card for item in zone for card in (item.cards if isinstance(item, Meld) else (item,))]


def trimmed(scenario: Scenario, differs: Callable[[Scenario], bool]) -> Scenario:
    """The scenario with only those facts of its last expectation by which it still differs."""
    last = scenario.steps[-1].body
    if isinstance(last, Claim):
        for name in list(last.facts):
            claim = replace(last, facts={other: fact for other, fact in last.facts.items() if other != name})
            tried = replace(scenario, steps=(*scenario.steps[:-1], Step(claim)))
            if differs(tried):
                last, scenario = claim, tried
    elif isinstance(last, Expect) and last.legal is None:
        for path in list(_paths(last.facts)):
            smaller = _without(last.facts, path)
            if not smaller:
                continue
            tried = replace(scenario, steps=(*scenario.steps[:-1], Step(Expect(smaller))))
            if differs(tried):
                last, scenario = Expect(smaller), tried
    return scenario


def _paths(facts: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All members of nested objects, outer ones first."""
    if isinstance(facts, dict):
        for name in facts:
            yield (*path, name)
        for name, value in facts.items():
            if name != "hides":
                yield from _paths(value, (*path, name))


def _without(facts: Any, path: tuple[str, ...]) -> dict[str, Any]:
    """The object without a member; objects that become empty go too."""
    if path[0] not in facts:
        return dict(facts)
    rest = {name: value for name, value in facts.items() if name != path[0]}
    if len(path) > 1:
        inner = _without(facts[path[0]], path[1:])
        if inner:
            rest[path[0]] = inner
    return rest
