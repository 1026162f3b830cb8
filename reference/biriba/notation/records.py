"""Records of games as text: everything that is needed to play a deal or a whole match again.

A record names its rules, and for each deal the dealer, the order of the deck and the actions; the
deck's order is the only chance in the game. Records may be unfinished. Whether the actions are legal
and the scores right is found by playing the record again, which is not this module's business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lark import Token

from biriba.model.ruleset import Ruleset
from biriba.model.types import SEAT, SIDE
from biriba.notation.actions import ActionText, format_action_text, read_action
from biriba.notation.cards import format_cards, read_card, read_value
from biriba.notation.errors import fault, quoted
from biriba.notation.fields import too_many
from biriba.notation.parsing import Node, end, number, offset, parse
from biriba.notation.vocabulary import Vocabulary, vocabulary

FORMAT = 1
HASH = "sha256:"
_CARDS_IN_LINE = 27
_SHOWN = 12
_LINE_END = re.compile(r"(?:\r?\n)+(?![ \t])")
_TAG = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Move:
    """An action of a seat.

    Attributes:
        line: the line of the text on which it stands, 0 if it was not read from a text.
    """

    seat: int
    action: ActionText
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A deal: its chance and its choices.

    Attributes:
        deck: the deck's order, the card dealt first in front.
        scores: the points of each side, None if the deal is unfinished.
        line: the line of the text on which it begins, 0 if it was not read from a text.
        score_line: the line of its score.
    """

    dealer: int
    deck: tuple[int, ...]
    moves: tuple[Move, ...] = ()
    scores: tuple[int, ...] | None = None
    line: int = field(default=0, compare=False)
    score_line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: the total of each side, and the winner if there is one."""

    totals: tuple[int, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A match, a deal, or part of one.

    Attributes:
        rules, version, digest: the rule set; the digest is that of `Ruleset.digest`.
        deals: in the order played.
        result: None if the match is unfinished.
        tags: what else is worth keeping, such as the players' names.
    """

    rules: str
    version: str
    digest: str
    deals: tuple[DealRecord, ...] = ()
    result: Result | None = None
    tags: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Header:
    """The rule set that a record was made with."""

    rules: str
    version: str
    digest: str


def read_header(text: str) -> Header:
    """The rule set that a record names, read without knowing the rule set.

    Raises:
        NotationError: the text does not begin like a record.
    """
    lines = list(_LINE_END.finditer(text, len(text) - len(text.lstrip())))
    tree = parse(text[: lines[1].end()] if len(lines) > 1 else text + "\n", "record")
    _check_format(text, tree)
    return Header(*_rules(text, tree))


def parse_record(rules: Ruleset, text: str) -> Record:
    """The record that a text tells.

    Raises:
        NotationError: the text is not of that form, names other rules, a deck is not whole, or points
            do not add up.
    """
    tree = parse(text if text.endswith("\n") else text + "\n", "record")
    return _Reader(vocabulary(rules), text).record(tree)


def format_record(rules: Ruleset, record: Record) -> str:
    """The canonical text of a record."""
    return "\n".join(_lines(rules, record)) + "\n"


def check_rules(rules: Ruleset, header: Header | Record) -> str | None:
    """What is wrong if a record was made with other rules than these, None if it was made with these."""
    if header.rules != rules.name:
        return f"the record was made with the rules {header.rules}, not {rules.name}"
    if header.digest != rules.digest:
        made = f"version {header.version}, {HASH}{header.digest[:12]}…"
        return f"the record was made with other rules of the name {rules.name}: {made}"
    return None


def check_deck(rules: Ruleset, deck: Sequence[int]) -> str | None:
    """What is wrong with a deck: cards missing or too many; None if it is whole."""
    left = [face.copies for face in rules.cards.faces]
    for card in deck:
        left[card] -= 1
        if left[card] < 0:
            return too_many(rules, card)[0]
    missing = [card for card, count in enumerate(left) for _ in range(count)]
    if not missing:
        return None
    shown = format_cards(rules, missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "")
    return (
        f"the deck has {len(deck)} of {rules.cards.total} cards: {shown} {'is' if len(missing) == 1 else 'are'} missing"
    )


def check_points(rules: Ruleset, record: Record) -> tuple[int | None, str] | None:
    """A deal (None: the result) that does not agree with the others, and why; None if all agree."""
    for i, deal in enumerate(record.deals):
        if deal.scores is None and (i + 1 < len(record.deals) or record.result is not None):
            return i, f"deal {i + 1} has no score, yet the record goes on after it"
    if record.result is None:
        return None
    for side, total in enumerate(record.result.totals):
        points = sum(deal.scores[side] for deal in record.deals if deal.scores is not None)
        if points != total:
            return None, f"the deals' scores of {rules.table.sides[side]} add up to {points}, not {total}"
    return None


def _lines(rules: Ruleset, record: Record) -> Iterator[str]:
    seats, sides = rules.table.seats, rules.table.sides
    yield f"record {FORMAT}"
    yield f"rules {record.rules} {record.version} {HASH}{record.digest}"
    for name, text in record.tags:
        yield f"tag {name} {json.dumps(text, ensure_ascii=False)}"
    for deal in record.deals:
        yield f"deal dealer {seats[deal.dealer]}"
        for i in range(0, len(deal.deck), _CARDS_IN_LINE):
            yield ("     " if i else "deck ") + format_cards(rules, deal.deck[i : i + _CARDS_IN_LINE])
        for move in deal.moves:
            yield f"{seats[move.seat]} {format_action_text(rules, move.action)}"
        if deal.scores is not None:
            yield "score " + _points(sides, deal.scores)
    if record.result is not None:
        winner = "" if record.result.winner is None else f" winner {sides[record.result.winner]}"
        yield f"result {_points(sides, record.result.totals)}{winner}"


