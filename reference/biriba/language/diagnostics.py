"""Messages to the author of a rule set: what is wrong, where, and what to do about it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biriba.model.span import Span
from biriba.suggest import did_you_mean

if TYPE_CHECKING:
    from biriba.language.source import Source

__all__ = ["CODES", "Diagnostic", "RulesError", "did_you_mean", "quote", "render", "visible"]

CODES: dict[str, str] = {
    # E01: the source and its syntax
    "E0101": "a word or sign stands where it cannot stand",
    "E0102": "a character that the language does not know",
    "E0103": "a text in quotes that is not closed",
    "E0104": "indentation that fits no block",
    "E0105": "a tab in the indentation",
    "E0106": "the lines of a clause are out of order",
    "E0107": "a clause, example, template or block without a body",
    "E0108": "a bracket that is not closed, or not opened",
    "E0109": "brackets, expressions or blocks nested too deep",
    "E0110": "a file that is too large",
    "E0111": "a file that is not UTF-8 text",
    "E0112": "a file that cannot be read",
    "E0113": "a rule set without a header, or with two",
    # E02: names and inheritance
    "E0201": "a name that is not declared",
    "E0202": "a name that is declared twice",
    "E0204": "a clause id that is used twice",
    "E0205": "a parent rule set that cannot be found",
    "E0206": "rule sets that extend one another in a circle",
    "E0207": "a clause that replaces or drops nothing",
    "E0208": "a rule set where a part is wanted, or a part where a rule set is",
    "E0209": "parts that contradict each other",
    "E0210": "a part that every rule set needs is missing",
    "E0211": "a part that a rule set has only once stands twice",
    "E0212": "a source that the header does not name",
    # E03: types
    "E0301": "a value of the wrong type",
    "E0302": "the wrong number of arguments",
    "E0303": "a comparison between things that cannot be compared",
    "E0304": "a place that cannot be changed",
    "E0305": "a construct that is not allowed here",
    "E0306": "an owner that does not fit",
    # E04: totality: every expression has a value, every effect can take place
    "E0401": "a value that may be none is used as if it were always there",
    "E0402": "a partial function without the guard that it needs",
    "E0403": "cards are moved that may not be there",
    "E0404": "a range that may be empty, or has no bound",
    "E0405": "recursion that may not end",
    # E05: values and ranges
    "E0501": "a parameter outside its range",
    "E0502": "a state that may leave its range",
    "E0503": "parameters that contradict each other: a fact does not hold",
    "E0504": "a deck, value or place that does not fit the cards",
    # W06: lint
    "W0601": "a clause without a sentence",
    "W0602": "a clause without a source or a ruling",
    "W0603": "a declaration that nothing uses",
    "W0604": "a name that means something else in the notation of positions and games",
    "W0605": "a clause without a formal meaning",
    "W0606": "a lawful meld that breaks an invariant",
    "W0607": "a statement about the cards or the deal that does not hold",
    "W0608": "random play in which an invariant does not hold, or nothing is legal",
}
"""All codes with what they stand for. A diagnostic with another code is a fault of this program."""

EXCERPT_WIDTH = 100
"""Most columns of a source line that are shown."""
TAB_WIDTH = 4


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about one place in a rule set.

    Attributes:
        code: a key of `CODES`.
        message: one sentence: what is wrong and what was expected.
        span: where; a line of 0 stands for the file as a whole.
        hint: what to do about it, or None.
        severity: ``error`` or ``warning``.
    """

    code: str
    message: str
    span: Span
    hint: str | None = None
    severity: str = "error"


class RulesError(Exception):
    """A rule set that cannot be used, with all that is wrong with it; `str()` gives the messages as text."""

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources)
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        return render(self.diagnostics, self.sources)


def render(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], color: bool = False) -> str:
    """The messages as text for a terminal, in the order of the source, with excerpts and a count."""
    paint = _Paint(color)
    ordered = sorted(diagnostics, key=lambda d: (d.span, d.code, d.message))
    lines = {name: source.text.split("\n") for name, source in sources.items()}
    parts = [_render_one(d, lines, paint) for d in ordered]
    errors = sum(d.severity == "error" for d in ordered)
    counts = [_count(errors, "error"), _count(len(ordered) - errors, "warning")]
    return "\n\n".join([*parts, ", ".join(c for c in counts if c) or "no errors"])


def visible(text: str) -> str:
    """The text with control and other invisible characters made visible, so that it fits on one line."""
    return "".join(_visible_character(c) for c in text)


def quote(text: str, limit: int = 40) -> str:
    """The text in single quotes, cut off after `limit` characters."""
    return f"'{text}'" if len(text) <= limit else f"'{text[: limit - 1]}…'"


class _Paint:
    """Colours for a terminal, or none."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.on else text


_BLUE = "1;34"
_BOLD = "1"
_STYLES = {"error": "1;31", "warning": "1;33"}


def _render_one(diagnostic: Diagnostic, sources: Mapping[str, list[str]], paint: _Paint) -> str:
    style = _STYLES[diagnostic.severity]
    head = paint(style, f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [head + paint(_BOLD, ": " + visible(diagnostic.message))]
    span = diagnostic.span
    gutter = " " * len(str(span.line))
    if span.file:
        place = str(span) if span.line else span.file
        lines.append(f"{gutter}{paint(_BLUE, '-->')} {visible(place)}")
    source = sources.get(span.file, [])
    if 0 < span.line <= len(source):
        text, underline = _excerpt(source[span.line - 1], span)
        lines.append(f"{gutter} {paint(_BLUE, '|')}")
        lines.append(f"{paint(_BLUE, f'{span.line} |')} {text}".rstrip())
        lines.append(f"{gutter} {paint(_BLUE, '|')} {paint(style, underline)}")
    if diagnostic.hint:
        lines.append(f"{gutter} {paint(_BLUE, '=')} hint: {visible(diagnostic.hint)}")
    return "\n".join(lines)


def _excerpt(line: str, span: Span) -> tuple[str, str]:
    """The line as shown and the carets under the span, both cut to `EXCERPT_WIDTH` columns around it."""
    start = max(0, min(span.column - 1, len(line)))
    end = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    cut = max(0, start - EXCERPT_WIDTH)
    cells = [_cell(c) for c in line[cut : start + 2 * EXCERPT_WIDTH]]
    start, end = start - cut, max(end, start + 1) - cut
    # Half of the width before the carets is enough to recognise the place.
    first, room = start, EXCERPT_WIDTH // 2
    while first > 0 and (room := room - cells[first - 1][1]) >= 0:
        first -= 1
    last, room = first, EXCERPT_WIDTH
    while last < len(cells) and (room := room - cells[last][1]) >= 0:
        last += 1
    before, after = "…" if cut + first else "", "…" if cut + last < len(line) else ""
    text = before + "".join(shown for shown, _ in cells[first:last]) + after
    indent = len(before) + sum(width for _, width in cells[first:start])
    carets = sum(width for _, width in cells[start : min(end, last)])
    return text, " " * indent + "^" * max(carets, 1)


def _cell(character: str) -> tuple[str, int]:
    """How a character is shown, and in how many columns."""
    if character == "\t":
        return " " * TAB_WIDTH, TAB_WIDTH
    shown = _visible_character(character)
    if len(shown) > 1:
        return shown, len(shown)
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me"):
        return shown, 0
    return shown, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _visible_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code < 0x7F or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return character
    return "\u2421" if code == 0x7F else f"\\u{{{code:x}}}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}" if number else ""
