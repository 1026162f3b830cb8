"""Answering questions with the reference: the heart of an adapter.

An engine of your own, in Python, is anything with the two members of `Engine`; give it to `run` of
`biriba.conformance`, or let `serve` speak the protocol for it on standard input and output.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TextIO

from biriba.conformance.protocol import PROTOCOL, Implementation
from biriba.interpreter.deal import DealError
from biriba.interpreter.rules import Illegal, Rules
from biriba.model.position import Meld, Position
from biriba.notation import (
    NotationError,
    action_to_json,
    laid_meld,
    meld_to_json,
    parse_cards,
    parse_meld_name,
    position_to_json,
)
from biriba.notation.jsonvalue import decode, encode
from biriba.scenario.checks import Totals, match_status
from biriba.scenario.perft import counts
from biriba.scenario.run import read_action, read_meld, start
from biriba.scenario.scenario import SPECTATOR, GivenTotals, Provenance, Scenario, Written
from biriba.scenario.told import Unchecked
from biriba.scenario.vectors import read_given
from biriba.version import __version__


class Engine(Protocol):
    """An implementation that can be asked in the same process."""

    @property
    def implementation(self) -> Implementation:
        """What it is, and what it can do."""

    def answer(self, case: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """The answers to the questions of a case, in their order; what it raises is an error of the case."""


class Reference:
    """The reference interpreter as an implementation of itself.

    Args:
        load: finds the rules of a name.
        own: rule sets that it plays by besides those that come with it.
    """

    def __init__(self, load: Callable[[str], Rules], own: Iterable[Rules] = ()) -> None:
        self._load = load
        self._own = {rules.ruleset.name: rules for rules in own}
        self.implementation = Implementation(
            "biriba reference interpreter", __version__, "Python", "", rulesets=_Everything(self._own)
        )

    def answer(self, case: Mapping[str, Any]) -> list[dict[str, Any]]:
        name = case["ruleset"]["name"]
        rules = self._own.get(name) or self._load(name)
        asked = _Asked(rules, case.get("given"))
        return [asked.answer(question) for question in case["questions"]]


class _Everything(dict[str, str | None]):
    """The rule sets that the reference plays by: all that come with it, and its own."""

    def __init__(self, own: Iterable[str]) -> None:
        from biriba.data import spec_dir

        paths = (*spec_dir().glob("*.rules"), *spec_dir().glob("variants/*.rules"))
        super().__init__({path.stem: None for path in sorted(paths)} | dict.fromkeys(own))


class _Asked:
    """A case under way."""

    def __init__(self, rules: Rules, given: Any) -> None:
        self.rules, self.ruleset = rules, rules.ruleset
        begins = read_given(given) if given is not None else None
        scenario = Scenario("", "", "", (), (), Provenance("scenario"), begins, ())
        self.now: Position | None = start(rules, scenario)
        self.totals = Totals(begins.totals, begins.dealer, begins.deals) if isinstance(begins, GivenTotals) else None

    @property
    def position(self) -> Position:
        if self.now is None:
            raise Unchecked("there is no position")
        return self.now

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        match question:
            case {"act": act}:
                return self.judge(act, question.get("seat"), play=True)
            case {"judge": act}:
                return self.judge(act, question.get("seat"), play=False)
            case {"meld": meld, "tell": names}:
                return self.meld(read_meld(self.rules, _written(meld)), names)
            case {"layouts": cards}:
                found = self.rules.meld_layouts(parse_cards(self.ruleset, " ".join(cards)))
                return {"melds": [meld_to_json(self.ruleset, meld) for meld in found]}
            case {"value": cards}:
                faces = self.ruleset.cards.faces
                return {"value": sum(faces[c].value for c in parse_cards(self.ruleset, " ".join(cards)))}
            case {"tell": names}:
                return {name: getattr(self, f"tell_{name}")(wanted) for name, wanted in names.items()}
            case _:
                return {"skipped": f"no question of this kind is known: {', '.join(question)}"}

    def judge(self, act: Any, seat: str | None, play: bool) -> dict[str, Any]:
        try:
            action = read_action(self.rules, self.position, _written(act))
        except NotationError:
            return {"legal": False}
        verdict = self.rules.judge(self.position, action, seat)
        if verdict.position is None:
            return {"legal": False, "because": list(verdict.clauses)}
        if play:
            self.now = verdict.position
        return {"legal": True}

    def meld(self, meld: Meld, names: Sequence[str], position: Position | None = None) -> dict[str, Any]:
        verdict = self.rules.judge_meld(meld, position)
        if not verdict.lawful:
            return {"lawful": False, "because": sorted({rejection.clause for rejection in verdict.rejections})}
        points = {"value": verdict.value, "bonus": verdict.bonus, "points": verdict.value + verdict.bonus}
        known: dict[str, Any] = {**verdict.properties, **points}
        return {"lawful": True, **{name: known[name] for name in names if name in known}}

    # ------------------------------------------------------------ what is told

    def tell_position(self, wanted: bool) -> dict[str, Any]:
        return position_to_json(self.ruleset, self.position)

    def tell_melds(self, wanted: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        found = {}
        for name, qualities in wanted.items():
            laid = laid_meld(self.ruleset, self.position, parse_meld_name(self.ruleset, name))
            found[name] = self.meld(laid.meld, qualities, self.position)
        return found

    def tell_score(self, wanted: bool) -> dict[str, int]:
        return dict(zip(self.ruleset.table.sides, self.rules.score(self.position).totals, strict=True))

    def tell_written(self, wanted: bool) -> dict[str, str]:
        return {side: self.ruleset.written(points) for side, points in self.tell_score(True).items()}

    def tell_lines(self, wanted: bool) -> dict[str, dict[str, int]]:
        score = self.rules.score(self.position)
        told: dict[str, dict[str, int]] = {}
        for number, side in enumerate(self.ruleset.table.sides):
            lines = told.setdefault(side, {})
            for entry in score.lines(number):
                lines[entry.label] = lines.get(entry.label, 0) + entry.points
        return told

    def tell_legal(self, wanted: bool) -> list[Any]:
        return [action_to_json(self.ruleset, action) for action in self.rules.legal(self.position)]

    def tell_legal_count(self, wanted: bool) -> int:
        return len(self.rules.legal(self.position))

    def tell_perft(self, depth: int) -> list[int]:
        return counts(self.rules, self.position, depth)

    def tell_views(self, seats: Sequence[str]) -> dict[str, Any]:
        told = {}
        for seat in seats:
            hidden = self.rules.view(self.position, None if seat == SPECTATOR else seat).hidden
            told[seat] = position_to_json(self.ruleset, self.position, hidden)
        return told

    def tell_match(self, wanted: bool) -> dict[str, Any]:
        if self.totals is None:
            raise Unchecked("there are no totals of a match")
        return match_status(self.rules, self.totals)

    def tell_deck(self, wanted: bool) -> dict[str, Any]:
        faces = self.ruleset.cards.faces
        return {
            "cards": self.ruleset.cards.total,
            "value": sum(face.value * face.copies for face in faces),
            "copies": {face.symbol: face.copies for face in faces},
        }

    def tell_table(self, wanted: bool) -> dict[str, Any]:
        table = self.ruleset.table
        seats = range(len(table.seats))
        neighbours = {"next": table.next, "left": table.left, "right": table.right}
        return {
            "sides": {side: [table.seats[s] for s in table.members[i]] for i, side in enumerate(table.sides)},
            **{name: {table.seats[s]: table.seats[of(s)] for s in seats} for name, of in neighbours.items()},
        }


def _written(told: Mapping[str, Any]) -> Written:
    return Written(told["text"], told.get("json"))


def serve(engine: Engine, lines: TextIO = sys.stdin, out: TextIO = sys.stdout) -> None:
    """Speak the protocol for an engine until it is told to stop or there is no more input."""
    for line in lines:
        message = decode(line)
        seq = message.get("seq")
        match message.get("cmd"):
            case "start":
                answer = {"protocol": PROTOCOL, "implementation": engine.implementation.to_json()}
            case "run":
                answer = answer_run(engine, message["case"])
            case "stop":
                return
            case other:
                answer = {"errored": f"there is no command {other!r}"}
        print(encode({"seq": seq, **answer}), file=out, flush=True)


def answer_run(engine: Engine, case: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a ``run``; what the engine raises is told as an error."""
    try:
        return {"answers": list(engine.answer(case))}
    except (NotationError, DealError, Illegal, Unchecked, ValueError, KeyError) as error:
        return {"errored": f"{type(error).__name__}: {error}"}
