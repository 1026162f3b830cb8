"""Calls of built-in functions and of definitions."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate import facts
from biriba.language.elaborate.expressions import ranges
from biriba.language.elaborate.expressions.base import Base, Syntax
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.builtins import BUILTINS, Builtin
from biriba.model.ruleset import Definition
from biriba.model.span import Span
from biriba.model.types import CARD, Type


class Calls(Base):
    """Calls."""

    def _call(self, tree: Tree[Token], scope: Scope, expect: Type | None) -> x.Node:
        token, args = cast(Token, tree.children[0]), [a for a in tree.children[1:] if a is not None]
        if str(token) in self.names.definition_trees:
            return self._apply(token, args, scope)
        overloads = [b for b in BUILTINS if b.name == str(token)]
        if not overloads:
            known = [*self.names.definition_trees, *(b.name for b in BUILTINS)]
            hint = self.names.dropped_hint(str(token)) or did_you_mean(token, known)
            raise Fault("E0201", f"there is no function '{token}'", span_of(token, scope.file), hint)
        fitting = [b for b in overloads if len(b.args) == len(args)]
        if not fitting:
            counts = " or ".join(sorted({str(len(b.args)) for b in overloads}))
            message = f"{token} takes {counts} arguments, not {len(args)}"
            raise Fault("E0302", message, self._span(tree, scope), overloads[0].text)
        kinds = [{b.args[i] for b in fitting} for i in range(len(args))]
        expected = [ranges.argument_type(min(kind)) if len(kind) == 1 else None for kind in kinds]
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
        if builtin.name in ("total", "subtotal", "points"):
            self._only_known(builtin.name, self._span(tree, scope), scope)
        if builtin.name == "quotient" and (nodes[1].type.low is None or nodes[1].type.low < 1):
            hint = "divide by a number that is surely 1 or more"
            raise Fault("E0402", "this may divide by zero", nodes[1].span, hint)
        if builtin.name == "deadwood" and nodes[1:] and (nodes[1].type.low is None or nodes[1].type.low < 0):
            hint = "set aside a number of cards that is surely 0 or more"
            raise Fault("E0402", "this may be a number below zero", nodes[1].span, hint)
        type_ = ranges.result(builtin, nodes, self.names)
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
        for need in sorted(self.names.needs.get(definition.name, ())):
            self._only_known(need, span_of(token, scope.file), scope)
        if len(args) != len(definition.params):
            message = f"'{definition.name}' takes {len(definition.params)} arguments, not {len(args)}"
            raise Fault("E0302", message, span_of(token, scope.file))
        nodes = [self.of_type(a, scope, t) for a, (_, t) in zip(args, definition.params, strict=True)]
        return x.Apply(
            definition=definition.name, args=tuple(nodes), type=definition.body.type, span=span_of(token, scope.file)
        )

    def definition(self, name: str, span: Span) -> Definition:
        """A definition, elaborated when it is first needed.

        Raises:
            Fault: it is defined through itself.
        """
        if name in self.names.definitions:
            return self.names.definitions[name]
        if name in self._defining:
            circle = " -> ".join([*self._defining[self._defining.index(name) :], name])
            raise Fault(
                "E0405", f"'{name}' is defined through itself: {circle}", span, "a definition may not be recursive"
            )
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
