"""Rule sets with other values of their parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from biriba.explore.errors import ExploreError, SettingError
from biriba.language.diagnostics import RulesError
from biriba.language.load import SUFFIX, compile_rules, find_source
from biriba.language.source import Source
from biriba.model.ruleset import Ruleset

MOST_POINTS = 10_000


@dataclass(frozen=True, slots=True)
class Variation:
    """A parameter and the values that it takes in turn."""

    name: str
    values: tuple[str, ...]


def with_settings(name: str, settings: Mapping[str, str]) -> Ruleset:
    """A rule set, by name or path, with parameters set.

    Raises:
        SettingError: a setting is wrong.
        RulesError: the rule set is, or is with these settings.
    """
    source = find_source(name)
    if not settings:
        return compile_rules(source)[0]
    parent = Path(source.name).stem
    lines = [f'ruleset settings "{parent} with {_told(settings)}" extends {parent}', '  version "1.0.0"']
    begun = len(lines)
    lines += [f"set {parameter} = {value}" for parameter, value in settings.items()]
    beside = str(Path(source.name).with_name(f"settings{SUFFIX}"))
    try:
        return compile_rules(Source(beside, "\n".join([*lines, ""])))[0]
    except RulesError as error:
        for fault in error.diagnostics:
            if fault.span.file == beside and fault.span.line > begun and fault.severity == "error":
                name, value = list(settings.items())[fault.span.line - begun - 1]
                hint = f"\n  hint: {fault.hint}" if fault.hint else ""
                raise SettingError(name, f"{name}={value}: {fault.message}{hint}") from None
        raise


def _told(settings: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items())


def parse_setting(text: str) -> tuple[str, str]:
    """``name=value``.

    Raises:
        ExploreError: it is not of that form.
    """
    name, equals, value = text.partition("=")
    if not equals or not _word(name.strip()) or not _word(value.strip().lstrip("-")):
        raise ExploreError(f"{text!r} sets nothing: write name=value, as in biriba_length=8")
    return name.strip(), value.strip()


def parse_variation(text: str) -> Variation:
    """``name=5..9`` or ``name=0,50,100``.

    Raises:
        ExploreError: it is not of that form.
    """
    name, equals, values = text.partition("=")
    low, dots, high = values.partition("..")
    try:
        found = [str(i) for i in range(int(low), int(high) + 1)] if dots else [v.strip() for v in values.split(",")]
    except ValueError:
        found = []
    if not equals or not _word(name.strip()) or not found or not all(_word(value.lstrip("-")) for value in found):
        raise ExploreError(f"{text!r} varies nothing: write name=5..9, or name=0,50,100")
    return Variation(name.strip(), tuple(dict.fromkeys(found)))


def grid(variations: Iterable[Variation]) -> list[dict[str, str]]:
    """All choices of values.

    Raises:
        ExploreError: there are too many, or a parameter is named twice.
    """
    listed = list(variations)
    names = [variation.name for variation in listed]
    if len(set(names)) < len(names):
        raise ExploreError("a parameter is varied twice")
    points = [dict(zip(names, values, strict=True)) for values in product(*(v.values for v in listed))]
    if len(points) > MOST_POINTS:
        raise ExploreError(f"these are {len(points)} rule sets; at most {MOST_POINTS} can be compared")
    return points


def _word(text: str) -> bool:
    return bool(text) and all(c.isalnum() or c in "_-" for c in text)
