"""What is said of a text or JSON value that is not in the notation."""

from __future__ import annotations

_BEFORE, _AFTER = 64, 48


class NotationError(Exception):
    """A text that is not in the notation: one message, the line at fault, and a hint if there is one.

    Attributes:
        message: what is wrong, in a sentence without a full stop.
        text: the line at fault; empty if the fault is in a JSON value.
        column, line: where in the text, from 1.
        hint: what to write instead, or None.
        file: the name of the file that the text is from; empty if it is not from a file.
    """

    file = ""

    def __init__(self, message: str, text: str = "", column: int = 1, hint: str | None = None, line: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.text = text
        self.column = column
        self.hint = hint
        self.line = line

    def __str__(self) -> str:
        where = f"{self.file}: " if self.file else ""
        lines = [where + self.message]
        if self.text:
            text, column = _excerpt(self.text, self.column)
            first = f"{self.message} ({f'line {self.line}, ' if self.line > 1 else ''}column {self.column})"
            if self.file:
                first = f"{self.file}:{self.line}:{self.column}: {self.message}"
            lines = [first, f"  {text}", "  " + " " * (column - 1) + "^"]
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)


class JsonError(NotationError):
    """A JSON value that does not have the form it should.

    Attributes:
        path: where in the document, ``$.zones.hand.A[3]``.
    """

    def __init__(self, path: str, message: str, hint: str | None = None) -> None:
        super().__init__(f"{path}: {message}", hint=hint)
        self.path = path


def fault(text: str, offset: int, message: str, hint: str | None = None) -> NotationError:
    """The error for a place in a text of any number of lines."""
    offset = min(max(offset, 0), len(text))
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end].rstrip("\r")
    return NotationError(message, line or " ", offset - start + 1, hint, text.count("\n", 0, offset) + 1)


def quoted(word: str, limit: int = 24) -> str:
    """A word from a text as it is shown in a message: in quotes, not too long, control characters visible."""
    shown = word if len(word) <= limit else word[: limit - 1] + "…"
    return "'" + "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown) + "'"


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of a line around a column, and the column in that part."""
    start = 0 if column <= _BEFORE + 1 else column - 1 - _BEFORE
    end = min(len(line), max(column, 1) + _AFTER)
    before, after = "…" if start else "", "…" if end < len(line) else ""
    shown = "".join(c if c.isprintable() else " " for c in line[start:end])
    return before + shown + after, column - start + len(before)
