"""Cards and the other values that are written as one word: seats, sides, suits, ranks, yes and no, numbers."""

from __future__ import annotations

from lark import Token

from biriba.model.pure import Value
from biriba.model.ruleset import Ruleset
from biriba.model.types import CARD, Type
from biriba.notation.errors import NotationError, fault, quoted
from biriba.notation.parsing import number, offset
from biriba.notation.vocabulary import Vocabulary, vocabulary
from biriba.suggest import did_you_mean

_CALLED = {"bool": "yes or no", "option": "choice"}


def format_card(rules: Ruleset, card: int) -> str:
    """The symbol of a card: ``9H``."""
    return rules.cards.faces[card].symbol


def parse_card(rules: Ruleset, text: str) -> int:
    """The card (index of its face) that a symbol means; blanks around it do not matter.

    Raises:
        NotationError: the rule set has no such card.
    """
    found = vocabulary(rules).faces.get(text.strip())
    if found is None:
        start = len(text) - len(text.lstrip())
        raise fault(text, start, *unknown(vocabulary(rules), text.strip(), CARD))
    return found


def parse_cards(rules: Ruleset, text: str) -> tuple[int, ...]:
    """The cards of a list such as ``4H 5H JK``, in its order; the empty text is the empty list.

    Raises:
        NotationError: a word is no card of the rule set.
    """
    cards: list[int] = []
    start = 0
    for word in text.split():
        start = text.index(word, start)
        try:
            cards.append(parse_card(rules, word))
        except NotationError as error:
            raise fault(text, start, error.message, error.hint) from None
        start += len(word)
    return tuple(cards)


def format_cards(rules: Ruleset, cards: tuple[int, ...] | list[int]) -> str:
    """Cards separated by blanks: ``4H 5H JK``."""
    return " ".join(rules.cards.faces[card].symbol for card in cards)


def format_value(rules: Ruleset, of: Type, value: Value) -> str:
    """A value of a type as one word: ``yes``, ``none``, ``X``, ``9H``, ``-3``."""
    if of.kind == "int" and value is not None:
        return str(int(value))
    return next(word for word, named in vocabulary(rules).names(of).items() if named == value)


def unknown(words: Vocabulary, word: str, of: Type) -> tuple[str, str | None]:
    """The message and hint for a word that is no value of a type."""
    names = words.names(of)
    if of.kind == "card":
        return f"there is no card {quoted(word)}", did_you_mean(word, names)
    called = _CALLED.get(of.kind, of.kind)
    known = ", ".join(names) if len(names) <= 16 else None
    return f"there is no {called} {quoted(word)}", did_you_mean(word, names) or (known and f"it is one of {known}")


def read_card(words: Vocabulary, text: str, word: Token) -> int:
    """The card that a word of a text means.

    Raises:
        NotationError: there is no such card.
    """
    found = words.faces.get(word)
    if found is None:
        raise fault(text, offset(word), *unknown(words, word, CARD))
    return found


def read_value(words: Vocabulary, text: str, word: Token, of: Type) -> Value:
    """The value of a type that a word of a text means.

    Raises:
        NotationError: it is none, or a number out of the type's range.
    """
    names = words.names(of)
    if word in names:
        return names[word]
    if of.kind != "int":
        raise fault(text, offset(word), *unknown(words, word, of))
    value = number(text, word)
    if (of.low is not None and value < of.low) or (of.high is not None and value > of.high):
        raise fault(text, offset(word), f"{value} is out of range: it must be a {of}")
    return value
