"""Commands that answer why: explain, meld."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from biriba.cli.common import (
    DEFAULT_RULES,
    NO,
    OK,
    GivenOption,
    JsonOption,
    PositionArgument,
    RulesOption,
    action_text,
    answers,
    emit_json,
    load_rules,
    read_position,
    say,
)
from biriba.cli.table import action_json, position_json, read_action, read_seat, rejections_json

if TYPE_CHECKING:
    from biriba.interpreter.rules import MeldVerdict, Rules
    from biriba.model.position import Action, Position

MOST_SHOWN, FEW_SHOWN = 12, 3
"""So many things are shown all; of more melds so few."""


@answers
def explain(
    position: PositionArgument,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="An action, as one argument: 'lay 3H 4H 5H'.")],
    seat: Annotated[str | None, typer.Option(metavar="SEAT", help="Who wants to act, if not whose turn it is.")] = None,
    given: GivenOption = False,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Say why an action is legal, or why not.

    If it is: what comes of it, and the clauses that had to hold. If not: every clause that it violates,
    with the cards at hand, and what would be legal.

    Exit code 0 if it is legal, 1 if not.
    """
    loaded = load_rules(rules)
    now = read_position(loaded, position, given=given)
    wanted = read_action(loaded, now, action)
    verdict = loaded.judge(now, wanted, None if seat is None else read_seat(loaded, seat))
    instead = [] if verdict.legal else alternatives(loaded, now, wanted)
    holding = clauses_about(loaded, wanted) if verdict.legal else []
    if as_json:
        answer: dict[str, Any] = {"legal": verdict.legal} | action_json(loaded, wanted)
        answer["violated"] = [
            rejection | {"rule": loaded.sentence(rejection["clause"]), "sources": sources(loaded, rejection["clause"])}
            for rejection in rejections_json(verdict)
        ]
        answer["holding"] = holding
        answer["legal_actions"] = [action_text(loaded, a) for a in instead]
        emit_json(answer | ({} if verdict.position is None else position_json(loaded, verdict.position)))
        return OK if verdict.legal else NO
    if verdict.position is not None:
        say(loaded, f"legal: {action_text(loaded, wanted)}")
        say(loaded, "\nWhat comes of it:")
        for line in changes(loaded, now, verdict.position):
            say(loaded, f"  {line}")
        print("\nThe clauses that decide, all of which hold:")
        for clause in holding:
            print(f"  {clause}: {loaded.sentence(clause)}")
        return OK
    say(loaded, f"illegal: {action_text(loaded, wanted)}\n")
    for rejection in verdict.rejections:
        say(loaded, str(rejection))
        rule = loaded.sentence(rejection.clause)
        if rule != rejection.sentence:
            print(f"  The rule: {rule}")
        print(f"  From: {', '.join(sources(loaded, rejection.clause))}")
    if seat is not None and read_seat(loaded, seat) != now.turn:
        heading = f"Legal for {loaded.ruleset.table.seats[now.turn]}:"
    else:
        heading = "Legal instead:"
    print(f"\n{heading if instead else 'Nothing is legal here.'}")
    for other in instead[:MOST_SHOWN]:
        say(loaded, f"  {action_text(loaded, other)}")
    if len(instead) > MOST_SHOWN:
        print(f"  and {len(instead) - MOST_SHOWN} more (`biriba legal` lists them)")
    return NO


def alternatives(rules: Rules, position: Position, wanted: Action) -> list[Action]:
    """The legal actions, those of the same name first."""
    return sorted(rules.legal(position), key=lambda action: action.name != wanted.name)


def clauses_about(rules: Rules, action: Action) -> list[str]:
    """The clauses that an action had to satisfy: its own, its guards, and the laws about melds that it makes."""
    from biriba.model.position import Growth, Meld

    model = rules.ruleset
    found = [model.actions[action.name].clause, *(g.clause for g in model.guards if g.action == action.name)]
    for argument in action.args:
        meld = argument.result if isinstance(argument, Growth) else argument
        if isinstance(meld, Meld):
            found += [model.templates[meld.template].clause]
            found += [law.clause for law in model.laws if law.template in (None, meld.template)]
    order = list(model.clauses)
    return sorted(set(found), key=order.index)


