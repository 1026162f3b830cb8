"""Whether a position, told as JSON, is as an expectation states: the members of ``expect`` that need no rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from biriba.model.ruleset import OVER, Ruleset
from biriba.scenario.scenario import Fields

MOST_LISTED = 16
"""Of a zone with more cards or melds, a difference tells only what is missing there and what is too much."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What a step expected, and what was found instead, each in words."""

    expected: str
    found: str


class Unchecked(Exception):
    """A step that cannot be looked at: it speaks of what is not there, or its two forms differ."""


class PositionFacts:
    """Looks at the position now, and at that of the last expectation, both told as JSON."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @property
    def told(self) -> Mapping[str, Any]:
        """The position now."""
        raise NotImplementedError

    @property
    def told_before(self) -> Mapping[str, Any]:
        """The position at the last expectation before this one, or at the beginning."""
        raise NotImplementedError

    def turn(self, wanted: str) -> Iterator[Difference]:
        yield from compared("turn", wanted, self.told["turn"])

    def phase(self, wanted: str) -> Iterator[Difference]:
        yield from compared("phase", wanted, self.told["phase"])

    def over(self, wanted: bool) -> Iterator[Difference]:
        if (self.told["phase"] == OVER) != wanted:
            yield Difference("the deal is over" if wanted else "the deal goes on", f"phase {self.told['phase']}")

    def unmentioned(self, *stated: Fields) -> Iterator[Difference]:
        """What has changed since the last expectation although nothing that is stated mentions it."""
        mentioned = set[tuple[str, ...]]().union(*map(self.mentioned, stated))
        for path, before, now in self.changed():
            if path not in mentioned:
                what = named(path)
                found = f"changed but not mentioned: {what} {change(before, now)}"
                yield Difference(f"{what} as before, since it is not mentioned", found)

    def changed(self) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
        """What is not as it was at the last expectation: its path (see `path`), then and now."""
        before, now = self.told_before, self.told
        for name in ("turn", "phase"):
            if before[name] != now[name]:
                yield (name,), before[name], now[name]
        for group in ("zones", "states"):
            for path, value in leaves(self.declared(group), before[group]):
                found = get(now[group], path)
                if any(self.same(group, path, "", value, found)):
                    yield (group, *path), value, found

    def open(self, wanted: list[str]) -> Iterator[Difference]:
        """What is left to the implementation differs from nothing, but must be something that there is."""
        for name in wanted:
            self.path(name)
        yield from ()

    def path(self, name: str) -> tuple[str, ...]:
        """What a name such as ``hand A``, ``barred`` or ``turn`` stands for: ``(zones, hand, A)`` and so on.

        Raises:
            Unchecked: the rules have nothing of that name.
        """
        if name in ("turn", "phase"):
            return (name,)
        first, _, owner = name.partition(" ")
        for group in ("zones", "states"):
            declared = self.declared(group)
            if first in declared and declared[first] == bool(owner):
                get(self.told[group], (first, owner) if owner else (first,))
                return (group, first, owner) if owner else (group, first)
        raise Unchecked(f"nothing called '{name}' in these rules")

    def mentioned(self, facts: Fields) -> set[tuple[str, ...]]:
        """What the facts speak of: ``(zones, hand, A)``, ``(states, barred)``, ``(turn,)``."""
        told: set[tuple[str, ...]] = {
            ("phase",) if name == "over" else (name,) for name in facts if name in ("turn", "phase", "over")
        }
        for kind, group in (("zones", "zones"), ("sizes", "zones"), ("holds", "zones"), ("states", "states")):
            for path, _ in leaves(self.declared(group), cast(Fields, facts.get(kind, {}))):
                told.add((group, *path))
        told |= {self.path(name) for name in cast(list[str], facts.get("open", []))}
        return told.union(*(self.mentioned(choice) for choice in cast(list[Fields], facts.get("one_of", []))))

    def settled(self, facts: Fields) -> set[tuple[str, ...]]:
        """What the facts speak of so that nothing is left to say: of ``sizes``, ``holds`` and ``goes on`` there is."""
        whole = {name: of for name, of in facts.items() if name not in ("sizes", "holds")}
        if whole.get("over") is False:
            del whole["over"]
        return self.mentioned(whole)

    def zones(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in leaves(self.declared("zones"), wanted):
            yield from self.same("zones", path, " ".join(path), value, self.zone(path))

    def sizes(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in leaves(self.declared("zones"), wanted):
            found = len(self.zone(path))
            if value != found:
                yield Difference(f"{' '.join(path)}: {value} lie there", f"{found} lie there")

    def holds(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in leaves(self.declared("zones"), wanted):
            found = self.zone(path)
            if Counter(value) - Counter(found):
                yield Difference(f"{' '.join(path)} holds {word(value)}", word(found))

    def states(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in leaves(self.declared("states"), wanted):
            yield from compared(" ".join(path), value, get(self.told["states"], path))

    def same(self, group: str, path: tuple[str, ...], what: str, wanted: Any, found: Any) -> Iterator[Difference]:
        """The difference between two contents of a zone or state; the order of a hand means nothing."""
        if group == "zones" and self.ruleset.zones[path[0]].kind == "hand" and sorted(wanted) == sorted(found):
            return
        if isinstance(wanted, list) and isinstance(found, list) and len(wanted) > MOST_LISTED:
            if wanted != found:
                yield Difference(f"{what}: {len(wanted)} lie there as stated", apart(wanted, found))
            return
        yield from compared(what, wanted, found)

    def zone(self, path: tuple[str, ...]) -> list[Any]:
        return cast(list[Any], get(self.told["zones"], path))

    def declared(self, group: str) -> Mapping[str, bool]:
        """The names of zones or states, and whether they have owners."""
        declared = self.ruleset.zones if group == "zones" else self.ruleset.states
        return {name: declaration.owner is not None for name, declaration in declared.items()}


def leaves(declared: Mapping[str, bool], told: Fields) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The single zones or states that an object tells of, as paths of a name and an owner.

    Raises:
        Unchecked: the rules have none of that name, or it has owners and none are told, or the other way round.
    """
    for name, value in told.items():
        if name not in declared:
            raise Unchecked(f"nothing called '{name}' in these rules")
        if declared[name] != isinstance(value, dict):
            raise Unchecked(f"'{name}' {'has' if declared[name] else 'has no'} owners in these rules")
        if isinstance(value, dict):
            for owner, of_owner in value.items():
                yield (name, owner), of_owner
        else:
            yield (name,), value


