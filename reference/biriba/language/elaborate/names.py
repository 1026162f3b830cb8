"""The names of a rule set while it is compiled, and the faults found on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from lark import Token, Tree

from biriba.language.diagnostics import Diagnostic, did_you_mean
from biriba.language.merge import Flat, Piece
from biriba.language.parser import span_of
from biriba.model.expr import Node
from biriba.model.ruleset import OVER, Action, Cards, Definition, Parameter, StateDecl, Table, Template, ZoneDecl
from biriba.model.span import Span
from biriba.model.types import CARD, RANK, SEAT, SIDE, SUIT, Type


class Fault(Exception):
    """A fault in one item of a rule set; the item is given up, its neighbours are still checked."""

    def __init__(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span, hint)


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may refer to.

    Attributes:
        file: name of the source that the expression stands in.
        vars: bound variables.
        facts: conditions known to hold here, which make partial operations safe.
        acting: `me` and `mine` mean something.
        old: `old(...)` is allowed.
        known: of `total`, `deals`, `subtotal` and `points`, those that mean something here.
    """

    file: str
    vars: Mapping[str, Type] = field(default_factory=dict)
    facts: frozenset[Node] = frozenset()
    acting: bool = False
    old: bool = False
    known: frozenset[str] = frozenset()

    def bind(self, variables: Mapping[str, Type]) -> Scope:
        return replace(self, vars={**self.vars, **variables})

    def knowing(self, facts: Iterable[Node]) -> Scope:
        return replace(self, facts=self.facts | frozenset(facts))

    def forgetting(self) -> Scope:
        return replace(self, facts=frozenset())


_DECLARING = ("define", "state", "zone", "action", "template")
"""The items of a clause that begin with a name of their own."""

MATCH = frozenset(("total", "deals"))
"""What is known of the match while cards are dealt and between deals; within a deal no position tells it."""
SHEET = frozenset(("subtotal",))
"""What is known while a side's lines of the score sheet are added up."""
ALWAYS = frozenset(("points",))
"""What an invariant may speak of: no rule may rest on what its own score sheet says."""


@dataclass(slots=True)
class Names:
    """Everything declared so far; filled in the order in which declarations depend on one another.

    `acting_definitions` are those that speak of the acting seat, `needs` says of each definition which of
    `total`, `deals`, `subtotal` and `points` it speaks of; `used` collects the names of
    parameters, zones and definitions that something refers to.
    """

    flat: Flat
    problems: list[Diagnostic]
    parameters: dict[str, Parameter] = field(default_factory=dict)
    cards: Cards | None = None
    table: Table | None = None
    zones: dict[str, ZoneDecl] = field(default_factory=dict)
    states: dict[str, StateDecl] = field(default_factory=dict)
    templates: dict[str, Template] = field(default_factory=dict)
    phases: tuple[str, ...] = ()
    actions: dict[str, Action] = field(default_factory=dict)
    definition_trees: dict[str, tuple[Tree[Token], Piece]] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    acting_definitions: set[str] = field(default_factory=set)
    needs: dict[str, set[str]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Collect a fault instead of stopping."""
        try:
            yield
        except Fault as fault:
            self.problems.append(fault.diagnostic)

    def symbols(self, type_: Type) -> list[str]:
        """The names of all values of a type that has names, in index order."""
        match type_.kind:
            case "card" if self.cards:
                return [face.symbol for face in self.cards.faces]
            case "rank" if self.cards:
                return [rank.symbol for rank in self.cards.ranks]
            case "suit" if self.cards:
                return [suit.symbol for suit in self.cards.suits]
            case "seat" if self.table:
                return list(self.table.seats)
            case "side" if self.table:
                return list(self.table.sides)
            case "option":
                return list(self.parameters[type_.detail or ""].options)
            case _:
                return []

    def symbol_types(self, symbol: str) -> list[Type]:
        """The types in which a symbol names a value: `A` may be a rank and a seat."""
        return [t for t in (CARD, RANK, SUIT, SEAT, SIDE) if symbol in self.symbols(t)]

    def symbol(self, symbol: Token, type_: Type, file: str) -> int:
        """The index of a symbol in a type.

        Raises:
            Fault: there is no such value.
        """
        known = self.symbols(type_)
        if str(symbol) not in known:
            raise Fault(
                "E0201", f"there is no {type_.kind} '{symbol}'", span_of(symbol, file), did_you_mean(symbol, known)
            )
        return known.index(str(symbol))

    def ordinary(self, name: str) -> bool:
        """Whether a name means something wherever it stands, so that no type is needed to understand it."""
        return (
            name in self.parameters
            or name in self.states
            or name in self.zones
            or name in self.definition_trees
            or name in ("me", "mine", "dealer", "deals", "everywhere")
        )

    def everything(self) -> list[str]:
        """All names that an expression could use, for suggestions."""
        fixed = ["me", "mine", "dealer", "deals", "everywhere", "phase"]
        return [*self.parameters, *self.states, *self.zones, *self.definition_trees, *fixed]

    def phase(self, name: Token, file: str) -> str:
        """A declared phase, or the built-in one.

        Raises:
            Fault: there is no such phase.
        """
        known = [*self.phases, OVER]
        if str(name) not in known:
            raise Fault("E0201", f"there is no phase '{name}'", span_of(name, file), did_you_mean(name, known))
        return str(name)

    def place_of(self, name: str) -> Span | None:
        """Where a parameter, zone, state variable or definition is declared, None if it is part of the language."""
        if name in self.parameters:
            return self.parameters[name].span
        if name in self.definition_trees:
            tree, piece = self.definition_trees[name]
            return span_of(tree, piece.source.name)
        declaration = self.states.get(name) or self.zones.get(name)
        return None if declaration is None else self.flat.clauses[declaration.clause].span

    def clash_hint(self, name: str) -> str:
        """What to do about a variable whose name is taken, and by what."""
        place = self.place_of(name)
        return "give one of the two another name" + (f"; the other is at {place}" if place else "")

    def dropped_hint(self, name: str) -> str | None:
        """Says so if a name is a parameter that was dropped, or came from a dropped clause."""
        if name in self.flat.dropped_parameters:
            return self.flat.gone(name)
        for id_, (piece, drop) in self.flat.dropped.items():
            if any(str(tree.children[0]) == name for kind in _DECLARING for tree in piece.tree.find_data(kind)):
                return f"clause '{id_}' defines it, and is dropped at {drop.span}"
        return None
