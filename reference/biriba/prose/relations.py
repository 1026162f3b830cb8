"""What a clause has to do with the rest of its rule set: parameters, actions, definitions, other clauses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from biriba.model.ruleset import Clause, Ruleset

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_DECLARED = {
    "places": "order of the cards in a run",
    "deck": "the pack",
    "wild": "which cards are wild",
    "value": "values of the cards",
    "play": "direction of play",
}
_META = ("cites ", "covers ", "because ", "says ", "follows ")


class Named(Protocol):
    """What a clause declares under a name."""

    @property
    def name(self) -> str: ...

    @property
    def clause(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations of one clause, everything in the order of the rules.

    Attributes:
        parameters: names of the parameters that its sentence or formal lines mention.
        roles: what it does, in words: ``requires of discard``, ``law about run``, ``invariant``.
        actions: the actions that it makes, guards, or adds consequences to.
        declares: names that it gives to the rest: definitions, states, zones, actions.
        uses: clauses that declare what it names.
        used_by: clauses that name what it declares.
        implied: clauses that follow from it.
    """

    parameters: tuple[str, ...]
    roles: tuple[str, ...]
    actions: tuple[str, ...]
    declares: tuple[str, ...]
    uses: tuple[str, ...]
    used_by: tuple[str, ...]
    implied: tuple[str, ...]


def formal_text(clause: Clause) -> str:
    """The formal lines of a clause: without its sentence, sources, comments and examples."""
    lines = []
    for line in clause.source.splitlines()[1:]:
        bare = line.strip()
        if bare.startswith("example "):
            break
        if bare.startswith(('"', "#", *_META)):
            continue
        lines.append(line.split(" #")[0].rstrip())
    return "\n".join(lines)


def relations(rules: Ruleset) -> Mapping[str, Relations]:
    """The relations of all clauses, by id."""
    names = _declared(rules)
    formal = {id_: set(_WORD.findall(_STRING.sub("", formal_text(c)))) for id_, c in rules.clauses.items()}
    declares = {id_: tuple(n for n, owners in names.items() if id_ in owners) for id_ in rules.clauses}
    uses = {
        id_: {owner for word in words for owner in names.get(word, ()) if owner != id_} for id_, words in formal.items()
    }
    found = {}
    for id_, clause in rules.clauses.items():
        mentioned = set(_WORD.findall(clause.source)) if "{" in clause.source else formal[id_]
        found[id_] = Relations(
            parameters=tuple(
                n for n in rules.parameters if n in formal[id_] or (n in mentioned and _in_hole(n, clause))
            ),
            roles=tuple(_roles(rules, id_)),
            actions=tuple(n for n in rules.actions if n in _actions(rules, id_)),
            declares=declares[id_],
            uses=tuple(c for c in rules.clauses if c in uses[id_]),
            used_by=tuple(c for c in rules.clauses if id_ in uses[c]),
            implied=tuple(c.id for c in rules.clauses.values() if id_ in c.follows),
        )
    return found


def mentions(rules: Ruleset) -> Mapping[str, tuple[str, ...]]:
    """For each parameter the clauses that mention it, in the order of the rules."""
    known = relations(rules)
    return {name: tuple(id_ for id_, r in known.items() if name in r.parameters) for name in rules.parameters}


def _in_hole(name: str, clause: Clause) -> bool:
    return any(name in _WORD.findall(text) for text in re.findall(r"\{([^{}|]*)[|}]", clause.source))


def _declared(rules: Ruleset) -> dict[str, set[str]]:
    """The clauses of each name that clauses give to others; a zone and an action may share one."""
    found: dict[str, set[str]] = {}
    for things in (rules.definitions, rules.states, rules.zones, rules.actions, rules.templates):
        for thing in cast("Mapping[str, Named]", things).values():
            found.setdefault(thing.name, set()).add(thing.clause)
    return found


def _actions(rules: Ruleset, id_: str) -> set[str]:
    return {
        *(a.name for a in rules.actions.values() if a.clause == id_),
        *(g.action for g in rules.guards if g.clause == id_),
        *(c.action for c in rules.consequences if c.clause == id_),
    }


def _roles(rules: Ruleset, id_: str) -> list[str]:
    found = [f"{_DECLARED.get(what, what)}" for what, clause in rules.cards.clauses.items() if clause == id_]
    found += [f"{_DECLARED.get(what, what)}" for what, clause in rules.table.clauses.items() if clause == id_]
    found += [f"action {a.name}" for a in rules.actions.values() if a.clause == id_]
    for timing, text in (("require", "condition before"), ("ensure", "condition after")):
        actions = [g.action for g in rules.guards if g.clause == id_ and g.timing == timing]
        if actions:
            found.append(f"{text} {', '.join(dict.fromkeys(actions))}")
    actions = [c.action for c in rules.consequences if c.clause == id_]
    if actions:
        found.append(f"consequence of {', '.join(dict.fromkeys(actions))}")
    found += [f"law about every {law.template or 'meld'}" for law in rules.laws if law.clause == id_]
    found += [f"way in which a {g.template} grows" for g in rules.growings if g.clause == id_]
    found += [f"shape of a {t.name}" for t in rules.templates.values() if t.clause == id_]
    found += [f"zone {z.name}" for z in rules.zones.values() if z.clause == id_]
    found += [f"definition of {d.name}" for d in rules.definitions.values() if d.clause == id_]
    found += [f"state {s.name}" for s in rules.states.values() if s.clause == id_]
    found += ["step of the deal" for s in rules.deal if s.clause == id_][:1]
    found += [f"line of the score: {s.label}" for s in rules.score if s.clause == id_]
    for what, statements in (
        ("fact about the cards", rules.facts),
        ("outcome of the deal", rules.after_deal),
        ("invariant", rules.invariants),
        ("invariant of every step", rules.step_invariants),
        ("end of the match", rules.match.ends),
    ):
        found += [what for s in statements if s.clause == id_][:1]
    for what, clause in _match_parts(rules).items():
        found += [what] if clause == id_ else []
    return found


def _match_parts(rules: Ruleset) -> dict[str, str | None]:
    match = rules.match
    return {
        "winner of the match": match.winner.clause if match.winner else None,
        "next dealer": match.next_dealer.clause if match.next_dealer else None,
        "first dealer": match.first_dealer,
        "how points are written": match.divisor_clause,
    }
