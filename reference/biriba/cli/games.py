"""Commands that go through whole games: play, replay."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from biriba.cli.common import (
    DEFAULT_RULES,
    NO,
    OK,
    BadInput,
    JsonOption,
    RulesOption,
    action_text,
    answers,
    check_writable,
    emit_json,
    load_rules,
    read_file,
    read_text,
    say,
    stating,
    write_text,
)
from biriba.count import counted

if TYPE_CHECKING:
    from biriba.cli.bots import Bot
    from biriba.cli.replaying import Fault, Replay
    from biriba.interpreter.game import Game
    from biriba.interpreter.match import Match
    from biriba.interpreter.rules import Rules

MOST_SHOWN = 20


class Stuck(Exception):
    """Rules that leave a player without a legal action: where that is, for the author of the rules."""


class Bots(StrEnum):
    """How the players play that are no people."""

    steady = "steady"
    random = "random"


@answers
def play(
    seed: Annotated[int | None, typer.Option(help="A number that stands for all chance of the game.")] = None,
    match: Annotated[bool, typer.Option("--match", "-m", help="Play deals until the match is decided.")] = False,
    you: Annotated[str | None, typer.Option(metavar="SEAT", help="Play this seat yourself.")] = None,
    bots: Annotated[Bots, typer.Option(help="Who plays the other seats.")] = Bots.steady,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game's record to this file.")] = None,
    turns: Annotated[
        bool | None, typer.Option("--turns/--no-turns", help="Print every turn; without --match that is usual.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Stop a deal that is not over after so many actions.")] = 5000,
    rules: RulesOption = DEFAULT_RULES,
    as_json: JsonOption = False,
) -> int:
    """Play a deal, or a whole match, with bots or against them.

    The seed decides the cards and the bots, so that equal seeds give equal games. Exit code 1 if a
    deal was stopped before its end, or could not go on because the rules allow nothing.
    """
    import secrets
    from random import Random

    from biriba.cli.bots import RandomBot, SteadyBot
    from biriba.cli.person import Person, Quit

    if you is not None and (as_json or not _has_terminal()):
        raise BadInput("to play a seat yourself you need a terminal, and no --json")
    if record is not None:
        check_writable(record)
    loaded = load_rules(rules)
    if seed is None:
        seed = secrets.randbelow(10**9)
    chance = Random(f"{seed}/bots")
    others: Bot = RandomBot(chance) if bots is Bots.random else SteadyBot(loaded, chance)
    seats = loaded.ruleset.table.seats
    players: list[Bot] = [others] * len(seats)
    if you is not None:
        from biriba.cli.table import read_seat

        mine = read_seat(loaded, you)
        players[mine] = Person(loaded, mine)
    show_turns = not as_json and (turns if turns is not None else not match or you is not None)
    playing = loaded.match(seed)
    stopped, stuck = False, None
    if not as_json:
        print(f"{loaded.ruleset.name} {loaded.ruleset.version}, seed {seed}")
    try:
        while not playing.over and not stopped:
            game = playing.deal()
            try:
                _play_deal(game, players, limit, show_turns=show_turns, unseen_by=you)
            except Stuck as error:
                stuck = error
            stopped = not game.over
            if not as_json:
                _say_deal(playing, header=len(playing.games) == 1 or show_turns, sheet=not match)
            if not match:
                break
    except Quit:
        stopped = True
        print("The game ends here.")
    except KeyboardInterrupt:
        if record is not None:
            write_text(record, playing.record())
        raise
    if record is not None:
        write_text(record, playing.record())
    if as_json:
        emit_json(_match_json(playing, seed) | ({} if stuck is None else {"error": str(stuck)}))
    elif not stopped and match:
        print(f"The match is over: {_winner(playing)}.")
    if stopped and not as_json:
        print("The last deal is unfinished.")
    if stuck is not None and not as_json:
        print(f"error: {stuck}", file=sys.stderr)
    if record is not None and not as_json:
        print(f"record written to {record}")
    return NO if stopped else OK


def _has_terminal() -> bool:
    return sys.stdin.isatty()


def _winner(match: Match) -> str:
    return "nobody wins" if match.winner is None else f"{match.winner} wins"


def _dead_end(game: Game) -> str:
    from biriba.notation import format_position

    return (
        f"nothing is legal for {game.turn}, and the deal is not over: these rules lead to a dead end.\n"
        "`biriba verify RULES --only dead-ends` looks for such positions. This one is\n"
        f"{format_position(game.rules.ruleset, game.position)}"
    )


def _play_deal(game: Game, players: list[Bot], limit: int, *, show_turns: bool, unseen_by: str | None) -> None:
    """Play a deal to its end, or to the limit. Each turn is printed when it is over.

    Errors: `Stuck`.
    """
    turn: list[str] = []
    for _ in range(limit):
        if game.over:
            break
        seat, legal = game.position.turn, game.legal()
        if not legal:
            raise Stuck(_dead_end(game))
        action = players[seat].choose(game.position, legal)
        turn.append(action_text(game.rules, action))
        after = game.apply(action)
        if show_turns and (after.turn != seat or game.over):
            name = game.rules.ruleset.table.seats[seat]
            if name != unseen_by:
                say(game.rules, f"{name}  {' · '.join(turn)}")
            turn = []


def _say_deal(match: Match, *, header: bool, sheet: bool) -> None:
    """Print how a deal ended: a line of the match's table, or the whole score sheet."""
    game, table = match.games[-1], match.rules.ruleset.table
    score = game.rules.score(game.position, game.standing)
    if sheet:
        from biriba.cli.table import print_score

        print()
        print_score(match.rules, score)
        return
    if header:
        print("deal  dealer  actions" + "".join(f"{side:>8}" for side in table.sides) + "   total")
    written = game.rules.ruleset.written
    points = "".join(f"{written(value):>8}" for value in score.totals)
    totals = " : ".join(written(total) for total in match.totals.values())
    dealer = table.seats[game.start.dealer]
    print(f"{len(match.games):4}  {dealer:>6}  {len(game.steps):7}{points}   {totals}")


