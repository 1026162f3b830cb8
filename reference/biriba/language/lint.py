"""Warnings: what is allowed but probably not meant."""

from __future__ import annotations

from biriba.language.diagnostics import Diagnostic
from biriba.model import stmt as s
from biriba.model.ruleset import OVER, Clause, Ruleset

_POSITIONS = ("turn", "dealer", "rest", "in", "empty", "card", "cards")
_ACTIONS = ("of", "with", "at", "moving", "low", "high", "yes", "no", "none")
_RECORDS = ("record", "rules", "tag", "deal", "deck", "score", "result", "winner")
NOTATION_WORDS = frozenset((*_POSITIONS, *_ACTIONS, *_RECORDS))
"""The words that `docs/notation.md` keeps for itself; `over` is a phase of every rule set."""

_RENAME = "give it another name, or what is written of such games may not be read again"


def lint(rules: Ruleset, used: set[str], moved: set[str], entered: set[str]) -> tuple[Diagnostic, ...]:
    """The warnings about a rule set, in the order of the source.

    Args:
        used: names of parameters, zones, states and definitions that something refers to.
        moved: names of zones that something is moved into.
        entered: names of phases that something goes to.
    """
    found: list[Diagnostic] = []
    for clause in rules.clauses.values():
        if not clause.prose.parts:
            found.append(_warn("W0601", f"clause '{clause.id}' has no sentence", clause))
        if not clause.cites and clause.because is None:
            hint = 'cites SOURCE §n, or because "reason" for a ruling of your own'
            found.append(_warn("W0602", f"clause '{clause.id}' names no source and no reason", clause, hint))
    for clause_id in sorted(set(rules.clauses) - _with_meaning(rules)):
        hint = "give it a formal item, or say what it follows from: follows from CLAUSE"
        found.append(_warn("W0605", f"clause '{clause_id}' has no formal meaning", rules.clauses[clause_id], hint))
    found += [
        Diagnostic("W0603", f"nothing uses parameter '{p.name}'", p.span, None, "warning")
        for p in rules.parameters.values()
        if p.name not in used
    ]
    for definition in rules.definitions.values():
        if definition.name not in used:
            clause = rules.clauses[definition.clause]
            found.append(_warn("W0603", f"nothing uses definition '{definition.name}'", clause))
    found += [
        _warn("W0604", f"the notation of positions and games has a meaning of its own for '{name}'", clause, _RENAME)
        for name, clause in _notated(rules)
        if name in NOTATION_WORDS
    ]
    for zone in rules.zones.values():
        if zone.name not in moved:
            found.append(_warn("W0603", f"nothing is ever moved to zone '{zone.name}'", rules.clauses[zone.clause]))
    for phase in rules.phases[1:]:
        if phase not in entered:
            action = next((a for a in rules.actions.values() if phase in a.phases), None)
            where = rules.clauses[action.clause] if action else next(iter(rules.clauses.values()))
            found.append(_warn("W0603", f"nothing goes to phase '{phase}'", where))
    if OVER not in entered and not any(isinstance(e, s.EndDeal) for e in _effects(rules)):
        first = next(iter(rules.clauses.values()))
        found.append(_warn("W0603", "nothing ends the deal", first, "end the deal"))
    return tuple(sorted(found, key=lambda d: d.span))


def _notated(rules: Ruleset) -> list[tuple[str, Clause]]:
    """The names that stand in positions, actions and records, each with the clause that gives it."""
    named = [(zone.name, zone.clause) for zone in rules.zones.values()]
    named += [(state.name, state.clause) for state in rules.states.values()]
    named += [(action.name, action.clause) for action in rules.actions.values()]
    named += [(template.name, template.clause) for template in rules.templates.values()]
    for what, names in (("seats", rules.table.seats), ("sides", rules.table.sides)):
        if what in rules.table.clauses:
            named += [(name, rules.table.clauses[what]) for name in names]
    return [(name, rules.clauses[clause]) for name, clause in named]


def _warn(code: str, message: str, clause: Clause, hint: str | None = None) -> Diagnostic:
    return Diagnostic(code, message, clause.span, hint, "warning")


def _with_meaning(rules: Ruleset) -> set[str]:
    """The ids of the clauses that a part of the rule set comes from."""
    parts: list[object] = [*rules.growings, *rules.laws, *rules.guards, *rules.consequences, *rules.deal]
    parts += [*rules.after_deal, *rules.facts, *rules.invariants, *rules.step_invariants, *rules.score]
    parts += [*rules.zones.values(), *rules.states.values(), *rules.templates.values()]
    parts += [*rules.definitions.values(), *rules.actions.values(), *rules.match.ends]
    parts += [p for p in (rules.match.winner, rules.match.next_dealer) if p is not None]
    found = {getattr(part, "clause") for part in parts}  # noqa: B009
    found |= {*rules.cards.clauses.values(), *rules.table.clauses.values()}
    if rules.match.divisor_clause is not None:
        found.add(rules.match.divisor_clause)
    if rules.match.first_dealer is not None:
        found.add(rules.match.first_dealer)
    return found | {c.id for c in rules.clauses.values() if c.follows} | _phase_clauses(rules)


def _phase_clauses(rules: Ruleset) -> set[str]:
    """The clauses that declare phases: they leave no other trace in the model."""
    return {c.id for c in rules.clauses.values() if "\n  phases " in c.source}


def _effects(rules: Ruleset) -> list[s.Effect]:
    blocks = [action.effects for action in rules.actions.values()]
    blocks += [consequence.effects for consequence in rules.consequences]
    return [effect for block in blocks for effect in s.walk(block)]
