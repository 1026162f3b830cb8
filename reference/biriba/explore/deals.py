"""Playing many deals: a shard is a run of deals that one process plays.

Everything in a deal follows from the run's seed and the deal's number, so results do not depend on how
the deals are spread over processes and machines.
"""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from biriba.engine import Engine, EngineError
from biriba.engine.layout import NONE
from biriba.engine.players import PLAYERS
from biriba.explore.bots import OwnBot, read_bot, seat_bots
from biriba.explore.errors import ExploreError
from biriba.model.position import Position
from biriba.model.ruleset import Ruleset

MOST_TURNS = 400
"""Turns that the curve of points holds; later turns count for the last."""
MOST_DEALS = 500
"""A match is broken off after so many deals."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Deals, or matches, `first` up to `first + count`.

    Attributes:
        rules: the rule set, pickled.
        digest: the hash of the rule set, by which its engine is kept.
        players: by seat, the number of the player.
        limit: actions after which a deal is broken off.
        matches: play whole matches.
        fast: compile the engine with numba.
        bots: players of the user's own, numbered after the built-in ones.
    """

    rules: bytes
    digest: str
    players: tuple[int, ...]
    seed: str
    first: int
    count: int
    limit: int
    matches: bool = False
    fast: bool = False
    bots: tuple[OwnBot, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a shard: by column its values (None: none), and the curve of points by turn.

    The curve has, for each turn, the sum of the points of each side when the turn began, and how many there were.
    """

    first: int
    columns: dict[str, list[int | None]]
    curve: list[int]


def chance(seed: str, number: int) -> int:
    """The state of the random numbers with which deal `number` begins."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest()[:5], "big")


def columns_of(engine: Engine, *, matches: bool) -> list[tuple[str, str]]:
    """The columns of a table of deals, with what they mean."""
    head = [("deal", "number of the deal in the run"), ("chance", "what all chance in the deal follows from")]
    if matches:
        head += [("match", "number of the match in the run"), ("deal_of_match", "number of the deal in its match")]
        head += [("match_ends", "1 in the last deal of a match"), ("match_winner", "side that won it; empty: none")]
    return head + [(column.name, column.text) for column in engine.columns]


@lru_cache(maxsize=8)
def _engine(digest: str, rules: bytes, fast: bool) -> Engine:
    return Engine(pickle.loads(rules), fast=fast)


def engine_of(shard: Shard) -> Engine:
    """The engine for a shard, kept for the next one."""
    return _engine(shard.digest, shard.rules, shard.fast)


def can_be_fast(rules: Ruleset) -> bool:
    """Whether numba is installed and can hold the rule set."""
    try:
        Engine(rules, fast=True)
    except EngineError:
        return False
    return True


class Table:
    """The cells that an engine needs to play deals."""

    def __init__(self, engine: Engine, players: tuple[int, ...], bots: tuple[OwnBot, ...] = ()) -> None:
        self.engine = engine
        if bots:
            seat_bots(engine, bots)
        length = engine.module.LENGTH
        self.state, self.guess, self.trial = (engine.ints(length) for _ in range(3))
        self.lines, self.row, self.random = engine.score_lines(), engine.ints(engine.module.ROW), engine.ints(3)
        sides = len(engine.rules.table.sides)
        self.curve = engine.ints((sides + 1) * MOST_TURNS)
        self.players = engine.array(players)
        self.sorted = engine.array([face.index for face in engine.rules.cards.faces for _ in range(face.copies)])
        self.buffer = engine.ints(1 << 12)

    def play(
        self, chance: int, dealer: int, limit: int, totals: tuple[int, ...] = (), deals: int = 0
    ) -> list[int | None]:
        """Play a deal; returns the cells of its record."""
        module = self.engine.module
        while True:
            self.random[0] = chance
            deck, curve = self.sorted.copy(), self.curve.copy()
            module.shuffle(deck, self.random)
            self.engine.set_match(self.state, totals, deals)
            module.deal(self.state, deck, dealer)
            try:
                module.whole_deal(
                    self.state, self.buffer, self.random, self.guess, self.trial, self.lines,
                    self.players, limit, self.row, self.curve,
                )  # fmt: skip
            except OverflowError:
                # More actions are legal than there is room for: once more, with more room.
                self.buffer, self.curve = self.engine.ints(4 * len(self.buffer)), curve
                continue
            return [None if value == NONE else int(value) for value in self.row]


def play_shard(shard: Shard) -> Played:
    """Play all deals of a shard."""
    engine = engine_of(shard)
    table = Table(engine, shard.players, shard.bots)
    names = [name for name, _ in columns_of(engine, matches=shard.matches)]
    rows = _matches(engine, table, shard) if shard.matches else _deals(engine, table, shard)
    columns = {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)}
    return Played(shard.first, columns, [int(n) for n in table.curve])


