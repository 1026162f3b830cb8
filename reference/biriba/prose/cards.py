"""Card pictures: SVG that is legible small, takes its colours from CSS, and reads itself aloud.

Colours are CSS variables (`--biriba-hearts`, `--biriba-card`, ...), so that a page can offer dark cards or
four colours; what stands in the attributes is for renderers without CSS. Suits are drawn by their
names; a suit that is none of the usual four shows its symbol instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from biriba.model.position import Meld
from biriba.model.ruleset import Face, Ruleset, Symbol
from biriba.model.shapes import Shapes
from biriba.notation.vocabulary import vocabulary

WIDTH, HEIGHT = 60, 84
"""Size of a card in the units of its picture."""
STEP = 36
"""How far the next card of a fan is moved to the right."""

_PIPS = {
    "hearts": "M16 29C6 21 1 15 1 9.5 1 5 4.5 2 8.5 2 11.8 2 14.6 3.9 16 7 17.4 3.9 20.2 2 23.5 2 "
    "27.5 2 31 5 31 9.5 31 15 26 21 16 29Z",
    "diamonds": "M16 1.5 28 16 16 30.5 4 16Z",
    "spades": "M16 1.5C25.5 9.5 30.5 14.5 30.5 19.5 30.5 23.5 27.5 26 24.2 26 21.5 26 19.3 24.6 "
    "17.8 22.5 18.2 25.8 19.5 28.6 21.5 30.5H10.5C12.5 28.6 13.8 25.8 14.2 22.5 12.7 24.6 "
    "10.5 26 7.8 26 4.5 26 1.5 23.5 1.5 19.5 1.5 14.5 6.5 9.5 16 1.5Z",
    "clubs": "M16 1.5A6.8 6.8 0 0 1 21.4 12.4 6.8 6.8 0 1 1 17.9 22.6C18.3 25.9 19.5 28.6 21.5 "
    "30.5H10.5C12.5 28.6 13.7 25.9 14.1 22.6A6.8 6.8 0 1 1 10.6 12.4 6.8 6.8 0 0 1 16 1.5Z",
}
_STAR = "M16 1 20.2 11.3 31.3 12.1 22.8 19.3 25.5 30.1 16 24.2 6.5 30.1 9.2 19.3 0.7 12.1 11.8 11.3Z"
_CAP = (
    "M7 23.5C7 18 7.5 15.5 3.5 12.6A2.6 2.6 0 1 1 4.2 8.2C9 8 11.6 11 12.9 14.5 12.8 10.5 13.4 8 14.9 5.7"
    "A2.6 2.6 0 1 1 17.1 5.7C18.6 8 19.2 10.5 19.1 14.5 20.4 11 23 8 27.8 8.2A2.6 2.6 0 1 1 28.5 12.6"
    "C24.5 15.5 25 18 25 23.5ZM6.5 25.5H25.5V30H6.5Z"
)
_FIGURES = {"joker": _CAP}
"""What is drawn on a card without rank and suit, by its name; on any other a star."""
_INK = {"hearts": "#c4162a", "diamonds": "#c4162a", "spades": "#1b1f24", "clubs": "#1b1f24"}
_SIGNS = {"hearts": "♥", "diamonds": "♦", "spades": "♠", "clubs": "♣"}
_PLAIN = "#6b3fa0"
_LABELS = {"ten": "10"}
_STYLE = "font-family='Helvetica Neue,Arial,sans-serif' font-weight='700'"


@dataclass(frozen=True, slots=True)
class Place:
    """What a wild card stands for: one face, or a card of one rank; neither: any card of its meld."""

    face: int | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A card as it is shown.

    Attributes:
        face: index of its face, None for a card that lies face down.
        stands_for: what it stands for in a meld; None if it is itself.
    """

    face: int | None
    stands_for: Place | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """How pictures are read aloud, in some language.

    Attributes:
        say: the translation of a phrase, with its holes.
        card: the name of a card.
        rank: the name of a rank.
    """

    say: Callable[[str], str]
    card: Callable[[Face], str]
    rank: Callable[[Symbol], str]


