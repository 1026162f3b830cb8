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
from collections.abc import Iterator
from dataclasses import dataclass

from biriba.model import expr as x
from biriba.model.plurals import forms, plural
from biriba.model.ruleset import Counted, Prose, Ruleset
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
        if isinstance(part, str):
            yield Piece(part)
        elif isinstance(part, Counted):
            yield from counted(hole(rules, part.number), part.forms, part.language)
        else:
            yield hole(rules, part)


def counted(number: Piece, words: tuple[str, ...], language: str = "en") -> Iterator[Piece]:
    """A number and the word that goes with it; where the number is not known, the word for many."""
    value = int(number.text) if number.known else -1
    yield number
    yield Piece(f" {words[plural(language, value)]}")


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
    parts = []
    for part in prose.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        node, words = (part.number, part.forms) if isinstance(part, Counted) else (part, ())
        parts.append("{" + "|".join((expression_source(rules, node), *words)) + "}")
    return "".join(parts)


def holes(text: str) -> list[str]:
    """The expressions in the braces of a template, in order."""
    return [inside.partition("|")[0] for inside in HOLE.findall(text)]


def miscounted(language: str, text: str) -> list[str]:
    """The holes of a template whose words are not as many as the language has forms."""
    return [inside for inside in HOLE.findall(text) if inside.count("|") not in (0, forms(language))]


def worded(rules: Ruleset, prose: Prose, text: str, language: str) -> Prose:
    """A sentence in other words: those of a translated template.

    Raises:
        KeyError: it has a hole that the sentence does not have.
    """
    known = {expression_source(rules, node): node for node in prose.expressions()}
    parts: list[str | x.Node | Counted] = []
    end = 0
    for match in HOLE.finditer(text):
        if match.start() > end:
            parts.append(text[end : match.start()])
        expression, *words = match[1].split("|")
        parts.append(Counted(known[expression], tuple(words), language) if words else known[expression])
        end = match.end()
    if end < len(text):
        parts.append(text[end:])
    return Prose(tuple(parts))
