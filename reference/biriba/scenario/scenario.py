"""Scenarios: situations with what must be true in them. Examples in rule files and vectors are both of this form.

A scenario is plain data: it names cards, seats and actions in the notation and holds no compiled
rules, so that a vector can be read before its rule set is at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union, cast

Data: TypeAlias = Union[bool, int, str, list["Data"], dict[str, "Data"], None]  # noqa: UP007
"""A JSON value."""
Fields: TypeAlias = Mapping[str, Data]

LEVELS = ("melds", "scoring", "actions", "legal", "games", "views", "match")
"""What an implementation must be able to do to be tested; conformance/format.md says which is which."""
KINDS = ("example", "scenario", "bug-report", "solver", "search", "fuzz", "plan")
"""Where a vector comes from."""
NOT_IN_CHOICES = frozenset({"also", "rest", "open", "one_of", "legal"})
"""What an expectation cannot say of one of several allowed outcomes, but only of all of them."""
UNCHANGED, ANY, DRAFT = "unchanged", "any", "draft"
"""What an expectation says of all that it does not mention; of a draft, `biriba.scenario.complete` finds it out."""
SPECTATOR = "spectator"
"""The name, in views, of somebody who holds no hand."""


@dataclass(frozen=True, slots=True)
class Written:
    """An action or a meld in the notation: as text, and as JSON if that is known yet."""

    text: str
    data: Fields | None = None


# ---------------------------------------------------------------- where a scenario begins


@dataclass(frozen=True, slots=True)
class GivenPosition:
    """A position: its canonical text, and as JSON.

    Attributes:
        stated: the partial position that it was made of, in which only what matters is said; empty if there is none.
    """

    text: str
    data: Fields
    stated: str = ""


@dataclass(frozen=True, slots=True)
class GivenDeck:
    """A deal from a deck, its first card dealt first, and actions played since.

    Attributes:
        totals, deals: how the match stands when the deal begins, after so many complete deals; empty at its beginning.
    """

    deck: tuple[str, ...]
    dealer: str
    actions: tuple[Written, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    deals: int = 0


@dataclass(frozen=True, slots=True)
class GivenTotals:
    """The totals of a match after a number of complete deals, the last one dealt by `dealer`."""

    totals: Mapping[str, int]
    dealer: str
    deals: int


Given: TypeAlias = GivenPosition | GivenDeck | GivenTotals


# ---------------------------------------------------------------- what happens and what must hold


@dataclass(frozen=True, slots=True)
class Play:
    """The action is legal, and is played."""

    act: Written


@dataclass(frozen=True, slots=True)
class Accept:
    """The action is legal; it is not played."""

    act: Written


@dataclass(frozen=True, slots=True)
class Reject:
    """The action is not legal.

    Attributes:
        because: the ids of all clauses that it breaks, in any order; None: they are not stated.
        malformed: it is no action of the game at all, so that there is only a text.
        seat: who wants to act; None: the seat whose turn it is.
    """

    act: Written
    because: tuple[str, ...] | None = None
    malformed: bool = False
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Repeat:
    """The steps are gone through so many times."""

    times: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """What is true of a meld as it lies, apart from any position.

    Attributes:
        lawful: whether it keeps every rule about melds.
        because: if it does not, the ids of all clauses that it breaks; None: they are not stated.
        facts: ``value``, ``bonus``, ``points`` (both together), or what a definition of the rules says of melds.
    """

    meld: Written
    lawful: bool = True
    because: tuple[str, ...] | None = None
    facts: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layouts:
    """All lawful melds that can be made of just these cards, in whatever order they are offered."""

    cards: tuple[str, ...]
    melds: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """What the cards are worth together."""

    cards: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Expect:
    """What must hold now.

    Attributes:
        facts: as in a vector's ``expect``, without ``legal``, ``also`` and ``rest``.
        legal: all legal actions, in any order; None: they are not stated.
        also: what else has changed since the last expectation; no point of the scenario, but no less true.
        rest: `UNCHANGED`: what neither of them mentions is as it was at the last expectation, or at the beginning;
            `ANY`: it may be anything; `DRAFT`: what else has changed has not been found out yet.
    """

    facts: Fields = field(default_factory=dict)
    legal: tuple[Written, ...] | None = None
    also: Fields = field(default_factory=dict)
    rest: str = DRAFT


Body: TypeAlias = Play | Accept | Reject | Repeat | Claim | Layouts | Value | Expect


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens or must hold.

    Attributes:
        body: what it is.
        where: where it was written: ``spec/biriba.rules:92`` or ``$.steps[3]``. No part of equality.
        line: the line of an example that it comes from, empty in a vector. No part of equality.
    """

    body: Body
    where: str = field(default="", compare=False)
    line: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a scenario comes from: one of `KINDS`, ids of the cases it stands for, a note for readers."""

    kind: str
    cases: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A situation with what must be true in it.

    Attributes:
        id: ``group/slug``, unique and permanent.
        title: what it shows, in words.
        level: one of `LEVELS`.
        rulesets: names and versions of the rule sets under which it holds.
        clauses: ids of the clauses that it tests.
        digests: for these clauses, the digest that each had when the scenario was last looked at.
        form_of: the id of the scenario that is the same from a given position; this one is played from a deck.
    """

    id: str
    title: str
    level: str
    rulesets: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]
    provenance: Provenance
    given: Given | None
    steps: tuple[Step, ...]
    digests: Mapping[str, str] = field(default_factory=dict)
    form_of: str | None = None


