"""Probes: scenarios whose expectations the reference has filled in, so that an implementation can be compared with it.

Each probe is a vector in all but its name. A probe can be made again at another position, which is how
differences are shrunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from biriba.conformance.fuzz.positions import Positions
from biriba.interpreter.rules import Rules
from biriba.model.position import Action, LaidMeld, Meld, Position
from biriba.model.ruleset import OVER
from biriba.notation import (
    MeldName,
    action_to_json,
    format_action,
    format_cards,
    format_meld,
    format_meld_name,
    format_position,
    meld_to_json,
    parse_cards,
    position_to_json,
)
from biriba.notation.actions import ActionText, resolve
from biriba.notation.errors import NotationError
from biriba.notation.growths import GrowthText
from biriba.notation.melds import MeldText, readings
from biriba.notation.vocabulary import vocabulary
from biriba.scenario.checks import Totals, match_status
from biriba.scenario.run import read_meld
from biriba.scenario.scenario import (
    Accept,
    Claim,
    Expect,
    Given,
    GivenDeck,
    GivenPosition,
    GivenTotals,
    Layouts,
    Play,
    Provenance,
    Reject,
    Scenario,
    Step,
    Value,
    Written,
    level_of,
)

QUALITIES = ("value", "bonus", "points")
MOST_LISTED = 80
"""Positions with more legal actions are looked at action by action: long lists take long and show little more."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What is compared at a position.

    Attributes:
        kind: ``verdict`` (is the action legal?), ``after`` (the position that it leads to), ``end`` (the score of a
            deal that it ends), ``legal`` (all legal actions), ``score``, ``view`` or ``melds`` (what is true of the
            melds on the table).
        action: the action of a ``verdict``, ``after`` or ``end``, as it is stated.
    """

    kind: str
    position: Position
    action: ActionText | None = None


class Prober:
    """Makes scenarios of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.ruleset = rules, rules.ruleset
        definitions = [
            (d.name, d.params[0][1].detail) for d in rules.ruleset.definitions.values() if len(d.params) == 1
        ]
        self._properties = [name for name, detail in definitions if detail is None]

    # ------------------------------------------------------------ scenarios of positions

    def scenario(self, probe: Probe) -> Scenario | None:
        """The scenario of a probe; None if it has no meaning at its position."""
        steps = self.steps(probe)
        return None if not steps else self.made(self.given(probe.position), steps)

    def made(self, given: Given | None, steps: Sequence[Step]) -> Scenario:
        steps = tuple(steps)
        ruleset = ((self.ruleset.name, self.ruleset.version),)
        clauses = tuple(dict.fromkeys(clause for step in steps for clause in self.clauses(step)))
        clauses = clauses or (next(iter(self.ruleset.clauses)),)
        return Scenario("", "", level_of(given, steps), ruleset, clauses, Provenance("fuzz"), given, steps)

    def clauses(self, step: Step) -> Iterator[str]:
        """The clauses that a step has to do with, as far as that is plain."""
        rules = self.ruleset
        match step.body:
            case Reject(because=tuple() as because) | Claim(because=tuple() as because) if because:
                yield from because
            case Play(act=act) | Accept(act=act) if act.data is not None:
                yield rules.actions[str(act.data["action"])].clause
            case Claim(meld=meld) if meld.data is not None and meld.data["template"] in rules.templates:
                yield rules.templates[str(meld.data["template"])].clause
            case Value():
                yield rules.cards.clauses["value"]
            case Layouts():
                yield from (template.clause for template in rules.templates.values())
            case Expect(facts=facts) if "score" in facts or "lines" in facts or "meld" in facts:
                text = str(facts.get("lines", ""))
                lines = [line.clause for line in rules.score if line.label in text]
                yield from lines or [line.clause for line in rules.score]
            case Expect(facts=facts) if "view" in facts:
                yield from (zone.clause for zone in rules.zones.values())
            case Expect(facts=facts) if "match" in facts:
                yield from (end.clause for end in rules.match.ends)

    def given(self, position: Position) -> GivenPosition:
        return GivenPosition(format_position(self.ruleset, position), position_to_json(self.ruleset, position))

    def steps(self, probe: Probe) -> list[Step]:
        position = probe.position
        match probe.kind:
            case "verdict" | "after":
                return self.verdict(position, probe.action, play=probe.kind == "after")
            case "end":
                steps = self.verdict(position, probe.action, play=True)
                after = self.after(position, probe.action) if steps and probe.action is not None else None
                over = after is not None and self.rules.over(after)
                return [steps[0], Step(Expect(self.score(after)))] if after is not None and over else []
            case "legal":
                legal = tuple(self.written(action) for action in self.rules.legal(position))
                return [Step(Expect({}, legal))]
            case "score":
                return [Step(Expect(self.score(position)))]
            case "view":
                return [Step(Expect({"view": self.views(position)}))]
            case _:
                facts = self.melds(position)
                return [Step(Expect({"meld": facts}))] if facts else []

    def verdict(self, position: Position, stated: ActionText | None, *, play: bool) -> list[Step]:
        if stated is None:
            return []
        try:
            action = resolve(self.ruleset, position, stated, self.rules.lawful)
            written = self.written(action)  # with all that was left open
            verdict = self.rules.judge(position, action)
        except (NotationError, ValueError):
            return []
        if verdict.position is None:
            return [] if play else [Step(Reject(written, verdict.clauses))]
        if not play:
            return [Step(Accept(written))]
        return [Step(Play(written)), Step(Expect(self.all_of(verdict.position)))]

    def after(self, position: Position, stated: ActionText) -> Position | None:
        """The position that an action leads to, None if it is not legal."""
        return self.rules.judge(position, resolve(self.ruleset, position, stated, self.rules.lawful)).position

    def written(self, action: Action) -> Written:
        return Written(format_action(self.ruleset, action), action_to_json(self.ruleset, action))

    def all_of(self, position: Position) -> dict[str, Any]:
        """All that a position is, as facts; whose turn it is after the end is left to the implementation."""
        told = position_to_json(self.ruleset, position)
        turn = {"open": ["turn"]} if position.phase == OVER else {"turn": told["turn"]}
        return {**turn, **{name: told[name] for name in ("phase", "zones", "states")}}

    def score(self, position: Position) -> dict[str, Any]:
        score, lines = self.rules.score(position), {}
        for number, side in enumerate(self.ruleset.table.sides):
            of_side: dict[str, int] = {}
            for entry in score.lines(number):
                of_side[entry.label] = of_side.get(entry.label, 0) + entry.points
            lines[side] = of_side
        return {"score": dict(zip(self.ruleset.table.sides, score.totals, strict=True)), "lines": lines}

    def views(self, position: Position) -> dict[str, Any]:
        words = vocabulary(self.ruleset)
        return {
            seat: {"hides": [words.zone_name(slot) for slot in self.rules.view(position, seat).hidden]}
            for seat in self.ruleset.table.seats
        }

    def melds(self, position: Position) -> dict[str, Any]:
        found = {}
        base = {name: b for name, b in self.rules.layout.zone_base.items() if self.ruleset.zones[name].kind == "melds"}
        for slot, (name, owner) in enumerate(self.rules.layout.zone_slots):
            if name in base:
                for number, meld in enumerate(position.zones[slot], 1):
                    assert isinstance(meld, Meld)
                    text = format_meld_name(self.ruleset, MeldName(slot, owner, number))
                    found[text] = self.qualities(meld, position)
        return found

    def qualities(self, meld: Meld, position: Position | None = None) -> dict[str, bool | int]:
        verdict = self.rules.judge_meld(meld, position)
        points = {"value": verdict.value, "bonus": verdict.bonus, "points": verdict.value + verdict.bonus}
        return {**points, **{n: v for n, v in verdict.properties.items() if n in self._properties}}

    # ------------------------------------------------------------ whole probes at random

    def at(self, position: Position, random: Random, levels: Sequence[str]) -> Iterator[Probe]:
        """What is looked at in a position, as far as an implementation claims to be able to."""
        if "scoring" in levels:
            yield Probe("score", position)
            yield Probe("melds", position)
        legal = self.rules.legal(position) if {"legal", "actions"} & set(levels) else []
        if "legal" in levels and len(legal) <= MOST_LISTED:
            yield Probe("legal", position)
        if "actions" in levels:
            for action in random.sample(legal, min(len(legal), 4)):
                stated = self.stated(action)
                yield Probe("verdict" if random.random() < 0.3 else "after", position, stated)
                after = self.rules.apply(position, action)
                if "scoring" in levels and self.rules.over(after):
                    yield Probe("end", position, stated)
            for near in self.near(position, random):
                yield Probe("verdict", position, near)
        if "views" in levels and random.random() < 0.2:
            yield Probe("view", position)

    def stated(self, action: Action) -> ActionText:
        from biriba.notation import state

        return state(self.ruleset, action)

    def near(self, position: Position, random: Random) -> Iterator[ActionText]:
        """Actions that may be legal or not: any action with arguments of the right kind."""
        faces = range(len(self.ruleset.cards.faces))
        hands = [
            z
            for z, (n, o) in zip(position.zones, self.rules.layout.zone_slots, strict=True)
            if self._mine(n, o, position)
        ]
        held = [card for zone in hands for card in zone if isinstance(card, int)] or list(faces)
        makers = Positions(self.rules, random)
        for _ in range(6):
            action = self.ruleset.actions[random.choice(list(self.ruleset.actions))]
            args: list[Any] = []
            laid: Meld | None = None
            for param in action.params:
                card = random.choice(held) if random.random() < 0.9 else random.choice(faces)
                match param.domain:
                    case "card":
                        args.append(card)
                    case "new_meld":
                        meld = makers.meld(held) or makers.meld(list(faces))
                        args.append(None if meld is None else MeldText(*meld))
                    case "laid_meld":
                        found = self._laid(position)
                        if found:
                            chosen = random.choice(found)
                            laid = chosen.meld
                            args.append(MeldName(chosen.slot, chosen.owner, chosen.index + 1))
                        else:
                            args.append(None)
                    case "growth":
                        args.append(self._growth(laid, card, random))
                    case _:
                        args.append(None)
            if None not in args:
                yield ActionText(action.name, tuple(args))

    def _growth(self, meld: Meld | None, card: int, random: Random) -> GrowthText | None:
        if meld is None:
            return None
        if meld.low is None:
            return GrowthText(card, None, None, None)
        moving = random.choice(meld.cards) if random.random() < 0.4 else None
        return GrowthText(card, None, moving, random.choice(("low", "high")))

    def _mine(self, name: str, owner: int, position: Position) -> bool:
        return self.ruleset.zones[name].kind == "hand" and owner == position.turn

    def _laid(self, position: Position) -> list[LaidMeld]:
        return [
            LaidMeld(slot, i, owner, meld)
            for slot, (name, owner) in enumerate(self.rules.layout.zone_slots)
            if self.ruleset.zones[name].kind == "melds"
            for i, meld in enumerate(position.zones[slot])
            if isinstance(meld, Meld)
        ]

    # ------------------------------------------------------------ what needs no position

    def of_melds(self, random: Random, *, scored: bool) -> Scenario | None:
        """What is true of some cards as a meld, and which melds they make."""
        faces = self.ruleset.cards.faces
        deck = [face.index for face in faces for _ in range(face.copies)]
        meld = Positions(self.rules, random).meld(deck)
        if meld is None:
            return None
        cards = list(meld.cards)
        if random.random() < 0.3:
            cards[random.randrange(len(cards))] = random.choice(deck)
        if random.random() < 0.5 and len(cards) < 8:
            return self.layouts(tuple(cards))
        if random.random() < 0.1:
            return self.value(tuple(cards))
        return self.claim(meld._replace(cards=tuple(cards)) if random.random() < 0.3 else meld, scored=scored)

    def fewer_cards(self, scenario: Scenario, *, scored: bool) -> Iterator[Scenario]:
        """The same question about fewer cards, where one is asked about cards alone."""
        match scenario.steps[-1].body:
            case Value(cards=symbols):
                for cards in _less_one(parse_cards(self.ruleset, " ".join(symbols))):
                    yield self.value(cards)
            case Layouts(cards=symbols):
                for cards in _less_one(parse_cards(self.ruleset, " ".join(symbols))):
                    yield from filter(None, [self.layouts(cards)])
            case Claim(meld=written):
                meld = read_meld(self.rules, written)
                for cut, cards in enumerate((meld.cards[1:], meld.cards[:-1]) if len(meld.cards) > 1 else ()):
                    low = None if meld.low is None else meld.low + 1 - cut
                    yield from filter(None, [self.claim(meld._replace(low=low, cards=cards), scored=scored)])

    def value(self, cards: tuple[int, ...]) -> Scenario:
        points = sum(self.ruleset.cards.faces[card].value for card in cards)
        return self.made(None, [Step(Value(tuple(format_cards(self.ruleset, cards).split()), points))])

    def layouts(self, cards: tuple[int, ...]) -> Scenario | None:
        if any(cards.count(c) > self.ruleset.cards.faces[c].copies for c in cards):
            return None
        symbols = tuple(format_cards(self.ruleset, cards).split())
        melds = tuple(self._meld(meld) for meld in self.rules.meld_layouts(cards))
        return self.made(None, [Step(Layouts(symbols, melds))])

    def claim(self, meld: Meld, *, scored: bool) -> Scenario | None:
        found = readings(self.ruleset, MeldText(*meld))
        if len(found) != 1 or found[0] != meld:
            return None
        verdict = self.rules.judge_meld(meld)
        if not verdict.lawful:
            because = tuple(sorted({rejection.clause for rejection in verdict.rejections}))
            return self.made(None, [Step(Claim(self._meld(meld), False, because))])
        facts = {name: value for name, value in self.qualities(meld).items() if scored or name not in QUALITIES}
        return self.made(None, [Step(Claim(self._meld(meld), True, None, facts))])

    def _meld(self, meld: Meld) -> Written:
        return Written(format_meld(self.ruleset, meld), meld_to_json(self.ruleset, meld))

    def of_matches(self, random: Random) -> Scenario:
        """How a match stands at totals near one of the numbers of the rules, or near each other."""
        numbers = [p.value for p in self.ruleset.parameters.values() if isinstance(p.value, int) and p.unit == "points"]
        near = random.choice(sorted({n for n in numbers if not isinstance(n, bool)} | {max(numbers)}))
        if random.random() < 0.5:
            near = max(numbers)
        totals = {side: near + random.choice((-100, -5, -1, 0, 0, 1, 5, 100)) for side in self.ruleset.table.sides}
        dealer = random.choice(self.ruleset.table.seats)
        deals = random.randint(1, 20)
        found = match_status(self.rules, Totals(totals, dealer, deals))
        told = {name: value for name, value in found.items() if value is not None}
        return self.made(GivenTotals(totals, dealer, deals), [Step(Expect({"match": told}))])

    def of_deal(self, random: Random, most: int, *, legal: bool) -> Scenario:
        """A deal played from the deck, the position told after every action."""
        deck = [face.index for face in self.ruleset.cards.faces for _ in range(face.copies)]
        random.shuffle(deck)
        dealer = random.choice(self.ruleset.table.seats)
        position = self.rules.dealt(deck, self.rules.seat(dealer))
        steps = [Step(Expect(self.all_of(position)))]
        for _ in range(most):
            actions = self.rules.legal(position)
            if not actions:
                break
            action = choose(actions, random)
            if legal:
                steps.append(Step(Expect({}, tuple(self.written(a) for a in actions))))
            steps.append(Step(Play(self.written(action))))
            position = self.rules.apply(position, action)
            steps.append(Step(Expect({**self.all_of(position), **self.score(position)})))
        cards = tuple(format_cards(self.ruleset, deck).split())
        return self.made(GivenDeck(cards, dealer), steps)


def choose(actions: Sequence[Action], random: Random) -> Action:
    """One of the legal actions: mostly one that lays cards, so that rare things come about."""
    laying = [action for action in actions if any(isinstance(arg, (Meld, LaidMeld)) for arg in action.args)]
    if laying and random.random() < 0.85:
        return random.choice(laying)
    return random.choice(actions)


def _less_one(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(cards) > 1:
        yield from (tuple(card for j, card in enumerate(cards) if j != i) for i in range(len(cards)))


def named(scenario: Scenario, name: str, title: str) -> Scenario:
    """A scenario with an id and a title, ready to be filed."""
    return replace(scenario, id=name, title=title)
