"""Spreading deals over processes: those of this machine, or those of a dask cluster, by one code path."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

from biriba.engine import Engine
from biriba.explore.bots import OwnBot
from biriba.explore.deals import Played, Shard, engine_of, play_shard
from biriba.explore.errors import ExploreError, need
from biriba.model.ruleset import Ruleset

SHARD = 500
"""Deals of a shard: what is lost at most of each process when a run is stopped."""
MATCH_SHARD = 50


class Workers(Protocol):
    """Where shards are played."""

    def results(self, shards: list[Shard]) -> Iterator[Played]:
        """What came of the shards, in any order."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """The process itself."""

    def results(self, shards: list[Shard]) -> Iterator[Played]:
        for shard in shards:
            yield play_shard(shard)


@dataclass(frozen=True, slots=True)
class Processes:
    """Other processes of this machine."""

    pool: ProcessPoolExecutor
    count: int

    def results(self, shards: list[Shard]) -> Iterator[Played]:
        waiting = list(reversed(shards))
        running: set[Future[Played]] = set()
        while waiting or running:
            # Not all at once: what is not yet begun can then be dropped when a run is stopped.
            while waiting and len(running) < self.count + 1:
                running.add(self.pool.submit(play_shard, waiting.pop()))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()


@dataclass(frozen=True, slots=True)
class Cluster:
    """The workers of a dask cluster. If one is lost, its shards are played again by others."""

    client: Any

    def results(self, shards: list[Shard]) -> Iterator[Played]:
        distributed = need("distributed", "cluster")
        futures = [self.client.submit(play_shard, shard, pure=False, retries=3) for shard in shards]
        for _, played in distributed.as_completed(futures, with_results=True):
            yield played


@contextmanager
def workers(count: int | None, scheduler: str | None) -> Iterator[Workers]:
    """The workers asked for.

    Args:
        count: processes on this machine; by default as many as it has cores.
        scheduler: the address of a dask scheduler, whose workers are used instead.

    Raises:
        ExploreError: the scheduler does not answer, or dask is not installed.
    """
    if scheduler is not None:
        distributed = need("distributed", "cluster")
        try:
            client = distributed.Client(scheduler, timeout="10s")
        except (OSError, TimeoutError, ValueError) as error:
            raise ExploreError(f"no dask scheduler answers at {scheduler}: {error or 'no answer in 10 s'}") from None
        try:
            yield Cluster(client)
        finally:
            client.close(timeout=2)
        return
    cores = count or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else count or os.cpu_count() or 1
    if cores == 1:
        yield Here()
        return
    pool = ProcessPoolExecutor(cores)
    try:
        yield Processes(pool, cores)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be played.

    Attributes:
        deals: how many deals, or matches if `matches`.
        limit: actions after which a deal is broken off.
        fast: compile the engine with numba.
        bots: players of the user's own, numbered after the built-in ones.
    """

    rules: Ruleset
    players: tuple[int, ...]
    deals: int
    seed: str
    limit: int
    matches: bool = False
    fast: bool = False
    bots: tuple[OwnBot, ...] = ()

    def shards(self) -> list[Shard]:
        """All shards of the order."""
        rules = pickle.dumps(self.rules)
        size = MATCH_SHARD if self.matches else SHARD
        return [
            Shard(
                rules,
                self.rules.digest,
                self.players,
                self.seed,
                first,
                min(size, self.deals - first),
                self.limit,
                self.matches,
                self.fast,
                self.bots,
            )
            for first in range(0, self.deals, size)
        ]


def prepare(order: Order) -> Engine:
    """An engine for the order; what numba compiles is on disk before other processes ask for it."""
    shard = replace(order.shards()[0], count=1, limit=3, matches=False)
    if shard.fast:
        play_shard(shard)
    return engine_of(shard)


def collect(order: Order, place: Workers, told: Callable[[int], None]) -> list[Played]:
    """Play an order in memory; the shards in the order of the deals.

    Args:
        told: is told how many deals have been played by each shard.
    """
    found: list[Played] = []
    for played in place.results(order.shards()):
        found.append(played)
        told(len(next(iter(played.columns.values()))))
    return sorted(found, key=lambda played: played.first)
