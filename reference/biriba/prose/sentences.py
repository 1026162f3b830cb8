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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from biriba.model import expr as x
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
        forms: for a number with the word for what it counts, as written; the word itself is the next piece.
    """

    text: str
    source: str | None = None
    parameters: tuple[str, ...] = ()
    known: bool = True
    forms: tuple[str, ...] = ()


def pieces(rules: Ruleset, prose: Prose) -> Iterator[Piece]:
    """The stretches of a sentence, in order."""
    for part in prose.parts:
        if isinstance(part, str):
            yield Piece(part)
        elif isinstance(part, Counted):
            yield from counted(hole(rules, part.number), part.forms)
        else:
            yield hole(rules, part)


def counted(number: Piece, forms: tuple[str, ...], language: str = "en") -> Iterator[Piece]:
    """A number and the word that goes with it; where the number is not known, the word for many."""
    value = int(number.text) if number.known else -1
    yield replace(number, forms=forms)
    yield Piece(f" {forms[plural(language, value)]}")


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
        node, forms = (part.number, part.forms) if isinstance(part, Counted) else (part, ())
        parts.append("{" + "|".join((expression_source(rules, node), *forms)) + "}")
    return "".join(parts)


def holes(text: str) -> list[str]:
    """The expressions in the braces of a template, in order."""
    return [inside.partition("|")[0] for inside in HOLE.findall(text)]


def plural(language: str, number: int) -> int:
    """Which of a language's forms goes with a number; -1 is a number not known."""
    return PLURALS.get(language, PLURALS["en"])[1](number)


def miscounted(language: str, text: str) -> list[str]:
    """The holes of a template whose words are not as many as the language has forms."""
    wanted = PLURALS.get(language, PLURALS["en"])[0]
    return [inside for inside in HOLE.findall(text) if inside.count("|") not in (0, wanted)]


def _russian(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2


PLURALS: Mapping[str, tuple[int, Callable[[int], int]]] = {
    "en": (2, lambda n: int(n != 1)),
    "el": (2, lambda n: int(n != 1)),
    "fr": (2, lambda n: int(n not in (0, 1))),
    "pt": (2, lambda n: int(n != 1)),
    "ru": (3, lambda n: 2 if n < 0 else _russian(n)),
}
"""For each language how many forms a counted word has, and which of them goes with a number."""


def translated(rules: Ruleset, prose: Prose, text: str, language: str = "en") -> Iterator[Piece]:
    """The stretches of a translated template.

    Raises:
        KeyError: it has a hole that the sentence does not have.
    """
    known: Mapping[str, Piece] = {p.source: p for p in pieces(rules, prose) if p.source is not None}
    end = 0
    for match in HOLE.finditer(text):
        if match.start() > end:
            yield Piece(text[end : match.start()])
        expression, *forms = match[1].split("|")
        if forms:
            yield from counted(known[expression], tuple(forms), language)
        else:
            yield replace(known[expression], forms=())
        end = match.end()
    if end < len(text):
        yield Piece(text[end:])
