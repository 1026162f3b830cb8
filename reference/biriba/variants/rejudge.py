"""The examples and catalogues of other rule sets, judged anew under one: what still holds, what does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from biriba.interpreter.rules import Rules
from biriba.model.ruleset import Ruleset
from biriba.notation import NotationError
from biriba.prose.differences import differences
from biriba.scenario import run
from biriba.scenario.examples import SUFFIX, parse_example, read_entries
from biriba.scenario.scenario import Scenario, ScenarioError

HOLDS, DIFFERS, UNSAYABLE = "holds", "differs", "cannot be said"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of a scenario under a rule set.

    Attributes:
        verdict: HOLDS, DIFFERS, or UNSAYABLE: it speaks of what the rule set does not have.
        report: why it does not hold; empty if it does.
        scenario: what was judged, if it holds.
    """

    id: str
    title: str
    verdict: str
    report: str
    scenario: Scenario | None = None


def rejudge(rules: Rules, folder: Path | None = None) -> Iterator[Judgement]:
    """All examples of the rule set, inherited ones too, and the catalogues of a folder."""
    for example in rules.ruleset.examples():
        yield _judged(rules, example.clause, partial(parse_example, rules, example))
    for path in sorted(folder.rglob(f"*{SUFFIX}")) if folder is not None else ():
        for slug, read in read_entries(rules, path):
            yield _judged(rules, slug, read)


@dataclass(frozen=True, slots=True)
class Inherited:
    """An example that a rule set inherits and that does not hold in it.

    Attributes:
        changed: parameters that its clause names and that have other values than in the parent, as ``max_run = 14``.
    """

    clause: str
    title: str
    changed: tuple[str, ...]


def inherited(rules: Rules, parent: Ruleset) -> tuple[int, list[Inherited]]:
    """How many examples of inherited clauses there are, and those that hold no longer; they were written for others."""
    own = {id(example) for example in rules.ruleset.own_examples()}
    examples = [example for example in rules.ruleset.examples() if id(example) not in own]
    values = differences(parent, rules.ruleset).parameters
    lost = []
    for example in examples:
        if _judged(rules, example.clause, partial(parse_example, rules, example)).verdict != HOLDS:
            mentions = rules.ruleset.clauses[example.clause].mentions
            changed = tuple(f"{name} = {values[name][1]}" for name in mentions if name in values)
            lost.append(Inherited(example.clause, example.title, changed))
    return len(examples), lost


def _judged(rules: Rules, id_: str, read: Callable[[], Scenario]) -> Judgement:
    try:
        scenario = read()
        outcome = run(scenario, rules)
    except (ScenarioError, NotationError, ValueError) as error:
        return Judgement(id_, "", UNSAYABLE, str(error).splitlines()[0])
    if outcome.passed:
        return Judgement(id_, scenario.title, HOLDS, "", scenario)
    return Judgement(id_, scenario.title, DIFFERS, "\n".join(str(outcome).splitlines()[1:4]))
