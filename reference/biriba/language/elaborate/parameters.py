"""Parameters: their values, checked against their ranges."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate.cards import constant
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.elaborate.work import Work
from biriba.language.merge import Piece, unquote
from biriba.language.parser import span_of
from biriba.model import ruleset as r
from biriba.model.types import BOOL, Type, number


def parameters(work: Work) -> None:
    for name, piece in work.flat.parameters.items():
        with work.names.catching():
            work.names.parameters[name] = _parameter(work, name, piece)


def _parameter(work: Work, name: str, piece: Piece) -> r.Parameter:
    _, value_tree, limits, unit, text = piece.tree.children
    setting = work.flat.settings.get(name)
    source = setting or piece
    value_tree = cast("Tree[Token]", setting.tree.children[1] if setting else value_tree)
    span = span_of(value_tree, source.source.name)
    value = _literal(value_tree)
    words = "" if text is None else unquote(str(text))
    if isinstance(limits, Tree) and limits.data == "options":
        options = tuple(str(t) for t in limits.children)
        if value not in options:
            advice = did_you_mean(str(value), options) or f"one of: {', '.join(options)}"
            raise Fault("E0501", f"parameter '{name}' cannot be '{shown(value)}'", span, advice)
        type_ = Type("option", detail=name)
        return r.Parameter(name, value, type_, None, None, options, None, words, piece.span)
    declared = _literal(cast("Tree[Token]", piece.tree.children[1]))
    if isinstance(declared, bool):
        if isinstance(limits, Tree):
            raise Fault("E0301", f"parameter '{name}' has a range, so it is a number, not yes or no", span)
        if not isinstance(value, bool):
            raise Fault("E0301", f"parameter '{name}' is yes or no, not '{shown(value)}'", span)
        return r.Parameter(name, value, BOOL, text=words, span=piece.span)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault("E0301", f"parameter '{name}' is a number, not '{shown(value)}'", span)
    bounds = _range(limits)
    low, high = bounds
    if (low is not None and value < low) or (high is not None and value > high):
        message = f"parameter '{name}' is {value}, outside its range {_open(low)}..{_open(high)}"
        raise Fault("E0501", message, span, f"the range is declared at {piece.span}" if setting else None)
    return r.Parameter(name, value, number(), *bounds, (), None if unit is None else str(unit), words, piece.span)


def count(work: Work, tree: object, piece: Piece) -> int:
    """A constant expression: how many packs, how many jokers."""
    inner = tree
    if isinstance(inner, Tree) and inner.data in ("integer", "name"):
        return constant(work.names, inner, piece)
    node = work.expressions.of_type(cast("Tree[Token]", tree), Scope(piece.source.name), number())
    if node.type.low is None or node.type.low != node.type.high:
        raise Fault("E0305", "this must be a number that the rules fix", node.span, "use digits and parameters only")
    return node.type.low


def _literal(tree: Tree[Token]) -> int | bool | str:
    """The value of a parameter as written."""
    if tree.data == "integer":
        return int(cast(Token, tree.children[1])) * (-1 if tree.children[0] is not None else 1)
    if tree.data in ("yes", "no"):
        return tree.data == "yes"
    return str(tree.children[0])


def _range(limits: object) -> tuple[int | None, int | None]:
    """The bounds of a number as written; None where the range is open."""
    if not isinstance(limits, Tree):
        return None, None
    low, high = (None if t is None else _literal(t) for t in limits.children)
    return cast("int | None", low), cast("int | None", high)


def shown(value: int | bool | str) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _open(bound: int | None) -> str:
    return "" if bound is None else str(bound)
