"""Adapters to begin with: `biriba conform new` copies one and says what to do next.

They lie under conformance/starters. That for Java takes its reader of JSON from the example adapter.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biriba.data import conformance_dir


@dataclass(frozen=True, slots=True)
class Language:
    """A language with a starter.

    Attributes:
        file: the adapter.
        command: what runs it.
        build: what must be run before; empty if nothing.
        others: files that lie beside it.
        note: what else there is to know.
    """

    file: str
    command: str
    build: str = ""
    others: tuple[str, ...] = ()
    note: str = ""


LANGUAGES = {
    "python": Language("adapter.py", "python3 adapter.py"),
    "javascript": Language("adapter.js", "node adapter.js"),
    "typescript": Language(
        "adapter.ts", "node adapter.ts", note="Node before 22.18 reads no types: npx tsx adapter.ts"
    ),
    "java": Language("Adapter.java", "java Adapter.java"),
    "csharp": Language("Adapter.cs", "bin/Adapter", "dotnet build -o bin", ("Adapter.csproj",)),
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
    for other in chosen.others:
        (folder / other).write_bytes((conformance_dir() / "starters" / language / other).read_bytes())
    yield f"wrote {folder / chosen.file}. It skips every question; put your game behind it."
    commands = [
        (shlex.join(["cd", str(folder)]), ""),
        (chosen.build, ""),
        (f"{chosen.command} --check", "a self-check, without biriba"),
    ]
    commands += [(f"biriba conform --smoke -- {chosen.command}", "does it speak the protocol?")]
    commands += [(f"biriba conform -- {chosen.command}", "what does it get wrong?")]
    width = max(len(command) for command, why in commands if why)
    yield from (f"  {command:<{width}}  # {why}" if why else f"  {command}" for command, why in commands if command)
    if chosen.note:
        yield f"  {chosen.note}"
