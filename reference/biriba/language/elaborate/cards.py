"""The declarations of the pack: suits, ranks, places, deck, wilds and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from lark import Token, Tree

from biriba.language.elaborate.names import Fault, Names
from biriba.language.merge import Piece, unquote
from biriba.language.parser import span_of
from biriba.model.ruleset import Cards, Face, Symbol

Item = tuple[Tree[Token], Piece]
"""A declaration and the clause that holds it."""

Count = Callable[[object, Piece], int]
"""Evaluates a number that the rules fix: how many packs, how many jokers."""


def clause_of(piece: Piece) -> str:
    """The id of the clause that a piece is."""
    return str(piece.tree.children[1])


def only(names: Names, items: dict[str, list[Item]], kind: str) -> Item | None:
    """The one declaration of a kind; a second one is a fault, a missing one another."""
    found = items.get(kind, [])
    for tree, piece in found[1:]:
        first = span_of(found[0][0], found[0][1].source.name)
        with names.catching():
            raise Fault(
                "E0211", f"`{kind}` is declared twice", span_of(tree, piece.source.name), f"the first is at {first}"
            )
    if not found:
        with names.catching():
            top = next(iter(names.flat.clauses.values()), None)
            where = top.span if top else span_of(Token("NAME", ""), "")
            raise Fault("E0210", f"rule set '{names.flat.name}' has no `{kind}`", where, "a clause must declare it")
    return found[0] if found else None


def constant(names: Names, tree: object, piece: Piece) -> int:
    """A whole number written as digits or as the name of a parameter.

    Raises:
        Fault: it is neither.
    """
    assert isinstance(tree, Tree)
    file = piece.source.name
    if tree.data == "integer":
        return int(cast(Token, tree.children[1])) * (-1 if tree.children[0] is not None else 1)
    token = cast(Token, tree.children[0])
    parameter = names.parameters.get(str(token))
    if parameter is None or not isinstance(parameter.value, int) or isinstance(parameter.value, bool):
        hint = "a number or the name of a parameter that is one"
        raise Fault("E0201", f"'{token}' is no number here", span_of(token, file), hint)
    names.used.add(str(token))
    return parameter.value


def elaborate_cards(names: Names, items: dict[str, list[Item]], count: Count) -> None:
    """Fill `names.cards`. Nothing is filled if a needed declaration is missing."""
    suits_item, ranks_item = only(names, items, "suits"), only(names, items, "ranks")
    deck_item = only(names, items, "deck")
    if suits_item is None or ranks_item is None or deck_item is None:
        return
    suits = _symbols(names, suits_item)
    ranks = _symbols(names, ranks_item)
    clauses = {kind: clause_of(items[kind][0][1]) for kind in ("suits", "ranks", "deck") if items.get(kind)}
    for kind in ("places", "wild", "value"):
        if items.get(kind):
            clauses[kind] = clause_of(items[kind][0][1])
    faces = _faces(names, deck_item, suits, ranks, count)
    names.cards = Cards(suits, ranks, (), faces, clauses)
    places = _places(names, items)
    names.cards = Cards(suits, ranks, places, _worth(names, items, faces), clauses)


def _symbols(names: Names, item: Item) -> tuple[Symbol, ...]:
    tree, piece = item
    found: list[Symbol] = []
    for entry in tree.children:
        assert isinstance(entry, Tree)
        symbol = str(entry.children[0])
        with names.catching():
            if symbol in [s.symbol for s in found]:
                raise Fault("E0202", f"'{symbol}' is listed twice", span_of(entry, piece.source.name))
            found.append(Symbol(symbol, unquote(str(entry.children[1]))))
    return tuple(found)


def _faces(
    names: Names, item: Item, suits: Sequence[Symbol], ranks: Sequence[Symbol], count: Count
) -> tuple[Face, ...]:
    tree, piece = item
    ordinary, extra = 0, []
    for pack in tree.children:
        assert isinstance(pack, Tree)
        copies = count(pack.children[0], piece)
        if pack.data == "pack_all":
            words = {str(pack.children[1]), str(pack.children[2])}
            with names.catching():
                if words != {"rank", "suit"}:
                    span = span_of(pack, piece.source.name)
                    raise Fault(
                        "E0201", "a pack has every rank in every suit", span, "write: 2 of every rank in every suit"
                    )
            ordinary += copies
        else:
            extra.append((str(pack.children[1]), unquote(str(pack.children[2])), copies))
    faces: list[Face] = []
    for s, suit in enumerate(suits):
        for r, rank in enumerate(ranks):
            symbol, name = rank.symbol + suit.symbol, f"{rank.name} of {suit.name}"
            faces.append(Face(len(faces), symbol, name, r, s, ordinary, 0, False))
    for symbol, name, copies in extra:
        faces.append(Face(len(faces), symbol, name, None, None, copies, 0, False))
    return tuple(faces)


def _places(names: Names, items: dict[str, list[Item]]) -> tuple[int, ...]:
    if not items.get("places"):
        return ()
    tree, piece = cast(Item, only(names, items, "places"))
    assert names.cards is not None
    known = [rank.symbol for rank in names.cards.ranks]
    places: list[int] = []
    for token in tree.children:
        with names.catching():
            places.append(_rank(known, cast(Token, token), piece))
    return tuple(places)


def _rank(known: list[str], token: Token, piece: Piece) -> int:
    if str(token) not in known:
        hint = f"the ranks are {' '.join(known)}"
        raise Fault("E0201", f"there is no rank '{token}'", span_of(token, piece.source.name), hint)
    return known.index(str(token))


def _worth(names: Names, items: dict[str, list[Item]], faces: tuple[Face, ...]) -> tuple[Face, ...]:
    """The faces with their values and wildness."""
    values: dict[int, int] = {}
    wild: set[int] = set()
    for tree, piece in items.get("value", []):
        for worth in tree.children:
            assert isinstance(worth, Tree)
            with names.catching():
                first, last, amount = worth.children
                chosen = _chosen(names, cast(Token, first), cast("Token | None", last), piece)
                twice = next((faces[i].symbol for i in chosen if i in values), None)
                if twice is not None:
                    raise Fault("E0202", f"{twice} is given a value twice", span_of(worth, piece.source.name))
                points = constant(names, amount, piece)
                values.update(dict.fromkeys(chosen, points))
    for tree, piece in items.get("wild", []):
        for token in tree.children:
            with names.catching():
                wild.update(_chosen(names, cast(Token, token), None, piece))
    if items.get("value"):
        tree, piece = items["value"][0]
        missing = [face.symbol for face in faces if face.index not in values]
        with names.catching():
            if missing and not names.problems:
                span = span_of(tree, piece.source.name)
                raise Fault(
                    "E0504", f"no value is given for {', '.join(missing[:5])}", span, "every card needs a value"
                )
    return tuple(
        Face(f.index, f.symbol, f.name, f.rank, f.suit, f.copies, values.get(f.index, 0), f.index in wild)
        for f in faces
    )


def _chosen(names: Names, first: Token, last: Token | None, piece: Piece) -> list[int]:
    """The faces that `JK`, `9H`, a rank, or a range of ranks stands for."""
    assert names.cards is not None
    faces, ranks = names.cards.faces, [rank.symbol for rank in names.cards.ranks]
    by_symbol = {face.symbol: face.index for face in faces}
    if last is None and str(first) in by_symbol:
        return [by_symbol[str(first)]]
    low = _rank(ranks, first, piece)
    high = low if last is None else _rank(ranks, last, piece)
    return [face.index for face in faces if face.rank is not None and low <= face.rank <= high]
