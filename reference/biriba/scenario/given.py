"""Where a scenario begins: a `given` line, or the ``given`` of a vector."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from biriba.model.ruleset import Ruleset
from biriba.notation import parse_card
from biriba.notation.given import parse_given
from biriba.notation.jsonform import position_to_json
from biriba.notation.positions import format_position
from biriba.scenario.facts import parse_amounts, split
from biriba.scenario.scenario import Given, GivenDeck, GivenPosition, GivenTotals, ScenarioError


def parse_given_line(rules: Ruleset, text: str, dealt_sizes: Sequence[int]) -> Given:
    """What the text of a `given` line states, filled up to the last card.

    Args:
        dealt_sizes: how many cards each zone has after the deal, by slot.

    Raises:
        ScenarioError: the line is not of its form.
        NotationError: the position is not in the notation, or has too many copies of a card.
    """
    fields = split(text, ";")
    own = {field.partition(" ")[0]: field for field in fields}
    words = set(own)
    dealer = own.get("dealer", "").partition(" ")[2] or rules.table.seats[-1]
    if dealer not in rules.table.seats:
        raise ScenarioError("", f"there is no seat '{dealer}'", f"it is one of {', '.join(rules.table.seats)}")
    if "totals" in own:
        _only(words, {"totals", "deals", "dealer", "deck"}, "totals of a match")
        deals = re.fullmatch(r"deals (\d{1,9})", own.get("deals", "deals 1"))
        if deals is None:
            raise ScenarioError("", "the number of deals is written 'deals 3'")
        totals = parse_amounts(rules, own["totals"].partition(" ")[2])
        if "deck" not in own:
            return GivenTotals(totals, dealer, int(deals[1]))
        return GivenDeck(_deck(rules, own), dealer, totals=totals, deals=int(deals[1]))
    if "turn" not in words:
        _only(words, {"deck", "dealer"}, "a deal")
        return GivenDeck(_deck(rules, own), dealer)
    position = parse_given(rules, text, dealt_sizes)
    return GivenPosition(format_position(rules, position), position_to_json(rules, position), " ".join(text.split()))


def _deck(rules: Ruleset, fields: Mapping[str, str]) -> tuple[str, ...]:
    return stacked(rules, fields.get("deck", "").partition(" ")[2])


def stacked(rules: Ruleset, text: str) -> tuple[str, ...]:
    """A whole deck with some cards at stated places: ``KD at 1, JK at 67``, the first card dealt being at 1.

    The other places are filled with the remaining cards in the order in which the rules list them.

    Raises:
        ScenarioError: a place is beyond the deck or stated twice, or a card has not so many copies.
    """
    left = [face.symbol for face in rules.cards.faces for _ in range(face.copies)]
    deck: dict[int, str] = {}
    for part in split(text, ",") if text else ():
        match = re.fullmatch(r"(\w+) at (\d{1,6})", part)
        if match is None:
            raise ScenarioError("", f"'{part}' places no card", "write 'deck KD at 1, JK at 67'")
        symbol, place = rules.cards.faces[parse_card(rules, match[1])].symbol, int(match[2])
        if not 1 <= place <= rules.cards.total or place in deck:
            hint = f"places are 1 to {rules.cards.total}"
            raise ScenarioError("", f"place {place} is taken, or not in the deck", hint)
        if symbol not in left:
            raise ScenarioError("", f"the deck has no more copies of {symbol}")
        left.remove(symbol)
        deck[place] = symbol
    rest = iter(left)
    return tuple(deck.get(place) or next(rest) for place in range(1, rules.cards.total + 1))


def _only(words: set[str], allowed: set[str], what: str) -> None:
    extra = sorted(words - allowed)
    if extra:
        hint = "a position needs its turn: 'turn A start'" if "turn" not in words else None
        raise ScenarioError("", f"'{extra[0]}' cannot stand beside {what}", hint)
