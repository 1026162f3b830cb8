"""Numbers: sums, products, counts and decision tables, with the range each may have."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from biriba.language.elaborate.expressions import ranges
from biriba.language.elaborate.expressions.base import Syntax
from biriba.language.elaborate.expressions.comparisons import Comparisons
from biriba.language.elaborate.names import Fault, Scope
from biriba.model import expr as x
from biriba.model.span import Span
from biriba.model.types import BOOL, Type, number


class Arithmetic(Comparisons):
    """Numbers."""

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
        return x.Arith(
            op="-", left=zero, right=body, type=ranges.bounds("-", zero.type, body.type), span=self._span(tree, scope)
        )

    def _arith(self, op: str, left_tree: Syntax, right_tree: Syntax, tree: Tree[Token], scope: Scope) -> x.Node:
        left, right = self.of_type(left_tree, scope, number()), self.of_type(right_tree, scope, number())
        type_ = ranges.bounds(op, left.type, right.type)
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

    def table(self, rows: list[Tree[Token]], scope: Scope, span: Span) -> x.Table:
        """A decision table: a row of conditions, then rows of values, which may begin with a condition of their own."""
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
            x.Row(tuple(self.of_type(cell, scope, number()) for cell in (cells[1:] if led else cells)))
            for cells in body
        )
        return x.Table(columns=columns, conditions=conditions, rows=values, type=number(), span=span)
