"""Which changes to a rule set go together: every switch and part by itself, and in pairs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from biriba.interpreter.rules import Rules
from biriba.language.diagnostics import RulesError
from biriba.language.load import available_parts, compile_rules
from biriba.language.source import Source
from biriba.model.ruleset import Ruleset

MOST_STEPS = 4000
"""A deal of random play that takes longer is given up; it is no proof that deals do not end."""


@dataclass(frozen=True, slots=True)
class Toggle:
    """A change: a part that is taken in, or a parameter that is set.

    Attributes:
        name: how it is written: ``with bonus-suit`` or ``runs_only = yes``.
    """

    name: str
    part: str | None = None
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of some toggles together; `trouble` is None if they combine."""

    toggles: tuple[Toggle, ...]
    trouble: str | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(toggle.name for toggle in self.toggles)


def toggles(rules: Ruleset) -> list[Toggle]:
    """The changes that can be made to a rule set by a switch: yes or no, a choice, a part."""
    found = [Toggle(f"with {part}", part=part) for part in available_parts() if part not in rules.parts]
    for parameter in rules.parameters.values():
        others: Iterable[str] = ()
        if isinstance(parameter.value, bool):
            others = ("no" if parameter.value else "yes",)
        elif parameter.options:
            others = (option for option in parameter.options if option != parameter.value)
        found += [Toggle(f"{parameter.name} = {o}", setting=f"set {parameter.name} = {o}") for o in others]
    return found


def compatible(rules: Ruleset, file: str, deals: int = 1) -> list[Verdict]:
    """Every toggle alone, and every pair of those that work alone.

    Args:
        file: name of the rule set's source, beside which parents and parts are looked for.
        deals: how many deals of random play must end without breaking an invariant.
    """
    return combined(rules, file, toggles(rules), deals)


def combined(rules: Ruleset, file: str, chosen: Iterable[Toggle], deals: int = 1) -> list[Verdict]:
    """The same for chosen toggles only."""
    alone = [Verdict((toggle,), _trouble(rules, file, (toggle,), deals)) for toggle in chosen]
    working = [verdict.toggles[0] for verdict in alone if verdict.trouble is None]
    pairs = [pair for pair in combinations(working, 2) if _independent(*pair)]
    return [*alone, *(Verdict(pair, _trouble(rules, file, pair, deals)) for pair in pairs)]


def _independent(a: Toggle, b: Toggle) -> bool:
    """Whether two toggles are not two values of one parameter."""
    return a.setting is None or b.setting is None or a.setting.split()[1] != b.setting.split()[1]


def _trouble(rules: Ruleset, file: str, chosen: tuple[Toggle, ...], deals: int) -> str | None:
    """Why a rule set with these changes cannot be used, in a line; None if it can."""
    try:
        changed = compile_rules(source_with(rules.name, file, chosen))[0]
    except RulesError as error:
        return error.diagnostics[0].message
    playing, rng = Rules(changed), random.Random(1)
    for seed in range(deals):
        trouble = _deal(playing, seed, rng)
        if trouble is not None:
            return trouble
    return None


def source_with(name: str, file: str, chosen: Iterable[Toggle]) -> Source:
    """A rule file that extends a rule set by some toggles."""
    chosen = tuple(chosen)
    parts = [toggle.part for toggle in chosen if toggle.part is not None]
    taken = f" with {', '.join(parts)}" if parts else ""
    lines = [f'ruleset changed "changed" extends {name}{taken}', '  version "0"', ""]
    lines += [toggle.setting for toggle in chosen if toggle.setting is not None]
    return Source(str(Path(file).with_name("changed.rules")), "\n".join(lines) + "\n")


def _deal(rules: Rules, seed: int, rng: random.Random) -> str | None:
    position = rules.deal(seed).position
    for _ in range(MOST_STEPS):
        if rules.over(position):
            return None
        legal = rules.legal(position)
        if not legal:
            return f"nothing is legal in some position of the deal of seed {seed}"
        laying = [action for action in legal if action.args and not isinstance(action.args[0], int)]
        after = rules.apply(position, rng.choice(laying if laying and rng.random() < 0.7 else legal))
        broken = rules.violated_invariants(after, position)
        if broken:
            return f"an invariant of {', '.join(broken)} does not hold after some step of the deal of seed {seed}"
        position = after
    return None
