"""Tables on disk: parts are kept, broken ones played again, nothing is written over unasked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import biriba
from biriba.cli.app import app
from biriba.explore.deals import Played
from biriba.explore.errors import ExploreError
from biriba.explore.store import Store, read

pytest.importorskip("pyarrow")

SMALL = ["simulate", "biriba-bounded", "--deals", "6", "--bots", "random", "--workers", "1", "--plain"]


def run(*args: str) -> Any:
    return CliRunner().invoke(app, list(args))


def part(first: int) -> Played:
    return Played(first, {"deal": [first, first + 1], "x": [None, 3]}, [1, 2])


def test_parts_become_one_table(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.parquet", {"seed": "1"})
    store.begin(resume=False, force=False)
    store.add(part(2))
    store.add(part(0))
    store.finish([("deal", "its number"), ("x", "something")])
    columns, curve, plan = read(store.path)
    assert columns == {"deal": [0, 1, 2, 3], "x": [None, 3, None, 3]}
    assert (curve, plan) == ([2, 4], {"seed": "1"})
    assert not store.parts.exists()


def test_a_part_cut_off_counts_for_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.parquet", {})
    store.begin(resume=False, force=False)
    store.add(part(0))
    assert store.has(0)
    store.part(0).write_bytes(store.part(0).read_bytes()[:50])
    assert not store.has(0)
    assert not store.part(0).exists()


def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.parquet", {"seed": "1"})
    store.begin(resume=False, force=False)
    with pytest.raises(ExploreError, match="--resume"):
        store.begin(resume=False, force=False)
    with pytest.raises(ExploreError, match="another run"):
        Store(store.path, {"seed": "2"}).begin(resume=True, force=False)
    (store.parts / "plan.json").write_text("{")
    with pytest.raises(ExploreError, match="cannot be read"):
        store.begin(resume=True, force=False)
    store.path.write_text("mine")
    with pytest.raises(ExploreError, match="exists already"):
        store.begin(resume=False, force=False)
    assert store.path.read_text() == "mine"


def test_a_full_disk_is_one_message(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no full device here")
    store = Store(tmp_path / "t.parquet", {})
    store.begin(resume=False, force=False)
    (store.parts / f".{store.part(0).stem}.{os.getpid()}.parquet").symlink_to(full)
    with pytest.raises(ExploreError, match=r"No space left.*--resume"):
        store.add(part(0))


def test_what_is_no_table_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    with pytest.raises(ExploreError, match="no such file"):
        read(path)
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(ExploreError, match="no whole table"):
        read(path)


def test_simulate_writes_and_sums_up(tmp_path: Path) -> None:
    out, plot = tmp_path / "t.parquet", tmp_path / "t.svg"
    done = run(*SMALL, "--out", str(out), "--plot", str(plot))
    assert done.exit_code == 0, done.output
    assert "score_X" in done.output
    assert len(read(out)[0]["deal"]) == 6
    assert plot.read_text().startswith("<?xml")
    again = run(*SMALL, "--out", str(out))
    assert again.exit_code == 2
    assert "exists already" in again.output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["simulate", "biriba-bounded", "--deals", "0"], "0 deals are too few"),
        (["simulate", "biriba-bounded", "--deals", "-3"], "too few"),
        (["simulate", "biriba-bounded", "--bots", "fox"], "no bot 'fox'"),
        (["simulate", "biriba"], "go on for ever"),
        (["simulate", "biriba-bounded", "--resume"], "--resume needs"),
        (["compare", "biriba-bounded"], "two rule sets"),
        (["sweep", "biriba-bounded", "--vary", "min_meld"], "varies nothing"),
        (["sweep", "biriba-bounded", "--vary", "min_meld=a..b"], "varies nothing"),
        (["sweep", "biriba-bounded", "--vary", "no_such=1..2"], "no_such"),
        (
            ["sweep", "biriba-bounded", "--vary", "min_meld=3..99"],
            "--vary min_meld=8: parameter 'min_meld' is 8, outside",
        ),
        (["simulate", "biriba-bounded", "--set", "no_such=1"], "--set no_such=1: there is no parameter 'no_such'"),
        (["simulate", "biriba-bounded", "--set", "max_run=99"], "--set max_run=99: parameter 'max_run' is 99, outside"),
        ([*SMALL, "--out", "deals.csv"], "deals.csv: a table of deals is a Parquet file"),
        (
            ["sweep", "biriba-bounded", "--vary", "min_meld=3..4", "--out", "x.parquet"],
            "x.parquet: what a sweep writes",
        ),
        (["sweep", "biriba-bounded", "--vary", "min_meld=3..4", "--out", "no/x.csv"], "there is no folder no"),
        (["sensitivity", "biriba-bounded", "--vary", "min_meld=3..4", "--samples", "3"], "power of two"),
        (["simulate", "biriba-bounded", "--deals", "1", "--scheduler", "tcp://127.0.0.1:1"], "no dask scheduler"),
    ],
)
def test_bad_input_is_one_message(args: list[str], said: str) -> None:
    done = run(*args)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert "settings" not in done.output
    assert done.stderr.startswith("error: ")
    assert not Path("deals.csv").exists()


@pytest.mark.parametrize(
    "command",
    [
        SMALL,
        ["compare", "biriba-bounded", "biriba-runs-only"],
        ["sweep", "biriba-bounded", "--vary", "min_meld=3..4"],
        ["sensitivity", "biriba-bounded", "--vary", "min_meld=3..4"],
    ],
)
def test_a_picture_that_cannot_be_drawn_is_told_before_anything_is_played(tmp_path: Path, command: list[str]) -> None:
    mine = tmp_path / "mine.svg"
    mine.write_text("mine")
    for name, said in (("mine.svg", "exists already"), ("a.gif", "ends in .svg, .png or .pdf"), ("no/a.svg", "folder")):
        done = run(*command, "--plot", str(tmp_path / name))
        assert done.exit_code == 2, done.output
        assert said in done.output.replace("\n", " ")
    assert mine.read_text() == "mine"
    if command is SMALL:
        assert run(*command, "--plot", str(mine), "--force").exit_code == 0
        assert mine.read_text().startswith("<?xml")
        assert [path.name for path in tmp_path.iterdir()] == ["mine.svg"]


def test_compare_and_sweep_show_tables(tmp_path: Path) -> None:
    few = ["--deals", "5", "--bots", "random", "--workers", "1", "--plain", "--most-actions", "3000"]
    done = run("compare", "biriba-bounded", "biriba-runs-only", *few, "--plot", str(tmp_path / "c.svg"))
    assert done.exit_code == 0, done.output
    out = tmp_path / "s.csv"
    done = run(
        "sweep", "biriba-bounded", "--vary", "min_meld=3..4", *few, "--plot", str(tmp_path / "s.svg"), "-o", str(out)
    )
    assert done.exit_code == 0, done.output
    assert len(out.read_text().splitlines()) == 3
    wrong = run("sweep", "biriba-bounded", "--vary", "min_meld=3..4", *few, "--measure", "turnz")
    assert wrong.exit_code == 2
    assert "did you mean 'turns'" in wrong.output


def test_a_parameter_without_influence_has_index_zero() -> None:
    pytest.importorskip("SALib")
    from biriba.explore.sensitivity import analyse, evaluate, sample
    from biriba.explore.settings import Variation

    variations = [Variation("a", ("0", "1", "2")), Variation("b", ("0", "1"))]
    points = sample(variations, 64, 1)
    a, b = analyse(variations, evaluate(points, lambda point: 5.0 * int(point["a"])), 1)
    assert a.total > 0.9
    assert abs(b.total) < 0.05


@pytest.mark.slow
def test_what_is_stopped_can_be_taken_up(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "biriba", *SMALL[:2], "--deals", "3000", "--bots", "random", "--plain"]
    out = tmp_path / "t.parquet"
    environment = os.environ | {"PYTHONPATH": str(Path(biriba.__file__).parents[1])}
    run_ = subprocess.Popen([*command, "--out", str(out)], stderr=subprocess.PIPE, text=True, env=environment)
    parts = tmp_path / "t.parquet.parts"
    while run_.poll() is None and not list(parts.glob("part-*.parquet")):
        time.sleep(0.1)
    run_.send_signal(signal.SIGINT)
    _, said = run_.communicate(timeout=120)
    assert run_.returncode == 130, said
    assert "--resume goes on" in said
    for more in (["--out", str(out), "--resume"], ["--out", str(tmp_path / "w.parquet")]):
        subprocess.run([*command, *more], check=True, stdout=subprocess.DEVNULL, env=environment)
    assert read(out) == read(tmp_path / "w.parquet")


@pytest.mark.slow
def test_a_lost_worker_changes_nothing() -> None:
    distributed = pytest.importorskip("distributed")
    from biriba.explore.run import Cluster, Here, Order, collect

    order = Order(biriba.load("biriba-bounded").ruleset, (0, 0, 0, 0), 2500, "s", 5000)
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        killed: list[int] = []

        def told(count: int) -> None:
            if not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        played = collect(order, Cluster(client), told)
    assert killed
    assert played == collect(order, Here(), lambda count: None)
