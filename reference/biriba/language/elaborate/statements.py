"""The deal, invariants and facts, the score sheet and the match."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from biriba.language.elaborate import facts
from biriba.language.elaborate.cards import clause_of
from biriba.language.elaborate.names import ALWAYS, MATCH, SHEET, Fault, Scope
from biriba.language.elaborate.work import Work
from biriba.language.merge import Piece, unquote
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model import ruleset as r
from biriba.model.types import SEAT, SIDE, number


def deal(work: Work, tree: Tree[Token], piece: Piece) -> r.DealStep:
    scope = Scope(piece.source.name, known=MATCH)
    return r.DealStep(work.effects.suite(tree.children[0], scope), clause_of(piece))


def statement(work: Work, tree: Tree[Token], piece: Piece) -> r.Statement:
    return r.Statement(work.expressions.boolean(tree.children[0], Scope(piece.source.name)), clause_of(piece))


def invariant(work: Work, tree: Tree[Token], piece: Piece) -> r.Statement:
    scope = Scope(piece.source.name, known=ALWAYS)
    return r.Statement(work.expressions.boolean(tree.children[0], scope), clause_of(piece))


def step_statement(work: Work, tree: Tree[Token], piece: Piece) -> r.Statement:
    scope = Scope(piece.source.name, acting=True, old=True, known=ALWAYS)
    return r.Statement(work.expressions.boolean(tree.children[0], scope), clause_of(piece))


def score(work: Work, tree: Tree[Token], piece: Piece) -> r.ScoreLine:
    label, word, var, where_tree, *rest = tree.children
    file = piece.source.name
    type_ = work.expressions.type_named(cast(Token, word), file)
    if type_ != SIDE and type_.kind != "meld":
        hint = "write: score ... for side p, or: for meld m"
        raise Fault("E0305", f"points are for a side or a meld, not for a {type_.kind}", span_of(tree, file), hint)
    scope = Scope(file, {str(var): type_}, known=SHEET if type_ == SIDE else frozenset())
    where = None
    if where_tree is not None:
        where = work.expressions.boolean(where_tree, scope)
        scope = scope.knowing(facts.when_true(where))
    rows = [t for t in rest if isinstance(t, Tree) and t.data == "row"]
    body: x.Node
    if rows:
        body = work.expressions.table(rows, scope, span_of(tree, file))
    else:
        body = work.expressions.of_type(cast("Tree[Token]", rest[0]), scope, number())
    return r.ScoreLine(unquote(str(label)), str(var), type_, where, body, clause_of(piece))


def match(work: Work) -> r.Match:
    items = work.items
    ends = work.each("ending", _ending)
    winners = work.each("winner", _winner)
    dealers = work.each("next_dealer", _next_dealer)
    lots = [clause_of(piece) for _, piece in items["first_dealer"]]
    for kind, found in (("match winner", winners), ("match next dealer", dealers), ("match first dealer", lots)):
        if len(found) > 1:
            tree, piece = items[
                {"match winner": "winner", "match next dealer": "next_dealer"}.get(kind, "first_dealer")
            ][1]
            with work.names.catching():
                raise Fault("E0211", f"`{kind}` is declared twice", span_of(tree, piece.source.name))
    divisors = work.each("written", _divisor)
    if len(divisors) > 1:
        tree, piece = items["written"][1]
        with work.names.catching():
            raise Fault("E0211", "`match points written` is declared twice", span_of(tree, piece.source.name))
    divisor, clause = divisors[0] if divisors else (1, None)
    return r.Match(
        ends,
        winners[0] if winners else None,
        dealers[0] if dealers else None,
        lots[0] if lots else None,
        divisor,
        clause,
    )


def _divisor(work: Work, tree: Tree[Token], piece: Piece) -> tuple[int, str | None]:
    node = work.expressions.of_type(tree.children[0], Scope(piece.source.name), number())
    low, high = node.type.low, node.type.high
    if low is None or low != high or low < 1:
        raise Fault("E0305", "points are divided by a number, 1 or more, that the rules fix", node.span)
    return low, clause_of(piece)


def _ending(work: Work, tree: Tree[Token], piece: Piece) -> r.Statement:
    scope = Scope(piece.source.name, known=MATCH)
    return r.Statement(work.expressions.boolean(tree.children[0], scope), clause_of(piece))


def _winner(work: Work, tree: Tree[Token], piece: Piece) -> r.Winner:
    word, var, body = tree.children
    if str(word) != "side":
        span = span_of(cast(Token, word), piece.source.name)
        raise Fault("E0305", "a match is won by a side", span, "write: match winner is side p when ...")
    scope = Scope(piece.source.name, {str(var): SIDE}, known=MATCH)
    return r.Winner(str(var), work.expressions.boolean(cast("Tree[Token]", body), scope), clause_of(piece))


def _next_dealer(work: Work, tree: Tree[Token], piece: Piece) -> r.Statement:
    scope = Scope(piece.source.name, known=MATCH)
    return r.Statement(work.expressions.of_type(tree.children[0], scope, SEAT), clause_of(piece))
