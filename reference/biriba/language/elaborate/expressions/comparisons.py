"""Comparisons, and questions asked with `is` and `in`."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate.expressions.base import Syntax, unwrap
from biriba.language.elaborate.expressions.quantifiers import Quantifiers
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.span import Span
from biriba.model.types import BOOL, CARD, Type


class Comparisons(Quantifiers):
    """Comparisons."""

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

    def _comparison(self, op: str, left: x.Node, right: x.Node, span: Span) -> x.Node:
        a, b = left.type, right.type
        if (
            "none" not in (a.kind, b.kind)
            and (a.kind, a.detail) != (b.kind, b.detail)
            and not a.kind == b.kind == "meld"
        ):
            raise Fault("E0303", f"a {a} cannot be compared with a {b}", span)
        if (a.kind == "none" and b.kind != "none" and not b.optional) or (b.kind == "none" and not a.optional):
            raise Fault("E0303", f"a {a if b.kind == 'none' else b} is never none", span)
        if op not in ("=", "!="):
            for node in (left, right):
                if node.type.kind not in ("int", "rank"):
                    raise Fault("E0303", f"only numbers and ranks have an order, not a {node.type}", node.span)
                if node.type.optional:
                    raise Fault(
                        "E0401", "this may be none, which has no order", node.span, "first: `x is not none and ...`"
                    )
        return x.Compare(op=op, left=left, right=right, type=BOOL, span=span)

    def _is_kind(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        subject, word = unwrap(tree.children[0]), cast(Token, tree.children[1])
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
        return self._comparison(
            "=", self.expr(tree.children[0], scope), self._nothing(tree, scope), self._span(tree, scope)
        )

    def _is_not_none(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        return self._comparison(
            "!=", self.expr(tree.children[0], scope), self._nothing(tree, scope), self._span(tree, scope)
        )

    def _member_of(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        card = self.of_type(tree.children[0], scope, CARD)
        return x.Contains(
            card=card, zone=self.zone_of(tree.children[1], scope), type=BOOL, span=self._span(tree, scope)
        )

    def _within(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        value, low, high = self._operands(list(tree.children), scope)
        span = self._span(tree, scope)
        parts = (self._comparison("<=", low, value, span), self._comparison("<=", value, high, span))
        return x.And(parts=parts, type=BOOL, span=span)
