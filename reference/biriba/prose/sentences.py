"""A clause's sentence as text: its holes filled with the numbers of a rule set, or left as they are.

>>> from biriba.language.load import load_ruleset
>>> rules = load_ruleset("biriba")
>>> plain(rules, rules.clauses["run.max_size"].prose)
'A run has at most 13 cards.'
>>> template(rules, rules.clauses["run.max_size"].prose)
'A run has at most {max_run} cards.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biriba.model import expr as x
from biriba.model.ruleset import Prose, Ruleset
from biriba.prose.expressions import constant_text, expression_source

HOLE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a sentence.

    Attributes:
        text: what a reader sees.
        source: the expression that was written there, None for plain words.
        parameters: the parameters that the text depends on.
        known: whether the text is the value; otherwise only a situation of the game has one.
    """

    text: str
    source: str | None = None
    parameters: tuple[str, ...] = ()
    known: bool = True


def pieces(rules: Ruleset, prose: Prose) -> Iterator[Piece]:
    """The stretches of a sentence, in order."""
    for part in prose.parts:
        yield Piece(part) if isinstance(part, str) else hole(rules, part)


def hole(rules: Ruleset, node: x.Node) -> Piece:
    """What stands in a hole of a sentence."""
    source = expression_source(rules, node)
    value = constant_text(rules, node)
    names = dict.fromkeys(part.name for part in node.walk() if isinstance(part, x.Param))
    return Piece(source if value is None else value, source, tuple(names), value is not None)


def plain(rules: Ruleset, prose: Prose) -> str:
    """The sentence with its numbers; what only a situation tells stays in braces."""
    return "".join(piece.text if piece.known else f"{{{piece.text}}}" for piece in pieces(rules, prose))


def template(rules: Ruleset, prose: Prose) -> str:
    """The sentence with its holes in braces: what is translated."""
    return "".join(piece.text if piece.source is None else f"{{{piece.source}}}" for piece in pieces(rules, prose))


def holes(text: str) -> list[str]:
    """What stands in the braces of a template, in order."""
    return HOLE.findall(text)


def translated(rules: Ruleset, prose: Prose, text: str) -> Iterator[Piece]:
    """The stretches of a translated template.

    Raises:
        KeyError: it has a hole that the sentence does not have.
    """
    known: Mapping[str, Piece] = {p.source: p for p in pieces(rules, prose) if p.source is not None}
    end = 0
    for match in HOLE.finditer(text):
        if match.start() > end:
            yield Piece(text[end : match.start()])
        yield known[match[1]]
        end = match.end()
    if end < len(text):
        yield Piece(text[end:])
