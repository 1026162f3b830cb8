"""From effects of the rules to statements of Python that change the flat state in place."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from biriba.engine.errors import EngineError
from biriba.engine.expressions import UNKNOWN, Env, Expressions
from biriba.engine.layout import FlatLayout
from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.ruleset import Ruleset

_MOVES = {
    ("hand", "hand"): "hand_into_hand",
    ("hand", "pile"): "hand_onto_pile",
    ("pile", "hand"): "pile_into_hand",
    ("pile", "pile"): "pile_onto_pile",
    ("melds", "hand"): "melds_into_hand",
    ("melds", "pile"): "melds_onto_pile",
    ("melds", "melds"): "melds_to_melds",
}


class Effects:
    """Writes the effects of one rule set into the function that is being written."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.rules: Ruleset = expressions.rules
        self.layout: FlatLayout = expressions.layout

    def block(self, block: stmt.Block, env: Env) -> None:
        for effect in block:
            self.write(effect, env)

    def write(self, effect: stmt.Effect, env: Env) -> None:
        """Write one effect."""
        self.expressions.use("S")
        method: Callable[[Any, Env], None] | None = getattr(self, f"_{type(effect).__name__.lower()}", None)
        if method is None:
            raise EngineError(f"{effect.span}: the engine knows no effect {type(effect).__name__}")
        method(effect, env)

    def line(self, text: str) -> None:
        self.expressions.body.line(text)

    def kind(self, zone: x.Zone) -> str:
        return self.rules.zones[zone.name].kind

    # ------------------------------------------------------------ cards

    def _movecard(self, effect: stmt.MoveCard, env: Env) -> None:
        e = self.expressions
        card = e.text(effect.card, env)
        if not card.isidentifier():
            name = e.fresh("card")
            self.line(f"{name} = {card}")
            card = name
        take = "out_of_hand" if self.kind(effect.source) == "hand" else "off_pile"
        put = "into_hand" if self.kind(effect.target) == "hand" else "onto_pile"
        self.line(f"{take}(S, {e.address(effect.source, env)}, {card})")
        self.line(f"{put}(S, {e.address(effect.target, env)}, {card})")

    def _movetop(self, effect: stmt.MoveTop, env: Env) -> None:
        e = self.expressions
        move = "tops_into_hand" if self.kind(effect.target) == "hand" else "tops_onto_pile"
        source, target = e.address(effect.source, env), e.address(effect.target, env)
        if e.known(effect.count) == 1:
            put = "into_hand" if self.kind(effect.target) == "hand" else "onto_pile"
            self.line(f"S[{source}] -= 1")
            self.line(f"{put}(S, {target}, S[{source} + 1 + S[{source}]])")
        else:
            self.line(f"{move}(S, {source}, {target}, {e.text(effect.count, env)})")

    def _moveall(self, effect: stmt.MoveAll, env: Env) -> None:
        move = _MOVES.get((self.kind(effect.source), self.kind(effect.target)))
        if move is None:
            raise EngineError(f"{effect.span}: loose cards cannot be moved among melds")
        e = self.expressions
        self.line(f"{move}(S, {e.address(effect.source, env)}, {e.address(effect.target, env)})")

    def _lay(self, effect: stmt.Lay, env: Env) -> None:
        e = self.expressions
        source, target = e.address(effect.source, env), e.address(effect.target, env)
        self.line(f"meld_from_hand(S, {source}, {target}, {e.use(env[effect.meld])})")

    def _grow(self, effect: stmt.Grow, env: Env) -> None:
        e = self.expressions
        at, growth = e.use(f"{env[effect.meld]}_at"), env[effect.growth]
        take = "out_of_hand" if self.kind(effect.source) == "hand" else "off_pile"
        self.line(f"{take}(S, {e.address(effect.source, env)}, {e.use(growth)} & CARD_MASK)")
        self.line(f"S[{at}] = {e.use(f'{growth}_result')}")
        self.line(f"S[{at} + 1] = UNKNOWN")

    def _shuffle(self, effect: stmt.Shuffle, env: Env) -> None:
        e = self.expressions
        address = e.address(effect.target, env)
        e.use("D")
        if self.kind(effect.target) == "pile":
            self.line(f"S[{address} + 1 + S[{address}] : {address} + 1 + S[{address}] + len(D)] = D[::-1]")
            self.line(f"S[{address}] += len(D)")
            return
        with e.body.block("for i in range(len(D) - 1, -1, -1):"):
            self.line(f"into_hand(S, {address}, D[i])")

    def _cut(self, effect: stmt.Cut, env: Env) -> None:
        pass

    # ------------------------------------------------------------ everything else

    def _assign(self, effect: stmt.Assign, env: Env) -> None:
        e = self.expressions
        self.line(f"{e.cell(effect.target, env)} = {e.text(effect.value, env)}")

    def _when(self, effect: stmt.When, env: Env) -> None:
        e = self.expressions
        condition = e.known(effect.condition)
        if condition is not UNKNOWN:
            self.block(effect.then if condition else effect.otherwise, env)
            return
        with e.body.block(f"if {e.text(effect.condition, env)}:"):
            self.block(effect.then, env)
        if effect.otherwise:
            with e.body.block("else:"):
                self.block(effect.otherwise, env)

    def _foreach(self, effect: stmt.ForEach, env: Env) -> None:
        with ExitStack() as stack:
            inner = self.expressions.loop(stack, effect.binder, env, copies=True, snapshot=True)
            self.block(effect.body, inner)

    def _repeat(self, effect: stmt.Repeat, env: Env) -> None:
        e = self.expressions
        with e.body.block(f"for _ in range({e.text(effect.times, env)}):"):
            self.block(effect.body, env)

    def _withone(self, effect: stmt.WithOne, env: Env) -> None:
        """The first choice, or the last one, is looked for by a function; -1 means that there is none."""
        e, binder = self.expressions, effect.binder
        if binder.type.kind in ("meld", "growth"):
            raise EngineError(f"{effect.span}: the engine chooses no melds here")
        chosen = e.bind(binder.var, env)

        def search(inner: Env) -> None:
            body = e.body
            if effect.last:
                body.line("choice = -1")
                body.bound.add("choice")
            with ExitStack() as stack:
                within = e.loop(stack, binder, inner, copies=False)
                body.line(f"choice = {within[binder.var]}" if effect.last else f"return {within[binder.var]}")
            body.line("return choice" if effect.last else "return -1")

        call = e.helper(f"The {'last' if effect.last else 'first'} choice of {e.clause}.", env, search)
        self.line(f"{chosen} = {call}")
        with e.body.block(f"if {chosen} != -1:"):
            self.block(effect.body, {**env, binder.var: chosen})

    def _turnto(self, effect: stmt.TurnTo, env: Env) -> None:
        self.line(f"S[{self.layout.turn}] = {self.expressions.text(effect.seat, env)}")

    def _goto(self, effect: stmt.GoTo, env: Env) -> None:
        self.line(f"S[{self.layout.phase}] = {self.layout.phase_names[effect.phase]}")

    def _enddeal(self, effect: stmt.EndDeal, env: Env) -> None:
        self.line(f"S[{self.layout.phase}] = {self.layout.phase_names['over']}")
        self.line("return")
