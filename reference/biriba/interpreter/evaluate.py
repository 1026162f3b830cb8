"""What expressions mean: each is compiled once to a Python closure ``f(situation, frame)``.

Every kind of node has one method, named after it. Parameters and whatever follows from them are
computed at compile time. Expressions are total and without side effects, except that they write
the variables they bind into the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from biriba.interpreter import functions
from biriba.interpreter.closures import (
    TRUE,
    choice,
    conjunction,
    disjunction,
    exists,
    extreme,
    for_all,
    negation,
    span,
    total,
)
from biriba.interpreter.frame import DEALS, FREE, ME, MINE, OLD, Code, Constant, Env, Frame, Local, Standing
from biriba.interpreter.melds import Melds
from biriba.interpreter.sentences import Words, as_it_is
from biriba.model import expr as x
from biriba.model.definedness import always_defined
from biriba.model.position import Layout, Meld, Position
from biriba.model.pure import count_of
from biriba.model.ruleset import Ruleset

_COMPARE: dict[str, Callable[[Code, Code], Code]] = {
    "=": lambda a, b: lambda s, f: a(s, f) == b(s, f),
    "!=": lambda a, b: lambda s, f: a(s, f) != b(s, f),
    "<": lambda a, b: lambda s, f: a(s, f) < b(s, f),
    "<=": lambda a, b: lambda s, f: a(s, f) <= b(s, f),
    ">": lambda a, b: lambda s, f: a(s, f) > b(s, f),
    ">=": lambda a, b: lambda s, f: a(s, f) >= b(s, f),
}
_COMPARE_CONSTANT: dict[str, Callable[[Code, Any], Code]] = {
    "=": lambda a, b: lambda s, f: a(s, f) == b,
    "!=": lambda a, b: lambda s, f: a(s, f) != b,
    "<": lambda a, b: lambda s, f: a(s, f) < b,
    "<=": lambda a, b: lambda s, f: a(s, f) <= b,
    ">": lambda a, b: lambda s, f: a(s, f) > b,
    ">=": lambda a, b: lambda s, f: a(s, f) >= b,
}
_ARITH: dict[str, Callable[[Code, Code], Code]] = {
    "+": lambda a, b: lambda s, f: a(s, f) + b(s, f),
    "-": lambda a, b: lambda s, f: a(s, f) - b(s, f),
    "*": lambda a, b: lambda s, f: a(s, f) * b(s, f),
}


class Evaluator:
    """Compiles the expressions of one rule set.

    Attributes:
        rules: the rule set.
        layout: where its zones and state variables are kept.
        side_of: the side of each seat.
        melds: what its templates mean.
        words: the language in which it speaks.
    """

    rules: Ruleset
    layout: Layout
    side_of: tuple[int, ...]
    melds: Melds
    words: Words

    def __init__(self, rules: Ruleset, words: Words = as_it_is) -> None:
        self.rules, self.words = rules, words
        self.layout = Layout(rules)
        self.side_of = tuple(rules.table.side_of(seat) for seat in range(len(rules.table.seats)))
        self.start = Standing((0,) * len(rules.table.sides))
        self._slots = FREE
        self._definitions: dict[tuple[str, tuple[Local, ...]], Code] = {}
        self._own_slots: dict[tuple[str, str], int] = {}
        self._census: tuple[Position | None, dict[int, int]] = (None, {})
        self.melds = Melds(self)

    # ------------------------------------------------------------ frames

    def slot(self) -> int:
        """A new slot, for one variable of the rule set."""
        self._slots += 1
        return self._slots - 1

    def frame(self, me: int, standing: Standing | None = None, old: Position | None = None) -> Frame:
        """A frame in which a seat acts; `standing` defaults to that before the first deal of a match."""
        totals, deals = standing or self.start
        return [me, self.side_of[me], old, totals, deals, ()] + [None] * (self._slots - FREE)

    def widened(self, frame: Frame) -> Frame:
        """A copy of a frame, with room for variables that were met after it was made."""
        return frame + [None] * (self._slots - len(frame))

    # ------------------------------------------------------------ entry points

    def compile(self, node: x.Node, env: Env | None = None) -> Code:
        """The meaning of an expression, given where the variables it may name are kept."""
        method: Callable[[Any, Env], Code] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        assert method is not None, f"no meaning is given for expressions of kind {type(node).__name__}"
        return method(node, env or {})

    def constant(self, node: x.Node) -> Any:
        """The value of an expression that depends on nothing but parameters."""
        code = self.compile(node)
        assert isinstance(code, Constant), f"{node.span}: this is not constant"
        return code.value

    def meld(self, node: x.Node, env: Env) -> Code:
        """A meld-valued expression, as a `Meld` whether or not it is laid."""
        match node:
            case x.Var(name=name):
                slot, laid = env[name]
                return (lambda s, f: f[slot].meld) if laid else (lambda s, f: f[slot])
            case x.If():
                return choice(
                    self.compile(node.condition, env), self.meld(node.then, env), self.meld(node.otherwise, env)
                )
            case _:
                return self.compile(node, env)

    def zone(self, node: x.Node, env: Env) -> Code:
        """What lies in a zone: cards, or melds in a zone of melds."""
        return self.compile(node, env)

    def cards(self, node: x.Node, env: Env) -> Code:
        """The cards that lie in a zone, also those of melds."""
        zone = self.compile(node, env)
        if node.type.detail != "melds":
            return zone
        return lambda s, f: tuple(chain.from_iterable(meld.cards for meld in zone(s, f)))

    def census(self, situation: Position) -> dict[int, int]:
        """How many copies of each card lie anywhere."""
        known, counts = self._census
        if known is not situation:
            counts = {}
            for card in _all_cards(situation):
                counts[card] = counts.get(card, 0) + 1
            # A draft is still going to change, so only what was counted in a position is kept.
            if isinstance(situation, Position):
                self._census = (situation, counts)
        return counts

    # ------------------------------------------------------------ leaves

    def _const(self, node: x.Const, env: Env) -> Code:
        return Constant(node.value)

    def _param(self, node: x.Param, env: Env) -> Code:
        parameter = self.rules.parameters[node.name]
        if parameter.type.kind == "option":
            return Constant(parameter.options.index(str(parameter.value)))
        return Constant(parameter.value)

    def _var(self, node: x.Var, env: Env) -> Code:
        slot = env[node.name].slot
        return lambda s, f: f[slot]

    def _context(self, node: x.Context, env: Env) -> Code:
        match node.name:
            case "me":
                return lambda s, f: f[ME]
            case "mine":
                return lambda s, f: f[MINE]
            case "dealer":
                return lambda s, f: s.dealer
            case "deals":
                return lambda s, f: f[DEALS]
            case _:
                raise AssertionError(f"no such context: {node.name}")

    def _state(self, node: x.State, env: Env) -> Code:
        slot = self.slot_of(node, env)
        if isinstance(slot, Constant):
            fixed: int = slot.value
            return lambda s, f: s.states[fixed]
        return lambda s, f: s.states[slot(s, f)]

    def _zone(self, node: x.Zone, env: Env) -> Code:
        if node.index is None and self.rules.zones[node.name].owner is not None:
            slots = self.slots(node.name)
            return lambda s, f: tuple(chain.from_iterable(s.zones[i] for i in slots))
        slot = self.slot_of(node, env)
        if isinstance(slot, Constant):
            fixed: int = slot.value
            return lambda s, f: s.zones[fixed]
        return lambda s, f: s.zones[slot(s, f)]

    def slots(self, zone: str) -> range:
        """The slots of all zones of a name."""
        decl, base = self.rules.zones[zone], self.layout.zone_base[zone]
        return range(base, base + len(self.rules.owners(decl.owner, decl.low, decl.high)))

    def slot_of(self, node: x.Zone | x.State, env: Env) -> Code:
        """The slot of one zone or state variable."""
        if isinstance(node, x.Zone):
            decl = self.rules.zones[node.name]
            base = self.layout.zone_base[node.name] - (decl.low if decl.owner == "number" else 0)
        else:
            base = self.layout.state_base[node.name]
        match node.index:
            case None:
                return Constant(base)
            case x.Context(name="me"):
                return lambda s, f: base + f[ME]
            case x.Context(name="mine"):
                return lambda s, f: base + f[MINE]
        index = self.compile(node.index, env)
        if isinstance(index, Constant):
            return Constant(base + index.value)
        return lambda s, f: base + index(s, f)

    def _everywhere(self, node: x.Everywhere, env: Env) -> Code:
        return lambda s, f: tuple(_all_cards(s))

    # ------------------------------------------------------------ logic

    def _not(self, node: x.Not, env: Env) -> Code:
        return negation(self.compile(node.body, env))

    def _and(self, node: x.And, env: Env) -> Code:
        return self._conjunction(self._conjuncts(node, env))

    def _conjuncts(self, node: x.Node, env: Env) -> list[tuple[x.Node, Env]]:
        """The conditions that a condition is made of, `may` taken apart."""
        match node:
            case x.And(parts=parts):
                return [found for part in parts for found in self._conjuncts(part, env)]
            case x.May(action=action, args=args) if all(isinstance(arg, x.Var) for arg in args):
                params = self.rules.actions[action].params
                inner = {p.name: env[arg.name] for p, arg in zip(params, args, strict=True) if isinstance(arg, x.Var)}
                guards = self.rules.guards_of(action, "require")
                return [found for guard in guards for found in self._conjuncts(guard.body, inner)]
            case _:
                return [(node, env)]

    def _conjunction(self, parts: Sequence[tuple[x.Node, Env]]) -> Code:
        return conjunction([self.compile(node, env) for node, env in parts])

    def _or(self, node: x.Or, env: Env) -> Code:
        return disjunction([self.compile(part, env) for part in node.parts])

    def _implies(self, node: x.Implies, env: Env) -> Code:
        return disjunction([negation(self.compile(node.left, env)), self.compile(node.right, env)])

    def _if(self, node: x.If, env: Env) -> Code:
        return choice(
            self.compile(node.condition, env), self.compile(node.then, env), self.compile(node.otherwise, env)
        )

    def _compare(self, node: x.Compare, env: Env) -> Code:
        read = self.meld if node.left.type.kind == "meld" else self.compile
        left, right = read(node.left, env), read(node.right, env)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(_COMPARE[node.op](left, right)(None, []))
        if isinstance(right, Constant):
            return _COMPARE_CONSTANT[node.op](left, right.value)
        return _COMPARE[node.op](left, right)

    def _arith(self, node: x.Arith, env: Env) -> Code:
        left, right = self.compile(node.left, env), self.compile(node.right, env)
        code = _ARITH[node.op](left, right)
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(code(None, []))
        return code

    def _phaseis(self, node: x.PhaseIs, env: Env) -> Code:
        phase = node.phase
        return lambda s, f: s.phase == phase

    def _istemplate(self, node: x.IsTemplate, env: Env) -> Code:
        meld, template = self.meld(node.meld, env), node.template
        return lambda s, f: meld(s, f).template == template

    def _isempty(self, node: x.IsEmpty, env: Env) -> Code:
        zone = self.zone(node.zone, env)
        return lambda s, f: not zone(s, f)

    def _contains(self, node: x.Contains, env: Env) -> Code:
        card, cards = self.compile(node.card, env), self.cards(node.zone, env)
        return lambda s, f: card(s, f) in cards(s, f)

    def _old(self, node: x.Old, env: Env) -> Code:
        body = self.compile(node.body, env)
        return lambda s, f: body(f[OLD], f)

    def _table(self, node: x.Table, env: Env) -> Code:
        columns = [self.compile(column, env) for column in node.columns]
        rows = [
            (self.compile(condition, env), [self.compile(cell, env) for cell in row.cells])
            for condition, row in zip(node.conditions, node.rows, strict=True)
        ]

        def look_up(s: Any, f: Frame) -> Any:
            for condition, cells in rows:
                if condition(s, f):
                    return next((cell(s, f) for column, cell in zip(columns, cells, strict=True) if column(s, f)), 0)
            return 0

        return look_up

    # ------------------------------------------------------------ calls

    def _call(self, node: x.Call, env: Env) -> Code:
        return functions.BUILDERS[node.function](self, node, env)

    def _apply(self, node: x.Apply, env: Env) -> Code:
        definition = self.rules.definitions[node.definition]
        names = [name for name, _ in definition.params]
        places, store = self._pass(f"define {node.definition}", names, node.args, env)
        return store(self.definition(node.definition, places))

    def definition(self, name: str, places: tuple[Local, ...]) -> Code:
        """A definition's body with its parameters kept in given places; compiled once for each choice of them."""
        key = (name, places)
        if key not in self._definitions:
            definition = self.rules.definitions[name]
            env = {param: place for (param, _), place in zip(definition.params, places, strict=True)}
            read = self.meld if definition.body.type.kind == "meld" else self.compile
            self._definitions[key] = read(definition.body, env)
        return self._definitions[key]

    def _may(self, node: x.May, env: Env) -> Code:
        params = self.rules.actions[node.action].params
        places, store = self._pass(f"may {node.action}", [p.name for p in params], node.args, env)
        inner = {param.name: place for param, place in zip(params, places, strict=True)}
        guards = self.rules.guards_of(node.action, "require")
        return store(self._conjunction([part for guard in guards for part in self._conjuncts(guard.body, inner)]))

    def _pass(
        self, what: str, names: Sequence[str], args: Sequence[x.Node], env: Env
    ) -> tuple[tuple[Local, ...], Callable[[Code], Code]]:
        """How arguments reach parameters.

        A variable is passed by naming its place. Any other argument is computed and stored in the
        parameter's own slot; definitions are not recursive, so nobody else uses that at the time.
        """
        places: list[Local] = []
        stored: list[tuple[int, Code]] = []
        for name, arg in zip(names, args, strict=True):
            if isinstance(arg, x.Var):
                places.append(env[arg.name])
                continue
            slot = self._own_slots.get((what, name))
            if slot is None:
                slot = self._own_slots[what, name] = self.slot()
            places.append(Local(slot))
            stored.append((slot, self.meld(arg, env) if arg.type.kind == "meld" else self.compile(arg, env)))

        def store(body: Code) -> Code:
            if not stored or isinstance(body, Constant):
                return body

            def run(s: Any, f: Frame) -> Any:
                values = [code(s, f) for _, code in stored]
                for (slot, _), value in zip(stored, values, strict=True):
                    f[slot] = value
                return body(s, f)

            return run

        return tuple(places), store

    # ------------------------------------------------------------ quantifiers

    def bind(self, binder: x.Binder, env: Env) -> tuple[int, Code, Code, Env]:
        """A binder's slot, its domain, its condition, and the environment in which its variable is known."""
        slot = self.slot()
        inner = {**env, binder.var: Local(slot)}
        where = TRUE if binder.where is None else self.compile(binder.where, inner)
        return slot, self.domain(binder.domain, env), where, inner

    def domain(self, node: x.Node, env: Env) -> Code:
        """The values that a binder's variable takes, in order."""
        match node:
            case x.Every(type=type_):
                return Constant(range(count_of(self.rules, type_.kind)))
            case x.Range():
                return span(self.compile(node.low, env), self.compile(node.high, env))
            case x.CardsOf():
                return self.cards(node.zone, env)
            case x.MeldsOf():
                return self.zone(node.zone, env)
            case x.MeldsFrom():
                return self._melds_from(node, env)
            case x.SeatsOf():
                members, side = self.rules.table.members, self.compile(node.side, env)
                return lambda s, f: members[side(s, f)]
            case x.SeatsFrom():
                rounds, seat = self._rounds(), self.compile(node.seat, env)
                return lambda s, f: rounds[seat(s, f)]
            case x.Grown():
                meld, grown = self.meld(node.meld, env), self.melds.grown
                card, count = self.compile(node.card, env), self.compile(node.count, env)
                return lambda s, f: grown(meld(s, f), card(s, f), count(s, f))
            case _:
                raise AssertionError(f"no meaning is given for domains of kind {type(node).__name__}")

    def _melds_from(self, node: x.MeldsFrom, env: Env) -> Code:
        cards, among = self.cards(node.zone, env), self.melds.among
        if node.card is None:
            return lambda s, f: among(cards(s, f))
        card = self.compile(node.card, env)

        def melds(s: Any, f: Frame) -> list[Meld]:
            extra = card(s, f)
            return [meld for meld in among((*cards(s, f), extra)) if extra in meld.cards]

        return melds

    def _rounds(self) -> list[list[int]]:
        """For each seat all seats, in the direction of play, beginning with it."""
        n, direction = len(self.side_of), self.rules.table.direction
        return [[(first + direction * i) % n for i in range(n)] for first in range(n)]

    def _quantified(self, node: x.Quantified, env: Env) -> Code:
        if node.quantifier == "no":
            return negation(self._some(node.binders, node.body, env))
        return (self._some if node.quantifier == "some" else self._every)(node.binders, node.body, env)

    def _some(self, binders: tuple[x.Binder, ...], body: x.Node, env: Env) -> Code:
        slot, domain, where, inner = self.bind(binders[0], env)
        if binders[1:]:
            return exists(slot, domain, conjunction([where, self._some(binders[1:], body, inner)]))
        parts = self._conjuncts(body, inner)
        # What does not depend on the variable is asked once, before the loop.
        ahead = [not _mentions(part, place, slot) and always_defined(self.rules, part) for part, place in parts]
        first = self._conjunction([part for part, early in zip(parts, ahead, strict=True) if early])
        loop = self._conjunction([part for part, early in zip(parts, ahead, strict=True) if not early])
        return conjunction([first, exists(slot, domain, conjunction([where, loop]))])

    def _every(self, binders: tuple[x.Binder, ...], body: x.Node, env: Env) -> Code:
        slot, domain, where, inner = self.bind(binders[0], env)
        rest = self._every(binders[1:], body, inner) if binders[1:] else self.compile(body, inner)
        return for_all(slot, domain, disjunction([negation(where), rest]))

    def _fold(self, node: x.Fold, env: Env) -> Code:
        return self._folded(node.kind, node.binders, node.body, env)

    def _folded(self, kind: str, binders: tuple[x.Binder, ...], body: x.Node, env: Env) -> Code:
        slot, domain, where, inner = self.bind(binders[0], env)
        value = self._folded(kind, binders[1:], body, inner) if binders[1:] else self.compile(body, inner)
        if kind in ("sum", "count"):
            return total(slot, domain, where, value)
        return extreme(max if kind == "greatest" else min, slot, domain, where, value)


def _mentions(node: x.Node, env: Env, slot: int) -> bool:
    return any(isinstance(part, x.Var) and part.name in env and env[part.name].slot == slot for part in node.walk())


def _all_cards(situation: Any) -> list[int]:
    cards: list[int] = []
    for zone in situation.zones:
        for item in zone:
            if isinstance(item, Meld):
                cards.extend(item.cards)
            else:
                cards.append(item)
    return cards
