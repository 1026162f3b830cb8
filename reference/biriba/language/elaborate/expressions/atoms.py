"""Literals and names: parameters, zones, state variables, and what the situation gives."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate import facts
from biriba.language.elaborate.expressions import ranges
from biriba.language.elaborate.expressions.base import Syntax
from biriba.language.elaborate.expressions.calls import Calls
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.span import Span
from biriba.model.types import BOOL, CARD, SEAT, SIDE, Type, number, zone


class Atoms(Calls):
    """Literals and names."""

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
            return x.Param(name=name, type=ranges.exact(names, name), span=span)
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
            raise Fault(
                "E0301", f"'{name}' may be a {kinds} here", span, "compare it with something whose type is clear"
            )
        hint = names.dropped_hint(name) or did_you_mean(name, [*scope.vars, *names.everything()])
        hint = hint or f'a number of the rules is declared: parameter {name} = 1 in 0..10 "what it is"'
        raise Fault("E0201", f"'{name}' is not defined", span, hint)

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
            hint = names.dropped_hint(name) or did_you_mean(name, [*names.states, *names.zones])
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
