"""What effects do: blocks are compiled to functions that change the draft of a position.

Cards are only ever moved, so whatever is taken from one zone is put into another in the same breath.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Code, Constant, Env, Frame
from biriba.model import stmt
from biriba.model.expr import Zone as ZoneRef
from biriba.model.position import Meld, Position
from biriba.model.ruleset import OVER
from biriba.model.stmt import Block


class Draft:
    """A position while a step is under way. Zones hold tuples, as in a position, and are replaced as wholes."""

    __slots__ = ("dealer", "deck", "phase", "states", "turn", "zones")

    def __init__(self, position: Position, deck: tuple[int, ...] = ()) -> None:
        self.phase = position.phase
        self.turn = position.turn
        self.dealer = position.dealer
        self.zones: list[tuple[Any, ...]] = list(position.zones)
        self.states = list(position.states)
        self.deck = deck

    def after(self, effects: Run, frame: Frame) -> Draft:
        """This draft, once it has been changed by effects; the end of the deal cuts them short."""
        try:
            effects(self, frame)
        except _Ended:
            self.phase = OVER
        return self

    def freeze(self) -> Position:
        """The position that the draft has become."""
        return Position(self.phase, self.turn, self.dealer, tuple(self.zones), tuple(self.states))


Run = Callable[[Draft, Frame], None]
"""A compiled effect."""


class _Ended(Exception):
    """The deal has ended, and nothing more takes effect in this step."""


class Effects:
    """Compiles the effects of one rule set."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def block(self, block: Block, env: Env) -> Run:
        """A block as one function."""
        return in_turn([self.compile(effect, env) for effect in block])

    def compile(self, effect: stmt.Effect, env: Env) -> Run:
        """One effect as a function."""
        method: Callable[[Any, Env], Run] | None = getattr(self, f"_{type(effect).__name__.lower()}", None)
        assert method is not None, f"no meaning is given for effects of kind {type(effect).__name__}"
        return method(effect, env)

    # ------------------------------------------------------------ cards

    def _movecard(self, effect: stmt.MoveCard, env: Env) -> Run:
        card, source = self._evaluator.compile(effect.card, env), self._slot(effect.source, env)
        target, put = self._slot(effect.target, env), self._putting(effect.target)
        take = self._taking(effect.source)

        def run(draft: Draft, frame: Frame) -> None:
            moved = card(draft, frame)
            take(draft, source(draft, frame), (moved,))
            put(draft, target(draft, frame), (moved,))

        return run

    def _movetop(self, effect: stmt.MoveTop, env: Env) -> Run:
        count, source = self._evaluator.compile(effect.count, env), self._slot(effect.source, env)
        target, put = self._slot(effect.target, env), self._putting(effect.target)
        called = f"{effect.span}: move"

        def run(draft: Draft, frame: Frame) -> None:
            n, slot = count(draft, frame), source(draft, frame)
            pile = draft.zones[slot]
            assert n <= len(pile), f"{called} {n} cards from a pile of {len(pile)}"
            draft.zones[slot] = pile[: len(pile) - n]
            # Cards are moved one at a time, so they come to lie the other way round.
            put(draft, target(draft, frame), pile[len(pile) - n :][::-1])

        return run

    def _moveall(self, effect: stmt.MoveAll, env: Env) -> Run:
        source, target = self._slot(effect.source, env), self._slot(effect.target, env)
        melds = self._evaluator.rules.zones[effect.source.name].kind == "melds"
        into_melds = self._evaluator.rules.zones[effect.target.name].kind == "melds"
        put = _onto if into_melds else self._putting(effect.target)

        def run(draft: Draft, frame: Frame) -> None:
            slot = source(draft, frame)
            cards = draft.zones[slot]
            if melds and not into_melds:
                cards = tuple(card for meld in cards for card in meld.cards)
            draft.zones[slot] = ()
            put(draft, target(draft, frame), cards)

        return run

    def _lay(self, effect: stmt.Lay, env: Env) -> Run:
        variable = env[effect.meld].slot
        source, target = self._slot(effect.source, env), self._slot(effect.target, env)
        take = self._taking(effect.source)

        def run(draft: Draft, frame: Frame) -> None:
            meld: Meld = frame[variable]
            take(draft, source(draft, frame), meld.cards)
            draft.zones[target(draft, frame)] += (meld,)

        return run

    def _grow(self, effect: stmt.Grow, env: Env) -> Run:
        variable, growing = env[effect.meld].slot, env[effect.growth].slot
        source, take = self._slot(effect.source, env), self._taking(effect.source)

        def run(draft: Draft, frame: Frame) -> None:
            slot, index, _, _ = frame[variable]
            growth = frame[growing]
            take(draft, source(draft, frame), (growth.card,))
            melds = draft.zones[slot]
            draft.zones[slot] = (*melds[:index], growth.result, *melds[index + 1 :])

        return run

    def _shuffle(self, effect: stmt.Shuffle, env: Env) -> Run:
        target, put = self._slot(effect.target, env), self._putting(effect.target)

        def run(draft: Draft, frame: Frame) -> None:
            deck, draft.deck = draft.deck, ()
            put(draft, target(draft, frame), deck[::-1])

        return run

    def _cut(self, effect: stmt.Cut, env: Env) -> Run:
        return lambda draft, frame: None

    def _slot(self, zone: ZoneRef, env: Env) -> Code:
        return self._evaluator.slot_of(zone, env)

    def _putting(self, zone: ZoneRef) -> Callable[[Draft, int, tuple[int, ...]], None]:
        """How cards are put into a zone: on top of a pile, or sorted into a hand."""
        return _onto if self._is_pile(zone) else _into

    def _taking(self, zone: ZoneRef) -> Callable[[Draft, int, tuple[int, ...]], None]:
        """How named cards are taken out of a zone."""
        return _off if self._is_pile(zone) else _out_of

    def _is_pile(self, zone: ZoneRef) -> bool:
        return self._evaluator.rules.zones[zone.name].kind == "pile"

    # ------------------------------------------------------------ everything else

    def _assign(self, effect: stmt.Assign, env: Env) -> Run:
        slot, value = self._evaluator.slot_of(effect.target, env), self._evaluator.compile(effect.value, env)
        if isinstance(slot, Constant):
            fixed: int = slot.value

            def assign(draft: Draft, frame: Frame) -> None:
                draft.states[fixed] = value(draft, frame)

            return assign

        def run(draft: Draft, frame: Frame) -> None:
            draft.states[slot(draft, frame)] = value(draft, frame)

        return run

    def _when(self, effect: stmt.When, env: Env) -> Run:
        condition = self._evaluator.compile(effect.condition, env)
        then, otherwise = self.block(effect.then, env), self.block(effect.otherwise, env)
        if isinstance(condition, Constant):
            return then if condition.value else otherwise

        def run(draft: Draft, frame: Frame) -> None:
            if condition(draft, frame):
                then(draft, frame)
            else:
                otherwise(draft, frame)

        return run

    def _foreach(self, effect: stmt.ForEach, env: Env) -> Run:
        slot, domain, where, inner = self._evaluator.bind(effect.binder, env)
        body = self.block(effect.body, inner)

        def run(draft: Draft, frame: Frame) -> None:
            for value in domain(draft, frame):
                frame[slot] = value
                if where(draft, frame):
                    body(draft, frame)

        return run

    def _repeat(self, effect: stmt.Repeat, env: Env) -> Run:
        times, body = self._evaluator.compile(effect.times, env), self.block(effect.body, env)

        def run(draft: Draft, frame: Frame) -> None:
            for _ in range(times(draft, frame)):
                body(draft, frame)

        return run

    def _withone(self, effect: stmt.WithOne, env: Env) -> Run:
        slot, domain, where, inner = self._evaluator.bind(effect.binder, env)
        body, last = self.block(effect.body, inner), effect.last

        def run(draft: Draft, frame: Frame) -> None:
            values = domain(draft, frame)
            for value in reversed(values) if last else values:
                frame[slot] = value
                if where(draft, frame):
                    body(draft, frame)
                    return

        return run

    def _turnto(self, effect: stmt.TurnTo, env: Env) -> Run:
        seat = self._evaluator.compile(effect.seat, env)

        def run(draft: Draft, frame: Frame) -> None:
            draft.turn = seat(draft, frame)

        return run

    def _goto(self, effect: stmt.GoTo, env: Env) -> Run:
        phase = effect.phase

        def run(draft: Draft, frame: Frame) -> None:
            draft.phase = phase

        return run

    def _enddeal(self, effect: stmt.EndDeal, env: Env) -> Run:
        def run(draft: Draft, frame: Frame) -> None:
            raise _Ended

        return run


def in_turn(effects: list[Run]) -> Run:
    """Several effects as one."""
    if len(effects) == 1:
        return effects[0]
    parts = tuple(effects)

    def run(draft: Draft, frame: Frame) -> None:
        for part in parts:
            part(draft, frame)

    return run


def _onto(draft: Draft, slot: int, cards: tuple[int, ...]) -> None:
    draft.zones[slot] += cards


def _into(draft: Draft, slot: int, cards: tuple[int, ...]) -> None:
    draft.zones[slot] = tuple(sorted(draft.zones[slot] + cards))


def _out_of(draft: Draft, slot: int, cards: tuple[int, ...]) -> None:
    left = list(draft.zones[slot])
    for card in cards:
        left.remove(card)
    draft.zones[slot] = tuple(left)


def _off(draft: Draft, slot: int, cards: tuple[int, ...]) -> None:
    """Of copies of a card in a pile the uppermost is taken."""
    left = list(reversed(draft.zones[slot]))
    for card in cards:
        left.remove(card)
    draft.zones[slot] = tuple(reversed(left))
