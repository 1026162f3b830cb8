"""What an `expect` line says: `hand A KS QS; turn B start; score X 335, Y -125`.

Each fact matches one pattern of `PATTERNS` and becomes an entry of a vector's ``expect`` object;
conformance/format.md explains them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from biriba.model.ruleset import OVER, Ruleset
from biriba.notation import format_cards, parse_cards, parse_meld
from biriba.notation.jsonform import meld_to_json
from biriba.notation.vocabulary import vocabulary
from biriba.scenario.scenario import (
    ANY,
    DRAFT,
    NOT_IN_CHOICES,
    SPECTATOR,
    UNCHANGED,
    Data,
    Expect,
    Fields,
    ScenarioError,
    Written,
)
from biriba.suggest import did_you_mean

Facts = dict[str, Data]
MELD_FACTS = ("value", "bonus", "points")
"""What can be said of any meld; other names are definitions of the rules."""


def parse_expect(rules: Ruleset, text: str) -> Expect:
    """The expectation that the text of an `expect` line states.

    Raises:
        ScenarioError: a part of it is no fact, or names what the rule set does not have.
        NotationError: a card or a meld is not in the notation.
    """
    facts: Facts = {}
    legal: tuple[Written, ...] | None = None
    only = re.match(r"only\s+", text)
    rest = UNCHANGED if only else DRAFT
    for part in split(text[only.end() :] if only else text, ";"):
        if part in _RESTS:
            if rest != DRAFT:
                raise ScenarioError("", f"'{part}' beside what says of the rest something else")
            rest = _RESTS[part]
        elif part.startswith("legal "):
            legal = tuple(Written(act) for act in split(part.removeprefix("legal "), ","))
        elif " or " in part:
            _merge(facts, {"one_of": [_choice(rules, choice) for choice in part.split(" or ")]})
        else:
            _merge(facts, _fact(rules, part))
    if rest == UNCHANGED and not only and facts:
        raise ScenarioError(
            "", "'unchanged' beside what has changed", f"write 'expect only {_without_unchanged(text)}'"
        )
    return Expect(facts, legal, rest=rest)


_RESTS = {"unchanged": UNCHANGED, "rest any": ANY}
"""What can be said of all that is not mentioned, besides `only` at the beginning."""


def _without_unchanged(text: str) -> str:
    return "; ".join(part for part in split(text, ";") if part != "unchanged")


def _choice(rules: Ruleset, text: str) -> Facts:
    """One of several allowed outcomes."""
    facts = {} if text in _RESTS else _fact(rules, text)
    if not facts or set(facts) & NOT_IN_CHOICES:
        raise ScenarioError("", f"'{text}' cannot be one of several allowed outcomes")
    return facts


def parse_qualities(text: str) -> dict[str, bool | int]:
    """What is said of a meld: ``clean yes, value 45``.

    Raises:
        ScenarioError: a part is not a name with yes, no or a number.
    """
    found: dict[str, bool | int] = {}
    for part in split(text, ","):
        match = re.fullmatch(r"(\w+) (yes|no|-?\d{1,9})", part)
        if match is None:
            raise ScenarioError("", f"'{part}' says nothing about a meld", "write 'clean yes' or 'value 45'")
        name, value = match.groups()
        found[name] = value == "yes" if value in ("yes", "no") else int(value)
    return found


def split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators, without blanks around them; a part must not be empty.

    Raises:
        ScenarioError: a part is empty.
    """
    parts = [" ".join(part.split()) for part in text.split(separator)]
    if "" in parts:
        raise ScenarioError("", f"there is nothing between two '{separator}', or after the last one")
    return parts


def zone_of(rules: Ruleset, words: list[str]) -> tuple[str, str, list[str]]:
    """The zone that the first words name, its owner (empty if it has none) and the remaining words.

    Raises:
        ScenarioError: they name no zone.
    """
    zone = rules.zones.get(words[0])
    if zone is None:
        known = [*rules.zones, *rules.states]
        raise ScenarioError("", f"there is no zone or state '{words[0]}'", did_you_mean(words[0], known))
    owners = rules.owners(zone.owner, zone.low, zone.high)
    return (zone.name, *_owner(zone.name, owners, words[1:]))


def _owner(name: str, owners: tuple[str, ...], words: list[str]) -> tuple[str, list[str]]:
    if owners == ("",):
        return "", words
    if not words or words[0] not in owners:
        given = f"'{words[0]}'" if words else "nothing"
        raise ScenarioError("", f"'{name}' needs an owner, found {given}", f"it is one of {', '.join(owners)}")
    return words[0], words[1:]


