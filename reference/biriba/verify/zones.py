"""What is asked of zones in symbols, of several together as of one."""

from __future__ import annotations

from dataclasses import dataclass

from biriba.verify.symbols import CardZone, MeldZone, SymZone, either_zone, equal_zones
from biriba.verify.terms import Term, and_, known, not_, total


@dataclass(frozen=True, eq=False)
class Union:
    """Several zones taken together."""

    parts: tuple[SymZone, ...]

    def count(self, face: int) -> Term:
        return total(count_in(zone, face) for zone in self.parts)

    @property
    def size(self) -> Term:
        return total(zone.size for zone in self.parts)

    def empty(self) -> Term:
        return and_(zone.empty() for zone in self.parts)


Place = SymZone | Union


def parts_of(zone: Place) -> tuple[SymZone, ...]:
    return zone.parts if isinstance(zone, Union) else (zone,)


def count_in(zone: Place, face: int) -> Term:
    """How many copies of a face lie in a zone, those in melds too."""
    return zone.counts[face] if isinstance(zone, CardZone) else zone.count(face)


def counts_in(zone: Place, faces: int) -> tuple[Term, ...]:
    return tuple(count_in(zone, face) for face in range(faces))


def either(condition: Term, a: Place, b: Place) -> Place:
    """One of two zones, or of two that are several together."""
    if known(condition):
        return a if condition else b
    if not isinstance(a, Union) and not isinstance(b, Union) and type(a) is type(b):
        return either_zone(condition, a, b)
    here, there = parts_of(a), parts_of(b)
    return Union(
        (
            *(either_zone(condition, part, _nothing(part)) for part in here),
            *(either_zone(not_(condition), part, _nothing(part)) for part in there),
        )
    )


def _nothing(zone: SymZone) -> SymZone:
    if isinstance(zone, MeldZone):
        return MeldZone(())
    return CardZone((0,) * len(zone.counts), 0, None if zone.top is None else 0)


def equal_places(a: Place, b: Place) -> tuple[Term, Term]:
    """What makes sure that the same lies in two places, and what follows if it does.

    The two differ only for several zones together: what lies in them one after another may be the same though it is
    parted otherwise.
    """
    if not isinstance(a, Union) and not isinstance(b, Union):
        same = equal_zones(a, b)
        return same, same
    here, there = parts_of(a), parts_of(b)
    if len(here) != len(there):
        return and_((a.empty(), b.empty())), a.size == b.size
    return and_(equal_zones(x, y) for x, y in zip(here, there, strict=True)), a.size == b.size
