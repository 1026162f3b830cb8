"""Compiled rule sets kept on disk, so that a command need not compile what did not change.

An entry is found by the hash of the rule file's text and of the compiler itself, and is used only if
the rule sets and parts that it names are still found and still have the texts that they had. Entries
lie in the user's own cache folder (BIRIBA_CACHE names another; ``off`` keeps nothing) and are read from
nowhere else: they are pickles. An entry that cannot be read is compiled anew; a folder that cannot be
written is no fault.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from biriba.files import replacing
from biriba.version import __version__

if TYPE_CHECKING:
    from biriba.language.source import Source
    from biriba.model.ruleset import Ruleset

MOST_ENTRIES = 100
"""When there are more, the oldest are removed."""


Lookup = tuple[str, str, str]
"""A rule set or part that a file names: its name, the name of that file, and the hash of the text found."""


def cached_ruleset(name_or_path: str | os.PathLike[str]) -> Ruleset:
    """The compiled rule set of that name or path, from the cache if it is there.

    Errors: a `RulesError` with everything that is wrong with the rules.
    """
    from biriba.language.load import compile_rules, find_parent, find_source

    source = find_source(name_or_path)
    folder = cache_folder()
    if folder is None:
        return compile_rules(source)[0]
    entry = folder / f"ruleset-{_key(source)}.pickle"
    rules = _read(entry)
    if rules is None:
        lookups: list[Lookup] = []

        def find(name: str, child: Source) -> Source | None:
            found = find_parent(name, child)
            lookups.append((name, child.name, _digest(found)))
            return found

        rules = compile_rules(source, find)[0]
        _write(entry, lookups, rules)
    return rules


def cache_folder() -> Path | None:
    """The folder of the cache, whether or not it exists; None if the cache is off or the user has no home."""
    chosen = os.environ.get("BIRIBA_CACHE")
    if chosen:
        return None if chosen == "off" else Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        if not base:
            with contextlib.suppress(RuntimeError):
                base = str(Path.home() / ".cache")
    return Path(base) / "biriba" if base else None


def _key(source: Source) -> str:
    """Changes with the rule file, its place, and anything that decides what it compiles to."""
    from biriba.data import grammar_dir

    compiler = [__version__, sys.version]
    package = Path(__file__).parent
    files = [*(package / "language").rglob("*.py"), *(package / "model").rglob("*.py"), *grammar_dir().glob("*")]
    for path in sorted(files):
        status = path.stat()
        compiler.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    parts = [*compiler, str(Path(source.name).absolute()), source.name, source.text]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _digest(source: Source | None) -> str:
    """The hash of a text, empty if there is none."""
    return "" if source is None else hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()


def _read(entry: Path) -> Ruleset | None:
    """The rule set of an entry, None if there is none that holds."""
    from biriba.language.load import find_parent
    from biriba.language.source import Source

    try:
        with entry.open("rb") as file:
            if not _ours(os.fstat(file.fileno())):
                return None
            lookups, rules = pickle.load(file)
        holds = all(_digest(find_parent(name, Source(child, ""))) == digest for name, child, digest in lookups)
        return rules if holds else None
    except Exception:  # whatever is wrong with an entry, the rules themselves are at hand
        return None


def _ours(status: os.stat_result) -> bool:
    """Whether nobody but the user can have written a file."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def _write(entry: Path, lookups: list[Lookup], rules: Ruleset) -> None:
    with contextlib.suppress(OSError):
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (
            replacing(entry) as aside,
            open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
        ):
            pickle.dump((lookups, rules), file, pickle.HIGHEST_PROTOCOL)
        _prune(entry.parent)


def _prune(folder: Path) -> None:
    entries = sorted(folder.glob("ruleset-*.pickle"), key=lambda path: path.stat().st_mtime_ns)
    for old in entries[:-MOST_ENTRIES]:
        old.unlink(missing_ok=True)
