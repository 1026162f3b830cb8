"""Melds that stand for all lawful ones, and the invariants that they break.

A number may be within its range and yet not go with another one: runs may then be longer than a full run, or a dirty
biriba be worth more than any bonus. An invariant that speaks of each meld by itself tells, without any play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from typing import NamedTuple

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Local
from biriba.interpreter.templates import Shape
from biriba.model import expr as x
from biriba.model.position import Meld, Position
from biriba.model.reads import Read, parameters, reads
from biriba.model.ruleset import Ruleset, Statement


class Broken(NamedTuple):
    """An invariant, and a lawful meld that breaks it wherever it lies."""

    statement: Statement
    meld: Meld


def broken_by_melds(evaluator: Evaluator, table: Position, sound: Ruleset | None = None) -> list[Broken]:
    """The invariants about each meld by itself that some specimen breaks, each with the first one.

    Args:
        table: any position; nothing is looked at in it.
        sound: a rule set in which no specimen breaks one; what is the same as there is not asked again.
    """
    asked = []
    for statement in _to_ask(evaluator.rules, sound):
        for var, condition in _about_a_meld(evaluator, statement.body):
            slot = evaluator.slot()
            asked.append((statement, slot, evaluator.compile(condition, {var: Local(slot)})))
    frame = evaluator.frame(0)
    broken: dict[int, Meld] = {}
    for meld in specimens(evaluator) if asked else ():
        for i, (_, slot, holds) in enumerate(asked):
            frame[slot] = meld
            if i not in broken and not holds(table, frame):
                broken[i] = meld
    return [Broken(asked[i][0], broken[i]) for i in sorted(broken)]


def _to_ask(rules: Ruleset, sound: Ruleset | None) -> list[Statement]:
    """The invariants that may say something else of some meld than in a sound rule set."""
    if sound is None or rules.cards != sound.cards or rules.table != sound.table or _written(rules) != _written(sound):
        return list(rules.invariants)
    others = {name for name, now in rules.parameters.items() if now != sound.parameters.get(name)}
    if others & parameters(rules, *(law.body for law in rules.laws)):
        return list(rules.invariants)
    return [statement for statement in rules.invariants if others & parameters(rules, statement.body)]


def _written(rules: Ruleset) -> dict[str, str]:
    """The texts of the clauses: where they are the same, all that differs are the values of parameters."""
    return {clause.id: clause.source for clause in rules.clauses.values()}


def specimens(evaluator: Evaluator) -> Iterator[Meld]:
    """Lawful melds of every template and key, on all places, of every size and with every number of substitutes."""
    melds = evaluator.melds
    for shape in melds.templates.shapes.values():
        limits = melds.laws.limits(shape.template)
        for low in range(1, shape.last + 1) if shape.in_sequence else (None,):
            most = min(limits.most, shape.last + 1 - low) if low is not None else limits.most
            for size in range(limits.least, most + 1):
                for substitutes in range(min(limits.substitutes, size) + 1):
                    for meld in _laid_out(evaluator, shape, low, size, substitutes):
                        if melds.fits(meld) and melds.lawful(meld) and not melds.beyond_deck(meld.cards):
                            yield meld


def _laid_out(evaluator: Evaluator, shape: Shape, low: int | None, size: int, substitutes: int) -> Iterator[Meld]:
    """Melds of that size, the substitutes at the one end and at the other; of a group there is one."""
    if low is None:
        natural, wild = _by_turns(evaluator, shape, substitute=False), _by_turns(evaluator, shape, substitute=True)
        cards = (*islice(natural, size - substitutes), *islice(wild, substitutes))
        if len(cards) == size:
            yield Meld(shape.template, shape.key, None, shape.group(cards))
        return
    for first in dict.fromkeys((0, size - substitutes)) if substitutes else (0,):
        laid = _in_order(evaluator, shape, low, size, range(low + first, low + first + substitutes))
        if laid is not None:
            yield Meld(shape.template, shape.key, low, laid)


def _by_turns(evaluator: Evaluator, shape: Shape, *, substitute: bool) -> Iterator[int]:
    """The cards of a group's one place, a copy of each, then another of each."""
    faces = [face for face, as_substitute in shape.options[0] if as_substitute == substitute]
    left = Counter({face: evaluator.rules.cards.faces[face].copies for face in faces})
    for face in cycle(faces):
        if not +left:
            return
        if left[face]:
            left[face] -= 1
            yield face


def _in_order(evaluator: Evaluator, shape: Shape, low: int, size: int, standing: range) -> tuple[int, ...] | None:
    """Cards for the places of a sequence, substitutes on some; None if there are not enough of them."""
    cards: list[int] = []
    for place in range(low, low + size):
        for face, substitute in shape.options[place]:
            if substitute == (place in standing) and cards.count(face) < evaluator.rules.cards.faces[face].copies:
                cards.append(face)
                break
        else:
            return None
    return tuple(cards)


def _about_a_meld(evaluator: Evaluator, node: x.Node) -> Iterator[tuple[str, x.Node]]:
    """The conditions that an invariant sets for every meld of a zone, and that look at that meld alone."""
    match node:
        case x.And(parts=parts):
            for part in parts:
                yield from _about_a_meld(evaluator, part)
        case x.Quantified(quantifier="every", binders=(binder, *others), body=body):
            rest = body
            if others:
                rest = x.Quantified(quantifier="every", binders=tuple(others), body=body, type=node.type)
            if not isinstance(binder.domain, x.MeldsOf):
                yield from _about_a_meld(evaluator, rest)
                return
            if binder.where is not None:
                rest = x.Implies(left=binder.where, right=rest, type=node.type)
            if reads(evaluator.rules, rest) <= {Read("var", binder.var)}:
                yield binder.var, rest
