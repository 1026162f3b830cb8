"""Which expressions have a value whatever else holds, so that a back end may work them out early."""

from __future__ import annotations

from biriba.model import expr as x
from biriba.model.ruleset import Ruleset


def always_defined(rules: Ruleset, node: x.Node) -> bool:
    """Whether an expression rests on no guard: it takes no top of a pile and needs no value that may be none."""
    for part in node.walk():
        match part:
            case x.Call(function="top"):
                return False
            case x.Call(function="suit" | "rank" | "rank_at", type=type_) if not type_.optional:
                return False
            case x.State(name=name, type=type_) if rules.states[name].type.optional and not type_.optional:
                return False
            case x.Apply(definition=name) if not always_defined(rules, rules.definitions[name].body):
                return False
            case x.May(action=name) if not all(always_defined(rules, g.body) for g in rules.guards_of(name, "require")):
                return False
    return True
