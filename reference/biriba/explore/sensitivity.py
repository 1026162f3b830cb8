"""Which parameters matter: Sobol indices, with SALib."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from biriba.explore.errors import ExploreError, need
from biriba.explore.settings import Variation

Point = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Index:
    """How much of a measure's variance a parameter explains: alone, and with all its interactions, ± 95%."""

    name: str
    first: float
    first_half: float
    total: float
    total_half: float


def sample(variations: Sequence[Variation], size: int, seed: int) -> list[Point]:
    """The settings to be tried, with repetitions: size * (2 + number of parameters).

    Raises:
        ExploreError: a parameter has one value only, the size is no power of two, or SALib is missing.
    """
    if size < 2 or size & (size - 1):
        raise ExploreError(f"{size} is no power of two; the samples of Sobol need one")
    lonely = [variation.name for variation in variations if len(variation.values) < 2]
    if lonely or not variations:
        raise ExploreError(f"a parameter needs two values to matter: {', '.join(lonely) or 'none is varied'}")
    values = need("SALib.sample.sobol", "explore").sample(
        _problem(variations), size, calc_second_order=False, seed=seed
    )
    return [
        tuple((v.name, v.values[min(int(cell), len(v.values) - 1)]) for v, cell in zip(variations, row, strict=True))
        for row in values
    ]


def analyse(variations: Sequence[Variation], results: Sequence[float], seed: int) -> list[Index]:
    """The indices of each parameter from the results at the sampled points."""
    numpy = need("numpy", "explore")
    found = need("SALib.analyze.sobol", "explore").analyze(
        _problem(variations), numpy.array(results), calc_second_order=False, seed=seed
    )
    return [
        Index(v.name, *(float(found[key][i]) for key in ("S1", "S1_conf", "ST", "ST_conf")))
        for i, v in enumerate(variations)
    ]


def evaluate(points: Sequence[Point], measure: Callable[[dict[str, str]], float]) -> list[float]:
    """The measure at each point, each setting played once."""
    known: dict[Point, float] = {}
    for point in points:
        if point not in known:
            known[point] = measure(dict(point))
    return [known[point] for point in points]


def _problem(variations: Sequence[Variation]) -> dict[str, Any]:
    """Each parameter as a number from 0 to the number of its values: the whole part names the value."""
    return {
        "num_vars": len(variations),
        "names": [v.name for v in variations],
        "bounds": [[0, len(v.values)] for v in variations],
    }
