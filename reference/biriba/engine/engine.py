"""The engine of a rule set: what the interpreter does, on flat states and faster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from biriba.engine import runtime
from biriba.engine.actions import NUMBER_OFFSET, choices
from biriba.engine.errors import EngineError
from biriba.engine.generate import Generator
from biriba.engine.layout import NONE
from biriba.engine.players import Column
from biriba.model.position import Action, Growth, LaidMeld, Layout, Meld, Position, Zone
from biriba.model.ruleset import Ruleset

State = Any
"""A state: a list of integers, or an array of them under numba."""

MOST_ACTIONS = 1 << 12
ENDS = (None, "low", "high")


class Engine:
    """A generated engine.

    Attributes:
        rules: its rule set.
        source: its source.
        module: the functions of the source.

    Example:
        >>> import biriba
        >>> from biriba.engine import Engine
        >>> rules = biriba.load("biriba")
        >>> engine = Engine(rules.ruleset)
        >>> state = engine.state(rules.deal(seed=7).position)
        >>> [engine.action(state, a).name for a in engine.legal(state)]
        ['draw', 'take']
    """

    def __init__(self, rules: Ruleset, *, fast: bool = False) -> None:
        self.rules = rules
        self.generator = Generator(rules)
        self.source = self.generator.source()
        self.fast = fast
        self.module: ModuleType
        if fast:
            from biriba.engine import fast as numba_runtime

            self.module = numba_runtime.load(self.generator, self.source)
        else:
            self.module = runtime.execute(self.source, f"<engine of {rules.name}>", runtime.plain())
        self._codec, self._layout, self._packing = self.generator.codec, self.generator.layout, self.generator.packing
        self._zones = Layout(rules)
        self._phases = {i: phase for phase, i in self._layout.phases.items()}
        self._actions = list(rules.actions.values())
        self._buffer = self.ints(MOST_ACTIONS)

    # ------------------------------------------------------------ states

    def ints(self, n: int) -> Any:
        """A list or array of zeros."""
        return self.module.ints(n)

    def deal(self, deck: Sequence[int], dealer: int, totals: Sequence[int] = (), deals: int = 0) -> State:
        """The state right after a deal of a deck, its first card first, as faces."""
        state = self.ints(self._layout.length)
        self.set_match(state, totals, deals)
        self.module.deal(state, self.array(deck), dealer)
        return state

    def array(self, values: Sequence[int]) -> Any:
        """A list or array of values."""
        cells = self.ints(len(values))
        for i, value in enumerate(values):
            cells[i] = value
        return cells

    def set_match(self, state: State, totals: Sequence[int], deals: int) -> None:
        """Set how the match stands: points by side and deals played."""
        constants = self._layout.constants
        for side, points in enumerate(totals):
            state[constants[self._layout.totals] + side] = points
        state[constants[self._layout.deals]] = deals

    def standing(self, state: State) -> tuple[tuple[int, ...], int]:
        """How the match stands in a state: points by side and deals played."""
        constants = self._layout.constants
        totals = constants[self._layout.totals]
        sides = range(len(self.rules.table.sides))
        return tuple(int(state[totals + side]) for side in sides), int(state[constants[self._layout.deals]])

    def state(self, position: Position, totals: Sequence[int] = (), deals: int = 0) -> State:
        """The state of a position.

        Raises:
            EngineError: the position cannot be one of these rules.
        """
        layout, constants = self._layout, self._layout.constants
        state = self.ints(layout.length)
        self.set_match(state, totals, deals)
        state[constants[layout.phase]] = layout.phases[position.phase]
        state[constants[layout.turn]] = position.turn
        state[constants[layout.dealer]] = position.dealer
        for (name, i), value in zip(self._zones.state_slots, position.states, strict=True):
            state[layout.states[name].address(i)] = NONE if value is None else int(value)
        for (name, i), zone in zip(self._zones.zone_slots, position.zones, strict=True):
            self._fill(state, layout.zones[name].address(i), self.rules.zones[name].kind, zone)
        return state

    def _fill(self, state: State, address: int, kind: str, zone: Zone) -> None:
        if len(zone) > self.rules.cards.total:
            raise EngineError("a zone has more cards than the deck")
        for item in zone:
            if isinstance(item, Meld):
                self.module.lay_meld(state, address, self._codec.pack(item))
            elif kind == "hand":
                if zone.count(item) > self._layout.planes:
                    raise EngineError("a hand has more copies of a card than the deck")
                self.module.into_hand(state, address, item)
            else:
                self.module.onto_pile(state, address, item)

    def position(self, state: State) -> Position:
        """The position of a state."""
        layout, constants = self._layout, self._layout.constants
        zones: list[Zone] = []
        for name, i in self._zones.zone_slots:
            address = layout.zones[name].address(i)
            match self.rules.zones[name].kind:
                case "hand":
                    zones.append(tuple(int(c) for c in self.module.hand_cards(state, address)))
                case "pile":
                    zones.append(tuple(int(c) for c in self.module.pile_cards(state, address)))
                case _:
                    cells = range(address + 1, address + 1 + 2 * int(state[address]), 2)
                    zones.append(tuple(self._codec.unpack(int(state[cell])) for cell in cells))
        states: list[int | bool | None] = []
        for name, i in self._zones.state_slots:
            value = int(state[layout.states[name].address(i)])
            is_bool = self.rules.states[name].type.kind == "bool"
            states.append(None if value == NONE else bool(value) if is_bool else value)
        phase = self._phases[int(state[constants[layout.phase]])]
        turn, dealer = int(state[constants[layout.turn]]), int(state[constants[layout.dealer]])
        return Position(phase, turn, dealer, tuple(zones), tuple(states))

    def over(self, state: State) -> bool:
        """Whether the deal has ended."""
        return bool(state[self._layout.constants[self._layout.phase]] == 0)

    @property
    def columns(self) -> list[Column]:
        """What is recorded of a deal."""
        return self.generator.players.columns

    # ------------------------------------------------------------ actions

    def name(self, packed: int) -> str:
        """The name of an action."""
        return self._actions[packed & ((1 << self._packing.number_bits) - 1)].name

    def legal(self, state: State) -> list[int]:
        """The legal actions, in canonical order."""
        while True:
            try:
                return [int(a) for a in self._buffer[: self.module.legal(state, self._buffer)]]
            except OverflowError:
                self._buffer = self.ints(4 * len(self._buffer))

    def play(self, state: State, action: int) -> None:
        """Do a legal action; the state changes."""
        self.module.play(state, action)

    def rejected(self, state: State, action: int) -> tuple[str, ...]:
        """The clauses that forbid an action of the seat to act, as the interpreter names them; none if it is legal.

        Raises:
            EngineError: the meld does not grow in such a way, and of that the engine knows no clause.
        """
        clauses = list(self.rules.clauses)
        found = self.ints(len(clauses) + len(self.rules.guards))
        count = int(self.module.why(state, action, found))
        if count < 0:
            raise EngineError(
                f"{self.name(action)}: this growth is not lawful; ask the interpreter which clause forbids it"
            )
        return tuple(clauses[i] for i in sorted({int(i) for i in found[:count]}))

    def replay(self, state: State, actions: Iterable[int | Action]) -> None:
        """Play actions one after another; the state changes up to the first that is not legal.

        Raises:
            EngineError: an action is not legal, with its number from 1 and the clauses that forbid it.
        """
        for number, wanted in enumerate(actions, 1):
            packed = self.pack(wanted) if isinstance(wanted, Action) else wanted
            if packed not in self.legal(state):
                clauses = ", ".join(self.rejected(state, packed))
                raise EngineError(f"action {number}, {self.name(packed)}, is forbidden by {clauses}")
            self.play(state, packed)

    def action(self, state: State, packed: int) -> Action:
        """An action as the interpreter has it; the state is that in which it is to be done."""
        decl = self._actions[packed & ((1 << self._packing.number_bits) - 1)]
        args: list[object] = []
        for field in self._packing.fields[decl.name]:
            value = packed >> field.at & field.mask
            match field.param.domain:
                case "new_meld":
                    args.append(self._codec.unpack(value))
                case "laid_meld":
                    args.append(self._laid(state, field.param.zone.name if field.param.zone else "", value))
                case "growth":
                    laid = args[[p.name for p in decl.params].index(field.param.of or "")]
                    assert isinstance(laid, LaidMeld)
                    args.append(self._growth(laid.meld, value))
                case "number":
                    args.append(value - NUMBER_OFFSET)
                case "value":
                    chosen = value - 1 if field.param.type.optional else value
                    args.append(None if chosen < 0 else bool(chosen) if field.param.type.kind == "bool" else chosen)
                case _:
                    args.append(value)
        return Action(decl.name, tuple(args))

    def _laid(self, state: State, zone: str, at: int) -> LaidMeld:
        place = self._layout.zones[zone]
        owner, rest = divmod(at - place.address(0), place.stride)
        slot = self._zones.zone_base[zone] + owner
        return LaidMeld(slot, (rest - 1) // 2, owner, self._codec.unpack(int(state[at])))

    def _growth(self, meld: Meld, value: int) -> Growth:
        result = self._codec.unpack(int(self.module.result_of(self._codec.pack(meld), value)))
        return Growth(value & 255, result, ENDS[value >> 8 & 3], (value >> 10) or None)

    def pack(self, action: Action) -> int:
        """The integer of an action, legal or not.

        Raises:
            EngineError: these rules have no such action, or its arguments cannot be.
        """
        names = [decl.name for decl in self._actions]
        if action.name not in names:
            raise EngineError(f"there is no action {action.name!r}")
        packed = names.index(action.name)
        for field, arg in zip(self._packing.fields[action.name], action.args, strict=True):
            match arg:
                case Meld():
                    value = self._codec.pack(arg)
                case LaidMeld():
                    zone, _ = self._zones.zone_slots[arg.slot]
                    value = self._layout.zones[zone].address(arg.owner) + 1 + 2 * arg.index
                case Growth():
                    value = arg.card | ENDS.index(arg.end) << 8 | (arg.moved or 0) << 10
                case None:
                    value = 0
                case int():
                    value = self._value(arg, field.param.domain, field.param.type.optional)
                case _:
                    raise EngineError(f"this is no argument of an action: {arg!r}")
            if value != value & field.mask:
                raise EngineError(f"an argument is out of range: {arg!r}")
            packed |= value << field.at
        return packed

    def _value(self, arg: int, domain: str, optional: bool) -> int:
        if domain == "number":
            return arg + NUMBER_OFFSET
        return arg + 1 if domain == "value" and optional else arg

    # ------------------------------------------------------------ score and volume

    def score(self, state: State) -> list[int]:
        """The points of each side if the deal ended now."""
        return [int(points) for points in self.module.score(state, self.score_lines())]

    def score_lines(self) -> Any:
        """Room for the score sheet: for each line, the points of each side."""
        return self.ints(max(1, len(self.rules.score)) * len(self.rules.table.sides))

    def perft(self, state: State, depth: int) -> int:
        """How many sequences of so many legal actions there are."""
        if depth == 0:
            return 1
        legal = self.legal(state)
        if depth == 1:
            return len(legal)
        found = 0
        for action in legal:
            after = state.copy()
            self.module.play(after, action)
            found += self.perft(after, depth - 1)
        return found

    def playout(self, state: State, random: Any, limit: int) -> int:
        """Play at random to the end, at most so many actions; returns how many were played.

        Args:
            random: three cells: the state of the random numbers, and counts of actions and of choices.
        """
        before, start = state.copy(), random.copy()
        while True:
            try:
                return int(self.module.playout(state, self._buffer, random, limit))
            except OverflowError:
                self._buffer = self.ints(4 * len(self._buffer))
                state[:], random[:] = before, start


__all__ = ["Engine", "State", "choices"]
