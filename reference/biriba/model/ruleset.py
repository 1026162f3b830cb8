"""The compiled rule set: what every back end reads.

A `Ruleset` is flat (inheritance is resolved), typed and immutable. Each part knows the id of the
clause that holds it, so that a back end can always say which sentence of the rules is at work.
The order of parts is the order of the clauses in the source: it is the order in which
consequences happen and lines of the score sheet are printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from biriba.model.expr import Node, Zone
from biriba.model.plurals import plural
from biriba.model.span import NOWHERE, Span
from biriba.model.stmt import Block
from biriba.model.types import Type

DIGITS = 6
"""Most decimals of written points; enough for every divisor whose fractions end that soon."""

OVER = "over"
"""The built-in phase in which a deal has ended."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or choice of the game.

    Attributes:
        value: int, bool, or the name of the chosen option.
        low, high: the allowed range of a number, inclusive; None where it is open.
        options: the allowed names of a choice, else empty.
        unit: what is counted (``cards``, ``points``, ...), or None.
        text: what the parameter means, in words.
    """

    name: str
    value: int | bool | str
    type: Type
    low: int | None = None
    high: int | None = None
    options: tuple[str, ...] = ()
    unit: str | None = None
    text: str = ""
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Source:
    """A document that the rules rest on."""

    id: str
    file: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Cite:
    """A place in a source: ``S000 §3``."""

    source: str
    section: str

    def __str__(self) -> str:
        return f"{self.source} {self.section}"


@dataclass(frozen=True, slots=True)
class Counted:
    """A number and the word for what it counts, written ``{packs|pack|packs}``.

    Attributes:
        number: the number.
        forms: the word for one, and for any other number of things; in a translation as many as its language has.
        language: of the word.
    """

    number: Node
    forms: tuple[str, ...]
    language: str = "en"

    def form(self, number: int) -> str:
        """The word that goes with a number."""
        return self.forms[plural(self.language, number)]


@dataclass(frozen=True, slots=True)
class Prose:
    """A sentence with holes: strings and the expressions written between braces."""

    parts: tuple[str | Node | Counted, ...]

    def expressions(self) -> Iterator[Node]:
        return (p.number if isinstance(p, Counted) else p for p in self.parts if not isinstance(p, str))


@dataclass(frozen=True, slots=True)
class ExampleLine:
    """A line of an example: a keyword (``given play accept reject expect meld value``) and its text."""

    keyword: str
    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Example:
    title: str
    clause: str
    lines: tuple[ExampleLine, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of the rules.

    Attributes:
        prose: the sentence, with parameters as expressions.
        says: the sentence that a rejection prints, with the cards at hand; None: use `prose`.
        because: the reason of a ruling, with parameters as expressions; None for a clause that a source states.
        covers: ids of the atomic rules and rulings that it states (``R-3.07``, ``C-34``).
        follows: clauses that this one is a consequence of.
        origin: the rule set whose file holds the clause.
        mentions: the parameters that its formal lines and its sentences name.
        digest: hash of the clause's source text and the values of the parameters that it mentions.
        chapter: title of the chapter of the rule file in which it stands.
    """

    id: str
    prose: Prose
    says: Prose | None
    cites: tuple[Cite, ...]
    covers: tuple[str, ...]
    because: Prose | None
    follows: tuple[str, ...]
    examples: tuple[Example, ...]
    origin: str
    source: str
    mentions: tuple[str, ...]
    digest: str
    chapter: str = ""
    span: Span = field(default=NOWHERE, compare=False, repr=False)


# ---------------------------------------------------------------- cards and table


@dataclass(frozen=True, slots=True)
class Symbol:
    """A suit or a rank: how it is written, and its name."""

    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class Face:
    """A card's face; copies of a card share it.

    Attributes:
        index: position in `Cards.faces`; all back ends name a card by it.
        symbol: how it is written (``9H``, ``JK``).
        rank, suit: indices into `Cards.ranks` and `Cards.suits`, or None for a card without.
        copies: how many are in the deck.
        value: points.
        wild: whether the rules let it stand for other cards.
    """

    index: int
    symbol: str
    name: str
    rank: int | None
    suit: int | None
    copies: int
    value: int
    wild: bool


