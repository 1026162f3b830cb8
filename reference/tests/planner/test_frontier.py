"""What a search takes next."""

from __future__ import annotations

from random import Random

from biriba.planner.frontier import Frontier


def filled() -> Frontier[str]:
    frontier: Frontier[str] = Frontier(Random(1))
    for value, kind, item in ((3.0, "far", "c"), (1.0, "near", "a"), (2.0, "near", "b")):
        frontier.add(value, kind, item)
    return frontier


def test_the_nearest_comes_first() -> None:
    frontier = filled()
    assert [frontier.nearest() for _ in range(3)] == ["a", "b", "c"]
    assert not frontier


def test_any_kind_may_come_and_nothing_comes_twice() -> None:
    frontier = filled()
    taken = [frontier.any_kind(), frontier.nearest(), frontier.any_kind()]
    assert sorted(taken) == ["a", "b", "c"]
    assert not frontier


def test_a_kind_with_few_things_is_not_forgotten_beside_one_with_many() -> None:
    frontier: Frontier[int] = Frontier(Random(1))
    for number in range(200):
        frontier.add(0.0, "many", number)
    frontier.add(9.0, "few", -1)
    assert -1 in [frontier.any_kind() for _ in range(12)]
