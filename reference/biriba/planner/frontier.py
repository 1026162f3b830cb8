"""The places from which a search has still to go on, taken nearest first, or one of any kind."""

from __future__ import annotations

import heapq
from collections.abc import Hashable
from itertools import count
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")


class Frontier(Generic[T]):
    """What waits, each thing with a value (the less, the sooner) and a kind.

    To take always the nearest leads astray where the estimate is wrong: all that is near in vain is gone through
    first. So now and then one is taken of a kind that is chosen at random, whatever its value; this is type-based
    exploration.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._heap: list[tuple[float, float, int]] = []
        self._kinds: dict[Hashable, list[int]] = {}
        self._waiting: dict[int, T] = {}
        self._numbers = count()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, value: float, kind: Hashable, item: T) -> None:
        """Let something wait."""
        number = next(self._numbers)
        self._waiting[number] = item
        heapq.heappush(self._heap, (value, self._random.random(), number))
        self._kinds.setdefault(kind, []).append(number)

    def nearest(self) -> T:
        """Take what has the least value."""
        while True:
            number = heapq.heappop(self._heap)[-1]
            if number in self._waiting:
                return self._waiting.pop(number)

    def any_kind(self) -> T:
        """Take one of a kind that is chosen at random."""
        while True:
            kind = self._random.choice(list(self._kinds))
            numbers = self._kinds[kind]
            i = self._random.randrange(len(numbers))
            numbers[i], numbers[-1] = numbers[-1], numbers[i]
            number = numbers.pop()
            if not numbers:
                del self._kinds[kind]
            if number in self._waiting:
                return self._waiting.pop(number)
