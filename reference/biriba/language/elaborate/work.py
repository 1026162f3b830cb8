"""What is at hand while a rule set is compiled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from lark import Token, Tree

from biriba.language.diagnostics import RulesError
from biriba.language.elaborate.cards import Item, clause_of
from biriba.language.elaborate.effects import Effects
from biriba.language.elaborate.expressions import Expressions
from biriba.language.elaborate.names import Names
from biriba.language.merge import Flat, Piece
from biriba.model.ruleset import Consequence, Guard
from biriba.model.types import CARD, RANK, SEAT, SIDE, SUIT, Type

T = TypeVar("T")

SCALARS = {"card": CARD, "rank": RANK, "suit": SUIT, "seat": SEAT, "side": SIDE}
"""The types that a value can have by itself."""

_META = ("prose", "cites", "covers", "ruling", "says", "example", "follows")


@dataclass(slots=True)
class Work:
    """The state of the elaboration.

    Attributes:
        items: the formal items of all clauses by kind, in clause order.
        clause_vars: for each clause the variables that its guards and laws bind; its `says` may use them.
        guards, consequences: those elaborated so far.
        broken: clauses with a faulty item; what else is wrong with them may only follow from it.
    """

    flat: Flat
    names: Names
    expressions: Expressions
    effects: Effects
    items: dict[str, list[Item]] = field(default_factory=lambda: defaultdict(list))
    clause_vars: dict[str, dict[str, Type]] = field(default_factory=lambda: defaultdict(dict))
    guards: list[Guard] = field(default_factory=list)
    consequences: list[Consequence] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    @classmethod
    def on(cls, flat: Flat) -> Work:
        """The work on a flat rule set, its items sorted by kind."""
        names = Names(flat, list(flat.problems))
        expressions = Expressions(names)
        work = cls(flat, names, expressions, Effects(names, expressions))
        for piece in flat.clauses.values():
            for tree in piece.tree.children[2:]:
                if isinstance(tree, Tree) and tree.data not in _META:
                    work.items[str(tree.data)].append((tree, piece))
        return work

    def each(self, kind: str, build: Callable[[Work, Tree[Token], Piece], T]) -> tuple[T, ...]:
        """What `build` makes of every item of a kind; a fault in one leaves the others."""
        found: list[T] = []
        for tree, piece in self.items[kind]:
            count = len(found)
            with self.names.catching():
                found.append(build(self, tree, piece))
            if len(found) == count:
                self.broken.add(clause_of(piece))
        return tuple(found)

    def stop_if_broken(self) -> None:
        """Later stages would only repeat what is wrong already.

        Raises:
            RulesError: with the faults found so far.
        """
        if self.names.problems:
            raise RulesError(tuple(dict.fromkeys(self.names.problems)), self.flat.files)

    def bind(self, piece: Piece, name: str, type_: Type) -> None:
        """Remember a variable, so that the clause's `says` may use it."""
        known = self.clause_vars[clause_of(piece)]
        known[name] = type_ if known.get(name, type_) == type_ else Type(type_.kind)
