"""Plans: a deck and a list of legal actions that lead to a position."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import cast

from biriba.interpreter.game import Game
from biriba.interpreter.rules import Rules
from biriba.model.position import Action, Position
from biriba.planner.goal import Goal
from biriba.planner.search import Node, Planner, Search, assigned

EXPANSIONS = 3600
"""So many positions are gone on from before a goal is given up."""
SHARE = 300
"""So many of them at a time: then the search begins again and weighs things otherwise."""
ENDINGS = 8
"""Of so many places that have the shape of the goal, the cards are tried."""
FILLINGS = 2
"""In so many ways the cards that do not matter are filled in, at each of them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A deal that leads to a goal.

    Attributes:
        deck: the faces of the deck, the first one dealt first.
        dealer: the seat that deals.
        actions: all legal, one after another.
        position: where they lead.
    """

    deck: tuple[int, ...]
    dealer: int
    actions: tuple[Action, ...]
    position: Position

    def game(self, rules: Rules) -> Game:
        """The deal as it is played, for a record."""
        game = rules.deal(deck=self.deck, dealer=self.dealer)
        for action in self.actions:
            game.apply(action)
        return game


def plan(
    rules: Rules,
    wanted: Position | Goal,
    *,
    seconds: float | None = None,
    seed: int | str = 0,
    expansions: int = EXPANSIONS,
    accept: Callable[[Plan], bool] | None = None,
) -> Plan | None:
    """A deck and actions that lead to a position, or to any that is as wanted; None if none were found.

    That none were found is no proof that there are none: see `biriba.planner.bounds` for such proofs. The same
    arguments give the same plan, unless the time runs out.

    Args:
        wanted: a position, which must come about exactly, or the parts of one that matter.
        seconds: of processor time after which the search is given up; by default only `expansions` bounds it.
        accept: what else must be true of the plan.

    Example:
        >>> import biriba
        >>> from biriba.planner import plan
        >>> rules = biriba.load("biriba")
        >>> position = rules.deal(seed=1).apply("draw")
        >>> found = plan(rules, position)
        >>> [action.name for action in found.actions], found.position == position
        (['draw'], True)
    """
    goal = Goal.exactly(wanted) if isinstance(wanted, Position) else wanted
    return Plans(rules).find(goal, seconds=seconds, seed=seed, expansions=expansions, accept=accept)


class Plans:
    """Plans by one rule set: what can be worked out once is kept."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._planner = Planner(rules)

    def find(
        self,
        goal: Goal,
        *,
        seconds: float | None = None,
        seed: int | str = 0,
        expansions: int = EXPANSIONS,
        accept: Callable[[Plan], bool] | None = None,
    ) -> Plan | None:
        """As `plan`."""
        random = Random(f"plan {seed}")
        until = None if seconds is None else time.process_time() + seconds
        sizes = list(self._planner.plain_melds)
        # Short melds beside the wanted ones seldom matter to what the goal is for: they are tried first.
        short, any_size = (sizes[2] if len(sizes) > 2 else 0), max(sizes, default=0)
        for attempt in range(math.ceil(expansions / SHARE)):
            search = Search(
                self._planner,
                goal,
                random,
                min(SHARE, expansions - attempt * SHARE),
                longest=(short, any_size)[attempt % 2],
                closed=attempt % 4 > 1,
                noise=min(0.6, attempt // 2 * 0.15),
            )
            for node in islice(search.nodes(until), ENDINGS):
                for _ in range(FILLINGS):
                    found = self._played(goal, node, random)
                    if found is not None and (accept is None or accept(found)):
                        return found
        return None

    def _played(self, goal: Goal, node: Node, random: Random) -> Plan | None:
        """The plan that a place of the search stands for, played with the cards themselves."""
        unknown = self._planner.unknown
        last = assigned(unknown, goal, self._planner.kinds, node.position, node.free, random)
        if last is None:
            return None
        actions, bound = node.path()
        faces = bound | last
        deck = tuple(faces[unknown.first + i] for i in range(unknown.total))
        position = self.rules.dealt(deck, node.position.dealer)
        played: list[Action] = []
        for action in actions:
            cards = self._planner.cards_named(action, unknown.first)
            args = [faces[cast(int, arg)] if i in cards else arg for i, arg in enumerate(action.args)]
            act = Action(action.name, tuple(args))
            after = self.rules.judge(position, act).position
            if after is None:
                return None
            position = after
            played.append(act)
        return Plan(deck, node.position.dealer, tuple(played), position) if goal.reached(self.rules, position) else None
