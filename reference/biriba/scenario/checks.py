"""Whether what an expectation states is so; one method for each member of a vector's ``expect``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.interpreter.view import Hidden
from biriba.model.position import Meld, Position
from biriba.notation import format_meld, laid_meld, parse_meld_name, position_to_json
from biriba.notation.vocabulary import vocabulary
from biriba.scenario.perft import counts
from biriba.scenario.scenario import SPECTATOR, UNCHANGED, Expect, Fields
from biriba.scenario.told import Difference, PositionFacts, Unchecked, compared, several, word

__all__ = ["Check", "Difference", "Totals", "Unchecked", "match_status", "meld_facts"]


@dataclass(frozen=True, slots=True)
class Totals:
    """How a match stands: points by side, the last dealer, complete deals."""

    points: Mapping[str, int]
    dealer: str
    deals: int


def meld_facts(
    rules: Rules, name: str, meld: Meld, facts: Mapping[str, Any], position: Position | None = None
) -> Iterator[Difference]:
    """The differences between what is said of a lawful meld, in a position if there is one, and what is so."""
    verdict = rules.judge_meld(meld, position)
    points = {"value": verdict.value, "bonus": verdict.bonus, "points": verdict.value + verdict.bonus}
    found: dict[str, bool | int] = {**verdict.properties, **points}
    for fact, wanted in facts.items():
        if fact not in found:
            yield Difference(f"{name}: {fact} {word(wanted)}", f"nothing called '{fact}' can be said of it")
        elif found[fact] != wanted or isinstance(found[fact], bool) != isinstance(wanted, bool):
            yield Difference(f"{name}: {fact} {word(wanted)}", f"{fact} {word(found[fact])}")


class Check(PositionFacts):
    """Looks at a position, the position at the last expectation, and the totals of a match."""

    def __init__(self, rules: Rules, now: Position | None, before: Position | None, totals: Totals | None) -> None:
        super().__init__(rules.ruleset)
        self.rules = rules
        self._now, self._before, self._totals = now, before, totals

    def differences(self, facts: Fields) -> Iterator[Difference]:
        """All that is not as it is stated."""
        for name, wanted in facts.items():
            yield from getattr(self, name)(wanted)

    def of(self, expect: Expect) -> Iterator[Difference]:
        """All that is not as an expectation states, but for its legal actions."""
        yield from self.differences(expect.facts)
        yield from self.differences(expect.also)
        if expect.rest == UNCHANGED and self._now is not None:
            yield from self.unmentioned(expect.facts, expect.also)

    def one_of(self, choices: list[Fields]) -> Iterator[Difference]:
        """The difference from all of several allowed outcomes; none if one of them is so."""
        found = [list(self.differences(choice)) for choice in choices]
        if all(found):
            yield several(found)

    @property
    def now(self) -> Position:
        if self._now is None:
            raise Unchecked("no position: the scenario does not begin with one")
        return self._now

    @cached_property
    def told(self) -> Mapping[str, Any]:
        return position_to_json(self.ruleset, self.now)

    @cached_property
    def told_before(self) -> Mapping[str, Any]:
        return position_to_json(self.ruleset, self._before or self.now)

    # ------------------------------------------------------------ melds, points, actions

    def meld(self, wanted: Mapping[str, Mapping[str, Any]]) -> Iterator[Difference]:
        for name, facts in wanted.items():
            laid = laid_meld(self.ruleset, self.now, parse_meld_name(self.ruleset, name))
            shown = f"{name} [{format_meld(self.ruleset, laid.meld)}]"
            yield from meld_facts(self.rules, shown, laid.meld, facts, self.now)

    def score(self, wanted: Mapping[str, int]) -> Iterator[Difference]:
        totals = self.rules.score(self.now).totals
        for side, points in wanted.items():
            yield from compared(f"score {side}", points, totals[self.side(side)])

    def lines(self, wanted: Mapping[str, Mapping[str, int]]) -> Iterator[Difference]:
        score = self.rules.score(self.now)
        for side, lines in wanted.items():
            for label, points in lines.items():
                found = sum(entry.points for entry in score.lines(self.side(side)) if entry.label == label)
                yield from compared(f"score {side}, {label}", points, found)

    def written(self, wanted: Mapping[str, str]) -> Iterator[Difference]:
        totals = self.rules.score(self.now).totals
        for side, points in wanted.items():
            found = self.ruleset.written(totals[self.side(side)])
            yield from compared(f"score {side} as it is written", points, found)

    def legal_count(self, wanted: int) -> Iterator[Difference]:
        yield from compared("number of legal actions", wanted, len(self.rules.legal(self.now)))

    def perft(self, wanted: list[int]) -> Iterator[Difference]:
        yield from compared("legal sequences of 1, 2, … actions", wanted, counts(self.rules, self.now, len(wanted)))

    # ------------------------------------------------------------ what a seat knows

    def view(self, wanted: Mapping[str, Mapping[str, list[str]]]) -> Iterator[Difference]:
        for seat, told in wanted.items():
            view = self.rules.view(self.now, None if seat == SPECTATOR else seat)
            hidden: list[str] = []
            for slot, seen in enumerate(view.zones):
                name, lying = vocabulary(self.ruleset).zone_name(slot), self.now.zones[slot]
                if seen == lying:
                    continue
                hidden.append(name)
                if not isinstance(seen, Hidden) or seen.cards != len(lying):
                    yield Difference(f"{seat} knows of {name} only that {len(lying)} cards lie there", str(seen))
            if view.states != self.now.states:
                yield Difference(f"{seat} knows all states", f"{view.states} instead of {self.now.states}")
            if sorted(hidden) != sorted(told["hides"]):
                yield Difference(f"hidden from {seat}: {', '.join(told['hides'])}", ", ".join(hidden) or "nothing")

    # ------------------------------------------------------------ match, deck, table

    def match(self, wanted: Mapping[str, Any]) -> Iterator[Difference]:
        if self._totals is None:
            raise Unchecked("no totals: the scenario does not begin with those of a match")
        found = match_status(self.rules, self._totals)
        for name, value in wanted.items():
            yield from compared(f"match: {name}", value, found[name])

    def deck(self, wanted: Mapping[str, Any]) -> Iterator[Difference]:
        faces = self.ruleset.cards.faces
        copies = {face.symbol: face.copies for face in faces}
        for name, value in wanted.items():
            match name:
                case "cards":
                    yield from compared("cards in the deck", value, self.ruleset.cards.total)
                case "value":
                    yield from compared("value of the deck", value, sum(face.value * face.copies for face in faces))
                case _:
                    for card, count in value.items():
                        yield from compared(f"copies of {card}", count, copies.get(card, 0))

    def table(self, wanted: Mapping[str, Mapping[str, Any]]) -> Iterator[Difference]:
        table = self.ruleset.table
        for name, told in wanted.items():
            for key, value in told.items():
                found: Any
                if name == "sides":
                    found = [table.seats[seat] for seat in table.members[self.side(key)]]
                else:
                    neighbour = {"next": table.next, "left": table.left, "right": table.right}[name]
                    found = table.seats[neighbour(self.rules.seat(key))]
                yield from compared(f"{name} {key}", value, found)

    def side(self, name: str) -> int:
        sides = self.ruleset.table.sides
        if name not in sides:
            raise Unchecked(f"no side '{name}' in these rules")
        return sides.index(name)


def match_status(rules: Rules, totals: Totals) -> dict[str, Any]:
    """Whether the match is over, who has won, and who deals next."""
    table = rules.ruleset.table
    standing = Standing(tuple(totals.points.get(side, 0) for side in table.sides), totals.deals)
    # The rules may look at the table that the last deal left; a vector tells only its dealer.
    deck = [face.index for face in rules.ruleset.cards.faces for _ in range(face.copies)]
    last = rules.dealt(deck, rules.seat(totals.dealer))
    over = bool(rules.matches.ended_by(standing, last))
    winner = rules.matches.winner(standing, last) if over else None
    return {
        "over": over,
        "winner": None if winner is None else table.sides[winner],
        "next_dealer": table.seats[rules.matches.next_dealer(standing, last)],
    }
