"""Expressions of a rule set as terms: the same walk as the interpreter's, over symbols.

Quantifiers over faces, seats, sides and numbers are unrolled. Over melds they are unrolled for the
melds in detail; what they say of a `Rest` becomes an unknown: a function of exactly those values
that the quantified expression depends on besides the meld. Equal questions about the same rest thus
get equal answers, and nothing else is assumed. `room` and `grown` are unknown functions of a meld
likewise, with the truth added where it is needed (`Unknowns`).
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
from biriba.verify.shapes import MeldShapes
from biriba.verify.symbols import (
    CardZone,
    MeldZone,
    Rest,
    SymLaid,
    SymMeld,
    SymPosition,
    SymZone,
    choose_zone,
    equal_melds,
    equal_zones,
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
    ite,
    known,
    lookup,
    multiply,
    not_,
    or_,
    smaller,
    subtract,
    total,
)
from biriba.verify.unknowns import Unknowns

Env = Mapping[str, Any]


class Unsupported(Exception):
    """The encoding has no terms for an expression; nothing is proved or refuted about it."""


@dataclass(frozen=True)
class Bound:
    """A variable whose value is one of the melds of a rest, or depends on one."""

    index: int


@dataclass(frozen=True)
class Scope:
    """Where an expression is evaluated: the position, who acts, the position before the step, variables."""

    position: SymPosition
    me: int
    old: SymPosition | None = None
    env: Env = field(default_factory=dict)
    totals: tuple[Term, ...] = ()
    deals: Term = 0

    def bind(self, **values: Any) -> Scope:
        return replace(self, env={**self.env, **values})


@dataclass(frozen=True)
class Union:
    """Several zones taken together."""

    parts: tuple[SymZone, ...]

    def count(self, face: int) -> Term:
        return total(_count(zone, face) for zone in self.parts)

    @property
    def size(self) -> Term:
        return total(zone.size for zone in self.parts)

    def empty(self) -> Term:
        return and_(zone.empty() for zone in self.parts)


@dataclass(frozen=True)
class RestQuestion:
    """What was asked of the melds of a rest, and the unknown answer.

    `of` gives the same question about one meld: whether it satisfies it, or what it adds to the sum.
    """

    rest: Rest
    kind: str
    answer: Term
    of: Callable[[SymMeld], Term]


class Encoder:
    """Makes terms of the expressions of one rule set.

    Attributes:
        unknowns: the unknown functions.
        instances: symbolic cards that `some card in ...` is also asked of. That changes no meaning,
            and it spares the solver the search for the face.
        questions: what has been asked of rests so far.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.layout = Layout(rules)
        self.shapes = MeldShapes(rules)
        self.faces = len(rules.cards.faces)
        self.phases = {phase: i for i, phase in enumerate((*rules.phases, OVER))}
        self.unknowns = Unknowns(rules)
        self.instances: list[Term] = []
        self.questions: list[RestQuestion] = []

    # ------------------------------------------------------------ entry points

    def value(self, node: x.Node, scope: Scope) -> Any:
        """The value of an expression: a term, a meld, a zone."""
        method: Callable[[Any, Scope], Any] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Unsupported(f"{node.span}: {type(node).__name__} has no encoding")
        return method(node, scope)

    def lawful(self, meld: SymMeld, scope: Scope) -> Term:
        """Whether a meld keeps every law."""
        return and_(term for _, term in self.laws(meld, scope))

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
        if isinstance(value, Bound):
            raise Unsupported(f"{node.span}: a meld that is not known one by one")
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
        zone = scope.position.zones[slots[0]]
        for i, slot in enumerate(slots):
            zone = choose_zone(equal(index, i), scope.position.zones[slot], zone)
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
        then, otherwise = self.value(node.then, scope), self.value(node.otherwise, scope)
        if not _is_term(then) or not _is_term(otherwise):
            raise Unsupported(f"{node.span}: a choice between melds or zones")
        return ite(condition, then, otherwise)

    def _compare(self, node: x.Compare, scope: Scope) -> Term:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        if _is_term(left) and _is_term(right):
            return compare(node.op, left, right)
        if isinstance(left, (SymMeld, SymLaid)) and isinstance(right, (SymMeld, SymLaid)):
            found = equal_melds(_meld(left), _meld(right))
        elif isinstance(left, (CardZone, MeldZone)) and isinstance(right, (CardZone, MeldZone)):
            found = equal_zones(left, right)
        else:
            raise Unsupported(f"{node.span}: a comparison of these")
        return found if node.op == "=" else not_(found)

    def _arith(self, node: x.Arith, scope: Scope) -> Term:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        return {"+": add, "-": subtract, "*": multiply}[node.op](left, right)

    def _phaseis(self, node: x.PhaseIs, scope: Scope) -> Term:
        return equal(scope.position.phase, self.phases[node.phase])

    def _istemplate(self, node: x.IsTemplate, scope: Scope) -> Term:
        return _meld(self.value(node.meld, scope)).template == node.template

    def _isempty(self, node: x.IsEmpty, scope: Scope) -> Term:
        return self.value(node.zone, scope).empty()

    def _contains(self, node: x.Contains, scope: Scope) -> Term:
        card, zone = self.value(node.card, scope), self.value(node.zone, scope)
        return self.contains(zone, card)

    def contains(self, zone: Any, card: Term) -> Term:
        """Whether a card lies in a zone."""
        if known(card):
            return _count(zone, card) > 0
        return or_(and_((equal(card, face), _count(zone, face) > 0)) for face in range(self.faces))

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

    def _call(self, node: x.Call, scope: Scope) -> Term:
        args = [self.value(arg, scope) for arg in node.args]
        first = args[0]
        table = self.rules.table
        match node.function:
            case "size":
                return _meld(first).size if isinstance(first, (SymMeld, SymLaid)) else first.size
            case "copies" if len(args) == 2:
                return self._copies(first, args[1])
            case "copies":
                return lookup([face.copies for face in self.rules.cards.faces], first, 0)
            case "value":
                return lookup([face.value for face in self.rules.cards.faces], first, 0)
            case "wild":
                return lookup([face.wild for face in self.rules.cards.faces], first, False)
            case "rank" | "suit" if isinstance(first, (SymMeld, SymLaid)):
                return _meld(first).key
            case "rank" | "suit":
                return lookup([_number(getattr(face, node.function)) for face in self.rules.cards.faces], first)
            case "rank_at":
                return lookup([NONE, *self.rules.cards.places], first)
            case "top":
                return cast(CardZone, first).top
            case "substitutes":
                return self.shapes.substitutes(_meld(first))
            case "naturals":
                return _meld(first).size - self.shapes.substitutes(_meld(first))
            case "low":
                return _meld(first).low
            case "high":
                return _meld(first).high
            case "lawful":
                return self.lawful(_meld(first), scope)
            case "room":
                return self.unknowns.room(_meld(first), args[1])
            case "owner":
                return cast(SymLaid, first).owner
            case "points":
                return self._points(first, scope)
            case "side":
                return lookup([table.side_of(seat) for seat in range(len(table.seats))], first)
            case "left" | "right" | "next":
                return lookup([getattr(table, node.function)(seat) for seat in range(len(table.seats))], first)
            case "total":
                return lookup(scope.totals, first, 0)
            case "min":
                return smaller(first, args[1])
            case "max":
                return greater(first, args[1])
        raise Unsupported(f"{node.span}: {node.function}() has no encoding")

    def _points(self, meld: SymMeld | SymLaid, scope: Scope) -> Term:
        """What a meld earns by the lines of the score sheet."""
        earned = []
        for line in self.rules.score:
            if line.type.kind == "meld" and line.type.detail in (None, _meld(meld).template):
                inner = replace(scope, env={line.var: meld})
                where = True if line.where is None else self.value(line.where, inner)
                earned.append(ite(where, self.value(line.body, inner), 0))
        return total(earned)

    def _copies(self, card: Term, zone: Any) -> Term:
        if isinstance(zone, (SymMeld, SymLaid)):
            return lookup(_meld(zone).counts, card, 0)
        if known(card):
            return _count(zone, card)
        return lookup([_count(zone, face) for face in range(self.faces)], card, 0)

    # ------------------------------------------------------------ quantifiers

    def choices(self, binder: x.Binder, scope: Scope) -> Iterator[tuple[Term, Term, Scope]]:
        """The values of a binder that can be told apart: whether each is there, how often, and its scope."""
        var, domain = binder.var, binder.domain
        match domain:
            case x.Every():
                for value in range(count_of(self.rules, binder.type.kind)):
                    yield True, 1, scope.bind(**{var: value})
            case x.Range():
                low, high = self.value(domain.low, scope), self.value(domain.high, scope)
                first = low if known(low) else domain.low.type.low
                last = high if known(high) else domain.high.type.high
                if first is None or last is None:
                    raise Unsupported(f"{domain.span}: a range without known bounds")
                for value in range(first, last + 1):
                    there = and_([True if known(low) else low <= value, True if known(high) else high >= value])
                    yield there, 1, scope.bind(**{var: value})
            case x.CardsOf():
                zone = self.value(domain.zone, scope)
                for face in range(self.faces):
                    count = _count(zone, face)
                    yield count > 0, count, scope.bind(**{var: face})
            case x.MeldsOf():
                for zone in _parts(self.value(domain.zone, scope)):
                    assert isinstance(zone, MeldZone), "melds lie in zones of melds"
                    for there, meld in zone.melds:
                        yield there, 1, scope.bind(**{var: meld})
            case x.SeatsOf():
                side = self.value(domain.side, scope)
                for seat in range(len(self.rules.table.seats)):
                    yield equal(side, self.rules.table.side_of(seat)), 1, scope.bind(**{var: seat})
            case x.SeatsFrom():
                first = self.value(domain.seat, scope)
                if not known(first):
                    raise Unsupported(f"{domain.span}: a round that begins with an unknown seat")
                seats = len(self.rules.table.seats)
                for i in range(seats):
                    yield True, 1, scope.bind(**{var: (first + self.rules.table.direction * i) % seats})
            case x.Grown():
                return
            case _:
                raise Unsupported(f"{domain.span}: {type(domain).__name__} has no encoding")

    def _quantified(self, node: x.Quantified, scope: Scope) -> Term:
        if node.quantifier == "every":
            return not_(self._some(node.binders, _negated(node.body), scope))
        found = self._some(node.binders, node.body, scope)
        return not_(found) if node.quantifier == "no" else found

    def _some(self, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Term:
        binder, further = binders[0], binders[1:]
        parts: list[Term] = []
        for there, _, inner in self.choices(binder, scope):
            where = there if binder.where is None else and_((there, self.value(binder.where, inner)))
            if known(where) and not where:
                continue
            term = and_((where, self._some(further, body, inner) if further else self.value(body, inner)))
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
            term = self._sum(further, body, inner) if further else self.value(body, inner)
            if not known(times):
                if not known(term):
                    raise Unsupported(f"{binder.domain.span}: a sum over cards of what is not known of a card")
                parts.append(ite(where, multiply(times, term), 0))
            else:
                parts.append(ite(and_((there, where)), term, 0))
        parts += self._unknown("sum", binders, body, scope)
        return total(parts)

    def _extreme(self, node: x.Fold, scope: Scope) -> Term:
        better = greater if node.kind == "greatest" else smaller
        result: Term = None
        for there, _, inner in self.choices(node.binders[0], scope):
            if len(node.binders) > 1 or node.binders[0].where is not None or not (known(there) and there):
                raise Unsupported(f"{node.span}: the {node.kind} of some, not all, values")
            value = self.value(node.body, inner)
            result = value if result is None else better(result, value)
        return result

    # ------------------------------------------------------------ what is said of melds not known one by one

    def _unknown(self, kind: str, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope) -> Iterator[Term]:
        """What a quantifier says of a rest, or of the melds that a meld becomes by growing."""
        domain = binders[0].domain
        sort = "bool" if kind == "some" else "int"
        if isinstance(domain, x.MeldsOf):
            for zone in _parts(self.value(domain.zone, scope)):
                if isinstance(zone, MeldZone) and zone.rest is not None:
                    args: list[Term] = []
                    outline = _Outline(self, scope, args)
                    key = outline.quantifier(kind, binders, body, skip_domain=True)
                    up = _counts_up(kind, body)
                    more = outline.counts if kind == "some" and _some_grown(binders, body) else ()
                    answer = self.unknowns.of_rest(zone.rest, key, tuple(args), sort, positive=up, monotone=tuple(more))
                    self.questions.append(
                        RestQuestion(zone.rest, kind, answer, partial(self._of_one, kind, binders, body, scope))
                    )
                    yield answer
        elif isinstance(domain, x.Grown):
            if kind != "some":
                raise Unsupported(f"{domain.span}: a sum over the melds that a meld becomes")
            meld = _meld(self.value(domain.meld, scope))
            card, count = self.value(domain.card, scope), self.value(domain.count, scope)
            args = []
            key = _Outline(self, scope, args).quantifier(kind, binders, body, skip_domain=True)
            holds = partial(self._of_one, kind, binders, body, scope)
            yield self.unknowns.grown(meld, key, card, count, tuple(args), holds)

    def _of_one(self, kind: str, binders: tuple[x.Binder, ...], body: x.Node, scope: Scope, meld: SymMeld) -> Term:
        """What a quantifier says of one meld of its first domain."""
        binder, further = binders[0], binders[1:]
        inner = scope.bind(**{binder.var: meld})
        where = True if binder.where is None else self.value(binder.where, inner)
        if kind == "some":
            return and_((where, self._some(further, body, inner) if further else self.value(body, inner)))
        return ite(where, self._sum(further, body, inner) if further else self.value(body, inner), 0)


class _Outline:
    """What an expression asks of melds that are not known, with everything else it depends on as arguments.

    Two questions with equal outlines and equal arguments are the same question.
    """

    def __init__(self, encoder: Encoder, scope: Scope, args: list[Term]) -> None:
        self.encoder, self.args, self.scope = encoder, args, scope
        self.bound = 0
        self.counts: list[int] = []

    def quantifier(
        self,
        kind: str,
        binders: tuple[x.Binder, ...],
        body: x.Node,
        env: Env | None = None,
        *,
        skip_domain: bool = False,
    ) -> object:
        inner = dict(self.scope.env if env is None else env)
        parts: list[object] = [kind]
        for i, binder in enumerate(binders):
            parts.append("melds" if skip_domain and i == 0 else self.of(binder.domain, inner))
            inner[binder.var] = self.fresh()
            parts.append(None if binder.where is None else self.of(binder.where, inner))
        parts.append(self.of(body, inner))
        return tuple(parts)

    def fresh(self) -> Bound:
        self.bound += 1
        return Bound(self.bound)

    def of(self, node: x.Node, env: Env) -> object:
        if not any(isinstance(env.get(n.name), Bound) for n in node.walk() if isinstance(n, x.Var)):
            return self.independent(node, env)
        match node:
            case x.Var(name=name):
                return env[name]
            case x.Apply(definition=name, args=args):
                definition = self.encoder.rules.definitions[name]
                return self.call([n for n, _ in definition.params], args, [definition.body], env)
            case x.May(action=name, args=args):
                guards = [guard.body for guard in self.encoder.rules.guards_of(name, "require")]
                return self.call([p.name for p in self.encoder.rules.actions[name].params], args, guards, env)
            case (
                x.Quantified(quantifier=kind, binders=binders, body=body)
                | x.Fold(kind=kind, binders=binders, body=body)
            ):
                return self.quantifier(kind, binders, body, env)
            case x.Grown():
                parts = [self.of(node.meld, env), self.of(node.card, env)]
                before = len(self.args)
                parts.append(self.of(node.count, env))
                if len(self.args) == before + 1:
                    self.counts.append(before)
                return ("Grown", *parts)
            case x.Call(function="points", args=args):
                # What the lines depend on besides the meld must be told too.
                lines = [line for line in self.encoder.rules.score if line.type.kind == "meld"]
                return ("points", *(self.call([n.var], args, [n.where or n.body, n.body], env) for n in lines))
            case x.Old():
                raise Unsupported(f"{node.span}: an earlier state of a meld that is not known")
            case _:
                names = [
                    v for k, v in sorted(_fields(node).items()) if not isinstance(v, (x.Node, tuple)) and k != "type"
                ]
                return (type(node).__name__, *map(str, names), *(self.of(child, env) for child in node.children()))

    def call(self, names: list[str], args: tuple[x.Node, ...], bodies: list[x.Node], env: Env) -> object:
        inner: dict[str, Any] = {}
        parts: list[object] = []
        for name, arg in zip(names, args, strict=True):
            if any(isinstance(env.get(n.name), Bound) for n in arg.walk() if isinstance(n, x.Var)):
                if isinstance(arg, x.Var):
                    inner[name] = env[arg.name]
                else:
                    parts.append(self.of(arg, env))
                    inner[name] = self.fresh()
            else:
                inner[name] = self.value(arg, env)
        return (*parts, *(self.of(body, inner) for body in bodies))

    def independent(self, node: x.Node, env: Env) -> object:
        if isinstance(node, (x.Every, x.Range, x.CardsOf, x.MeldsOf, x.SeatsOf, x.SeatsFrom, x.Grown)):
            return (type(node).__name__, str(node.type), *(self.independent(child, env) for child in node.children()))
        value = self.value(node, env)
        if known(value):
            return ("is", type(value).__name__, value)
        if _is_term(value):
            self.args.append(value)
            return "argument"
        self.encoder.unknowns.keep(value)
        return ("object", id(value))

    def value(self, node: x.Node, env: Env) -> Any:
        return self.encoder.value(
            node, replace(self.scope, env={k: v for k, v in env.items() if not isinstance(v, Bound)})
        )


# ---------------------------------------------------------------- small helpers


def _fields(node: x.Node) -> dict[str, object]:
    return {name: getattr(node, name) for name in node.__dataclass_fields__ if name != "span"}


def _is_term(value: object) -> bool:
    return not isinstance(value, (SymMeld, SymLaid, CardZone, MeldZone, Union, Rest))


def _meld(value: object) -> SymMeld:
    return value.meld if isinstance(value, SymLaid) else cast(SymMeld, value)


def _number(value: int | None) -> int:
    return NONE if value is None else value


def _parts(zone: object) -> tuple[SymZone, ...]:
    return zone.parts if isinstance(zone, Union) else (cast(SymZone, zone),)


def _count(zone: object, face: int) -> Term:
    return zone.counts[face] if isinstance(zone, CardZone) else cast(MeldZone, zone).count(face)


def _negated(node: x.Node) -> x.Node:
    return node.body if isinstance(node, x.Not) else x.Not(type=BOOL, body=node)


def _some_grown(binders: tuple[x.Binder, ...], body: x.Node) -> bool:
    """Whether a condition on melds is that they can grow so as to satisfy something: true of more for more copies."""
    plain = len(binders) == 1 and binders[0].where is None and isinstance(body, x.Quantified)
    return (
        plain
        and isinstance(body, x.Quantified)
        and body.quantifier == "some"
        and isinstance(body.binders[0].domain, x.Grown)
    )


def _counts_up(kind: str, body: x.Node) -> bool:
    """Whether a sum cannot be negative."""
    return kind == "sum" and body.type.low is not None and body.type.low >= 0
