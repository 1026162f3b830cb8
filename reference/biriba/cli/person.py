"""A person at the terminal as a player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biriba import notation
from biriba.cli.common import action_text, say
from biriba.model.position import Action, Position

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules

MOST_LISTED = 30
HELP = "A number of the list, an action in words ('discard 7C'), 'all' for the whole list, 'q' to stop."


class Quit(Exception):
    """The person does not want to play on."""


class Person:
    """Asks at the terminal what to play, and answers why something is not allowed."""

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules, self.seat = rules, seat

    def choose(self, position: Position, legal: Sequence[Action]) -> Action:
        self._show(position)
        self._list(legal, MOST_LISTED)
        while True:
            try:
                said = input("> ").strip()
            except EOFError:
                print()
                raise Quit from None
            match said:
                case "":
                    continue
                case "q" | "quit" | "exit":
                    raise Quit
                case "?" | "help" | "h":
                    print(HELP)
                case "all":
                    self._list(legal, len(legal))
                case _ if said.isdecimal() and len(said) < 6:
                    if 1 <= int(said) <= len(legal):
                        return legal[int(said) - 1]
                    print(f"The list goes from 1 to {len(legal)}.")
                case _:
                    action = self._stated(position, said)
                    if action is not None:
                        return action

    def _stated(self, position: Position, text: str) -> Action | None:
        """The action of a text if it is legal; else it is said why not."""
        try:
            action = self.rules.read(position, text)
        except notation.NotationError as error:
            print(error)
            return None
        verdict = self.rules.judge(position, action)
        for rejection in verdict.rejections:
            say(self.rules, rejection.sentence)
        return action if verdict.legal else None

    def _show(self, position: Position) -> None:
        """What the person's seat sees."""
        print()
        hidden = self.rules.view(position, self.seat).hidden
        for field in notation.format_position(self.rules.ruleset, position, hidden).split("; "):
            say(self.rules, f"  {field}")

    def _list(self, legal: Sequence[Action], most: int) -> None:
        for number, action in enumerate(legal[:most], 1):
            say(self.rules, f"{number:4}  {action_text(self.rules, action)}")
        if len(legal) > most:
            print(f"      and {len(legal) - most} more: 'all' lists them")
