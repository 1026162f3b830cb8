"""What the built-in functions of the rule language mean; `biriba.model.builtins` states them in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from biriba.interpreter.frame import SUBTOTALS, TOTALS, Code, Constant, Env
from biriba.interpreter.sheet import lines_for_melds
from biriba.model import expr as x

if TYPE_CHECKING:
    from biriba.interpreter.evaluate import Evaluator

Builder = Callable[["Evaluator", x.Call, Env], Code]


def _table(values: Callable[[Evaluator], Any]) -> Builder:
    """A function that looks its argument up in a table made from the rule set."""

    def build(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
        table, arg = values(evaluator), evaluator.compile(node.args[0], env)
        if isinstance(arg, Constant):
            return Constant(table[arg.value])
        return lambda s, f: table[arg(s, f)]

    return build


def _of_meld(function: Callable[[Evaluator], Callable[[Any], Any]]) -> Builder:
    """A function of a meld."""

    def build(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
        apply, meld = function(evaluator), evaluator.meld(node.args[0], env)
        return lambda s, f: apply(meld(s, f))

    return build


def _size(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    arg = node.args[0]
    if arg.type.kind == "meld":
        meld = evaluator.meld(arg, env)
        return lambda s, f: len(meld(s, f).cards)
    zone = evaluator.zone(arg, env)
    if arg.type.detail == "melds":
        return lambda s, f: sum(len(m.cards) for m in zone(s, f))
    return lambda s, f: len(zone(s, f))


def _copies(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    if len(node.args) == 1:
        return _table(lambda e: [face.copies for face in e.rules.cards.faces])(evaluator, node, env)
    card = evaluator.compile(node.args[0], env)
    if isinstance(node.args[1], x.Everywhere):
        census = evaluator.census
        return lambda s, f: census(s).get(card(s, f), 0)
    if node.args[1].type.kind == "meld":
        meld = evaluator.meld(node.args[1], env)
        return lambda s, f: meld(s, f).cards.count(card(s, f))
    cards = evaluator.cards(node.args[1], env)
    return lambda s, f: cards(s, f).count(card(s, f))


def _suit(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    if node.args[0].type.kind == "meld":
        return _KEY(evaluator, node, env)
    return _table(lambda e: [face.suit for face in e.rules.cards.faces])(evaluator, node, env)


def _rank(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    if node.args[0].type.kind == "meld":
        return _KEY(evaluator, node, env)
    return _table(lambda e: [face.rank for face in e.rules.cards.faces])(evaluator, node, env)


def _rank_at(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    places, place = evaluator.rules.cards.places, evaluator.compile(node.args[0], env)
    table = dict(enumerate(places, 1))
    return lambda s, f: table.get(place(s, f))


def _top(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    zone = evaluator.zone(node.args[0], env)
    return lambda s, f: zone(s, f)[-1]


def _room(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    room, meld, card = evaluator.melds.room, evaluator.meld(node.args[0], env), evaluator.compile(node.args[1], env)
    return lambda s, f: room(meld(s, f), card(s, f))


def _deadwood(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    deadwood, cards = evaluator.melds.deadwood, evaluator.cards(node.args[0], env)
    aside = evaluator.compile(node.args[1], env) if len(node.args) == 2 else Constant(0)
    return lambda s, f: deadwood(tuple(sorted(cards(s, f))), aside(s, f))


def _owner(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    laid = evaluator.compile(node.args[0], env)
    return lambda s, f: laid(s, f).owner


def _points(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    meld, lines = evaluator.meld(node.args[0], env), lines_for_melds(evaluator)
    return lambda s, f: sum(line.points(meld(s, f), s, f) for line in lines)


def _total(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    side = evaluator.compile(node.args[0], env)
    return lambda s, f: f[TOTALS][side(s, f)]


def _subtotal(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    side = evaluator.compile(node.args[0], env)
    return lambda s, f: f[SUBTOTALS][side(s, f)]


def _result(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
    growth = evaluator.compile(node.args[0], env)
    return lambda s, f: growth(s, f).result


def _choice(choose: Callable[[Any, Any], Any]) -> Builder:
    def build(evaluator: Evaluator, node: x.Call, env: Env) -> Code:
        a, b = (evaluator.compile(arg, env) for arg in node.args)
        if isinstance(a, Constant) and isinstance(b, Constant):
            return Constant(choose(a.value, b.value))
        return lambda s, f: choose(a(s, f), b(s, f))

    return build


def _seats(neighbour: Callable[[Evaluator, int], int]) -> Builder:
    return _table(lambda e: [neighbour(e, seat) for seat in range(len(e.rules.table.seats))])


_KEY = _of_meld(lambda e: lambda meld: meld.key)

BUILDERS: dict[str, Builder] = {
    "size": _size,
    "copies": _copies,
    "value": _table(lambda e: [face.value for face in e.rules.cards.faces]),
    "wild": _table(lambda e: [face.wild for face in e.rules.cards.faces]),
    "suit": _suit,
    "rank": _rank,
    "rank_at": _rank_at,
    "top": _top,
    "substitutes": _of_meld(lambda e: e.melds.substitutes),
    "naturals": _of_meld(lambda e: lambda meld: len(meld.cards) - e.melds.substitutes(meld)),
    "low": _of_meld(lambda e: lambda meld: meld.low),
    "high": _of_meld(lambda e: lambda meld: meld.low + len(meld.cards) - 1),
    "lawful": _of_meld(lambda e: e.melds.lawful),
    "room": _room,
    "deadwood": _deadwood,
    "result": _result,
    "owner": _owner,
    "points": _points,
    "side": _table(lambda e: e.side_of),
    "left": _seats(lambda e, seat: e.rules.table.left(seat)),
    "right": _seats(lambda e, seat: e.rules.table.right(seat)),
    "next": _seats(lambda e, seat: e.rules.table.next(seat)),
    "total": _total,
    "subtotal": _subtotal,
    "quotient": _choice(lambda a, b: a // b),
    "min": _choice(min),
    "max": _choice(max),
}
