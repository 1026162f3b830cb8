"""The catalogue of vectors: read, checked as a whole, and chosen from."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from biriba.conformance.questions import Case, make_case, qualities
from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.scenario.rulesets import load_named
from biriba.scenario.run import run
from biriba.scenario.scenario import LEVELS, Scenario, ScenarioError
from biriba.scenario.vectors import SUFFIX, load_vector
from biriba.suggest import did_you_mean

RETIRED = "retired.tsv"
"""The list, beside the vectors, of ids of published vectors that are there no more."""


@dataclass(frozen=True)
class Suite:
    """The vectors that hold under one rule set, by id.

    Attributes:
        rules: the rule set.
        scenarios: the vectors.
        stale: for vectors that cite a clause which has changed since they were looked at, those clauses.
        unknown: for vectors that cite a clause which there is not, those clauses.
    """

    rules: Rules
    scenarios: tuple[Scenario, ...]

    @property
    def ruleset(self) -> tuple[str, str]:
        return self.rules.ruleset.name, self.rules.ruleset.version

    @cached_property
    def stale(self) -> dict[str, tuple[str, ...]]:
        clauses = self.rules.ruleset.clauses
        found: dict[str, tuple[str, ...]] = {}
        for scenario in self.scenarios:
            if scenario.rulesets[0] != self.ruleset:
                continue
            changed = [c for c, d in scenario.digests.items() if c in clauses and clauses[c].digest != d]
            if changed:
                found[scenario.id] = tuple(changed)
        return found

    @cached_property
    def unknown(self) -> dict[str, tuple[str, ...]]:
        clauses, ours = self.rules.ruleset.clauses, [s for s in self.scenarios if s.rulesets[0] == self.ruleset]
        found = {scenario.id: tuple(c for c in scenario.clauses if c not in clauses) for scenario in ours}
        return {name: cited for name, cited in found.items() if cited}

    def check(self, scenarios: Iterable[Scenario], folder: Path) -> None:
        """See whether vectors hold under the rules themselves: of others no implementation could be blamed.

        Args:
            folder: where they lie, for the message.

        Raises:
            ScenarioError: one does not, with what it says and what is so.
        """
        for scenario in scenarios:
            outcome = run(scenario, self.rules)
            if not outcome.passed:
                why = "\n".join(str(outcome).splitlines()[2:4])
                name = " ".join(self.ruleset)
                message = f"this vector does not hold under {name} itself, so that nobody could pass it:\n{why}"
                raise ScenarioError(str(folder / f"{scenario.id}{SUFFIX}"), message)

    @cached_property
    def digest(self) -> str:
        """A hash of all that the vectors say: equal suites have equal digests."""
        hashed = hashlib.sha256()
        for scenario in self.scenarios:
            hashed.update(repr((scenario.id, scenario.level, scenario.given, scenario.steps)).encode())
        return hashed.hexdigest()

    @property
    def identity(self) -> dict[str, Any]:
        """What a report or a claim says of the suite."""
        name, version = self.ruleset
        return {
            "ruleset": {"name": name, "version": version, "digest": self.rules.ruleset.digest},
            "vectors": len(self.scenarios),
            "digest": self.digest,
        }

    @cached_property
    def _told(self) -> dict[str, tuple[str, ...]]:
        return qualities(self.scenarios)

    def case(self, scenario: Scenario) -> Case:
        """The questions of one of its vectors."""
        return make_case(scenario, self.ruleset, self._told)

    def chosen(
        self, only: Sequence[str] = (), levels: Sequence[str] = (), clauses: Sequence[str] = ()
    ) -> list[Scenario]:
        """The vectors with one of these ids or patterns (``packet/*``), levels and clauses; all if none are named.

        Raises:
            ScenarioError: a name stands for no vector.
        """
        ids = [scenario.id for scenario in self.scenarios]
        cited = sorted({clause for scenario in self.scenarios for clause in scenario.clauses})
        _check("vector", only, ids)
        _check("level", levels, LEVELS)
        _check("clause", clauses, cited)
        return [
            scenario
            for scenario in self.scenarios
            if _matches([scenario.id], only)
            and _matches([scenario.level], levels)
            and _matches(scenario.clauses, clauses)
        ]


def _matches(names: Iterable[str], patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)


def _check(what: str, patterns: Sequence[str], names: Sequence[str]) -> None:
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in names):
            raise ScenarioError("", f"there is no {what} '{pattern}'", did_you_mean(pattern, names))


def load_suite(rules: Rules | str = "biriba", folder: Path | None = None, *, forms: bool = True) -> Suite:
    """The vectors of a folder that hold under a rule set.

    Args:
        folder: of vector files; by default those that come with biriba.
        forms: with the played forms, which show nothing that the vectors do not show of which they are forms.

    Raises:
        ScenarioError: a file is no vector, two have the same id, or an id is not the file's place.
    """
    if isinstance(rules, str):
        rules = load_named(rules)
    ruleset = (rules.ruleset.name, rules.ruleset.version)
    found = (s for s in read_vectors(folder) if ruleset in s.rulesets and (forms or s.form_of is None))
    return Suite(rules, tuple(found))


def retired(path: Path) -> dict[str, str]:
    """The ids that are not to be used again, each with what became of its vector; none if there is no such file."""
    if not path.is_file():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {name: why.strip() for name, _, why in (line.partition("\t") for line in lines)}


def read_vectors(folder: Path | None = None) -> tuple[Scenario, ...]:
    """All vectors of a folder, whatever rule set they are of, by id.

    Args:
        folder: of vector files; by default those that come with biriba, of all rule sets.

    Raises:
        ScenarioError: as for `load_suite`.
    """
    folders = [conformance_dir() / name for name in ("vectors", "variants", "played")] if folder is None else [folder]
    gone = retired(conformance_dir() / RETIRED) if folder is None else {}
    found: dict[str, Scenario] = {}
    for within in folders:
        for path in sorted(within.rglob(f"*{SUFFIX}")):
            scenario = load_vector(path)
            if scenario.id in found:
                raise ScenarioError(str(path), f"the id '{scenario.id}' is that of another vector too")
            if scenario.id in gone:
                raise ScenarioError(str(path), f"the id '{scenario.id}' has been used before: {gone[scenario.id]}")
            if path.relative_to(within).as_posix() != f"{scenario.id}{SUFFIX}":
                hint = f"a vector with this id lies in {scenario.id}{SUFFIX}"
                raise ScenarioError(str(path), f"the id is '{scenario.id}'", hint)
            found[scenario.id] = scenario
    if not found:
        raise ScenarioError(str(folder), "there are no vectors here")
    return tuple(found[name] for name in sorted(found))