def _deals(engine: Engine, table: Table, shard: Shard) -> list[list[int | None]]:
    seats = len(engine.rules.table.seats)
    rows: list[list[int | None]] = []
    for number in range(shard.first, shard.first + shard.count):
        start = chance(shard.seed, number)
        rows.append([number, start, *table.play(start, number % seats, shard.limit)])
    return rows


def _matches(engine: Engine, table: Table, shard: Shard) -> list[list[int | None]]:
    from biriba.interpreter.frame import Standing
    from biriba.interpreter.rules import Rules

    rules = Rules(engine.rules)
    sides = len(engine.rules.table.sides)
    points = [column.name for column in engine.columns].index(f"score_{engine.rules.table.sides[0]}")
    rows: list[list[int | None]] = []
    for match in range(shard.first, shard.first + shard.count):
        totals, dealer = (0,) * sides, rules.matches.first_dealer(f"{shard.seed}/{match}")
        for deal in range(MOST_DEALS):
            start = chance(f"{shard.seed}/{match}", deal)
            row = table.play(start, dealer, shard.limit, totals, deal)
            totals = tuple(t + (row[points + side] or 0) for side, t in enumerate(totals))
            standing, last = Standing(totals, deal + 1), engine.position(table.state)
            over = bool(rules.matches.ended_by(standing, last))
            winner = rules.matches.winner(standing, last) if over else None
            rows.append([len(rows), start, match, deal, int(over), winner, *row])
            if over:
                break
            dealer = rules.matches.next_dealer(standing, last)
    return rows


def players_of(names: str, rules: Ruleset) -> tuple[tuple[int, ...], tuple[OwnBot, ...]]:
    """The players by seat, and the user's own among them.

    Args:
        names: one for all, one for each side, or one for each seat, with commas between them; each is that of a
            built-in player, or FILE.py:FUNCTION.

    Raises:
        ExploreError: there is no such player, or the number of names fits neither seats nor sides.
    """
    wanted = [name.strip() for name in names.split(",")]
    own = {name: read_bot(name) for name in dict.fromkeys(wanted) if name not in PLAYERS and ":" in name}
    known = [*PLAYERS, *own]
    for name in wanted:
        if name not in known:
            raise ExploreError(
                f"there is no bot {name!r}; there are: {', '.join(PLAYERS)}, and your own as FILE.py:FUNCTION"
            )
    seats, sides = len(rules.table.seats), len(rules.table.sides)
    if len(wanted) == 1:
        wanted *= seats
    elif len(wanted) == sides:
        wanted = [wanted[rules.table.side_of(seat)] for seat in range(seats)]
    elif len(wanted) != seats:
        raise ExploreError(f"{len(wanted)} bots are named, and there are {sides} sides and {seats} seats")
    return tuple(known.index(name) for name in wanted), tuple(own.values())


def endless(engine: Engine, most: int = 3000) -> list[str]:
    """The actions of a play that comes to the same position again, and so can go on for ever; none if none was found.

    Tried are players who prefer one action whenever it is legal, and else do the last one listed.
    """
    rules = engine.rules
    deck = [face.index for face in rules.cards.faces for _ in range(face.copies)]
    shuffled = engine.array(deck)
    engine.module.shuffle(shuffled, engine.array([1, 0, 0]))
    for favourite in rules.actions:
        state: Any = engine.deal([int(card) for card in shuffled], 0)
        seen: dict[Position, int] = {}
        names: list[str] = []
        for step in range(most):
            if engine.over(state):
                break
            key = engine.position(state)
            if key in seen:
                return names[seen[key] :]
            seen[key] = step
            legal = engine.legal(state)
            if not legal:
                break
            action = next((a for a in legal if engine.name(a) == favourite), legal[-1])
            names.append(engine.name(action))
            engine.play(state, action)
    return []
