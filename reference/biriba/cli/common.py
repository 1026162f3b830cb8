"""What all commands share: exit codes, options, reading arguments, and answers as text or JSON.

Imports here are paid at every start of the command, so only small modules stand at the top.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer
from typer.core import TyperCommand

from biriba.cli import silence_stdout
from biriba.files import replacing

if TYPE_CHECKING:
    from rich.console import Console

    from biriba.interpreter.rules import Rules
    from biriba.model.position import Action, Position

OK = 0
NO = 1
BAD_INPUT = 2
FAULT = 3
UNKNOWN = 4
INTERRUPTED = 130
BROKEN_PIPE = 141

MAX_INPUT_BYTES = 8_000_000
"""The largest position or record that is read: a match of a thousand deals is smaller."""

RulesOption = Annotated[
    str,
    typer.Option("--rules", "-r", metavar="NAME|PATH", help="The rule set: a name that ships with biriba, or a file."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
PositionArgument = Annotated[
    str,
    typer.Argument(metavar="POSITION", help="A position as text or JSON, the name of a file with one, or - for stdin."),
]
GivenOption = Annotated[
    bool,
    typer.Option("--given", "-g", help="POSITION tells only what matters; the other cards go where they would lie."),
]
DEFAULT_RULES = "biriba"
WIDE = 10_000
"""Columns of a table that goes to a pipe or a file, at most."""


class BadInput(Exception):
    """Input that cannot be used: one message for the user, who gets no traceback."""


class Command(TyperCommand):
    """A command in which an option is never taken for the value of the option before it, as in ``--json --level``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        valued = {name for option in self.params if not getattr(option, "is_flag", True) for name in option.opts}
        for option, value in pairwise([*takewhile(lambda word: word != "--", args), "--"]):
            if option in valued and value.startswith("--"):
                found = f"not the option {value}" if value != "--" else "and there is none"
                raise typer.BadParameter(f"it needs a value, {found}", ctx, param_hint=option)
        return super().parse_args(ctx, args)


P = ParamSpec("P")


def answers(command: Callable[P, int]) -> Callable[P, None]:
    """Make a command of a function that returns its exit code.

    Whatever the function raises becomes one message and an exit code: 2 for bad input, 130 for
    Ctrl-C, 141 for a reader that went away, 3 for a fault of ours (with a traceback if the
    environment sets BIRIBA_DEBUG).
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            print(file=sys.stderr)
            code = INTERRUPTED
        except BrokenPipeError:
            silence_stdout()
            code = BROKEN_PIPE
        except Exception as error:
            code = _complain(error, as_json=bool(kwargs.get("as_json")))
        raise typer.Exit(code)

    # The help page breaks lines where the docstring does, so a paragraph is made one line.
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    run.__doc__ = "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
    return run


def _complain(error: Exception, *, as_json: bool) -> int:
    """Say what went wrong; returns the exit code."""
    message = _user_message(error)
    if message is None:
        if os.environ.get("BIRIBA_DEBUG"):
            raise error
        message = f"internal fault, a bug in biriba: {type(error).__name__}: {error}\nBIRIBA_DEBUG=1 shows where."
        code = FAULT
    else:
        code = BAD_INPUT
    lost = isinstance(error, OSError) and error.filename is None
    if lost:
        silence_stdout()
    if as_json and not lost:
        emit_json({"error": message})
    else:
        print(message if message.startswith(("error", "warning")) else f"error: {message}", file=sys.stderr)
    return code


def _user_message(error: Exception) -> str | None:
    """The message of an error that the user's input caused, None if the fault is ours."""
    from biriba.engine.errors import EngineError
    from biriba.explore.errors import ExploreError
    from biriba.interpreter.deal import DealError
    from biriba.language.diagnostics import RulesError, render
    from biriba.notation import NotationError
    from biriba.scenario.scenario import ScenarioError

    match error:
        case RulesError():
            return render(error.diagnostics, error.sources, color=sys.stderr.isatty() and "NO_COLOR" not in os.environ)
        case BadInput() | NotationError() | DealError() | ScenarioError() | EngineError() | ExploreError():
            return str(error)
        case OSError() if error.filename is not None:
            return f"{error.filename}: {error.strerror}"
        case OSError():  # nothing else is read or written without a name
            return f"the output cannot be written: {error.strerror}"
        case RecursionError():
            return "the input is nested too deep"
    return None


def load_rules(name: str) -> Rules:
    """The rules of that name or path. Errors: `RulesError`."""
    import biriba

    return biriba.load(name)


