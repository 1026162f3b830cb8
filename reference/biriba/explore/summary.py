"""Numbers of many deals: what is measured in each deal, means, and 95% intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from biriba.explore.deals import Played
from biriba.explore.errors import need
from biriba.model.ruleset import Ruleset

Z = 1.96
"""Standard errors to each side of a mean that a 95% interval takes."""
SKIPPED = ("deal", "chance", "match", "deal_of_match", "match_winner", "dealer", "first")


class Mean(NamedTuple):
    """A mean with half the width of its 95% interval, and of how many values."""

    mean: float
    half: float
    of: int

    def __str__(self) -> str:
        digits = 1 if abs(self.mean) >= 100 else None
        return f"{number(self.mean, 3, digits)} ± {number(self.half, 2)}"


def number(value: float, significant: int, digits: int | None = None) -> str:
    """A number with so many significant digits, never as a power of ten; or with so many decimals."""
    if digits is None:
        if value == 0 or not math.isfinite(value):
            return f"{value:g}"
        digits = max(0, significant - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def joined(played: Sequence[Played]) -> dict[str, list[int | None]]:
    """The columns of all shards."""
    return {name: [v for part in played for v in part.columns[name]] for name in played[0].columns}


def curve_of(played: Sequence[Played]) -> list[int]:
    """The curve of all shards."""
    return [sum(cells) for cells in zip(*(part.curve for part in played), strict=True)]


def measures(rules: Ruleset, columns: Mapping[str, Sequence[int | None]]) -> dict[str, Any]:
    """What is measured in each deal, by name: arrays with a number for each deal, NaN where there is none."""
    numpy = need("numpy", "explore")

    def array(name: str) -> Any:
        return numpy.array([numpy.nan if v is None else v for v in columns[name]], dtype=float)

    sides = rules.table.sides
    found = {"turns": array("turns"), "actions": array("actions")}
    found["choices per action"] = array("choices") / numpy.maximum(1, found["actions"])
    scores = numpy.stack([array(f"score_{side}") for side in sides])
    best = scores.max(axis=0)
    alone = (scores == best).sum(axis=0) == 1
    for i, side in enumerate(sides):
        found[f"score_{side}"] = scores[i]
        found[f"won_{side}"] = ((scores[i] == best) & alone).astype(float)
    first = numpy.array([rules.table.side_of(int(seat or 0)) for seat in columns["first"]])
    here = numpy.arange(len(first))
    others = (scores.sum(axis=0) - scores[first, here]) / max(1, len(sides) - 1)
    found["first player's lead"] = scores[first, here] - others
    found["first player won"] = ((scores[first, here] == best) & alone).astype(float)
    found["margin"] = best - numpy.sort(scores, axis=0)[-2] if len(sides) > 1 else best
    for name in columns:
        if name.startswith("turn_"):
            values = array(name)
            values[values == 0] = numpy.nan
            found[name] = values
        elif name.startswith("end_"):
            values = array(name)
            found[f"{name} given"] = (~numpy.isnan(values)).astype(float)
            found[name] = values
        elif name not in SKIPPED and not name.startswith("start_"):
            found.setdefault(name, array(name))
    return found


def mean(values: Any) -> Mean:
    """The mean of an array, NaN left out."""
    numpy = need("numpy", "explore")
    known = values[~numpy.isnan(values)]
    count = len(known)
    if count == 0:
        return Mean(float("nan"), float("nan"), 0)
    spread = float(known.std(ddof=1)) if count > 1 else 0.0
    return Mean(float(known.mean()), Z * spread / count**0.5, count)


def means(measured: Mapping[str, Any]) -> dict[str, Mean]:
    """All means, those of nothing left out."""
    found = {name: mean(values) for name, values in measured.items()}
    return {name: value for name, value in found.items() if value.of}


class Difference(NamedTuple):
    """How a measure differs on the same deals: mean difference, its half interval, and the effect size (Cohen's d)."""

    mean: float
    half: float
    effect: float


def difference(a: Any, b: Any) -> Difference | None:
    """How b differs from a, deal by deal; None if they have no deals in common."""
    numpy = need("numpy", "explore")
    both = ~numpy.isnan(a) & ~numpy.isnan(b)
    if both.sum() < 2:
        return None
    delta = b[both] - a[both]
    spread = ((a[both].var(ddof=1) + b[both].var(ddof=1)) / 2) ** 0.5
    middle = float(delta.mean())
    half = Z * float(delta.std(ddof=1)) / len(delta) ** 0.5
    return Difference(middle, half, middle / float(spread) if spread else 0.0)
