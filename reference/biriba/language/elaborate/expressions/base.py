"""What all rules of the syntax share: dispatch by the name of the rule, and types that fit or do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate.expressions.ranges import RANGED
from biriba.language.elaborate.names import Fault, Names, Scope
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.span import Span
from biriba.model.types import BOOL, NOTHING, SEAT, SIDE, Type, number

Syntax = Tree[Token] | Token

_KEPT = "keep what a deal needs to know of the match in a state variable that the deal sets"
_WHEN = {
    "total": ("while cards are dealt and when a match may end", _KEPT),
    "deals": ("while cards are dealt and when a match may end", _KEPT),
    "subtotal": ("on the score sheet of a side", "write: score ... for side p: ... subtotal(p) ..."),
    "points": ("in an invariant", "write: invariant every side p: every m in melds[p]: ... points(m) ..."),
}


class Base:
    """What all rules of the syntax share."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._defining: list[str] = []

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

    def type_named(self, word: Token, file: str) -> Type:
        """The type that a word names: `card`, `meld`, a template, ...

        Raises:
            Fault: it names none.
        """
        name = str(word)
        if name in RANGED:
            return RANGED[name]
        if name == "meld":
            return Type("meld")
        if name == "number":
            return number()
        if name in self.names.templates:
            return Type("meld", detail=name)
        known = [*RANGED, "meld", "number", *self.names.templates]
        raise Fault("E0201", f"there is no type '{name}'", span_of(word, file), did_you_mean(name, known))

    def _ranged(self, word: Token, scope: Scope) -> Type:
        if str(word) not in RANGED:
            hint = did_you_mean(word, RANGED) or f"one of: {', '.join(RANGED)}"
            raise Fault(
                "E0201", f"there is no type '{word}' whose values can be listed", span_of(word, scope.file), hint
            )
        return RANGED[str(word)]

    def _context(self, name: str, span: Span, scope: Scope) -> x.Node:
        if name in ("me", "mine") and not scope.acting:
            hint = (
                "range over all: every seat s: ..., every side p: ...;"
                " in an invariant of steps, me is who acted: invariant at each step ..."
            )
            raise Fault("E0305", f"'{name}' means the player who acts, and here nobody does", span, hint)
        if name in ("me", "mine") and self._defining:
            self.names.acting_definitions.add(self._defining[-1])
        if name == "deals":
            self._only_known(name, span, scope)
        type_ = {"me": SEAT, "mine": SIDE, "dealer": SEAT, "deals": number(0, None)}[name]
        return x.Context(name=name, type=type_, span=span)

    def _only_known(self, name: str, span: Span, scope: Scope) -> None:
        """
        Raises:
            Fault: what is only known at some times is asked for at another.
        """
        if self._defining:
            self.names.needs.setdefault(self._defining[-1], set()).add(name)
        elif name not in scope.known:
            when, hint = _WHEN[name]
            raise Fault("E0305", f"'{name}' is known only {when}", span, hint)

    def _symbolic(self, tree: Syntax, scope: Scope) -> bool:
        """Whether the tree is a bare symbol, whose meaning depends on what is wanted."""
        inner = unwrap(tree)
        if not isinstance(inner, Tree):
            return False
        if inner.data in ("integer_literal", "symbol_literal"):
            return True
        word = str(inner.children[0]) if inner.data == "named" else ""
        return bool(word) and word not in scope.vars and not self.names.ordinary(word)

    def _nothing(self, tree: Tree[Token], scope: Scope) -> x.Const:
        return x.Const(value=None, type=NOTHING, span=self._span(tree, scope))

    def _span(self, tree: Syntax, scope: Scope) -> Span:
        return span_of(tree, scope.file)


def unwrap(tree: Syntax) -> Syntax:
    """The tree inside the chain of rules that add nothing to it."""
    while isinstance(tree, Tree) and (
        (tree.data in ("either", "both") and len(tree.children) == 1)
        or (tree.data == "implied" and tree.children[1] is None)
    ):
        tree = tree.children[0]
    return tree