ENGLISH = Speech(lambda text: text, lambda face: face.name, lambda rank: rank.name)
PHRASES = (
    "{card} standing for {other}",
    "any {rank}",
    "any card of the meld",
    "one card face down",
    "{count} cards face down",
    "no cards",
)
"""What is said besides the names of cards: catalogues translate it."""


def card_sign(rules: Ruleset, face: Face) -> str:
    """A card in a few characters: ``9♥``, ``10♠``, ``Joker``."""
    if face.rank is None or face.suit is None:
        return face.name.capitalize()
    return rank_label(rules, face.rank) + suit_sign(rules, face.suit)


def rank_label(rules: Ruleset, rank: int) -> str:
    """A rank as it stands on the card."""
    symbol = rules.cards.ranks[rank]
    return _LABELS.get(symbol.name, symbol.symbol)


def suit_sign(rules: Ruleset, suit: int) -> str:
    """A suit as a character."""
    symbol = rules.cards.suits[suit]
    return _SIGNS.get(symbol.name, symbol.symbol)


def meld_cards(rules: Ruleset, meld: Meld) -> tuple[Shown, ...]:
    """The cards of a meld, each substitute with what it stands for."""
    shapes = vocabulary(rules).shapes
    return tuple(
        Shown(card) if shapes.is_natural(meld, i) else Shown(card, _stands_for(rules, shapes, meld, i))
        for i, card in enumerate(meld.cards)
    )


def _stands_for(rules: Ruleset, shapes: Shapes, meld: Meld, index: int) -> Place:
    """The natural cards of a substitute's place: one card, or what they have in common."""
    place = None if meld.low is None else meld.low + index
    naturals = [rules.cards.faces[i] for i in sorted(shapes.fitting(meld.template, meld.key, place).natural)]
    if len(naturals) == 1:
        return Place(face=naturals[0].index)
    ranks = {face.rank for face in naturals}
    return Place(rank=ranks.pop() if len(ranks) == 1 else None)


def aloud(rules: Ruleset, cards: Sequence[Shown], speech: Speech = ENGLISH) -> str:
    """Cards as they are read aloud: ``three of hearts, joker standing for four of hearts``."""
    down = sum(card.face is None for card in cards)
    said = []
    for card in cards:
        if card.face is None:
            continue
        name = speech.card(rules.cards.faces[card.face])
        if card.stands_for is not None:
            other = _place_aloud(rules, card.stands_for, speech)
            name = speech.say("{card} standing for {other}").format(card=name, other=other)
        said.append(name)
    if down:
        said.append(speech.say("one card face down" if down == 1 else "{count} cards face down").format(count=down))
    return ", ".join(said) or speech.say("no cards")


def _place_aloud(rules: Ruleset, place: Place, speech: Speech) -> str:
    if place.face is not None:
        return speech.card(rules.cards.faces[place.face])
    if place.rank is not None:
        return speech.say("any {rank}").format(rank=speech.rank(rules.cards.ranks[place.rank]))
    return speech.say("any card of the meld")


def _place_sign(rules: Ruleset, place: Place) -> str:
    if place.face is not None:
        return card_sign(rules, rules.cards.faces[place.face])
    return "any" if place.rank is None else rank_label(rules, place.rank)


def signs(rules: Ruleset, cards: Sequence[Shown]) -> str:
    """Cards as text for media without pictures: ``3♥ Joker(=4♥) 5♥``."""
    said = []
    for card in cards:
        if card.face is None:
            said.append("▒")
            continue
        sign = card_sign(rules, rules.cards.faces[card.face])
        said.append(sign if card.stands_for is None else f"{sign}(={_place_sign(rules, card.stands_for)})")
    return " ".join(said)


