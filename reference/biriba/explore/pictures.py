"""Pictures of many deals, with matplotlib, as SVG or PNG by the file's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from biriba.explore.errors import ExploreError, need
from biriba.explore.summary import Difference, Mean
from biriba.files import replacing
from biriba.model.ruleset import Ruleset

COLOURS = ("#1b6ca8", "#c8553d", "#4f8a3c", "#8e6bbf", "#b8860b", "#5b6770")
KINDS = (".svg", ".png", ".pdf")
LEAST_SHARE = 0.05
"""A turn is drawn as long as this share of the deals has it."""


def _figure(rows: int, columns: int, title: str, size: tuple[float, float]) -> tuple[Any, Any]:
    matplotlib = need("matplotlib", "explore")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "biriba"
    figure, axes = need("matplotlib.pyplot", "explore").subplots(rows, columns, figsize=size, squeeze=False)
    figure.suptitle(title)
    return figure, axes


def check_kind(path: Path) -> None:
    """Whether a picture of this name can be drawn, asked before anything is played.

    Raises:
        ExploreError: the name ends in no kind of picture, or there is nothing to draw with.
    """
    if path.suffix.lower() not in KINDS:
        raise ExploreError(f"{path}: a picture's name ends in {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    need("matplotlib", "explore")


def _save(figure: Any, path: Path) -> None:
    """Errors: `ExploreError` if it cannot be written. A picture that was there stays until the new one is whole."""
    figure.tight_layout()
    try:
        with replacing(path) as aside:
            figure.savefig(aside, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise ExploreError(f"{path}: {error.strerror or error}") from None
    need("matplotlib.pyplot", "explore").close(figure)


def deals_page(
    rules: Ruleset, measured: Mapping[str, Any], curve: Sequence[int], means: Mapping[str, Mean], path: Path
) -> None:
    """One page about many deals: lengths, scores, points by turn, and who wins."""
    figure, axes = _figure(2, 2, rules.title, (11, 8))
    sides = rules.table.sides
    axes[0][0].hist(measured["turns"], bins=40, color=COLOURS[0])
    axes[0][0].set(title="Length of a deal", xlabel="turns", ylabel="deals")
    for i, side in enumerate(sides):
        axes[0][1].hist(measured[f"score_{side}"], bins=60, histtype="step", color=COLOURS[i % 6], label=side)
    axes[0][1].set(title="Score of a deal", xlabel="points", ylabel="deals")
    axes[0][1].legend()
    step = len(sides) + 1
    turns = [curve[i : i + step] for i in range(0, len(curve), step)]
    shown = [turn for turn in turns[:-1] if turns[0][-1] and turn[-1] >= LEAST_SHARE * turns[0][-1]]
    for i, side in enumerate(sides):
        axes[1][0].plot([turn[i] / turn[-1] for turn in shown], color=COLOURS[i % 6], label=side)
    axes[1][0].set(title="Points when a turn begins", xlabel="turn", ylabel="mean points")
    axes[1][0].legend()
    names = [*(f"won_{side}" for side in sides), "first player won"]
    shares = [means[name] for name in names]
    axes[1][1].bar(names, [s.mean for s in shares], yerr=[s.half for s in shares], color=COLOURS[0], capsize=4)
    axes[1][1].set(title="Deals won, with 95% intervals", ylim=(0, 1))
    _save(figure, path)


def comparison_page(
    names: Sequence[str],
    means: Sequence[Mapping[str, Mean]],
    differences: Mapping[str, Sequence[Difference]],
    path: Path,
) -> None:
    """One page about several rule sets on the same decks: means side by side, and the greatest effects."""
    shown = ["turns", "actions", *[m for m in means[0] if m.startswith(("score_", "won_"))], "margin"]
    shown = [m for m in shown if all(m in each for each in means)][:7]
    figure, axes = _figure(1, len(shown) + 1, "Rule sets on the same decks", (3 * (len(shown) + 1), 4.5))
    for axis, measure in zip(axes[0], shown, strict=False):
        values = [each[measure] for each in means]
        colours = [COLOURS[i % 6] for i in range(len(names))]
        axis.bar(range(len(names)), [v.mean for v in values], yerr=[v.half for v in values], color=colours, capsize=4)
        axis.set_xticks(range(len(names)), names, rotation=30, ha="right")
        axis.set_title(measure)
    largest = sorted(differences, key=lambda m: -max(abs(d.effect) for d in differences[m]))[:10]
    for i, _ in enumerate(names[1:]):
        effects = [differences[m][i].effect for m in largest]
        at = [y + i * 0.8 / len(names) for y in range(len(largest))]
        axes[0][-1].barh(at, effects, 0.8 / len(names), color=COLOURS[(i + 1) % 6])
    axes[0][-1].set_yticks(range(len(largest)), largest, fontsize=7)
    axes[0][-1].invert_yaxis()
    axes[0][-1].set_title("effect sizes")
    _save(figure, path)


def sweep_page(names: Sequence[str], rows: Sequence[tuple[Mapping[str, str], Mean]], measure: str, path: Path) -> None:
    """A curve for one parameter, a heat map for two, and for more a curve for each choice of the others."""
    figure, axes = _figure(1, 1, measure, (7.5, 5))
    axis = axes[0][0]
    if len(names) == 2:
        first, second = (list(dict.fromkeys(point[name] for point, _ in rows)) for name in names)
        grid = [[next(m.mean for p, m in rows if p[names[0]] == a and p[names[1]] == b) for b in second] for a in first]
        image = axis.imshow(grid, aspect="auto", origin="lower", cmap="viridis")
        axis.set_xticks(range(len(second)), second)
        axis.set_yticks(range(len(first)), first)
        axis.set(xlabel=names[1], ylabel=names[0])
        figure.colorbar(image)
    else:
        lines: dict[str, list[tuple[str, Mean]]] = {}
        for point, m in rows:
            lines.setdefault(", ".join(f"{n} {point[n]}" for n in names[1:]), []).append((point[names[0]], m))
        for i, (label, values) in enumerate(lines.items()):
            at, means, halves = [v for v, _ in values], [m.mean for _, m in values], [m.half for _, m in values]
            axis.errorbar(at, means, halves, capsize=3, color=COLOURS[i % 6], label=label)
        axis.set(xlabel=names[0], ylabel=measure)
        if len(names) > 1:
            axis.legend(fontsize=7)
    _save(figure, path)


def sensitivity_page(
    names: Sequence[str], first: Sequence[float], total: Sequence[float], measure: str, path: Path
) -> None:
    """Sobol indices as bars."""
    figure, axes = _figure(1, 1, f"What {measure} depends on", (7.5, 5))
    at = range(len(names))
    axes[0][0].bar([i - 0.2 for i in at], first, 0.4, color=COLOURS[0], label="alone")
    axes[0][0].bar([i + 0.2 for i in at], total, 0.4, color=COLOURS[1], label="with all interactions")
    axes[0][0].set_xticks(list(at), names, rotation=20, ha="right")
    axes[0][0].set_ylabel("share of the variance")
    axes[0][0].legend()
    _save(figure, path)
