"""Endless play: a cycle of actions that leads back to an equal position, or a proof that there is none.

The proof is a ranking: quantities, the first the weightiest, such that every action lowers one of
them and raises none that is weightier. All of them are bounded, so that every deal ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from random import Random

from biriba import notation
from biriba.interpreter.game import Game
from biriba.model.position import Action, Position
from biriba.model.ruleset import Ruleset
from biriba.verify.invariants import hypotheses
from biriba.verify.solving import Asked, Clock
from biriba.verify.steps import PROOF, Case, Step, Steps
from biriba.verify.symbols import SymPosition
from biriba.verify.terms import Term, equal, lookup, number, total
from biriba.verify.verdicts import NOTED, PROVED, UNKNOWN, Result, Witness
from biriba.verify.witness import Referee

GROUP = "every deal ends"


@dataclass(frozen=True)
class Quantity:
    """Something that is counted in a position; `sign` is -1 for what is to rise."""

    kind: str
    name: str
    sign: int

    def of(self, steps: Steps, position: SymPosition) -> Term:
        layout = steps.encoder.layout
        match self.kind:
            case "cards":
                slots = [s for s, (zone, _) in enumerate(layout.zone_slots) if zone == self.name]
                value = total(position.zones[slot].size for slot in slots)
            case "state":
                slots = [s for s, (state, _) in enumerate(layout.state_slots) if state == self.name]
                is_bool = steps.rules.states[self.name].type.kind == "bool"
                value = total(number(position.states[s]) if is_bool else position.states[s] for s in slots)
            case "turn":
                value = _seats_until(steps.rules, position.turn, position.dealer)
            case _:
                value = number(equal(position.phase, steps.encoder.phases[self.name]))
        return self.sign * value

    def __str__(self) -> str:
        what = {
            "cards": "the cards in",
            "state": "the number of",
            "phase": "being in phase",
            "turn": "the seats before",
        }[self.kind]
        return f"{what} {self.name} {'falls' if self.sign > 0 else 'rises'}"


def quantities(rules: Ruleset) -> Iterator[Quantity]:
    """What may be part of a ranking: cards in zones, numbers and yes/no states, phases, seats that are still to act."""
    names = [("cards", name) for name in rules.zones]
    names += [("state", name) for name, state in rules.states.items() if state.type.kind in ("bool", "int")]
    names += [("phase", name) for name in rules.phases]
    names += [("turn", "the dealer")]
    for kind, name in names:
        for sign in (1, -1):
            yield Quantity(kind, name, sign)


def _seats_until(rules: Ruleset, seat: Term, last: Term) -> Term:
    """How many seats play before a seat, beginning with another."""
    rows = []
    for first in range(len(rules.table.seats)):
        order = [first]
        while len(order) < len(rules.table.seats):
            order.append(rules.table.next(order[-1]))
        rows.append(lookup([order.index(other) for other in sorted(order)], last))
    return lookup(rows, seat)


def prove_ends(referee: Referee, cases: list[Case], keep: tuple[int, ...], timeout: float) -> list[Result]:
    """Whether every deal ends; if that is not proved, a cycle is looked for."""
    rules, clock = referee.ruleset, Clock()
    subject = rules.name
    ranking, left = _ranking(rules, cases, keep, timeout)
    if not left:
        return [Result(GROUP, subject, "", PROVED, clock.read(), "ranking: " + "; ".join(ranking))]
    actions = tuple(dict.fromkeys(case.action for case in left))
    found = find_cycle(referee, actions, timeout)
    if found is not None:
        note = f"play can go on for ever by {', '.join(actions)}: a cycle of {len(found.actions)} actions"
        return [Result(GROUP, subject, "", NOTED, clock.read(), note, found)]
    note = f"no ranking was found for {', '.join(actions)}, and no cycle either"
    return [Result(GROUP, subject, "", UNKNOWN, clock.read(), note)]


def _ranking(rules: Ruleset, cases: list[Case], keep: tuple[int, ...], timeout: float) -> tuple[list[str], list[Case]]:
    """Quantities that make a ranking, and the cases that none of them takes care of."""
    problems: list[tuple[Case, Steps, Step, Asked]] = []
    for case in cases:
        steps = Steps(rules)
        step = steps.step(case, PROOF)
        if step is not None:
            told = [*hypotheses(steps, step, keep), step.legal]
            problems.append((case, steps, step, Asked([*told, *steps.encoder.unknowns.facts], timeout)))
    ranking: list[str] = []
    waiting = list(quantities(rules))
    progress = True
    while problems and progress:
        progress = False
        for quantity in list(waiting):
            changes = [
                (quantity.of(steps, step.before), quantity.of(steps, step.after)) for _, steps, step, _ in problems
            ]
            if any(
                p[3].follows(after <= before) != "yes" for p, (before, after) in zip(problems, changes, strict=True)
            ):
                continue
            lowering = [
                p[0].action
                for p, (before, after) in zip(problems, changes, strict=True)
                if p[3].possible(after < before) != "no"
            ]
            if not lowering:
                continue
            ranking.append(f"{quantity} ({', '.join(dict.fromkeys(lowering))})")
            # What is left to look at are the steps that do not change this quantity.
            for p, (before, after) in zip(problems, changes, strict=True):
                p[3].tell([equal(before, after)])
            problems = [p for p in problems if p[3].possible() != "no"]
            waiting.remove(quantity)
            progress = True
            break
    return ranking, [case for case, *_ in problems]


# ---------------------------------------------------------------- cycles

DEALS, MOST = 200, 200_000
"""How many deals are looked through for a cycle, and how many positions in all."""
TRIED = 300
"""How many positions are looked at from one position on."""
LATE, APART = 200, 20
"""How far deals are played before a cycle is looked for, and how many actions apart."""


def find_cycle(referee: Referee, actions: tuple[str, ...], seconds: float = inf) -> Witness | None:
    """A deal that comes back to a position in which it was before, by these actions alone.

    First it is looked for where deals begin, then where they have gone on at random: with more cards in the hands, and
    melds on the table.

    Args:
        seconds: of processor time, after which no other beginning is tried.
    """
    clock, left = Clock(), MOST
    for late in (False, True):
        for seed in range(DEALS):
            for game in _begun(referee, seed, actions, late):
                for newest in (False, True):
                    found, looked_at = _repeated(game, actions, newest)
                    if found is not None:
                        return _cycle(referee, game, found, seed)
                    left, seconds = left - looked_at, seconds - clock.read()
                    if min(left, seconds) < 0:
                        return None
    return None


def _begun(referee: Referee, seed: int, actions: tuple[str, ...], late: bool) -> Iterator[Game]:
    """A deal played as far as a phase in which one of these actions is possible, or again and again further than that.

    What comes first may be a cut, or bids. Further on players act at random, each kind of action as often as others.
    """
    game, random = referee.rules.deal(seed=seed), Random(seed)
    phases = {phase for name in actions for phase in referee.ruleset.actions[name].phases}
    while game.position.phase not in phases and len(game.steps) < LATE and (legal := game.legal()):
        game.apply(legal[0])
    if not late:
        yield game
        return
    while len(game.steps) < LATE and (legal := game.legal()):
        kind = random.choice(list(dict.fromkeys(action.name for action in legal)))
        game.apply(random.choice([action for action in legal if action.name == kind]))
        if len(game.steps) % APART == 0:
            yield game


def _repeated(game: Game, actions: tuple[str, ...], newest: bool) -> tuple[int | None, int]:
    """Play a deal on until it is in a position in which it was before, if that is found; else it stays as it is.

    Every way to go on is tried, but those first that have been gone most often: players who do the same again and
    again, with few cards that go round, soon come back. Of the others the first or the last legal action comes first.

    Returns:
        after how many actions the deal was in its last position before, and how many positions were looked at.
    """
    rules, path = game.rules, [game.position]
    place = {game.position: 0}
    seen = {game.position}
    played: list[Action] = []
    times: Counter[Action] = Counter()

    def ways(position: Position) -> Iterator[Action]:
        legal = rules.legal(position, names=actions)
        return iter(sorted(reversed(legal) if newest else legal, key=lambda action: -times[action]))

    waiting = [ways(game.position)]
    while waiting and len(seen) < TRIED:
        action = next(waiting[-1], None)
        if action is None:
            waiting.pop()
            del place[path.pop()]
            if played:
                times[played.pop()] -= 1
            continue
        after = rules.apply(path[-1], action)
        if after in place:
            begun = len(game.steps)
            for each in (*played, action):
                game.apply(each)
            return begun + place[after], len(seen)
        if after in seen:
            continue
        seen.add(after)
        place[after] = len(path)
        path.append(after)
        played.append(action)
        times[action] += 1
        waiting.append(ways(after))
    return None, len(seen)


def _cycle(referee: Referee, game: Game, start: int, seed: int) -> Witness:
    rules = referee.ruleset
    position = game.steps[start - 1].after if start else game.start
    text = notation.format_position(rules, position)
    actions = tuple(notation.format_action(rules, step.action) for step in game.steps[start:])
    shown = {"position": notation.position_to_json(rules, position), "record": game.record()}
    reachable = f"reached by {start} actions from the deal with seed {seed}\n{game.record()}"
    return Witness(text, actions, text, shown, ("the position is the same again",), confirmed=True, reachable=reachable)
