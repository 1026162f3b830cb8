"""Sentences: what stands in quotes, with expressions in braces.

``{max_run}`` is a value, ``{max_run|card|cards}`` a number with the word for what it counts. A string that begins
with ``{when stall_limit > 0}`` belongs to the sentence only if that holds of the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from lark import Token

from biriba.language.diagnostics import RulesError
from biriba.language.elaborate.names import Fault, Scope
from biriba.language.elaborate.work import Work
from biriba.language.merge import unquote
from biriba.language.parser import parse_expression, span_of
from biriba.model import expr as x
from biriba.model import ruleset as r
from biriba.model.pure import settled
from biriba.model.span import Span

_PIECE = re.compile(r"\{([^{}]*)\}|((?:[^{}\\]|\\.)+)|[{}]")
_WHEN = re.compile(r"\{(\s*when\s)([^{}]*)\}\s*")


def sentences(work: Work, strings: list[object], scope: Scope) -> r.Prose:
    """The strings that belong to the sentence joined by blanks, their holes elaborated."""
    parts: list[r.Counted | str | x.Node] = []
    for token in cast("list[Token]", strings):
        start = 1
        condition = _WHEN.match(token, 1)
        if condition is not None:
            start = condition.end()
            if not _holds(work, token, condition, scope):
                continue
        if parts:
            parts.append(" ")
        parts += _parts(work, token, start, scope)
    return r.Prose(tuple(parts))


def _parts(work: Work, token: Token, start: int, scope: Scope) -> Iterator[r.Counted | str | x.Node]:
    """The parts of a string from a column on: holes are found in the literal, so that messages tell the place."""
    for piece in _PIECE.finditer(str(token)[:-1], start):
        if piece[1] is not None:
            yield _hole(work, token, piece, scope)
        elif piece[2] is None:
            hint = "a hole is written {name}"
            raise Fault("E0108", "a brace that is not closed, or not opened", _span(token, piece.start(), scope), hint)
        else:
            yield unquote(f'"{piece[2]}"')


def _hole(work: Work, token: Token, match: re.Match[str], scope: Scope) -> r.Counted | x.Node:
    expression, *forms = match[1].split("|")
    node = _expression(work, token, match.start(1), expression, scope)
    if not forms:
        return node
    if len(forms) != 2 or node.type.kind != "int":
        hint = "a number with the word for one and for several is written {packs|pack|packs}"
        raise Fault("E0301", "this counts nothing", _span(token, match.start(), scope), hint)
    return r.Counted(node, (forms[0].strip(), forms[1].strip()))


def _holds(work: Work, token: Token, match: re.Match[str], scope: Scope) -> bool:
    node = _expression(work, token, match.start(2), match[2], scope)
    try:
        value = settled(work.names.parameters, node)
    except ValueError:
        value = None
    if not isinstance(value, bool):
        hint = "it is yes or no for a whole rule set: {when max_deals > 0}"
        raise Fault("E0301", "a sentence depends on parameters only", _span(token, match.start(), scope), hint)
    return value


def _expression(work: Work, token: Token, start: int, text: str, scope: Scope) -> x.Node:
    start += token.start_pos or 0
    try:
        tree = parse_expression(work.flat.files[scope.file], start, start + len(text))
    except RulesError as error:
        first = error.diagnostics[0]
        raise Fault(first.code, first.message, first.span, first.hint) from None
    return work.expressions.expr(tree, scope)


def _span(token: Token, start: int, scope: Scope) -> Span:
    column = (token.column or 0) + start
    return replace(span_of(token, scope.file), column=column, end_column=column + 1)
