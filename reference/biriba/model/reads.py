"""What the value of an expression depends on: variables, zones, state variables, and what the situation gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset


class Read(NamedTuple):
    """Something that an expression looks at.

    Attributes:
        kind: ``var``, ``zone``, ``state`` (all of that name, whosever they are), ``everywhere`` (which cards there
            are on the whole table), ``phase``, ``me``, ``mine``, ``dealer``, ``deals``, ``total``, ``subtotal`` or
            ``old`` (anything before the step).
        name: the name of the variable, zone or state variable; empty for the others.
    """

    kind: str
    name: str = ""


def reads(rules: Ruleset, node: x.Node) -> frozenset[Read]:
    """All that an expression looks at, in the definitions, guards and lines of the score sheet that it uses too.

    Variables that it binds itself are left out: expressions for which all this is equal have equal values.
    """
    return frozenset(_reads(rules, node))


def _reads(rules: Ruleset, node: x.Node) -> Iterator[Read]:
    match node:
        case x.Var(name=name):
            yield Read("var", name)
        case x.Old():
            yield Read("old")
        case x.Quantified(binders=binders) | x.Fold(binders=binders):
            bound: set[str] = set()
            for binder in binders:
                yield from _free(rules, binder.domain, bound)
                bound.add(binder.var)
                if binder.where is not None:
                    yield from _free(rules, binder.where, bound)
            yield from _free(rules, node.body, bound)
        case _:
            yield from _itself(rules, node)
            for child in node.children():
                yield from _reads(rules, child)


def _itself(rules: Ruleset, node: x.Node) -> Iterator[Read]:
    """What a node looks at besides what is written inside it."""
    match node:
        case x.Zone(name=name):
            yield Read("zone", name)
        case x.State(name=name):
            yield Read("state", name)
        case x.Everywhere():
            yield Read("everywhere")
        case x.PhaseIs():
            yield Read("phase")
        case x.Context(name=name):
            yield Read(name)
        case x.Call(function="total" | "subtotal" as function):
            yield Read(function)
        case _:
            for used, bound in _used(rules, node):
                yield from _free(rules, used, bound)


def _used(rules: Ruleset, node: x.Node) -> Iterator[tuple[x.Node, set[str]]]:
    """What a node uses that is written elsewhere, with the variables that are bound there."""
    match node:
        case x.Apply(definition=name):
            definition = rules.definitions[name]
            yield definition.body, {param for param, _ in definition.params}
        case x.May(action=action):
            for guard in rules.guards_of(action, "require"):
                yield guard.body, {param.name for param in rules.actions[action].params}
        case x.Call(function="points"):
            for line in rules.score:
                for part in (line.body, line.where) if line.type.kind == "meld" else ():
                    if part is not None:
                        yield part, {line.var}


def _free(rules: Ruleset, node: x.Node, bound: set[str]) -> Iterator[Read]:
    """What a node looks at outside some variables."""
    return (read for read in _reads(rules, node) if read.kind != "var" or read.name not in bound)


def parameters(rules: Ruleset, *nodes: x.Node) -> frozenset[str]:
    """The names of the parameters on which the values of expressions hang, in what they use too."""
    return frozenset(name for node in nodes for name in _parameters(rules, node))


def _parameters(rules: Ruleset, node: x.Node) -> Iterator[str]:
    for part in node.walk():
        match part:
            case x.Param(name=name):
                yield name
            case _:
                for used, _ in _used(rules, part):
                    yield from _parameters(rules, used)
