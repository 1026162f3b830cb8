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
from biriba.interpreter.rules import Illegal, Rules
from biriba.language.load import available
from biriba.model.position import Position
from biriba.notation import NotationError, action_to_json, decode, encode, format_action, format_meld, meld_to_json
from biriba.scenario.examples import read_catalogues, spec_examples
from biriba.scenario.rulesets import akin, load_named
from biriba.scenario.run import read_action, read_meld, run, start
from biriba.scenario.scenario import (
    Accept,
    Body,
    Claim,
    Expect,
    Layouts,
    Play,
    Reject,
    Repeat,
    Scenario,
    ScenarioError,
    Step,
    Written,
)
from biriba.scenario.told import Unchecked
from biriba.scenario.vectors import SUFFIX, load_vector, read_vector, vector

WRITTEN_KINDS = ("example", "scenario", "bug-report")
"""The kinds of vectors that are made here."""


def build(rules: Rules, folder: Path) -> Mapping[str, str]:
    """The texts of all vectors that come from examples and from the catalogues of a folder, by id.

    Raises:
        ScenarioError: an example cannot be read or does not hold, or an id is used twice.
    """
    texts: dict[str, str] = {}
    for scenario in (*spec_examples(rules), *read_catalogues(rules, folder / "catalogue")):
        if scenario.id in texts:
            raise ScenarioError(scenario.id, "the id is used twice")
        own = scenario.rulesets[0][0]
        of = rules if own == rules.ruleset.name else load_named(own)
        texts[scenario.id] = encode_vector(vector(completed(of, scenario)))
    return texts


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
            outcome = run(scenario, rules)
            if not outcome.passed:
                raise ScenarioError(str(path), f"it does not hold any more; {', '.join(changed)} changed\n{outcome}")
            yield path, encode_vector(vector(replace(scenario, digests=now))), changed


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
    """The scenario with every action and meld in both forms, the texts canonical.

    Raises:
        ScenarioError: a step is no action of the rules, or an action that is played is not legal.
    """
    position = start(rules, scenario)
    digests = {clause: rules.ruleset.clauses[clause].digest for clause in scenario.clauses}
    found = replace(scenario, steps=tuple(_completed(rules, position, scenario.steps)), digests=digests)
    return replace(found, rulesets=(*scenario.rulesets, *_shared(found)))


def _shared(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """The other rule sets under which a scenario holds, among those that extend its own and have the same positions."""
    name = scenario.rulesets[0][0]
    for other in akin(name) if name in available() else ():
        if run(scenario, other).passed:
            yield other.ruleset.name, other.ruleset.version


def _completed(rules: Rules, position: Position | None, steps: tuple[Step, ...]) -> Iterator[Step]:
    now = position
    for step in steps:
        try:
            body, now = _body(rules, now, step.body)
        except (NotationError, ValueError, Illegal, Unchecked) as error:
            raise ScenarioError(step.where, f"{step.line}: {error}") from error
        yield replace(step, body=body)


def _body(rules: Rules, now: Position | None, body: Body) -> tuple[Body, Position | None]:
    """A step with both forms of its actions and melds, and the position after it."""
    match body:
        case Play(act=act):
            assert now is not None
            return Play(_act(rules, now, act)), rules.apply(now, read_action(rules, now, act))
        case Accept(act=act):
            return Accept(_act(rules, now, act)), now
        case Reject(malformed=False, act=act):
            return replace(body, act=_act(rules, now, act)), now
        case Repeat(times=times, steps=steps):
            inner = tuple(_completed(rules, now, steps))
            for _ in range(times):
                for step in steps:
                    now = _body(rules, now, step.body)[1]
            return Repeat(times, inner), now
        case Claim(meld=meld):
            return replace(body, meld=_meld(rules, meld)), now
        case Layouts(cards=cards, melds=melds):
            return Layouts(cards, tuple(_meld(rules, meld) for meld in melds)), now
        case Expect(legal=tuple() as legal):
            return replace(body, legal=tuple(_act(rules, now, act) for act in legal)), now
        case _:
            return body, now


def _act(rules: Rules, now: Position | None, act: Written) -> Written:
    if now is None:
        raise ValueError("an action needs a position, and the example does not begin with one")
    action = read_action(rules, now, act)
    return Written(format_action(rules.ruleset, action), action_to_json(rules.ruleset, action))


def _meld(rules: Rules, written: Written) -> Written:
    meld = read_meld(rules, written)
    return Written(format_meld(rules.ruleset, meld), meld_to_json(rules.ruleset, meld))


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
