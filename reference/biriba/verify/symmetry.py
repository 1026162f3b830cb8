"""Seats that are alike: what is proved for one holds for the others.

Turning the table by some seats maps every position to a position. If the rules name no seat and no
side, if partners stay partners, and if no effect goes through the seats or sides in a fixed order,
the rules say the same of both. `representatives` gives one seat of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset
from biriba.model.stmt import Block, Effect, ForEach, WithOne

_PEOPLE = ("seat", "side")


def representatives(rules: Ruleset) -> tuple[int, ...]:
    """The seats to look at, in their order."""
    seats = range(len(rules.table.seats))
    if not _names_nobody(rules):
        return tuple(seats)
    turns = [k for k in seats if _keeps_sides(rules, k)]
    return tuple(dict.fromkeys(min((seat + k) % len(seats) for k in turns) for seat in seats))


def _keeps_sides(rules: Ruleset, k: int) -> bool:
    n = len(rules.table.seats)
    sides = {frozenset(members) for members in rules.table.members}
    return all(frozenset((seat + k) % n for seat in members) in sides for members in sides)


def _names_nobody(rules: Ruleset) -> bool:
    blocks = [step.effects for step in rules.deal]
    blocks += [action.effects for action in rules.actions.values()]
    blocks += [consequence.effects for consequence in rules.consequences]
    effects = [effect for block in blocks for effect in _effects(block)]
    ordered = (effect for effect in effects if isinstance(effect, (ForEach, WithOne)))
    if any(isinstance(e.binder.domain, x.Every) and e.binder.type.kind in _PEOPLE for e in ordered):
        return False
    bodies = [definition.body for definition in rules.definitions.values()]
    bodies += [guard.body for guard in rules.guards] + [law.body for law in rules.laws]
    bodies += [s.body for s in (*rules.invariants, *rules.step_invariants, *rules.after_deal)]
    bodies += [line.body for line in rules.score] + [line.where for line in rules.score if line.where is not None]
    bodies += [state.initial for state in rules.states.values()]
    bodies += [node for effect in effects for node in _nodes(effect)]
    return not any(
        isinstance(node, x.Const) and node.type.kind in _PEOPLE and node.value is not None
        for body in bodies
        for node in body.walk()
    )


def _effects(block: Block) -> Iterator[Effect]:
    for effect in block:
        yield effect
        for f in fields(effect):
            value = getattr(effect, f.name)
            if isinstance(value, tuple) and value and isinstance(value[0], Effect):
                yield from _effects(value)


def _nodes(effect: Effect) -> Iterator[x.Node]:
    for f in fields(effect):
        value = getattr(effect, f.name)
        if isinstance(value, x.Node):
            yield value
        elif isinstance(value, x.Binder):
            yield from value.children()
