"""Playing a record again: is every action legal, and is every score what the rules say?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from biriba import notation
from biriba.cli.common import BadInput, load_rules
from biriba.interpreter.frame import Standing
from biriba.interpreter.score import Score
from biriba.language.load import available
from biriba.suggest import did_you_mean

if TYPE_CHECKING:
    from biriba.interpreter.domains import Rejection
    from biriba.interpreter.rules import Rules
    from biriba.model.position import Position
    from biriba.notation import DealRecord, Move, Record, Result


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing in a record that the rules do not bear out.

    Attributes:
        deal: its number, from 1.
        message: what is wrong, in a sentence without a full stop.
        line: of the record's text; 0 if it was no text.
        action: the number of the action in the deal, from 1; None if the fault is no action.
        position: the position in which it was to be played.
        rejections: the clauses that it violates.
    """

    deal: int
    message: str
    line: int = 0
    action: int | None = None
    position: Position | None = None
    rejections: tuple[Rejection, ...] = ()

    @property
    def headline(self) -> str:
        """Where and what, in one sentence."""
        places = [f"deal {self.deal}"]
        if self.action is not None:
            places.append(f"action {self.action}")
        where = ", ".join(places) + (f" (line {self.line})" if self.line else "")
        return f"{where}: {self.message}"


@dataclass(slots=True)
class Replay:
    """What came of playing a record again.

    Attributes:
        actions: how many were legal.
        sheets: the score sheets of the deals that have ended, as the rules have them.
        finished: whether the match has ended, or all its deals if the record tells no result.
        fault: None if the rules bear out all of it.
    """

    actions: int = 0
    sheets: list[Score] = field(default_factory=list)
    totals: tuple[int, ...] = ()
    winner: int | None = None
    finished: bool = False
    fault: Fault | None = None


def is_record(text: str) -> bool:
    """Whether a text is meant to be a record, in text or JSON, rather than a position."""
    text = text.lstrip()
    if text.startswith("{"):
        value = notation.decode(text)
        return isinstance(value, dict) and "record" in value
    return text.startswith("record")


def record_rules(text: str) -> str:
    """The name of the rule set that a record was made with. Errors: `NotationError`."""
    if text.lstrip().startswith("{"):
        return notation.header_from_json(notation.decode(text)).rules
    return notation.read_header(text).rules


def rules_of_record(text: str, chosen: str | None) -> Rules:
    """The rules that were chosen for a record, by default those that it names.

    Errors: `NotationError`, `RulesError`; `BadInput` if it names rules that do not come with biriba.
    """
    if chosen:
        return load_rules(chosen)
    name = record_rules(text)
    known = available()
    if name not in known:
        hint = did_you_mean(name, known) or f"name the file of its rules: --rules {name}.rules"
        raise BadInput(f"there is no rule set '{name}' among those that come with biriba\nhint: {hint}")
    return load_rules(name)


def read_record(rules: Rules, text: str) -> Record:
    """The record of a text or JSON text. Errors: `NotationError`."""
    if text.lstrip().startswith("{"):
        return notation.record_from_json(rules.ruleset, notation.decode(text))
    return notation.parse_record(rules.ruleset, text)


def replay_record(rules: Rules, record: Record) -> Replay:
    """Play a record again, up to the first fault."""
    return _Replayer(rules, record).run()


class _Stop(Exception):
    """A fault was found."""

    def __init__(self, fault: Fault) -> None:
        super().__init__()
        self.fault = fault


class _Replayer:
    def __init__(self, rules: Rules, record: Record) -> None:
        self.rules, self.record = rules, record
        self.table = rules.ruleset.table
        self.replay = Replay(totals=(0,) * len(self.table.sides))
        self.last: Position | None = None
        self.ended = False

    @property
    def standing(self) -> Standing:
        return Standing(self.replay.totals, len(self.replay.sheets))

    def run(self) -> Replay:
        try:
            for number, deal in enumerate(self.record.deals, 1):
                self._deal(number, deal)
            if self.record.result is not None:
                self._result(self.record.result)
            complete = bool(self.replay.sheets) and len(self.replay.sheets) == len(self.record.deals)
            self.replay.finished = complete and (self.record.result is not None or not self.ended)
        except _Stop as stop:
            self.replay.fault = stop.fault
        return self.replay

    def _deal(self, number: int, deal: DealRecord) -> None:
        if self.ended:
            raise _Stop(Fault(number, "the match has ended before this deal", deal.line))
        if self.last is not None:
            expected = self.rules.matches.next_dealer(self.standing, self.last)
            if deal.dealer != expected:
                seats = self.table.seats
                message = f"{seats[deal.dealer]} deals, and by the rules {seats[expected]} does"
                raise _Stop(Fault(number, message, deal.line))
        position = self.rules.dealt(deal.deck, deal.dealer, self.standing)
        for i, move in enumerate(deal.moves, 1):
            position = self._move(number, i, move, position)
            self.replay.actions += 1
        over = self.rules.over(position)
        if deal.scores is not None and not over:
            message = f"the deal has a score but has not ended: {self.table.seats[position.turn]} is to act"
            raise _Stop(Fault(number, message, deal.score_line, None, position))
        if over:
            self._score(number, deal, position)

    def _move(self, deal: int, number: int, move: Move, position: Position) -> Position:
        ruleset = self.rules.ruleset
        said = f"{self.table.seats[move.seat]} {notation.format_action_text(ruleset, move.action)}"
        try:
            action = notation.resolve(ruleset, position, move.action, self.rules.lawful)
        except notation.NotationError as error:
            raise _Stop(Fault(deal, f"{said}: {error.message}", move.line, number, position)) from None
        verdict = self.rules.judge(position, action, move.seat, self.standing)
        if verdict.position is None:
            raise _Stop(Fault(deal, f"{said} is illegal", move.line, number, position, verdict.rejections))
        return verdict.position

    def _score(self, number: int, deal: DealRecord, position: Position) -> None:
        sheet = self.rules.score(position, self.standing)
        if deal.scores not in (None, sheet.totals):
            message = f"the score is {self._points(sheet.totals)}, not {self._points(deal.scores or ())}"
            raise _Stop(Fault(number, message, deal.score_line, None, position))
        totals = tuple(a + b for a, b in zip(self.replay.totals, sheet.totals, strict=True))
        self.replay.sheets.append(sheet)
        self.replay.totals = totals
        self.last = position
        self.ended = bool(self.rules.matches.ended_by(self.standing, position))
        if self.ended:
            self.replay.winner = self.rules.matches.winner(self.standing, position)

    def _result(self, result: Result) -> None:
        number = len(self.record.deals)
        if not self.ended:
            raise _Stop(Fault(number, f"the match has not ended at {self._points(self.replay.totals)}"))
        if result.totals != self.replay.totals:
            message = f"the totals are {self._points(self.replay.totals)}, not {self._points(result.totals)}"
            raise _Stop(Fault(number, message))
        if result.winner != self.replay.winner:
            winners = [
                "nobody" if side is None else self.table.sides[side] for side in (self.replay.winner, result.winner)
            ]
            raise _Stop(Fault(number, f"the winner is {winners[0]}, not {winners[1]}"))

    def _points(self, points: tuple[int, ...]) -> str:
        return " ".join(f"{side} {value}" for side, value in zip(self.table.sides, points, strict=True))
