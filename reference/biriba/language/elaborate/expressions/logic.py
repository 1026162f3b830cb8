"""And, or, not, implies, if: what one part makes sure, the parts after it may rely on."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.elaborate import facts
from biriba.language.elaborate.expressions import ranges
from biriba.language.elaborate.expressions.arithmetic import Arithmetic
from biriba.language.elaborate.expressions.base import Syntax
from biriba.language.elaborate.names import Fault, Scope
from biriba.model import expr as x
from biriba.model.types import BOOL, Type, number


class Logic(Arithmetic):
    """Logic."""

    def _implied(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        left, right = tree.children[0], cast("Syntax | None", tree.children[1])
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
            return number(ranges.low(a.type.low, b.type.low), ranges.high(a.type.high, b.type.high))
        if (a.type.kind, a.type.detail) != (b.type.kind, b.type.detail):
            raise Fault("E0301", f"this is a {b.type}, but the other branch is a {a.type}", b.span)
        return replace(a.type, optional=a.type.optional or b.type.optional)
