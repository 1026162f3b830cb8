"""The text of a rule set and the name under which messages speak of it."""

from __future__ import annotations

import codecs
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from biriba.language.diagnostics import Diagnostic, RulesError
from biriba.model.span import Span

MAX_BYTES = 2_000_000
"""The largest file that is read; the canonical rules have some 35 kB."""


@dataclass(frozen=True, slots=True)
class Source:
    """A rule set as text. Its lines end with a line feed; carriage returns before one are taken off."""

    name: str
    text: str

    def __post_init__(self) -> None:
        if "\r" in self.text:
            object.__setattr__(self, "text", self.text.replace("\r\n", "\n"))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text, without their ends."""
        return _lines(self.text)

    def span(self, start: int, end: int) -> Span:
        """The stretch between two offsets in the text, the end exclusive."""
        return Span(self.name, *self._place(start), *self._place(end))

    def _place(self, offset: int) -> tuple[int, int]:
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)


@lru_cache(maxsize=16)
def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.splitlines())


def read_source(path: str | os.PathLike[str]) -> Source:
    """Read a rule set from a file; its name is the path as given.

    Errors: a `RulesError` if there is no such file, it cannot be read, is larger than `MAX_BYTES` or is
    not UTF-8.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _failure(name, "E0112", "there is no such file") from None
    except IsADirectoryError:
        raise _failure(name, "E0112", "this is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _failure(name, "E0112", f"the file cannot be read: {reason}") from None
    if len(data) > MAX_BYTES:
        raise _failure(name, "E0110", too_large())
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _not_utf8(name, data, error) from None


def too_large() -> str:
    """The message about a file that is too large."""
    return f"the file is larger than {MAX_BYTES // 1_000_000} MB, the most a rule set may have"


def _failure(name: str, code: str, message: str) -> RulesError:
    return RulesError([Diagnostic(code, message, Span(name, 0, 0, 0, 0))], {})


def _not_utf8(name: str, data: bytes, error: UnicodeDecodeError) -> RulesError:
    source = Source(name, data.decode("utf-8", errors="replace"))
    good = Source(name, data[: error.start].decode("utf-8"))
    span = source.span(len(good.text), len(good.text) + 1)
    message = f"the file is not UTF-8 text: byte {data[error.start]:#04x} cannot stand here"
    return RulesError([Diagnostic("E0111", message, span, "save the file as UTF-8")], {name: source})
