"""Unknown functions: what is asked of a rest of melds, how far a meld can grow, what can be made of cards.

The solver may give them any value that their facts allow. A proof that needs no more than that holds
whatever their true values are. A model is another matter: there `Unknowns.truth` compares what the
solver chose with what the interpreter computes for the melds of the model, as lemmas to add.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from biriba.model.ruleset import Ruleset
from biriba.verify.symbols import Rest, SymMeld
from biriba.verify.terms import (
    Term,
    and_,
    between,
    equal,
    implies,
    known,
    lookup,
    multiply,
    not_,
    or_,
    same,
    subtract,
    total,
)
from biriba.verify.z3api import z3


@dataclass(frozen=True)
class RoomAsked:
    meld: SymMeld
    card: Term
    answer: Term


@dataclass(frozen=True)
class GrownAsked:
    """Whether some meld that `meld` becomes by 1 to `count` copies of a card satisfies `holds`.

    Attributes:
        kind: ``some``, or ``sum``: then `holds` is what each adds.
    """

    kind: str
    meld: SymMeld
    key: object
    card: Term
    count: Term
    args: tuple[Term, ...]
    holds: Callable[[SymMeld], Term]
    answer: Term


@dataclass(frozen=True)
class MadeAsked:
    """Whether some lawful meld made of cards satisfies `holds`.

    Attributes:
        kind: ``some``, or ``sum``: then `holds` is what each adds.
        counts: how many copies of each face there are.
        card: a card besides those, which the meld must contain.
    """

    kind: str
    counts: tuple[Term, ...]
    card: Term | None
    holds: Callable[[SymMeld], Term]
    answer: Term


@dataclass(frozen=True)
class DeadwoodAsked:
    """The least points left of cards, of which there are so many copies of each face, when `aside` are set aside."""

    counts: tuple[Term, ...]
    aside: Term
    answer: Term


class Unknowns:
    """The unknown functions of one encoding.

    Attributes:
        facts: what is known of their values; a solver must be told.
        apart: tells how melds grow by one rule set from how they do by another.
        rooms, grown_asked, made_asked, deadwood_asked: what was asked about melds in detail, and about cards.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.copies = [face.copies for face in rules.cards.faces]
        # What is left of cards depends on templates, laws and values: other rules have a function of their own.
        self.digest = rules.digest
        self.values = [face.value for face in rules.cards.faces]
        self.facts: list[Term] = []
        self.rooms: dict[tuple[str, object], RoomAsked] = {}
        self.grown_asked: dict[tuple[object, ...], GrownAsked] = {}
        self.made_asked: dict[object, MadeAsked] = {}
        self.deadwood_asked: dict[object, DeadwoodAsked] = {}
        self.apart = ""
        self._functions: dict[object, Any] = {}
        self._kept: list[object] = []
        self._asked: dict[object, list[tuple[tuple[Term, ...], Term]]] = {}
        self._seen: set[object] = set()

    def share(self, other: Unknowns, *, apart: bool) -> None:
        """Let equal questions have the answers that they have in another encoding.

        Args:
            apart: but not those about how melds grow, since they grow otherwise.
        """
        self.facts, self._functions, self._kept = other.facts, other._functions, other._kept
        self._asked, self._seen = other._asked, other._seen
        self.apart = "other" if apart else ""

    def keep(self, value: object) -> None:
        """Keep an object alive as long as its identity is part of a function's name."""
        self._kept.append(value)

    def of_rest(
        self,
        rest: Rest,
        key: object,
        args: tuple[Term, ...],
        sort: str,
        *,
        positive: bool,
        monotone: int | None = None,
    ) -> Term:
        """What an expression says of the melds of a rest, as far as it depends on the arguments.

        Args:
            positive: it is a sum of what is not negative.
            monotone: the argument with which a condition grows: if it holds, it holds for a greater one.
        """
        answer = self._apply(("rest", rest.name, key), args, sort)
        self._fact(
            (answer, "nothing"), implies(equal(rest.size, 0), not_(answer) if sort == "bool" else equal(answer, 0))
        )
        self._not_negative(answer, positive)
        if monotone is not None:
            self._grows_with(("rest", rest.name, key), args, monotone, answer)
        return answer

    def _grows_with(self, key: object, args: tuple[Term, ...], i: int, answer: Term) -> None:
        asked = self._asked.setdefault(key, [])
        if any(all(map(same, args, others)) for others, _ in asked):
            return
        for others, other in asked:
            alike = [equal(a, b) for j, (a, b) in enumerate(zip(args, others, strict=True)) if j != i]
            self.facts.append(implies(and_([*alike, args[i] <= others[i], answer]), other))
            self.facts.append(implies(and_([*alike, others[i] <= args[i], other]), answer))
        asked.append((args, answer))

    def room(self, meld: SymMeld, card: Term) -> Term:
        """How many copies of a card a meld takes."""
        answer = self._apply(("room", self.apart, meld.name), (_term(card),), "int")
        key = (meld.name, self._same(card))
        if key not in self.rooms:
            self._fact(answer, between(answer, 0, None))
            self._fact((answer, "most"), answer <= lookup(self.copies, card, 0))
            self.rooms[key] = RoomAsked(meld, card, answer)
        return answer

    def grown(
        self,
        meld: SymMeld,
        key: object,
        card: Term,
        count: Term,
        args: tuple[Term, ...],
        holds: Callable[[SymMeld], Term],
        kind: str = "some",
        *,
        positive: bool = False,
    ) -> Term:
        """Whether a condition holds for some meld that a meld becomes by adding copies of a card."""
        sort = "bool" if kind == "some" else "int"
        answer = self._apply(("grown", self.apart, meld.name, key), (_term(card), _term(count), *args), sort)
        asked = (meld.name, key, self._same(card), self._same(count), *map(self._same, args))
        if asked not in self.grown_asked:
            # A meld grows by at least one copy exactly if it has room for one.
            nothing = z3.Not(answer) if kind == "some" else answer == 0
            self._fact((answer, "none"), or_((nothing, and_((count >= 1, self.room(meld, card) >= 1)))))
            self._not_negative(answer, positive)
            self.grown_asked[asked] = GrownAsked(kind, meld, key, card, count, args, holds, answer)
        return answer

    def made(
        self,
        counts: tuple[Term, ...],
        key: object,
        kind: str,
        card: Term | None,
        args: tuple[Term, ...],
        holds: Callable[[SymMeld], Term],
        *,
        positive: bool,
    ) -> Term:
        """Whether a condition holds for some lawful meld made of cards, or what all such melds add up to."""
        asked = ("made", self.apart, key, self._same(counts), card is None)
        given = args if card is None else (_term(card), *args)
        answer = self._apply(asked, given, "bool" if kind == "some" else "int")
        about = (asked, self._same(given))
        if about not in self.made_asked:
            self._not_negative(answer, positive)
            self.made_asked[about] = MadeAsked(kind, counts, card, holds, answer)
        return answer

    def deadwood(self, counts: tuple[Term, ...], aside: Term) -> Term:
        """The least points that are left of cards."""
        answer = self._apply(("deadwood", self.digest), tuple(map(_term, (*counts, aside))), "int")
        about = (self._same(counts), self._same(aside))
        if about in self.deadwood_asked:
            return answer
        self.deadwood_asked[about] = DeadwoodAsked(counts, aside, answer)
        if all(value >= 0 for value in self.values):
            self._fact((answer, "bounds"), and_((answer >= 0, answer <= self.worth(counts))))
        if known(aside) and aside > 0:
            # It is what is left when the best of the cards is set aside first.
            rests: list[Term] = []
            for face, count in enumerate(counts):
                if not known(count) or count:
                    fewer = (*counts[:face], subtract(count, 1), *counts[face + 1 :])
                    rest = self.deadwood(fewer, aside - 1)
                    rests.append(and_((count > 0, equal(answer, rest))))
                    self._fact((answer, face), implies(count > 0, answer <= rest))
            self._fact((answer, "least"), or_((and_(equal(count, 0) for count in counts), *rests)))
        return answer

    def worth(self, counts: tuple[Term, ...]) -> Term:
        """The points of cards."""
        return total(multiply(value, count) for value, count in zip(self.values, counts, strict=True))

    def of_numbers(self, key: object, args: tuple[Term, ...], *, positive: bool) -> Term:
        """A sum over numbers between bounds that are not known."""
        answer = self._apply(("numbers", key), tuple(map(_term, args)), "int")
        self._not_negative(answer, positive)
        return answer

    def within(self, sure: Term, possible: Term, about: object) -> Term:
        """A condition of which it is known when it surely holds, and what follows from it."""
        if sure is possible:
            return sure
        answer = self._apply(("within", about), (), "bool")
        self._fact((answer, "sure"), implies(sure, answer))
        self._fact((answer, "possible"), implies(answer, possible))
        return answer

    def _not_negative(self, answer: Term, positive: bool) -> None:
        if positive:
            self._fact(answer, answer >= 0)

    def _same(self, about: object) -> object:
        """What is equal for equal terms, without writing them out."""
        if isinstance(about, tuple):
            return tuple(self._same(part) for part in about)
        if hasattr(about, "get_id"):
            self.keep(about)  # a number is given to another term when its own is gone
            return ("term", about.get_id())
        return (type(about).__name__, about)

    def _fact(self, about: object, fact: Term) -> None:
        key = self._same(about)
        if key not in self._seen:
            self._seen.add(key)
            if not known(fact):
                self.facts.append(fact)

    def _apply(self, key: object, args: tuple[Term, ...], sort: str) -> Term:
        sorts = [z3.BoolSort() if isinstance(arg, bool) or z3.is_bool(arg) else z3.IntSort() for arg in args]
        signature = (key, tuple(map(str, sorts)), sort)
        function = self._functions.get(signature)
        if function is None:
            name = f"{_label(key)}!{len(self._functions)}"
            result = z3.BoolSort() if sort == "bool" else z3.IntSort()
            function = z3.Function(name, *sorts, result) if sorts else z3.Const(name, result)
            self._functions[signature] = function
        return function(*args) if args else function


def _label(key: object) -> str:
    return ":".join(str(part) for part in key if isinstance(part, str)) if isinstance(key, tuple) else str(key)


def _term(value: Term) -> Term:
    return z3.IntVal(value) if known(value) else value