def _points(sides: Sequence[str], points: Sequence[int]) -> str:
    return " ".join(f"{side} {value}" for side, value in zip(sides, points, strict=True))


def _check_format(text: str, tree: Node) -> None:
    word = tree.children[0]
    assert isinstance(word, Token)
    if number(text, word) != FORMAT:
        raise fault(text, offset(word), f"records of format {word} are not known", f"the format known is {FORMAT}")


def _rules(text: str, tree: Node) -> tuple[str, str, str]:
    name, version, digest = _tokens(next(_trees(tree, "rules")))
    if not digest.startswith(HASH):
        raise fault(text, offset(digest), f"the digest of the rules begins with '{HASH}'")
    return str(name), str(version), digest.removeprefix(HASH)


class _Reader:
    def __init__(self, words: Vocabulary, text: str) -> None:
        self.words = words
        self.text = text

    def record(self, tree: Node) -> Record:
        _check_format(self.text, tree)
        deals = [self.deal(deal) for deal in _trees(tree, "deal")]
        results = list(_trees(tree, "result"))
        result = self.result(results[0]) if results else None
        record = Record(*_rules(self.text, tree), tuple(deals), result, self.tags(tree))
        wrong = check_rules(self.words.rules, record)
        if wrong is not None:
            raise fault(self.text, offset(next(_trees(tree, "rules"))), wrong)
        clash = check_points(self.words.rules, record)
        if clash is not None:
            index, message = clash
            nodes = [*_trees(tree, "deal")]
            raise fault(self.text, offset(results[0]) if index is None else end(nodes[index]), message)
        return record

    def tags(self, tree: Node) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for name, value in (_tokens(tag) for tag in _trees(tree, "tag")):
            if name in found:
                raise fault(self.text, offset(name), f"the tag {quoted(name)} stands twice")
            check = check_tag_name(name)
            if check is not None:
                raise fault(self.text, offset(name), check)
            try:
                found[str(name)] = check_text(json.loads(value))
            except ValueError:
                raise fault(self.text, offset(value), "this is no text in quotes as JSON has it") from None
        return tuple(found.items())

    def deal(self, tree: Node) -> DealRecord:
        dealer, *symbols = _tokens(tree)
        scores = list(_trees(tree, "score"))
        return DealRecord(
            self.seat(dealer),
            self.deck(symbols),
            tuple(self.move(move) for move in _trees(tree, "move")),
            self.points(_tokens(scores[0])) if scores else None,
            dealer.line or 0,
            (_tokens(scores[0])[0].line or 0) if scores else 0,
        )

    def deck(self, symbols: Sequence[Token]) -> tuple[int, ...]:
        left = [face.copies for face in self.words.rules.cards.faces]
        deck: list[int] = []
        for symbol in symbols:
            card = read_card(self.words, self.text, symbol)
            left[card] -= 1
            if left[card] < 0:
                raise fault(self.text, offset(symbol), *too_many(self.words.rules, card))
            deck.append(card)
        wrong = check_deck(self.words.rules, deck)
        if wrong is not None:
            raise fault(self.text, end(symbols[-1]), wrong)
        return tuple(deck)

    def move(self, tree: Node) -> Move:
        seat, action = tree.children
        assert isinstance(seat, Token)
        assert not isinstance(action, Token)
        return Move(self.seat(seat), read_action(self.words, self.text, action), seat.line or 0)

    def result(self, tree: Node) -> Result:
        winners = [_tokens(winner)[0] for winner in _trees(tree, "winner")]
        return Result(self.points(_tokens(tree)), self.side(winners[0]) if winners else None)

    def points(self, tokens: Sequence[Token]) -> tuple[int, ...]:
        """The points of each side from words that name the sides and their points in turn."""
        points: dict[int, int] = {}
        for word, value in zip(tokens[::2], tokens[1::2], strict=True):
            side = self.side(word)
            if side in points:
                raise fault(self.text, offset(word), f"{word} stands twice")
            points[side] = number(self.text, value)
        for side, name in enumerate(self.words.rules.table.sides):
            if side not in points:
                raise fault(self.text, end(tokens[-1]), f"the points of {name} are missing")
        return tuple(points[side] for side in sorted(points))

    def seat(self, word: Token) -> int:
        return int(read_value(self.words, self.text, word, SEAT) or 0)

    def side(self, word: Token) -> int:
        return int(read_value(self.words, self.text, word, SIDE) or 0)


def check_tag_name(name: str) -> str | None:
    """What is wrong with the name of a tag, None if nothing is."""
    return None if _TAG.fullmatch(name) else f"{quoted(name)} is no name of a tag: it has only letters, digits and _"


def check_text(text: object) -> str:
    """A text that can be written in any Unicode encoding.

    Raises:
        ValueError: it is no text, or has half a character.
    """
    if not isinstance(text, str):
        raise ValueError("no text")
    text.encode()
    return text


def _trees(tree: Node, name: str) -> Iterator[Node]:
    return (child for child in tree.children if not isinstance(child, Token) and child.data == name)


def _tokens(tree: Node) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]
