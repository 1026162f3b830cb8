"""The search for the melds of a hand: which shapes are worth looking at, and with which of the cards.

A look at a few bits says of most shapes that nothing can be made of them. What is left of the hand is stripped of
the cards that cannot be of use, so that in plain Python the same question comes again and its answer is remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from biriba.engine.codec import Codec
from biriba.engine.layout import FlatLayout, Names
from biriba.engine.tables import table
from biriba.engine.writer import Body
from biriba.model.ruleset import Ruleset

MOST_TABLE_BITS = 16
"""The widest span of faces for which a table says at once which of them are of use."""
MOST_LEVELS = 3
"""Up to how many natural cards of a group are counted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """By shape: the least and most cards of a lawful meld, and the most substitutes. No lawful meld: most is 0."""

    least: Sequence[int]
    most: Sequence[int]
    substitutes: Sequence[int]


class Search:
    """Writes the function `new_melds` of one rule set.

    Attributes:
        planes: how many copies of a face can be of use in one meld, at most.
    """

    def __init__(self, rules: Ruleset, layout: FlatLayout, codec: Codec, names: Names, limits: Limits) -> None:
        self.rules, self.layout, self.codec, self.names, self.limits = rules, layout, codec, names, limits
        self.copies = [face.copies for face in rules.cards.faces]
        usable = [[self._usable(s, face) for face in range(len(self.copies))] for s in range(len(codec.shapes))]
        self.planes = max(1, max((n for row in usable for n in row), default=1))
        self._of_use = [
            [sum(1 << face for face, n in enumerate(row) if n > k) for row in usable] for k in range(self.planes)
        ]

    @property
    def parameters(self) -> str:
        """The names of the planes that matter."""
        return ", ".join(f"p{k}" for k in range(self.planes))

    def _usable(self, s: int, face: int) -> int:
        """How many copies of a face one meld of a shape can have."""
        rows, naturals = self.codec.options[s], self.codec.naturals[s]
        natural = [face in row[:n] for row, n in zip(rows, naturals, strict=True)]
        substitute = any(face in row[n:] for row, n in zip(rows, naturals, strict=True))
        most = self.limits.most[s]
        if self.codec.in_sequence[s]:
            usable = max((sum(natural[i : i + most]) for i in range(len(natural))), default=0)
        else:
            usable = most if natural[0] else 0
        return min(self.copies[face], usable + (self.limits.substitutes[s] if substitute else 0))

    def write(self, by_shape: bool) -> str:
        """The function with the tables that it needs."""
        body = Body()
        ahead: list[str] = [
            "# By shape, the faces of which a first copy, a second, ... can be of use.",
            *(table(f"OF_USE_{k}", masks) for k, masks in enumerate(self._of_use)),
        ]
        least = min((n for n, most in zip(self.limits.least, self.limits.most, strict=True) if most), default=1)
        with body.block(f"if P[h + HAND_SIZE] < {least}:"):
            body.line("return n")
        for k in range(self.planes):
            body.line(f"p{k} = P[h + {k}]" if k else "p0 = P[h]")
        self._counted: tuple[int, int] | None = None
        for template in self.rules.templates:
            shapes = [s for s, (name, _) in enumerate(self.codec.shapes) if name == template]
            possible = [s for s in shapes if self.limits.most[s]]
            body.line(f"# {template}")
            if possible and by_shape and self.codec.in_sequence[shapes[0]] and self._alike(shapes):
                ahead += self._sequences(body, template, shapes)
            elif possible and by_shape and not self.codec.in_sequence[shapes[0]] and self._columns(shapes):
                self._groups(body, shapes, self._columns(shapes))
            elif possible:
                with body.block(f"for s in range({shapes[0]}, {shapes[-1] + 1}):"):
                    self._list(body)
        body.line("return n")
        head = [
            "@compiled",
            "def new_melds(L, n, P, h):",
            '    """List all lawful melds of the cards of the hand at h, in canonical order."""',
        ]
        return "\n".join([*ahead, "", "", *head, *body.lines])

    def _list(self, body: Body) -> None:
        masked = ", ".join(f"p{k} & OF_USE_{k}[s]" for k in range(self.planes))
        body.line(f"n = melds_of_shape(L, n, s, {masked})")

    def _substitutes(self, body: Body, shapes: Sequence[int]) -> tuple[int, int]:
        """Count the substitutes for shapes of a template; returns their faces and how many can be of use."""
        faces = 0
        for s in shapes:
            for row, naturals in zip(self.codec.options[s], self.codec.naturals[s], strict=True):
                for face in row[naturals:]:
                    faces |= 1 << face
        most = max(self.limits.substitutes[s] for s in shapes) if faces else 0
        most = min(most, sum(n for face, n in enumerate(self.copies) if faces >> face & 1))
        if most and self._counted != (faces, most):
            if most == 1:
                body.line(f"wilds = 1 if p0 & {faces} else 0")
            else:
                planes = min(most, max(n for face, n in enumerate(self.copies) if faces >> face & 1), self.planes)
                counts = " + ".join(f"how_many(p{k} & {faces})" for k in range(planes))
                body.line(f"wilds = min({counts}, {most})")
            self._counted = faces, most
        return faces, most

    # ------------------------------------------------------------ sequences

    def _naturals(self, s: int) -> list[set[int]]:
        """By place, the faces that are natural there."""
        rows, naturals = self.codec.options[s], self.codec.naturals[s]
        return [set(rows[p][: naturals[p]]) for p in range(1, self.codec.places + 1)]

    def _span(self, s: int) -> tuple[int, int]:
        """The first and the last natural face of a sequence."""
        faces = sorted(set().union(*self._naturals(s)))
        return (faces[0], faces[-1]) if faces else (0, -1)

    def _alike(self, shapes: Sequence[int]) -> bool:
        """Whether the same table does for all shapes of a template."""
        spans = [self._span(s) for s in shapes]
        if not 0 < max(last - first + 1 for first, last in spans) <= MOST_TABLE_BITS:
            return False
        return all(self._relative(s) == self._relative(shapes[0]) for s in shapes)

    def _relative(self, s: int) -> list[list[int]]:
        first, _ = self._span(s)
        return [sorted(face - first for face in faces) for faces in self._naturals(s)]

    def _sequences(self, body: Body, template: str, shapes: Sequence[int]) -> list[str]:
        """Write the search for sequences; returns the table that it needs."""
        substitutes, most = self._substitutes(body, shapes)
        first, last = self._span(shapes[0])
        width = last - first + 1
        least = min(self.limits.least[s] for s in shapes)
        name = self.names.take(f"LIVE_{template.upper()}")
        if most:
            body.line(f"row = wilds << {width}")
        row = "row | " if most else ""
        enough = f" or wilds >= {least}" if most >= least else ""
        for s in shapes:
            if not self.limits.most[s]:
                continue
            shift = self._span(s)[0]
            bits = f"p0 >> {shift}" if shift else "p0"
            body.line(f"live = {name}[{row}{bits} & {(1 << width) - 1}]")
            with body.block(f"if live{enough}:"):
                live = f"live << {shift}" if shift else "live"
                body.line(f"cards = {live} | p0 & {substitutes}" if substitutes else f"cards = {live}")
                others = [f"p{k} & cards & {masks[s]}" if masks[s] else "0" for k, masks in enumerate(self._of_use)]
                body.line(f"n = melds_of_shape(L, n, {s}, {', '.join(['cards', *others[1:]])})")
        return [
            f"# By the number of substitutes, {most} at most, and the naturals at hand: which a {template} can have.",
            f"{name} = live({width}, {self._relative(shapes[0])}, {least}, {most})",
        ]

    # ------------------------------------------------------------ groups

    def _columns(self, shapes: Sequence[int]) -> list[int]:
        """The natural faces of the first group, if those of all lie side by side, equally far apart; else none."""
        rows = [self.codec.options[s][0][: self.codec.naturals[s][0]] for s in shapes]
        columns = list(rows[0])
        apart = columns[1] - columns[0] if len(columns) > 1 else len(shapes)
        if apart < len(shapes) or any(b - a != apart for a, b in pairwise(columns)):
            return []
        return columns if all(list(row) == [face + i for face in columns] for i, row in enumerate(rows)) else []

    def _groups(self, body: Body, shapes: Sequence[int], columns: Sequence[int]) -> None:
        """Write the search for groups: all keys at once, by columns of faces that lie side by side."""
        _, most = self._substitutes(body, shapes)
        least = min(self.limits.least[s] for s in shapes)
        mask = sum(1 << i for i, s in enumerate(shapes) if self.limits.most[s])
        wanted = [max(0, min(MOST_LEVELS, least - wilds)) for wilds in range(most + 1)]
        self._count(body, columns, len(shapes), wanted)
        choices = [f"more_{level}" if level else str(mask) for level in wanted]
        while len(choices) > 1 and choices[-1] == choices[-2]:
            choices.pop()
        chosen = "".join(f"{level} if wilds == {i} else " for i, level in enumerate(choices[:-1])) + choices[-1]
        body.line(f"keys = ({chosen}) & {mask}")
        with body.block("while keys:"):
            body.line("bit = keys & -keys")
            body.line("keys ^= bit")
            body.line(f"s = {shapes[0]} + BIT[bit % PRIME]" if shapes[0] else "s = BIT[bit % PRIME]")
            self._list(body)

    def _count(self, body: Body, columns: Sequence[int], keys: int, wanted: Sequence[int]) -> None:
        """Count the natural cards of each key: bit k of more_i says whether there are at least i; ignore other bits."""
        levels = max(wanted)
        if not levels:
            return
        apart = columns[1] - columns[0] if len(columns) > 1 else keys
        naturals = sum(((1 << keys) - 1) << face for face in columns)

        def shifted(name: str, times: range) -> str:
            return " | ".join(f"{name} >> {apart * i}" if i else name for i in times)

        def folded(name: str, many: int) -> str:
            """The columns laid over one another, the first one lowest."""
            return " | ".join(f"{name} >> {columns[0] + apart * i}" if columns[0] + i else name for i in range(many))

        # A bit stays if there is another card of its key in a column further on.
        many = len(columns)
        body.line(f"cards = p0 & {naturals}")
        if 1 in wanted:
            body.line(f"more_1 = {folded('cards', many)}")
        names = ["cards", "pairs", "triples"]
        for level in range(2, levels + 1):
            several, fewer = names[level - 1], names[level - 2]
            if many < level:
                body.line(f"more_{level} = 0")
                continue
            body.line(f"{several} = {fewer} & ({shifted(fewer, range(1, many - level + 2))})")
            body.line(f"more_{level} = {folded(several, many - level + 1)}")
        for copies in range(2, min(levels, self.planes) + 1):
            with body.block(f"if p{copies - 1} & {naturals}:"):
                body.line(f"cards = p{copies - 1} & {naturals}")
                body.line(f"again = {folded('cards', many)}")
                for level in range(levels, copies, -1):
                    body.line(f"more_{level} |= more_{level - copies + 1} & again")
                body.line(f"more_{copies} |= again")
