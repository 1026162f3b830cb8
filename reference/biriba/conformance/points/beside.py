"""Rejections by one clause alone, made small, each with what is accepted beside it.

Beside means: in the same position an action of the same name whose arguments differ by a card or two; or, where
there is none, the same action in a position that differs by one thing, or one of its name with a card or two more in
hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from biriba.conformance.fuzz.positions import Positions
from biriba.conformance.fuzz.probes import Probe, Prober
from biriba.conformance.fuzz.shrink import Shrinker
from biriba.conformance.points.apart import melds_to_try
from biriba.interpreter.rules import Rules
from biriba.model.position import Action, LaidMeld, Meld, Position
from biriba.notation import ActionText, NotationError, format_meld, meld_to_json
from biriba.notation.actions import resolve
from biriba.notation.melds import MeldText
from biriba.scenario.scenario import Accept, Claim, Reject, Scenario, Step, Written

POSITIONS = 1500
"""So many random positions are looked at for rejections."""
NEAR = 2
"""Cards, or other arguments, by which an action beside another one may differ."""
BESIDE = "-beside"
MOST_TRIED = 12
"""So many rejections of a clause are looked at for one beside which something is accepted."""
MOST_MELDS = 40
"""So many of the smallest unlawful melds are compared with the lawful ones."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """An action that one clause alone rejects in a position."""

    clause: str
    position: Position
    action: ActionText


class Beside:
    """Makes vectors of rejections of one rule set."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.ruleset, self.prober = rules, rules.ruleset, Prober(rules)

    # ------------------------------------------------------------ looking for rejections

    def rejections(self, wanted: set[tuple[str, str]], positions: int = POSITIONS) -> Iterator[Rejection]:
        """One rejection for each clause and action of those that are wanted, as far as random positions show them.

        Those beside which something is plainly accepted are taken before others.
        """
        random, found, good = Random("beside"), dict[tuple[str, str], Rejection](), set[tuple[str, str]]()
        tried = Counter[tuple[str, str]]()
        bare = [self.prober.stated(Action(name)) for name, action in self.ruleset.actions.items() if not action.params]
        for _ in range(positions):
            position = Positions(self.rules, random).position() if wanted - good else None
            if position is None:
                continue
            for stated in (*bare, *self.prober.near(position, random)):
                because = self.because(position, stated)
                key = (because[0], stated.name) if because is not None and len(because) == 1 else None
                if key is None or key not in wanted - good:
                    continue
                found.setdefault(key, rejection := Rejection(key[0], position, stated))
                tried[key] += 1
                good |= {key} if tried[key] > MOST_TRIED else set()
                if self.companion(position, stated) is not None:
                    found[key] = rejection
                    good.add(key)
        yield from found.values()

    def because(self, position: Position, stated: ActionText) -> tuple[str, ...] | None:
        """The clauses that reject an action, none if it is legal; None if it has no meaning there."""
        try:
            action = resolve(self.ruleset, position, stated, self.rules.lawful)
            return self.rules.judge(position, action).clauses
        except (NotationError, ValueError):
            return None

    # ------------------------------------------------------------ vectors

    def vectors(self, rejection: Rejection) -> Iterator[tuple[str, Scenario]]:
        """The vector of a rejection, and with the name `BESIDE` one of what is accepted if that needs a position of
        its own.
        """
        small = self.small(rejection)
        steps = [Step(Reject(self.stated(small.position, small.action), (small.clause,)))]
        found = self.companion(small.position, small.action)
        if found is not None and found[0] == small.position:
            steps.append(Step(Accept(self.prober.written(found[1]))))
        yield "", self.prober.made(self.prober.given(small.position), steps)
        if len(steps) == 1:
            found = found or next(self.accepted(small.position, small.action), None)
            if found is not None:
                accepted = [Step(Accept(self.prober.written(found[1])))]
                yield BESIDE, self.prober.made(self.prober.given(found[0]), accepted)

    def small(self, rejection: Rejection) -> Rejection:
        """The same rejection, of less in a position with less in it, and with as good a companion."""
        alone, paired = (rejection.clause,), self.companion(rejection.position, rejection.action) is not None

        def still(probe: Probe) -> bool:
            return (
                probe.action is not None
                and self.because(probe.position, probe.action) == alone
                and (not paired or self.companion(probe.position, probe.action) is not None)
            )

        probe = Probe("verdict", rejection.position, rejection.action)
        while shorter := next(filter(still, self.shorter(probe)), None):
            probe = shorter
        probe = Shrinker(self.rules, still, most=3000).shrunk(probe)
        assert probe.action is not None
        return Rejection(rejection.clause, probe.position, probe.action)

    def shorter(self, probe: Probe) -> Iterator[Probe]:
        """The probe with a card less in a meld that its action speaks of."""
        action = probe.action
        for n, arg in enumerate(action.args if action is not None else ()):
            if action is not None and isinstance(arg, MeldText) and len(arg.cards) > 1:
                for i in range(len(arg.cards)):
                    low = arg.low + 1 if arg.low is not None and i == 0 else arg.low
                    meld = replace(arg, low=low, cards=(*arg.cards[:i], *arg.cards[i + 1 :]))
                    yield replace(
                        probe, action=ActionText(action.name, (*action.args[:n], meld, *action.args[n + 1 :]))
                    )

    def stated(self, position: Position, stated: ActionText) -> Written:
        return self.prober.written(resolve(self.ruleset, position, stated, self.rules.lawful))

    # ------------------------------------------------------------ what is accepted

    def companion(self, position: Position, stated: ActionText) -> tuple[Position, Action] | None:
        """A legal action that is near to one in the same position, or the action itself in another phase."""
        near = self.near(position, stated)
        if near is not None:
            return position, near
        for phase in self.ruleset.phases:
            other = replace(position, phase=phase)
            if self.because(other, stated) == () and not self.rules.violated_invariants(other):
                return other, resolve(self.ruleset, other, stated, self.rules.lawful)
        return None

    def near(self, position: Position, stated: ActionText, most: int = NEAR) -> Action | None:
        """The legal action that is nearest to one, if it is near enough."""
        action = resolve(self.ruleset, position, stated, self.rules.lawful)
        if not action.args:
            return None
        others = [other for other in self.rules.legal(position) if other.name == action.name]
        found = min(others, key=lambda other: _distance(action, other), default=None)
        return found if found is not None and _distance(action, found) <= most else None

    def accepted(self, position: Position, stated: ActionText) -> Iterator[tuple[Position, Action]]:
        """The action in another position, or one of its name; the least changed first."""
        for other in self.changes(position):
            if self.because(other, stated) == ():
                yield other, resolve(self.ruleset, other, stated, self.rules.lawful)
        once = list(self.richer(position))
        for other in (*once, *(twice for one in once for twice in self.richer(one))):
            near = self.near(other, stated, most=99)
            if near is not None:
                yield other, near

    def changes(self, position: Position) -> Iterator[Position]:
        """The positions that differ by a state, a card, or the pile where the rest of the cards lies."""
        shrinker = Shrinker(self.rules, lambda probe: False)
        rest = self.rest(position)
        changed = [
            replace(position, states=(*position.states[:slot], value, *position.states[slot + 1 :]))
            for slot, (name, _) in enumerate(self.rules.layout.state_slots)
            for value in self.values(name, position.states[slot])
        ]
        for slot in shrinker.melds:
            melds = position.zones[slot]
            for i, meld in enumerate(melds):
                rows = [(*melds[:i], shorter, *melds[i + 1 :]) for shorter in shrinker.shorter(meld)]
                changed += [shrinker.moved(position, slot, row, rest) for row in rows]
        for slot in (*shrinker.hands, *shrinker.piles):
            zone = position.zones[slot]
            if slot == rest:
                continue
            if self.ruleset.zones[self.rules.layout.zone_slots[slot][0]].owner is None:
                changed.append(shrinker.moved(position, rest, (), slot))
            changed += [shrinker.moved(position, slot, (*zone[:i], *zone[i + 1 :]), rest) for i in range(len(zone))]
            changed += self.with_a_card(position, slot)
        yield from (other for other in changed if not self.rules.violated_invariants(other))

    def richer(self, position: Position) -> Iterator[Position]:
        """The position with a card more in the hand of who acts."""
        hand = Shrinker(self.rules, lambda probe: False).hand_of_turn(position)
        yield from (other for other in self.with_a_card(position, hand) if not self.rules.violated_invariants(other))

    def with_a_card(self, position: Position, slot: int) -> Iterator[Position]:
        """The position with a card more in a zone, each that lies in the pile of the rest."""
        rest = self.rest(position)
        pile = position.zones[rest]
        hand = self.ruleset.zones[self.rules.layout.zone_slots[slot][0]].kind == "hand"
        for i, card in enumerate(pile):
            if card not in pile[:i]:
                zones = list(position.zones)
                zones[rest] = (*pile[:i], *pile[i + 1 :])
                cards = [c for c in (*position.zones[slot], card) if isinstance(c, int)]
                zones[slot] = tuple(sorted(cards) if hand else cards)
                yield replace(position, zones=tuple(zones))

    def rest(self, position: Position) -> int:
        """The pile where most cards lie."""
        piles = Shrinker(self.rules, lambda probe: False).piles
        return max(piles, key=lambda slot: len(position.zones[slot]))

    def values(self, state: str, value: int | bool | None) -> Iterator[int | bool | None]:
        """The values of a state next to one."""
        declared = self.ruleset.states[state].type
        if declared.optional and value is not None:
            yield None
        if isinstance(value, bool):
            yield not value
        elif declared.kind == "int" and isinstance(value, int):
            low, high = declared.low or 0, declared.high or 0
            yield from (near for near in (value - 1, value + 1) if low <= near <= high)

    # ------------------------------------------------------------ melds

    def claims(self, wanted: set[str]) -> Iterator[tuple[str, Scenario]]:
        """For each clause a meld that it alone finds unlawful, and the nearest one that is lawful."""
        melds = list(melds_to_try(self.ruleset))
        lawful = [meld for meld in melds if self.rules.lawful(meld)]
        for clause in sorted(wanted):
            unlawful = [meld for meld in melds if self.alone(meld, clause)]
            pairs = [(meld, min(lawful, key=partial(_apart, meld))) for meld in unlawful[:MOST_MELDS]]
            bad, good = min(pairs, key=lambda pair: _apart(*pair), default=(None, None))
            if bad is not None and good is not None:
                steps = [Step(Claim(self.meld(bad), False, (clause,))), Step(Claim(self.meld(good), True))]
                yield clause, self.prober.made(None, steps)

    def alone(self, meld: Meld, clause: str) -> bool:
        """Whether a clause alone finds a meld unlawful, and the meld can be written without doubt."""
        broken = {rejection.clause for rejection in self.rules.judge_meld(meld).rejections}
        return broken == {clause} and self.prober.claim(meld, scored=False) is not None

    def meld(self, meld: Meld) -> Written:
        return Written(format_meld(self.ruleset, meld), meld_to_json(self.ruleset, meld))


def _distance(one: Action, other: Action) -> int:
    """By how many cards or other arguments two actions of one name differ."""
    return sum(_argument(a, b) for a, b in zip(one.args, other.args, strict=True))


def _argument(a: Any, b: Any) -> int:
    if isinstance(a, Meld) and isinstance(b, Meld):
        return _apart(a, b)
    if isinstance(a, LaidMeld) and isinstance(b, LaidMeld):
        return int((a.slot, a.index) != (b.slot, b.index))
    return int(a != b)


def _apart(a: Meld, b: Meld) -> int:
    """By how many cards two melds differ."""
    one, other = Counter(a.cards), Counter(b.cards)
    return (one - other).total() + (other - one).total() + (a.template != b.template)
