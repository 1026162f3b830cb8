"""Melds as text: ``4H JK 6H``, ``9H 9S JK``, and with a word more where the cards alone would not tell.

Cards in a given order may lie in several ways. A text means the way with the fewest substitutes: a
card is what it says wherever it can be. Where several ways have as few, the text must say more: the
template, its suit or rank, the lowest place (``run 2H 2H 2H @2``, ``run of S JK JK JK @4``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lark import Token

from biriba.model.position import Meld
from biriba.model.ruleset import Ruleset
from biriba.notation.cards import format_cards, read_card, unknown
from biriba.notation.errors import fault, quoted
from biriba.notation.parsing import Node, number, offset, parse
from biriba.notation.vocabulary import Vocabulary, vocabulary
from biriba.suggest import did_you_mean

_SHOWN = 4
_KEPT = 50_000


@dataclass(frozen=True, slots=True)
class MeldText:
    """A meld as far as a text or JSON value states it: what is None is left open.

    Attributes:
        template: the template's name.
        key: index of the suit or rank that the meld is of.
        low: the lowest place.
        cards: face indices, in the order stated.
    """

    template: str | None
    key: int | None
    low: int | None
    cards: tuple[int, ...]


def parse_meld(rules: Ruleset, text: str) -> Meld:
    """The meld that a text means.

    Raises:
        NotationError: the text is no list of cards, the cards fit no template in that order, or they
            fit in several ways with equally few substitutes.
    """
    stated = parse_meld_text(rules, text)
    found = readings(rules, stated)
    if len(found) != 1:
        raise fault(text, len(text) - len(text.lstrip()), *trouble(rules, stated, found))
    return found[0]


def parse_meld_text(rules: Ruleset, text: str) -> MeldText:
    """What a text says about a meld, whether or not the cards fit.

    Raises:
        NotationError: the text is no list of cards.
    """
    return read_meld(vocabulary(rules), text, parse(text, "meld").children, 0)


def layouts(rules: Ruleset, stated: MeldText) -> tuple[Meld, ...]:
    """All ways in which the cards fit a template as stated, laws ignored, fewest substitutes first."""
    shapes = vocabulary(rules).shapes
    fitting = (
        meld
        for meld in shapes.layouts(stated.cards, stated.template)
        if stated.key in (None, meld.key) and stated.low in (None, meld.low)
    )
    return tuple(sorted(fitting, key=shapes.substitutes))


def readings(rules: Ruleset, stated: MeldText) -> tuple[Meld, ...]:
    """The melds that a text may mean: the layouts with the fewest substitutes; none if nothing fits."""
    shapes = vocabulary(rules).shapes
    found = layouts(rules, stated)
    return tuple(meld for meld in found if shapes.substitutes(meld) == shapes.substitutes(found[0]))


def shapeless(stated: MeldText) -> Meld:
    """Cards that fit no template, in the form of a meld: it has a template only if one was stated."""
    return Meld(stated.template or "", stated.key, stated.low, stated.cards)


def format_meld(rules: Ruleset, meld: Meld) -> str:
    """The canonical text of a meld: its cards, and no more than is needed to tell how they lie."""
    words = vocabulary(rules)
    text = words.meld_texts.get(meld)
    if text is None:
        if len(words.meld_texts) >= _KEPT:
            words.meld_texts.clear()
        text = words.meld_texts[meld] = _formatted(rules, meld)
    return text


def format_meld_text(rules: Ruleset, stated: MeldText) -> str:
    """The text that states just that; canonical if the meld is told by it."""
    found = readings(rules, stated)
    return format_meld(rules, found[0]) if len(found) == 1 else _written(vocabulary(rules), stated)


def trouble(rules: Ruleset, stated: MeldText, found: Sequence[Meld]) -> tuple[str, str | None]:
    """The message and hint for a meld that a text does not tell: no reading, or several."""
    cards = format_cards(rules, stated.cards)
    if found:
        options = [f"'{format_meld(rules, meld)}'" for meld in found[:_SHOWN]]
        more = ", …" if len(found) > _SHOWN else ""
        return f"{cards} may lie in {len(found)} ways", f"write one of {', '.join(options)}{more}"
    if stated.template is not None:
        return f"{cards} do not lie as a {stated.template}", "a sequence is written by place, low to high"
    names = list(rules.templates)
    return f"{cards} in this order are no {' and no '.join(names)}", "a sequence is written by place, low to high"


def read_meld(words: Vocabulary, text: str, items: Sequence[Node | Token], start: int) -> MeldText:
    """What the parts of a syntax tree say about a meld; `start` is where they begin in the text."""
    template: str | None = None
    key: int | None = None
    low: int | None = None
    cards: list[int] = []
    for item in items:
        if low is not None:
            raise fault(text, offset(item), "the lowest place is the last word of a meld")
        if not isinstance(item, Token):
            if template is not None or cards:
                raise fault(text, offset(item), "what a meld is of stands before its cards")
            name, of = (child for child in item.children if isinstance(child, Token))
            template = _template(words, text, name)
            key = _key(words, text, template, of)
        elif item.type == "PLACE":
            low = number(text, item.update(value=item[1:]))
        elif not cards and template is None and item in words.rules.templates and item not in words.faces:
            template = str(item)
        elif not cards and template is None and item not in words.faces and item[0].islower():
            raise fault(text, offset(item), *_no_template(words, item))
        else:
            cards.append(read_card(words, text, item))
    if not cards:
        raise fault(text, start, "a meld needs cards")
    if low is not None and template is not None and not words.shapes.is_sequence(template):
        raise fault(text, start, f"a {template} has no places")
    return MeldText(template, key, low, tuple(cards))


def _template(words: Vocabulary, text: str, name: Token) -> str:
    if name not in words.rules.templates:
        raise fault(text, offset(name), *_no_template(words, name))
    return str(name)


def _no_template(words: Vocabulary, name: str) -> tuple[str, str | None]:
    candidates = [*words.rules.templates, *words.faces]
    return f"{quoted(name)} is neither a card nor a kind of meld", did_you_mean(name, candidates)


def _key(words: Vocabulary, text: str, template: str, of: Token) -> int:
    key_type = words.key_type(template)
    if key_type is None:
        raise fault(text, offset(of), f"a {template} has no suit or rank of its own")
    found = words.names(key_type).get(of)
    if found is None:
        raise fault(text, offset(of), *unknown(words, of, key_type))
    return int(found)


def _formatted(rules: Ruleset, meld: Meld) -> str:
    words = vocabulary(rules)
    if not words.shapes.fits(meld):
        return _written(words, MeldText(meld.template or None, meld.key, meld.low, meld.cards))
    found = layouts(rules, MeldText(None, None, None, meld.cards))
    for template, key, low in ((0, 0, 0), (1, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 0)):
        stated = MeldText(
            meld.template if template else None, meld.key if key else None, meld.low if low else None, meld.cards
        )
        if _tells(words, found, stated, meld):
            return _written(words, stated)
    return _written(words, MeldText(*meld))


def _tells(words: Vocabulary, found: Sequence[Meld], stated: MeldText, meld: Meld) -> bool:
    """Whether the layout with the fewest substitutes among those as stated is just this meld."""
    as_stated = [
        other
        for other in found
        if stated.template in (None, other.template)
        and stated.key in (None, other.key)
        and stated.low in (None, other.low)
    ]
    fewest = words.shapes.substitutes(as_stated[0])
    return as_stated[0] == meld and all(words.shapes.substitutes(other) > fewest for other in as_stated[1:])


def _written(words: Vocabulary, stated: MeldText) -> str:
    parts = [format_cards(words.rules, stated.cards)]
    if stated.template is not None:
        key_type = words.key_type(stated.template) if stated.template in words.rules.templates else None
        if stated.key is not None and key_type is not None:
            names = {named: word for word, named in words.names(key_type).items()}
            parts.insert(0, f"of {names[stated.key]}")
        parts.insert(0, stated.template)
    if stated.low is not None:
        parts.append(f"@{stated.low}")
    return " ".join(parts)
