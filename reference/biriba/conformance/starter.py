"""Adapters to begin with: `biriba conform new` copies one and says what to do next.

They lie under conformance/starters. That for Java takes its reader of JSON from the example adapter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biriba.data import conformance_dir


@dataclass(frozen=True, slots=True)
class Language:
    """A language with a starter: its file, and the command that runs it."""

    file: str
    command: str


LANGUAGES = {
    "python": Language("adapter.py", "python3 adapter.py"),
    "javascript": Language("adapter.js", "node adapter.js"),
    "java": Language("Adapter.java", "java Adapter.java"),
}
_JSON_BEGINS = "    /** A JSON value:"
_JSON_PLACE = "    // JSON\n}\n"


def starter(language: str) -> str:
    """The text of the starter of a language."""
    file = LANGUAGES[language].file
    text = (conformance_dir() / "starters" / language / file).read_text(encoding="utf-8")
    if language == "java":
        example = (conformance_dir() / "adapters" / language / file).read_text(encoding="utf-8")
        text = text.replace(_JSON_PLACE, example[example.index(_JSON_BEGINS) :])
    return text


def write_starter(folder: Path, language: str) -> Iterator[str]:
    """Write an adapter to begin with; says what was written, and what to do next.

    Raises:
        OSError: the folder cannot be made, or not written.
    """
    chosen, text = LANGUAGES[language], starter(language)
    folder.mkdir(parents=True)
    (folder / chosen.file).write_text(text, encoding="utf-8", newline="\n")
    yield f"wrote {folder / chosen.file}. It skips every question; put your game behind it."
    yield f"  cd {folder}"
    yield f"  {chosen.command} --check                  # a self-check, without biriba"
    yield f"  biriba conform --smoke -- {chosen.command}   # does it speak the protocol?"
    yield f"  biriba conform -- {chosen.command}           # what does it get wrong?"
