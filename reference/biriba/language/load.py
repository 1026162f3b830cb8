"""From the name of a rule set, or a file, to the compiled rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from biriba.data import spec_dir
from biriba.language.diagnostics import Diagnostic, RulesError, did_you_mean
from biriba.language.source import Source, read_source
from biriba.model.ruleset import Ruleset
from biriba.model.span import Span

if TYPE_CHECKING:
    from biriba.language.merge import Find, Flat

SUFFIX = ".rules"
PARTS = "parts"
"""The folder, beside the rule sets that come with biriba, of parts that they take in."""
OTHER = "other"
"""The folder, beside them, of games that are not Biriba."""


def available(*folders: Path) -> dict[str, Path]:
    """The rule files that can be named without a path: those in the folders, and those that come with biriba."""
    found: dict[str, Path] = {}
    for folder in (*folders, spec_dir()):
        for path in sorted(folder.rglob(f"*{SUFFIX}") if folder == spec_dir() else folder.glob(f"*{SUFFIX}")):
            if path.parent != spec_dir() / PARTS:
                found.setdefault(path.stem, path)
    return found


def available_parts() -> dict[str, Path]:
    """The parts that come with biriba, by name."""
    return {path.stem: path for path in sorted((spec_dir() / PARTS).glob(f"*{SUFFIX}"))}


def other_games() -> dict[str, Path]:
    """The rule sets that come with biriba and are not Biriba, by name."""
    return {path.stem: path for path in sorted((spec_dir() / OTHER).glob(f"*{SUFFIX}"))}


def find_source(name_or_path: str | os.PathLike[str]) -> Source:
    """The source of a rule set, by the name of one that comes with biriba or by a path.

    Raises:
        RulesError: there is none, or it cannot be read.
    """
    text = os.fspath(name_or_path)
    if text.endswith(SUFFIX) or os.sep in text:
        return read_source(text)
    known = available()
    if text in known:
        return read_source(known[text])
    if text and Path(text + SUFFIX).is_file():
        hint: str | None = f"a file is named by its path: {text}{SUFFIX}"
    else:
        hint = did_you_mean(text, known)
    hint = hint or f"there are: {', '.join(known)}; a file is named by a path that ends in {SUFFIX}"
    raise RulesError([Diagnostic("E0112", f"there is no rule set '{text}'", Span(text, 0, 0, 0, 0), hint)], {})


def find_parent(name: str, child: Source) -> Source | None:
    """A parent or part is looked for beside the file that names it, then among those that come with biriba."""
    path = Path(child.name)
    folders = [path.parent] if path.suffix == SUFFIX and path.parent.is_dir() else []
    found = available(*folders).get(name) or available_parts().get(name)
    return read_source(found) if found is not None else None


def flat_rules(source: Source, find: Find = find_parent) -> Flat:
    """The rule set of a source with its parents and parts, not yet typed.

    Args:
        find: finds the files that it names.

    Raises:
        RulesError: a file does not parse or a parent cannot be found.
    """
    from biriba.language.merge import flatten  # not needed, nor its parser loaded, when the rules are cached

    return flatten(source, find)


def compile_rules(source: Source, find: Find = find_parent) -> tuple[Ruleset, tuple[Diagnostic, ...]]:
    """The compiled rule set of a source, and the lint's warnings.

    Args:
        find: finds the files that it names.

    Raises:
        RulesError: with everything that is wrong.
    """
    from biriba.language.elaborate import elaborate

    return elaborate(flat_rules(source, find))


def load_ruleset(name_or_path: str | os.PathLike[str]) -> Ruleset:
    """The compiled rule set of that name or path; warnings are left to `biriba check`.

    Raises:
        RulesError: with everything that is wrong.

    Example:
        >>> load_ruleset("biriba").title
        'Biriba for four, in pairs, without kozi'
    """
    return compile_rules(find_source(name_or_path))[0]
