"""Played forms: a scenario that begins in a position, told again as a deal that is played from the deck.

The planner builds the deck and the actions. They lead to a position that agrees with the given one in all that is
stated of it; where a hand is smaller than what was dealt, the other cards must have gone somewhere, and further melds
may lie beside the stated ones. All steps are the same, except that they count those melds and their points, and that
sequences of legal actions are counted anew; and all of them hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from biriba.interpreter.rules import Illegal, Rules
from biriba.model.position import Action, LaidMeld, Meld, Position
from biriba.notation import (
    action_to_json,
    format_action,
    format_cards,
    format_meld_name,
    meld_to_json,
    parse_meld_name,
)
from biriba.notation.vocabulary import vocabulary
from biriba.planner import Goal, Plan
from biriba.planner.bounds import impossible, ruled_out
from biriba.planner.plan import EXPANSIONS, Plans
from biriba.scenario.complete import complete, drafted
from biriba.scenario.perft import counts
from biriba.scenario.run import read_action, run, start
from biriba.scenario.scenario import (
    Accept,
    Body,
    Expect,
    Fields,
    GivenDeck,
    GivenPosition,
    Play,
    Provenance,
    Reject,
    Repeat,
    Scenario,
    Step,
    Written,
    level_of,
)

GROUP = "from-deck"
"""The group of all played forms."""


def played_id(name: str) -> str:
    """The id of the played form of a scenario: ``from-deck/packet.by-discard`` of ``packet/by-discard``."""
    return f"{GROUP}/{name.replace('/', '.')}"


QUICK = 600
"""So many positions are gone on from for a goal without further melds: few are such that it can be reached."""


def goals(rules: Rules, given: GivenPosition, position: Position) -> Iterator[Goal]:
    """What the played form may lead to, the nearest to the given position first, the one to be had most often last.

    If nothing is stated apart, that is the position itself, and then what the seat to act sees of it.
    """
    goal = Goal.stated(rules, given.stated) if given.stated else Goal.exactly(position)
    yield goal
    yield goal.with_more_melds(rules)
    if not given.stated:
        yield Goal.seen(rules, position).with_more_melds(rules)


def played(plans: Plans, scenario: Scenario) -> Scenario | None:
    """The played form of a scenario that begins in a position; None if the planner finds none."""
    rules, given = plans.rules, scenario.given
    assert isinstance(given, GivenPosition)
    position = start(rules, scenario)
    assert position is not None
    found: list[Scenario] = []

    def holds(plan: Plan) -> bool:
        form = told(rules, scenario, position, plan)
        if form is not None and run(form, rules).passed:
            found.append(form)
        return bool(found)

    *nearer, loosest = goals(rules, given, position)
    for goal, expansions in (*((goal, QUICK) for goal in nearer), (loosest, EXPANSIONS)):
        if impossible(rules, goal) is None:
            plans.find(goal, seed=scenario.id, expansions=expansions, accept=holds)
        if found:
            return found[0]
    return None


def unplayed(rules: Rules, scenario: Scenario) -> str:
    """Why a scenario has no played form, as far as that is known."""
    assert isinstance(scenario.given, GivenPosition)
    position = start(rules, scenario)
    assert position is not None
    *_, loosest = goals(rules, scenario.given, position)
    found_none = f"none was found, {EXPANSIONS} positions gone on from"
    ruled = ruled_out(rules, position)
    return impossible(rules, loosest) or (f"{ruled}; of others like it {found_none}" if ruled else found_none)


def told(rules: Rules, scenario: Scenario, position: Position, plan: Plan) -> Scenario | None:
    """The scenario as it is after a plan; None if its actions are not legal there."""
    ruleset = rules.ruleset
    steps = _Steps(rules, position, plan.position)
    try:
        told_steps = tuple(steps.through(drafted(scenario).steps))
    except Illegal:
        return None
    deck = tuple(format_cards(ruleset, plan.deck).split())
    given = GivenDeck(deck, ruleset.table.seats[plan.dealer], tuple(steps.written(act) for act in plan.actions))
    form = replace(
        scenario,
        id=played_id(scenario.id),
        level=level_of(given, told_steps),
        provenance=Provenance("plan", scenario.provenance.cases),
        given=given,
        steps=told_steps,
        form_of=scenario.id,
    )
    return complete(rules, form)


@dataclass
class _Steps:
    """The steps of a scenario, told where further melds lie on the table.

    Attributes:
        now: the position of the scenario itself, in which its actions are read.
        then: the position of the played form.
    """

    rules: Rules
    now: Position
    then: Position

    def __post_init__(self) -> None:
        zones, slots = self.rules.ruleset.zones, self.rules.layout.zone_slots
        self.words = vocabulary(self.rules.ruleset)
        # For each slot of melds how many were given, and the further ones that lie after them.
        self.further = {
            slot: (len(self.now.zones[slot]), self.then.zones[slot][len(self.now.zones[slot]) :])
            for slot, (name, _) in enumerate(slots)
            if zones[name].kind == "melds"
        }

    def through(self, steps: tuple[Step, ...]) -> Iterator[Step]:
        for step in steps:
            yield replace(step, body=self.body(step.body))

    def body(self, body: Body) -> Body:
        match body:
            case Play(act=act):
                action = read_action(self.rules, self.now, act)
                self.now = self.rules.apply(self.now, action)
                shifted = self.shifted(action)
                self.then = self.rules.apply(self.then, shifted)
                return Play(self.written(shifted))
            case Accept(act=act) | Reject(act=act, malformed=False):
                return replace(body, act=self.act(act))
            case Repeat(times=times, steps=steps):
                inner: tuple[Step, ...] = ()
                for _ in range(times):
                    inner = tuple(self.through(steps))
                return Repeat(times, inner)
            case Expect(facts=facts, legal=legal):
                acts = None if legal is None else tuple(self.act(act) for act in legal)
                return replace(body, facts=self.facts(facts), legal=acts)
            case _:
                return body

    # ------------------------------------------------------------ actions

    def act(self, act: Written) -> Written:
        return self.written(self.shifted(read_action(self.rules, self.now, act)))

    def shifted(self, action: Action) -> Action:
        """An action whose melds are counted as they lie in the played form."""
        return Action(action.name, tuple(self._arg(arg) for arg in action.args))

    def _arg(self, arg: object) -> object:
        if isinstance(arg, LaidMeld):
            return LaidMeld(arg.slot, self.number(arg.slot, arg.index), arg.owner, arg.meld)
        return arg

    def number(self, slot: int, index: int) -> int:
        """Which meld of a zone it is in the played form."""
        given, further = self.further[slot]
        return index if index < given else index + len(further)

    def written(self, action: Action) -> Written:
        ruleset = self.rules.ruleset
        return Written(format_action(ruleset, action), action_to_json(ruleset, action))

    # ------------------------------------------------------------ expectations

    def facts(self, facts: Fields) -> dict[str, Any]:
        """What is expected, the further melds added to the contents and sizes of their zones."""
        found: dict[str, Any] = dict(facts)
        for kind, more in (("zones", self.with_melds), ("sizes", self.with_size)):
            if kind in found:
                found[kind] = self._by_zone(found[kind], more)
        if "meld" in found:
            found["meld"] = {self.named(name): of for name, of in found["meld"].items()}
        if "score" in found:
            found["score"] = {side: points + sum(self.points[side].values()) for side, points in found["score"].items()}
        if "lines" in found:
            found["lines"] = {
                side: {label: points + self.points[side].get(label, 0) for label, points in lines.items()}
                for side, lines in found["lines"].items()
            }
        if "perft" in found:
            found["perft"] = counts(self.rules, self.then, len(found["perft"]))
        return found

    @cached_property
    def points(self) -> dict[str, Counter[str]]:
        """What the further melds add to each line of the score sheet, by side."""
        bare = self.rules.empty_table(0)
        zones = list(bare.zones)
        for slot, (_, melds) in self.further.items():
            zones[slot] = melds
        found: dict[str, Counter[str]] = {}
        for number, side in enumerate(self.rules.ruleset.table.sides):
            found[side] = Counter()
            for sign, position in ((1, replace(bare, zones=tuple(zones))), (-1, bare)):
                for entry in self.rules.score(position).lines(number):
                    found[side][entry.label] += sign * entry.points
        return found

    def _by_zone(self, told: Mapping[str, Any], more: Any) -> dict[str, Any]:
        changed = dict(told)
        for slot in self.further:
            name, owner = self.rules.layout.zone_slots[slot]
            if name not in changed:
                continue
            zone = self.rules.ruleset.zones[name]
            if zone.owner is None:
                changed[name] = more(slot, changed[name])
            else:
                key = self.words.owners(zone)[owner]
                if key in changed[name]:
                    changed[name] = {**changed[name], key: more(slot, changed[name][key])}
        return changed

    def with_melds(self, slot: int, melds: list[Any]) -> list[Any]:
        given, further = self.further[slot]
        told = [meld_to_json(self.rules.ruleset, cast(Meld, meld)) for meld in further]
        return [*melds[:given], *told, *melds[given:]]

    def with_size(self, slot: int, size: int) -> int:
        return size + len(self.further[slot][1])

    def named(self, name: str) -> str:
        """The name of a meld on the table in the played form."""
        ruleset = self.rules.ruleset
        stated = parse_meld_name(ruleset, name)
        number = self.number(stated.slot, stated.number - 1) + 1
        return format_meld_name(ruleset, replace(stated, number=number))
