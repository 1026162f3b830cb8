"""Why a position can never come about: reasons that are proofs, or rest on invariants that are proved."""

from __future__ import annotations

from collections.abc import Iterator

from biriba.interpreter.rules import Rules
from biriba.model import expr as x
from biriba.model.position import Position
from biriba.model.ruleset import Ruleset
from biriba.notation.vocabulary import vocabulary
from biriba.planner.flows import Flows
from biriba.planner.goal import Goal


def impossible(rules: Rules, goal: Goal) -> str | None:
    """Why nothing as wanted can ever come about; None if no reason is known.

    Example:
        >>> import biriba
        >>> from biriba.planner import Goal
        >>> rules = biriba.load("biriba")
        >>> print(impossible(rules, Goal.stated(rules, "turn A start; packet 1 AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH")))
        packet 1 has 12 cards, the deal puts 11 there, and no action puts any
    """
    words, flows = vocabulary(rules.ruleset), Flows.of(rules.ruleset)
    for card, copies in sorted(goal.cards().items()):
        face = rules.ruleset.cards.faces[card]
        if copies > face.copies:
            return f"{face.symbol} lies there {copies} times, and the deck has {face.copies}"
    for slot, wanted in sorted(goal.zones.items()):
        name, _ = rules.layout.zone_slots[slot]
        dealt = rules.dealt_sizes[slot]
        if name not in flows.into and wanted.size > dealt:
            return (
                f"{words.zone_name(slot)} has {wanted.size} cards, the deal puts {dealt} there, and no action puts any"
            )
    return None


def ruled_out(rules: Rules, position: Position) -> str | None:
    """Why a position breaks what is true of all that come about, by the rule set's invariants; None if it does not.

    `biriba verify` says which invariants are proved, and that there are no dead ends.
    """
    clauses = list(dict.fromkeys([*rules.violated_invariants(position), *_after_a_step(rules, position)]))
    if clauses:
        return f"it breaks what always holds: {', '.join(clauses)}"
    if not rules.over(position) and not rules.legal(position):
        return "it is a dead end: no action is legal there"
    return None


def _after_a_step(rules: Rules, position: Position) -> Iterator[str]:
    """The broken clauses of what holds after each step, as far as it says nothing of the step itself."""
    statements = rules.ruleset.step_invariants
    of_steps = {statement.clause for statement in statements if _looks_back(rules.ruleset, statement.body)}
    yield from (clause for clause in rules.violated_invariants(position, before=position) if clause not in of_steps)


def _looks_back(rules: Ruleset, body: x.Node) -> bool:
    """Whether an expression speaks of the position before a step, or of who has acted."""
    for node in body.walk():
        match node:
            case x.Old() | x.May() | x.Context(name="me" | "mine"):
                return True
            case x.Apply(definition=name) if _looks_back(rules, rules.definitions[name].body):
                return True
    return False
