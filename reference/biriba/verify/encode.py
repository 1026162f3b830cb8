"""Expressions of a rule set as terms: the same walk as the interpreter's, over symbols.

Quantifiers over faces, seats, sides and numbers are unrolled. Over melds they are unrolled for the
melds in detail; what they say of a `Rest` becomes an unknown: a function of exactly those values
that the quantified expression depends on besides the meld. Equal questions about the same rest thus
get equal answers, and nothing else is assumed. `room`, `grown` and the melds that can be made of cards
are unknowns likewise, with the truth added where it is needed (`Unknowns`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

from biriba.model import expr as x
from biriba.model.position import Layout
from biriba.model.pure import count_of
from biriba.model.ruleset import OVER, Ruleset
from biriba.model.types import BOOL
from biriba.verify.outline import Bound, Outline
from biriba.verify.shapes import MeldShapes
from biriba.verify.symbols import (
    CardZone,
    MeldZone,
    Rest,
    SymGrowth,
    SymLaid,
    SymMeld,
    SymPosition,
    equal_melds,
    melds_of,
    rests_of,
)
from biriba.verify.terms import (
    NONE,
    Term,
    add,
    and_,
    compare,
    equal,
    greater,
    implies,
    integer,
    ite,
    known,
    lookup,
    multiply,
    not_,
    or_,
    quotient,
    smaller,
    subtract,
    total,
)
from biriba.verify.unknowns import Unknowns
from biriba.verify.z3api import z3
from biriba.verify.zones import Place, Union, count_in, counts_in, either, equal_places, parts_of

Env = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Either:
    """One of two melds or growths, by a condition; what is asked of it is asked of both."""

    condition: Term
    then: Any
    otherwise: Any


@dataclass(frozen=True)
class Scope:
    """Where an expression is evaluated: the position, who acts, the position before the step, variables.

    Attributes:
        totals, deals: the points of the sides in the match, and the deals played.
        subtotals: the points of the sides by the lines of the score sheet so far.
    """

    position: SymPosition
    me: int
    old: SymPosition | None = None
    env: Env = field(default_factory=dict)
    totals: tuple[Term, ...] = ()
    subtotals: tuple[Term, ...] = ()
    deals: Term = 0

    def bind(self, **values: Any) -> Scope:
        return replace(self, env={**self.env, **values})


@dataclass(frozen=True)
class RestQuestion:
    """What was asked of the melds of a rest, and the unknown answer.

    `of` gives the same question about one meld: whether it satisfies it, or what it adds to the sum.
    `counts` says whether the answer matters where it was asked: that the quantifiers around it come to it.
    """

    rest: Rest
    kind: str
    answer: Term
    of: Callable[[SymMeld], Term]
    counts: Term = True


class Encoder:
    """Makes terms of the expressions of one rule set.

    Attributes:
        unknowns: the unknown functions.
        instances: symbolic cards that `some card in ...` is also asked of. That changes no meaning,
            and it spares the solver the search for the face.
        questions: what has been asked of rests so far.
        salt: tells what is asked of melds by one rule set from what is by another with other melds.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.layout = Layout(rules)
        self.shapes = MeldShapes(rules)
        self.faces = len(rules.cards.faces)
        self.phases = {phase: i for i, phase in enumerate((*rules.phases, OVER))}
        self.unknowns = Unknowns(rules)
        self.instances: list[Term] = []
        self._numbers = 0
        self._around: list[Term] = []
        self.questions: list[RestQuestion] = []
        self.salt = ""

    # ------------------------------------------------------------ entry points

    def value(self, node: x.Node, scope: Scope) -> Any:
        """The value of an expression: a term, a meld, a zone."""
        method: Callable[[Any, Scope], Any] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        assert method is not None, f"{node.span}: no terms are given for expressions of kind {type(node).__name__}"
        return method(node, scope)

    def lawful(self, meld: SymMeld, scope: Scope) -> Term:
        """Whether a meld keeps every law."""
        return and_(term for _, term in self.laws(meld, scope))

    def lawful_anywhere(self, meld: SymMeld) -> Term:
        """Whether a meld keeps every law. Laws look at melds alone, so that no position is needed for them."""
        return self.lawful(meld, Scope(SymPosition(0, 0, 0, (), ()), 0))

    def laws(self, meld: SymMeld, scope: Scope) -> Iterator[tuple[str, Term]]:
        """The laws about melds of this template, each with its clause."""
        for law in self.rules.laws:
            if law.template in (None, meld.template):
                key = ("law", law.clause, law.body)
                if key not in meld.memo:
                    meld.memo[key] = self.value(law.body, replace(scope, env={law.var: meld}))
                yield law.clause, meld.memo[key]

    # ------------------------------------------------------------ leaves

    def _const(self, node: x.Const, scope: Scope) -> Any:
        return NONE if node.value is None else node.value

    def _param(self, node: x.Param, scope: Scope) -> Any:
        parameter = self.rules.parameters[node.name]
        if isinstance(parameter.value, str):
            return parameter.options.index(parameter.value)
        return parameter.value

    def _var(self, node: x.Var, scope: Scope) -> Any:
        value = scope.env[node.name]
        assert not isinstance(value, Bound), "what is asked of a meld that is not known is only outlined"
        return value

    def _context(self, node: x.Context, scope: Scope) -> Any:
        match node.name:
            case "me":
                return scope.me
            case "mine":
                return self.rules.table.side_of(scope.me)
            case "dealer":
                return scope.position.dealer
            case _:
                return scope.deals

    def _state(self, node: x.State, scope: Scope) -> Any:
        base = self.layout.state_base[node.name]
        if node.index is None:
            return scope.position.states[base]
        owners = len(self.rules.owners(self.rules.states[node.name].owner))
        values = scope.position.states[base : base + owners]
        index = self.value(node.index, scope)
        return lookup(values, index, values[0])

    def _zone(self, node: x.Zone, scope: Scope) -> Any:
        slots = self.slots(node.name)
        if node.index is None:
            zones = scope.position.zones[slots.start : slots.stop]
            return zones[0] if self.rules.zones[node.name].owner is None else Union(zones)
        index = subtract(self.value(node.index, scope), self.rules.zones[node.name].low)
        if known(index):
            return scope.position.zones[slots[index]]
        zone: Place = scope.position.zones[slots[0]]
        for i, slot in enumerate(slots[1:], 1):
            zone = either(equal(index, i), scope.position.zones[slot], zone)
        return zone

    def slots(self, zone: str) -> range:
        """The slots of all zones of a name."""
        decl, base = self.rules.zones[zone], self.layout.zone_base[zone]
        return range(base, base + len(self.rules.owners(decl.owner, decl.low, decl.high)))

    def _everywhere(self, node: x.Everywhere, scope: Scope) -> Any:
        return Union(scope.position.zones)

    # ------------------------------------------------------------ logic and numbers

    def _not(self, node: x.Not, scope: Scope) -> Term:
        return not_(self.value(node.body, scope))

    def _and(self, node: x.And, scope: Scope) -> Term:
        return self._connect(node.parts, scope, stop=False)

    def _or(self, node: x.Or, scope: Scope) -> Term:
        return self._connect(node.parts, scope, stop=True)

    def _connect(self, parts: tuple[x.Node, ...], scope: Scope, *, stop: bool) -> Term:
        """All parts joined, as far as they count: none after one that settles the matter."""
        terms: list[Term] = []
        for part in parts:
            term = self.value(part, scope)
            if known(term) and bool(term) == stop:
                return stop
            terms.append(term)
        return or_(terms) if stop else and_(terms)

    def _implies(self, node: x.Implies, scope: Scope) -> Term:
        left = self.value(node.left, scope)
        return True if known(left) and not left else implies(left, self.value(node.right, scope))

    def _if(self, node: x.If, scope: Scope) -> Any:
        condition = self.value(node.condition, scope)
        if known(condition):
            return self.value(node.then if condition else node.otherwise, scope)
        return _one_of_two(condition, self.value(node.then, scope), self.value(node.otherwise, scope))

    def _compare(self, node: x.Compare, scope: Scope) -> Term:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if is_term(left) and is_term(right):
            return compare(node.op, left, right)
        if node.left.type.kind == "zone":
            found = self.unknowns.within(*equal_places(left, right), (id(left), id(right)))
            self.unknowns.keep((left, right))
        else:
            found = _of(left, lambda a: _of(right, lambda b: equal_melds(_meld(a), _meld(b))))
        return found if node.op == "=" else not_(found)

    def _arith(self, node: x.Arith, scope: Scope) -> Term:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        return {"+": add, "-": subtract, "*": multiply}[node.op](left, right)

    def _phaseis(self, node: x.PhaseIs, scope: Scope) -> Term:
        return equal(scope.position.phase, self.phases[node.phase])

    def _istemplate(self, node: x.IsTemplate, scope: Scope) -> Term:
        return _of(self.value(node.meld, scope), lambda m: _meld(m).template == node.template)

    def _isempty(self, node: x.IsEmpty, scope: Scope) -> Term:
        return self.value(node.zone, scope).empty()

    def _contains(self, node: x.Contains, scope: Scope) -> Term:
        card, zone = self.value(node.card, scope), self.value(node.zone, scope)
        return self.contains(zone, card)

    def contains(self, zone: Any, card: Term) -> Term:
        """Whether a card lies in a zone."""
        if known(card):
            return count_in(zone, card) > 0
        return or_(and_((equal(card, face), count_in(zone, face) > 0)) for face in range(self.faces))

    def _old(self, node: x.Old, scope: Scope) -> Any:
        assert scope.old is not None, "the checker allows old() only where there is an old position"
        return self.value(node.body, replace(scope, position=scope.old))

    def _table(self, node: x.Table, scope: Scope) -> Term:
        columns = [self.value(column, scope) for column in node.columns]
        result: Term = 0
        for condition, row in reversed(list(zip(node.conditions, node.rows, strict=True))):
            line: Term = 0
            for column, cell in reversed(list(zip(columns, row.cells, strict=True))):
                line = ite(column, self.value(cell, scope), line)
            result = ite(self.value(condition, scope), line, result)
        return result

    # ------------------------------------------------------------ calls

    def _apply(self, node: x.Apply, scope: Scope) -> Any:
        definition = self.rules.definitions[node.definition]
        values = [self.value(arg, scope) for arg in node.args]
        env = {name: value for (name, _), value in zip(definition.params, values, strict=True)}
        return self.value(definition.body, replace(scope, env=env))

    def _may(self, node: x.May, scope: Scope) -> Term:
        values = [self.value(arg, scope) for arg in node.args]
        env = {param.name: v for param, v in zip(self.rules.actions[node.action].params, values, strict=True)}
        guards = self.rules.guards_of(node.action, "require")
        return self._connect(tuple(guard.body for guard in guards), replace(scope, env=env), stop=False)

    def _call(self, node: x.Call, scope: Scope) -> Any:
        args = [self.value(arg, scope) for arg in node.args]
        kind = node.args[0].type.kind
        if kind == "growth":
            return _of(args[0], lambda growth: growth.result)
        if kind == "meld":
            return _of(args[0], lambda meld: self._of_meld(node.function, meld, args[1:], scope))
        if kind == "zone":
            return self._of_zone(node.function, *args)
        return self._of_value(node, args, scope)

    def _of_meld(self, function: str, laid: SymMeld | SymLaid, more: list[Term], scope: Scope) -> Term:
        meld = _meld(laid)
        match function:
            case "size":
                return meld.size
            case "rank" | "suit":
                return meld.key
            case "substitutes":
                return self.shapes.substitutes(meld)
            case "naturals":
                return meld.size - self.shapes.substitutes(meld)
            case "low":
                return meld.low
            case "high":
                return meld.high
            case "lawful":
                return self.lawful(meld, scope)
            case "room":
                return self.unknowns.room(meld, more[0])
            case "owner":
                return cast(SymLaid, laid).owner
            case "points":
                return self._points(laid, scope)
        raise AssertionError(f"no terms are given for {function}() of a meld")

    def _of_zone(self, function: str, zone: Any, *more: Term) -> Term:
        match function:
            case "deadwood":
                return self.unknowns.deadwood(counts_in(zone, self.faces), more[0] if more else 0)
            case "size":
                return zone.size
            case "top":
                return cast(CardZone, zone).top
        raise AssertionError(f"no terms are given for {function}() of a zone")

    def _of_value(self, node: x.Call, args: list[Any], scope: Scope) -> Term:
        first, faces, table = args[0], self.rules.cards.faces, self.rules.table
        match node.function:
            case "copies" if len(args) == 2 and node.args[1].type.kind == "meld":
                return _of(args[1], lambda meld: lookup(_meld(meld).counts, first, 0))
            case "copies" if len(args) == 2:
                return lookup([count_in(args[1], face) for face in range(self.faces)], first, 0)
            case "copies":
                return lookup([face.copies for face in faces], first, 0)
            case "value":
                return lookup([face.value for face in faces], first, 0)
            case "wild":
                return lookup([face.wild for face in faces], first, False)
            case "rank" | "suit":
                return lookup([_number(getattr(face, node.function)) for face in faces], first)
            case "rank_at":
                return lookup([NONE, *self.rules.cards.places], first)
            case "side":
                return lookup([table.side_of(seat) for seat in range(len(table.seats))], first)
            case "left" | "right" | "next":
                return lookup([getattr(table, node.function)(seat) for seat in range(len(table.seats))], first)
            case "total":
                return lookup(scope.totals, first, 0)
            case "subtotal":
                return lookup(scope.subtotals, first, 0)
            case "quotient":
                divisor = node.args[1].type
                return quotient(first, args[1], divisor.low, divisor.high)
            case "min":
                return smaller(first, args[1])
            case "max":
                return greater(first, args[1])
        raise AssertionError(f"no terms are given for {node.function}()")

    def _points(self, meld: SymMeld | SymLaid, scope: Scope) -> Term:
        """What a meld earns by the lines of the score sheet."""
        earned = []
        for line in self.rules.score:
            if line.type.kind == "meld" and line.type.detail in (None, _meld(meld).template):
                inner = replace(scope, env={line.var: meld})
                where = True if line.where is None else self.value(line.where, inner)
                earned.append(ite(where, self.value(line.body, inner), 0))
        return total(earned)

    # ------------------------------------------------------------ quantifiers

    def choices(self, binder: x.Binder, scope: Scope) -> Iterator[tuple[Term, Term, Scope]]:
        """The values of a binder that can be told apart: whether each is there, how often, and its scope."""
        var, domain = binder.var, binder.domain
        match domain:
            case x.Every():
                for value in range(count_of(self.rules, binder.type.kind)):
                    yield True, 1, scope.bind(**{var: value})
            case x.Range():
                low, high, first, last = self._range(domain, scope)
                for value in range(first, last + 1) if first is not None and last is not None else ():
                    there = and_([True if known(low) else low <= value, True if known(high) else high >= value])
                    yield there, 1, scope.bind(**{var: value})
            case x.CardsOf():
                zone = self.value(domain.zone, scope)
                for face in range(self.faces):
                    count = count_in(zone, face)
                    yield count > 0, count, scope.bind(**{var: face})
            case x.MeldsOf():
                for zone in parts_of(self.value(domain.zone, scope)):
                    for there, meld in melds_of(zone):
                        yield there, 1, scope.bind(**{var: meld})
            case x.SeatsOf():
                side = self.value(domain.side, scope)
                for i, members in enumerate(self.rules.table.members):
                    for seat in members:
                        yield equal(side, i), 1, scope.bind(**{var: seat})
            case x.SeatsFrom():
                # In what order they come matters to effects only, which see to it that the first is known.
                first, seats = self.value(domain.seat, scope), len(self.rules.table.seats)
                for i in range(seats):
                    seat = ((first if known(first) else 0) + self.rules.table.direction * i) % seats
                    yield True, 1, scope.bind(**{var: seat})

    def _range(self, domain: x.Range, scope: Scope) -> tuple[Term, Term, int | None, int | None]:
        """The ends of a range, and the numbers between which they surely are, if there are any."""
        low, high = self.value(domain.low, scope), self.value(domain.high, scope)
        return (
            low,
            high,
            low if known(low) else domain.low.type.low,
            high if known(high) else domain.high.type.high,
        )

    def unbounded(self, domain: x.Node, scope: Scope) -> bool:
        """Whether a domain is a range of which it is not known where it begins or ends."""
        return isinstance(domain, x.Range) and None in self._range(domain, scope)[2:]

    def _quantified(self, node: x.Quantified, scope: Scope) -> Term:
        if node.quantifier == "every":
            return not_(self._some(node.binders, _negated(node.body), scope))
        found = self._some(node.binders, node.body, scope)
        return not_(found) if node.quantifier == "no" else found

    def _some(self, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Term:
        binder, further = binders[0], binders[1:]
        parts: list[Term] = []
        if self.unbounded(binder.domain, scope):
            return self._some_number(binder, further, body, scope)
        for there, _, inner in self.choices(binder, scope):
            where = there if binder.where is None else and_((there, self.value(binder.where, inner)))
            if known(where) and not where:
                continue
            self._around.append(where)
            term = and_((where, self._some(further, body, inner) if further else self.value(body, inner)))
            self._around.pop()
            if known(term) and term:
                return True
            parts.append(term)
        if isinstance(binder.domain, x.CardsOf):
            for card in self.instances:
                inner = scope.bind(**{binder.var: card})
                where = True if binder.where is None else self.value(binder.where, inner)
                there = self.contains(self.value(binder.domain.zone, scope), card)
                body_term = self._some(further, body, inner) if further else self.value(body, inner)
                parts.append(and_((there, where, body_term)))
        parts += self._unknown("some", binders, body, scope)
        return or_(parts)

    def _some_number(self, binder: x.Binder, further: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Term:
        assert isinstance(binder.domain, x.Range), "only numbers have no bounds"
        self._numbers += 1
        value = integer(f"{binder.var}!{self._numbers}")
        low, high, _, _ = self._range(binder.domain, scope)
        inner = scope.bind(**{binder.var: value})
        where = True if binder.where is None else self.value(binder.where, inner)
        holds = self._some(further, body, inner) if further else self.value(body, inner)
        found = and_((low <= value, value <= high, where, holds))
        return found if known(found) else z3.Exists([value], found)

    def _fold(self, node: x.Fold, scope: Scope) -> Term:
        if node.kind in ("sum", "count"):
            return self._sum(node.binders, node.body, scope)
        return self._extreme(node, scope)

    def _sum(self, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Term:
        binder, further = binders[0], binders[1:]
        parts: list[Term] = []
        for there, times, inner in self.choices(binder, scope):
            where = True if binder.where is None else self.value(binder.where, inner)
            if known(where) and not where:
                continue
            self._around.append(and_((there, where)))
            term = self._sum(further, body, inner) if further else self.value(body, inner)
            self._around.pop()
            if isinstance(binder.domain, x.CardsOf):
                parts.append(ite(where, multiply(times, term), 0))
            else:
                parts.append(ite(and_((there, where)), term, 0))
        parts += self._unknown("sum", binders, body, scope)
        return total(parts)

    def _extreme(self, node: x.Fold, scope: Scope) -> Term:
        """The greatest or smallest value. The checker allows only domains that are never empty."""
        better = greater if node.kind == "greatest" else smaller
        met: Term = False
        best: Term = 0
        for there, value in self._values(node.binders, node.body, scope):
            best = ite(there, ite(met, better(best, value), value), best)
            met = or_((met, there))
        return best

    def _values(self, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Iterator[tuple[Term, Term]]:
        if not binders:
            yield True, self.value(body, scope)
            return
        for there, _, inner in self.choices(binders[0], scope):
            for also, value in self._values(binders[1:], body, inner):
                yield and_((there, also)), value

    # ------------------------------------------------------------ what is said of melds not known one by one

    def _unknown(self, kind: str, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Iterator[Term]:
        """What a quantifier says of melds that are not told one by one: of a rest, grown ones, those to be made."""
        domain = binders[0].domain
        sort = "bool" if kind == "some" else "int"
        args: list[Term] = []
        up = _counts_up(kind, body)

        def key() -> object:
            return Outline(self, scope, args).quantifier(kind, binders, body, skip_domain=True)

        of_one = partial(self._of_one, kind, binders, body, scope)
        match domain:
            case x.MeldsOf():
                for zone in parts_of(self.value(domain.zone, scope)):
                    for there, rest in rests_of(zone):
                        args = []
                        outline = Outline(self, scope, args)
                        asked = outline.quantifier(kind, binders, body, skip_domain=True)
                        more = outline.growing if kind == "some" and _some_grown(binders, body) else None
                        answer = self.unknowns.of_rest(rest, asked, tuple(args), sort, positive=up, monotone=more)
                        around = and_((*self._around, there))
                        self.questions.append(RestQuestion(rest, kind, answer, of_one, around))
                        yield and_((there, answer)) if kind == "some" else ite(there, answer, 0)
            case x.Grown():
                card, count, asked = self.value(domain.card, scope), self.value(domain.count, scope), key()
                yield _of(
                    self.value(domain.meld, scope),
                    lambda m: self.unknowns.grown(_meld(m), asked, card, count, tuple(args), of_one, kind, positive=up),
                )
            case x.MeldsFrom():
                cards = counts_in(self.value(domain.zone, scope), self.faces)
                extra = None if domain.card is None else self.value(domain.card, scope)
                yield self.unknowns.made(cards, key(), kind, extra, tuple(args), of_one, positive=up)
            case x.Range() if kind == "sum" and self.unbounded(domain, scope):
                low, high, _, _ = self._range(domain, scope)
                yield self.unknowns.of_numbers(key(), (low, high, *args), positive=up)

    def _of_one(self, kind: str, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope, meld: SymMeld) -> Term:
        """What a quantifier says of one meld of its first domain."""
        binder, further = binders[0], binders[1:]
        inner = scope.bind(**{binder.var: meld})
        where = True if binder.where is None else self.value(binder.where, inner)
        if kind == "some":
            return and_((where, self._some(further, body, inner) if further else self.value(body, inner)))
        return ite(where, self._sum(further, body, inner) if further else self.value(body, inner), 0)


# ---------------------------------------------------------------- small helpers


def is_term(value: object) -> bool:
    """Whether a value is a number or truth value, rather than a meld, a growth or a zone."""
    return not isinstance(value, (SymMeld, SymLaid, SymGrowth, Either, CardZone, MeldZone, Union, Rest))


def _one_of_two(condition: Term, then: Any, otherwise: Any) -> Any:
    if is_term(then) and is_term(otherwise):
        return ite(condition, then, otherwise)
    if isinstance(then, (CardZone, MeldZone, Union)):
        return either(condition, then, otherwise)
    return Either(condition, then, otherwise)


def _of(value: Any, function: Callable[[Any], Any]) -> Any:
    """What a function says of a meld or growth, of each if it is one of two."""
    if isinstance(value, Either):
        return _one_of_two(value.condition, _of(value.then, function), _of(value.otherwise, function))
    return function(value)


def _meld(value: object) -> SymMeld:
    return value.meld if isinstance(value, SymLaid) else cast(SymMeld, value)


def _number(value: int | None) -> int:
    return NONE if value is None else value


def _negated(node: x.Node) -> x.Node:
    return node.body if isinstance(node, x.Not) else x.Not(type=BOOL, body=node)


def _some_grown(binders: tuple[x.Binder, ...], body: x.Node) -> bool:
    """Whether a condition on melds is that they can grow so as to satisfy something: true of more for more copies."""
    return (
        len(binders) == 1
        and isinstance(body, x.Quantified)
        and body.quantifier == "some"
        and isinstance(body.binders[0].domain, x.Grown)
    )


def _counts_up(kind: str, body: x.Node) -> bool:
    """Whether a sum cannot be negative."""
    return kind == "sum" and body.type.low is not None and body.type.low >= 0
