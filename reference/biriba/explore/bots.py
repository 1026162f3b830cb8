"""Bots of your own: Python functions that are shown a turn and choose an action.

A bot sees what its seat sees, through the public interface of the interpreter: its view, its legal actions,
and any number of guesses at what it cannot see. It runs in plain Python, whatever the other players are.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from biriba.engine import Engine
from biriba.engine.players import PLAYERS
from biriba.explore.errors import ExploreError
from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.interpreter.view import Hidden, View
from biriba.model.position import Action, Meld, Position, Zone


@dataclass(frozen=True)
class Turn:
    """What a bot is shown when it is to act.

    Attributes:
        rules: the rule set, with everything that it can be asked.
        view: the position as the bot's seat sees it; `view.seat` is its index.
        legal: the legal actions, at least two, in the order of the rules.
        standing: the points of the sides before this deal, and the number of deals played.
        random: the only chance that a bot may use, if its games are to be repeatable.

    Example:
        >>> import biriba
        >>> from random import Random
        >>> rules = biriba.load("biriba")
        >>> game = rules.deal(seed=7)
        >>> seat = game.position.turn
        >>> turn = Turn(rules, rules.view(game.position, seat), tuple(game.legal()), Standing((0, 0), 0), Random(1))
        >>> [turn.text(action) for action in turn.legal]
        ['draw', 'take']
        >>> turn.lead(turn.guess())
        -40
    """

    rules: Rules
    view: View
    legal: tuple[Action, ...]
    standing: Standing
    random: Random

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """The cards that the seat does not see, as faces in the order of the deck's listing."""
        left = Counter({face.index: face.copies for face in self.rules.ruleset.cards.faces})
        for zone in self.view.zones:
            for item in () if isinstance(zone, Hidden) else zone:
                left.subtract(item.cards if isinstance(item, Meld) else (item,))
        return tuple(sorted(left.elements()))

    def guess(self) -> Position:
        """A position that looks the same to the seat: the cards that it does not see lie anywhere."""
        cards = list(self.unseen)
        self.random.shuffle(cards)
        zones: list[Zone] = []
        for slot, zone in enumerate(self.view.zones):
            if isinstance(zone, Hidden):
                kind = self.rules.ruleset.zones[self.rules.layout.zone_slots[slot][0]].kind
                if kind == "melds":
                    raise ExploreError("a bot cannot guess at melds that lie out of sight")
                there, cards = cards[: len(zone)], cards[len(zone) :]
                zones.append(tuple(sorted(there)) if kind == "hand" else tuple(there))
            else:
                zones.append(zone)
        return Position(self.view.phase, self.view.turn, self.view.dealer, tuple(zones), self.view.states)

    def after(self, position: Position, action: Action) -> Position:
        """The position that a legal action leads to from a guess. Errors: `Illegal`."""
        return self.rules.apply(position, action, standing=self.standing)

    def lead(self, position: Position) -> int:
        """By how many points the bot's side would lead the next one if the deal ended in a position."""
        totals = self.rules.score(position, self.standing).totals
        mine = self.rules.ruleset.table.side_of(self.view.turn)
        return totals[mine] - max((t for side, t in enumerate(totals) if side != mine), default=0)

    def text(self, action: Action) -> str:
        """An action in the notation."""
        from biriba import notation

        return notation.format_action(self.rules.ruleset, action)


Bot = Callable[[Turn], Action]


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot in a file; it carries the file's text, so that other processes and machines need no copy of it.

    Attributes:
        file: the file's name, for messages.
        function: the name of the function in it.
    """

    file: str
    text: str
    function: str

    @property
    def name(self) -> str:
        return f"{self.file}:{self.function}"

    def load(self) -> Bot:
        """The function.

        Raises:
            ExploreError: the file cannot be run, or has no such function.
        """
        names: dict[str, Any] = {"__name__": Path(self.file).stem, "__file__": self.file}
        try:
            exec(compile(self.text, self.file, "exec"), names)
        except SyntaxError as error:
            raise ExploreError(f"{self.file}:{error.lineno}: this is no Python: {error.msg}") from None
        except Exception as error:
            raise ExploreError(f"{self.file}{_line(error, self.file)}: {_told(error)}") from None
        found = names.get(self.function)
        if not callable(found):
            there = [n for n, v in names.items() if callable(v) and getattr(v, "__module__", "") == names["__name__"]]
            raise ExploreError(f"{self.file} has no function {self.function!r}; it has: {', '.join(there) or 'none'}")
        bot: Bot = found
        return bot


def read_bot(name: str) -> OwnBot:
    """A bot named as ``FILE.py:FUNCTION``, tried to be loaded.

    Raises:
        ExploreError: there is no such file or function, or it cannot be run.
    """
    file, _, function = name.rpartition(":")
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ExploreError(f"{file}: {reason}; a bot of your own is named FILE.py:FUNCTION") from None
    bot = OwnBot(file, text, function)
    bot.load()
    return bot


def seat_bots(engine: Engine, bots: Sequence[OwnBot]) -> None:
    """Let an engine in plain Python ask these bots: they are the players after the built-in ones, in this order."""
    module, rules = engine.module, Rules(engine.rules)
    functions = [bot.load() for bot in bots]
    generated = vars(module).setdefault("generated_choose", module.choose)

    def choose(state: Any, listed: Any, count: int, random: Any, *room: Any) -> int:
        player = room[-1]
        if player < len(PLAYERS):
            return int(generated(state, listed, count, random, *room))
        if count == 1:
            return 0
        position = engine.position(state)
        legal = tuple(engine.action(state, a) for a in listed[:count])
        chance = Random(random[0])
        random[0] = chance.getrandbits(40)
        turn = Turn(rules, rules.view(position, position.turn), legal, Standing(*engine.standing(state)), chance)
        return _chosen(bots[player - len(PLAYERS)], functions[player - len(PLAYERS)], turn)

    module.choose = choose  # type: ignore[attr-defined]


def _chosen(bot: OwnBot, function: Bot, turn: Turn) -> int:
    try:
        action = function(turn)
    except Exception as error:
        raise ExploreError(f"{bot.file}{_line(error, bot.file)}: {bot.function}: {_told(error)}") from None
    try:
        return turn.legal.index(action)
    except ValueError:
        listed = "; ".join(turn.text(a) for a in turn.legal[:6]) + ("; ..." if len(turn.legal) > 6 else "")
        shown = turn.text(action) if isinstance(action, Action) else repr(action)
        what = "which is not legal there" if isinstance(action, Action) else "no action of turn.legal"
        raise ExploreError(f"{bot.name} chose {shown}, {what}; legal are: {listed}") from None


def _line(error: Exception, file: str) -> str:
    """``:LINE`` of the last line of the file that was being run."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f":{lines[-1]}" if lines else ""


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
