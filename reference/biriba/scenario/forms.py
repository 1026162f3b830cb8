"""The played forms of all vectors that begin in a position, and the list that says which have none, and why.

`python -m biriba.scenario.build` makes them. A form that was made before is kept as long as it still holds, so that
only what has changed is planned; ``--fresh`` plans all of them anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from biriba.interpreter.rules import Illegal, Rules
from biriba.notation import NotationError
from biriba.planner.plan import Plan, Plans
from biriba.scenario.complete import drafted
from biriba.scenario.played import goals, played, played_id, told, unplayed
from biriba.scenario.rulesets import load_named
from biriba.scenario.run import read_action, run, start
from biriba.scenario.scenario import GivenDeck, GivenPosition, Scenario, ScenarioError
from biriba.scenario.vectors import SUFFIX, load_vector

FOLDER = "played"
LIST = "played.tsv"
HEAD = "vector\tplayed form\tactions\twhy there is none\tmade of\n"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list.

    Attributes:
        vector: the id of a vector that begins in a position.
        form: the id of its played form, or None.
        actions: how many actions lead to where it begins.
        why: why there is none.
        source: a hash of where the vector begins and of its steps: another one asks for another plan.
    """

    vector: str
    form: str | None
    actions: int
    why: str
    source: str

    def __str__(self) -> str:
        told = f"{self.form}\t{self.actions}\t" if self.form else f"-\t-\t{self.why}"
        return f"{self.vector}\t{told}\t{self.source}\n"


@cache
def plans_of(ruleset: str) -> Plans:
    """The plans by a rule set that comes with biriba."""
    return Plans(load_named(ruleset))


def source(scenario: Scenario) -> str:
    """The hash of all that a played form is made of; what else changes on the way follows from it."""
    of = (scenario.given, drafted(scenario).steps, scenario.rulesets[0])
    return hashlib.sha256(repr(of).encode()).hexdigest()[:12]


def forms(
    vectors: Mapping[str, Scenario], folder: Path, *, fresh: bool = False
) -> Iterator[tuple[Scenario | None, Row]]:
    """The vectors that begin in a position, each with its played form, if it has one, and its row in the list.

    Args:
        vectors: by id.
        folder: that of the suite, where what was made before lies.
        fresh: plan all of them, whatever was made before.
    """
    known = {} if fresh else read_list(folder / LIST)
    for name, scenario in sorted(vectors.items()):
        if not isinstance(scenario.given, GivenPosition):
            continue
        rules, of, before = load_named(scenario.rulesets[0][0]), source(scenario), known.get(name)
        path = folder / FOLDER / f"{played_id(name)}{SUFFIX}"
        form = kept(rules, scenario, path) if path.is_file() and not fresh else None
        sought = before is not None and before.form is None and before.source == of
        if form is None and not sought:
            form = played(plans_of(scenario.rulesets[0][0]), scenario)
        if form is None:
            yield None, Row(name, None, 0, unplayed(rules, scenario), of)
        else:
            assert isinstance(form.given, GivenDeck)
            yield _under_all(form), Row(name, form.id, len(form.given.actions), "", of)


def kept(rules: Rules, scenario: Scenario, path: Path) -> Scenario | None:
    """The played form that was made before, told anew; None if it leads no longer where it should."""
    try:
        before = load_vector(path)
        given = before.given
        if not isinstance(given, GivenDeck):
            return None
        game = rules.deal(deck=given.deck, dealer=given.dealer)
        for act in given.actions:
            game.apply(read_action(rules, game.position, act))
        position = start(rules, scenario)
    except (ScenarioError, NotationError, ValueError, Illegal):
        return None
    assert position is not None
    assert isinstance(scenario.given, GivenPosition)
    plan = Plan(game.deck, rules.seat(given.dealer), tuple(step.action for step in game.steps), game.position)
    if not any(goal.reached(rules, game.position) for goal in goals(rules, scenario.given, position)):
        return None
    form = told(rules, scenario, position, plan)
    return form if form is not None and run(form, rules).passed else None


def _under_all(form: Scenario) -> Scenario:
    """The form with those of the scenario's rule sets under which it holds, too."""
    own, *others = form.rulesets
    held = [other for other in others if run(form, load_named(other[0])).passed]
    return replace(form, rulesets=(own, *held))


def read_list(path: Path) -> dict[str, Row]:
    """The rows of a list that was written before, by the id of the vector; none if there is no such file."""
    if not path.is_file():
        return {}
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return {
        name: Row(name, None if form == "-" else form, 0 if form == "-" else int(actions), why, of)
        for name, form, actions, why, of in rows
    }


def written_list(rows: list[Row]) -> str:
    """The text of the list."""
    return HEAD + "".join(map(str, rows))


def vectors_of(folder: Path) -> dict[str, Scenario]:
    """All vectors of a suite that are not played forms themselves, by id."""
    paths = [path for part in ("vectors", "variants") for path in sorted((folder / part).rglob(f"*{SUFFIX}"))]
    return {scenario.id: scenario for scenario in map(load_vector, paths)}
