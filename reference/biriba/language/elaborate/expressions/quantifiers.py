"""Bound variables: quantifiers, and what a variable may run over."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from lark import Token, Tree

from biriba.language.elaborate import facts
from biriba.language.elaborate.expressions.atoms import Atoms
from biriba.language.elaborate.expressions.base import Syntax, unwrap
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.types import BOOL, CARD, SEAT, SIDE, Type, number


class Quantifiers(Atoms):
    """Bound variables."""

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
            hint = "give the variable another name" if var in scope.vars else self.names.clash_hint(var)
            raise Fault("E0202", message, self._span(what, scope), hint)
        inner = scope.bind({var: type_})
        condition = None
        if where is not None:
            condition = self.boolean(where, inner)
            inner = inner.knowing(facts.when_true(condition))
        if isinstance(domain, x.CardsOf):
            there = x.Contains(card=x.Var(name=var, type=CARD), zone=domain.zone, type=BOOL)
            inner = inner.knowing((there,))
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
        tree = unwrap(over)
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
        word, var, first, extra = cast("list[Syntax | None]", tree.children)
        assert first is not None
        if str(word) == "meld":
            return str(var), Type("meld"), self._melds_from(first, extra, scope)
        self._must_be_seat(cast(Token, word), scope)
        if extra is not None:
            raise Fault("E0305", "only melds are made with a card", self._span(extra, scope))
        return (
            str(var),
            SEAT,
            x.SeatsFrom(seat=self.of_type(first, scope, SEAT), type=SEAT, span=self._span(tree, scope)),
        )

    def _melds_from(self, zone: Syntax, card: Syntax | None, scope: Scope) -> x.MeldsFrom:
        place = self.zone_of(zone, scope)
        if place.type.detail == "melds":
            hint = "those that lie there are: each meld m in ..."
            raise Fault("E0301", "new melds are made of a pile or hand, not of melds", place.span, hint)
        extra = None if card is None else self.of_type(card, scope, CARD)
        return x.MeldsFrom(zone=place, card=extra, type=Type("meld"), span=place.span)

    def _must_be_seat(self, word: Token, scope: Scope) -> None:
        if str(word) != "seat":
            hint = "write: each seat s of p, or: each seat s from right(dealer)"
            raise Fault("E0301", f"only seats are listed this way, not {word}s", span_of(word, scope.file), hint)
