"""From syntax trees of expressions to typed nodes.

Each syntax rule of the grammar's expression part has one method, named after it. A method returns a
node or raises `Fault`. `expect` is the type that the surroundings ask for: it decides what a bare
symbol such as `2` or `A` means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate import facts
from biriba.language.elaborate.names import Fault, Names, Scope
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.builtins import BUILTINS, Builtin
from biriba.model.ruleset import Definition
from biriba.model.span import Span
from biriba.model.types import BOOL, CARD, NOTHING, RANK, SEAT, SIDE, SUIT, Type, number, zone

Syntax = Tree[Token] | Token

_RANGED = {"card": CARD, "rank": RANK, "suit": SUIT, "seat": SEAT, "side": SIDE}


class Expressions:
    """Elaborates expressions against the names of one rule set."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._defining: list[str] = []

    # ------------------------------------------------------------ entry points

    def expr(self, tree: Syntax, scope: Scope, expect: Type | None = None) -> x.Node:
        """The typed node of an expression.

        Raises:
            Fault: the expression names something unknown, mixes types or may be undefined.
        """
        assert isinstance(tree, Tree)
        return cast(Callable[..., x.Node], getattr(self, f"_{tree.data}"))(tree, scope, expect)

    def of_type(self, tree: Syntax, scope: Scope, wanted: Type) -> x.Node:
        """An expression that must have a type; numbers of any range count as numbers."""
        node = self.expr(tree, scope, wanted)
        self.require_type(node, wanted)
        return node

    def boolean(self, tree: Syntax, scope: Scope) -> x.Node:
        return self.of_type(tree, scope, BOOL)

    def require_type(self, node: x.Node, wanted: Type) -> None:
        """
        Raises:
            Fault: a node cannot stand where a type is wanted.
        """
        have = node.type
        if have.kind == "none" and wanted.optional:
            return
        fits = have.kind == wanted.kind and (have.detail == wanted.detail or wanted.detail is None)
        if not fits:
            raise Fault("E0301", f"this is a {have}, where a {wanted} is wanted", node.span)
        if have.optional and not wanted.optional:
            hint = "say so first: `x is not none and ...`, or `if x is not none then ... else ...`"
            raise Fault("E0401", f"this may be none, where a {wanted} is wanted", node.span, hint)

    # ------------------------------------------------------------ logic

    def _implied(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        left, right = tree.children
        if right is None:
            return self.expr(left, scope, expect)
        condition = self.boolean(left, scope)
        consequence = self.boolean(right, scope.knowing(facts.when_true(condition)))
        return x.Implies(left=condition, right=consequence, type=BOOL, span=self._span(tree, scope))

    def _either(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        if len(tree.children) == 1:
            return self.expr(tree.children[0], scope, expect)
        parts: list[x.Node] = []
        for child in tree.children:
            parts.append(self.boolean(child, scope))
            scope = scope.knowing(facts.when_false(parts[-1]))
        return x.Or(parts=tuple(parts), type=BOOL, span=self._span(tree, scope))

    def _both(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        if len(tree.children) == 1:
            return self.expr(tree.children[0], scope, expect)
        parts: list[x.Node] = []
        for child in tree.children:
            parts.append(self.boolean(child, scope))
            scope = scope.knowing(facts.when_true(parts[-1]))
        return x.And(parts=tuple(parts), type=BOOL, span=self._span(tree, scope))

    def _negation(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return x.Not(body=self.boolean(tree.children[0], scope), type=BOOL, span=self._span(tree, scope))

    def _choice(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        condition = self.boolean(tree.children[0], scope)
        then = self.expr(tree.children[1], scope.knowing(facts.when_true(condition)), expect)
        otherwise = self.expr(tree.children[2], scope.knowing(facts.when_false(condition)), expect or then.type)
        type_ = self._join(then, otherwise)
        return x.If(condition=condition, then=then, otherwise=otherwise, type=type_, span=self._span(tree, scope))

    def _join(self, a: x.Node, b: x.Node) -> Type:
        """The type of a value that is one of two."""
        if a.type.kind == "none":
            return b.type.or_none()
        if b.type.kind == "none":
            return a.type.or_none()
        if a.type.kind == b.type.kind == "int":
            return number(_low(a.type.low, b.type.low), _high(a.type.high, b.type.high))
        if (a.type.kind, a.type.detail) != (b.type.kind, b.type.detail):
            raise Fault("E0301", f"this is a {b.type}, but the other branch is a {a.type}", b.span)
        return replace(a.type, optional=a.type.optional or b.type.optional)

    # ------------------------------------------------------------ quantifiers

    def _quantified(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        word = str(cast(Tree[Token], tree.children[0]).children[0])
        binders, inner = self._binders(tree.children[1], scope)
        body = self.boolean(tree.children[2], inner)
        return x.Quantified(quantifier=word, binders=binders, body=body, type=BOOL, span=self._span(tree, scope))

    def _binders(self, tree: Syntax, scope: Scope) -> tuple[tuple[x.Binder, ...], Scope]:
        binders: list[x.Binder] = []
        for child in cast(Tree[Token], tree).children:
            binder, scope = self.binder(child, scope)
            binders.append(binder)
        return tuple(binders), scope

    def binder(self, tree: Syntax, scope: Scope) -> tuple[x.Binder, Scope]:
        """A bound variable, and the scope in which it is known."""
        assert isinstance(tree, Tree)
        what, where = cast(Tree[Token], tree.children[0]), tree.children[1]
        var, type_, domain = getattr(self, f"_{what.data}")(what, scope)
        if var in scope.vars or self.names.ordinary(var):
            message = f"'{var}' already means something here"
            raise Fault("E0202", message, self._span(what, scope), "give the variable another name")
        inner = scope.bind({var: type_})
        condition = None
        if where is not None:
            condition = self.boolean(where, inner)
            inner = inner.knowing(facts.when_true(condition))
        return x.Binder(var, type_, domain, condition), inner

    def _in_domain(self, tree: Tree[Token], scope: Scope) -> tuple[str, Type, x.Node]:
        var, over = tree.children
        grown = self._grown(over, scope)
        if grown is not None:
            return str(var), replace(grown.type, laid=False), grown
        place = self.zone_of(over, scope)
        if place.type.detail == "melds":
            return str(var), Type("meld"), x.MeldsOf(zone=place, type=Type("meld"), span=place.span)
        return str(var), CARD, x.CardsOf(zone=place, type=CARD, span=place.span)

    def _grown(self, over: Syntax, scope: Scope) -> x.Grown | None:
        """`grown(m, c, n)`, if that is what the tree is."""
        tree = _unwrap(over)
        if not (isinstance(tree, Tree) and tree.data == "call" and str(tree.children[0]) == "grown"):
            return None
        args = [a for a in tree.children[1:] if a is not None]
        if len(args) != 3:
            hint = "grown(m, c, n): what meld m becomes by adding up to n copies of card c"
            raise Fault("E0302", f"grown takes 3 arguments, not {len(args)}", self._span(tree, scope), hint)
        meld = self.of_type(args[0], scope, Type("meld"))
        card, count = self.of_type(args[1], scope, CARD), self.of_type(args[2], scope, number())
        return x.Grown(meld=meld, card=card, count=count, type=meld.type, span=self._span(tree, scope))

    def _in_range(self, tree: Tree[Token], scope: Scope) -> tuple[str, Type, x.Node]:
        var, low_tree, high_tree = tree.children
        low, high = self.of_type(low_tree, scope, number()), self.of_type(high_tree, scope, number())
        type_ = number(low.type.low, high.type.high)
        return str(var), type_, x.Range(low=low, high=high, type=type_, span=self._span(tree, scope))

    def _typed(self, tree: Tree[Token], scope: Scope) -> tuple[str, Type, x.Node]:
        word, var = tree.children
        type_ = self._ranged(cast(Token, word), scope)
        return str(var), type_, x.Every(type=type_, span=self._span(tree, scope))

    def _typed_in(self, tree: Tree[Token], scope: Scope) -> tuple[str, Type, x.Node]:
        word, var, over = tree.children
        place = self.zone_of(over, scope)
        if str(word) == "card":
            return str(var), CARD, x.CardsOf(zone=place, type=CARD, span=self._span(tree, scope))
        if str(word) == "meld" and place.type.detail == "melds":
            return str(var), Type("meld"), x.MeldsOf(zone=place, type=Type("meld"), span=self._span(tree, scope))
        hint = "in a zone there are cards (`card c in ...`), in a zone of melds also melds (`meld m in ...`)"
        raise Fault("E0301", f"a {place.type} holds no {word}s", self._span(tree, scope), hint)

    def _typed_of(self, tree: Tree[Token], scope: Scope) -> tuple[str, Type, x.Node]:
        word, var, of = tree.children
        self._must_be_seat(cast(Token, word), scope)
        return str(var), SEAT, x.SeatsOf(side=self.of_type(of, scope, SIDE), type=SEAT, span=self._span(tree, scope))

    def _typed_from(self, tree: Tree[Token], scope: Scope) -> tuple[str, Type, x.Node]:
        word, var, first = tree.children
        self._must_be_seat(cast(Token, word), scope)
        return str(var), SEAT, x.SeatsFrom(seat=self.of_type(first, scope, SEAT), type=SEAT, span=self._span(tree, scope))

    def _must_be_seat(self, word: Token, scope: Scope) -> None:
        if str(word) != "seat":
            hint = "write: each seat s of p, or: each seat s from right(dealer)"
            raise Fault("E0301", f"only seats are listed this way, not {word}s", span_of(word, scope.file), hint)

    def _ranged(self, word: Token, scope: Scope) -> Type:
        if str(word) not in _RANGED:
            hint = did_you_mean(word, _RANGED) or f"one of: {', '.join(_RANGED)}"
            raise Fault("E0201", f"there is no type '{word}' whose values can be listed", span_of(word, scope.file), hint)
        return _RANGED[str(word)]

    # ------------------------------------------------------------ comparisons

    def _compare(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        operands, ops = tree.children[0::2], [str(cast(Tree[Token], c).children[0]) for c in tree.children[1::2]]
        nodes = self._operands(operands, scope)
        parts = [
            self._comparison(op, left, right, self._span(tree, scope))
            for op, left, right in zip(ops, nodes, nodes[1:], strict=False)
        ]
        return parts[0] if len(parts) == 1 else x.And(parts=tuple(parts), type=BOOL, span=self._span(tree, scope))

    def _operands(self, trees: list[Syntax], scope: Scope) -> list[x.Node]:
        """The operands of a comparison; those that are clear by themselves give the others their type."""
        nodes: dict[int, x.Node] = {}
        for i, tree in enumerate(trees):
            if not self._symbolic(tree, scope):
                nodes[i] = self.expr(tree, scope)
        expected = next((n.type for n in nodes.values() if n.type.kind != "none"), None)
        for i, tree in enumerate(trees):
            if i not in nodes:
                nodes[i] = self.expr(tree, scope, expected)
        return [nodes[i] for i in range(len(trees))]

    def _symbolic(self, tree: Syntax, scope: Scope) -> bool:
        """Whether the tree is a bare symbol, whose meaning depends on what is wanted."""
        inner = _unwrap(tree)
        if not isinstance(inner, Tree):
            return False
        if inner.data in ("integer_literal", "symbol_literal"):
            return True
        word = str(inner.children[0]) if inner.data == "named" else ""
        return bool(word) and word not in scope.vars and not self.names.ordinary(word)

    def _comparison(self, op: str, left: x.Node, right: x.Node, span: Span) -> x.Node:
        a, b = left.type, right.type
        if "none" not in (a.kind, b.kind) and (a.kind, a.detail) != (b.kind, b.detail) and not a.kind == b.kind == "meld":
            raise Fault("E0303", f"a {a} cannot be compared with a {b}", span)
        if a.kind == "none" and b.kind != "none" and not b.optional or b.kind == "none" and not a.optional:
            raise Fault("E0303", f"a {a if b.kind == 'none' else b} is never none", span)
        if op not in ("=", "!="):
            for node in (left, right):
                if node.type.kind not in ("int", "rank"):
                    raise Fault("E0303", f"only numbers and ranks have an order, not a {node.type}", node.span)
                if node.type.optional:
                    raise Fault("E0401", "this may be none, which has no order", node.span, "first: `x is not none and ...`")
        return x.Compare(op=op, left=left, right=right, type=BOOL, span=span)

    def _is_kind(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        subject, word = _unwrap(tree.children[0]), cast(Token, tree.children[1])
        if isinstance(subject, Tree) and subject.data == "named" and str(subject.children[0]) == "phase":
            return x.PhaseIs(phase=self.names.phase(word, scope.file), type=BOOL, span=self._span(tree, scope))
        node = self.expr(tree.children[0], scope)
        if node.type.kind == "meld":
            known = list(self.names.templates)
            if str(word) not in known:
                message = f"there is no template '{word}'"
                raise Fault("E0201", message, span_of(word, scope.file), did_you_mean(word, known))
            return x.IsTemplate(meld=node, template=str(word), type=BOOL, span=self._span(tree, scope))
        value = self.names.symbol(word, node.type.without_none(), scope.file)
        constant = x.Const(value=value, type=node.type.without_none(), span=span_of(word, scope.file))
        return x.Compare(op="=", left=node, right=constant, type=BOOL, span=self._span(tree, scope))

    def _is_not_kind(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return x.Not(body=self._is_kind(tree, scope, expect), type=BOOL, span=self._span(tree, scope))

    def _is_empty(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return x.IsEmpty(zone=self.zone_of(tree.children[0], scope), type=BOOL, span=self._span(tree, scope))

    def _is_not_empty(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return x.Not(body=self._is_empty(tree, scope, expect), type=BOOL, span=self._span(tree, scope))

    def _is_none(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._comparison("=", self.expr(tree.children[0], scope), self._nothing(tree, scope), self._span(tree, scope))

    def _is_not_none(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._comparison("!=", self.expr(tree.children[0], scope), self._nothing(tree, scope), self._span(tree, scope))

    def _nothing(self, tree: Tree[Token], scope: Scope) -> x.Const:
        return x.Const(value=None, type=NOTHING, span=self._span(tree, scope))

    def _member_of(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        card = self.of_type(tree.children[0], scope, CARD)
        return x.Contains(card=card, zone=self.zone_of(tree.children[1], scope), type=BOOL, span=self._span(tree, scope))

    def _within(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        value, low, high = self._operands(list(tree.children), scope)
        span = self._span(tree, scope)
        parts = (self._comparison("<=", low, value, span), self._comparison("<=", value, high, span))
        return x.And(parts=parts, type=BOOL, span=span)

    # ------------------------------------------------------------ arithmetic

    def _add(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._arith("+", tree.children[0], tree.children[1], tree, scope)

    def _subtract(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._arith("-", tree.children[0], tree.children[2], tree, scope)

    def _multiply(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._arith("*", tree.children[0], tree.children[1], tree, scope)

    def _negative(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        body = self.of_type(tree.children[1], scope, number())
        if isinstance(body, x.Const):
            value = -cast(int, body.value)
            return x.Const(value=value, type=number(value, value), span=self._span(tree, scope))
        zero = x.Const(value=0, type=number(0, 0), span=self._span(tree, scope))
        return x.Arith(op="-", left=zero, right=body, type=_bounds("-", zero.type, body.type), span=self._span(tree, scope))

    def _arith(self, op: str, left_tree: Syntax, right_tree: Syntax, tree: Tree[Token], scope: Scope) -> x.Node:
        left, right = self.of_type(left_tree, scope, number()), self.of_type(right_tree, scope, number())
        type_ = _bounds(op, left.type, right.type)
        return x.Arith(op=op, left=left, right=right, type=type_, span=self._span(tree, scope))

    def _sum_of(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._fold("sum", tree, scope)

    def _greatest_of(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._fold("greatest", tree, scope)

    def _smallest_of(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._fold("smallest", tree, scope)

    def _fold(self, kind: str, tree: Tree[Token], scope: Scope) -> x.Node:
        binders, inner = self._binders(tree.children[1], scope)
        body = self.of_type(tree.children[0], inner, number())
        if kind == "sum":
            low, high = body.type.low, body.type.high
            type_ = number(0 if low is not None and low >= 0 else None, 0 if high is not None and high <= 0 else None)
        else:
            type_ = body.type
            if any(not isinstance(b.domain, (x.Every, x.SeatsOf)) or b.where is not None for b in binders):
                hint = "range over all values of a type without `where`, for example: each side p"
                message = f"the {kind} of nothing is not defined, and this may range over nothing"
                raise Fault("E0404", message, self._span(tree, scope), hint)
        return x.Fold(kind=kind, binders=binders, body=body, type=type_, span=self._span(tree, scope))

    def _count_of(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        binders, _ = self._binders(tree.children[0], scope)
        one = x.Const(value=1, type=number(1, 1), span=self._span(tree, scope))
        return x.Fold(kind="count", binders=binders, body=one, type=number(0, None), span=self._span(tree, scope))

    # ------------------------------------------------------------ atoms

    def _yes(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return x.Const(value=True, type=BOOL, span=self._span(tree, scope))

    def _no(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return x.Const(value=False, type=BOOL, span=self._span(tree, scope))

    def _none(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._nothing(tree, scope)

    def _integer_literal(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        token = cast(Token, tree.children[0])
        if expect is not None and expect.kind in ("rank", "card", "suit"):
            return self._constant(token, expect, scope)
        value = int(token)
        return x.Const(value=value, type=number(value, value), span=span_of(token, scope.file))

    def _symbol_literal(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        token = cast(Token, tree.children[0])
        return self._constant(token, expect if expect is not None and self.names.symbols(expect) else CARD, scope)

    def _constant(self, token: Token, type_: Type, scope: Scope) -> x.Node:
        value = self.names.symbol(token, type_.without_none(), scope.file)
        return x.Const(value=value, type=type_.without_none(), span=span_of(token, scope.file))

    def _named(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        token = cast(Token, tree.children[0])
        name, span, names = str(token), span_of(token, scope.file), self.names
        if name in scope.vars:
            return self._narrow(x.Var(name=name, type=scope.vars[name], span=span), scope)
        if expect is not None and name in names.symbols(expect) and not names.ordinary(name):
            return self._constant(token, expect, scope)
        if name in names.parameters:
            names.used.add(name)
            return x.Param(name=name, type=_exact(names, name), span=span)
        if name in names.states or name in names.zones:
            return self._stored(token, None, scope)
        if name in names.definition_trees:
            return self._apply(token, [], scope)
        if name in ("me", "mine", "dealer", "deals"):
            return self._context(name, span, scope)
        if name == "everywhere":
            return x.Everywhere(type=zone("everywhere"), span=span)
        types = names.symbol_types(name)
        if len(types) == 1:
            return self._constant(token, types[0], scope)
        if types:
            kinds = " or a ".join(t.kind for t in types)
            raise Fault("E0301", f"'{name}' may be a {kinds} here", span, "compare it with something whose type is clear")
        hint = did_you_mean(name, [*scope.vars, *names.everything()]) or names.dropped_hint(name)
        raise Fault("E0201", f"'{name}' is not defined", span, hint)

    def _context(self, name: str, span: Span, scope: Scope) -> x.Node:
        if name in ("me", "mine") and not scope.acting:
            hint = "nobody acts here; range over all: every seat s: ..., every side p: ..."
            raise Fault("E0305", f"'{name}' means the player who acts, and here nobody does", span, hint)
        if name in ("me", "mine") and self._defining:
            self.names.acting_definitions.add(self._defining[-1])
        type_ = {"me": SEAT, "mine": SIDE, "dealer": SEAT, "deals": number(0, None)}[name]
        return x.Context(name=name, type=type_, span=span)

    def _narrow(self, node: x.Node, scope: Scope) -> x.Node:
        """The node with what the facts add to its type."""
        type_ = node.type
        if type_.optional and facts.not_none(node, scope.facts):
            type_ = type_.without_none()
        if type_.kind == "meld" and type_.detail is None:
            type_ = replace(type_, detail=facts.template_of(node, scope.facts))
        return node if type_ == node.type else replace(node, type=type_)

    def _indexed(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._stored(cast(Token, tree.children[0]), tree.children[1], scope)

    def _stored(self, token: Token, index_tree: Syntax | None, scope: Scope) -> x.Node:
        """A zone or state variable, with or without an index."""
        name, span, names = str(token), span_of(token, scope.file), self.names
        declared = names.states.get(name) or names.zones.get(name)
        if declared is None:
            hint = did_you_mean(name, [*names.states, *names.zones]) or names.dropped_hint(name)
            raise Fault("E0201", f"there is no zone or state '{name}'", span, hint)
        names.used.add(name)
        index = None if index_tree is None else self._index(name, declared.owner, index_tree, scope, span)
        if name in names.zones:
            return x.Zone(name=name, index=index, type=zone(names.zones[name].kind), span=span)
        if declared.owner is not None and index is None:
            hint = f"write {name}[{'me' if declared.owner == 'seat' else 'mine'}], or range over all"
            raise Fault("E0306", f"there is one '{name}' for each {declared.owner}", span, hint)
        return self._narrow(x.State(name=name, index=index, type=names.states[name].type, span=span), scope)

    def _index(self, name: str, owner: str | None, tree: Syntax, scope: Scope, span: Span) -> x.Node:
        if owner is None:
            raise Fault("E0306", f"there is only one '{name}'", span, f"write {name} without an index")
        if owner != "number":
            return self.of_type(tree, scope, SEAT if owner == "seat" else SIDE)
        node, decl = self.of_type(tree, scope, number()), self.names.zones[name]
        if node.type.low is None or node.type.high is None or node.type.low < decl.low or node.type.high > decl.high:
            message = f"'{name}' is numbered {decl.low}..{decl.high}, and this is a {node.type}"
            raise Fault("E0402", message, node.span, f"range over it: each i in {decl.low}..{decl.high}")
        return node

    def zone_of(self, tree: Syntax, scope: Scope) -> x.Node:
        """An expression that must be a zone (or `old` of one)."""
        node = self.expr(tree, scope)
        if node.type.kind != "zone":
            raise Fault("E0301", f"this is a {node.type}, not a zone", node.span)
        return node

    def ref(self, tree: Syntax, scope: Scope) -> x.Zone:
        """A zone named in an effect or a domain."""
        assert isinstance(tree, Tree)
        node = self._stored(cast(Token, tree.children[0]), tree.children[1], scope)
        if not isinstance(node, x.Zone):
            raise Fault("E0301", f"'{tree.children[0]}' is a state variable, not a zone", node.span)
        return node

    def state_ref(self, tree: Syntax, scope: Scope) -> x.State:
        """A state variable that is assigned to."""
        assert isinstance(tree, Tree)
        node = self._stored(cast(Token, tree.children[0]), tree.children[1], scope.forgetting())
        if not isinstance(node, x.State):
            hint = "cards are only moved: move ... from ... to ..."
            raise Fault("E0304", f"'{tree.children[0]}' is a zone; nothing is assigned to it", node.span, hint)
        return node

    def _old(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        if not scope.old:
            hint = "write: invariant at each step ..."
            raise Fault("E0305", "old(...) has a meaning only in a step invariant", self._span(tree, scope), hint)
        body = self.expr(tree.children[0], scope, expect)
        return x.Old(body=body, type=body.type, span=self._span(tree, scope))

    def _may(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        token = cast(Token, tree.children[0])
        action = self.names.actions.get(str(token))
        if action is None:
            hint = did_you_mean(token, self.names.actions)
            raise Fault("E0201", f"there is no action '{token}'", span_of(token, scope.file), hint)
        args = [a for a in tree.children[1:] if a is not None]
        if len(args) != len(action.params):
            message = f"action '{action.name}' takes {len(action.params)} arguments, not {len(args)}"
            raise Fault("E0302", message, self._span(tree, scope))
        self._context("me", self._span(tree, scope), scope)
        nodes = [self.of_type(a, scope, p.type) for a, p in zip(args, action.params, strict=True)]
        return x.May(action=action.name, args=tuple(nodes), type=BOOL, span=self._span(tree, scope))

    # ------------------------------------------------------------ calls

    def _call(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        token, args = cast(Token, tree.children[0]), [a for a in tree.children[1:] if a is not None]
        if str(token) in self.names.definition_trees:
            return self._apply(token, args, scope)
        overloads = [b for b in BUILTINS if b.name == str(token)]
        if not overloads:
            known = [*self.names.definition_trees, *(b.name for b in BUILTINS)]
            hint = did_you_mean(token, known) or self.names.dropped_hint(str(token))
            raise Fault("E0201", f"there is no function '{token}'", span_of(token, scope.file), hint)
        fitting = [b for b in overloads if len(b.args) == len(args)]
        if not fitting:
            counts = " or ".join(sorted({str(len(b.args)) for b in overloads}))
            message = f"{token} takes {counts} arguments, not {len(args)}"
            raise Fault("E0302", message, self._span(tree, scope), overloads[0].text)
        expected = [_argument_type(fitting[0].args[i]) if len(fitting) == 1 else None for i in range(len(args))]
        if len(fitting) > 1 and all(self._symbolic(a, scope) for a in args):
            expected = [CARD] * len(args)
        nodes = [self.expr(a, scope, e) for a, e in zip(args, expected, strict=True)]
        builtin = next((b for b in fitting if all(map(self._accepts, b.args, nodes))), None)
        if builtin is None:
            return self._no_overload(str(token), fitting, nodes, self._span(tree, scope))
        for node in nodes:
            if node.type.optional:
                self.require_type(node, node.type.without_none())
        if builtin.guard is not None and facts.at_least(nodes[0], scope.facts) < 1:
            hint = "guard it: `if size(...) > 0 then ... else ...`, or a `require ... is not empty` on the action"
            raise Fault("E0402", f"{token} of a zone that may be empty", self._span(tree, scope), hint)
        type_ = _result(builtin, nodes, self.names)
        return x.Call(function=builtin.name, args=tuple(nodes), type=type_, span=self._span(tree, scope))

    def _accepts(self, wanted: str, node: x.Node) -> bool:
        kind, _, detail = wanted.partition(":")
        if node.type.kind != kind:
            return False
        if not detail:
            return True
        if kind == "zone":
            return node.type.detail == detail
        if detail == "laid":
            return node.type.laid
        template = self.names.templates.get(node.type.detail or "")
        if template is None:
            return False
        return template.layout == detail or (template.key_type is not None and template.key_type.kind == detail)

    def _no_overload(self, name: str, fitting: list[Builtin], nodes: list[x.Node], span: Span) -> x.Node:
        have = ", ".join(str(n.type) for n in nodes)
        wanted = " or ".join(f"{name}({', '.join(b.args)})" for b in fitting)
        hint = f"it is {wanted}"
        if nodes and nodes[0].type.kind == "meld" and nodes[0].type.detail is None:
            hint += "; say which template it is first: `m is ... and ...`"
        raise Fault("E0302", f"{name} does not take ({have})", span, hint)

    def _apply(self, token: Token, args: list[Syntax], scope: Scope) -> x.Node:
        definition = self.definition(str(token), span_of(token, scope.file))
        self.names.used.add(definition.name)
        if definition.name in self.names.acting_definitions:
            self._context("me", span_of(token, scope.file), scope)
        if len(args) != len(definition.params):
            message = f"'{definition.name}' takes {len(definition.params)} arguments, not {len(args)}"
            raise Fault("E0302", message, span_of(token, scope.file))
        nodes = [self.of_type(a, scope, t) for a, (_, t) in zip(args, definition.params, strict=True)]
        return x.Apply(definition=definition.name, args=tuple(nodes), type=definition.body.type, span=span_of(token, scope.file))

    def definition(self, name: str, span: Span) -> Definition:
        """A definition, elaborated when it is first needed.

        Raises:
            Fault: it is defined through itself.
        """
        if name in self.names.definitions:
            return self.names.definitions[name]
        if name in self._defining:
            circle = " -> ".join([*self._defining[self._defining.index(name) :], name])
            raise Fault("E0405", f"'{name}' is defined through itself: {circle}", span, "a definition may not be recursive")
        tree, piece = self.names.definition_trees[name]
        params = tuple(
            (str(p.children[0]), self.type_named(cast(Token, p.children[1]), piece.source.name))
            for p in tree.children[1:-1]
            if isinstance(p, Tree)
        )
        self._defining.append(name)
        try:
            body = self.expr(tree.children[-1], Scope(piece.source.name, dict(params), acting=True))
        finally:
            self._defining.pop()
        clause = str(piece.tree.children[1])
        self.names.definitions[name] = Definition(name, params, body, clause)
        return self.names.definitions[name]

    def type_named(self, word: Token, file: str) -> Type:
        """The type that a word names: `card`, `meld`, a template, ...

        Raises:
            Fault: it names none.
        """
        name = str(word)
        if name in _RANGED:
            return _RANGED[name]
        if name == "meld":
            return Type("meld")
        if name == "number":
            return number()
        if name in self.names.templates:
            return Type("meld", detail=name)
        known = [*_RANGED, "meld", "number", *self.names.templates]
        raise Fault("E0201", f"there is no type '{name}'", span_of(word, file), did_you_mean(name, known))

    def table(self, rows: list[Tree[Token]], scope: Scope, span: Span) -> x.Table:
        """A decision table: a row of conditions over the columns, then rows of values, which may begin with a condition."""
        head, body = rows[0].children, [row.children for row in rows[1:]]
        widths = {len(cells) for cells in body}
        if len(widths) != 1 or next(iter(widths)) not in (len(head), len(head) + 1):
            hint = "each row has a value for every column, and may begin with a condition of its own"
            raise Fault("E0305", "the rows of this table do not match its columns", span, hint)
        led = next(iter(widths)) == len(head) + 1
        columns = tuple(self.boolean(cell, scope) for cell in head)
        always = x.Const(value=True, type=BOOL, span=span)
        conditions = tuple(self.boolean(cells[0], scope) if led else always for cells in body)
        values = tuple(
            x.Row(tuple(self.of_type(cell, scope, number()) for cell in (cells[1:] if led else cells))) for cells in body
        )
        return x.Table(columns=columns, conditions=conditions, rows=values, type=number(), span=span)

    def _span(self, tree: Syntax, scope: Scope) -> Span:
        return span_of(tree, scope.file)


# ---------------------------------------------------------------- types of results


def _exact(names: Names, name: str) -> Type:
    """The type of a parameter: a number is known exactly."""
    parameter = names.parameters[name]
    if parameter.type.kind == "int":
        return number(cast(int, parameter.value), cast(int, parameter.value))
    return parameter.type


def _argument_type(wanted: str) -> Type | None:
    kind = wanted.partition(":")[0]
    return number() if kind == "int" else _RANGED.get(kind)


def _result(builtin: Builtin, nodes: list[x.Node], names: Names) -> Type:
    """The result of a builtin, with the bounds that follow from its arguments."""
    a = nodes[0].type
    match builtin.name:
        case "min":
            b = nodes[1].type
            highs = [h for h in (a.high, b.high) if h is not None]
            return number(_low(a.low, b.low), min(highs) if highs else None)
        case "max":
            b = nodes[1].type
            lows = [w for w in (a.low, b.low) if w is not None]
            return number(max(lows) if lows else None, _high(a.high, b.high))
        case "size" | "copies" | "substitutes" | "naturals" | "room" if names.cards is not None:
            return number(0, names.cards.total)
        case "low" | "high" if names.cards is not None:
            return number(1, len(names.cards.places))
        case _:
            return builtin.result


def _bounds(op: str, a: Type, b: Type) -> Type:
    """The range of a sum, difference or product; open where an operand's is."""
    if op == "+":
        low = None if a.low is None or b.low is None else a.low + b.low
        high = None if a.high is None or b.high is None else a.high + b.high
        return number(low, high)
    if op == "-":
        low = None if a.low is None or b.high is None else a.low - b.high
        high = None if a.high is None or b.low is None else a.high - b.low
        return number(low, high)
    corners = [p * q for p in (a.low, a.high) for q in (b.low, b.high) if p is not None and q is not None]
    if len(corners) == 4:
        return number(min(corners), max(corners))
    both_positive = a.low is not None and a.low >= 0 and b.low is not None and b.low >= 0
    return number(0 if both_positive else None, None)


def _low(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def _high(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def _unwrap(tree: Syntax) -> Syntax:
    """The tree inside the chain of rules that add nothing to it."""
    while isinstance(tree, Tree) and (
        tree.data in ("either", "both") and len(tree.children) == 1 or tree.data == "implied" and tree.children[1] is None
    ):
        tree = tree.children[0]
    return tree
