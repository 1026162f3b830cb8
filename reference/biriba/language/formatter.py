"""The canonical layout of a rule set: what `format_source` changes is white space and nothing else.

Blocks are indented by two spaces; clauses stand apart by one blank line; lines of `parameter` and `set`,
rows of a table and lines of an example are set in columns. Line breaks stay where the author put them:
a line that continues the one above it is indented by two more spaces, and by two for every open bracket.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lark import Token

from biriba.language.layout import CLOSING, INDENT, LAYOUT, NEWLINE, OPENING
from biriba.language.parser import grammar, parse
from biriba.language.source import Source

_STEP = 2
"""Spaces of one level of indentation."""

_TIGHT_BEFORE = frozenset((",", ";", ":", ")", "]", "[", "..", "/"))
_TIGHT_AFTER = frozenset(("(", "[", "..", "/"))
_OPERAND_ENDS = frozenset(("NAME", "INT", "CARD", "YES", "NO", "NONE", "RPAR", "RSQB"))


def format_source(source: Source) -> str:
    """The text of a rule set in canonical layout. Errors: a `RulesError` if it has syntax errors."""
    parse(source)
    lines = _Reader(source.text if source.text.endswith("\n") else source.text + "\n").lines
    _set_apart(lines)
    for run in _runs(lines):
        _align(run)
    result = "".join("\n" * line.blank + line.render() + "\n" for line in lines)
    assert _bare(result) == _bare(source.text), "the formatter would change more than white space"
    return result


def _bare(text: str) -> str:
    return "".join(text.split())


@dataclass(slots=True)
class _Line:
    """A line of the text.

    Attributes:
        indent: in spaces.
        tokens: what stands on it; none on a line with only a comment.
        above: the last token above it.
        comment: with its `#`, or empty.
        blank: whether a blank line comes before it.
        continued: whether it goes on with the line above it.
        text: the tokens as text, once they are set in columns.
    """

    indent: int
    tokens: list[Token] = field(default_factory=list)
    above: Token | None = None
    comment: str = ""
    blank: bool = False
    continued: bool = False
    text: str | None = None

    @property
    def kind(self) -> str:
        """The type of its first token; empty on a line with only a comment."""
        return self.tokens[0].type if self.tokens else ""

    def render(self) -> str:
        text = _join(self.tokens, self.above) if self.text is None else self.text
        return " " * self.indent + "  ".join(part for part in (text, self.comment) if part)


# ---------------------------------------------------------------- lines and blank lines


class _Reader:
    """Reads the lines of a text that parses: indented anew, blank lines reduced to one."""

    def __init__(self, text: str) -> None:
        self.lines: list[_Line] = []
        levels = [0]  # the columns of the open blocks, as they stand in the source
        last_levels = [0]  # the same on the last line
        brackets, position, in_line = 0, 0, False
        last: Token | None = None
        for token in grammar().parse_interactive(text, start="start").iter_parse():
            if token.type in LAYOUT:
                if token.type == NEWLINE:
                    last_levels, in_line = levels.copy(), False
                elif token.type == INDENT:
                    levels.append(len(token))
                else:
                    levels.pop()
                continue
            gap = text[position : token.start_pos]
            if "\n" in gap or last is None:
                depth = len(levels) - 1
                indent = _continuation(depth, brackets, token) if in_line else depth * _STEP
                blank = self._gap(gap, _as_below(indent) if in_line else _by_column(last_levels, depth))
                self.lines.append(_Line(indent, above=last, blank=blank, continued=in_line))
            self.lines[-1].tokens.append(token)
            brackets += (token.type in OPENING) - (token.type in CLOSING)
            position, in_line, last = token.end_pos or 0, True, token
        self._gap(text[position:], _by_column(last_levels, 0))

    def _gap(self, gap: str, indent: Callable[[int], int]) -> bool:
        """Keeps the comments between two lines; whether a blank line stands after the last of them.

        `indent` gives the indentation of a comment that stands in some column.
        """
        pieces = gap.split("\n")
        if self.lines:
            self.lines[-1].comment = pieces.pop(0).strip(" \t")
        blank = False
        for piece in pieces[:-1]:
            comment = piece.strip(" \t")
            if comment:
                column = len(piece) - len(piece.lstrip(" \t"))
                self.lines.append(_Line(indent(column), comment=comment, blank=blank))
            blank = not comment
        return blank


def _continuation(depth: int, brackets: int, first: Token) -> int:
    """The indentation of a line that goes on with the one above it; a bracket that closes all stands at the margin."""
    if first.type in CLOSING:
        brackets -= 1
        if brackets == 0:
            return depth * _STEP
    return (depth + 1 + brackets) * _STEP


def _as_below(indent: int) -> Callable[[int], int]:
    return lambda _column: indent


def _by_column(levels: Sequence[int], depth: int) -> Callable[[int], int]:
    """A comment belongs to the block above it if it is indented like one, else to the line below, which has a depth."""
    return lambda column: _STEP * max(depth, min(sum(level < column for level in levels), len(levels) - 1))


def _set_apart(lines: Sequence[_Line]) -> None:
    """Puts a blank line before and after every clause and after the header, above the comments on what follows."""
    if lines:
        lines[0].blank = False
    before = ""
    for i, line in enumerate(lines):
        if line.tokens and line.indent == 0 and not line.continued:
            if before and (line.kind in ("CLAUSE", "REPLACE") or before in ("CLAUSE", "REPLACE", "RULESET", "PART")):
                first = i
                while not lines[first - 1].tokens and lines[first - 1].indent == 0:
                    first -= 1
                lines[first].blank = True
            before = line.kind


# ---------------------------------------------------------------- columns


def _runs(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """The groups of lines that are set in columns together, lines between them with only a comment left out."""
    run: list[_Line] = []
    whole = [not (line.continued or below.continued) for line, below in pairwise([*lines, _Line(0)])]
    for line, is_whole in zip(lines, whole, strict=True):
        kind = run[0].kind if run else ""
        in_paragraph = kind in ("PARAMETER", "SET")
        if not line.tokens and not in_paragraph:
            continue
        if kind != line.kind or not is_whole or (in_paragraph and line.blank):
            yield run
            run = []
        if is_whole and line.kind in ("PARAMETER", "SET", "VBAR", "EXAMPLE_LINE"):
            run.append(line)
    yield run


def _align(run: Sequence[_Line]) -> None:
    """Sets the cells of some lines of one kind in columns."""
    rows = [_cells(line) for line in run]
    most = max(map(len, rows), default=0)
    if run and run[0].kind == "VBAR":
        _align_table(run, [[*[None] * (most - len(row)), *row] for row in rows])
        return
    # The last cell of a line may be as long as it likes.
    widths = [max((len(row[i]) for row in rows if i < len(row) - 1), default=0) for i in range(most)]
    for line, row in zip(run, rows, strict=True):
        first, *others = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        line.text = f"{first} {'  '.join(others)}".rstrip()


def _align_table(run: Sequence[_Line], rows: Sequence[Sequence[str | None]]) -> None:
    """Sets a table in columns; a head that leaves out the column of the conditions has None there."""
    widths = [max(len(cell or "") for cell in column) for column in zip(*rows, strict=True)]
    for line, row in zip(run, rows, strict=True):
        cells = zip(row, widths, strict=True)
        line.text = "| " + "".join(f"{c or '':{width}} {' ' if c is None else '|'} " for c, width in cells).rstrip()


def _cells(line: _Line) -> list[str]:
    """The cells of a line that is set in columns."""
    tokens = line.tokens
    match line.kind:
        case "EXAMPLE_LINE":
            words = re.split(r"[ \t]+", tokens[0].strip(" \t"))
            return [words[0], " ".join(words[1:])]
        case "VBAR":
            bars = [i for i, token in enumerate(tokens) if token.type == "VBAR"]
            return [_join(tokens[i + 1 : j]) for i, j in pairwise(bars)]
        case _:
            # A parameter: name, value, range or options, unit, text. Two names meet only before the unit.
            starts = [0]
            for i, (left, right) in enumerate(pairwise(tokens), 1):
                unit = right.type == "NAME" and (left.type in _OPERAND_ENDS or left == "..")
                if unit or right.type in ("EQUAL", "IN", "ONE", "STRING"):
                    starts.append(i)
            return [_join(tokens[i:j]) for i, j in pairwise([*starts, len(tokens)])]


# ---------------------------------------------------------------- blanks between tokens


def _join(tokens: Sequence[Token], above: Token | None = None) -> str:
    """Tokens as text; `above` is the last token above them."""
    text = ""
    signed = bool(tokens) and tokens[0].type == "VALUE"  # a list of cards and points: no minus takes away
    before, left = None, above
    for i, right in enumerate(tokens):
        if i > 0 and left is not None and _apart(before, left, right, signed):
            text += " "
        text += right
        before, left = left, right
    return text


def _apart(before: Token | None, left: Token, right: Token, signed: bool) -> bool:
    """Whether a blank stands between two tokens; `before` is the one before them."""
    if right in _TIGHT_BEFORE:
        return False
    if left in _TIGHT_AFTER:
        return right.type == "STRING"
    if left.type == "MINUS":
        return not signed and before is not None and before.type in _OPERAND_ENDS
    return right != "(" or left.type not in ("NAME", "OLD")