def _merge(facts: Facts, more: Fields) -> None:
    """Add facts to those that are there, nested objects into nested objects."""
    for name, value in more.items():
        here = facts.get(name)
        if isinstance(here, dict) and isinstance(value, dict):
            _merge(here, value)
        elif isinstance(here, list) and isinstance(value, list) and name == "open":
            here += value
        elif name in facts:
            raise ScenarioError("", f"'{name}' is said twice in one line")
        else:
            facts[name] = value


def _at(name: str, owner: str, value: Data) -> Facts:
    return {name: {owner: value} if owner else value}


# ---------------------------------------------------------------- one function for each kind of fact


def _over(rules: Ruleset) -> Facts:
    return {"over": True}


def _goes_on(rules: Ruleset) -> Facts:
    return {"over": False}


def _open(rules: Ruleset, text: str) -> Facts:
    """What is left to the implementation: ``turn``, ``phase``, a zone or a state."""
    if text in ("turn", "phase"):
        return {"open": [text]}
    words = text.split()
    state = rules.states.get(words[0])
    if state is None:
        name, owner, rest = zone_of(rules, words)
    else:
        name = state.name
        owner, rest = _owner(name, rules.owners(state.owner), words[1:])
    if rest:
        raise ScenarioError("", f"'{text}' names no zone and no state")
    return {"open": [f"{name} {owner}".rstrip()]}


def _turn(rules: Ruleset, seat: str, phase: str) -> Facts:
    known = {*rules.phases, OVER}
    if seat not in rules.table.seats:
        raise ScenarioError("", f"there is no seat '{seat}'", f"it is one of {', '.join(rules.table.seats)}")
    if phase not in known:
        raise ScenarioError("", f"there is no phase '{phase}'", f"it is one of {', '.join(sorted(known))}")
    return {"turn": seat, "phase": phase}


def _meld(rules: Ruleset, name: str, qualities: str) -> Facts:
    facts: Facts = {}
    facts.update(parse_qualities(qualities))
    return {"meld": {name: facts}}


def _lines(rules: Ruleset, side: str, lines: str) -> Facts:
    found: Facts = {}
    labels = [line.label for line in rules.score]
    for part in split(lines, ","):
        label, _, points = part.rpartition(" ")
        if label not in labels:
            hint = did_you_mean(label, labels) or f"it is one of {', '.join(labels)}"
            raise ScenarioError("", f"the score has no line '{label}'", hint)
        found[label] = _number(points)
    return {"lines": {_side(rules, side): found}}


def _score(rules: Ruleset, amounts: str) -> Facts:
    return {"score": dict(parse_amounts(rules, amounts))}


def _written(rules: Ruleset, amounts: str) -> Facts:
    """Points as people write them, which need not be whole: ``X 33.5``."""
    found: Facts = {}
    for part in split(amounts, ","):
        side, _, points = part.partition(" ")
        if re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", points) is None:
            raise ScenarioError("", f"expected points such as 33.5, found '{points}'")
        found[_side(rules, side)] = points
    return {"written": found}


def _legal_count(rules: Ruleset, count: str) -> Facts:
    return {"legal_count": int(count)}


def _perft(rules: Ruleset, counts: str) -> Facts:
    return {"perft": [int(count) for count in counts.split()]}


def _view(rules: Ruleset, seat: str, zones: str) -> Facts:
    if seat not in (*rules.table.seats, SPECTATOR):
        raise ScenarioError("", f"there is no seat '{seat}'", f"it is a seat or '{SPECTATOR}'")
    hidden: list[Data] = []
    for part in split(zones, ","):
        name, owner, rest = zone_of(rules, part.split())
        if rest:
            raise ScenarioError("", f"'{part}' names no zone")
        hidden.append(f"{name} {owner}".rstrip())
    return {"view": {seat: {"hides": hidden}}}


def _match_goes_on(rules: Ruleset) -> Facts:
    return {"match": {"over": False}}


def _match_over(rules: Ruleset, winner: str | None) -> Facts:
    told: Facts = {"over": True}
    if winner is not None:
        told["winner"] = _side(rules, winner)
    return {"match": told}


def _next_dealer(rules: Ruleset, seat: str) -> Facts:
    return {"match": {"next_dealer": seat}}


def _side_is(rules: Ruleset, side: str, seats: str) -> Facts:
    return {"table": {"sides": {side: list(seats.split())}}}


def _neighbour(rules: Ruleset, direction: str, seat: str, other: str) -> Facts:
    return {"table": {direction: {seat: other}}}


def _deck(rules: Ruleset, cards: str, value: str) -> Facts:
    return {"deck": {"cards": int(cards), "value": int(value)}}


def _copies(rules: Ruleset, count: str, cards: str) -> Facts:
    return {"deck": {"copies": {symbol: int(count) for symbol in _symbols(rules, cards)}}}


