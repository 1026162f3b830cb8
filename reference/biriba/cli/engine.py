"""The command `engine`: the generated source of a rule set."""

from __future__ import annotations

from typing import Annotated

import typer

from biriba.cli.common import DEFAULT_RULES, OK, answers


@answers
def engine(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set: a name, or a file.")] = DEFAULT_RULES,
    show: Annotated[bool, typer.Option("--print", help="Print the source.")] = False,
) -> int:
    """Generate the fast engine of a rule set: readable Python source, made from the checked rules alone."""
    import time

    from biriba.cache import cached_ruleset
    from biriba.engine.generate import generate

    ruleset = cached_ruleset(rules)
    start = time.perf_counter()
    source = generate(ruleset)
    if show:
        print(source, end="")
    else:
        lines = source.count("\n")
        print(f"{ruleset.name}: {lines} lines in {time.perf_counter() - start:.2f} s; --print shows them")
    return OK
