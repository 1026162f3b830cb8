"""Blocks by indentation: turns the line ends of the lexer into line ends, indents and dedents."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

MAX_NESTING = 100
"""How deep brackets, and the tree as a whole, may be nested."""

NEWLINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"
LAYOUT = frozenset((NEWLINE, INDENT, DEDENT))
"""The tokens that only lay out the text."""

OPENING = ("LPAR", "LSQB")
CLOSING = ("RPAR", "RSQB")


class LayoutFault(Exception):
    """Indentation or nesting that cannot be parsed; `token` is where."""

    def __init__(self, code: str, message: str, token: Token, hint: str) -> None:
        super().__init__(message)
        self.code, self.message, self.token, self.hint = code, message, token, hint


class Layout(PostLex):
    """Marks blocks by `_INDENT` and `_DEDENT`; inside brackets line ends mean nothing.

    It keeps no state between or during runs, so one instance serves all parsers and threads.
    """

    always_accept = (NEWLINE,)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with block marks. Raises `LayoutFault`."""
        levels = [0]
        brackets = 0
        token: Token | None = None
        for token in stream:
            if token.type != NEWLINE:
                brackets += (token.type in OPENING) - (token.type in CLOSING)
                if brackets > MAX_NESTING:
                    message = f"brackets are nested more than {MAX_NESTING} deep"
                    raise LayoutFault("E0109", message, token, "define parts of the expression by name")
                yield token
            elif brackets <= 0:
                yield token
                yield from _blocks(token, levels)
        end = token or Token(NEWLINE, "", 0, 1, 1, 1, 1, 0)
        for _ in levels[1:]:
            yield Token.new_borrow_pos(DEDENT, "", end)


def _blocks(newline: Token, levels: list[int]) -> Iterator[Token]:
    """The marks between a line end and the line after it, whose indentation ends the token."""
    spaces = newline[newline.rindex("\n") + 1 :]
    if "\t" in spaces:
        raise LayoutFault(
            "E0105", "this line is indented with a tab", _after(newline, spaces), "indent with two spaces"
        )
    depth = len(spaces)
    if depth > levels[-1]:
        levels.append(depth)
        yield _after(newline, spaces)
        return
    closed = depth
    while depth < levels[-1]:
        closed = levels.pop()
        yield Token.new_borrow_pos(DEDENT, "", newline)
    if depth != levels[-1]:
        message = f"this line is indented by {depth} spaces, which fits no block above it"
        known = ", ".join(str(n) for n in levels)
        hint = f"the blocks above it are indented by {known} and {closed} spaces"
        raise LayoutFault("E0104", message, _after(newline, spaces), hint)


def _after(newline: Token, spaces: str) -> Token:
    """An indent over the spaces that begin the line after a line end."""
    line, column, end = newline.end_line, newline.end_column, newline.end_pos
    assert line is not None
    assert column is not None
    assert end is not None
    return Token(INDENT, spaces, end - len(spaces), line, 1, line, column, end)
