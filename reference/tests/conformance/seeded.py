"""Faults put into the example in Python on purpose: each a text of the program and what stands there instead."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any

from biriba.conformance import Implementation
from biriba.conformance.protocol import read_implementation
from biriba.data import conformance_dir
from biriba.notation.jsonvalue import Json

FAULTS: dict[str, tuple[tuple[str, str], ...]] = {
    "runs of fourteen": (("len(self.cards) > 13", "len(self.cards) > 14"),),
    "round the corner": (
        ('PLACES = RANKS + "A"', 'PLACES = RANKS + "A23"'),
        ("self.low + len(self.cards) - 1 > 14", "self.low + len(self.cards) - 1 > 16"),
        ("1 <= place <= 14", "1 <= place <= 16"),
        ("range(1, 15 - n + 1)", "range(1, 17 - n + 1)"),
        ("range(1, 13)", "range(1, 15)"),
        ("14 - low + 1", "16 - low + 1"),
    ),
    "no high ace": (("self.low + len(self.cards) - 1 > 14", "self.low + len(self.cards) - 1 > 13"),),
    "two wilds in a meld": (("len(self.substitutes()) > 1", "len(self.substitutes()) > 2"),),
    "no natural two": (
        (
            "return 1 <= place <= 14 and card == PLACES[place - 1] + self.key",
            'return 1 <= place <= 14 and card == PLACES[place - 1] + self.key and card[0] != "2"',
        ),
    ),
    "sets of twos": (('if self.template == "set" and self.key == "2":', "if False:"),),
    "melds of two": (("len(self.cards) < 3", "len(self.cards) < 2"),),
    "no identical copies in a set": (
        (
            "all(n <= COPIES[card] for card",
            'all(n <= (1 if self.template == "set" and card[0] not in "2J" else COPIES[card]) for card',
        ),
    ),
    "sets of at most four suits": (
        (
            'if self.template == "set" and self.key == "2":',
            'if self.template == "set" and (self.key == "2" or len(self.cards) > 8):',
        ),
    ),
    "a biriba of six": (("return len(self.cards) >= 7", "return len(self.cards) >= 6"),),
    "a biriba of eight": (("return len(self.cards) >= 7", "return len(self.cards) >= 8"),),
    "clean sets pay as dirty ones": (("return 300 if self.clean() else 150", "return 150"),),
    "full runs of twelve": (
        ("if len(self.cards) == 13:\n            return 1000", "if len(self.cards) >= 12:\n            return 1000"),
    ),
    "aces of eleven": (("return 15", "return 11"),),
    "sevens of ten": (('in "34567" else', 'in "3456" else'),),
    "jokers of fifty": (("return 20", "return 50"),),
    "the moved wild goes high only": (
        ('found["low", moved] = Meld("run", self.key, self.low - 1, (moved, *cards))', "pass"),
    ),
    "wilds never move": (
        (
            "for i in self.substitutes():\n                if card == PLACES",
            "for i in ():\n                if card == PLACES",
        ),
    ),
    "any card may take the place of a wild": (
        (
            "if card == PLACES[self.low + i - 1] + self.key:",
            "if card in WILDS or card == PLACES[self.low + i - 1] + self.key:",
        ),
    ),
    "the others' melds may grow": (('if m["owner"] != side(self.turn) or m["number"]', 'if m["number"]'),),
    "the ban ignored": (("return card != self.barred and (", "return ("),),
    "the ban for any pile": (("self.discard[-1] if len(self.discard) == 1 else None", "self.discard[-1]"),),
    "the ban outlives the turn": (("self.barred, self.phase = None, ", "self.phase = "),),
    "no card kept": (("(len(self.hand[self.turn]) > 1 or self.has_biriba(mine))", "True"),),
    "two cards kept": (("len(self.hand[self.turn]) > 1 or", "len(self.hand[self.turn]) > 2 or"),),
    "hands may be emptied without a packet": (
        (
            "return self.can_finish()\n\n    def act_extend",
            "return self.can_finish() or not self.hand[self.turn]\n\n    def act_extend",
        ),
    ),
    "takes that cannot be finished": (
        ("        self.begin()\n        return self.can_finish()", "        self.begin()\n        return True"),
    ),
    "a packet without a biriba": (
        ("and self.packet_left() and self.has_biriba(side(self.turn))", "and self.packet_left()"),
    ),
    "a packet in play at once": (("            self.idle[self.turn] = True\n", ""),),
    "a packet that stays idle": (("        self.idle[self.turn] = False\n        self.barred", "        self.barred"),),
    "both packets for one pair": (("return not self.taken[side(self.turn)] and any", "return any"),),
    "the lower packet first": (('"2" if self.packet["2"] else "1"', '"1" if self.packet["1"] else "2"'),),
    "closing without the packet": (
        ("if not self.hand[self.turn] and self.taken[mine]:", "if not self.hand[self.turn]:"),
    ),
    "closing earns two hundred": (("100 if self.closer == owner", "200 if self.closer == owner"),),
    "an idle packet counts as a hand": (
        ("for seat in seats if not self.idle[seat] for card", "for seat in seats for card"),
    ),
    "no fine for the packet": (("0 if self.taken[owner] else -100", "0"),),
    "passes with a stock": (
        ("    def act_pass(self):\n        if self.stock:\n            return False\n", "    def act_pass(self):\n"),
    ),
    "three passes end the deal": (("MOST_PASSES = 4", "MOST_PASSES = 3"),),
    "passes are never set back": (('self.phase, self.passes = "play", 0', 'self.phase = "play"'),),
    "the pile becomes the stock": (
        (
            "        if not self.stock:\n            return False\n",
            "        if not self.stock:\n            self.stock, self.discard = self.discard[:-1], self.discard[-1:]\n"
            "        if not self.stock:\n            return False\n",
        ),
    ),
    "play to the left": (
        (
            "def end_turn(self):\n        self.turn = right(self.turn)",
            "def end_turn(self):\n        self.turn = left(self.turn)",
        ),
    ),
    "exactly 5000 ends": (("best > TARGET", "best >= TARGET"),),
    "a tie ends the match": (("best > TARGET and len(leaders) == 1", "best > TARGET"),),
    "the dealer deals again": (('"next_dealer": right(dealer)', '"next_dealer": dealer'),),
    "hands are seen": (('[("hand", other) for other in SEATS if other != seat]', "[]"),),
    "packets of ten": (
        ("packet += [game.stock.pop() for _ in range(11)]", "packet += [game.stock.pop() for _ in range(10)]"),
    ),
    "the dealer is dealt to first": (
        (
            "                seat = right(seat)\n                game.hand[seat].append(game.stock.pop())",
            "                game.hand[seat].append(game.stock.pop())\n                seat = right(seat)",
        ),
    ),
}


def program() -> str:
    """The example as it is."""
    return (conformance_dir() / "adapters" / "python" / "adapter.py").read_text(encoding="utf-8")


def faulty(fault: str | None) -> str:
    """The example with a fault.

    Raises:
        ValueError: the text that should be replaced is not in the example.
    """
    text = program()
    for old, new in FAULTS[fault] if fault is not None else ():
        if old not in text:
            raise ValueError(f"'{fault}': {old!r} is not in the example")
        text = text.replace(old, new)
    return text


class Example:
    """The example in Python as an engine, with a fault or as it is."""

    def __init__(self, fault: str | None = None) -> None:
        self.module = types.ModuleType("example")
        exec(compile(faulty(fault), "example", "exec"), self.module.__dict__)
        self.implementation: Implementation = read_implementation(Json(self.module.__dict__["IMPLEMENTATION"]))

    def answer(self, case: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        run = self.module.__dict__["Case"](case.get("given", {}))
        answers: list[Mapping[str, Any]] = []
        for question in case["questions"]:
            try:
                answers.append(run.answer(question))
            except Exception as error:
                answers.append({"errored": repr(error)})
        return answers
