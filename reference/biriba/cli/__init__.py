"""The command line. `main` is the entry point; `app` has the commands, one module for each group."""

from __future__ import annotations


def main() -> None:
    """Run the command `biriba` with the arguments of the process; ends the process with its exit code."""
    from biriba.cli.app import app

    app()
