"""From expressions of the rules to expressions of Python, quantifiers and definitions as functions.

What follows from the parameters is worked out while generating, so the source holds only what can differ
from one position to the next. A variable that holds a laid meld has beside it the owner (`m_owner`), one
that holds a growth the meld it leads to (`g_result`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from biriba.engine.errors import EngineError
from biriba.engine.layout import FlatLayout, Names, Place
from biriba.engine.writer import Body, hoisted
from biriba.model import expr as x
from biriba.model.definedness import always_defined
from biriba.model.pure import count_of, evaluate
from biriba.model.ruleset import Ruleset
from biriba.model.types import Type

Env = Mapping[str, str]
"""The identifier of each variable that an expression may name."""

UNKNOWN: Any = object()
"""What is not known while generating."""

MOST_INLINE = 12
"""The most nodes of an expression that is written where it is used rather than called."""

_PURE = frozenset(
    ("copies", "value", "wild", "suit", "rank", "rank_at", "side", "left", "right", "next", "quotient", "min", "max")
)
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


class Expressions:
    """Generates the expressions of one rule set.

    Attributes:
        functions: the functions written so far, each as its lines, in an order in which they can be read.
        by_shape: whether the laws look at the heads of melds only.
        asks_for_deadwood: whether an expression written so far does.
    """

    def __init__(self, rules: Ruleset, layout: FlatLayout, names: Names) -> None:
        self.rules, self.layout, self.names = rules, layout, names
        self.functions: list[str] = []
        self.clause = "rules"
        self._bodies: list[Body] = []
        self._defined: dict[str, tuple[str, list[str]]] = {}
        self._mays: dict[str, tuple[str, list[str]]] = {}
        self.by_shape = True
        self.asks_for_deadwood = False
        self._count = 0

    # ------------------------------------------------------------ functions and names

    @property
    def body(self) -> Body:
        """The function that is being written."""
        return self._bodies[-1]

    def use(self, identifier: str) -> str:
        """An identifier, noted as one that the function needs."""
        self.body.used.setdefault(identifier)
        return identifier

    def bind(self, name: str, env: Env) -> str:
        """A new identifier for a variable, not one that is in use already."""
        taken = {*env.values(), *(i for body in self._bodies for i in body.bound)}
        identifier = name if name.isidentifier() else "v"
        if identifier in {*self.names.all, "S", "L", "P", "D", "me", "mine", "n", "at", "bit"}:
            identifier += "_"
        while identifier in taken:
            identifier += "_"
        self.body.bound.add(identifier)
        return identifier

    def fresh(self, name: str) -> str:
        """A new local identifier of the source itself."""
        self._count += 1
        identifier = f"{name}{self._count}"
        self.body.bound.add(identifier)
        return identifier

    @contextmanager
    def function(self, bound: Sequence[str] = ()) -> Iterator[Body]:
        """Write another function; what it needs from outside is needed by the one around it, too."""
        body = Body(bound=set(bound))
        self._bodies.append(body)
        yield body
        self._bodies.pop()
        if self._bodies:
            for name in body.free:
                self.body.used.setdefault(name)

    def add(self, name: str, params: Sequence[str], body: Body, text: str, decorator: str = "compiled") -> None:
        """Put a written function into the source."""
        lines = hoisted(body.lines, params, self.names.all | body.bound)
        lines = [f"@{decorator}", f"def {name}({', '.join(params)}):", f'    """{text}"""', *lines]
        self.functions.append("\n".join(lines))

    def helper(self, text: str, env: Env, write: Callable[[Env], None]) -> str:
        """A function of its own for a part of an expression; returns the call."""
        with self.function() as body:
            write(env)
        name = self.names.take(f"{self._stem()}_part")
        self.add(name, body.free, body, text)
        return f"{name}({', '.join(body.free)})"

    def _stem(self) -> str:
        return self.clause.replace(".", "_")

    # ------------------------------------------------------------ what is known already

    def known(self, node: x.Node) -> Any:
        """The value of an expression if it follows from the parameters, else `UNKNOWN`."""
        match node:
            case x.Const(value=value):
                return value
            case x.Param():
                return evaluate(self.rules, node)
            case x.Not(body=body):
                value = self.known(body)
                return value if value is UNKNOWN else not value
            case x.And(parts=parts):
                values = [self.known(part) for part in parts]
                if any(value is not UNKNOWN and not value for value in values):
                    return False
                return UNKNOWN if any(value is UNKNOWN for value in values) else True
            case x.Or(parts=parts):
                values = [self.known(part) for part in parts]
                if any(value is not UNKNOWN and value for value in values):
                    return True
                return UNKNOWN if any(value is UNKNOWN for value in values) else False
            case x.Implies(left=left, right=right):
                return self.known(x.Or(type=node.type, parts=(x.Not(type=node.type, body=left), right)))
            case x.If(condition=condition, then=then, otherwise=otherwise):
                value = self.known(condition)
                return UNKNOWN if value is UNKNOWN else self.known(then if value else otherwise)
            case x.Compare(left=left, right=right) | x.Arith(left=left, right=right):
                if self.known(left) is UNKNOWN or self.known(right) is UNKNOWN:
                    return UNKNOWN
                return evaluate(self.rules, self._settled(node))
            case x.Call(function=function, args=args) if function in _PURE and args and args[0].type.kind != "meld":
                if any(self.known(arg) is UNKNOWN for arg in args):
                    return UNKNOWN
                return evaluate(self.rules, self._settled(node))
            case x.Apply(definition=name):
                return self.known(self.rules.definitions[name].body)
            case x.IsTemplate(meld=meld, template=template):
                return meld.type.detail == template if meld.type.detail is not None else UNKNOWN
        return UNKNOWN

    def _settled(self, node: x.Node) -> x.Node:
        """A comparison, sum or call with its parts replaced by their values."""

        def const(part: x.Node) -> x.Const:
            return x.Const(type=part.type, value=self.known(part))

        match node:
            case x.Compare(op=op, left=left, right=right):
                return x.Compare(type=node.type, op=op, left=const(left), right=const(right))
            case x.Arith(op=op, left=left, right=right):
                return x.Arith(type=node.type, op=op, left=const(left), right=const(right))
            case x.Call(function=function, args=args):
                return x.Call(type=node.type, function=function, args=tuple(map(const, args)))
        raise AssertionError(node)

    # ------------------------------------------------------------ expressions

    def text(self, node: x.Node, env: Env) -> str:
        """An expression as an expression of Python."""
        value = self.known(node)
        if value is not UNKNOWN:
            return (
                "NONE" if value is None else f"({value})" if not isinstance(value, bool) and value < 0 else str(value)
            )
        method: Callable[[Any, Env], str] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise EngineError(f"{node.span}: the engine cannot work out a {type(node).__name__.lower()} here")
        return method(node, env)

    def _var(self, node: x.Var, env: Env) -> str:
        return self.use(env[node.name])

    def _context(self, node: x.Context, env: Env) -> str:
        if node.name in ("me", "mine"):
            return self.use(node.name)
        self.use("S")
        return f"S[{self.layout.dealer if node.name == 'dealer' else self.layout.deals}]"

    def _state(self, node: x.State, env: Env) -> str:
        cell = self.cell(node, env)
        return f"({cell} != 0)" if self.rules.states[node.name].type.kind == "bool" else cell

    def cell(self, node: x.State, env: Env) -> str:
        """The cell of a state variable."""
        self.use("S")
        return f"S[{self.indexed(self.layout.states[node.name], node.index, env)}]"

    def _not(self, node: x.Not, env: Env) -> str:
        match node.body:
            case x.Compare(op=op, left=left, right=right) if op in ("=", "!=") or left.type.kind == "int":
                return self._compare(x.Compare(type=node.type, op=_OPPOSITE[op], left=left, right=right), env)
            case x.IsEmpty(zone=zone) if len(self.addresses(zone, env)) == 1:
                return f"(S[{self.addresses(zone, env)[0][1]}] != 0)"
        return f"(not {self.text(node.body, env)})"

    def conjuncts(self, node: x.Node, env: Env) -> list[tuple[x.Node, Env]]:
        """The conditions that a condition is made of and that are not known to hold, `may` taken apart."""
        match node:
            case x.And(parts=parts):
                return [found for part in parts for found in self.conjuncts(part, env)]
            case x.May(action=action, args=args) if all(isinstance(arg, x.Var) for arg in args):
                params = self.rules.actions[action].params
                inner = {p.name: env[arg.name] for p, arg in zip(params, args, strict=True) if isinstance(arg, x.Var)}
                guards = self.rules.guards_of(action, "require")
                return [found for guard in guards for found in self.conjuncts(guard.body, inner)]
        value = self.known(node)
        return [] if value is not UNKNOWN and value else [(node, env)]

    def conjunction(self, parts: Sequence[tuple[x.Node, Env]]) -> str:
        """All of the conditions."""
        if any(self.known(node) is False for node, _ in parts):
            return "False"
        if all(always_defined(self.rules, node) for node, _ in parts):
            parts = sorted(parts, key=lambda part: self._cost(part[0]))
        texts = [self.text(node, env) for node, env in parts]
        return "True" if not texts else texts[0] if len(texts) == 1 else f"({' and '.join(texts)})"

    def _is_small(self, node: x.Node) -> bool:
        """Whether an expression is written where it is used rather than called."""
        parts = list(node.walk())
        return len(parts) <= MOST_INLINE and not any(
            isinstance(part, (x.Quantified, x.Fold, x.Table)) for part in parts
        )

    def _cost(self, node: x.Node) -> int:
        """How much work an expression is, roughly: loops are much, calls are some."""
        return sum(
            100
            if isinstance(part, (x.Quantified, x.Fold, x.Table, x.May))
            else 10 + self._cost(self.rules.definitions[part.definition].body)
            if isinstance(part, x.Apply)
            else 1
            for part in node.walk()
        )

    def _and(self, node: x.And, env: Env) -> str:
        return self.conjunction(self.conjuncts(node, env))

    def _may(self, node: x.May, env: Env) -> str:
        if all(isinstance(arg, x.Var) for arg in node.args):
            return self.conjunction(self.conjuncts(node, env))
        params = self.rules.actions[node.action].params
        if node.action not in self._mays:
            stack, self._bodies = self._bodies, []
            with self.function() as body:
                inner: dict[str, str] = {}
                for param in params:
                    inner[param.name] = self.bind(param.name, inner)
                guards = self.rules.guards_of(node.action, "require")
                parts = [part for guard in guards for part in self.conjuncts(guard.body, inner)]
                body.line(f"return {self.conjunction(parts)}")
            self._bodies = stack
            name = self.names.take(f"may_{node.action}")
            self._mays[node.action] = name, body.free
            self.add(name, [*body.free, *inner.values()], body, f"Whether the guards of {node.action} let it pass.")
        name, free = self._mays[node.action]
        if any(_extra(param.type) for param in params):
            raise EngineError(f"{node.span}: the engine passes on laid melds and growths in variables only")
        return f"{name}({', '.join([*map(self.use, free), *(self.text(arg, env) for arg in node.args)])})"

    def _or(self, node: x.Or, env: Env) -> str:
        parts = [part for part in node.parts if self.known(part) is UNKNOWN]
        if all(always_defined(self.rules, part) for part in parts):
            parts.sort(key=self._cost)
        texts = [self.text(part, env) for part in parts]
        return texts[0] if len(texts) == 1 else f"({' or '.join(texts)})"

    def _implies(self, node: x.Implies, env: Env) -> str:
        return self.text(x.Or(type=node.type, parts=(x.Not(type=node.type, body=node.left), node.right)), env)

    def _if(self, node: x.If, env: Env) -> str:
        condition = self.known(node.condition)
        if condition is not UNKNOWN:
            return self.text(node.then if condition else node.otherwise, env)
        parts = [self.text(part, env) for part in (node.then, node.condition, node.otherwise)]
        return f"({parts[0]} if {parts[1]} else {parts[2]})"

    def _compare(self, node: x.Compare, env: Env) -> str:
        if node.left.type.kind == "zone":
            raise EngineError(f"{node.span}: the engine does not compare whole zones")
        return f"({self.text(node.left, env)} {_COMPARE[node.op]} {self.text(node.right, env)})"

    def _arith(self, node: x.Arith, env: Env) -> str:
        return f"({self.text(node.left, env)} {node.op} {self.text(node.right, env)})"

    def _phaseis(self, node: x.PhaseIs, env: Env) -> str:
        self.use("S")
        return f"(S[{self.layout.phase}] == {self.layout.phase_names[node.phase]})"

    def _istemplate(self, node: x.IsTemplate, env: Env) -> str:
        return f"(TEMPLATE[{self.text(node.meld, env)} & SHAPE_MASK] == {self.template(node.template)})"

    def template(self, name: str) -> int:
        """The number of a template."""
        return list(self.rules.templates).index(name)

    def _isempty(self, node: x.IsEmpty, env: Env) -> str:
        tests = [f"S[{address}] == 0" for _, address in self.addresses(node.zone, env)]
        return f"({' and '.join(tests)})"

    def _contains(self, node: x.Contains, env: Env) -> str:
        card = self.text(node.card, env)
        return f"({self._copies_in(card, node.zone, env)} > 0)"

    def _table(self, node: x.Table, env: Env) -> str:
        return self.helper("A decision table.", env, lambda inner: self._write_table(node, inner))

    def _write_table(self, node: x.Table, env: Env) -> None:
        body = self.body
        for condition, row in zip(node.conditions, node.rows, strict=True):
            if self.known(condition) is False:
                continue
            with body.block(f"if {self.text(condition, env)}:"):
                for column, cell in zip(node.columns, row.cells, strict=True):
                    with body.block(f"if {self.text(column, env)}:"):
                        body.line(f"return {self.text(cell, env)}")
                body.line("return 0")
        body.line("return 0")

    def lawful(self, m: str) -> str:
        """The test whether a meld is lawful."""
        return f"LAWFUL_HEADS[{m} & HEAD]" if self.by_shape else f"lawful({m})"

    # ------------------------------------------------------------ zones

    def indexed(self, place: Place, index: x.Node | None, env: Env) -> str:
        """The address of a zone or state variable of an owner."""
        if index is None:
            return place.constant
        value = self.known(index)
        if value is not UNKNOWN and value is not None:
            offset = place.stride * int(value)
            return f"{place.constant} + {offset}" if offset else place.constant
        factor = f"{place.stride} * " if place.stride != 1 else ""
        return f"{place.constant} + {factor}{self.text(index, env)}"

    def address(self, node: x.Zone, env: Env) -> str:
        """The address of one zone."""
        return self.indexed(self.layout.zones[node.name], node.index, env)

    def addresses(self, node: x.Node, env: Env) -> list[tuple[str, str]]:
        """The kinds and addresses of the zones that an expression stands for."""
        self.use("S")
        match node:
            case x.Everywhere():
                return [
                    (zone.kind, f"{place.constant} + {place.stride * (place.low + i)}")
                    for zone in self.rules.zones.values()
                    for place in [self.layout.zones[zone.name]]
                    for i in range(place.owners)
                ]
            case x.Zone(name=name, index=None) if self.rules.zones[name].owner is not None:
                place = self.layout.zones[name]
                kind = self.rules.zones[name].kind
                return [(kind, f"{place.constant} + {place.stride * (place.low + i)}") for i in range(place.owners)]
            case x.Zone(name=name):
                return [(self.rules.zones[name].kind, self.address(node, env))]
        raise EngineError(f"{node.span}: the engine knows no such zone")

    def _copies_in(self, card: str, zone: x.Node, env: Env) -> str:
        counters = {"hand": "held", "pile": "in_pile", "melds": "in_melds"}
        texts = [f"{counters[kind]}(S, {address}, {card})" for kind, address in self.addresses(zone, env)]
        return texts[0] if len(texts) == 1 else f"({' + '.join(texts)})"

    # ------------------------------------------------------------ calls

    def _call(self, node: x.Call, env: Env) -> str:
        function, args = node.function, node.args
        kind = args[0].type.kind
        match function:
            case "size" if kind == "meld":
                return f"({self.text(args[0], env)} >> SIZE & SIZE_MASK)"
            case "size":
                sizes = {"hand": "S[{} + HAND_SIZE]", "pile": "S[{}]", "melds": "melds_size(S, {})"}
                texts = [sizes[kind].format(address) for kind, address in self.addresses(args[0], env)]
                return texts[0] if len(texts) == 1 else f"({' + '.join(texts)})"
            case "copies" if len(args) == 2 and args[1].type.kind == "meld":
                return f"in_meld({self.text(args[1], env)}, {self.text(args[0], env)})"
            case "copies" if len(args) == 2:
                return self._copies_in(self.text(args[0], env), args[1], env)
            case "wild":
                return f"(WILD[{self.text(args[0], env)}] != 0)"
            case "suit" | "rank" if kind == "meld":
                return f"KEY[{self.text(args[0], env)} & SHAPE_MASK]"
            case "copies" | "value" | "suit" | "rank" | "side" | "left" | "right" | "next":
                return f"{function.upper()}[{self.text(args[0], env)}]"
            case "rank_at":
                return self._rank_at(args[0], env)
            case "top":
                (_, address), *others = self.addresses(args[0], env)
                if others:
                    raise EngineError(f"{node.span}: several piles together have no top")
                return f"S[{address} + S[{address}]]"
            case "substitutes":
                return f"({self.text(args[0], env)} >> SUBSTITUTES & SIZE_MASK)"
            case "naturals":
                m = self.text(args[0], env)
                return f"(({m} >> SIZE & SIZE_MASK) - ({m} >> SUBSTITUTES & SIZE_MASK))"
            case "low":
                return f"({self.text(args[0], env)} >> LOW & LOW_MASK)"
            case "high":
                m = self.text(args[0], env)
                return f"(({m} >> LOW & LOW_MASK) + ({m} >> SIZE & SIZE_MASK) - 1)"
            case "lawful":
                return self.lawful(self.text(args[0], env))
            case "room":
                return f"room({self.text(args[0], env)}, {self.text(args[1], env)})"
            case "deadwood":
                self.asks_for_deadwood = True
                return f"deadwood(S, {self._one_hand(args[0], env)}, {self.text(args[1], env) if args[1:] else 0})"
            case "result" | "owner":
                if not isinstance(args[0], x.Var):
                    raise EngineError(f"{node.span}: the engine knows the {function} of variables only")
                return self.use(f"{env[args[0].name]}_{function}")
            case "total":
                self.use("S")
                return f"S[{self.layout.totals} + {self.text(args[0], env)}]"
            case "subtotal":
                return f"{self.use('subtotals')}[{self.text(args[0], env)}]"
            case "quotient":
                return f"({self.text(args[0], env)} // {self.text(args[1], env)})"
            case "min" | "max":
                return f"{function}({self.text(args[0], env)}, {self.text(args[1], env)})"
        raise EngineError(f"{node.span}: the engine has no function {function}")

    def _rank_at(self, place: x.Node, env: Env) -> str:
        text = self.text(place, env)
        return f"(RANK_AT[{text}] if 1 <= {text} <= {len(self.rules.cards.places)} else NONE)"

    def _apply(self, node: x.Apply, env: Env) -> str:
        decl = self.rules.definitions[node.definition]
        if not decl.params and self._is_small(decl.body):
            return self.text(decl.body, {})
        if node.definition not in self._defined:
            self._define(node.definition)
        name, free = self._defined[node.definition]
        params = self.rules.definitions[node.definition].params
        args = [arg for a, (_, type_) in zip(node.args, params, strict=True) for arg in self._passed(a, type_, env)]
        return f"{name}({', '.join([*map(self.use, free), *args])})"

    def call_on_meld(self, definition: str) -> str | None:
        """A definition asked of the meld `m`; None if it looks at more than that."""
        with self.function(["m"]) as body:
            if definition not in self._defined:
                self._define(definition)
            name, free = self._defined[definition]
            del body
        return f"{name}(m)" if not free else None

    def _passed(self, arg: x.Node, wanted: Type, env: Env) -> list[str]:
        """An argument, with what belongs to it."""
        extra = _extra(wanted)
        if extra is None:
            return [self.text(arg, env)]
        if not isinstance(arg, x.Var):
            raise EngineError(f"{arg.span}: the engine passes on {wanted}s in variables only")
        return [self.use(env[arg.name]), self.use(f"{env[arg.name]}_{extra}")]

    def _define(self, definition: str) -> None:
        decl = self.rules.definitions[definition]
        outer, self.clause = self.clause, decl.clause
        stack, self._bodies = self._bodies, []
        name = self.names.take(definition)
        with self.function() as body:
            inner: dict[str, str] = {}
            params: list[str] = []
            for param, type_ in decl.params:
                inner[param] = self.bind(param, inner)
                params.append(inner[param])
                extra = _extra(type_)
                if extra is not None:
                    params.append(f"{inner[param]}_{extra}")
                    body.bound.add(params[-1])
            self.write_return(decl.body, inner)
        free = body.free
        self._bodies, self.clause = stack, outer
        self._defined[definition] = name, free
        self.add(name, [*free, *params], body, f"{decl.name}: {decl.clause}.")

    def write_return(self, node: x.Node, env: Env) -> None:
        """Write the rest of a function that returns an expression."""
        if isinstance(node, x.Quantified):
            self._write_quantified(node, env)
        elif isinstance(node, x.Fold):
            self._write_fold(node, env)
        elif isinstance(node, x.Table):
            self._write_table(node, env)
        else:
            self.body.line(f"return {self.text(node, env)}")

    # ------------------------------------------------------------ quantifiers

    def _quantified(self, node: x.Quantified, env: Env) -> str:
        return self.helper(f"Part of {self.clause}.", env, lambda inner: self._write_quantified(node, inner))

    def _fold(self, node: x.Fold, env: Env) -> str:
        return self.helper(f"Part of {self.clause}.", env, lambda inner: self._write_fold(node, inner))

    def _write_quantified(self, node: x.Quantified, env: Env) -> None:
        body, some = self.body, node.quantifier in ("some", "no")
        found, otherwise = (node.quantifier == "some", node.quantifier != "some") if some else (False, True)
        # What does not depend on the variable is asked once, before the loop.
        parts = self.conjuncts(node.body, {**env, node.binders[0].var: "?"}) if some and not node.binders[1:] else []
        early = [(p, e) for p, e in parts if not _mentions(p, e, "?") and always_defined(self.rules, p)]
        if early:
            with body.block(f"if not {self.conjunction(early)}:"):
                body.line(f"return {otherwise}")
        with ExitStack() as stack:
            inner = env
            for binder in node.binders:
                inner = self.loop(stack, binder, inner, copies=False)
            if some:
                left = [part for part in self.conjuncts(node.body, inner) if not any(part[0] is e for e, _ in early)]
                test = self.conjunction(left)
                if test == "True":
                    body.line(f"return {found}")
                else:
                    with body.block(f"if {test}:"):
                        body.line(f"return {found}")
            else:
                with body.block(f"if not {self.text(node.body, inner)}:"):
                    body.line("return False")
        body.line(f"return {otherwise}")

    def _write_fold(self, node: x.Fold, env: Env) -> None:
        body = self.body
        result = self.fresh("result")
        extreme = node.kind in ("greatest", "smallest")
        body.line(f"{result} = {'NONE' if extreme else 0}")
        with ExitStack() as stack:
            inner = env
            for binder in node.binders:
                inner = self.loop(stack, binder, inner, copies=True)
            text = self.text(node.body, inner)
            if extreme:
                value = self.fresh("value")
                body.line(f"{value} = {text}")
                with body.block(f"if {result} == NONE or {value} {'>' if node.kind == 'greatest' else '<'} {result}:"):
                    body.line(f"{result} = {value}")
            elif self.known(node.body) is True or text == "1":
                body.line(f"{result} += 1")
            elif node.body.type.kind == "bool":
                with body.block(f"if {text}:"):
                    body.line(f"{result} += 1")
            else:
                body.line(f"{result} += {text}")
        body.line(f"return {result}")

    def loop(self, stack: ExitStack, binder: x.Binder, env: Env, *, copies: bool, snapshot: bool = False) -> Env:
        """Open the loop of a binder in the function being written; returns what its inside may name.

        Args:
            copies: whether a card is met as often as it lies there, or once.
            snapshot: whether the inside changes what is looped over.
        """
        self._open(stack, binder.domain, binder.type, binder.var, env, copies, snapshot)
        inner = self._inner
        if binder.where is not None and self.known(binder.where) is not True:
            stack.enter_context(self.body.block(f"if {self.text(binder.where, inner)}:"))
        return inner

    def _open(
        self, stack: ExitStack, node: x.Node, type_: Type, var: str, env: Env, copies: bool, snapshot: bool
    ) -> None:
        body = self.body
        identifier = self.bind(var, env)
        self._inner: Env = {**env, var: identifier}

        def enter(head: str) -> None:
            stack.enter_context(body.block(head))

        match node:
            case x.Every():
                enter(f"for {identifier} in range({count_of(self.rules, node.type.kind)}):")
            case x.Range(low=low, high=high):
                top = self.known(high)
                end = str(int(top) + 1) if top is not UNKNOWN else f"{self.text(high, env)} + 1"
                enter(f"for {identifier} in range({self.text(low, env)}, {end}):")
            case x.SeatsOf(side=side):
                members = self.fresh("members")
                body.line(f"{members} = MEMBERS[{self.text(side, env)}]")
                step = self.fresh("i")
                enter(f"for {step} in range(len({members})):")
                body.line(f"{identifier} = {members}[{step}]")
            case x.SeatsFrom(seat=seat):
                seats, step, first = len(self.rules.table.seats), self.fresh("i"), self.fresh("first")
                body.line(f"{first} = {self.text(seat, env)}")
                enter(f"for {step} in range({seats}):")
                sign = "+" if self.rules.table.direction > 0 else "-"
                body.line(f"{identifier} = ({first} {sign} {step}) % {seats}")
            case x.CardsOf(zone=zone):
                self._open_cards(stack, zone, identifier, env, copies, snapshot)
            case x.MeldsOf(zone=zone):
                self._open_melds(stack, zone, identifier, env, snapshot)
            case x.MeldsFrom(zone=zone, card=card):
                found, step = self.fresh("found"), self.fresh("i")
                body.line(f"{found} = {self._melds_from(zone, card, env)}")
                enter(f"for {step} in range(len({found})):")
                body.line(f"{identifier} = {found}[{step}]")
                if card is not None:
                    enter(f"if in_meld({identifier}, {self.text(card, env)}):")
            case x.Grown(meld=meld, card=card, count=count):
                found, step = self.fresh("found"), self.fresh("i")
                args = ", ".join(self.text(part, env) for part in (meld, card, count))
                body.line(f"{found} = grown({args})")
                enter(f"for {step} in range(len({found})):")
                body.line(f"{identifier} = {found}[{step}]")
            case _:
                raise EngineError(f"{node.span}: the engine cannot run over a {type(node).__name__.lower()}")

    def _melds_from(self, zone: x.Node, card: x.Node | None, env: Env) -> str:
        hand = self._one_hand(zone, env)
        if card is None:
            return f"melds_of(S, {hand})"
        return f"melds_of(with_card(S, {hand}, {self.text(card, env)}), 0)"

    def _one_hand(self, zone: x.Node, env: Env) -> str:
        """The address of a hand of which melds are made."""
        places = self.addresses(zone, env)
        if len(places) != 1 or places[0][0] != "hand":
            raise EngineError(f"{zone.span}: the engine makes melds of the cards of one hand only")
        return places[0][1]

    def _open_cards(
        self, stack: ExitStack, zone: x.Node, identifier: str, env: Env, copies: bool, snapshot: bool
    ) -> None:
        body = self.body
        places = self.addresses(zone, env)
        kinds = {kind for kind, _ in places}
        if len(kinds) > 1:
            raise EngineError(f"{zone.span}: the engine does not run over zones of several kinds at once")
        (kind,) = kinds
        address = places[0][1]
        if len(places) > 1:
            address = self.fresh("z")
            stack.enter_context(body.block(f"for {address} in ({', '.join(a for _, a in places)}):"))
        if kind == "melds":
            meld, step = self.fresh("i"), self.fresh("j")
            cards = self.fresh("cards")
            stack.enter_context(body.block(f"for {meld} in range({address} + 1, {address} + 1 + 2 * S[{address}], 2):"))
            body.line(f"{cards} = cards_of(S[{meld}])")
            stack.enter_context(body.block(f"for {step} in range(len({cards})):"))
            body.line(f"{identifier} = {cards}[{step}]")
        elif kind == "pile" or snapshot:
            cards, step = self.fresh("cards"), self.fresh("i")
            body.line(f"{cards} = {kind}_cards(S, {address})" + (".copy()" if kind == "pile" else ""))
            stack.enter_context(body.block(f"for {step} in range(len({cards})):"))
            body.line(f"{identifier} = {cards}[{step}]")
        else:
            left, bit = self.fresh("x"), self.fresh("bit")
            plane = address
            if copies:
                plane = self.fresh("plane")
                head = f"for {plane} in range({address}, {address} + {self.layout.planes}):"
                stack.enter_context(body.block(head))
            body.line(f"{left} = S[{plane}]")
            stack.enter_context(body.block(f"while {left}:"))
            body.line(f"{bit} = {left} & -{left}")
            body.line(f"{left} ^= {bit}")
            body.line(f"{identifier} = BIT[{bit} % PRIME]")

    def _open_melds(self, stack: ExitStack, zone: x.Node, identifier: str, env: Env, snapshot: bool) -> None:
        body = self.body
        if snapshot:
            raise EngineError(f"{zone.span}: the engine cannot change melds while it runs over them")
        place = self.layout.zones[zone.name] if isinstance(zone, x.Zone) else None
        addresses = self.addresses(zone, env)
        if len(addresses) > 1:
            assert place is not None
            owner = self.fresh("owner")
            stack.enter_context(body.block(f"for {owner} in range({place.owners}):"))
            address = f"{place.constant} + {place.stride} * ({owner} + {place.low})"
            if not place.low:
                address = f"{place.constant} + {place.stride} * {owner}"
        else:
            address = addresses[0][1]
            index = zone.index if isinstance(zone, x.Zone) else None
            owner = self.text(index, env) if index is not None else "0"
        at = self.fresh("at")
        stack.enter_context(body.block(f"for {at} in range({address} + 1, {address} + 1 + 2 * S[{address}], 2):"))
        body.line(f"{identifier} = S[{at}]")
        body.bound.add(f"{identifier}_owner")
        body.line(f"{identifier}_owner = {owner}")


def _literal(value: int | bool | None) -> str:
    if value is None:
        return "NONE"
    return f"({value})" if value < 0 else str(value)


def _extra(type_: Type) -> str | None:
    """What a variable of a type has beside it."""
    if type_.kind == "growth":
        return "result"
    return "owner" if type_.kind == "meld" and type_.laid else None


def _mentions(node: x.Node, env: Env, identifier: str) -> bool:
    return any(isinstance(part, x.Var) and env.get(part.name) == identifier for part in node.walk())