def read_position(rules: Rules, argument: str, *, given: bool = False, text: str | None = None) -> Position:
    """The position that an argument stands for, whole or (`given`) only what matters of it.

    Args:
        text: what the argument stands for, if it has been read.

    Errors: `BadInput`, `NotationError`.
    """
    if text is None:
        text = read_text(argument, "position")
    with stating(argument):
        return _position(rules, text, given=given)


def _position(rules: Rules, text: str, *, given: bool) -> Position:
    from biriba import notation

    if text.lstrip().startswith(("{", "[")):
        return notation.position_from_json(rules.ruleset, notation.decode(text))
    if given:
        return notation.parse_given(rules.ruleset, text, rules.dealt_sizes)
    try:
        return notation.parse_position(rules.ruleset, text)
    except notation.NotationError as error:
        with contextlib.suppress(notation.NotationError):
            notation.parse_given(rules.ruleset, text, rules.dealt_sizes)
            error.hint = "with --given a position need not tell where every card lies"
        raise


def action_text(rules: Rules, action: Action) -> str:
    """An action in the notation."""
    from biriba import notation

    return notation.format_action(rules.ruleset, action)


def say(rules: Rules, text: str) -> None:
    """Print text of the notation on standard output, cards in colour if that is a terminal."""
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        from biriba.cli.paint import paint

        console().print(paint(rules.ruleset, text), soft_wrap=True)
    else:
        print(text)


def emit_json(value: Any) -> None:
    """Print a value as JSON, indented, on standard output."""
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))


def console(*, stderr: bool = False, whole: bool = False) -> Console:
    """A rich console: colours only on a terminal, lines never broken in the middle of a card.

    Args:
        whole: where no terminal is, tables are as wide as they need be: nothing in them is broken or cut off.
    """
    from rich import console as rich

    class Console(rich.Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process with the code that means no

    seen = (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, highlight=False, soft_wrap=not seen, width=None if seen or not whole else WIDE)


@contextlib.contextmanager
def stating(argument: str) -> Iterator[None]:
    """Faults in the notation of what an argument stands for are told with the name of the file that has them."""
    from biriba.notation import NotationError

    try:
        yield
    except NotationError as error:
        if argument == "-":
            error.file = "standard input"
        elif not _is_text(argument):
            error.file = argument
        raise


def _is_text(argument: str) -> bool:
    """Whether an argument is a text itself, not the name of a file."""
    return any(c in argument for c in " \n{[;")


def read_text(argument: str, what: str) -> str:
    """The text that an argument stands for: itself, the contents of a file, or standard input for ``-``.

    An argument without blanks is taken for a file name. Errors: `BadInput`.
    """
    if not argument.strip():
        raise BadInput(f"the {what} is empty; it is a text, the name of a file, or - for standard input")
    if argument == "-":
        return _decode(sys.stdin.buffer.read(MAX_INPUT_BYTES + 1), "standard input")
    if _is_text(argument):
        return argument
    return read_file(Path(argument), what)


def read_file(path: Path, what: str) -> str:
    """The contents of a file. Errors: `BadInput` if it is missing, too large or no text."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_INPUT_BYTES + 1)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file, and no {what} either") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return _decode(data, str(path))


def _decode(data: bytes, name: str) -> str:
    if len(data) > MAX_INPUT_BYTES:
        raise BadInput(f"{name}: larger than {MAX_INPUT_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: not UTF-8 text (byte {error.start})") from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: beside its place first, then renamed.

    A link stays a link, and what is no file (a device, a pipe) is written to and not replaced.
    Errors: `BadInput`.
    """
    check_writable(path)
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        with replacing(target) as aside:
            aside.write_text(text, encoding="utf-8", newline="\n")
            if target.exists():
                shutil.copymode(target, aside)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None


def write_vectors(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write vectors into a folder, each under its id, and return their files. Errors: `BadInput`."""
    written = []
    for id_, text in texts.items():
        path = folder / f"{id_}.json"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{path.parent}: cannot be made: {error.strerror}") from None
        write_text(path, text)
        written.append(path)
    return written


def check_writable(path: Path) -> None:
    """See whether a file could be written, before the work is done of which it is to hold the result.

    Errors: `BadInput`.
    """
    try:
        target = path.resolve()
        if str(path) == "." or target.is_dir():
            why = "it is a folder"
        elif not target.parent.is_dir():
            why = f"there is no folder {target.parent if path.is_symlink() else path.parent}"
        elif not os.access(target if target.exists() else target.parent, os.W_OK):
            why = "it is write-protected" if target.exists() else "its folder is write-protected"
        else:
            return
    except (OSError, ValueError) as error:  # a link to itself; a name that no file can have
        why = getattr(error, "strerror", None) or str(error)
    raise BadInput(f"{path}: cannot be written: {why}")
