"""Records of what was played, in the form that `biriba.notation` writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biriba.model.ruleset import Ruleset
from biriba.notation import DealRecord, Move, Record, Result, state

if TYPE_CHECKING:
    from biriba.interpreter.game import Game


def deal_record(game: Game) -> DealRecord:
    """The record of one deal, with its score if it has ended."""
    ruleset = game.rules.ruleset
    moves = tuple(Move(step.seat, state(ruleset, step.action)) for step in game.steps)
    scores = game.rules.score(game.position, game.standing).totals if game.over else None
    return DealRecord(game.start.dealer, game.deck, moves, scores)


def record(ruleset: Ruleset, deals: Sequence[DealRecord], result: Result | None = None) -> Record:
    """The record of several deals, with the result of the match if it has ended."""
    return Record(ruleset.name, ruleset.version, ruleset.digest, tuple(deals), result)
