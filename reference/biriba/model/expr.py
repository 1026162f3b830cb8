"""Expressions of a compiled rule set: typed, total, immutable.

All back ends walk these nodes; there are no others. A node's `span` says where it was written and
takes no part in equality. Parameters stay references (`Param`), so that a document can name them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from biriba.model.span import NOWHERE, Span
from biriba.model.types import Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What every expression has: a type and a place in the source."""

    type: Type
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def children(self) -> Iterator[Node]:
        """The expressions directly inside this one, in reading order."""
        for f in fields(self):
            value = getattr(self, f.name)
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, Node):
                    yield item
                elif isinstance(item, (Binder, Row)):
                    yield from item.children()

    def walk(self) -> Iterator[Node]:
        """This expression and all inside it."""
        yield self
        for child in self.children():
            yield from child.walk()


Expr = Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Const(Node):
    """A literal: an int, yes/no, ``none``, or the index of a card, rank, suit, seat, side or option."""

    value: int | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Param(Node):
    """A parameter of the rule set; its value is in `Ruleset.parameters`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Var(Node):
    """A bound variable: of a quantifier, a definition, a meld law, or an action's parameter."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context(Node):
    """What the situation gives: ``me``, ``mine`` (my side), ``dealer``, ``deals`` (played so far)."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State(Node):
    """A state variable, of one owner if it is indexed."""

    name: str
    index: Node | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone(Node):
    """The contents of a zone; without an index, of all zones of that name together."""

    name: str
    index: Node | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Everywhere(Node):
    """All cards of all zones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    """A built-in function; `biriba.model.builtins` lists them with their meaning."""

    function: str
    args: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply(Node):
    """A definition of the rule set, applied to arguments."""

    definition: str
    args: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class May(Node):
    """Whether every `require` guard of an action lets it pass with these arguments (its phase aside)."""

    action: str
    args: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Old(Node):
    """The value of an expression before the step; only in step invariants."""

    body: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Not(Node):
    body: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class And(Node):
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Or(Node):
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Implies(Node):
    left: Node
    right: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(Node):
    """``= != < <= > >=``; order only between numbers, and between ranks as they are listed."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Arith(Node):
    """``+ - *`` on numbers."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Node):
    condition: Node
    then: Node
    otherwise: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseIs(Node):
    """Whether the deal is in a phase; the built-in phase ``over`` is the deal's end."""

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IsTemplate(Node):
    """Whether a meld is of a template."""

    meld: Node
    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IsEmpty(Node):
    zone: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Contains(Node):
    """Whether a card lies in a zone."""

    card: Node
    zone: Node


# ---------------------------------------------------------------- domains of quantifiers


@dataclass(frozen=True, slots=True, kw_only=True)
class Every(Node):
    """All values of the node's type: every seat, side, card (face), rank, suit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range(Node):
    """The numbers from low to high, both included."""

    low: Node
    high: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsOf(Node):
    """The cards in a zone, copies counted."""

    zone: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldsOf(Node):
    """The melds in a zone of kind ``melds``, in the order in which they were laid."""

    zone: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldsFrom(Node):
    """The lawful melds that can be made of cards in a zone and, if one is given, of a card that each must contain."""

    zone: Node
    card: Node | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsOf(Node):
    """The seats of a side."""

    side: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsFrom(Node):
    """All seats in the direction of play, beginning with one."""

    seat: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown(Node):
    """The lawful melds that a meld becomes by adding 1 to `count` copies of a card, one after another."""

    meld: Node
    card: Node
    count: Node


@dataclass(frozen=True, slots=True)
class Binder:
    """A variable that runs over a domain, as far as `where` holds."""

    var: str
    type: Type
    domain: Node
    where: Node | None = None

    def children(self) -> Iterator[Node]:
        yield self.domain
        if self.where is not None:
            yield self.where


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantified(Node):
    """``every``, ``some`` or ``no`` choice of the binders makes the body true."""

    quantifier: str
    binders: tuple[Binder, ...]
    body: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold(Node):
    """``sum``, ``greatest`` or ``smallest`` of the body, or ``count``, over the binders.

    An empty sum or count is 0; greatest and smallest range only over domains that are never empty.
    """

    kind: str
    binders: tuple[Binder, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a decision table: its cells belong to the columns in their order."""

    cells: tuple[Node, ...]

    def children(self) -> Iterator[Node]:
        yield from self.cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Node):
    """A decision table: the value of the first cell whose column holds, in the first row whose `when` holds.

    `conditions` has one condition for each row (yes where the row has none); no row or column that
    holds means 0.
    """

    columns: tuple[Node, ...]
    conditions: tuple[Node, ...]
    rows: tuple[Row, ...]
