"""What is said of a property: proved, refuted with a position to look at, or unknown; never nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

PROVED, REFUTED, UNKNOWN, NOTED = "proved", "refuted", "unknown", "noted"
"""`noted` is for findings that are no verdict: an overlap, a clause that decides nothing."""


@dataclass(frozen=True)
class Witness:
    """A position and actions that show something, in the notation.

    Attributes:
        position, actions: their canonical texts.
        after: the text of the position that they lead to, None if the last action is rejected.
        json: the position and the last action as JSON.
        shows: what the interpreter says of it: violated clauses.
        confirmed: whether the interpreter was asked and agreed.
        reachable: how it comes about in a deal from a deck, or how far that was searched.
        deal: such a deal: its dealer, its deck, and the actions, the last of which is what is shown.
    """

    position: str
    actions: tuple[str, ...]
    after: str | None
    json: dict[str, Any]
    shows: tuple[str, ...]
    confirmed: bool
    reachable: str | None = None
    deal: dict[str, Any] | None = None


@dataclass(frozen=True)
class Result:
    """A verdict.

    Attributes:
        group: which kind of property: `invariant`, `deal`, ...
        subject: the clause concerned.
        about: the action concerned, or another part of the property; may be empty.
        status: one of the words above.
        seconds: the time spent.
        note: what else there is to know.
    """

    group: str
    subject: str
    about: str
    status: str
    seconds: float
    note: str = ""
    witness: Witness | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(value: dict[str, Any]) -> Result:
        witness = value["witness"]
        if witness is not None:
            witness = Witness(**{**witness, "actions": tuple(witness["actions"]), "shows": tuple(witness["shows"])})
        return Result(**{**value, "witness": witness})


def together(results: Iterable[Result]) -> list[Result]:
    """One result for each property and action, made of those of all its cases: the worst of them counts."""
    worst = {REFUTED: 3, UNKNOWN: 2, NOTED: 1, PROVED: 0}
    found: dict[tuple[str, str, str], Result] = {}
    for result in results:
        key = (result.group, result.subject, result.about)
        before = found.get(key)
        if before is None:
            found[key] = result
            continue
        chosen = result if worst[result.status] > worst[before.status] else before
        found[key] = Result(
            *key, chosen.status, before.seconds + result.seconds, chosen.note, chosen.witness or before.witness
        )
    return list(found.values())
