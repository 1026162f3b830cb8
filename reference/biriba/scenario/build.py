"""From examples and catalogues to vector files: `python -m biriba.scenario.build`.

The files under ``conformance/vectors`` that come from the rule file's examples and from the catalogues
are written anew, and those of scenarios that are no longer there are removed. Vectors of other origin
are left alone. Then the played forms of all vectors that begin in a position are made, those of variants too;
see `biriba.scenario.forms`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.language.load import available
from biriba.notation import decode, encode
from biriba.scenario.complete import complete, drafted
from biriba.scenario.examples import read_catalogues, spec_examples
from biriba.scenario.rulesets import akin, heirs, load_named
from biriba.scenario.run import run, start
from biriba.scenario.scenario import GivenPosition, Scenario, ScenarioError
from biriba.scenario.vectors import SUFFIX, load_vector, read_vector, vector

WRITTEN_KINDS = ("example", "scenario", "bug-report")
"""The kinds of vectors that are made here."""


def build(rules: Rules, folder: Path) -> Mapping[str, str]:
    """The texts of all vectors that come from examples and from the catalogues of a folder, by id.

    Raises:
        ScenarioError: an example cannot be read or does not hold, or an id is used twice.
    """
    texts: dict[str, str] = {}
    for scenario in written(rules, folder):
        if scenario.id in texts:
            raise ScenarioError(scenario.id, "the id is used twice")
        own = scenario.rulesets[0][0]
        of = rules if own == rules.ruleset.name else load_named(own)
        texts[scenario.id] = encode_vector(vector(completed(of, scenario)))
    return texts


def written(rules: Rules, folder: Path) -> tuple[Scenario, ...]:
    """The examples of a rule set and those of the catalogues of a folder."""
    return (*spec_examples(rules), *read_catalogues(rules, folder / "catalogue"))


def outdated(texts: Mapping[str, str], folder: Path) -> list[tuple[str, str]]:
    """The vectors made anew, each with a clause that it cites and that has changed since it was last made."""
    found = []
    for name, text in sorted(texts.items()):
        path = folder / "vectors" / f"{name}{SUFFIX}"
        if path.is_file():
            before, now = load_vector(path).digests, read_vector(decode(text)).digests
            found += [(name, clause) for clause, digest in now.items() if before.get(clause, digest) != digest]
    return found


def refreshed(rules: Rules, folder: Path) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """The vectors of other origin with a clause that has changed: where they lie, their new text, the clauses.

    Raises:
        ScenarioError: one of them does not hold any more.
    """
    clauses = rules.ruleset.clauses
    for path in sorted((folder / "vectors").rglob(f"*{SUFFIX}")):
        scenario = load_vector(path)
        if scenario.provenance.kind in WRITTEN_KINDS or scenario.rulesets[0][0] != rules.ruleset.name:
            continue
        now = {clause: clauses[clause].digest for clause in scenario.clauses if clause in clauses}
        changed = tuple(c for c in scenario.clauses if scenario.digests.get(c) != now.get(c))
        if changed:
            draft = drafted(scenario)
            outcome = run(draft, rules)
            if not outcome.passed:
                raise ScenarioError(str(path), f"it does not hold any more; {', '.join(changed)} changed\n{outcome}")
            yield path, encode_vector(vector(replace(complete(rules, draft), digests=now))), changed


def write(texts: Mapping[str, str], folder: Path) -> tuple[int, int]:
    """Write vectors and remove those that are no longer made; how many files were written, and removed."""
    vectors = folder / "vectors"
    wanted = {vectors / f"{name}{SUFFIX}": text for name, text in texts.items()}
    removed = 0
    for path in sorted(vectors.rglob(f"*{SUFFIX}")):
        if path not in wanted and load_vector(path).provenance.kind in WRITTEN_KINDS:
            path.unlink()
            removed += 1
    changed = sum(_written(path, text) for path, text in wanted.items())
    return changed, removed


def completed(rules: Rules, scenario: Scenario) -> Scenario:
    """The scenario with all that it leaves to be found out, the digests of its clauses, and where else it holds.

    Raises:
        ScenarioError: a step is no action of the rules, or an action that is played is not legal.
    """
    return shared(_digested(rules, scenario))


def shared(scenario: Scenario) -> Scenario:
    """The scenario with all rule sets under which it holds as it stands, its own first."""
    others = ((of.ruleset.name, of.ruleset.version) for of in _shared(scenario))
    return replace(scenario, rulesets=tuple(dict.fromkeys((*scenario.rulesets, *others))))


def elsewhere(rules: Rules, scenario: Scenario) -> Iterator[Scenario]:
    """A scenario again under each other rule set in which it holds, but something else changes beside it."""
    known = completed(rules, scenario).rulesets
    for other in _shared(scenario):
        if (other.ruleset.name, other.ruleset.version) not in known:
            yield under(other, scenario)


def under(rules: Rules, scenario: Scenario) -> Scenario:
    """A scenario as a vector of one rule set alone, in which it holds, with those of its clauses that are there."""
    of = rules.ruleset
    clauses = tuple(clause for clause in scenario.clauses if clause in of.clauses)
    found = _digested(rules, replace(scenario, rulesets=((of.name, of.version),), clauses=clauses))
    return replace(found, id=f"{of.name}-{scenario.id}")


def begins_soundly(rules: Rules, scenario: Scenario) -> bool:
    """Whether a scenario that holds needs no position, or begins in one that breaks no invariant."""
    position = start(rules, scenario)
    return position is None or not rules.violated_invariants(position)


def _digested(rules: Rules, scenario: Scenario) -> Scenario:
    digests = {clause: rules.ruleset.clauses[clause].digest for clause in scenario.clauses}
    return replace(complete(rules, scenario), digests=digests)


def _shared(scenario: Scenario) -> Iterator[Rules]:
    """The other rule sets under which a scenario holds, among those that extend its own.

    A scenario with a position can hold only where positions are the same, and does not where the rules say that
    nobody can be in it; any other scenario can hold wherever its clauses are.
    """
    name = scenario.rulesets[0][0]
    placed = isinstance(scenario.given, GivenPosition)
    for other in (akin if placed else heirs)(name) if name in available() else ():
        if not placed and not other.ruleset.clauses.keys() >= set(scenario.clauses):
            continue
        if run(scenario, other).passed and begins_soundly(other, scenario):
            yield other


def encode_vector(document: Any) -> str:
    """The text of a vector file: what fits on a line stands on one, and so do lists of cards."""
    return _lines(document, "", 0) + "\n"


_WIDTH = 120


def _lines(value: Any, indent: str, before: int) -> str:
    """A value whose lines are indented, the first of them beginning after so many other characters."""
    flat = encode(value)
    if len(indent) + before + len(flat) <= _WIDTH or not isinstance(value, (dict, list)) or _only_words(value):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{inner}{encode(name)}: {_lines(item, inner, len(name) + 4)}" for name, item in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _lines(item, inner, 0) for item in value) + f"\n{indent}]"


def _only_words(value: dict[str, Any] | list[Any]) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and len(item) < 4 for item in value)


def write_forms(folder: Path, *, fresh: bool) -> str:
    """Write the played forms of all vectors and their list, remove those of vectors that are gone, and say what is new.

    Raises:
        ScenarioError: a vector cannot be read.
    """
    from biriba.scenario import forms

    rows, made, changed = [], set(), 0
    for form, row in forms.forms(forms.vectors_of(folder), folder, fresh=fresh):
        rows.append(row)
        if form is not None:
            path = folder / forms.FOLDER / f"{form.id}{SUFFIX}"
            made.add(path)
            changed += _written(path, encode_vector(vector(form)))
    gone = [path for path in (folder / forms.FOLDER).rglob(f"*{SUFFIX}") if path not in made]
    for path in gone:
        path.unlink()
    _written(folder / forms.LIST, forms.written_list(rows))
    return f"{len(made)} of {len(rows)} positions have a played form: {changed} written, {len(gone)} removed"


def _written(path: Path, text: str) -> bool:
    """Whether a file had to be written, since it was not there or had another text."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    return True


def main() -> int:
    """Write the vectors of the canonical rules; the exit code is 1 if an example cannot be read."""
    from biriba import load

    parser = argparse.ArgumentParser(
        prog="python -m biriba.scenario.build", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--fresh", action="store_true", help="plan all played forms anew, those that hold too")
    options = parser.parse_args()
    folder = conformance_dir()
    rules = load("biriba")
    try:
        texts = build(rules, folder)
        others = list(refreshed(rules, folder))
    except ScenarioError as error:
        print(error, file=sys.stderr)
        return 1
    for name, clause in outdated(texts, folder):
        print(f"look at {name}: the clause {clause} has changed")
    for path, text, clauses in others:
        print(f"look at {path.relative_to(folder / 'vectors').with_suffix('')}: {', '.join(clauses)} changed")
        path.write_text(text, encoding="utf-8", newline="\n")
    changed, removed = write(texts, folder)
    print(f"{len(texts)} vectors: {changed} written, {removed} removed")
    print(write_forms(folder, fresh=options.fresh))
    return 0


if __name__ == "__main__":
    sys.exit(main())
