"""The command `biriba plan`: a deck and actions that lead to a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from biriba.cli import common
from biriba.cli.common import (
    DEFAULT_RULES,
    NO,
    OK,
    UNKNOWN,
    GivenOption,
    JsonOption,
    PositionArgument,
    RulesOption,
    answers,
    emit_json,
)

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules
    from biriba.planner import Plan


@answers
def plan(
    position: PositionArgument,
    given: GivenOption = False,
    more_melds: Annotated[
        bool, typer.Option("--more-melds", "-m", help="Further melds may lie beside those of the position.")
    ] = False,
    record: Annotated[bool, typer.Option("--record", help="Print a record, for `biriba replay`.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, max=3600, help="Processor time at most.")] = 60.0,
    seed: Annotated[str, typer.Option("--seed", help="Equal seeds find equal deals.")] = "0",
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Find a deal that leads to a position: a deck, and legal actions from there.

    With --given, only what is told of the position must come about, and what is not told may be anything. The exit
    code is 1 if it is certain that no deal leads there, 4 if none was found.
    """
    from biriba.planner import Goal
    from biriba.planner import plan as planned
    from biriba.planner.bounds import impossible

    if record and as_json:
        raise common.BadInput("--record and --json cannot both be printed; leave one of them out")
    loaded = common.load_rules(rules)
    text = common.read_text(position, "position")
    whole = common.read_position(loaded, position, given=given, text=text)
    partial = given and not text.lstrip().startswith(("{", "["))
    goal = Goal.stated(loaded, text) if partial else Goal.exactly(whole)
    goal = goal.with_more_melds(loaded) if more_melds else goal
    why = impossible(loaded, goal)
    found = None if why else planned(loaded, goal, seconds=seconds, seed=seed)
    if found is None:
        return _nothing(why, as_json=as_json)
    _tell(loaded, found, record=record, as_json=as_json)
    return OK


def _nothing(why: str | None, *, as_json: bool) -> int:
    text = (
        f"no deal leads there: {why}" if why else "no deal was found that leads there; that is no proof that none does"
    )
    if as_json:
        emit_json({"found": False, "certain": why is not None, "why": text})
    else:
        print(text)
    return NO if why else UNKNOWN


def _tell(rules: Rules, found: Plan, *, record: bool, as_json: bool) -> None:
    from biriba import notation

    ruleset = rules.ruleset
    deck, dealer = notation.format_cards(ruleset, found.deck), ruleset.table.seats[found.dealer]
    texts = [common.action_text(rules, action) for action in found.actions]
    reached = notation.format_position(ruleset, found.position)
    if as_json:
        acts: list[dict[str, Any]] = [
            {"text": text, "json": notation.action_to_json(ruleset, action)}
            for text, action in zip(texts, found.actions, strict=True)
        ]
        emit_json({"found": True, "dealer": dealer, "deck": deck.split(), "actions": acts, "position": reached})
    elif record:
        print(found.game(rules).record(), end="")
    else:
        common.say(rules, f"dealer   {dealer}\ndeck     {deck}")
        for number, text in enumerate(texts, 1):
            common.say(rules, f"{number:<7}  {text}")
        common.say(rules, f"reached  {reached}")