def get(tree: Any, path: tuple[str, ...]) -> Any:
    """What lies at a path of an object of objects.

    Raises:
        Unchecked: nothing does.
    """
    for name in path:
        if not isinstance(tree, Mapping) or name not in tree:
            raise Unchecked(f"nothing called '{' '.join(path)}' in these rules")
        tree = tree[name]
    return tree


def compared(what: str, wanted: object, found: object) -> Iterator[Difference]:
    """The difference between two values, if there is one; yes and 1 are not the same."""
    if wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        yield Difference(f"{what} {word(wanted)}", word(found))


def named(path: tuple[str, ...]) -> str:
    """What a path leads to, as people call it: ``hand A``, ``barred``, ``turn``."""
    return path[0] if len(path) == 1 else " ".join(path[1:])


def change(before: object, now: object) -> str:
    """How something has changed: ``no → yes``, ``40 → 39, without 9H``."""
    if not isinstance(before, list) or not isinstance(now, list):
        return f"{word(before)} → {word(now)}"
    return apart(before, now).replace(str(len(now)), f"{len(before)} → {len(now)}", 1)


def apart(wanted: list[Any], found: list[Any]) -> str:
    """How what lies somewhere differs from other contents: ``39, without 9H``."""
    missing, further = (Counter(map(word, of)) for of in (wanted, found))
    missing, further = missing - further, further - missing
    told = [f"{how} {' '.join(sorted(of.elements()))}" for how, of in (("without", missing), ("with", further)) if of]
    return ", ".join([str(len(found)), *(told or ["in another order"])])


def several(found: Sequence[Sequence[Difference]]) -> Difference:
    """The one difference from several allowed outcomes, of those from each of them."""
    wanted = [" and ".join(difference.expected for difference in of) for of in found]
    told = dict.fromkeys(difference.found for of in found for difference in of)
    return Difference(f"one of: {'; '.join(wanted)}", "; ".join(told))


def word(value: object) -> str:
    """A JSON value in words."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(word(item) for item in value) or "empty"
        case {"cards": cards}:
            return f"[{word(cards)}]"
        case _:
            return str(value)
