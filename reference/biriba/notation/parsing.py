"""From text to a syntax tree of `grammar/notation.lark`, with every complaint as a `NotationError`."""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from biriba.data import grammar_dir
from biriba.notation.errors import NotationError, fault, quoted

Node = Tree[Token]
START = ("meld", "action", "position", "given", "record")
MAX_TEXT = 16_000_000
_MAX_DIGITS = 9

# How the parts of the notation are called in messages.
_TERMS = {
    "WORD": "a card, name or number",
    "PLACE": "a place such as @4",
    "TEXT": "a name, version or digest",
    "STRING": "a text in quotes",
    "LSQB": "'['",
    "RSQB": "']'",
    "_SEP": "';'",
    "_NL": "the end of the line",
    "$END": "the end",
}


@cache
def _parser() -> Lark:
    grammar = (grammar_dir() / "notation.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", start=list(START))


def parse(text: str, start: str) -> Node:
    """The syntax tree of a text by one of the grammar's start rules.

    Raises:
        NotationError: the text is not of that form.
    """
    if len(text) > MAX_TEXT:
        raise NotationError(f"the text has {len(text)} characters, and {MAX_TEXT} is the most that is read")
    try:
        return _parser().parse(text, start=start)
    except UnexpectedInput as error:
        raise _explained(text, error) from None


def number(text: str, word: Token) -> int:
    """The whole number that a word is.

    Raises:
        NotationError: it is none, or too large.
    """
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise fault(text, offset(word), f"expected a number, found {quoted(word)}")
    if len(digits) > _MAX_DIGITS:
        raise fault(text, offset(word), f"the number {quoted(word)} is too large")
    return int(word)


def offset(node: Node | Token) -> int:
    """Where a token, or the first token of a tree, begins in the text."""
    while isinstance(node, Tree):
        if not node.children:
            return 0
        node = node.children[0]
    return node.start_pos or 0


def end(node: Node | Token) -> int:
    """Where a token, or the last token of a tree, ends in the text."""
    while isinstance(node, Tree):
        if not node.children:
            return 0
        node = node.children[-1]
    return node.end_pos or 0


def _explained(text: str, error: UnexpectedInput) -> NotationError:
    expected: Any = ()
    match error:
        case UnexpectedToken():
            at_end = error.token.type == "$END"
            where = len(text.rstrip()) if at_end else error.token.start_pos or 0
            found = "the end" if at_end else quoted(error.token)
            expected = error.accepts or error.expected
        case UnexpectedCharacters():
            where = error.pos_in_stream or 0
            found = quoted(text[where])
        case UnexpectedEOF():
            where, found, expected = len(text.rstrip()), "the end", error.expected
        case _:
            where, found = 0, "something else"
    if found.strip("'").strip() in ("", "\\n", "\\r\\n"):
        found = "the end of the line"
    wanted = sorted({_TERMS.get(term, f"'{term.lower()}'") for term in expected or () if term != "CONTINUED"})
    message = f"expected {_listed(wanted)}, found {found}" if wanted else f"{found} cannot stand here"
    return fault(text, where, message, "words are separated by blanks" if found == "','" else None)


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