def fan(rules: Ruleset, cards: Sequence[Shown], *, label: str = "", step: int = STEP, speech: Speech = ENGLISH) -> str:
    """The picture of a row of cards, each partly over the one before.

    Args:
        label: words before the cards in what is read aloud.
    """
    width = WIDTH + step * max(len(cards) - 1, 0)
    said = aloud(rules, cards, speech)
    said = escape(f"{label}: {said}" if label else said, quote=True)
    body = "".join(f'<g transform="translate({i * step} 0)">{_card(rules, card)}</g>' for i, card in enumerate(cards))
    return (
        f'<svg class="biriba-cards" role="img" aria-label="{said}" xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="-1 -1 {width + 2} {HEIGHT + 2}" style="--cards:{width + 2}" '
        f'width="{(width + 2) * 0.75:g}" height="{(HEIGHT + 2) * 0.75:g}"><title>{said}</title>{body}</svg>'
    )


def picture(rules: Ruleset, face: int) -> str:
    """The picture of one card."""
    return fan(rules, (Shown(face),))


def _card(rules: Ruleset, card: Shown) -> str:
    return "".join(_back() if card.face is None else _front(rules, rules.cards.faces[card.face], card.stands_for))


def _sheet(extra: str = "") -> str:
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="7" fill="#ffffff" stroke="#8a8f98" stroke-width="1.5" '
        f'class="biriba-sheet"{extra}/>'
    )


def _back() -> Iterator[str]:
    yield _sheet()
    yield '<rect x="5" y="5" width="50" height="74" rx="4" fill="#3b5b92" class="biriba-back"/>'
    lines = "".join(f"M{x} 6 {x - 12} 78" for x in range(19, 55, 7))
    yield f'<path d="{lines}" stroke="#ffffff" stroke-opacity=".4" stroke-width="2" fill="none"/>'


def _front(rules: Ruleset, face: Face, stands_for: Place | None) -> Iterator[str]:
    suit = None if face.suit is None else rules.cards.suits[face.suit].name
    ink, kind = _INK.get(suit or "", _PLAIN), suit if suit in _PIPS else "plain"
    yield _sheet()
    yield f'<g fill="{ink}" class="biriba-{kind}">'
    if face.rank is not None and face.suit is not None:
        label = rank_label(rules, face.rank)
        squeeze = " textLength='28' lengthAdjust='spacingAndGlyphs'" if len(label) > 1 else ""
        yield f'<text x="5" y="31" font-size="32" {_STYLE}{squeeze}>{escape(label)}</text>'
        if suit in _PIPS:
            yield f'<path transform="translate(5.5 37) scale(.56)" d="{_PIPS[suit]}"/>'
            if stands_for is None:
                yield f'<path transform="translate(27 50) scale(.92)" d="{_PIPS[suit]}"/>'
        else:
            yield f'<text x="7" y="58" font-size="20" {_STYLE}>{escape(suit_sign(rules, face.suit))}</text>'
    else:
        figure = _FIGURES.get(face.name, _STAR)
        squeeze = " textLength='28' lengthAdjust='spacingAndGlyphs'" if len(face.symbol) > 1 else ""
        yield f'<text x="5" y="27" font-size="24" {_STYLE}{squeeze}>{escape(face.symbol)}</text>'
        yield f'<path transform="translate(6.5 34) scale(.62)" d="{figure}"/>'
        if stands_for is None:
            yield f'<path transform="translate(26.5 49) scale(.95)" d="{figure}"/>'
    yield "</g>"
    if stands_for is not None:
        sign = "=" + _place_sign(rules, stands_for)
        squeeze = " textLength='29' lengthAdjust='spacingAndGlyphs'" if len(sign) > 3 else ""
        # Narrow enough to be seen whole where the next card of a fan lies over this one.
        yield '<rect x="2" y="59" width="33" height="22" rx="4" fill="#ffe08a" stroke="#8a6d1a" class="biriba-wild"/>'
        yield (
            f'<text x="18.5" y="75" text-anchor="middle" font-size="15" {_STYLE}{squeeze} fill="#3d2f00" '
            f'class="biriba-wild-text">{escape(sign)}</text>'
        )
