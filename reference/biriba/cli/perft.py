"""The command `biriba perft`: counts of legal sequences, to compare engines by."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from biriba.cli import common
from biriba.cli.common import (
    DEFAULT_RULES,
    OK,
    GivenOption,
    JsonOption,
    PositionArgument,
    RulesOption,
    answers,
    emit_json,
)


@answers
def perft(
    position: PositionArgument,
    depth: Annotated[int, typer.Option("--depth", "-d", min=1, max=12, help="The longest sequences.")] = 3,
    divide: Annotated[bool, typer.Option("--divide", help="Count by the first action, to hunt a difference.")] = False,
    given: GivenOption = False,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Count the sequences of legal actions from a position.

    Any two engines must agree on these numbers. Where they do not, --divide says after which action, and the
    same command on the position after that action goes on from there.
    """
    from biriba.scenario.perft import counts
    from biriba.scenario.perft import divide as divided

    loaded = common.load_rules(rules)
    start = common.read_position(loaded, position, given=given)
    if divide:
        found = {common.action_text(loaded, action): count for action, count in divided(loaded, start, depth)}
        if as_json:
            emit_json({"depth": depth, "divide": found, "count": sum(found.values())})
            return OK
        for text, count in found.items():
            common.say(loaded, f"{count:>12}  {text}")
        print(f"{sum(found.values()):>12}  all, depth {depth}")
        return OK
    begun = time.perf_counter()
    numbers = counts(loaded, start, depth)
    if as_json:
        emit_json({"perft": numbers})
        return OK
    for n, count in enumerate(numbers, 1):
        print(f"depth {n:>2}  {count:>12}")
    print(f"{time.perf_counter() - begun:.2f} s")
    return OK
