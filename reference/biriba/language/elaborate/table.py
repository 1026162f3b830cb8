"""The declarations of the table: seats, sides, direction, zones and state variables."""

from __future__ import annotations

from typing import cast

from lark import Token, Tree

from biriba.language.diagnostics import did_you_mean
from biriba.language.elaborate.cards import Item, clause_of, only
from biriba.language.elaborate.expressions import Expressions
from biriba.language.elaborate.names import Fault, Names, Scope
from biriba.language.merge import Piece
from biriba.language.parser import span_of
from biriba.model import expr as x
from biriba.model.ruleset import StateDecl, Table, ZoneDecl
from biriba.model.types import BOOL, CARD, RANK, SEAT, SIDE, SUIT, Type, number

_KINDS = ("pile", "hand", "melds")
_SEEN = ("nobody", "all", "owner")


def elaborate_table(names: Names, items: dict[str, list[Item]]) -> None:
    """Fill `names.table` from `seats`, `sides` and `play`; without `sides` each seat is a side of its own."""
    seats_item, play_item = only(names, items, "seats"), only(names, items, "play")
    if seats_item is None or play_item is None:
        return
    seats = tuple(str(t) for t in seats_item[0].children)
    clauses = {"seats": clause_of(seats_item[1]), "play": clause_of(play_item[1])}
    with names.catching():
        if len(set(seats)) != len(seats):
            raise Fault("E0202", "a seat is listed twice", span_of(seats_item[0], seats_item[1].source.name))
    direction = 1
    with names.catching():
        word = cast(Token, play_item[0].children[0])
        if str(word) not in ("right", "left"):
            span = span_of(word, play_item[1].source.name)
            raise Fault("E0201", f"play goes to the right or to the left, not '{word}'", span)
        direction = 1 if str(word) == "right" else -1
    sides: tuple[str, ...] = seats
    members: tuple[tuple[int, ...], ...] = tuple((i,) for i in range(len(seats)))
    if items.get("sides"):
        sides_item = cast(Item, only(names, items, "sides"))
        clauses["sides"] = clause_of(sides_item[1])
        with names.catching():
            sides, members = _sides(sides_item, seats)
    names.table = Table(seats, sides, members, direction, clauses)


def _sides(item: Item, seats: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    tree, piece = item
    sides: list[str] = []
    members: list[tuple[int, ...]] = []
    placed: set[str] = set()
    for entry in tree.children:
        assert isinstance(entry, Tree)
        sides.append(str(entry.children[0]))
        for token in entry.children[1:]:
            span = span_of(cast(Token, token), piece.source.name)
            if str(token) not in seats:
                raise Fault("E0201", f"there is no seat '{token}'", span, did_you_mean(str(token), seats))
            if str(token) in placed:
                raise Fault("E0202", f"seat {token} is on two sides", span)
            placed.add(str(token))
        members.append(tuple(seats.index(str(t)) for t in entry.children[1:]))
    missing = [s for s in seats if s not in placed]
    if missing:
        raise Fault("E0210", f"seat {missing[0]} is on no side", span_of(tree, piece.source.name))
    if len(set(sides)) != len(sides):
        raise Fault("E0202", "a side is listed twice", span_of(tree, piece.source.name))
    return tuple(sides), tuple(members)


def declare_zone(names: Names, expressions: Expressions, tree: Tree[Token], piece: Piece) -> None:
    """Declare one zone."""
    file = piece.source.name
    name, index, kind, seen = tree.children
    _unused(names, cast(Token, name), file)
    owner, low, high = None, 0, 0
    if isinstance(index, Tree) and index.data == "owner":
        owner = _owner(cast(Token, index.children[0]), file)
    elif isinstance(index, Tree):
        owner = "number"
        low, high = _fixed(expressions, index.children[0], file), _fixed(expressions, index.children[1], file)
    for token, known in ((kind, _KINDS), (seen, _SEEN)):
        if str(token) not in known:
            hint = did_you_mean(str(token), known) or f"one of: {', '.join(known)}"
            raise Fault("E0201", f"'{token}' is not known here", span_of(cast(Token, token), file), hint)
    if str(kind) == "melds" and owner != "side":
        hint = "write: zone melds[side] melds seen by all"
        raise Fault("E0305", "melds belong to a side", span_of(tree, file), hint)
    if str(seen) == "owner" and owner not in ("seat", "side"):
        raise Fault("E0305", "only a zone of a seat or side has an owner who sees it", span_of(tree, file))
    names.zones[str(name)] = ZoneDecl(str(name), str(kind), owner, low, high, str(seen), clause_of(piece))


def declare_state(names: Names, expressions: Expressions, tree: Tree[Token], piece: Piece) -> None:
    """Declare one state variable."""
    file = piece.source.name
    name, owner_token, kind, initial_tree = tree.children
    _unused(names, cast(Token, name), file)
    owner = None if owner_token is None else _owner(cast(Token, owner_token), file)
    type_ = _kind(expressions, cast("Tree[Token]", kind), file)
    initial = expressions.of_type(initial_tree, Scope(file), type_)
    if not isinstance(initial, (x.Const, x.Param)):
        raise Fault("E0305", "a state variable begins with a constant", initial.span)
    check_range(initial, type_, str(name))
    names.states[str(name)] = StateDecl(str(name), owner, type_, initial, clause_of(piece))


def check_range(value: x.Node, wanted: Type, name: str) -> None:
    """
    Raises:
        Fault: a number that is stored may lie outside the declared range.
    """
    if wanted.kind != "int":
        return
    assert wanted.low is not None
    assert wanted.high is not None
    low, high = value.type.low, value.type.high
    if low is None or high is None or low < wanted.low or high > wanted.high:
        hint = f"keep it in range: min(..., {wanted.high})"
        raise Fault("E0502", f"'{name}' is a {wanted}, and this may be a {value.type}", value.span, hint)


def _kind(expressions: Expressions, tree: Tree[Token], file: str) -> Type:
    if tree.data == "kind_bool":
        return BOOL
    if tree.data == "kind_range":
        return number(_fixed(expressions, tree.children[0], file), _fixed(expressions, tree.children[1], file))
    word = cast(Token, tree.children[0])
    known = {"card": CARD, "rank": RANK, "suit": SUIT, "seat": SEAT, "side": SIDE}
    if str(word) not in known:
        hint = did_you_mean(str(word), known) or "yes/no, a range of numbers, card, rank, suit, seat or side"
        raise Fault("E0201", f"a state variable cannot be a '{word}'", span_of(word, file), hint)
    type_ = known[str(word)]
    return type_.or_none() if tree.data == "kind_optional" else type_


def _owner(token: Token, file: str) -> str:
    if str(token) not in ("seat", "side"):
        hint = did_you_mean(str(token), ("seat", "side")) or "[seat], [side] or a range such as [1..2]"
        raise Fault("E0201", f"an owner is a seat or a side, not '{token}'", span_of(token, file), hint)
    return str(token)


def _fixed(expressions: Expressions, tree: object, file: str) -> int:
    """A number known when the rules are compiled.

    Raises:
        Fault: it depends on the play.
    """
    node = expressions.of_type(cast("Tree[Token]", tree), Scope(file), number())
    if node.type.low is None or node.type.low != node.type.high:
        raise Fault("E0305", "this must be a number that the rules fix", node.span, "use digits and parameters only")
    return node.type.low


def _unused(names: Names, token: Token, file: str) -> None:
    if names.ordinary(str(token)) or str(token) == "phase":
        hint = "every parameter, zone, state variable and definition needs a name of its own"
        raise Fault("E0202", f"'{token}' is declared twice", span_of(token, file), hint)
