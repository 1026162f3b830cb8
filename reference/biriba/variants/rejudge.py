"""The examples and catalogues of other rule sets, judged anew under one: what still holds, what does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from biriba.interpreter.rules import Rules
from biriba.notation import NotationError
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
    """

    id: str
    title: str
    verdict: str
    report: str


def rejudge(rules: Rules, folder: Path | None = None) -> Iterator[Judgement]:
    """All examples of the rule set, inherited ones too, and the catalogues of a folder."""
    for example in rules.ruleset.examples():
        yield _judged(rules, example.clause, partial(parse_example, rules, example))
    for path in sorted(folder.rglob(f"*{SUFFIX}")) if folder is not None else ():
        for slug, read in read_entries(rules, path):
            yield _judged(rules, slug, read)


def _judged(rules: Rules, id_: str, read: Callable[[], Scenario]) -> Judgement:
    try:
        scenario = read()
        outcome = run(scenario, rules)
    except (ScenarioError, NotationError, ValueError) as error:
        return Judgement(id_, "", UNSAYABLE, str(error).splitlines()[0])
    if outcome.passed:
        return Judgement(id_, scenario.title, HOLDS, "")
    return Judgement(id_, scenario.title, DIFFERS, "\n".join(str(outcome).splitlines()[1:4]))
