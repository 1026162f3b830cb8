"""The lines of an example, one by one: `play draw`, `reject discard 9H by discard.not_what_you_took`, …"""

from __future__ import annotations

import re

from biriba.model.ruleset import Ruleset
from biriba.notation import format_cards, format_meld, parse_cards, parse_meld_text, readings
from biriba.scenario.facts import parse_expect, parse_qualities, split
from biriba.scenario.scenario import (
    Accept,
    Body,
    Claim,
    Layouts,
    Play,
    Reject,
    Repeat,
    ScenarioError,
    Step,
    Value,
    Written,
)
from biriba.suggest import did_you_mean

_NONE = "none"


def parse_line(rules: Ruleset, keyword: str, text: str, where: str) -> tuple[Step, ...]:
    """The steps that a line of an example states; a `play` line with several actions has several.

    Args:
        keyword: the first word of the line: ``play accept reject expect meld value``.
        text: the rest of the line.
        where: the file and line, for messages.

    Raises:
        ScenarioError: the line is not of its form.
        NotationError: a card or meld in it is not in the notation.
    """
    line = f"{keyword} {text}"
    text = " ".join(text.split())
    if keyword == "play":
        return _play(text, where, line)
    return tuple(Step(body, where, line) for body in _bodies(rules, keyword, text))


def _bodies(rules: Ruleset, keyword: str, text: str) -> list[Body]:
    match keyword:
        case "accept":
            return [Accept(Written(text))]
        case "reject":
            return _reject(rules, text)
        case "expect":
            return [parse_expect(rules, text)]
        case "meld":
            return [_meld(rules, text)]
        case "value":
            return [_value(rules, text)]
        case _:
            raise ScenarioError("", f"no line begins with '{keyword}'")


def _play(text: str, where: str, line: str) -> tuple[Step, ...]:
    times = re.fullmatch(r"(\d{1,6}) times: (.+)", text)
    acts = split(times[2] if times else text, ",")
    steps = tuple(Step(Play(Written(act)), where, f"play {act}" if len(acts) > 1 else line) for act in acts)
    return (Step(Repeat(int(times[1]), steps), where, line),) if times else steps


def _reject(rules: Ruleset, text: str) -> list[Body]:
    if text.endswith(" as malformed"):
        return [Reject(Written(text.removesuffix(" as malformed")), malformed=True)]
    act, by, ids = text.partition(" by ")
    because = tuple(split(ids, ",")) if by else None
    for clause in because or ():
        check_clause(rules, clause)
    meld = re.fullmatch(r"meld (.+)", act)
    if meld:
        # Cards that could lie in several ways are meant in each of them.
        melds = readings(rules, parse_meld_text(rules, meld[1]))
        texts = [format_meld(rules, reading) for reading in melds] if len(melds) > 1 else [meld[1]]
        return [Claim(Written(text), lawful=False, because=because) for text in texts]
    seat = re.fullmatch(r"(\w+): (.+)", act)
    return [Reject(Written(seat[2]), because, seat=seat[1]) if seat else Reject(Written(act), because)]


def _meld(rules: Ruleset, text: str) -> Body:
    ways = re.fullmatch(r"(.+) in any order: (.+)", text)
    if ways:
        melds = () if ways[2] == _NONE else tuple(Written(meld) for meld in split(ways[2], ","))
        return Layouts(tuple(_symbols(rules, ways[1])), melds)
    meld, colon, qualities = text.partition(":")
    return Claim(Written(meld.strip()), facts=parse_qualities(qualities) if colon else {})


def _value(rules: Ruleset, text: str) -> Body:
    match = re.fullmatch(r"(.+) = (\d{1,9})", text)
    if match is None:
        raise ScenarioError("", "the value of cards is written 'value AH 2H = 25'")
    return Value(tuple(_symbols(rules, match[1])), int(match[2]))


def _symbols(rules: Ruleset, cards: str) -> list[str]:
    return format_cards(rules, parse_cards(rules, cards)).split()


def check_clause(rules: Ruleset, clause: str) -> None:
    """Raise a ScenarioError unless the rule set has that clause."""
    if clause not in rules.clauses:
        raise ScenarioError("", f"the rules have no clause '{clause}'", did_you_mean(clause, rules.clauses))
