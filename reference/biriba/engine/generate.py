"""The source of an engine, generated from a compiled rule set.

The source is one Python module. It imports nothing: the names `compiled`, `remembered`, `listing`, `table`, `ints`,
`wider`, `how_many`, `heads` and `live` are given to it by `biriba.engine.runtime`, once as plain Python and once as
numba understands them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

from biriba.engine import library, runtime, tables
from biriba.engine.actions import Actions, Packing
from biriba.engine.codec import Codec
from biriba.engine.effects import Effects
from biriba.engine.expressions import UNKNOWN, Expressions
from biriba.engine.layout import FlatLayout, Names
from biriba.engine.players import Players
from biriba.engine.reasons import LawCall, Reasons
from biriba.engine.search import Limits, Search
from biriba.engine.writer import Body
from biriba.model import expr as x
from biriba.model.pure import count_of, evaluate
from biriba.model.ruleset import Ruleset, ScoreLine
from biriba.model.types import Type

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
        self.law_calls: list[LawCall] = []

    def source(self) -> str:
        """The whole source."""
        rules, layout, codec = self.rules, self.layout, self.codec
        prime = tables.prime_for(max(len(rules.cards.faces), codec.places + 1))
        for name in _library_names():
            self.names.take(name)
        constants = tables.constants(layout, codec, rules, prime)
        cards, shapes = tables.of_cards(rules, prime), tables.of_shapes(rules, codec)
        laws = self._laws([*constants, *cards, *shapes])
        self.search = Search(rules, layout, codec, self.names, self.limits)
        self._deal()
        listed = Actions(self.expressions, self.effects, self.packing)
        listed.write()
        Reasons(listed, self.law_calls).write()
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
            "\n".join([*constants, *self._rooms()]),
            "# Where everything lies in the state S; zones and states of several owners lie one after another.",
            "\n".join(addresses),
            "\n".join(phases),
            "\n".join(actions),
            "# ------------------------------------------------------------------ tables",
            "\n".join(cards),
            "\n".join(tables.of_seats(rules)),
            "\n".join([*shapes, *listed.tables]),
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
        text = re.sub(r"\n\n+(@compiled|@remembered|@listing|# ---)", r"\n\n\n\1", text)
        return text.rstrip() + "\n"

    # ------------------------------------------------------------ laws

    def _laws(self, ahead: list[str]) -> str:
        """The laws as functions, with what is known from them; `ahead` is what they need to run."""
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
            about = [i for i, template in enumerate(by_template) if law.template in (None, template)]
            self.law_calls.append(LawCall(law.clause, name, tuple(about)))
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
        functions = "\n\n\n".join(e.functions)
        self.limits = self._limits("\n".join([*ahead, functions]))
        parts = [
            functions,
            "# By shape, the least and most cards of a lawful meld, and the most substitutes.",
            tables.table("LEAST_CARDS", self.limits.least),
            tables.table("MOST_CARDS", self.limits.most),
            tables.table("MOST_SUBSTITUTES", self.limits.substitutes),
        ]
        if self.by_shape:
            parts += [
                tables.table("MOST_POSSIBLE", self._most_possible()),
                "LAWFUL_HEADS = heads(\n"
                "    lawful, HEAD, LOW, SIZE, SUBSTITUTES, LAST_PLACE, IN_SEQUENCE, MOST_POSSIBLE, COPIES\n)[0]",
            ]
        return "\n".join([parts[0], "", "", *parts[1:]])

    def _most_possible(self) -> list[int]:
        """By shape, how many cards a meld can have if the laws do not matter."""
        return [
            self.codec.places if sequence else sum(self.rules.cards.faces[f].copies for f in options[0])
            for sequence, options in zip(self.codec.in_sequence, self.codec.options, strict=True)
        ]

    def _limits(self, laws: str) -> Limits:
        """The sizes of lawful melds, asked of the generated laws themselves."""
        if not self.by_shape:
            total = [self.rules.cards.total] * len(self.codec.shapes)
            return Limits([1] * len(total), total, total)
        codec = self.codec
        found = runtime.heads(
            runtime.execute(laws, f"<laws of {self.rules.name}>", runtime.plain()).lawful,
            codec.head,
            codec.low_at,
            codec.size_at,
            codec.substitutes_at,
            codec.places,
            codec.in_sequence,
            self._most_possible(),
            [face.copies for face in self.rules.cards.faces],
        )
        return Limits(*found[1:])

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

    def _rooms(self) -> list[str]:
        """How much room is wanted: at the end of a list as workspace, and for the growths of a meld."""
        codec, faces = self.codec, len(self.rules.cards.faces)
        sequence, group = 4 * (codec.places + 2), codec.group_width + 4 * (max(self.limits.most, default=0) + 1)
        # A card may come to an end, to the place of each substitute for it, which moves to an end, or into a group.
        natural = max((row.count(True) for row in self._natural_places()), default=0)
        by_face = 2 + 2 * natural + 1
        return [
            f"WORK = {max(faces + max(sequence, group), by_face * faces) + len(self.rules.actions)}",
            f"GROWTHS_BY_FACE = {by_face}",
            f"ALL_FACES = {(1 << faces) - 1}",
        ]

    def _natural_places(self) -> Iterator[list[bool]]:
        """By shape and face, the places where the face is natural."""
        for options, naturals in zip(self.codec.options, self.codec.naturals, strict=True):
            for face in range(len(self.rules.cards.faces)):
                yield [face in row[:n] for row, n in zip(options, naturals, strict=True)]

    def _library(self) -> str:
        held = "1" + "".join(f" + (p{k} >> c & 1)" for k in range(1, self.search.planes))
        modes: list[str] = []
        for i, template in enumerate(self.rules.templates):
            wanted = [g.mode for g in self.rules.growings if g.template == template]
            if wanted:
                modes.append(f"    if TEMPLATE[s] == {i}:")
                modes += [library.GROWTH_MODES[mode].rstrip("\n") for mode in wanted]
        melds = library.MELDS.replace("PLANES", self.search.parameters).replace("COPIES_HELD", held)
        melds = melds.replace("GROWTH_MODES\n", "\n".join(modes) + "\n" if modes else "")
        parts = [library.CARDS, melds, self.search.write(self.by_shape)]
        if self.expressions.asks_for_deadwood:
            planes = ", ".join(f"p{k}" for k in range(self.layout.planes))
            hand = ", ".join(f"S[h + {k}]" if k else "S[h]" for k in range(self.layout.planes))
            filling = [f"    first[{k}] = p{k}\n    size += how_many(p{k})" for k in range(self.layout.planes)]
            deadwood = library.DEADWOOD.replace("PLANES", planes).replace("HAND,", f"{hand},")
            parts.append(deadwood.replace("FILLING", "\n".join(filling)))
        return "\n\n\n".join(part.strip() for part in parts)

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
    yield from ("new_melds", "lawful", "shuffle")


def generate(rules: Ruleset) -> str:
    """The source of the engine of a rule set."""
    return Generator(rules).source()


__all__ = ["UNKNOWN", "Generator", "count_of", "generate"]
