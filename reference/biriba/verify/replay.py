"""What the encoding says of one known position and action: to be compared with the interpreter.

The step is encoded in symbols as for any proof, and then everything is told to the solver that is
known of the position and the arguments, so that all of the encoding is at work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biriba.model import expr as x
from biriba.model.position import Action, Growth, LaidMeld, Meld, Position
from biriba.model.ruleset import OVER
from biriba.verify.concrete import Reading
from biriba.verify.encode import Scope
from biriba.verify.solving import Asked
from biriba.verify.steps import Case, Detail, Step, Steps
from biriba.verify.symbols import CardZone, MeldZone, SymGrowth, SymLaid, SymMeld, SymPosition
from biriba.verify.terms import NONE, Term, equal, not_
from biriba.verify.truths import links, truths
from biriba.verify.witness import Referee


@dataclass(frozen=True)
class Encoded:
    """The verdict of the encoding: the clauses that an action violates, and the position it leads to.

    Melds are in the order of the encoding, not in that in which they were laid.
    """

    clauses: frozenset[str]
    after: Position | None


def encoded(referee: Referee, position: Position, action: Action, mode: str | None = None) -> Encoded | None:
    """What the encoding says; None if it has no case for the action (arguments that fit no template).

    Args:
        mode: how a growth is meant, if the action has one.
    """
    rules, steps = referee.ruleset, Steps(referee.ruleset)
    case = _case(referee, position, action, mode)
    most = max(
        (Counter(m.template for m in _melds(zone)).most_common(1)[0][1] for zone in position.zones if _melds(zone)),
        default=0,
    )
    step = steps.step(case, Detail(most, rest=False), "e", legal=False)
    if step is None:
        return None
    told = [*step.shape, *links(steps, step.before), *_told_position(steps, position, step.before, action)]
    for param, arg in zip(rules.actions[action.name].params, action.args, strict=True):
        told += _told_argument(steps, step.env[param.name], arg)
    told += _told_below(position, step.tops)
    asked = Asked([*told, *steps.encoder.unknowns.facts], 60)
    while True:
        model = asked.model()
        if model is None:
            return None
        reading = Reading(rules, steps.encoder.shapes.tables, model)
        lemmas = list(truths(referee, steps, reading))
        if not lemmas:
            return _read(step, reading)
        asked.tell([*lemmas, *steps.encoder.unknowns.facts])


def encoded_values(referee: Referee, position: Position, nodes: Sequence[x.Node]) -> list[int | bool | None]:
    """What the encoding says of expressions in a position, for the seat whose turn it is."""
    steps, me = Steps(referee.ruleset), position.turn
    most = max((n for zone in position.zones for n in Counter(m.template for m in _melds(zone)).values()), default=0)
    symbols, facts = steps.position("e", me, Detail(most, rest=False), {})
    values = [steps.encoder.value(node, Scope(symbols, me, old=symbols)) for node in nodes]
    told = [*facts, *links(steps, symbols), *_told_position(steps, position, symbols, Action(""))]
    asked = Asked([*told, *steps.encoder.unknowns.facts], 60)
    while True:
        reading = Reading(referee.ruleset, steps.encoder.shapes.tables, asked.model())
        lemmas = list(truths(referee, steps, reading))
        if not lemmas:
            return [
                reading.truth(v) if n.type.kind == "bool" else reading.number(v)
                for n, v in zip(nodes, values, strict=True)
            ]
        asked.tell([*lemmas, *steps.encoder.unknowns.facts])


def _read(step: Step, reading: Reading) -> Encoded:
    rules = step.encoder.rules
    decl = rules.actions[step.case.action]
    if not reading.truth(step.domain[0][1]):
        return Encoded(frozenset({decl.clause}), None)
    broken = frozenset(c for c, term in (*step.domain, *step.requires) if not reading.truth(term))
    if not broken:
        broken = frozenset(c for c, term in step.ensures if not reading.truth(term))
    return Encoded(broken, None if broken else reading.position(step.after, step.tops))


def _case(referee: Referee, position: Position, action: Action, mode: str | None) -> Case:
    case = Case(action.name, position.turn)
    for param, arg in zip(referee.ruleset.actions[action.name].params, action.args, strict=True):
        match arg:
            case LaidMeld():
                case = replace(case, laid={**case.laid, param.name: (arg.slot, arg.meld.template)})
            case Meld():
                case = replace(case, templates={**case.templates, param.name: arg.template})
            case Growth():
                case = replace(case, modes={**case.modes, param.name: str(mode)})
    return case


def _told_position(steps: Steps, position: Position, symbols: SymPosition, action: Action) -> Iterator[Term]:
    """That a symbolic position is the known one."""
    names = (*steps.rules.phases, OVER)
    yield equal(symbols.phase, names.index(position.phase))
    yield equal(symbols.dealer, position.dealer)
    for value, symbol in zip(position.states, symbols.states, strict=True):
        yield equal(symbol, NONE if value is None else value)
    named = [arg for arg in action.args if isinstance(arg, LaidMeld)]
    for slot, (zone, symbol) in enumerate(zip(position.zones, symbols.zones, strict=True)):
        if isinstance(symbol, CardZone):
            counts = Counter(zone)
            yield from (equal(term, counts[face]) for face, term in enumerate(symbol.counts))
            if symbol.top is not None and zone:
                yield equal(symbol.top, zone[-1])
        else:
            yield from _told_melds(steps, list(_melds(zone)), [a for a in named if a.slot == slot], symbol)


def _told_below(position: Position, tops: list[tuple[int, Term]]) -> Iterator[Term]:
    """Which cards lie below the tops of piles, in the order in which they are uncovered."""
    met: Counter[int] = Counter()
    for slot, card in tops:
        met[slot] += 1
        below = position.zones[slot][: -met[slot]]
        if below:
            yield equal(card, below[-1])


def _told_melds(steps: Steps, melds: list[Meld], named: list[LaidMeld], zone: MeldZone) -> Iterator[Term]:
    waiting = [meld for i, meld in enumerate(melds) if i not in {arg.index for arg in named}]
    for i, (there, symbol) in enumerate(zone.melds):
        if i < len(named):
            yield from told_meld(symbol, named[i].meld)
            continue
        fitting = next((meld for meld in waiting if meld.template == symbol.template), None)
        if fitting is None:
            yield not_(there)
        else:
            waiting.remove(fitting)
            yield there
            yield from told_meld(symbol, fitting)


def _told_argument(steps: Steps, symbol: Any, arg: Any) -> Iterator[Term]:
    match symbol:
        case SymMeld():
            yield from told_meld(symbol, arg)
            yield from steps.encoder.shapes.counted(symbol)
        case SymLaid():
            pass
        case SymGrowth():
            yield equal(symbol.card, arg.card)
            if symbol.high_end is not None:
                yield equal(symbol.high_end, arg.end == "high")
            if symbol.place is not None:
                yield equal(symbol.place, arg.moved)
        case _:
            yield equal(symbol, NONE if arg is None else arg)


def told_meld(symbol: SymMeld, meld: Meld) -> Iterator[Term]:
    """That a symbolic meld is a known one."""
    if meld.key is not None:
        yield equal(symbol.key, meld.key)
    counts = Counter(meld.cards)
    yield equal(symbol.size, len(meld.cards))
    yield from (equal(term, counts[face]) for face, term in enumerate(symbol.counts))
    if meld.low is not None:
        yield equal(symbol.low, meld.low)
        for place, term in enumerate(symbol.at, 1):
            inside = meld.low <= place < meld.low + len(meld.cards)
            yield equal(term, meld.cards[place - meld.low] if inside else NONE)


def _melds(zone: tuple[Any, ...]) -> tuple[Meld, ...]:
    return tuple(item for item in zone if isinstance(item, Meld))
