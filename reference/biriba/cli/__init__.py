"""The command line. `main` is the entry point; `app` has the commands, one module for each group."""

from __future__ import annotations

import io
import os
import sys


def main() -> None:
    """Run the command `biriba` with the arguments of the process; ends the process with its exit code."""
    # Whatever happens here has no command to answer for it: the help page, the version, the imports.
    # The exit codes are those of `biriba.cli.common`, which Ctrl-C may have kept from being imported.
    try:
        _prepare_streams()
        from biriba.cli.app import app

        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        silence_stdout()
        sys.exit(141)
    except OSError as error:
        if os.environ.get("BIRIBA_DEBUG"):
            raise
        silence_stdout()
        print(f"error: the output cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def _prepare_streams() -> None:
    """See to it that there are streams, and that they are UTF-8 like the files, whatever the locale.

    Errors: `OSError` if standard output is closed.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise OSError(0, "standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8")


def silence_stdout() -> None:
    """Let what is still to be written to standard output, which has failed, go nowhere when the process ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
