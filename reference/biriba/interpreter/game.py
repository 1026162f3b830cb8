"""A deal as it is played: the position now, and how it came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from biriba.interpreter.frame import Standing
from biriba.interpreter.view import Seen, View
from biriba.model.position import Action, Position

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a deal: who acted, how, and the position that came of it."""

    seat: int
    action: Action
    after: Position


@dataclass(frozen=True, slots=True)
class GameView:
    """What a seat, or a spectator, knows of a deal.

    Attributes:
        start: its view of the first position.
        steps: what it saw of every step.
    """

    start: View
    steps: tuple[Seen, ...]

    @property
    def now(self) -> View:
        return self.steps[-1].after if self.steps else self.start


class Game:
    """A deal that goes on.

    Attributes:
        rules: what it is played by.
        deck: the order of the deck, first card first.
        start: the position right after the deal.
        steps: all that has been played.
        standing: how the match stood when the deal began.

    Example:
        >>> import biriba
        >>> game = biriba.load("biriba").deal(seed=7)
        >>> _ = game.apply("draw")
        >>> game.apply("draw")
        Traceback (most recent call last):
        ...
        biriba.interpreter.rules.Illegal: turn.draw: draw belongs to the phase start of a turn, ...
    """

    def __init__(self, rules: Rules, deck: tuple[int, ...], start: Position, standing: Standing | None = None) -> None:
        self.rules = rules
        self.deck = deck
        self.start = start
        self.standing = standing
        self.steps: list[Step] = []

    @property
    def position(self) -> Position:
        """The position now."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.rules.over(self.position)

    @property
    def turn(self) -> str:
        """The name of the seat to act."""
        return self.rules.ruleset.table.seats[self.position.turn]

    def legal(self) -> list[Action]:
        """All legal actions of the seat to act."""
        return self.rules.legal(self.position, self.standing)

    def apply(self, action: Action | str, seat: int | str | None = None) -> Position:
        """Play an action, given by itself or as text, and return the position that it leads to.

        Args:
            seat: who wants to act; by default the seat whose turn it is.

        Raises:
            Illegal: the rules do not allow it; the game stays as it was.
            NotationError: the text is no action.
        """
        before = self.position
        if isinstance(action, str):
            action = self.rules.read(before, action)
        after = self.rules.apply(before, action, seat, self.standing)
        self.steps.append(Step(before.turn, action, after))
        return after

    def score(self) -> dict[str, int]:
        """What each side scores if the deal ends now, by its name."""
        totals = self.rules.score(self.position, self.standing).totals
        return dict(zip(self.rules.ruleset.table.sides, totals, strict=True))

    def view(self, seat: int | str | None = None) -> GameView:
        """All that a seat, or a spectator (None), knows of the deal so far."""
        positions = [self.start, *(step.after for step in self.steps)]
        seen = [
            self.rules.seen(before, step.action, step.after, seat)
            for before, step in zip(positions, self.steps, strict=False)
        ]
        return GameView(self.rules.view(self.start, seat), tuple(seen))

    def record(self) -> str:
        """The deal as a record, in the notation."""
        from biriba import notation
        from biriba.interpreter.recording import deal_record, record

        return notation.format_record(self.rules.ruleset, record(self.rules.ruleset, [deal_record(self)]))
