"""What a clause has to do with the rest of its rule set: parameters, actions, definitions, other clauses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from biriba.model.meaning import formal_text
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
ROLES = (
    *_DECLARED.values(),
    "suits",
    "ranks",
    "seats",
    "sides",
    "action {names}",
    "condition before {names}",
    "condition after {names}",
    "consequence of {names}",
    "law about every {names}",
    "way in which {names} grows",
    "shape of {names}",
    "zone {names}",
    "definition of {names}",
    "state {names}",
    "step of the deal",
    "line of the score: {names}",
    "fact about the cards",
    "outcome of the deal",
    "invariant",
    "invariant of every step",
    "end of the match",
    "winner of the match",
    "next dealer",
    "first dealer",
    "how points are written",
)
"""What is said of clauses: catalogues translate it."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a clause does: ``condition before {names}``, and the names; the words are one of `ROLES`."""

    words: str
    names: str = ""

    def __str__(self) -> str:
        return self.words.format(names=self.names)


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
        roles: what it does, in words, and the names that the words are about.
        actions: the actions that it makes, guards, or adds consequences to.
        declares: names that it gives to the rest: definitions, states, zones, actions.
        uses: clauses that declare what it names.
        used_by: clauses that name what it declares.
        implied: clauses that follow from it.
    """

    parameters: tuple[str, ...]
    roles: tuple[Role, ...]
    actions: tuple[str, ...]
    declares: tuple[str, ...]
    uses: tuple[str, ...]
    used_by: tuple[str, ...]
    implied: tuple[str, ...]


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


def _roles(rules: Ruleset, id_: str) -> list[Role]:
    found = [Role(_DECLARED.get(what, what)) for what, clause in rules.cards.clauses.items() if clause == id_]
    found += [Role(_DECLARED.get(what, what)) for what, clause in rules.table.clauses.items() if clause == id_]
    found += [Role("action {names}", a.name) for a in rules.actions.values() if a.clause == id_]
    for timing, text in (("require", "condition before {names}"), ("ensure", "condition after {names}")):
        actions = [g.action for g in rules.guards if g.clause == id_ and g.timing == timing]
        if actions:
            found.append(Role(text, ", ".join(dict.fromkeys(actions))))
    actions = [c.action for c in rules.consequences if c.clause == id_]
    if actions:
        found.append(Role("consequence of {names}", ", ".join(dict.fromkeys(actions))))
    found += [Role("law about every {names}", law.template or "meld") for law in rules.laws if law.clause == id_]
    found += [Role("way in which {names} grows", g.template) for g in rules.growings if g.clause == id_]
    found += [Role("shape of {names}", t.name) for t in rules.templates.values() if t.clause == id_]
    found += [Role("zone {names}", z.name) for z in rules.zones.values() if z.clause == id_]
    found += [Role("definition of {names}", d.name) for d in rules.definitions.values() if d.clause == id_]
    found += [Role("state {names}", s.name) for s in rules.states.values() if s.clause == id_]
    found += [Role("step of the deal") for s in rules.deal if s.clause == id_][:1]
    found += [Role("line of the score: {names}", s.label) for s in rules.score if s.clause == id_]
    for what, statements in (
        ("fact about the cards", rules.facts),
        ("outcome of the deal", rules.after_deal),
        ("invariant", rules.invariants),
        ("invariant of every step", rules.step_invariants),
        ("end of the match", rules.match.ends),
    ):
        found += [Role(what) for s in statements if s.clause == id_][:1]
    for what, clause in _match_parts(rules).items():
        found += [Role(what)] if clause == id_ else []
    return found


def _match_parts(rules: Ruleset) -> dict[str, str | None]:
    match = rules.match
    return {
        "winner of the match": match.winner.clause if match.winner else None,
        "next dealer": match.next_dealer.clause if match.next_dealer else None,
        "first dealer": match.first_dealer,
        "how points are written": match.divisor_clause,
    }