class ScenarioError(Exception):
    """A scenario that cannot be read: where, what is wrong, and a hint if there is one."""

    def __init__(self, where: str, message: str, hint: str | None = None) -> None:
        self.where = where
        self.message = message
        self.hint = hint
        text = f"{where}: {message}" if where else message
        super().__init__(f"{text}\n  hint: {hint}" if hint else text)


def said_twice(facts: Fields, also: Fields) -> str | None:
    """A zone, state, turn or phase of which two parts of an expectation speak, though one says all; None if none.

    Of what is left open nothing is stated, and `also` repeats nothing but what ``sizes``, ``holds`` or ``over`` say
    in part.
    """
    left = [name for of in (facts, also) for name in cast("list[str]", of.get("open", []))]
    twice = {name for name in left if left.count(name) > 1}
    twice |= set(left) & (_mentioned(facts) | _mentioned(also))
    twice |= _mentioned(facts, wholly=True) & _mentioned(also)
    return min(twice, default=None)


def _mentioned(facts: Fields, *, wholly: bool = False) -> set[str]:
    """What facts speak of, by such names as ``hand A``, ``barred`` and ``turn``; `wholly`: of which they say all."""
    found = {name for name in ("turn", "phase") if name in facts}
    if facts.get("over") is True or ("over" in facts and not wholly):
        found.add("phase")
    for kind in ("zones", "states") if wholly else ("zones", "states", "sizes", "holds"):
        for name, of in cast("Mapping[str, Data]", facts.get(kind, {})).items():
            found |= {f"{name} {owner}" for owner in of} if isinstance(of, Mapping) else {name}
    return found.union(*(_mentioned(choice) for choice in cast("list[Fields]", facts.get("one_of", []))))


def all_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps and those inside repetitions, each once."""
    for step in steps:
        yield step
        if isinstance(step.body, Repeat):
            yield from all_steps(step.body.steps)


def level_of(given: Given | None, steps: tuple[Step, ...]) -> str:
    """The least level that an implementation must reach to be tested by these steps."""
    bodies = [step.body for step in all_steps(steps)]
    told = {name for body in bodies if isinstance(body, Expect) for name in body.facts}
    if isinstance(given, GivenTotals):
        return "match"
    if "view" in told:
        return "views"
    if isinstance(given, GivenDeck):
        return "games"
    if told & {"legal_count", "perft"} or any(isinstance(body, Expect) and body.legal is not None for body in bodies):
        return "legal"
    if any(isinstance(body, (Play, Accept, Reject)) for body in bodies):
        return "actions"
    scored = {"value", "bonus", "points"}
    claims = [body for body in bodies if isinstance(body, Claim)]
    if (
        given is not None
        or any(isinstance(body, Value) for body in bodies)
        or any(scored & set(c.facts) for c in claims)
    ):
        return "scoring"
    return "games" if told & {"deck", "table"} else "melds"
