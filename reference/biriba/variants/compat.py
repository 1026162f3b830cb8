"""Which changes to a rule set go together: switches and parts alone and in pairs, and what numbers may be then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path

from biriba.interpreter.rules import Rules
from biriba.language.diagnostics import RulesError
from biriba.language.load import available_parts, compile_rules
from biriba.language.source import Source
from biriba.model.ruleset import Parameter, Ruleset
from biriba.notation import format_meld
from biriba.variants.trial import TRIED, tried_out

CHANGED = "changed.rules"
"""The name of a rule file that stands nowhere: it holds the changes that are tried."""
BEYOND = 1_000_000
"""How far a number is tried whose range is open."""


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


def itself(rules: Ruleset, file: str, deals: int = 1) -> Verdict:
    """The rule set as it is: what fails here fails whatever is changed."""
    return Verdict((), _trouble(rules, file, (), deals, None))


def combined(rules: Ruleset, file: str, chosen: Iterable[Toggle], deals: int = 1) -> list[Verdict]:
    """The same for chosen toggles only; alone they are tried as long as when a rule set is checked."""
    sound, alone = _sound(rules), max(deals, TRIED) if deals else 0
    verdicts = [Verdict((toggle,), _trouble(rules, file, (toggle,), alone, sound)) for toggle in chosen]
    working = [verdict.toggles[0] for verdict in verdicts if verdict.trouble is None]
    # Beside a toggle that works alone, only what the other one changes must be asked again.
    beside = {toggle: _compiled(rules, file, (toggle,)) for toggle in working}
    pairs = [pair for pair in combinations(working, 2) if _independent(*pair)]
    for pair in pairs:
        known = beside[pair[0]]
        trouble = _trouble(rules, file, pair, deals, sound if isinstance(known, str) else known)
        verdicts.append(Verdict(pair, trouble))
    return verdicts


@dataclass(frozen=True, slots=True)
class Bounds:
    """The values of a number that make a rule set, the other parameters being as they are.

    They are looked for from its present value to both ends of its range by halving what is left, so that values are
    reported that are known to do, and the nearest ones that are known not to.

    Attributes:
        declared: the range that the rules give it; None where it is open.
        least, most: the smallest and the greatest value that will do.
        below, above: what is wrong with the next smaller and the next greater value, None at the end of the range.
        trouble: what happens in play with `least` or `most`, None if all goes well.
        beside: what else is changed, None for nothing.
    """

    name: str
    value: int
    declared: tuple[int | None, int | None]
    least: int
    most: int
    below: str | None
    above: str | None
    trouble: str | None = None
    beside: Toggle | None = None

    @property
    def whole(self) -> bool:
        """Whether every value of the range will do."""
        return self.below is None and self.above is None and self.trouble is None


def bounds(rules: Ruleset, file: str, deals: int = 1, names: Collection[str] | None = None) -> list[Bounds]:
    """What each number of a rule set may be, the others being as they are.

    Args:
        file: name of the rule set's source, beside which parents and parts are looked for.
        deals: how many deals of random play must end with the smallest and with the greatest value.
        names: those that are asked for; None for all.
    """
    asked = [parameter for parameter in _numbers(rules) if names is None or parameter.name in names]
    sound = _sound(rules)
    return [_bounds(rules, file, parameter, deals, sound) for parameter in asked]


def narrowed(rules: Ruleset, file: str, found: Iterable[Bounds], chosen: Iterable[Toggle]) -> list[Bounds]:
    """The numbers that have fewer values beside a toggle than they have without it."""
    known = {bound.name: bound for bound in found}
    narrower = []
    for toggle in chosen:
        changed = _compiled(rules, file, (toggle,))
        if isinstance(changed, str):
            continue
        for parameter in _numbers(changed):
            bound = known.get(parameter.name)
            if bound is None or parameter.value != bound.value:
                continue
            ends = [_setting(parameter.name, value) for value in (bound.least, bound.most)]
            if any(isinstance(_compiled(rules, file, (toggle, end)), str) for end in ends):
                narrower.append(_bounds(rules, file, parameter, 0, None, toggle))
    return narrower


def _numbers(rules: Ruleset) -> Iterator[Parameter]:
    for parameter in rules.parameters.values():
        if isinstance(parameter.value, int) and not isinstance(parameter.value, bool):
            yield parameter


def _bounds(
    rules: Ruleset, file: str, number: Parameter, deals: int, sound: Ruleset | None, beside: Toggle | None = None
) -> Bounds:
    assert isinstance(number.value, int)
    kept = () if beside is None else (beside,)

    @cache
    def with_value(value: int) -> Ruleset | str:
        return _compiled(rules, file, (*kept, _setting(number.name, value)))

    def wrong(value: int) -> str | None:
        changed = with_value(value)
        return changed if isinstance(changed, str) else _breaking_meld(Rules(changed), sound)

    least, below = _end(number.value, number.value - BEYOND if number.low is None else number.low, wrong)
    most, above = _end(number.value, number.value + BEYOND if number.high is None else number.high, wrong)
    found = Bounds(number.name, number.value, (number.low, number.high), least, most, below, above, beside=beside)
    for value in dict.fromkeys((least, most)):
        changed = with_value(value)
        trouble = changed if isinstance(changed, str) else _in_play(Rules(changed), deals)
        if trouble is not None:
            return replace(found, trouble=f"with {value}, {trouble}")
    return found


def _end(good: int, end: int, wrong: Callable[[int], str | None]) -> tuple[int, str | None]:
    """The farthest value towards an end that is known to do, and what is wrong with the next one."""
    trouble = wrong(end)
    if trouble is None:
        return end, None
    bad = end
    while abs(bad - good) > 1:
        middle = (good + bad) // 2
        found = wrong(middle)
        if found is None:
            good = middle
        else:
            bad, trouble = middle, found
    return good, trouble


def _setting(name: str, value: int) -> Toggle:
    return Toggle(f"{name} = {value}", setting=f"set {name} = {value}")


def _independent(a: Toggle, b: Toggle) -> bool:
    """Whether two toggles are not two values of one parameter."""
    return a.setting is None or b.setting is None or a.setting.split()[1] != b.setting.split()[1]


def _trouble(rules: Ruleset, file: str, chosen: tuple[Toggle, ...], deals: int, sound: Ruleset | None) -> str | None:
    """Why a rule set with these changes cannot be used, in a line; None if it can."""
    changed = _compiled(rules, file, chosen)
    if isinstance(changed, str):
        return changed
    playing = Rules(changed)
    return _breaking_meld(playing, sound) or _in_play(playing, deals)


def _in_play(rules: Rules, deals: int) -> str | None:
    """What is false of the cards, or goes wrong in deals of random play, in a line; None if all is well."""
    false = rules.false_facts()
    if false:
        return f"the facts of {', '.join(false)} are not true of its cards"
    trouble = tried_out(rules, deals)
    if trouble is None:
        return None
    if not trouble.clauses:
        return f"nothing is legal {trouble.where}"
    return f"an invariant of {', '.join(trouble.clauses)} does not hold {trouble.where}"


def _sound(rules: Ruleset) -> Ruleset | None:
    """The rule set if no meld breaks an invariant of it: then only what is changed must be asked again."""
    return None if Rules(rules).broken_by_melds() else rules


def _breaking_meld(rules: Rules, sound: Ruleset | None) -> str | None:
    """A lawful meld that breaks an invariant wherever it lies, in a line; None if none is known."""
    for statement, meld in rules.broken_by_melds(sound):
        return f"the lawful meld {format_meld(rules.ruleset, meld)} breaks an invariant of {statement.clause}"
    return None


def _compiled(rules: Ruleset, file: str, chosen: tuple[Toggle, ...]) -> Ruleset | str:
    """The rule set with these changes, or why there is none, in a line."""
    try:
        return compile_rules(source_with(rules.name, file, chosen))[0]
    except RulesError as error:
        first = error.diagnostics[0]
        place = Path(first.span.file).name
        return first.message if place == CHANGED else f"{first.message} ({place}:{first.span.line})"


def source_with(name: str, file: str, chosen: Iterable[Toggle]) -> Source:
    """A rule file that extends a rule set by some toggles."""
    chosen = tuple(chosen)
    parts = [toggle.part for toggle in chosen if toggle.part is not None]
    taken = f" with {', '.join(parts)}" if parts else ""
    lines = [f'ruleset changed "changed" extends {name}{taken}', '  version "0"', ""]
    lines += [toggle.setting for toggle in chosen if toggle.setting is not None]
    return Source(str(Path(file).with_name(CHANGED)), "\n".join(lines) + "\n")