@dataclass(frozen=True, slots=True)
class Cards:
    """The pack. Faces are ordered suit by suit, ranks as listed, then the cards without a suit.

    `places` maps the places of a run, 1 and up, to the rank that stands there: place p has rank
    ``places[p - 1]``; a rank may stand in several places. `clauses` names the clause of each
    declaration (``suits ranks places deck wild value``).
    """

    suits: tuple[Symbol, ...]
    ranks: tuple[Symbol, ...]
    places: tuple[int, ...]
    faces: tuple[Face, ...]
    clauses: Mapping[str, str]

    @property
    def total(self) -> int:
        """How many cards the deck has."""
        return sum(face.copies for face in self.faces)


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays. Seats are listed so that each sits to the right of the one before.

    `members[side]` lists its seats; `direction` is 1 if play goes to the right, -1 to the left.
    """

    seats: tuple[str, ...]
    sides: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    direction: int
    clauses: Mapping[str, str]

    def side_of(self, seat: int) -> int:
        return next(i for i, members in enumerate(self.members) if seat in members)

    def next(self, seat: int) -> int:
        """The seat that plays after this one."""
        return (seat + self.direction) % len(self.seats)

    def right(self, seat: int) -> int:
        return (seat + 1) % len(self.seats)

    def left(self, seat: int) -> int:
        return (seat - 1) % len(self.seats)


@dataclass(frozen=True, slots=True)
class ZoneDecl:
    """A place where cards lie.

    Attributes:
        kind: ``pile`` (ordered, bottom first), ``hand`` (unordered) or ``melds``.
        owner: ``seat``, ``side``, ``number`` (indexed from `low` to `high`) or None for a single zone.
        seen: ``nobody``, ``all`` or ``owner``: who sees which cards lie there. How many is public.
    """

    name: str
    kind: str
    owner: str | None
    low: int
    high: int
    seen: str
    clause: str


@dataclass(frozen=True, slots=True)
class StateDecl:
    """A state variable, one for each `owner` (``seat``, ``side``) or a single one (None)."""

    name: str
    owner: str | None
    type: Type
    initial: Node
    clause: str


# ---------------------------------------------------------------- melds


@dataclass(frozen=True, slots=True)
class Template:
    """A shape of meld.

    ``sequence``: cards on consecutive places; ``group``: cards side by side. `natural` says when a
    card (variable `card`) belongs by its face, at a place (variable `place`, sequences only), for the
    key (variable `key`: the suit or rank of this meld); any other card must satisfy `substitute`.
    """

    name: str
    layout: str
    key: str | None
    key_type: Type | None
    card: str
    place: str | None
    natural: Node
    substitute: Node | None
    clause: str


@dataclass(frozen=True, slots=True)
class Growing:
    """A way in which melds of a template grow.

    ``end``: a card at the low or high end; ``card``: a card into a group; ``shift``: the natural card
    takes the place of a substitute, which moves to the low or high end.
    """

    template: str
    mode: str
    clause: str


@dataclass(frozen=True, slots=True)
class Law:
    """What every meld of a template (None: of all) must satisfy to be lawful."""

    template: str | None
    var: str
    body: Node
    clause: str


# ---------------------------------------------------------------- the turn


@dataclass(frozen=True, slots=True)
class ActionParam:
    """A parameter of an action and what it ranges over.

    domain ``card``: the faces in hand zone `zone`; ``new_meld``: melds of any template, lawful, made
    of cards of `zone`; ``laid_meld``: melds lying in `zone` (all its owners' if it has no index);
    ``growth``: the ways in which laid meld `of` grows by a card of `zone`; ``value``: all values of
    the type; ``number``: low..high.
    """

    name: str
    type: Type
    domain: str
    zone: Zone | None = None
    of: str | None = None
    low: Node | None = None
    high: Node | None = None


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    params: tuple[ActionParam, ...]
    phases: tuple[str, ...]
    effects: Block
    clause: str


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on an action, in terms of the action's own parameter names.

    timing ``require``: holds before; ``ensure``: holds after the action and all its consequences.
    """

    action: str
    timing: str
    body: Node
    clause: str


@dataclass(frozen=True, slots=True)
class Consequence:
    """What else happens with an action: ``before`` or ``then`` (after) its own effects."""

    action: str
    moment: str
    effects: Block
    clause: str


@dataclass(frozen=True, slots=True)
class DealStep:
    effects: Block
    clause: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A condition that must hold: an invariant, a fact about the cards, an outcome of the deal."""

    body: Node
    clause: str


@dataclass(frozen=True, slots=True)
class Definition:
    name: str
    params: tuple[tuple[str, Type], ...]
    body: Node
    clause: str


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the score sheet: for each side, or for each meld of a template (None: any).

    A meld's line counts for the side that owns the meld, as far as `where` holds.
    """

    label: str
    var: str
    type: Type
    where: Node | None
    body: Node
    clause: str


@dataclass(frozen=True, slots=True)
class Winner:
    """The side (variable `var`) for which `body` holds when the match has ended."""

    var: str
    body: Node
    clause: str


@dataclass(frozen=True, slots=True)
class Match:
    ends: tuple[Statement, ...]
    winner: Winner | None
    next_dealer: Statement | None
    first_dealer: str | None
    """The clause that has the first dealer chosen by lot, or None: then it is the first seat."""
    divisor: int = 1
    """What all points are divided by where people read them; all reckoning is in whole points."""
    divisor_clause: str | None = None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything that the rules of a game say.

    `parents` are the rule sets that it extends, nearest first; `parts` are those that it and they
    take in, `own_parts` those that it takes in itself.
    `digest` is a hash of the flat source: equal rules have equal digests.
    """

    name: str
    title: str
    version: str
    parents: tuple[str, ...]
    parts: tuple[str, ...]
    own_parts: tuple[str, ...]
    sources: Mapping[str, Source]
    parameters: Mapping[str, Parameter]
    clauses: Mapping[str, Clause]
    cards: Cards
    table: Table
    zones: Mapping[str, ZoneDecl]
    states: Mapping[str, StateDecl]
    templates: Mapping[str, Template]
    growings: tuple[Growing, ...]
    laws: tuple[Law, ...]
    definitions: Mapping[str, Definition]
    phases: tuple[str, ...]
    actions: Mapping[str, Action]
    guards: tuple[Guard, ...]
    consequences: tuple[Consequence, ...]
    deal: tuple[DealStep, ...]
    after_deal: tuple[Statement, ...]
    facts: tuple[Statement, ...]
    invariants: tuple[Statement, ...]
    step_invariants: tuple[Statement, ...]
    score: tuple[ScoreLine, ...]
    match: Match
    digest: str

    def guards_of(self, action: str, timing: str) -> tuple[Guard, ...]:
        """The guards of an action with that timing, in clause order."""
        return tuple(g for g in self.guards if g.action == action and g.timing == timing)

    def consequences_of(self, action: str, moment: str) -> tuple[Consequence, ...]:
        """The consequences of an action at that moment, in clause order."""
        return tuple(c for c in self.consequences if c.action == action and c.moment == moment)

    def written(self, points: int) -> str:
        """Points as people read them: divided by the rule set's divisor, exactly, in decimals."""
        divisor = self.match.divisor
        whole, rest = divmod(abs(points), divisor)
        sign = "-" if points < 0 else ""
        if not rest:
            return f"{sign}{whole}"
        digits = f"{rest * 10**DIGITS // divisor:0{DIGITS}}".rstrip("0")
        return f"{sign}{whole}.{digits}"

    def examples(self) -> Iterator[Example]:
        """All examples, in clause order; an inherited one was written for another rule set and may not hold."""
        for clause in self.clauses.values():
            yield from clause.examples

    def own_examples(self) -> Iterator[Example]:
        """The examples of the clauses that the rule set states itself or by a part; they must hold."""
        for clause in self.clauses.values():
            if clause.origin in (self.name, *self.own_parts):
                yield from clause.examples

    def owners(self, owner: str | None, low: int = 0, high: int = 0) -> tuple[str, ...]:
        """The names of the owners of a zone or state: seats, sides, numbers, or one unnamed."""
        match owner:
            case "seat":
                return self.table.seats
            case "side":
                return self.table.sides
            case "number":
                return tuple(str(i) for i in range(low, high + 1))
            case _:
                return ("",)
