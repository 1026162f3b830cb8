"""The commands for many deals: `simulate`, `compare`, `sweep` and `sensitivity`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from biriba.cli.common import BAD_INPUT, INTERRUPTED, OK, answers, check_writable, console

if TYPE_CHECKING:
    from biriba.explore.run import Order
    from biriba.explore.settings import Variation
    from biriba.explore.summary import Mean
    from biriba.model.ruleset import Ruleset

RulesArgument = Annotated[str, typer.Argument(metavar="RULES", help="A rule set: a name, or a file.")]
DealsOption = Annotated[int, typer.Option("--deals", "-n", metavar="N", help="How many deals.")]
BotsOption = Annotated[
    str,
    typer.Option(
        "--bots",
        "-b",
        metavar="BOTS",
        help="random, greedy, montecarlo, FILE.py:FUNCTION: one, one a side, or one a seat.",
    ),
]
SeedOption = Annotated[str, typer.Option("--seed", metavar="SEED", help="What all chance follows from.")]
WorkersOption = Annotated[int | None, typer.Option("--workers", "-j", metavar="N", help="Processes; all cores.")]
SchedulerOption = Annotated[str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Use a dask cluster.")]
MostOption = Annotated[
    int | None, typer.Option("--most-actions", metavar="N", help="Break a deal off after N actions; else 100000.")
]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter.")]
VaryOption = Annotated[
    list[str], typer.Option("--vary", metavar="NAME=5..9", help="Vary a parameter; or NAME=0,50,100.")
]
PlotOption = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw a page: .svg, .png or .pdf.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Write over what is there.")]
PlainOption = Annotated[bool, typer.Option("--plain", help="Do not use numba even if it is there.")]
MeasureOption = Annotated[str, typer.Option("--measure", "-m", metavar="NAME", help="What is measured in each deal.")]

SeveralRules = Annotated[
    list[str], typer.Argument(metavar="RULES...", help="Two rule sets or more; they are compared with the first.")
]
SamplesOption = Annotated[
    int, typer.Option("--samples", metavar="N", help="A power of two; N * (2 + parameters) points are tried.")
]

MOST_ACTIONS = 100_000
WORTH_COMPILING = 20_000
"""Deals of a rule set from which on it pays to compile its engine with numba."""


@answers
def simulate(
    rules: RulesArgument,
    deals: DealsOption = 1000,
    bots: BotsOption = "greedy",
    matches: Annotated[bool, typer.Option("--matches", help="Play N whole matches.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="A Parquet file (.parquet), a row a deal.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Take up a run that was stopped.")] = False,
    force: ForceOption = False,
    plot: PlotOption = None,
    seed: SeedOption = "1",
    settings: SetOption = None,
    most_actions: MostOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    plain: PlainOption = False,
) -> int:
    """Play many deals and sum them up, with 95% intervals.

    Every deal follows from SEED and its number alone. Ctrl-C keeps what is finished; --resume goes on.
    """
    from biriba.explore import pictures
    from biriba.explore.deals import columns_of
    from biriba.explore.errors import ExploreError
    from biriba.explore.run import prepare
    from biriba.explore.run import workers as at_work
    from biriba.explore.store import Store
    from biriba.explore.summary import curve_of, joined, means, measures

    _free(force, plot=plot)
    if resume and out is None:
        raise ExploreError("--resume needs the --out of the run that was stopped")
    order = _order(_set(rules, settings), deals, bots, seed, most_actions, workers, matches=matches, plain=plain)
    store = None
    if out is not None:
        plan = {
            "rules": order.rules.name, "digest": order.rules.digest, "seed": seed, "deals": deals,
            "players": list(order.players), "bots": [[bot.function, bot.text] for bot in order.bots],
            "limit": order.limit, "matches": matches,
        }  # fmt: skip
        store = Store(out, plan)
        store.begin(resume=resume, force=force)
    engine = prepare(order)
    shards = order.shards()
    todo = [shard for shard in shards if store is None or not store.has(shard.first)]
    kept = []
    stopped = False
    with at_work(workers, scheduler) as place, _progress("deals", deals) as told:
        told(sum(shard.count for shard in shards) - sum(shard.count for shard in todo))
        try:
            for played in place.results(todo):
                if store is None:
                    kept.append(played)
                else:
                    store.add(played)
                told(next(shard.count for shard in todo if shard.first == played.first))
        except KeyboardInterrupt:
            if store is None:
                raise
            stopped = True
    if stopped and store is not None:
        done = sum(shard.count for shard in shards if store.has(shard.first))
        console(stderr=True).print(f"stopped: {done} of {deals} are kept in {store.parts}; --resume goes on")
        return INTERRUPTED
    if store is not None:
        from biriba.explore.store import read

        store.finish(columns_of(engine, matches=matches))
        columns, curve, _ = read(store.path)
    else:
        kept.sort(key=lambda played: played.first)
        columns, curve = joined(kept), curve_of(kept)
    measured = measures(order.rules, columns)
    summed = means(measured)
    _summary(order, summed)
    if plot is not None:
        pictures.deals_page(order.rules, measured, curve, summed, plot)
    return OK


@answers
def compare(
    rules: SeveralRules,
    deals: DealsOption = 1000,
    bots: BotsOption = "greedy",
    plot: PlotOption = None,
    force: ForceOption = False,
    seed: SeedOption = "1",
    most_actions: MostOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    plain: PlainOption = False,
) -> int:
    """Play rule sets on the same decks and show how they differ from the first.

    Differences are those of the same deal, with 95% intervals; the effect is in standard deviations.
    """
    from rich.table import Table

    from biriba.explore import pictures
    from biriba.explore.errors import ExploreError
    from biriba.explore.run import collect, prepare
    from biriba.explore.run import workers as at_work
    from biriba.explore.summary import Difference, difference, joined, means, measures, number

    _free(force, plot=plot)
    if len(rules) < 2:
        raise ExploreError("there must be two rule sets or more to compare")
    orders = [_order(_set(name, None), deals, bots, seed, most_actions, workers, plain=plain) for name in rules]
    measured = []
    with at_work(workers, scheduler) as place, _progress("deals", deals * len(orders)) as told:
        for order in orders:
            prepare(order)
            measured.append(measures(order.rules, joined(collect(order, place, told))))
    names = [order.rules.name for order in orders]
    found: dict[str, list[Difference]] = {}
    for measure in measured[0]:
        if all(measure in other for other in measured):
            each = [difference(measured[0][measure], other[measure]) for other in measured[1:]]
            whole = [d for d in each if d is not None]
            if len(whole) == len(each):
                found[measure] = whole
    summed = [means(each) for each in measured]
    table = Table(title=f"{deals} deals on the same decks")
    for head in ("measure", names[0], *(f"{name}: difference (effect)" for name in names[1:])):
        table.add_column(head, justify="left" if head == "measure" else "right")
    for measure, differences in found.items():
        if any(d.mean or d.half for d in differences):
            cells = [
                f"{'+' if d.mean > 0 else ''}{number(d.mean, 3)} ± {number(d.half, 2)} ({d.effect:+.2f})"
                for d in differences
            ]
            table.add_row(measure, str(summed[0][measure]), *cells)
    console(whole=True).print(table)
    packs = {order.rules.cards.total for order in orders}
    if len(packs) > 1:
        console(stderr=True).print("the decks are not of the same cards, so the deals are not the same either")
    if plot is not None:
        pictures.comparison_page(names, summed, found, plot)
    return OK


@answers
def sweep(
    rules: RulesArgument,
    vary: VaryOption,
    measure: MeasureOption = "turns",
    deals: DealsOption = 500,
    bots: BotsOption = "greedy",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="A file of all measures (.csv).")
    ] = None,
    force: ForceOption = False,
    plot: PlotOption = None,
    seed: SeedOption = "1",
    settings: SetOption = None,
    most_actions: MostOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    plain: PlainOption = False,
) -> int:
    """Play a rule set with every choice of values of some parameters, on the same decks."""
    from rich.table import Table

    from biriba.explore import pictures
    from biriba.explore.run import workers as at_work
    from biriba.explore.settings import grid, parse_variation

    _free(force, plot=plot, table=out)
    variations = [parse_variation(text) for text in vary]
    points = grid(variations)
    names = [variation.name for variation in variations]
    sets = [_set(rules, settings, point) for point in points]
    table = Table(*names, measure, title=f"{rules}: {deals} deals each")
    rows: list[tuple[dict[str, str], Mean]] = []
    lines: list[dict[str, Any]] = []
    with at_work(workers, scheduler) as place, _progress("deals", deals * len(points)) as told:
        for point, ruleset in zip(points, sets, strict=True):
            order = _order(ruleset, deals, bots, seed, most_actions, workers, plain=plain)
            summed = _means(order, place, told)
            rows.append((point, _measure(summed, measure)))
            table.add_row(*point.values(), str(summed[measure]))
            lines.append({**point, **{f"{n} {part}": v for n, m in summed.items() for part, v in m._asdict().items()}})
    console(whole=True).print(table)
    if out is not None:
        _write_csv(out, lines)
    if plot is not None:
        pictures.sweep_page(names, rows, measure, plot)
    return OK


@answers
def sensitivity(
    rules: RulesArgument,
    vary: VaryOption,
    measure: MeasureOption = "turns",
    samples: SamplesOption = 16,
    deals: DealsOption = 100,
    bots: BotsOption = "greedy",
    plot: PlotOption = None,
    force: ForceOption = False,
    seed: SeedOption = "1",
    settings: SetOption = None,
    most_actions: MostOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
) -> int:
    """Show which parameters a measure depends on: Sobol indices of the varied parameters."""
    from rich.table import Table

    from biriba.explore import pictures
    from biriba.explore.run import workers as at_work
    from biriba.explore.sensitivity import analyse, evaluate, sample
    from biriba.explore.settings import parse_variation

    _free(force, plot=plot)
    variations: list[Variation] = [parse_variation(text) for text in vary]
    chance = sum(seed.encode())
    points = sample(variations, samples, chance)
    with at_work(workers, scheduler) as place, _progress("rule sets", len(set(points))) as told:

        def value(point: dict[str, str]) -> float:
            order = _order(_set(rules, settings, point), deals, bots, seed, most_actions, workers, plain=True)
            found = _measure(_means(order, place, lambda count: None), measure).mean
            told(1)
            return found

        indices = analyse(variations, evaluate(points, value), chance)
    table = Table("parameter", "alone", "with interactions", title=f"{rules}: what {measure} depends on")
    for index in indices:
        table.add_row(
            index.name, f"{index.first:.2f} ± {index.first_half:.2f}", f"{index.total:.2f} ± {index.total_half:.2f}"
        )
    console(whole=True).print(table)
    if plot is not None:
        names, first, total = [i.name for i in indices], [i.first for i in indices], [i.total for i in indices]
        pictures.sensitivity_page(names, first, total, measure, plot)
    return OK


# ---------------------------------------------------------------- what they share


def _free(force: bool, *, plot: Path | None, table: Path | None = None) -> None:
    """See, before anything is played, whether what is to be shown can be written in the end.

    Errors: `ExploreError`, `BadInput`.
    """
    from biriba.explore.errors import ExploreError
    from biriba.explore.pictures import check_kind

    if table is not None and table.suffix != ".csv":
        raise ExploreError(f"{table}: what a sweep writes is a CSV file, its name ends in .csv")
    if plot is not None:
        check_kind(plot)
    for path in (plot, table):
        if path is not None:
            check_writable(path)
            if path.exists() and not force:
                raise ExploreError(f"{path} exists already: choose another name, or --force to write it anew")


def _set(name: str, settings: list[str] | None, point: dict[str, str] | None = None) -> Ruleset:
    from biriba.explore.errors import ExploreError, SettingError
    from biriba.explore.settings import parse_setting, with_settings

    chosen = dict(parse_setting(text) for text in settings or ())
    varied = point or {}
    try:
        return with_settings(name, {**chosen, **varied})
    except SettingError as error:
        option = "--vary" if error.name in varied else "--set"
        raise ExploreError(f"{option} {error}") from None


def _order(
    rules: Ruleset,
    deals: int,
    bots: str,
    seed: str,
    most: int | None,
    workers: int | None,
    *,
    matches: bool = False,
    plain: bool = False,
) -> Order:
    """What is to be played, checked. Errors: `ExploreError`."""
    from biriba.engine import Engine
    from biriba.engine.fast import is_compiled
    from biriba.engine.generate import generate
    from biriba.explore.deals import can_be_fast, endless, players_of
    from biriba.explore.errors import ExploreError
    from biriba.explore.run import Order

    for number, what in ((deals, "deals"), (most, "actions"), (workers, "workers")):
        if number is not None and number < 1:
            raise ExploreError(f"{number} {what} are too few: at least 1")
    players, own = players_of(bots, rules)
    if most is None:
        loop = endless(Engine(rules))
        if loop:
            raise ExploreError(_unbounded(rules, loop))
    worth = not plain and not own and (deals >= WORTH_COMPILING or matches or is_compiled(generate(rules)))
    return Order(rules, players, deals, seed, most or MOST_ACTIONS, matches, worth and can_be_fast(rules), own)


def _unbounded(rules: Ruleset, loop: list[str]) -> str:
    """Why a rule set cannot be played without a limit, and how to set one."""
    turns = [p for p in rules.parameters.values() if p.unit == "turns" and p.value == 0]
    hint = f"--set {turns[0].name}=60 ({turns[0].text})" if turns else "a rule that ends such a deal"
    shown = ", ".join(loop[:6]) + (", ..." if len(loop) > 6 else "")
    return (
        f"in {rules.name} a deal can go on for ever: {shown} lead back to the same position, {len(loop)} actions on.\n"
        f"  hint: set a limit with {hint}, or break such deals off with --most-actions 5000"
    )


def _means(order: Order, place: Any, told: Callable[[int], None]) -> dict[str, Mean]:
    from biriba.explore.run import collect, prepare
    from biriba.explore.summary import joined, means, measures

    prepare(order)
    return means(measures(order.rules, joined(collect(order, place, told))))


def _measure(summed: dict[str, Mean], name: str) -> Mean:
    from biriba.explore.errors import ExploreError
    from biriba.suggest import did_you_mean

    if name not in summed:
        hint = did_you_mean(name, summed) or f"there are: {', '.join(summed)}"
        raise ExploreError(f"nothing is called {name!r}; {hint}")
    return summed[name]


def _summary(order: Order, summed: dict[str, Mean]) -> None:
    from rich.table import Table

    table = Table(title=f"{order.rules.title}: {order.deals} {'matches' if order.matches else 'deals'}")
    table.add_column("measure")
    table.add_column("mean, 95% interval", justify="right")
    table.add_column("of", justify="right")
    for name, value in summed.items():
        if value.mean or value.half:
            table.add_row(name, str(value), str(value.of))
    console(whole=True).print(table)


def _write_csv(path: Path, lines: list[dict[str, Any]]) -> None:
    import csv
    import io

    from biriba.cli.common import write_text

    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for line in lines for key in line)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    write_text(path, text.getvalue())


@contextlib.contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar with the rate and the time left, on standard error if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        task = progress.add_task(what, total=total, rate="")

        def told(count: int) -> None:
            progress.advance(task, count)
            speed = progress.tasks[0].speed
            progress.update(task, rate=f"{speed:,.0f}/s" if speed else "")

        yield told


__all__ = ["BAD_INPUT", "compare", "sensitivity", "simulate", "sweep"]
