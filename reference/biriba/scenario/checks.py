"""Whether what an expectation states is so; one method for each member of a vector's ``expect``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.interpreter.view import Hidden
from biriba.model.position import Meld, Position
from biriba.model.ruleset import OVER
from biriba.notation import format_meld, laid_meld, parse_meld_name, position_to_json
from biriba.notation.vocabulary import vocabulary
from biriba.scenario.scenario import SPECTATOR, Fields


@dataclass(frozen=True, slots=True)
class Difference:
    """What a step expected, and what was found instead, each in words."""

    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Totals:
    """How a match stands: points by side, the last dealer, complete deals."""

    points: Mapping[str, int]
    dealer: str
    deals: int


class Unchecked(Exception):
    """A step that cannot be looked at: it speaks of what is not there, or its two forms differ."""


def meld_facts(
    rules: Rules, name: str, meld: Meld, facts: Mapping[str, Any], position: Position | None = None
) -> Iterator[Difference]:
    """The differences between what is said of a lawful meld, in a position if there is one, and what is so."""
    verdict = rules.judge_meld(meld, position)
    points = {"value": verdict.value, "bonus": verdict.bonus, "points": verdict.value + verdict.bonus}
    found: dict[str, bool | int] = {**verdict.properties, **points}
    for fact, wanted in facts.items():
        if fact not in found:
            yield Difference(f"{name}: {fact} {_word(wanted)}", f"nothing called '{fact}' can be said of it")
        elif found[fact] != wanted or isinstance(found[fact], bool) != isinstance(wanted, bool):
            yield Difference(f"{name}: {fact} {_word(wanted)}", f"{fact} {_word(found[fact])}")


class Check:
    """Looks at a position, the position at the last expectation, and the totals of a match."""

    def __init__(self, rules: Rules, now: Position | None, before: Position | None, totals: Totals | None) -> None:
        self.rules, self.ruleset = rules, rules.ruleset
        self._now, self._before, self._totals = now, before, totals

    def differences(self, facts: Fields) -> Iterator[Difference]:
        """All that is not as it is stated."""
        for name, wanted in facts.items():
            if name == "only":
                yield from self.only(facts)
            else:
                yield from getattr(self, name)(wanted)

    @property
    def now(self) -> Position:
        if self._now is None:
            raise Unchecked("no position: the scenario does not begin with one")
        return self._now

    def json(self, position: Position | None = None) -> dict[str, Any]:
        return position_to_json(self.ruleset, position or self.now)

    # ------------------------------------------------------------ whose turn, and what has changed

    def turn(self, wanted: str) -> Iterator[Difference]:
        yield from _compared("turn", wanted, self.json()["turn"])

    def phase(self, wanted: str) -> Iterator[Difference]:
        yield from _compared("phase", wanted, self.json()["phase"])

    def over(self, wanted: bool) -> Iterator[Difference]:
        if (self.now.phase == OVER) != wanted:
            yield Difference("the deal is over" if wanted else "the deal goes on", f"phase {self.now.phase}")

    def unchanged(self, wanted: bool) -> Iterator[Difference]:
        yield from self.only({})

    def only(self, facts: Fields) -> Iterator[Difference]:
        """Whatever the facts do not mention is as it was at the last expectation."""
        mentioned: set[tuple[str, ...]] = {
            ("phase",) if name == "over" else (name,) for name in facts if name in ("turn", "phase", "over")
        }
        for kind, group in (("zones", "zones"), ("sizes", "zones"), ("holds", "zones"), ("states", "states")):
            for path, _ in _leaves(self.declared(group), cast(Fields, facts.get(kind, {}))):
                mentioned.add((group, *path))
        before, now = self.json(self._before), self.json()
        for name in ("turn", "phase"):
            if (name,) not in mentioned:
                yield from _compared(f"{name} as before,", before[name], now[name])
        for group in ("zones", "states"):
            for path, value in _leaves(self.declared(group), before[group]):
                if (group, *path) not in mentioned:
                    yield from _compared(f"{' '.join(path)} as before,", value, _get(now[group], path))

    # ------------------------------------------------------------ zones and states

    def zones(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in _leaves(self.declared("zones"), wanted):
            found = self.zone(path)
            kind = self.ruleset.zones[path[0]].kind
            same = Counter(map(repr, value)) == Counter(map(repr, found)) if kind == "hand" else value == found
            if not same:
                yield Difference(f"{' '.join(path)} {_word(value)}", _word(found))

    def sizes(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in _leaves(self.declared("zones"), wanted):
            found = len(self.zone(path))
            if value != found:
                yield Difference(f"{' '.join(path)}: {value} lie there", f"{found} lie there")

    def holds(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in _leaves(self.declared("zones"), wanted):
            found = self.zone(path)
            if Counter(value) - Counter(found):
                yield Difference(f"{' '.join(path)} holds {_word(value)}", _word(found))

    def states(self, wanted: Fields) -> Iterator[Difference]:
        for path, value in _leaves(self.declared("states"), wanted):
            yield from _compared(" ".join(path), value, _get(self.json()["states"], path))

    def zone(self, path: tuple[str, ...]) -> list[Any]:
        return cast(list[Any], _get(self.json()["zones"], path))

    def declared(self, group: str) -> Mapping[str, bool]:
        """The names of zones or states, and whether they have owners."""
        declared = self.ruleset.zones if group == "zones" else self.ruleset.states
        return {name: declaration.owner is not None for name, declaration in declared.items()}

    # ------------------------------------------------------------ melds, points, actions

    def meld(self, wanted: Mapping[str, Mapping[str, Any]]) -> Iterator[Difference]:
        for name, facts in wanted.items():
            laid = laid_meld(self.ruleset, self.now, parse_meld_name(self.ruleset, name))
            yield from meld_facts(self.rules, f"{name} [{format_meld(self.ruleset, laid.meld)}]", laid.meld, facts, self.now)

    def score(self, wanted: Mapping[str, int]) -> Iterator[Difference]:
        totals = self.rules.score(self.now).totals
        for side, points in wanted.items():
            yield from _compared(f"score {side}", points, totals[self.side(side)])

    def lines(self, wanted: Mapping[str, Mapping[str, int]]) -> Iterator[Difference]:
        score = self.rules.score(self.now)
        for side, lines in wanted.items():
            for label, points in lines.items():
                found = sum(entry.points for entry in score.lines(self.side(side)) if entry.label == label)
                yield from _compared(f"score {side}, {label}", points, found)

    def legal_count(self, wanted: int) -> Iterator[Difference]:
        yield from _compared("number of legal actions", wanted, len(self.rules.legal(self.now)))

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
            yield from _compared(f"match: {name}", value, found[name])

    def deck(self, wanted: Mapping[str, Any]) -> Iterator[Difference]:
        faces = self.ruleset.cards.faces
        copies = {face.symbol: face.copies for face in faces}
        for name, value in wanted.items():
            match name:
                case "cards":
                    yield from _compared("cards in the deck", value, self.ruleset.cards.total)
                case "value":
                    yield from _compared("value of the deck", value, sum(face.value * face.copies for face in faces))
                case _:
                    for card, count in value.items():
                        yield from _compared(f"copies of {card}", count, copies.get(card, 0))

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
                yield from _compared(f"{name} {key}", value, found)

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


def _leaves(declared: Mapping[str, bool], told: Fields) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The single zones or states that an object tells of, as paths of a name and an owner.

    Raises:
        Unchecked: the rules have none of that name, or it has owners and none are told, or the other way round.
    """
    for name, value in told.items():
        if name not in declared:
            raise Unchecked(f"nothing called '{name}' in these rules")
        if declared[name] != isinstance(value, dict):
            raise Unchecked(f"'{name}' {'has' if declared[name] else 'has no'} owners in these rules")
        if isinstance(value, dict):
            for owner, of_owner in value.items():
                yield (name, owner), of_owner
        else:
            yield (name,), value


def _get(tree: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(tree, Mapping) or name not in tree:
            raise Unchecked(f"nothing called '{' '.join(path)}' in these rules")
        tree = tree[name]
    return tree


def _compared(what: str, wanted: object, found: object) -> Iterator[Difference]:
    if wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        yield Difference(f"{what} {_word(wanted)}", _word(found))


def _word(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(_word(item) for item in value) or "empty"
        case {"cards": cards}:
            return f"[{_word(cards)}]"
        case _:
            return str(value)