def _holds(rules: Ruleset, zone: str, cards: str) -> Facts:
    name, owner, rest = zone_of(rules, zone.split())
    if rest:
        raise ScenarioError("", f"'{zone}' names no zone")
    return {"holds": _at(name, owner, list[Data](_symbols(rules, cards)))}


def _count(rules: Ruleset, zone: str, count: str) -> Facts:
    name, owner, rest = zone_of(rules, zone.split())
    if rest:
        raise ScenarioError("", f"'{zone}' names no zone")
    return {"sizes": _at(name, owner, int(count))}


def _field(rules: Ruleset, text: str) -> Facts:
    """A zone with its contents, or a state with its value."""
    words = text.split()
    state = rules.states.get(words[0])
    if state is not None:
        owner, rest = _owner(state.name, rules.owners(state.owner), words[1:])
        names = vocabulary(rules).names(state.type)
        if len(rest) != 1:
            raise ScenarioError("", f"'{text}' should end with one value of {state.name}")
        if rest[0] not in names:
            return {"states": _at(state.name, owner, _number(rest[0]))}
        value = names[rest[0]]
        return {"states": _at(state.name, owner, value if value is None or isinstance(value, bool) else rest[0])}
    name, owner, rest = zone_of(rules, words)
    if not rest:
        hint = "write the cards, 'empty' or a number of cards"
        raise ScenarioError("", f"'{text}' does not say what lies there", hint)
    if rest == ["empty"]:
        return {"zones": _at(name, owner, [])}
    if rules.zones[name].kind == "melds":
        melds = [parse_meld(rules, meld) for meld in bracketed(" ".join(rest))]
        return {"zones": _at(name, owner, [meld_to_json(rules, meld) for meld in melds])}
    cards = parse_cards(rules, " ".join(rest))
    if rules.zones[name].kind == "hand":
        cards = tuple(sorted(cards))
    return {"zones": _at(name, owner, list[Data](format_cards(rules, cards).split()))}


def bracketed(text: str) -> list[str]:
    """The texts between square brackets.

    Raises:
        ScenarioError: there is something outside of brackets.
    """
    if re.fullmatch(r"(\s*\[[^][]*\]\s*)+", text) is None:
        raise ScenarioError("", f"expected melds in square brackets, found '{text}'", "write [3H 4H 5H] [9H 9S JK]")
    return re.findall(r"\[([^][]*)\]", text)


def parse_amounts(rules: Ruleset, text: str) -> dict[str, int]:
    """Points for each side: ``X 335, Y -125``."""
    found: dict[str, int] = {}
    for part in split(text, ","):
        side, _, points = part.partition(" ")
        found[_side(rules, side)] = _number(points)
    return found


def _symbols(rules: Ruleset, cards: str) -> list[str]:
    return format_cards(rules, parse_cards(rules, cards)).split()


def _side(rules: Ruleset, name: str) -> str:
    if name not in rules.table.sides:
        raise ScenarioError("", f"there is no side '{name}'", f"it is one of {', '.join(rules.table.sides)}")
    return name


def _number(text: str) -> int:
    if re.fullmatch(r"-?\d{1,9}", text) is None:
        raise ScenarioError("", f"expected a number, found '{text}'")
    return int(text)


PATTERNS: tuple[tuple[str, Callable[..., Facts]], ...] = (
    (r"over", _over),
    (r"goes on", _goes_on),
    (r"(.+) open", _open),
    (r"turn (\w+) (\w+)", _turn),
    (r"meld ([\w.]+): (.+)", _meld),
    (r"score (\w+): (.+)", _lines),
    (r"score (.+)", _score),
    (r"written (.+)", _written),
    (r"(\d{1,9}) legal actions?", _legal_count),
    (r"perft ((?:\d{1,12} ?)+)", _perft),
    (r"view (\w+) hides (.+)", _view),
    (r"match goes on", _match_goes_on),
    (r"match over(?:, winner (\w+))?", _match_over),
    (r"next dealer (\w+)", _next_dealer),
    (r"side (\w+) of (.+)", _side_is),
    (r"(next|left|right) (\w+) is (\w+)", _neighbour),
    (r"deck (\d{1,9}) cards, value (\d{1,9})", _deck),
    (r"copies (\d{1,9}) of (.+)", _copies),
    (r"(.+) holds (.+)", _holds),
    (r"(.+) (\d{1,9}) cards?", _count),
    (r"(.+)", _field),
)


def _fact(rules: Ruleset, text: str) -> Facts:
    for pattern, read in PATTERNS:
        match = re.fullmatch(pattern, text)
        if match is not None:
            return read(rules, *match.groups())
    raise ScenarioError("", f"'{text}' is no fact")