def sources(rules: Rules, clause_id: str) -> list[str]:
    """Where a clause comes from: places in the sources, or the reason of the ruling."""
    clause = rules.ruleset.clauses[clause_id]
    named = [str(cite) for cite in clause.cites]
    return [*named, f"a ruling, because {rules.reason(clause_id)}"] if clause.because else named


def changes(rules: Rules, before: Position, after: Position) -> list[str]:
    """What is different after a step: a line for the turn, and for each zone and state that has changed."""
    from biriba.notation.cards import format_value
    from biriba.notation.positions import format_zone
    from biriba.notation.vocabulary import vocabulary

    model, words = rules.ruleset, vocabulary(rules.ruleset)
    lines = []
    if (before.turn, before.phase) != (after.turn, after.phase):
        lines.append(f"turn {model.table.seats[after.turn]} {after.phase}")
    lines += [
        f"{words.zone_name(slot)} {format_zone(model, new)}"
        for slot, (old, new) in enumerate(zip(before.zones, after.zones, strict=True))
        if old != new
    ]
    lines += [
        f"{words.state_name(slot)} {format_value(model, words.state_of[slot].type, new)}"
        for slot, (old, new) in enumerate(zip(before.states, after.states, strict=True))
        if old != new
    ]
    return lines


@answers
def meld(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS...", help="Cards, in any order: 3H 4H 2S.")],
    as_laid: Annotated[
        bool, typer.Option("--as-laid", "-l", help="Take the cards as they would lie: 'run 2H 2H 4H @2'.")
    ] = False,
    all_: Annotated[bool, typer.Option("--all", help="Show every way, however many there are.")] = False,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Say how cards can lie as a meld, and what that is worth.

    Exit code 0 if there is a lawful way, 1 if not; then the clauses are named that forbid it. With --json
    all ways are told.
    """
    from biriba import notation
    from biriba.notation.melds import shapeless

    loaded = load_rules(rules)
    stated = notation.parse_meld_text(loaded.ruleset, " ".join(cards))
    found = [] if as_laid else list(loaded.meld_layouts(stated.cards))
    if not found:
        found = list(notation.readings(loaded.ruleset, stated)) or [shapeless(stated)]
    verdicts = [loaded.judge_meld(layout) for layout in found]
    if as_json:
        emit_json([verdict_json(loaded, verdict) for verdict in verdicts])
    else:
        shown = verdicts if all_ or len(verdicts) <= MOST_SHOWN else sorted(verdicts, key=_unlawful)[:FEW_SHOWN]
        for verdict in shown:
            print_meld(loaded, verdict)
        if len(shown) < len(verdicts):
            unlawful = "" if any(verdict.lawful for verdict in verdicts) else ", none of them lawful"
            print(f"… and {len(verdicts) - len(shown)} more ways{unlawful}; --all shows them")
    return OK if any(verdict.lawful for verdict in verdicts) else NO


def _unlawful(verdict: MeldVerdict) -> bool:
    return not verdict.lawful


def verdict_json(rules: Rules, verdict: MeldVerdict) -> dict[str, Any]:
    """What the rules say of a meld, as an object."""
    from biriba import notation

    return {
        "meld": notation.meld_to_json(rules.ruleset, verdict.meld),
        "text": notation.format_meld(rules.ruleset, verdict.meld),
        "lawful": verdict.lawful,
        "violated": rejections_json(verdict),
        "value": verdict.value,
        "bonus": verdict.bonus,
        "bonus_lines": [{"clause": e.clause, "label": e.label, "points": e.points} for e in verdict.bonus_lines],
        "properties": verdict.properties,
    }


def print_meld(rules: Rules, verdict: MeldVerdict) -> None:
    """Print what the rules say of a meld."""
    from biriba import notation

    text = notation.format_meld(rules.ruleset, verdict.meld)
    qualities = [verdict.meld.template or "no meld", "lawful" if verdict.lawful else "not lawful"]
    for name, value in verdict.properties.items():
        qualities.append((name if value else f"not {name}") if isinstance(value, bool) else f"{name} {value}")
    written = rules.ruleset.written
    qualities.append(f"value {written(verdict.value)}")
    qualities += [f"{e.label} {'+' if e.points >= 0 else ''}{written(e.points)}" for e in verdict.bonus_lines]
    say(rules, f"{text}: {', '.join(qualities)}")
    for rejection in verdict.rejections:
        say(rules, f"  {rejection}")
