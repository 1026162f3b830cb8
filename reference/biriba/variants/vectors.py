"""Vectors of the rule sets that extend others: `python -m biriba.variants.vectors`.

They come from the examples of their clauses and from the catalogues in ``conformance/catalogue/variants``, which show
clauses that a rule set inherits and that say other numbers there; and a scenario of the canonical rules comes again
under a rule set in which the same holds but something else changes beside it. The files stand in
``conformance/variants``, by the rule set or part whose file holds the example, or by the catalogue. A vector states all
rule sets under which it holds, of those that extend its own (`biriba.scenario.build.shared`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from biriba.data import conformance_dir
from biriba.interpreter.rules import Rules
from biriba.language.load import available
from biriba.scenario import run, spec_examples
from biriba.scenario.build import begins_soundly, completed, elsewhere, encode_vector, under, written
from biriba.scenario.examples import read_catalogues
from biriba.scenario.rulesets import load_named
from biriba.scenario.scenario import Scenario, ScenarioError
from biriba.scenario.vectors import SUFFIX, vector


def catalogues() -> Path:
    """The folder of the catalogues of rule sets that extend another."""
    return conformance_dir() / "catalogue" / "variants"


def scenarios() -> Iterator[Scenario]:
    """The own examples and the catalogues of all rule sets that extend another, in both forms.

    The example of a part comes once for all rule sets in which it is the same, and again where positions differ.
    """
    found: dict[str, Scenario] = {}
    for name in sorted(available()):
        rules = load_named(name)
        if not rules.ruleset.parents:
            continue
        for example in spec_examples(rules):
            scenario = _named(completed(rules, example), rules.ruleset.clauses[example.clauses[0]].origin)
            known = found.get(scenario.id)
            if known is None:
                found[scenario.id] = scenario
            elif vector(replace(known, rulesets=(), digests={})) == vector(replace(scenario, rulesets=(), digests={})):
                found[scenario.id] = replace(
                    known, rulesets=tuple(dict.fromkeys((*known.rulesets, *scenario.rulesets)))
                )
            else:
                other = _named(scenario, f"{name}-{scenario.id.partition('/')[0]}")
                found[other.id] = other
    yield from found.values()
    for scenario in read_catalogues(load_named("biriba"), catalogues()):
        yield completed(load_named(scenario.rulesets[0][0]), scenario)
    canonical = load_named("biriba")
    for scenario in written(canonical, conformance_dir()):
        if scenario.rulesets[0][0] == canonical.ruleset.name:
            yield from elsewhere(canonical, scenario)


def of_examples(rules: Rules) -> Mapping[str, str]:
    """The texts of the vectors of one rule set's own examples, by id."""
    found = (
        _named(completed(rules, scenario), rules.ruleset.clauses[scenario.clauses[0]].origin)
        for scenario in spec_examples(rules)
    )
    return {scenario.id: encode_vector(vector(scenario)) for scenario in found}


def that_hold(rules: Rules, found: Iterable[Scenario]) -> Mapping[str, str]:
    """The texts of the vectors of scenarios that hold under a rule set, whichever they were written for, by id.

    Each states this rule set alone. None that shows only clauses which the rule set does not have, and none in which
    it begins where its rules say that nobody can be.
    """
    clauses = rules.ruleset.clauses
    own = (
        under(rules, scenario)
        for scenario in found
        if any(clause in clauses for clause in scenario.clauses) and begins_soundly(rules, scenario)
    )
    return {scenario.id: encode_vector(vector(scenario)) for scenario in own}


def _named(scenario: Scenario, group: str) -> Scenario:
    return replace(scenario, id=f"{group}/{scenario.id.partition('/')[2]}")


def build() -> Mapping[str, str]:
    """The texts of all vectors, by id.

    Raises:
        ScenarioError: an id is used twice, or a scenario does not hold.
    """
    texts: dict[str, str] = {}
    for scenario in scenarios():
        if scenario.id in texts:
            raise ScenarioError(scenario.id, "the id is used twice")
        outcome = run(scenario, load_named(scenario.rulesets[0][0]))
        if not outcome.passed:
            raise ScenarioError(scenario.id, f"it does not hold\n{outcome}")
        texts[scenario.id] = encode_vector(vector(scenario))
    return texts


def write(texts: Mapping[str, str], folder: Path) -> tuple[int, int]:
    """Write vectors and remove those that are no longer made; how many files were written, and removed."""
    wanted = {folder / f"{name}{SUFFIX}": text for name, text in texts.items()}
    old = [path for path in folder.rglob(f"*{SUFFIX}") if path not in wanted]
    for path in old:
        path.unlink()
    changed = 0
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            changed += 1
    return changed, len(old)


def main() -> int:
    """Write all vectors of the rule sets that extend others; the exit code is 1 if a scenario does not hold."""
    try:
        texts = build()
    except ScenarioError as error:
        print(error, file=sys.stderr)
        return 1
    changed, removed = write(texts, conformance_dir() / "variants")
    print(f"{len(texts)} vectors: {changed} written, {removed} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
