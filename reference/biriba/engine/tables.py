"""The tables of a generated engine: faces, seats, shapes of melds, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from biriba.engine.codec import Codec
from biriba.engine.layout import NONE, FlatLayout
from biriba.model.ruleset import Ruleset


def table(name: str, values: Iterable[int]) -> str:
    """A table as text, wrapped."""
    lines, line = [f"{name} = table(["], "   "
    for value in values:
        item = f" {value},"
        if len(line) + len(item) > 116:
            lines.append(line)
            line = "   "
        line += item
    return "\n".join([*lines, line, "])"]) if len(lines) > 1 else f"{name} = table([{line.strip().rstrip(',')}])"


def prime_for(faces: int) -> int:
    """A number by which the powers of two up to 2 ** faces leave different remainders."""
    n = max(3, faces)
    while len({pow(2, i, n) for i in range(faces + 1)}) <= faces:
        n += 1
    return n


def constants(layout: FlatLayout, codec: Codec, rules: Ruleset, prime: int) -> list[str]:
    """The numbers that the source names."""
    masks = {
        "FACES": len(rules.cards.faces),
        "CARDS": rules.cards.total,
        "PRIME": prime,
        "NONE": NONE,
        "HAND_SIZE": layout.planes + 1,
        "LENGTH": layout.length,
        "PLACE_ROWS": codec.places + 1,
        "LAST_PLACE": codec.places,
        "WIDTH": codec.width,
        "GROUP_WIDTH": codec.group_width,
        "DIGIT": codec.digit,
        "DIGIT_MASK": (1 << codec.digit) - 1,
        "GROUP_DIGIT": codec.group_digit,
        "GROUP_DIGIT_MASK": (1 << codec.group_digit) - 1,
        "SHAPE_MASK": (1 << codec.low_at) - 1,
        "LOW": codec.low_at,
        "LOW_MASK": (1 << (codec.size_at - codec.low_at)) - 1,
        "SIZE": codec.size_at,
        "SIZE_MASK": (1 << (codec.substitutes_at - codec.size_at)) - 1,
        "SUBSTITUTES": codec.substitutes_at,
        "DIGITS": codec.digits_at,
        "HEAD": codec.head,
        "CARD_MASK": 255,
        "END": 8,
        "MOVED": 10,
        "UNKNOWN": -1,
    }
    return [f"{name} = {value}" for name, value in masks.items()]


def of_cards(rules: Ruleset, prime: int) -> list[str]:
    """What is known of faces and ranks."""
    faces = rules.cards.faces
    bits = [0] * prime
    for i in range(len(faces)):
        bits[pow(2, i, prime)] = i
    return [
        f"# {' '.join(f'{face.index} {face.symbol}' for face in faces[:4])} ... {faces[-1].index} {faces[-1].symbol}",
        table("COPIES", (face.copies for face in faces)),
        table("VALUE", (face.value for face in faces)),
        table("WILD", (int(face.wild) for face in faces)),
        table("SUIT", (NONE if face.suit is None else face.suit for face in faces)),
        table("RANK", (NONE if face.rank is None else face.rank for face in faces)),
        table("RANK_AT", [NONE, *rules.cards.places]),
        "# The number of a bit: a power of two modulo PRIME.",
        table("BIT", bits),
    ]


def of_seats(rules: Ruleset) -> list[str]:
    """What is known of seats and sides."""
    seats = rules.table
    n = range(len(seats.seats))
    members = ", ".join(f"table({list(side)})" for side in seats.members)
    return [
        table("SIDE", (seats.side_of(seat) for seat in n)),
        table("LEFT", (seats.left(seat) for seat in n)),
        table("RIGHT", (seats.right(seat) for seat in n)),
        table("NEXT", (seats.next(seat) for seat in n)),
        f"MEMBERS = ({members},)",
    ]


def of_shapes(rules: Ruleset, codec: Codec) -> list[str]:
    """Which faces may stand where."""
    templates = list(rules.templates)
    faces = len(rules.cards.faces)
    stands: list[int] = []
    stands_at: list[int] = []
    natural_at: list[int] = []
    choices: list[int] = []
    naturals: list[int] = []
    digit_of: list[int] = []
    places_of: list[int] = []
    natural_places: list[int] = []
    group: dict[str, list[int]] = {name: [] for name in ("stands", "in_order", "choices", "naturals")}
    for s, sequence in enumerate(codec.in_sequence):
        for row in range(codec.places + 1):
            options = codec.options[s][row] if sequence else ()
            stands += _padded(options, codec.width)
            stands_at.append(_bits(options))
            natural_at.append(_bits(options[: codec.naturals[s][row]] if sequence else ()))
            choices.append(len(options))
            naturals.append(codec.naturals[s][row] if sequence else 0)
            digit_of += [options.index(face) if face in options else -1 for face in range(faces)]
        rows = codec.options[s] if sequence else []
        places_of += [_bits(i for i, row in enumerate(rows) if face in row) for face in range(faces)]
        own = [row[:n] for row, n in zip(rows, codec.naturals[s], strict=True)] if sequence else []
        natural_places += [_bits(i for i, row in enumerate(own) if face in row) for face in range(faces)]
        options = () if sequence else codec.options[s][0]
        group["stands"] += _padded(options, codec.group_width)
        group["in_order"] += _padded(_order(options), codec.group_width)
        group["choices"].append(len(options))
        group["naturals"].append(0 if sequence else codec.naturals[s][0])
    return [
        "# Shapes: " + ", ".join(f"{name} {'' if key is None else key}".strip() for name, key in codec.shapes),
        table("TEMPLATE", (templates.index(name) for name, _ in codec.shapes)),
        table("KEY", (NONE if key is None else key for _, key in codec.shapes)),
        table("IN_SEQUENCE", map(int, codec.in_sequence)),
        "# By shape and place, the faces that may stand there: naturals first, and as bits.",
        table("CHOICES", choices),
        table("NATURALS", naturals),
        table("STANDS", stands),
        table("STANDS_AT", stands_at),
        table("NATURAL_AT", natural_at),
        table("DIGIT_OF", digit_of),
        "# By shape and face, the places where the face may stand, as bits.",
        table("PLACES_OF", places_of),
        table("NATURAL_PLACES", natural_places),
        table("GROUP_CHOICES", group["choices"]),
        table("GROUP_NATURALS", group["naturals"]),
        table("GROUP_STANDS", group["stands"]),
        table("GROUP_IN_ORDER", group["in_order"]),
    ]


def _bits(faces: Iterable[int]) -> int:
    bits = 0
    for face in faces:
        bits |= 1 << face
    return bits


def _padded(values: Sequence[int], width: int) -> list[int]:
    return [*values, *[0] * (width - len(values))]


def _order(options: Sequence[int]) -> list[int]:
    return sorted(range(len(options)), key=lambda d: options[d])
