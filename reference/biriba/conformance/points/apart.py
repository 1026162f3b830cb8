"""The smallest vector found that tells a rule set from another one, such as one with a number changed.

What needs no position is tried first, the smallest first: cards, melds, matches, fixed deals. Then come random
positions, and what is found there is shrunk. Everything follows from the rules and a seed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from biriba.conformance.fuzz.positions import Positions
from biriba.conformance.fuzz.probes import Probe, Prober
from biriba.conformance.fuzz.shrink import Shrinker, trimmed
from biriba.interpreter.rules import Rules
from biriba.model.position import Meld, Position
from biriba.model.ruleset import Ruleset
from biriba.model.shapes import Shapes
from biriba.notation import ActionText, NotationError, format_cards
from biriba.notation.actions import resolve
from biriba.scenario.rulesets import same_positions
from biriba.scenario.run import run
from biriba.scenario.scenario import Body, Claim, Expect, GivenDeck, Reject, Scenario, Step, Value

POSITIONS = 2500
"""So many random positions are looked at."""
MATCHES = 400
MOST_WILDS = 2
"""Substitutes in one of the melds that are tried."""
MOST_KEYS = 2
"""Suits or ranks of which melds are tried, the first ones."""


def passes(scenario: Scenario, rules: Rules) -> bool:
    """Whether a vector holds under rules that the compiler may not have seen; what they cannot do does not hold.

    Only verdicts count: rules that reject the same for other reasons are not told apart, since an implementation
    need not give reasons.
    """
    steps = tuple(replace(step, body=_without_reasons(step.body)) for step in scenario.steps)
    try:
        return run(replace(scenario, steps=steps), rules).passed
    except Exception:  # a changed rule set may do what the compiler had excluded
        return False


def _without_reasons(body: Body) -> Body:
    return replace(body, because=None) if isinstance(body, (Claim, Reject)) else body


@dataclass(frozen=True, slots=True)
class _Tried:
    """An action in a position, and what the rules make of it."""

    position: Position
    stated: ActionText
    after: Position | None


class Apart:
    """Tells one rule set from others.

    Args:
        positions: so many random positions are looked at.
    """

    def __init__(self, rules: Rules, positions: int = POSITIONS) -> None:
        self.rules, self.ruleset, self.prober = rules, rules.ruleset, Prober(rules)
        self._left = positions
        self._tried: list[_Tried] = []
        self._random = Random("apart")

    def find(self, other: Rules) -> Scenario | None:
        """A vector that holds under the rules and fails under the other ones, None if none was found."""
        for scenario in itertools.chain(self.statements, self.matches):
            if not passes(scenario, other):
                return trimmed(scenario, lambda smaller: not passes(smaller, other))
        if not same_positions(self.ruleset, other.ruleset):
            return None
        for tried in self.tried():
            kind = self.differs(tried, other)
            if kind is not None:
                return self.small(Probe(kind, tried.position, tried.stated), other)
        return None

    def differs(self, tried: _Tried, other: Rules) -> str | None:
        """In what the other rules differ on an action: the kind of a probe, None if in nothing."""
        try:
            action = resolve(other.ruleset, tried.position, tried.stated, other.lawful)
            after = other.judge(tried.position, action).position
            if after != tried.after:
                return "verdict" if None in (after, tried.after) else "after"
            if after is not None and other.over(after) and other.score(after) != self.rules.score(after):
                return "end"
            return None if other.score(tried.position) == self.rules.score(tried.position) else "score"
        except Exception:  # as for `passes`
            return "verdict" if tried.after is None else "after"

    def small(self, probe: Probe, other: Rules) -> Scenario | None:
        def still(smaller: Probe) -> bool:
            scenario = self.prober.scenario(smaller)
            return scenario is not None and not passes(scenario, other)

        if not still(probe):
            return None
        scenario = self.prober.scenario(Shrinker(self.rules, still, most=3000).shrunk(probe))
        return scenario and trimmed(scenario, lambda smaller: not passes(smaller, other))

    # ------------------------------------------------------------ what needs no position

    @cached_property
    def statements(self) -> tuple[Scenario, ...]:
        """All that is tried without a position but matches, the smallest first."""
        return (*self._of_cards(), *self._of_deals(), *self._of_melds())

    @cached_property
    def matches(self) -> tuple[Scenario, ...]:
        return tuple(self.prober.of_matches(Random(f"match {number}")) for number in range(MATCHES))

    def _of_cards(self) -> Iterator[Scenario]:
        faces = self.ruleset.cards.faces
        yield self.prober.made(None, [Step(Expect({"deck": {"cards": self.ruleset.cards.total}}))])
        for face in faces:
            yield self.prober.made(None, [Step(Expect({"deck": {"copies": {face.symbol: face.copies}}}))])
        for face in faces:
            yield self.prober.made(None, [Step(Value((face.symbol,), face.value))])

    def _of_deals(self) -> Iterator[Scenario]:
        """What a deal from a deck in order leads to, as far as numbers tell it."""
        deck = [face.index for face in self.ruleset.cards.faces for _ in range(face.copies)]
        cards = tuple(format_cards(self.ruleset, deck).split())
        for number, dealer in enumerate(self.ruleset.table.seats):
            position = self.rules.dealt(deck, number)
            told = self.prober.all_of(position)
            sizes = {
                name: {owner: len(of) for owner, of in zone.items()} if isinstance(zone, dict) else len(zone)
                for name, zone in told["zones"].items()
            }
            facts = {"sizes": sizes, "states": told["states"], "turn": told["turn"], "phase": told["phase"]}
            yield self.prober.made(GivenDeck(cards, dealer), [Step(Expect(facts))])

    def _of_melds(self) -> Iterator[Scenario]:
        """What is true of melds, the smallest first."""
        for meld in melds_to_try(self.ruleset):
            claim = self.prober.claim(meld, scored=True)
            if claim is not None:
                yield claim

    # ------------------------------------------------------------ positions

    def tried(self) -> Iterator[_Tried]:
        """Actions in random positions; those that were made once are kept."""
        yield from self._tried
        while self._left > 0:
            self._left -= 1
            position = Positions(self.rules, self._random).position()
            if position is None:
                continue
            legal = self.rules.legal(position)
            chosen = self._random.sample(legal, min(len(legal), 8))
            for stated in [*map(self.prober.stated, chosen), *self.prober.near(position, self._random)]:
                tried = self._judged(position, stated)
                if tried is not None:
                    self._tried.append(tried)
                    yield tried

    def _judged(self, position: Position, stated: ActionText) -> _Tried | None:
        try:
            action = resolve(self.ruleset, position, stated, self.rules.lawful)
            return _Tried(position, stated, self.rules.judge(position, action).position)
        except (NotationError, ValueError):
            return None


def melds_to_try(ruleset: Ruleset) -> list[Meld]:
    """Melds of each template, lawful or not, the smallest first, those with least substitutes first."""
    shapes = Shapes(ruleset)
    melds = [meld for template in ruleset.templates for meld in _melds(shapes, template)]
    return sorted(melds, key=lambda meld: (len(meld.cards), shapes.substitutes(meld)))


def _melds(shapes: Shapes, template: str) -> Iterator[Meld]:
    """Melds of a template of each size, with natural cards and a few wild ones; what fits, lawful or not."""
    copies = [face.copies for face in shapes.rules.cards.faces]
    sequence = shapes.is_sequence(template)
    sizes, lows = range(1, shapes.places + 1), range(1, shapes.places + 1) if sequence else (None,)
    for key, size, low in itertools.product(shapes.keys(template)[:MOST_KEYS], sizes, lows):
        fitting = [shapes.fitting(template, key, None if low is None else low + i) for i in range(size)]
        for wilds in range(min(size, MOST_WILDS + 1)):
            for at in itertools.combinations(range(size), wilds) if sequence else (tuple(range(size - wilds, size)),):
                cards = _taken([of.substitute if i in at else of.natural for i, of in enumerate(fitting)], copies)
                if cards is not None:
                    meld = (
                        shapes.group(template, key, cards)
                        if low is None
                        else shapes.sequence(template, key, low, cards)
                    )
                    if meld is not None:
                        yield meld


def _taken(able: Sequence[frozenset[int]], copies: Sequence[int]) -> list[int] | None:
    """A card for each place, none oftener than there are copies; None if there are not enough."""
    left, found = list(copies), []
    for faces in able:
        card = next((face for face in sorted(faces, key=lambda face: (-left[face], face)) if left[face]), None)
        if card is None:
            return None
        left[card] -= 1
        found.append(card)
    return found
