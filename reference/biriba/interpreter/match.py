"""A match: deals until the rules say that it ends, and who has won.

Chance in a match follows from one seed: the first dealer, if chosen by lot, from ``SEED/dealer``, the
deck of the n-th deal from ``SEED/n``, each used as the seed of a `random.Random`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from biriba.interpreter.deal import Seed
from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Frame, Local, Standing
from biriba.model.position import Position

if TYPE_CHECKING:
    from biriba.interpreter.game import Game
    from biriba.interpreter.rules import Rules


class MatchRules:
    """What a rule set says of matches.

    Conditions may look at the position in which the last deal ended; without one they see an empty table.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        match = evaluator.rules.match
        self._ends = [(end.clause, evaluator.compile(end.body)) for end in match.ends]
        self._next = None if match.next_dealer is None else evaluator.compile(match.next_dealer.body)
        self._slot = evaluator.slot()
        self._wins = None
        if match.winner is not None:
            self._wins = evaluator.compile(match.winner.body, {match.winner.var: Local(self._slot)})

    def first_dealer(self, seed: Seed) -> int:
        """Who deals first: by lot if the rules say so, else the first seat."""
        if self._evaluator.rules.match.first_dealer is None:
            return 0
        return Random(f"{seed}/dealer").randrange(len(self._evaluator.rules.table.seats))

    def ended_by(self, standing: Standing, last: Position) -> list[str]:
        """The clauses by which the match has ended, none if it goes on."""
        frame = self._frame(standing, last)
        return [clause for clause, ends in self._ends if ends(last, frame)]

    def winner(self, standing: Standing, last: Position) -> int | None:
        """The side that has won if the match has ended, None if no side has."""
        frame = self._frame(standing, last)
        for side in range(len(self._evaluator.rules.table.sides)):
            frame[self._slot] = side
            if self._wins is not None and self._wins(last, frame):
                return side
        return None

    def next_dealer(self, standing: Standing, last: Position) -> int:
        """Who deals after a deal; the same seat if the rules say nothing."""
        return last.dealer if self._next is None else int(self._next(last, self._frame(standing, last)))

    def _frame(self, standing: Standing, last: Position) -> Frame:
        return self._evaluator.frame(last.turn, standing)


class Match:
    """A match that goes on.

    Attributes:
        rules: what it is played by.
        seed: what all its chance follows from.
        games: its deals, the last of which may still be under way.

    Example:
        >>> import biriba
        >>> match = biriba.load("biriba").match(seed=1)
        >>> game = match.deal()
        >>> match.totals, match.over
        ({'X': 0, 'Y': 0}, False)
    """

    def __init__(self, rules: Rules, seed: Seed) -> None:
        self.rules = rules
        self.seed = seed
        self.games: list[Game] = []
        self._scores: list[tuple[int, ...]] = []

    @property
    def standing(self) -> Standing:
        """The points by side and the number of deals, as far as deals have ended."""
        while len(self._scores) < len(self.games) and self.games[len(self._scores)].over:
            game = self.games[len(self._scores)]
            self._scores.append(self.rules.score(game.position, game.standing).totals)
        sides = range(len(self.rules.ruleset.table.sides))
        return Standing(tuple(sum(score[side] for score in self._scores) for side in sides), len(self._scores))

    @property
    def totals(self) -> dict[str, int]:
        """The points of each side, by its name."""
        return dict(zip(self.rules.ruleset.table.sides, self.standing.totals, strict=True))

    @property
    def dealer(self) -> str:
        """Who deals next."""
        return self.rules.ruleset.table.seats[self._dealer()]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        if not self.games or not self.games[-1].over:
            return False
        return bool(self.rules.matches.ended_by(self.standing, self.games[-1].position))

    @property
    def winner(self) -> str | None:
        """The side that has won the match, None as long as it goes on or if no side has."""
        if not self.over:
            return None
        side = self.rules.matches.winner(self.standing, self.games[-1].position)
        return None if side is None else self.rules.ruleset.table.sides[side]

    def deal(self, deck: Sequence[int | str] | None = None) -> Game:
        """Deal the next deal, from the match's own seed unless a deck is given.

        Raises:
            ValueError: the match is over, or the last deal is not.
        """
        if self.over:
            raise ValueError("the match is over")
        if self.games and not self.games[-1].over:
            raise ValueError("the last deal has not ended yet")
        seed = None if deck is not None else f"{self.seed}/{len(self.games) + 1}"
        self.games.append(self.rules.deal(seed, deck, self._dealer(), self.standing))
        return self.games[-1]

    def record(self) -> str:
        """The match as a record, in the notation."""
        from biriba import notation
        from biriba.interpreter.recording import deal_record, record

        result = None
        if self.over:
            winner = self.rules.matches.winner(self.standing, self.games[-1].position)
            result = notation.Result(self.standing.totals, winner)
        return notation.format_record(
            self.rules.ruleset, record(self.rules.ruleset, [deal_record(game) for game in self.games], result)
        )

    def _dealer(self) -> int:
        if not self.games:
            return self.rules.matches.first_dealer(self.seed)
        return self.rules.matches.next_dealer(self.standing, self.games[-1].position)
