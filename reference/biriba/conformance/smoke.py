"""A smoke test: does the adapter speak the protocol at all? What it answers is not judged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from biriba.conformance.child import Child, ChildError
from biriba.conformance.protocol import ProtocolError, read_answers, run_message


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that an adapter must be able to do, and what happened instead."""

    what: str
    passed: bool
    told: str = ""


_MELD = {"text": "9H 9S 9D", "json": {"template": "set", "key": "9", "low": None, "cards": ["9H", "9S", "9D"]}}
_QUESTIONS: tuple[tuple[str, list[dict[str, Any]]], ...] = (
    ("one question", [{"meld": _MELD, "tell": []}]),
    ("several questions", [{"meld": _MELD, "tell": []}, {"layouts": ["9H", "9S", "9D"]}, {"value": ["9H"]}]),
    ("a question that there is not", [{"no such question": True}]),
    ("letters beyond ASCII", [{"judge": {"text": "dräw ♥"}}]),
    ("a question after one that it could not answer", [{"value": ["9H", "9S"]}]),
)


def smoke(command: Sequence[str], timeout: float = 10.0, startup: float = 20.0) -> list[Check]:
    """Start an adapter, ask it a few things and stop it; any answer that is of its form will do."""
    return asyncio.run(_smoke(command, timeout, startup))


async def _smoke(command: Sequence[str], timeout: float, startup: float) -> list[Check]:
    child = Child(command, startup)
    checks: list[Check] = []
    try:
        who = await child.start()
        checks.append(Check(f"it starts, and says that it is {who.name} {who.version}", True))
        checks.append(Check(f"it claims the levels {', '.join(who.levels)}", True))
        for what, questions in _QUESTIONS:
            case = {"ruleset": {"name": next(iter(who.rulesets), "biriba"), "version": "1.0.0"}, "questions": questions}
            answer, seq = await child.ask(partial(run_message, case=case), timeout)
            told = read_answers(answer, seq, len(questions))
            checks.append(Check(f"it answers {what}", True, told.errored or told.skipped or ""))
        process = child._process
        await child.stop()
        code = process.returncode if process is not None else None
        checks.append(Check("it ends when it is told to stop", code == 0, f"exit code {code}"))
    except (ChildError, ProtocolError) as error:
        printed = f"; it printed: {child.stderr}" if child.stderr else ""
        checks.append(Check(f"after {checks[-1].what if checks else 'it was started'}", False, f"{error}{printed}"))
        await child.stop()
    return checks
