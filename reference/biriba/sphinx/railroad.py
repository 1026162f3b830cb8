"""Railroad diagrams of a Lark grammar, section by section as its comments divide it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from io import StringIO
from typing import Any

from lark import Token, Tree
from lark.load_grammar import _get_parser as grammar_parser

_RULER = re.compile(r"^// -{8,} (.+)$")
_BEGIN = re.compile(r"^[?!_]*([A-Za-z_][A-Za-z_0-9]*)(?:\.\d+)?\s*:")


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """A rule or word of a grammar: its name, its text, and its diagram."""

    name: str
    text: str
    svg: str


def sections(text: str) -> Iterator[tuple[str, list[GrammarRule]]]:
    """The sections of a grammar: the title of a comment that is a ruler, and the rules below it."""
    title, rules = "The whole file", list[GrammarRule]()
    for head, source in _pieces(text):
        if not source:
            if rules:
                yield title, rules
            title, rules = head, []
        else:
            rules.append(GrammarRule(head, source, _draw(source)))
    if rules:
        yield title, rules


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Titles (without a source) and definitions, in order."""
    name, lines = "", list[str]()
    for line in [*text.splitlines(), ""]:
        begins, ruler = _BEGIN.match(line), _RULER.match(line)
        if lines and (begins or not line.strip() or line.startswith(("//", "%"))):
            yield name, "\n".join(lines) + "\n"
            lines = []
        if ruler:
            yield ruler[1][:1].upper() + ruler[1][1:], ""
        elif begins:
            name, lines = begins[1], [line]
        elif lines:
            lines.append(line)


def _draw(source: str) -> str:
    railroad: Any = import_module("railroad")
    tree: Any = grammar_parser().parse(source)  # type: ignore[no-untyped-call]
    body = next(tree.find_pred(lambda t: t.data in ("rule", "term"))).children[-1]
    drawn: Any = railroad.Diagram(_Drawer(railroad).node(body), css=None)
    out = StringIO()
    drawn.writeSvg(out.write)
    said = html.escape(" ".join(source.split()), quote=True)
    return out.getvalue().replace("<svg ", f'<svg role="img" aria-label="{said}" ', 1)


class _Drawer:
    """From the tree of a definition to the parts of a diagram."""

    def __init__(self, railroad: Any) -> None:
        self.r = railroad

    def node(self, tree: Any) -> Any:
        if isinstance(tree, Token):
            return self.token(tree)
        children = [c for c in tree.children if isinstance(c, (Tree, Token)) and not _is_sign(c)]
        match tree.data:
            case "expansions":
                return self.choice(children)
            case "expansion":
                return self.sequence(children)
            case "alias":
                return self.node(children[0])
            case "expr":
                return self.repeated(tree.children)
            case "maybe":
                return self.r.Optional(self.node(children[0]))
            case _:
                return self.sequence(children)

    def choice(self, children: list[Any]) -> Any:
        drawn = [self.node(child) for child in children]
        return drawn[0] if len(drawn) == 1 else self.r.Choice(0, *drawn)

    def sequence(self, children: list[Any]) -> Any:
        drawn = [self.node(child) for child in children]
        return drawn[0] if len(drawn) == 1 else self.r.Sequence(*drawn) if drawn else self.r.Skip()

    def repeated(self, children: list[Any]) -> Any:
        inner, sign = self.node(children[0]), str(children[1])
        match sign:
            case "?":
                return self.r.Optional(inner)
            case "*":
                return self.r.ZeroOrMore(inner)
            case "+":
                return self.r.OneOrMore(inner)
            case _:
                return self.r.Sequence(inner, self.r.Comment(sign))

    def token(self, token: Token) -> Any:
        text = str(token)
        if token.type in ("STRING", "REGEXP"):
            shown = text[1:-1] if token.type == "STRING" else text
            return self.r.Terminal(shown if len(shown) <= 60 else shown[:57] + "…")
        return self.r.NonTerminal(text)


def _is_sign(child: Any) -> bool:
    return isinstance(child, Token) and child.type in ("OP", "TILDE")
