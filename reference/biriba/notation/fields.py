"""The fields of a position text, one by one: ``turn A start``, ``hand A 9H JK``, ``taken X yes``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lark import Token

from biriba.model.position import Meld, Zone
from biriba.model.pure import Value
from biriba.model.ruleset import Ruleset, StateDecl, ZoneDecl
from biriba.model.types import SEAT
from biriba.notation.cards import format_card, read_card, read_value, unknown
from biriba.notation.errors import NotationError, fault, quoted
from biriba.notation.melds import read_meld, readings, trouble
from biriba.notation.parsing import Node, end, number, offset, parse
from biriba.notation.vocabulary import Vocabulary, vocabulary
from biriba.suggest import did_you_mean

_OWN_WORDS = ("turn", "dealer", "rest")


@dataclass(slots=True)
class Fields:
    """What a text says about a position: what it does not mention is not here.

    Attributes:
        phase, turn, dealer: as in `Position`.
        zones: by slot, the contents of a zone, or the number of its cards if only that is told.
        states: by slot, the value of a state.
        rest: the slot that all cards not mentioned go to.
        text: what was read.
        offsets: where in the text each zone and state is stated, by its name.
    """

    phase: str | None = None
    turn: int | None = None
    dealer: int | None = None
    zones: dict[int, Zone | int] = field(default_factory=dict)
    states: dict[int, Value] = field(default_factory=dict)
    rest: int | None = None
    text: str = ""
    offsets: dict[str, int] = field(default_factory=dict)

    def fault(self, name: str, message: str, hint: str | None = None) -> NotationError:
        """The error for what is stated of a zone or state, or for the text as a whole."""
        return fault(self.text, self.offsets.get(name, 0), message, hint)


def parse_fields(rules: Ruleset, text: str, start: str = "given") -> Fields:
    """What a text says about a position, without asking whether it says enough.

    Raises:
        NotationError: a field is not of the form it should be, is stated twice, or states more copies
            of a card than the deck has.
    """
    return _Reader(vocabulary(rules), text).read(parse(text, start))


class _Reader:
    def __init__(self, words: Vocabulary, text: str) -> None:
        self.words = words
        self.text = text
        self.fields = Fields(text=text)
        self.left = [face.copies for face in words.rules.cards.faces]

    def read(self, tree: Node) -> Fields:
        for item in tree.children:
            if isinstance(item, Token):
                continue
            match item.data:
                case "turn":
                    self.turn(*_tokens(item))
                case "dealer":
                    self.once("dealer", item)
                    self.fields.dealer = self.seat(_tokens(item)[0])
                case "rest":
                    self.rest(item)
                case _:
                    self.zone_or_state(item)
        return self.fields

    def once(self, name: str, node: Node) -> None:
        if name in self.fields.offsets:
            raise fault(self.text, offset(node), f"{name} is stated twice")
        self.fields.offsets[name] = offset(node)

    def turn(self, seat: Token, phase: Token) -> None:
        if self.fields.phase is not None:
            raise fault(self.text, offset(seat), "turn is stated twice")
        self.fields.turn = self.seat(seat)
        if phase not in self.words.phases:
            hint = did_you_mean(phase, self.words.phases) or f"it is one of {', '.join(self.words.phases)}"
            raise fault(self.text, offset(phase), f"there is no phase {quoted(phase)}", hint)
        self.fields.phase = str(phase)

    def seat(self, word: Token) -> int:
        found = self.words.seats.get(word)
        if found is None:
            raise fault(self.text, offset(word), *unknown(self.words, word, SEAT))
        return found

    def rest(self, node: Node) -> None:
        self.once("rest", node)
        name, *items = _tokens(node)
        zone = self.words.rules.zones.get(name)
        if zone is None:
            names = self.words.rules.zones
            raise fault(self.text, offset(name), f"there is no zone {quoted(name)}", did_you_mean(name, names))
        owner, items = self.owner(zone, name, items)
        if items:
            raise fault(self.text, offset(items[0]), f"expected the end of the field, found {quoted(items[0])}")
        if zone.kind == "melds":
            raise fault(self.text, offset(name), "cards cannot be left over into a zone of melds")
        self.fields.rest = self.words.zone_slot(zone.name, owner)

    def zone_or_state(self, node: Node) -> None:
        name, *items = [child for child in node.children if isinstance(child, Token)]
        zone = self.words.rules.zones.get(name)
        if zone is not None:
            owner, items = self.owner(zone, name, items)
            slot = self.words.zone_slot(zone.name, owner)
            self.once(self.words.zone_name(slot), node)
            self.fields.zones[slot] = self.contents(zone, node, items)
            return
        state = self.words.rules.states.get(name)
        if state is None:
            known = [*self.words.rules.zones, *self.words.rules.states, *_OWN_WORDS]
            raise fault(self.text, offset(name), f"there is no zone or state {quoted(name)}", did_you_mean(name, known))
        owner, items = self.owner(state, name, items)
        slot = self.words.layout.state_base[state.name] + owner
        self.once(self.words.state_name(slot), node)
        if node.data != "words" or len(items) != 1:
            raise fault(self.text, end(name), f"{name} has one value: {state.type}")
        self.fields.states[slot] = read_value(self.words, self.text, items[0], state.type)

    def owner(self, declared: ZoneDecl | StateDecl, name: Token, items: list[Token]) -> tuple[int, list[Token]]:
        """The owner's index that the first word tells, and the other words."""
        owners = list(self.words.owners(declared))
        if declared.owner is None:
            return 0, items
        if not items or items[0] not in owners:
            where = end(name) if not items else offset(items[0])
            told = f"one of {', '.join(owners)}" if owners else "nobody's: there is none"
            raise fault(self.text, where, f"whose {name}? It is {told}")
        return owners.index(items[0]), items[1:]

    def contents(self, zone: ZoneDecl, node: Node, items: list[Token]) -> Zone | int:
        match node.data:
            case "empty":
                self.nothing_more(items)
                return ()
            case "hidden":
                return self.count(zone, node, items)
            case "melds":
                self.nothing_more(items)
                return self.melds(zone, [child for child in node.children if not isinstance(child, Token)])
            case _:
                return self.cards(zone, node, items)

    def nothing_more(self, items: Sequence[Token]) -> None:
        if items:
            raise fault(self.text, offset(items[0]), f"{quoted(items[0])} cannot stand here")

    def count(self, zone: ZoneDecl, node: Node, items: list[Token]) -> int:
        if zone.kind == "melds":
            raise fault(self.text, offset(node), "melds are laid open: state each of them")
        if len(items) != 1:
            raise fault(self.text, offset(items[0]) if items else end(node), "expected how many cards, a number")
        count = number(self.text, items[0])
        if not 0 <= count <= self.words.rules.cards.total:
            raise fault(self.text, offset(items[0]), f"the deck has {self.words.rules.cards.total} cards, not {count}")
        return count

    def melds(self, zone: ZoneDecl, trees: Sequence[Node]) -> tuple[Meld, ...]:
        if zone.kind != "melds":
            raise fault(self.text, offset(trees[0]), f"{zone.name} holds cards, not melds", "leave the brackets out")
        melds: list[Meld] = []
        for tree in trees:
            stated = read_meld(self.words, self.text, tree.children, offset(tree))
            found = readings(self.words.rules, stated)
            if len(found) != 1:
                raise fault(self.text, offset(tree), *trouble(self.words.rules, stated, found))
            tokens = [child for child in tree.children if isinstance(child, Token) and child.type == "WORD"]
            for token, card in zip(tokens[len(tokens) - len(stated.cards) :], stated.cards, strict=True):
                self.use(token, card)
            melds.append(found[0])
        return tuple(melds)

    def cards(self, zone: ZoneDecl, node: Node, items: list[Token]) -> tuple[int, ...]:
        if zone.kind == "melds" and items:
            raise fault(self.text, offset(items[0]), "each meld stands in brackets")
        if not items:
            raise fault(self.text, end(node), "expected cards, or 'empty'")
        cards: list[int] = []
        for word in items:
            cards.append(read_card(self.words, self.text, word))
            self.use(word, cards[-1])
        return tuple(sorted(cards) if zone.kind == "hand" else cards)

    def use(self, word: Token, card: int) -> None:
        """Take a card from the deck."""
        self.left[card] -= 1
        if self.left[card] < 0:
            raise fault(self.text, offset(word), *too_many(self.words.rules, card))


def too_many(rules: Ruleset, card: int) -> tuple[str, str | None]:
    """The message for one copy more of a card than there are."""
    copies = rules.cards.faces[card].copies
    verb = "is" if copies == 1 else "are"
    return f"one {format_card(rules, card)} too many: there {verb} {copies} in the deck", None


def _tokens(node: Node) -> list[Token]:
    return [child for child in node.children if isinstance(child, Token)]
