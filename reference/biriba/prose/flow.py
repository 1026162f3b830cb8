"""How a turn and a deal go, read off the actions: between which phases they lead, and what the deal does in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from biriba.model import stmt
from biriba.model.ruleset import OVER, Ruleset
from biriba.prose.expressions import readable


@dataclass(frozen=True, slots=True)
class Arrow:
    """An action between two phases.

    Attributes:
        action: its name.
        source, target: phases; `target` is ``over`` when the deal may end.
        passes_turn: whether another player has the turn then.
        clause: the clause of the action, or the one that ends the deal.
    """

    action: str
    source: str
    target: str
    passes_turn: bool
    clause: str


def arrows(rules: Ruleset) -> tuple[Arrow, ...]:
    """All ways from phase to phase, in the order of the actions."""
    found: list[Arrow] = []
    for action in rules.actions.values():
        blocks = [(action.effects, action.clause)]
        blocks += [(c.effects, c.clause) for c in rules.consequences if c.action == action.name]
        effects = [(effect, clause) for block, clause in blocks for effect in stmt.walk(block)]
        targets = [effect.phase for effect, _ in effects if isinstance(effect, stmt.GoTo)]
        turn = any(isinstance(effect, stmt.TurnTo) for effect, _ in effects)
        endings = [clause for effect, clause in effects if isinstance(effect, stmt.EndDeal)]
        for phase in action.phases:
            target = targets[-1] if targets else phase
            found.append(Arrow(action.name, phase, target, turn, action.clause))
            if endings:
                found.append(Arrow(action.name, phase, OVER, False, endings[0]))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class DealLine:
    """A step of the deal in a few words, and its clause."""

    text: str
    clause: str


def deal_lines(rules: Ruleset) -> tuple[DealLine, ...]:
    """The steps of the deal, in order, numbers filled in where they are known."""
    return tuple(DealLine("; ".join(_texts(rules, step.effects)), step.clause) for step in rules.deal)


def _texts(rules: Ruleset, block: stmt.Block) -> Iterator[str]:
    for effect in block:
        yield effect_text(rules, effect)


def effect_text(rules: Ruleset, effect: stmt.Effect) -> str:
    """An effect on one line, in the words of the rule language, numbers for parameters."""

    def text(node: object) -> str:
        from biriba.model.expr import Node

        assert isinstance(node, Node)
        return readable(rules, node)

    match effect:
        case stmt.MoveCard(card=card, source=source, target=target):
            return f"move {text(card)} from {text(source)} to {text(target)}"
        case stmt.MoveTop(count=count, source=source, target=target):
            return f"move {text(count)} from {text(source)} to {text(target)}"
        case stmt.MoveAll(source=source, target=target):
            return f"move all of {text(source)} to {text(target)}"
        case stmt.Lay(meld=meld, source=source, target=target):
            return f"lay {meld} from {text(source)} to {text(target)}"
        case stmt.Grow(meld=meld, growth=growth, source=source):
            return f"grow {meld} by {growth} from {text(source)}"
        case stmt.Assign(target=target, value=value):
            return f"{text(target)} := {text(value)}"
        case stmt.When(condition=condition, then=then, otherwise=otherwise):
            rest = f" else: {'; '.join(_texts(rules, otherwise))}" if otherwise else ""
            return f"when {text(condition)}: {'; '.join(_texts(rules, then))}{rest}"
        case stmt.ForEach(binder=binder, body=body):
            return f"for each {binder.var}: {'; '.join(_texts(rules, body))}"
        case stmt.Repeat(times=times, body=body):
            return f"repeat {text(times)} times: {'; '.join(_texts(rules, body))}"
        case stmt.WithOne(last=last, binder=binder, body=body):
            return f"with {'last' if last else 'first'} {binder.var}: {'; '.join(_texts(rules, body))}"
        case stmt.TurnTo(seat=seat):
            return f"turn goes to {text(seat)}"
        case stmt.GoTo(phase=phase):
            return f"go to {phase}"
        case stmt.EndDeal():
            return "end the deal"
        case stmt.Shuffle(target=target):
            return f"shuffle the deck into {text(target)}"
        case stmt.Cut(target=target, seat=seat):
            return f"cut {text(target)} by {text(seat)}"
        case _:
            raise TypeError(f"no such effect: {type(effect).__name__}")
