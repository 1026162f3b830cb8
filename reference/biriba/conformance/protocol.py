"""The messages between harness and implementation; conformance/protocol.md describes them.

One JSON object stands on each line. Every message of the harness has a sequence number, which the answer
must repeat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biriba.notation.errors import JsonError
from biriba.notation.jsonvalue import Json
from biriba.scenario.scenario import LEVELS
from biriba.version import __version__

PROTOCOL = 1
"""The version of the protocol that is spoken."""
MOST_TEXT = 400
"""So many characters of a text from outside are repeated in a report."""


class ProtocolError(Exception):
    """What an implementation sent is no answer of the protocol.

    Attributes:
        kind: ``garbage`` (no JSON), ``sequence`` (an answer to something else) or ``form``.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Implementation:
    """What an implementation says of itself.

    Attributes:
        levels: the levels that it can be tested at.
        rulesets: names of the rule sets that it plays by, each with the version, or None for any.
        texts: whether it reads actions that are told as text only.
        reasons: whether its reasons for a rejection are ids of clauses, so that they can be compared.
        omits: names of zones and states that the positions it tells do not have.
    """

    name: str
    version: str
    language: str
    homepage: str = ""
    levels: tuple[str, ...] = LEVELS
    rulesets: Mapping[str, str | None] = field(default_factory=lambda: {"biriba": None})
    texts: bool = True
    reasons: bool = True
    omits: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The member `implementation` of an answer to ``start``."""
        return {
            "name": self.name,
            "version": self.version,
            "language": self.language,
            "homepage": self.homepage,
            "levels": list(self.levels),
            "rulesets": [
                {"name": name} if version is None else {"name": name, "version": version}
                for name, version in self.rulesets.items()
            ],
            "texts": self.texts,
            "reasons": self.reasons,
            "omits": list(self.omits),
        }

    def plays(self, ruleset: tuple[str, str]) -> bool:
        """Whether it says that it plays by a rule set of that name and version."""
        return ruleset[0] in self.rulesets and self.rulesets[ruleset[0]] in (None, ruleset[1])


def read_implementation(value: Json) -> Implementation:
    """What is said of an implementation.

    Raises:
        JsonError: it is not of its form, or names a level that there is not.
    """
    members = value.members(
        "name", "version", "language", "levels", "rulesets", optional=("homepage", "texts", "reasons", "omits")
    )
    rulesets: dict[str, str | None] = {}
    for item in members["rulesets"].items():
        named = item.members("name", optional=("version",))
        rulesets[named["name"].string()] = named["version"].string() if "version" in named else None
    levels = [item.one_of(LEVELS, "level") for item in _some(members["levels"])]
    return Implementation(
        name=_short(members["name"]),
        version=_short(members["version"]),
        language=_short(members["language"]),
        homepage=_short(members["homepage"]) if "homepage" in members else "",
        levels=tuple(level for level in LEVELS if level in levels),
        rulesets=rulesets,
        texts="texts" not in members or members["texts"].boolean(),
        reasons="reasons" in members and members["reasons"].boolean(),
        omits=tuple(item.string() for item in members["omits"].items()) if "omits" in members else (),
    )


def _some(value: Json) -> list[Json]:
    items = value.items()
    if not items:
        raise value.fault("the list is empty")
    return items


def _short(value: Json) -> str:
    return value.string()[:MOST_TEXT]


# ---------------------------------------------------------------- messages of the harness


def start_message(seq: int) -> dict[str, Any]:
    """The first message: the implementation answers who it is and what it can do."""
    return {"cmd": "start", "seq": seq, "protocol": PROTOCOL, "harness": f"biriba {__version__}"}


def run_message(seq: int, case: Mapping[str, Any]) -> dict[str, Any]:
    """The questions of one case."""
    return {"cmd": "run", "seq": seq, "case": case}


def stop_message(seq: int) -> dict[str, Any]:
    """The last message: there is no answer to it, the implementation ends."""
    return {"cmd": "stop", "seq": seq}


# ---------------------------------------------------------------- answers of the implementation


@dataclass(frozen=True, slots=True)
class Answers:
    """What came for a case: answers to all questions, or a reason why there are none."""

    answers: tuple[Json, ...] = ()
    skipped: str | None = None
    errored: str | None = None


def read_started(answer: Any, seq: int) -> Implementation:
    """What an answer to ``start`` says.

    Raises:
        ProtocolError: it is none.
    """
    members = _answer(answer, seq, ("protocol", "implementation"))
    try:
        spoken = members["protocol"].integer()
        if spoken != PROTOCOL:
            raise members["protocol"].fault(f"this harness speaks protocol {PROTOCOL}, not {spoken}")
        return read_implementation(members["implementation"])
    except JsonError as error:
        raise ProtocolError("form", str(error)) from None
    except KeyError as error:
        raise ProtocolError("form", f"the answer to 'start' has no member {error}") from None


def read_answers(answer: Any, seq: int, count: int) -> Answers:
    """What an answer to ``run`` says.

    Args:
        count: how many questions there were.

    Raises:
        ProtocolError: it is none.
    """
    members = _answer(answer, seq, ("answers", "skipped", "errored", "context"))
    told = [name for name in ("answers", "skipped", "errored") if name in members]
    if len(told) != 1:
        raise ProtocolError("form", "an answer to 'run' has one of the members 'answers', 'skipped', 'errored'")
    try:
        if told == ["skipped"]:
            return Answers(skipped=_short(members["skipped"]))
        if told == ["errored"]:
            context = members["context"].value if "context" in members else None
            text = _short(members["errored"])
            return Answers(errored=f"{text} ({str(context)[:MOST_TEXT]})" if context else text)
        items = tuple(members["answers"].items())
    except JsonError as error:
        raise ProtocolError("form", str(error)) from None
    if len(items) != count:
        raise ProtocolError("form", f"there were {count} questions, and there are {len(items)} answers")
    return Answers(answers=items)


def _answer(answer: Any, seq: int, allowed: tuple[str, ...]) -> dict[str, Json]:
    if not isinstance(answer, dict):
        raise ProtocolError("garbage", f"an answer is a JSON object, found {str(answer)[:MOST_TEXT]}")
    found = answer.get("seq")
    if found != seq or isinstance(found, bool):
        raise ProtocolError("sequence", f"expected the answer with seq {seq}, found seq {str(found)[:60]}")
    try:
        return Json(answer).members("seq", optional=allowed)
    except JsonError as error:
        raise ProtocolError("form", str(error)) from None