def _match_json(match: Match, seed: int) -> dict[str, Any]:
    from biriba import notation

    table = match.rules.ruleset.table
    return {
        "seed": seed,
        "deals": [
            {
                "dealer": table.seats[game.start.dealer],
                "actions": len(game.steps),
                "over": game.over,
                "score": game.score(),
            }
            for game in match.games
        ],
        "totals": match.totals,
        "over": match.over,
        "winner": match.winner,
        "record": notation.record_to_json(
            match.rules.ruleset, notation.parse_record(match.rules.ruleset, match.record())
        ),
    }


@answers
def replay(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="The file of a game record, or - for stdin.")],
    complete: Annotated[bool, typer.Option("--complete", help="Exit code 1 for a record that is unfinished.")] = False,
    rules: Annotated[
        str | None, typer.Option("--rules", "-r", metavar="NAME|PATH", help="By default those that the record names.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Check a recorded game, action by action.

    Every action must be legal and every score right. At the first thing that is wrong: which step it
    is, which clauses it violates, what held, and what would have been legal; exit code 1.
    """
    from biriba.cli.replaying import read_record, replay_record, rules_of_record

    text = read_text("-", "record") if record == "-" else read_file(Path(record), "record")
    with stating(record):
        loaded = rules_of_record(text, rules)
        stated = read_record(loaded, text)
    found = replay_record(loaded, stated)
    if as_json:
        emit_json(_replay_json(loaded, found))
    else:
        _say_replay(loaded, found)
    return NO if found.fault is not None or (complete and not found.finished) else OK


def _say_replay(rules: Rules, found: Replay) -> None:
    sides = rules.ruleset.table.sides
    if found.fault is not None:
        _say_fault(rules, found.fault)
        return
    totals = ", ".join(f"{s} {rules.ruleset.written(n)}" for s, n in zip(sides, found.totals, strict=True))
    print(f"{counted(len(found.sheets), 'deal')}, {found.actions} actions: all legal, all scores right.")
    state = "" if found.finished else " The record is unfinished."
    winner = "" if found.winner is None else f"; {sides[found.winner]} wins"
    print(f"{totals}{winner}.{state}")


def _say_fault(rules: Rules, fault: Fault) -> None:
    from biriba import notation

    say(rules, fault.headline)
    for rejection in fault.rejections:
        say(rules, f"  {rejection}")
        print(f"    The rule: {rules.sentence(rejection.clause)}")
    if fault.action is None or fault.position is None:
        return
    print("\nThe position:")
    for line in notation.format_position(rules.ruleset, fault.position).split("; "):
        say(rules, f"  {line}")
    legal = rules.legal(fault.position)
    print("\nLegal would have been:" if legal else "\nNothing would have been legal.")
    for action in legal[:MOST_SHOWN]:
        say(rules, f"  {action_text(rules, action)}")
    if len(legal) > MOST_SHOWN:
        print(f"  and {len(legal) - MOST_SHOWN} more")


def _replay_json(rules: Rules, found: Replay) -> dict[str, Any]:
    from biriba.cli.table import position_json, rejections_json, score_json

    sides = rules.ruleset.table.sides
    answer: dict[str, Any] = {
        "ok": found.fault is None,
        "finished": found.finished,
        "actions": found.actions,
        "scores": [score_json(rules, sheet) for sheet in found.sheets],
        "totals": dict(zip(sides, found.totals, strict=True)),
        "winner": None if found.winner is None else sides[found.winner],
        "fault": None,
    }
    if found.fault is not None:
        fault = found.fault
        answer["fault"] = {
            "message": fault.message,
            "deal": fault.deal,
            "action": fault.action,
            "line": fault.line,
            "violated": rejections_json(fault),
        }
        if fault.position is not None:
            answer["fault"] |= position_json(rules, fault.position)
            answer["fault"]["legal_actions"] = [action_text(rules, action) for action in rules.legal(fault.position)]
    return answer
