"""The command `biriba`: which commands there are, and the page that `biriba --help` prints."""

from __future__ import annotations

from typing import Annotated

import typer

from biriba.cli import (
    ask,
    conform,
    docs,
    engine,
    explore,
    fuzz,
    games,
    perft,
    plan,
    rulefiles,
    serve,
    strength,
    table,
    variants,
    verify,
)
from biriba.cli.common import DEFAULT_RULES, Command
from biriba.version import __version__

EPILOG = (
    "[bold]Try[/bold]  biriba play --match --seed 7\n\n"
    "     biriba deal --seed 7 | biriba legal -\n\n"
    "     biriba meld 3H 4H 2S\n\n"
    "     biriba show --clause run.shift\n\n"
    "[bold]Exit codes[/bold]  0 yes, done  1 the answer is no: illegal, unlawful, a check failed\n\n"
    "            2 wrong usage or input  3 a fault in biriba  4 unknown (verify), nothing tested\n\n"
    "            130 interrupted  141 the reader of the output went away"
)

app = typer.Typer(
    name="biriba",
    help="Play, judge and explain the card game Biriba from one readable source of its rules.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

TABLE, ASK, RULES, PAGES = "At the table", "Questions about the game", "Rule files", "Published rules"
OTHERS, MANY = "Other implementations", "Many deals"
for panel, name, function in (
    (TABLE, "play", games.play),
    (TABLE, "replay", games.replay),
    (TABLE, "deal", table.deal),
    (TABLE, "legal", table.legal),
    (TABLE, "apply", table.apply),
    (TABLE, "score", table.score),
    (ASK, "explain", ask.explain),
    (ASK, "meld", ask.meld),
    (ASK, "plan", plan.plan),
    (RULES, "show", rulefiles.show),
    (RULES, "check", rulefiles.check),
    (RULES, "fmt", rulefiles.fmt),
    (RULES, "test", rulefiles.run_tests),
    (RULES, "verify", verify.verify),
    (RULES, "variants", variants.variants),
    (RULES, "diff", variants.diff),
    (RULES, "new", variants.new),
    (RULES, "compat", variants.compat),
    (RULES, "rejudge", variants.rejudge),
    (RULES, "engine", engine.engine),
    (MANY, "simulate", explore.simulate),
    (MANY, "compare", explore.compare),
    (MANY, "sweep", explore.sweep),
    (MANY, "sensitivity", explore.sensitivity),
    (PAGES, "serve", serve.serve),
    (OTHERS, "fuzz", fuzz.fuzz),
    (OTHERS, "perft", perft.perft),
    (OTHERS, "strength", strength.strength),
):
    app.command(name, cls=Command, rich_help_panel=panel)(function)
app.add_typer(docs.app, name="docs", rich_help_panel=PAGES)
app.add_typer(conform.app, name="conform", rich_help_panel=OTHERS)


def _version(asked: bool) -> None:
    if asked:
        print(f"biriba {__version__} (rules: {DEFAULT_RULES} {_version_of_rules()})")
        raise typer.Exit


def _version_of_rules() -> str:
    """The version that the canonical rule file states, found without compiling it."""
    import re

    from biriba.language.load import find_source

    found = re.search(r'^ +version "([^"]+)"', find_source(DEFAULT_RULES).text, re.MULTILINE)
    return found[1] if found else "without a version"


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the program's version and that of its rules."
        ),
    ] = False,
) -> None:
    pass
