"""No definition may need itself, not even by way of `may`, which stands for the guards of an action.

Nor may a clause follow from itself: it would rest on nothing.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from biriba.language.elaborate.names import Fault
from biriba.model import expr as x
from biriba.model.ruleset import Ruleset


def check_cycles(rules: Ruleset) -> None:
    """
    Raises:
        Fault: evaluating a definition or guard would never end, or a clause follows from itself.
    """
    _check_follows(rules)
    graph: dict[str, set[str]] = {}
    for definition in rules.definitions.values():
        graph[definition.name] = _needs(definition.body)
    for action in rules.actions:
        graph[f"may {action}"] = {n for guard in rules.guards_of(action, "require") for n in _needs(guard.body)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        name = next((n for n in circle if n in rules.definitions), None)
        action = circle[0].removeprefix("may ")
        body = rules.definitions[name].body if name else rules.guards_of(action, "require")[0].body
        hint = "`may` stands for the `require` guards of an action; they cannot rest on what needs them"
        raise Fault("E0405", f"defined through itself: {' -> '.join(reversed(circle))}", body.span, hint) from None


def _check_follows(rules: Ruleset) -> None:
    try:
        TopologicalSorter({clause.id: clause.follows for clause in rules.clauses.values()}).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        message = f"clause '{circle[0]}' follows from itself: {' from '.join(reversed(circle))}"
        hint = "give one of them a meaning of its own"
        raise Fault("E0405", message, rules.clauses[circle[0]].span, hint) from None


def _needs(body: x.Node) -> set[str]:
    found = set()
    for node in body.walk():
        if isinstance(node, x.Apply):
            found.add(node.definition)
        elif isinstance(node, x.May):
            found.add(f"may {node.action}")
    return found
