"""Worked examples as picture strips: what lies there before, what is done, what lies there after.

A strip is data; `biriba.prose.html` makes a page of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from biriba.interpreter.rules import Rules
from biriba.model.position import Meld, Position
from biriba.model.ruleset import Example
from biriba.notation import NotationError, format_value, parse_cards, parse_fields
from biriba.prose.cards import Shown, meld_cards
from biriba.scenario.examples import parse_example
from biriba.scenario.run import read_action, read_meld, start
from biriba.scenario.scenario import (
    Accept,
    Claim,
    Expect,
    Layouts,
    Play,
    Reject,
    Repeat,
    Scenario,
    Step,
    Value,
    Written,
)
from biriba.scenario.told import Unchecked

MOST_SHOWN = 8
"""A pile with more cards shows only its top cards and says how many there are."""


CAPTIONS = (
    "The deal is over.",
    "{seat} to {phase}",
    "This is no action of the game.",
    "{cards} make",
    "{count} points",
    "{count} times:",
)
"""What is said besides names: catalogues translate it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A zone in a picture.

    Attributes:
        label: its name and owner: ``hand A``.
        fans: its cards; for a zone of melds one fan for each.
        more: how many cards lie there besides, below those shown.
    """

    label: str
    fans: tuple[tuple[Shown, ...], ...]
    more: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a strip.

    Attributes:
        kind: ``position``, ``legal``, ``illegal``, ``lawful``, ``unlawful`` or ``note``.
        text: what is done, or said.
        rows: what lies there; with an action, what has changed after it.
        notes: facts that hold, or the sentences of a rejection.
        clauses: the clauses that forbid it.
    """

    kind: str
    text: str = ""
    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Strip:
    """The pictures of an example, in order."""

    title: str
    frames: tuple[Frame, ...]
    source: tuple[str, ...] = field(default=(), compare=False)


def example_strip(rules: Rules, example: Example) -> Strip:
    """The strip of an example of a rule file.

    Raises:
        ScenarioError: a line of it is not of its form.
    """
    scenario = parse_example(rules, example)
    given = next((line.text for line in example.lines if line.keyword == "given"), "")
    lines = tuple(f"{line.keyword} {line.text}" for line in example.lines)
    return Strip(example.title, tuple(_Strip(rules, scenario, _slots(rules, given)).frames()), lines)


def scenario_strip(rules: Rules, scenario: Scenario) -> Strip:
    """The strip of a vector: a position shows the zones of the seat to act and its side."""
    return Strip(scenario.title, tuple(_Strip(rules, scenario, None).frames()))


def position_rows(rules: Rules, position: Position, slots: Iterable[int] | None = None) -> tuple[Row, ...]:
    """What lies in the zones with these slots, or in all that are not empty; nothing is hidden."""
    chosen = slots if slots is not None else [i for i, zone in enumerate(position.zones) if zone]
    return tuple(_row(rules, position, slot) for slot in chosen)


def zone_label(rules: Rules, slot: int) -> str:
    """A zone as it is named: ``hand A``."""
    name, owner = rules.layout.zone_slots[slot]
    declared = rules.ruleset.zones[name]
    whose = rules.ruleset.owners(declared.owner, declared.low, declared.high)[owner]
    return f"{rules.words('zone', name)} {whose}".strip()


def _row(rules: Rules, position: Position, slot: int) -> Row:
    zone = position.zones[slot]
    declared = rules.ruleset.zones[rules.layout.zone_slots[slot][0]]
    label = zone_label(rules, slot)
    if declared.kind == "melds":
        return Row(label, tuple(meld_cards(rules.ruleset, meld) for meld in zone if isinstance(meld, Meld)))
    cards = tuple(card for card in zone if isinstance(card, int))
    if declared.kind == "pile" and len(cards) > MOST_SHOWN:
        shown = (Shown(None),) if declared.seen == "nobody" else (Shown(cards[-1]),)
        return Row(label, (shown,), len(cards) - 1)
    return Row(label, (tuple(Shown(card) for card in cards),) if cards else ())


def _slots(rules: Rules, given: str) -> tuple[int, ...] | None:
    """The zones that a `given` line speaks of, in the order of the rules; None if it states no position."""
    try:
        return tuple(sorted(parse_fields(rules.ruleset, given).zones))
    except NotationError:
        return None


