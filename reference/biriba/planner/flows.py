"""Which zones the actions of a rule set move cards into and out of, as far as can be told without playing."""

from __future__ import annotations

from dataclasses import dataclass

from biriba.model import stmt
from biriba.model.position import Layout
from biriba.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Flows:
    """Names of zones.

    Attributes:
        into: those that cards come into by actions.
        swept: those that are emptied at once.
        sealed: those whose cards stay together: none come in, and none leave but all of them.
    """

    into: frozenset[str]
    swept: frozenset[str]
    sealed: frozenset[str]

    @staticmethod
    def of(rules: Ruleset) -> Flows:
        """The flows of all actions and their consequences; the deal is none of them."""
        blocks = [action.effects for action in rules.actions.values()]
        blocks += [consequence.effects for consequence in rules.consequences]
        effects = [effect for block in blocks for effect in stmt.walk(block)]
        moves = (stmt.MoveCard, stmt.MoveTop, stmt.MoveAll, stmt.Lay)
        into = {effect.target.name for effect in effects if isinstance(effect, moves)}
        grown = {zone.name for zone in rules.zones.values() if zone.kind == "melds"}
        into |= grown if any(isinstance(effect, stmt.Grow) for effect in effects) else set()
        swept = {effect.source.name for effect in effects if isinstance(effect, stmt.MoveAll)}
        singly = (stmt.MoveCard, stmt.MoveTop, stmt.Lay, stmt.Grow)
        broken = into | {effect.source.name for effect in effects if isinstance(effect, singly)}
        return Flows(frozenset(into), frozenset(swept), frozenset(swept - broken))


def sealed_slots(rules: Ruleset, layout: Layout) -> list[int]:
    """The slots of the sealed zones."""
    sealed = Flows.of(rules).sealed
    return [slot for slot, (name, _) in enumerate(layout.zone_slots) if name in sealed]
