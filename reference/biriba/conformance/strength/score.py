"""The mutation score: which mutants the vectors catch, and which not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from biriba.conformance.strength.mutants import Mutant, mutants
from biriba.conformance.strength.normal import normal
from biriba.conformance.strength.prove import proved
from biriba.conformance.suite import Suite, load_suite
from biriba.data import conformance_dir, spec_dir
from biriba.interpreter.rules import Rules
from biriba.model.ruleset import Ruleset
from biriba.scenario.run import run
from biriba.scenario.scenario import Scenario, ScenarioError

CAUGHT, SURVIVED, STILLBORN = "caught", "survived", "stillborn"
PROVED, SOLVED, REASONED = "proved by normal form", "proved by Z3", "equivalent for a written reason"
FATES = {
    CAUGHT: "a vector fails",
    SURVIVED: "no vector fails",
    PROVED: "it has the same normal form as the original",
    SOLVED: "the solver has shown that both go from equal positions to equal ones",
    REASONED: "no game can tell it from the original, for a reason that is written down",
    STILLBORN: "the language forbids it",
}
BY_SOLVER = "Proved by Z3."
"""The reason of a listed mutant begins so if the solver has proved it; `biriba strength --prove` does so again."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant.

    Attributes:
        fate: one of `FATES`.
        by: the id of the first vector that caught it, or why it is equivalent.
    """

    clause: str
    name: str
    fate: str
    by: str = ""


def fates(
    suite: Suite,
    jobs: int = 1,
    only: Sequence[str] = (),
    progress: Callable[[Fate], None] = lambda fate: None,
    *,
    source: str = "",
    prove: bool = False,
) -> list[Fate]:
    """The fates of all mutants of a suite's rule set.

    Args:
        jobs: processes at a time.
        only: clauses whose mutants are made; by default all.
        progress: is called with each fate as it is known.
        source: the name or path that the rule set was loaded by; by default its name.
        prove: ask the solver anew about the mutants that are listed as proved by it, and about all that survive.

    Raises:
        ScenarioError: the list of equivalent mutants names one that there is not, one that was caught, or one that
            the solver does not prove.
        MissingZ3: the solver is not installed.
    """
    name = suite.rules.ruleset.name
    source = source or name
    every = made(source)
    chosen = [i for i, mutant in enumerate(every) if not only or mutant.clause in only]
    known = equivalents(name)
    strange = set(known) - {mutant.name for mutant in every}
    if strange and not only:
        raise ScenarioError(str(_list(name)), f"there is no mutant '{min(strange)}'")
    found = []
    pool = ProcessPoolExecutor(jobs) if jobs > 1 else None
    tried = (
        pool.map(_fate, [(source, i) for i in chosen], chunksize=4)
        if pool
        else map(_fate, [(source, i) for i in chosen])
    )
    by_name = {mutant.name: mutant for mutant in every}
    for tried_fate in tried:
        fate = _reasoned(tried_fate, known, _list(name)) if tried_fate.name in known else tried_fate
        if prove and fate.fate in (SURVIVED, SOLVED):
            fate = _solved(fate, suite.rules.ruleset, by_name[fate.name])
        found.append(fate)
        progress(fate)
    if pool:
        pool.shutdown()
    return found


def _reasoned(fate: Fate, known: dict[str, str], path: Path) -> Fate:
    """The fate of a mutant that is listed as equivalent."""
    if fate.fate == CAUGHT:
        raise ScenarioError(str(path), f"'{fate.name}' is caught by {fate.by}: it is not equivalent")
    if fate.fate == PROVED:
        raise ScenarioError(str(path), f"'{fate.name}' is proved equivalent and needs no reason")
    kind = SOLVED if known[fate.name].startswith(BY_SOLVER) else REASONED
    return Fate(fate.clause, fate.name, kind, known[fate.name])


def _solved(fate: Fate, original: Ruleset, mutant: Mutant) -> Fate:
    """The fate of a mutant that no vector catches, after the solver was asked."""
    changed = mutant.make()
    if changed is not None and proved(original, changed):
        return Fate(fate.clause, fate.name, SOLVED, fate.by or BY_SOLVER)
    if fate.fate == SOLVED:
        raise ScenarioError(str(_list(original.name)), f"'{fate.name}' is not proved by Z3, though it says so")
    return fate


@cache
def made(name: str) -> list[Mutant]:
    """The mutants of the rule set of that name or path."""
    folder = Path(name).parent if name.endswith(".rules") else spec_dir()
    return mutants(_suite(name).rules.ruleset, folder)


@cache
def _suite(name: str) -> Suite:
    return load_suite(name, forms=False)


def _fate(which: tuple[str, int]) -> Fate:
    name, number = which
    return judge(made(name)[number], _suite(name).scenarios, _normal(name))


@cache
def _normal(name: str) -> dict[str, Any]:
    return normal(_suite(name).rules.ruleset)


def judge(mutant: Mutant, scenarios: Iterable[Scenario], original: dict[str, Any]) -> Fate:
    """The fate of a mutant: the vectors that cite its clause are tried first.

    Args:
        original: the normal form of the rule set that was changed.
    """
    changed: Ruleset | None = None
    try:
        changed = mutant.make()
        rules = None if changed is None else Rules(changed)
    except Exception:  # whatever a change does to a rule set that the compiler has not seen
        rules = None
    if rules is None:
        return Fate(mutant.clause, mutant.name, STILLBORN)
    for scenario in sorted(scenarios, key=lambda s: (mutant.clause not in s.clauses, s.level == "games", s.id)):
        if not _passes(scenario, rules):
            return Fate(mutant.clause, mutant.name, CAUGHT, scenario.id)
    if changed is not None and normal(changed) == original:
        return Fate(mutant.clause, mutant.name, PROVED, "the same normal form")
    return Fate(mutant.clause, mutant.name, SURVIVED)


def _passes(scenario: Scenario, rules: Rules) -> bool:
    try:
        return run(scenario, rules).passed
    except Exception:  # a changed rule set may do what the compiler had excluded; that is noticed, too
        return False


def equivalents(name: str) -> dict[str, str]:
    """The mutants of a rule set that nobody can tell from the original, each with the reason."""
    return reasons(_list(name))


def reasons(path: Path) -> dict[str, str]:
    """The entries of a list, each a line, with the reason that stands below it, indented; none if there is no file.

    Raises:
        ScenarioError: an entry has no reason, or stands twice.
    """
    if not path.is_file():
        return {}
    found: dict[str, str] = {}
    entry = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            if not entry:
                raise ScenarioError(f"{path}:{number}", "a reason stands below what it is the reason for")
            found[entry] = f"{found[entry]} {line.strip()}".strip()
        else:
            entry = line.strip()
            if entry in found:
                raise ScenarioError(f"{path}:{number}", f"'{entry}' is listed twice")
            found[entry] = ""
    without = [entry for entry, reason in found.items() if not reason]
    if without:
        raise ScenarioError(str(path), f"no reason is given for '{without[0]}'")
    return found


def _list(name: str) -> Path:
    return conformance_dir() / "strength" / f"{name}.equivalent"
