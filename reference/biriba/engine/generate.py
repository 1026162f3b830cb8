"""The source of an engine, generated from a compiled rule set.

The source is one Python module. It imports nothing: the names `compiled`, `remembered`, `table`, `ints`,
`wider`, `joined`, `heads` and `needed` are given to it by `biriba.engine.runtime`, once as plain Python and
once as numba understands them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

from biriba.engine import library, tables
from biriba.engine.actions import Actions, Packing
from biriba.engine.codec import Codec
from biriba.engine.effects import Effects
from biriba.engine.expressions import UNKNOWN, Expressions
from biriba.engine.layout import FlatLayout, Names
from biriba.engine.players import Players
from biriba.engine.writer import Body
from biriba.model import expr as x
from biriba.model.pure import count_of, evaluate
from biriba.model.ruleset import Ruleset, ScoreLine
from biriba.model.types import Type

MOST_TABLE_BITS = 16
"""The widest span of faces for which a table says at once whether a meld is possible."""

RANDOM = '''
@compiled
def shuffle(D, R):
    """Shuffle a deck; R[0] is the state of the random numbers."""
    x = R[0]
    for i in range(len(D) - 1, 0, -1):
        x = (x * 3935559 + 1) & 1099511627775
        j = (x >> 16) * (i + 1) >> 24
        c = D[i]
        D[i] = D[j]
        D[j] = c
    R[0] = x


@compiled
def playout(S, L, R, limit):
    """Play at random until the deal is over, at most so many actions; returns how many were played.

    R[0] is the state of the random numbers, R[1] counts actions, R[2] legal actions.
    """
    x = R[0]
    steps = 0
    choices = 0
    while S[PHASE] != OVER and steps < limit:
        n = legal(S, L)
        if n == 0:
            break
        choices += n
        x = (x * 3935559 + 1) & 1099511627775
        play(S, L[(x >> 16) * n >> 24])
        steps += 1
    R[0] = x
    R[1] += steps
    R[2] += choices
    return steps

'''


class Generator:
    """Generates the source for one rule set.

    Attributes:
        layout, codec, packing: how the state, the melds and the actions of the source are packed.
        by_shape: whether the laws look at nothing of a meld but its head.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.codec = Codec(rules)
        self.names = Names()
        self.layout = FlatLayout(rules, self.names)
        self.packing = Packing(rules, self.codec, self.layout.length)
        self.by_shape = all(self._by_shape(law.body) for law in rules.laws)
        self.expressions = Expressions(rules, self.layout, self.names)
        self.expressions.by_shape = self.by_shape
        self.effects = Effects(self.expressions)

    def source(self) -> str:
        """The whole source."""
        rules, layout, codec = self.rules, self.layout, self.codec
        prime = tables.prime_for(max(len(rules.cards.faces), codec.places + 1))
        for name in _library_names():
            self.names.take(name)
        laws = self._laws()
        self._deal()
        Actions(self.expressions, self.effects, self.packing).write()
        self._score()
        self.players = Players(rules, layout, codec, self.expressions)
        players = self.players.write()
        addresses = [f"{name} = {value}" for name, value in layout.constants.items()]
        phases = [f"{layout.phase_names[phase]} = {i}" for phase, i in layout.phases.items()]
        actions = [f"{layout.action_names[action]} = {i}" for i, action in enumerate(rules.actions)]
        parts = [
            f'"""{rules.title} ({rules.name} {rules.version}): an engine generated from the rules.\n\n'
            f'Rules sha256:{rules.digest}\n"""',
            "# ruff: noqa\n# mypy: ignore-errors",
            "# ------------------------------------------------------------------ numbers",
            "\n".join(tables.constants(layout, codec, rules, prime)),
            "# Where everything lies in the state S; zones and states of several owners lie one after another.",
            "\n".join(addresses),
            "\n".join(phases),
            "\n".join(actions),
            "# ------------------------------------------------------------------ tables",
            "\n".join(tables.of_cards(rules, prime)),
            "\n".join(tables.of_seats(rules)),
            "\n".join(tables.of_shapes(rules, codec)),
            "# ------------------------------------------------------------------ laws about melds",
            laws,
            self._library(),
            "# ------------------------------------------------------------------ the rules",
            "\n\n\n".join(self.expressions.functions[self._law_count :]),
            RANDOM.strip(),
            players,
        ]
        text = "\n\n".join(part for part in parts if part)
        text = re.sub(r"LAWFUL\((\w+)\)", lambda found: self.expressions.lawful(found[1]), text)
        text = re.sub(r"\n\n+(@compiled|@remembered|# ---)", r"\n\n\n\1", text)
        return text.rstrip() + "\n"

    # ------------------------------------------------------------ laws

    def _laws(self) -> str:
        e = self.expressions
        by_template: dict[str, list[str]] = {name: [] for name in self.rules.templates}
        for law in self.rules.laws:
            if e.known(law.body) is True:
                continue
            e.clause = law.clause
            with e.function() as body:
                m = e.bind(law.var, {})
                e.write_return(law.body, {law.var: m})
            name = self.names.take(law.clause.replace(".", "_"))
            e.add(name, [m], body, f"{law.clause}, a law about melds.")
            for template, laws in by_template.items():
                if law.template in (None, template):
                    laws.append(f"{name}(m)")
        with e.function(["m", "template"]) as body:
            body.line("template = TEMPLATE[m & SHAPE_MASK]")
            for i, laws in enumerate(by_template.values()):
                with body.block(f"if template == {i}:"):
                    body.line(f"return {' and '.join(laws) or 'True'}")
            body.line("return False")
        e.add("lawful", ["m"], body, "Whether a meld keeps all laws.")
        self._law_count = len(e.functions)
        parts = ["\n\n\n".join(e.functions)]
        shapes = len(self.codec.shapes)
        if self.by_shape:
            most = [
                self.codec.places if sequence else sum(self.rules.cards.faces[f].copies for f in options[0])
                for sequence, options in zip(self.codec.in_sequence, self.codec.options, strict=True)
            ]
            parts += [
                tables.table("MOST_POSSIBLE", most),
                "LAWFUL_HEADS, LEAST_CARDS, MOST_CARDS, MOST_SUBSTITUTES = heads(\n"
                "    lawful, HEAD, LOW, SIZE, SUBSTITUTES, LAST_PLACE, IN_SEQUENCE, MOST_POSSIBLE, COPIES\n)",
            ]
        else:
            parts += [
                tables.table("LEAST_CARDS", [1] * shapes),
                tables.table("MOST_CARDS", [self.rules.cards.total] * shapes),
                tables.table("MOST_SUBSTITUTES", [self.rules.cards.total] * shapes),
            ]
        return "\n\n".join(parts)

    def _by_shape(self, body: x.Node) -> bool:
        for node in body.walk():
            match node:
                case x.Grown() | x.Call(function="room" | "lawful"):
                    return False
                case x.Call(function="copies", args=(_, x.Node(type=Type(kind="meld")))):
                    return False
                case x.Compare(left=left) if left.type.kind == "meld":
                    return False
                case x.Apply(definition=name) if not self._by_shape(self.rules.definitions[name].body):
                    return False
        return True

    # ------------------------------------------------------------ melds

    def _library(self) -> str:
        planes = ", ".join(f"p{k}" for k in range(self.layout.planes))
        counting = []
        for k in range(self.layout.planes):
            counting += [
                f"    while p{k}:",
                f"        bit = p{k} & -p{k}",
                f"        p{k} ^= bit",
                "        counts[BIT[bit % PRIME]] += 1",
            ]
        modes: list[str] = []
        for i, template in enumerate(self.rules.templates):
            wanted = [g.mode for g in self.rules.growings if g.template == template]
            if wanted:
                modes.append(f"    if TEMPLATE[s] == {i}:")
                modes += [library.GROWTH_MODES[mode].rstrip("\n") for mode in wanted]
        melds = library.MELDS.replace("PLANES", planes).replace("COUNTING", "\n".join(counting))
        melds = melds.replace("GROWTH_MODES\n", "\n".join(modes) + "\n" if modes else "")
        parts = [library.CARDS, melds, self._new_melds(planes)]
        if self.expressions.asks_for_deadwood:
            hand = ", ".join(f"S[h + {k}]" if k else "S[h]" for k in range(self.layout.planes))
            filling = [f"    first[{k}] = p{k}\n    size += how_many(p{k})" for k in range(self.layout.planes)]
            deadwood = library.DEADWOOD.replace("PLANES", planes).replace("HAND,", f"{hand},")
            parts.append(deadwood.replace("FILLING", "\n".join(filling)))
        return "\n\n\n".join(part.strip() for part in parts)

    def _new_melds(self, planes: str) -> str:
        """A function for all melds of a hand, which passes over shapes that cannot be made."""
        body = Body()
        for k in range(self.layout.planes):
            body.line(f"p{k} = P[h + {k}]" if k else "p0 = P[h]")
        body.line("out = ints(0)")
        ahead: list[str] = []
        for template in self.rules.templates:
            shapes = [s for s, (name, _) in enumerate(self.codec.shapes) if name == template]
            least, most = self._limits(shapes)
            part = f"[{shapes[0]} : {shapes[-1] + 1}]"
            ahead += [f"{least} = int(min(LEAST_CARDS{part}))", f"{most} = int(max(MOST_SUBSTITUTES{part}))"]
            if self.codec.in_sequence[shapes[0]]:
                ahead += self._sequences(body, template, shapes)
            else:
                self._groups(body, template, shapes)
        body.line("return out")
        head = [
            "@compiled",
            "def new_melds(P, h):",
            '    """All lawful melds of the cards of a hand, in canonical order."""',
        ]
        with_card = [
            "@compiled",
            "def with_card(S, h, c):",
            '    """A hand like that at h, with a card more."""',
            "    P = ints(HAND_SIZE + 1)",
            "    for i in range(HAND_SIZE + 1):",
            "        P[i] = S[h + i]",
            "    if COPIES[c] > held(P, 0, c):",
            "        into_hand(P, 0, c)",
            "    return P",
        ]
        lines = [*ahead, "", "", *head, *body.lines, "", "", *with_card]
        return "\n".join(lines).strip()

    def _add_melds(self, body: Body, shape: str) -> None:
        masked = ", ".join(f"p{k} & mask" for k in range(self.layout.planes))
        body.line(f"mask = CARDS_OF_SHAPE[{shape}]")
        body.line(f"out = joined(out, melds_of_shape({shape}, {masked}))")

    def _limits(self, shapes: list[int]) -> tuple[str, str]:
        """The constants for the least cards and the most substitutes of any shape of a template."""
        template = self.codec.shapes[shapes[0]][0].upper()
        return f"LEAST_OF_{template}", f"SUBSTITUTES_OF_{template}"

    def _substitutes(self, body: Body, shapes: list[int]) -> None:
        """How many substitutes there are for shapes of a template, more than are allowed not counted."""
        faces = 0
        for s in shapes:
            for row, naturals in zip(self.codec.options[s], self.codec.naturals[s], strict=True):
                for face in row[naturals:]:
                    faces |= 1 << face
        body.line("wilds = 0")
        if faces:
            with body.block(f"if p0 & {faces}:"):
                copies = max(f.copies for f in self.rules.cards.faces if faces >> f.index & 1)
                counts = " + ".join(f"how_many(p{k} & {faces})" for k in range(min(copies, self.layout.planes)))
                body.line(f"wilds = min({counts}, {self._limits(shapes)[1]})")

    def _sequences(self, body: Body, template: str, shapes: list[int]) -> list[str]:
        """Write the search for sequences; returns the tables that it needs."""
        naturals = [
            [set(self.codec.options[s][p][: self.codec.naturals[s][p]]) for p in range(1, self.codec.places + 1)]
            for s in shapes
        ]
        spans = [sorted(set().union(*places)) for places in naturals]
        body.line(f"# {template}")
        width = max((span[-1] - span[0] + 1 for span in spans if span), default=0)
        alike = self.by_shape and all(spans) and width <= MOST_TABLE_BITS
        if alike:
            relative = [
                [sorted(f - span[0] for f in p) for p in places] for places, span in zip(naturals, spans, strict=True)
            ]
            alike = all(other == relative[0] for other in relative)
        if not alike:
            with body.block(f"for s in range({shapes[0]}, {shapes[-1] + 1}):"):
                self._add_melds(body, "s")
            return []
        self._substitutes(body, shapes)
        table, shift = self.names.take(f"NEEDED_{template.upper()}"), self.names.take(f"SHIFT_{template.upper()}")
        with body.block(f"for s in range({shapes[0]}, {shapes[-1] + 1}):"):
            at = f"s - {shapes[0]}" if shapes[0] else "s"
            with body.block(f"if {table}[p0 >> {shift}[{at}] & {(1 << width) - 1}] <= wilds:"):
                self._add_melds(body, "s")
        return [
            f"# How many substitutes a {template} needs at least, by the naturals at hand.",
            f"{table} = needed({width}, {relative[0]}, {self._limits(shapes)[0]})",
            tables.table(shift, (span[0] for span in spans)),
        ]

    def _groups(self, body: Body, template: str, shapes: list[int]) -> None:
        """Write the search for groups: all keys at once, by columns of faces that lie side by side."""
        naturals = [self.codec.options[s][0][: self.codec.naturals[s][0]] for s in shapes]
        body.line(f"# {template}")
        columns = all(
            len(faces) == len(naturals[0]) and all(f == first + i for f, first in zip(faces, naturals[0], strict=True))
            for i, faces in enumerate(naturals)
        )
        if not columns or not self.by_shape or len(shapes) == 1 or not naturals[0]:
            with body.block(f"for s in range({shapes[0]}, {shapes[-1] + 1}):"):
                self._add_melds(body, "s")
            return
        self._substitutes(body, shapes)
        body.line(f"wanted = {self._limits(shapes)[0]} - wilds")
        levels = 3
        faces = self.rules.cards.faces
        copies = max(faces[f].copies for row in naturals for f in row)
        mask = (1 << len(shapes)) - 1
        # Bit k of more_i: key k has at least i natural cards.
        first = True
        for k in range(copies):
            for face in naturals[0]:
                shifted = f"p{k} >> {face} & {mask}" if face else f"p{k} & {mask}"
                if first:
                    body.line(f"more_1 = {shifted}")
                    body.line("more_2 = more_3 = 0")
                    first = False
                    continue
                body.line(f"column = {shifted}")
                for level in range(levels, 1, -1):
                    body.line(f"more_{level} |= more_{level - 1} & column")
                body.line("more_1 |= column")
        body.line(f"keys = more_3 if wanted >= 3 else more_2 if wanted == 2 else more_1 if wanted == 1 else {mask}")
        with body.block("while keys:"):
            body.line("bit = keys & -keys")
            body.line("keys ^= bit")
            body.line(f"s = {shapes[0]} + BIT[bit % PRIME]")
            self._add_melds(body, "s")

    # ------------------------------------------------------------ deal and score

    def _deal(self) -> None:
        e, layout = self.expressions, self.layout
        with e.function(["S", "D", "dealer", "me", "mine"]) as body:
            body.line("me = dealer")
            body.line("mine = SIDE[me]")
            body.line(f"S[{layout.phase}] = {layout.phase_names[self.rules.phases[0]]}")
            body.line(f"S[{layout.turn}] = dealer")
            body.line(f"S[{layout.dealer}] = dealer")
            for state in self.rules.states.values():
                place = layout.states[state.name]
                value = evaluate(self.rules, state.initial)
                for i in range(place.owners):
                    cell = place.constant + (f" + {i}" if i else "")
                    body.line(f"S[{cell}] = {'NONE' if value is None else int(value)}")
            for zone in self.rules.zones.values():
                place = layout.zones[zone.name]
                for i in range(place.owners):
                    offset = place.stride * (place.low + i)
                    address = f"{place.constant} + {offset}" if offset else place.constant
                    body.line(f"empty_hand(S, {address})" if zone.kind == "hand" else f"S[{address}] = 0")
            for step in self.rules.deal:
                e.clause = step.clause
                body.line(f"# {step.clause}")
                self.effects.block(step.effects, {})
        e.add("deal", ["S", "D", "dealer"], body, "Deal the deck D, its first card first; the match's points stay.")

    def _score(self) -> None:
        e = self.expressions
        sides = len(self.rules.table.sides)
        bound = ["S", "out", "subtotals", "me", "mine", "side", "owner", "z", "at"]
        with e.function(bound) as body:
            body.line(f"me = S[{self.layout.turn}]")
            body.line("mine = SIDE[me]")
            body.line(f"subtotals = ints({sides})")
            body.line(f"for i in range({max(1, len(self.rules.score)) * sides}):")
            body.line("    out[i] = 0")
            for i, line in enumerate(self.rules.score):
                e.clause = line.clause
                body.line(f"# {line.clause}: {line.label}")
                self._line(line, i * sides, body)
                body.line(f"for i in range({sides}):")
                body.line(f"    subtotals[i] += out[{i * sides} + i]")
            body.line("return subtotals")
        text = "Write each line of the score sheet for each side into `out`; returns the sums."
        e.add("score", ["S", "out"], body, text)

    def _line(self, line: ScoreLine, at: int, body: Body) -> None:
        e = self.expressions
        with ExitStack() as stack:
            if line.type.kind == "meld":
                env = self._each_meld(stack, line, body)
            else:
                env = {line.var: e.bind(line.var, {})}
                stack.enter_context(body.block(f"for {env[line.var]} in range({len(self.rules.table.sides)}):"))
                body.line(f"side = {env[line.var]}")
            if line.where is not None and e.known(line.where) is not True:
                stack.enter_context(body.block(f"if {e.text(line.where, env)}:"))
            body.line(f"out[{at} + side] += {e.text(line.body, env)}")

    def _each_meld(self, stack: ExitStack, line: ScoreLine, body: Body) -> dict[str, str]:
        e = self.expressions
        places = [
            (f"{place.constant} + {place.stride * i}" if i else place.constant, i, zone.owner)
            for zone in self.rules.zones.values()
            if zone.kind == "melds" and zone.owner in ("seat", "side")
            for place in [self.layout.zones[zone.name]]
            for i in range(place.owners)
        ]
        m = e.bind(line.var, {})
        body.bound.add(f"{m}_owner")
        zones = ", ".join(
            f"({z}, {i}, {self.rules.table.side_of(i) if owner == 'seat' else i})" for z, i, owner in places
        )
        stack.enter_context(body.block(f"for z, owner, side in ({zones},):"))
        stack.enter_context(body.block("for at in range(z + 1, z + 1 + 2 * S[z], 2):"))
        body.line(f"{m} = S[at]")
        body.line(f"{m}_owner = owner")
        if line.type.detail is not None:
            template = e.template(line.type.detail)
            stack.enter_context(body.block(f"if TEMPLATE[{m} & SHAPE_MASK] == {template}:"))
        return {line.var: m}


def _library_names() -> Iterator[str]:
    """The functions that are the same for all rule sets, so that no definition takes their names."""
    for name in re.findall(r"^def (\w+)", library.CARDS + library.MELDS + library.DEADWOOD, re.MULTILINE):
        if name not in Names().all:
            yield name
    yield from ("new_melds", "with_card", "lawful", "shuffle")


def generate(rules: Ruleset) -> str:
    """The source of the engine of a rule set."""
    return Generator(rules).source()


__all__ = ["UNKNOWN", "Generator", "count_of", "generate"]
