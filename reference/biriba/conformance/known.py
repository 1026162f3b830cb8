"""Lists of known failures: a vector's id on each line, then perhaps a comment."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from biriba.scenario.scenario import ScenarioError
from biriba.suggest import did_you_mean


def read_known(path: Path, text: str, ids: Collection[str]) -> frozenset[str]:
    """The ids of a list of known failures; what follows ``#`` is a comment.

    Raises:
        ScenarioError: a line names no vector, or one twice.
    """
    found: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        name = line.partition("#")[0].strip()
        if not name:
            continue
        if name not in ids:
            raise ScenarioError(f"{path}:{number}", f"there is no vector '{name}'", did_you_mean(name, ids))
        if name in found:
            raise ScenarioError(f"{path}:{number}", f"'{name}' is listed twice")
        found.add(name)
    return frozenset(found)
