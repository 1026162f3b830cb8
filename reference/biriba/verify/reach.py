"""Whether a refutation comes about in a deal: a deck and actions that lead to one, looked for within bounds.

First some deals are played at random; what breaks in one of them is noted. For what does not, a plan is
looked for: a deck and actions that lead to a position like the one that was shown, with the same melds
or at least as many cards in the hand of the player to act. Whatever is found has been played again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from biriba import notation
from biriba.model.position import Action, Position
from biriba.planner import Goal, Plan, Wanted
from biriba.planner.plan import Plans
from biriba.verify.verdicts import Witness
from biriba.verify.witness import Referee

DEALS = 40
STEPS = 400
SECONDS = 6.0
"""Of processor time for playing at random, once for all refutations."""
PLANNING = 6.0
"""Of processor time for each goal of a plan, of which there are two."""


@dataclass(frozen=True)
class Reached:
    """A deal in which a clause's invariant breaks, or that comes to a dead end.

    Attributes:
        how: by what it was found.
        deck: the faces, the first one dealt first.
        actions: the last of them breaks the invariant; before a dead end none does.
    """

    how: str
    deck: tuple[int, ...]
    dealer: int
    actions: tuple[Action, ...]


class Reach:
    """How refutations of one rule set come about; what was found once is kept."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._plans: Plans | None = None
        self._by_subject: dict[str, Reached | None] = {}
        self._in_play: dict[str, Reached] = {}
        self._playing = self._play()

    def told(self, subject: str, witness: Witness) -> tuple[str, dict[str, Any] | None]:
        """A sentence on how it comes about, and the deal as JSON if there is one."""
        if subject not in self._by_subject:
            self._by_subject[subject] = self._found(subject, witness)
        found = self._by_subject[subject]
        if found is None:
            return (
                f"no deal that leads there was found: {DEALS} deals played at random, {STEPS} actions each, in "
                f"{SECONDS:.0f} s, and plans looked for in {2 * PLANNING:.0f} s",
                None,
            )
        return f"reached by {len(found.actions)} actions from a deal, found by {found.how}", self._as_json(found)

    def _as_json(self, found: Reached) -> dict[str, Any]:
        """The deal, played again."""
        rules, ruleset = self._referee.rules, self._referee.ruleset
        actions = [
            {"text": notation.format_action(ruleset, a), "json": notation.action_to_json(ruleset, a)}
            for a in found.actions
        ]
        position = rules.dealt(found.deck, found.dealer)
        for action in found.actions:
            position = rules.apply(position, action)
        return {
            "dealer": ruleset.table.seats[found.dealer],
            "deck": [ruleset.cards.faces[card].symbol for card in found.deck],
            "actions": actions,
        }

    def _found(self, subject: str, witness: Witness) -> Reached | None:
        while subject not in self._in_play:
            noted = next(self._playing, None)
            if noted is None:
                break
            self._in_play[noted[0]] = noted[1]
        if subject in self._in_play:
            return self._in_play[subject]
        self._plans = self._plans or Plans(self._referee.rules)
        position = notation.position_from_json(self._referee.ruleset, witness.json["position"])
        for goal in self._goals(position):
            plan = self._plans.find(
                goal, seconds=PLANNING, accept=lambda found: self._breaks(found, subject) is not None
            )
            if plan is not None:
                last = self._breaks(plan, subject)
                assert last is not None, "the plan was accepted"
                return Reached("planning", plan.deck, plan.dealer, (*plan.actions, *last))
        return None

    # ------------------------------------------------------------ by playing

    def _play(self) -> Iterator[tuple[str, Reached]]:
        """The first deal for each clause whose invariant breaks in play, and for a dead end in each phase.

        Play is at random, an action's name first and then its arguments, so that cards are laid often.
        """
        rules, left = self._referee.rules, SECONDS
        begun, seen = time.process_time(), set[str]()
        for seed in range(DEALS):
            game, rng = rules.deal(seed=seed), Random(seed)
            for _ in range(STEPS):
                if time.process_time() - begun > left:
                    return
                before, legal = game.position, game.legal()
                broken = [] if legal or game.over else [f"phase {before.phase}"]
                if legal:
                    name = rng.choice(sorted({action.name for action in legal}))
                    after = game.apply(rng.choice([action for action in legal if action.name == name]))
                    broken += rules.violated_invariants(after, before=before)
                for subject in broken:
                    if subject not in seen:
                        seen.add(subject)
                        actions = tuple(step.action for step in game.steps)
                        left -= time.process_time() - begun
                        yield subject, Reached(f"playing at random, seed {seed}", game.deck, game.start.dealer, actions)
                        begun = time.process_time()
                if not legal:
                    break

    # ------------------------------------------------------------ by planning

    def _goals(self, position: Position) -> Iterator[Goal]:
        """What matters of a position: its melds and the hand of the player to act; then the size of that hand alone."""
        slots = self._referee.rules.layout.zone_slots
        kinds = [self._referee.ruleset.zones[name].kind for name, _ in slots]
        mine = [s for s, (_, owner) in enumerate(slots) if kinds[s] == "hand" and owner == position.turn]
        hands = {s: Wanted(len(position.zones[s]), position.zones[s]) for s in mine}
        melds = {s: Wanted(len(z), z, more=True) for s, z in enumerate(position.zones) if kinds[s] == "melds"}
        states = dict(enumerate(position.states))
        yield Goal(position.phase, position.turn, None, {**melds, **hands}, states)
        yield Goal(position.phase, position.turn, None, {s: Wanted(len(position.zones[s])) for s in mine}, states)

    def _breaks(self, plan: Plan, subject: str) -> tuple[Action, ...] | None:
        """What breaks an invariant where a plan leads: an action, or none in a dead end."""
        rules, position = self._referee.rules, plan.position
        legal = rules.legal(position)
        if not legal:
            return () if subject == f"phase {position.phase}" else None
        for action in legal:
            after = rules.judge(position, action).position
            if after is not None and subject in rules.violated_invariants(after, before=position):
                return (action,)
        return None
