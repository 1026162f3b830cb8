"""Rule sets that differ from another in a clause only: they show what that clause does by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from biriba.model import expr as x
from biriba.model.frozen import FrozenMap
from biriba.model.ruleset import Ruleset
from biriba.model.span import Span
from biriba.model.types import Type
from biriba.variants.difference import ClauseDifference, Difference, Said

T = TypeVar("T")

_STATEMENTS = ("after_deal", "facts", "invariants", "step_invariants")
_TUPLES = ("growings", "laws", "guards", "consequences", "deal", *_STATEMENTS, "score")
_MAPS = ("zones", "states", "templates", "definitions", "actions")


def hybrid(new: Ruleset, old: Ruleset, clauses: Collection[str], parameters: Collection[str]) -> Ruleset:
    """The rule set `new` with some clauses and parameters as `old` has them, or without them if it has none.

    The result may be one that cannot be played, since other clauses rest on what these declare.
    """
    order = {name: i for i, name in enumerate(_merged(list(new.clauses), list(old.clauses)))}
    changes: dict[str, Any] = {
        name: _swapped(getattr(new, name), getattr(old, name), clauses, order) for name in _TUPLES
    }
    for name in _MAPS:
        parts = _swapped(tuple(getattr(new, name).values()), tuple(getattr(old, name).values()), clauses, order)
        changes[name] = FrozenMap({part.name: part for part in parts})
    changes["clauses"] = _clauses(new, old, clauses, order)
    changes["phases"] = tuple(dict.fromkeys((*new.phases, *old.phases)))
    values = {name: old.parameters[name] for name in parameters if name in old.parameters}
    changes["parameters"] = FrozenMap({**old.parameters, **new.parameters, **values})
    changes["match"] = _match(new, old, clauses, order)
    for part in ("table", "cards"):
        if not {*getattr(new, part).clauses.values(), *getattr(old, part).clauses.values()}.isdisjoint(clauses):
            changes[part] = replace(getattr(old, part), clauses=getattr(new, part).clauses)
    return replace(new, **changes)


def settled(rules: Ruleset, parameters: Collection[str]) -> Ruleset:
    """The same rules with the values of some parameters written in their places: no other value changes them."""
    values = {name: rules.parameters[name].value for name in parameters if name in rules.parameters}
    options = {name: rules.parameters[name].options for name in values}

    def write(part: Any) -> Any:
        if isinstance(part, x.Param) and part.name in values:
            value = values[part.name]
            known = options[part.name].index(value) if isinstance(value, str) else value
            return x.Const(value=known, type=part.type, span=part.span)
        if isinstance(part, tuple) and not hasattr(part, "_fields"):
            return tuple(map(write, part))
        if is_dataclass(part) and not isinstance(part, (type, Span, Type)):
            inner = {f.name: getattr(part, f.name) for f in fields(part)}
            changed = {name: write(value) for name, value in inner.items()}
            different = {name: value for name, value in changed.items() if value is not inner[name]}
            return replace(part, **different) if different else part
        return part

    changes: dict[str, Any] = {name: write(getattr(rules, name)) for name in _TUPLES}
    for name in _MAPS:
        changes[name] = FrozenMap({key: write(part) for key, part in getattr(rules, name).items()})
    return replace(rules, **changes, match=write(rules.match))


def together(found: Difference, changed: ClauseDifference) -> tuple[set[str], set[str]]:
    """The clauses and parameters that must be exchanged along with a clause, itself among them.

    They are the differing clauses that declare what it needs, and those that need what it declares.
    """
    differing = {c.clause: c for c in found.clauses}
    clauses, todo = {changed.clause}, [changed]
    while todo:
        current = todo.pop()
        for other in differing.values():
            if other.clause not in clauses and (_needs(current.old, other.old) or _needs(other.new, current.new)):
                clauses.add(other.clause)
                todo.append(other)
    return clauses, {name for clause in clauses for name in differing[clause].parameters}


_DECLARES = re.compile(r"(?:state|zone|define|action|template) ([a-z_]\w*)|phases ([\w, ]+)")


def _needs(user: Said | None, declarer: Said | None) -> bool:
    if user is None or declarer is None:
        return False
    declared = {
        word for pair in _DECLARES.findall(declarer.formal) for names in pair for word in names.split(", ") if word
    }
    own = {word for pair in _DECLARES.findall(user.formal) for names in pair for word in names.split(", ") if word}
    return not (declared - own).isdisjoint(re.findall(r"\w+", user.formal))


def _merged(new: list[str], old: list[str]) -> list[str]:
    """Both orders as one: what only the old one has stands after what it stood after there."""
    merged = list(new)
    for i, name in enumerate(old):
        if name not in merged:
            before = old[i - 1] if i else None
            merged.insert(merged.index(before) + 1 if before in merged else 0, name)
    return merged


def _swapped(new: Sequence[T], old: Sequence[T], clauses: Collection[str], order: Mapping[str, int]) -> tuple[T, ...]:
    of: Callable[[Any], str] = lambda part: part.clause  # noqa: E731
    kept = [part for part in new if of(part) not in clauses]
    taken = [part for part in old if of(part) in clauses]
    return tuple(sorted([*kept, *taken], key=lambda part: order.get(of(part), len(order))))


def _clauses(new: Ruleset, old: Ruleset, clauses: Collection[str], order: Mapping[str, int]) -> FrozenMap[str, Any]:
    found = {name: value for name, value in new.clauses.items() if name not in clauses}
    # Guards name their clause even if only the old rule set has it, so that a rejection can quote it.
    found |= {name: value for name, value in old.clauses.items() if name not in found}
    return FrozenMap({name: found[name] for name in sorted(found, key=lambda name: order.get(name, len(order)))})


def _match(new: Ruleset, old: Ruleset, clauses: Collection[str], order: Mapping[str, int]) -> Any:
    changes: dict[str, Any] = {"ends": _swapped(new.match.ends, old.match.ends, clauses, order)}
    for name in ("winner", "next_dealer"):
        part, other = getattr(new.match, name), getattr(old.match, name)
        if not {getattr(part, "clause", None), getattr(other, "clause", None)}.isdisjoint(clauses):
            changes[name] = other
    if not {new.match.divisor_clause, old.match.divisor_clause}.isdisjoint(clauses):
        changes |= {"divisor": old.match.divisor, "divisor_clause": old.match.divisor_clause}
    return replace(new.match, **changes)
