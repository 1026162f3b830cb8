"""Commands about one position: deal, legal, apply, score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from biriba.cli.common import (
    DEFAULT_RULES,
    NO,
    OK,
    BadInput,
    GivenOption,
    JsonOption,
    PositionArgument,
    RulesOption,
    action_text,
    answers,
    emit_json,
    load_rules,
    read_position,
    read_text,
    say,
    stating,
)

if TYPE_CHECKING:
    from biriba.interpreter.rules import Rules
    from biriba.interpreter.score import Score
    from biriba.model.position import Action, Position


@answers
def deal(
    seed: Annotated[int | None, typer.Option(help="A number that stands for the order of the deck.")] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The deck itself, first card first: cards, a file, or -.")
    ] = None,
    dealer: Annotated[str | None, typer.Option(metavar="SEAT", help="Who deals.")] = None,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Shuffle, deal, and print the first position.

    Without --seed or --deck a seed is chosen, and printed on standard error.
    """
    import secrets
    import sys

    from biriba import notation

    if seed is not None and deck is not None:
        raise BadInput("--seed and --deck both tell the deck: give one of them")
    loaded = load_rules(rules)
    seat = None if dealer is None else read_seat(loaded, dealer)
    if deck is not None:
        text = read_text(deck, "deck")
        with stating(deck):
            cards = notation.parse_cards(loaded.ruleset, text)
        game = loaded.deal(deck=cards, dealer=seat)
    else:
        if seed is None:
            seed = secrets.randbelow(10**9)
            print(f"seed {seed}", file=sys.stderr)
        game = loaded.deal(seed=seed, dealer=seat)
    if as_json:
        symbols = [notation.format_card(loaded.ruleset, card) for card in game.deck]
        emit_json({"seed": seed, "deck": symbols} | position_json(loaded, game.position))
    else:
        say_position(loaded, game.position)
    return OK


@answers
def legal(
    position: PositionArgument,
    given: GivenOption = False,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """List all legal actions of a position.

    One on a line, in the order of the rules; exit code 1 if there are none.
    """
    loaded = load_rules(rules)
    actions = loaded.legal(read_position(loaded, position, given=given))
    if as_json:
        emit_json([action_json(loaded, action) for action in actions])
    else:
        for action in actions:
            say(loaded, action_text(loaded, action))
    return OK if actions else NO


@answers
def apply(
    position: PositionArgument,
    actions: Annotated[
        list[str], typer.Argument(metavar="ACTION...", help="Actions to play, each as one argument: 'discard 7C'.")
    ],
    given: GivenOption = False,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Play actions in a position, print where they lead.

    At the first illegal one nothing is printed but the clauses that forbid it; exit code 1.
    """
    import sys

    loaded = load_rules(rules)
    now = read_position(loaded, position, given=given)
    for number, text in enumerate(actions, 1):
        action = read_action(loaded, now, text)
        verdict = loaded.judge(now, action)
        if verdict.position is None:
            if as_json:
                emit_json({"legal": False, "action": number, "text": text, "violated": rejections_json(verdict)})
            else:
                print(f"action {number}, {action_text(loaded, action)}, is illegal:", file=sys.stderr)
                for rejection in verdict.rejections:
                    print(f"  {rejection}", file=sys.stderr)
            return NO
        now = verdict.position
    if as_json:
        emit_json({"legal": True} | position_json(loaded, now))
    else:
        say_position(loaded, now)
    return OK


@answers
def score(
    position: Annotated[
        str, typer.Argument(metavar="POSITION|RECORD", help="A position or a game record: text, JSON, a file, or -.")
    ],
    given: GivenOption = False,
    rules: Annotated[
        str | None,
        typer.Option("--rules", "-r", metavar="NAME|PATH", help="By default biriba, or those that the record names."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Score a position, or every deal of a record.

    A position is scored as if the deal ended there. Every line of the score sheet is printed.
    """
    from biriba.cli.replaying import is_record, read_record, replay_record, rules_of_record

    text = read_text(position, "position or record")
    with stating(position):
        record = is_record(text)
    if not record:
        loaded = load_rules(rules or DEFAULT_RULES)
        sheet = loaded.score(read_position(loaded, position, given=given, text=text))
        if as_json:
            emit_json(score_json(loaded, sheet))
        else:
            print_score(loaded, sheet)
        return OK
    with stating(position):
        loaded = rules_of_record(text, rules)
        replayed = replay_record(loaded, read_record(loaded, text))
    if as_json:
        emit_json([score_json(loaded, sheet) for sheet in replayed.sheets])
    else:
        for number, sheet in enumerate(replayed.sheets, 1):
            print(f"deal {number}")
            print_score(loaded, sheet)
    if replayed.fault is not None:
        raise BadInput(f"the record cannot be scored further: {replayed.fault.headline}")
    return OK


def read_seat(rules: Rules, name: str) -> int:
    """The seat of that name. Errors: `BadInput`."""
    try:
        return rules.seat(name)
    except ValueError as error:
        raise BadInput(str(error)) from None


def read_action(rules: Rules, position: Position, text: str) -> Action:
    """The action that a text or its JSON form means in a position, legal or not. Errors: `NotationError`."""
    from biriba import notation

    if text.lstrip().startswith("{"):
        stated = notation.action_from_json(rules.ruleset, notation.decode(text))
        return notation.resolve(rules.ruleset, position, stated, rules.lawful)
    return rules.read(position, text)


def say_position(rules: Rules, position: Position) -> None:
    """Print a position, a field on each line."""
    from biriba import notation

    say(rules, notation.format_position(rules.ruleset, position).replace("; ", "\n"))


def position_json(rules: Rules, position: Position) -> dict[str, Any]:
    """A position as an object, with its text and hash."""
    from biriba import notation

    return {
        "position": notation.position_to_json(rules.ruleset, position),
        "text": notation.format_position(rules.ruleset, position),
        "hash": notation.position_hash(rules.ruleset, position),
    }


def action_json(rules: Rules, action: Action) -> dict[str, Any]:
    """An action as an object, with its text."""
    from biriba import notation

    return notation.action_to_json(rules.ruleset, action) | {"text": action_text(rules, action)}


def rejections_json(verdict: Any) -> list[dict[str, str]]:
    """The clauses that a verdict names, each with its sentence."""
    return [{"clause": r.clause, "sentence": r.sentence} for r in verdict.rejections]


def score_json(rules: Rules, sheet: Score) -> dict[str, Any]:
    """A score sheet as an object: its lines, and the total of each side."""
    from biriba import notation

    sides = rules.ruleset.table.sides
    lines = [
        {
            "clause": entry.clause,
            "label": entry.label,
            "side": sides[entry.side],
            "points": entry.points,
            "meld": None if entry.meld is None else notation.format_meld_name(rules.ruleset, entry.meld),
        }
        for entry in sheet.entries
    ]
    return {"lines": lines, "totals": dict(zip(sides, sheet.totals, strict=True))}


def print_score(rules: Rules, sheet: Score) -> None:
    """Print a score sheet: a row for each kind of line, a column for each side."""
    sides = rules.ruleset.table.sides
    points: dict[str, list[int]] = {}
    for entry in sheet.entries:
        points.setdefault(entry.label, [0] * len(sides))[entry.side] += entry.points
    rows = [(label, row) for label, row in points.items() if any(row)] + [("total", list(sheet.totals))]
    width = max(len(label) for label, _ in rows)
    print(" " * width + "".join(f"{side:>8}" for side in sides))
    for label, row in rows:
        print(f"{label:<{width}}" + "".join(f"{rules.ruleset.written(value):>8}" for value in row))