class _Strip:
    """A strip under way: the position, and the zones that it shows."""

    def __init__(self, rules: Rules, scenario: Scenario, slots: Sequence[int] | None) -> None:
        self.rules, self.scenario = rules, scenario
        self.now = start(rules, scenario)
        self.slots = list(slots) if slots is not None else self._own()

    def _own(self) -> list[int]:
        """The zones of the seat to act, of its side, and of nobody."""
        if self.now is None:
            return []
        rules, turn = self.rules.ruleset, self.now.turn
        owners = {"seat": turn, "side": rules.table.side_of(turn), None: 0}
        return [
            slot
            for slot, (name, owner) in enumerate(self.rules.layout.zone_slots)
            if owners.get(rules.zones[name].owner) == owner and self.now.zones[slot]
        ]

    def frames(self) -> Iterator[Frame]:
        """The frames; what is expected is noted on the frame before."""
        last: Frame | None = None
        for frame in self.all():
            if frame.kind == "note" and not frame.rows and last is not None:
                last = replace(last, notes=(*last.notes, *filter(None, (frame.text,))))
                continue
            if last is not None:
                yield last
            last = frame
        if last is not None:
            yield last

    def all(self) -> Iterator[Frame]:
        if self.now is not None:
            yield Frame("position", self.turn(), position_rows(self.rules, self.now, self.slots))
        yield from self.through(self.scenario.steps)

    def turn(self) -> str:
        assert self.now is not None
        seat = self.rules.ruleset.table.seats[self.now.turn]
        if self.rules.over(self.now):
            return self.say("The deal is over.")
        return self.say("{seat} to {phase}").format(seat=seat, phase=self.rules.words("phase", self.now.phase))

    def through(self, steps: Sequence[Step]) -> Iterator[Frame]:
        for step in steps:
            try:
                yield from self.step(step)
            except (NotationError, Unchecked):
                yield Frame("note", step.line)

    def step(self, step: Step) -> Iterator[Frame]:
        match step.body:
            case Play(act=act):
                yield from self.play(act)
            case Accept(act=act):
                yield Frame("legal", self.act(act))
            case Reject(act=act, malformed=True):
                yield Frame("illegal", act.text, notes=(self.say("This is no action of the game."),))
            case Reject(act=act, seat=seat):
                yield self.reject(act, seat)
            case Claim() as claim:
                yield self.claim(claim)
            case Layouts(cards=cards, melds=melds):
                fans = tuple(meld_cards(self.rules.ruleset, read_meld(self.rules, meld)) for meld in melds)
                yield Frame("note", self.say("{cards} make").format(cards=" ".join(cards)), (Row("", fans),))
            case Value(cards=cards, points=points):
                shown = tuple(Shown(card) for card in parse_cards(self.rules.ruleset, " ".join(cards)))
                yield Frame("note", self.say("{count} points").format(count=points), (Row("", (shown,)),))
            case Repeat(times=times, steps=steps):
                yield Frame("note", self.say("{count} times:").format(count=times))
                yield from self.through(steps)
            case Expect():
                if step.line:
                    yield Frame("note", step.line.partition(" ")[2])

    def say(self, phrase: str) -> str:
        return self.rules.words("ui", phrase)

    def act(self, act: Written) -> str:
        return act.text

    def play(self, act: Written) -> Iterator[Frame]:
        assert self.now is not None
        before, seat = self.now, self.rules.ruleset.table.seats[self.now.turn]
        self.now = self.rules.apply(before, read_action(self.rules, before, act))
        changed = [i for i, (a, b) in enumerate(zip(before.zones, self.now.zones, strict=True)) if a != b]
        news = list(self.news(before, self.now))
        if (before.turn, before.phase) != (self.now.turn, self.now.phase):
            news.append(self.turn())
        yield Frame("legal", f"{seat}: {act.text}", position_rows(self.rules, self.now, changed), tuple(news))

    def news(self, before: Position, after: Position) -> Iterator[str]:
        """The states that changed: ``taken X: yes``."""
        rules = self.rules.ruleset
        for slot, (a, b) in enumerate(zip(before.states, after.states, strict=True)):
            if a != b:
                name, owner = self.rules.layout.state_slots[slot]
                state = rules.states[name]
                called = self.rules.words("state", name.replace("_", " "))
                label = f"{called} {rules.owners(state.owner)[owner]}".strip()
                yield f"{label}: {self.say(format_value(rules, state.type, b))}"

    def reject(self, act: Written, seat: str | None) -> Frame:
        assert self.now is not None
        verdict = self.rules.judge(self.now, read_action(self.rules, self.now, act), seat)
        sentences = tuple(dict.fromkeys(r.sentence for r in verdict.rejections))
        return Frame("illegal", self.act(act), notes=sentences, clauses=verdict.clauses)

    def fact(self, value: bool | int) -> str:
        return self.say("yes" if value else "no") if isinstance(value, bool) else str(value)

    def property(self, name: str) -> str:
        return self.rules.words("property", name.replace("_", " "))

    def claim(self, claim: Claim) -> Frame:
        meld = read_meld(self.rules, claim.meld)
        verdict = self.rules.judge_meld(meld)
        notes = tuple(f"{self.property(name)}: {self.fact(value)}" for name, value in claim.facts.items())
        if verdict.lawful:
            return Frame("lawful", "", (Row("", (meld_cards(self.rules.ruleset, meld),)),), notes)
        clauses = tuple(dict.fromkeys(rejection.clause for rejection in verdict.rejections))
        sentences = tuple(dict.fromkeys(r.sentence for r in verdict.rejections))
        try:
            shown = meld_cards(self.rules.ruleset, meld)
        except (KeyError, TypeError, IndexError):  # cards that fit no template stand for nothing
            shown = tuple(Shown(card) for card in meld.cards)
        return Frame("unlawful", "", (Row("", (shown,)),), sentences, clauses)
