"""Players in the generated source, and whole deals played by them with what is worth recording.

Like the rest they know no game but through its rules: a position is worth what the score sheet says, and a
card in hand what could still come of it. A player sees what its seat sees: it decides on a guess, in which
the cards that it cannot see are shuffled among the places where they may lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from biriba.engine.codec import Codec
from biriba.engine.expressions import Expressions
from biriba.engine.layout import FlatLayout
from biriba.engine.tables import table
from biriba.engine.writer import Body
from biriba.model.ruleset import Ruleset

PLAYERS = ("random", "greedy", "montecarlo")
"""The players by their numbers."""

SHARED = '''
@compiled
def lead(S, mine, O):
    """By how much a side would lead if the deal ended now."""
    points = score(S, O)
    best = -1000000
    for side in range(len(points)):
        if side != mine:
            best = max(best, points[side])
    return points[mine] - best


@compiled
def worth(S, me, mine, O):
    """What a position is worth to a seat: the lead, and what may come of the cards in hand."""
    found = lead(S, mine, O)
    if S[PHASE] != OVER:
        found += potential(S, me, mine)
    return found


@compiled
def greedy(S, L, n, R, T, U, O):
    """The number of the action after which the position is worth most."""
    if n == 1:
        return 0
    guess(S, T, R)
    me = S[TURN]
    mine = SIDE[me]
    best = -1000000
    chosen = 0
    for i in range(n):
        U[:] = T
        play(U, L[i])
        R[0] = (R[0] * 3935559 + 1) & 1099511627775
        value = worth(U, me, mine, O) * 4 + (R[0] >> 38)
        if value > best:
            best = value
            chosen = i
    return chosen


@compiled
def montecarlo(S, L, n, R, T, U, O, samples, depth):
    """The number of the action that does best on average over guesses, greedy play following for some actions."""
    if n == 1:
        return 0
    me = S[TURN]
    mine = SIDE[me]
    sums = ints(n)
    V = S.copy()
    W = S.copy()
    K = ints(len(L))
    for _ in range(samples):
        guess(S, V, R)
        for i in range(n):
            W[:] = V
            play(W, L[i])
            for step in range(depth):
                if W[PHASE] == OVER:
                    break
                k = legal(W, K)
                if k == 0:
                    break
                play(W, K[greedy(W, K, k, R, T, U, O)])
            sums[i] += worth(W, me, mine, O)
    chosen = 0
    for i in range(n):
        if sums[i] > sums[chosen]:
            chosen = i
    return chosen


@compiled
def choose(S, L, n, R, T, U, O, player):
    """The number of the action that a player chooses."""
    if player == 1:
        return greedy(S, L, n, R, T, U, O)
    if player == 2:
        return montecarlo(S, L, n, R, T, U, O, SAMPLES, DEPTH)
    R[0] = (R[0] * 3935559 + 1) & 1099511627775
    return (R[0] >> 16) * n >> 24


@compiled
def whole_deal(S, L, R, T, U, O, players, limit, row, curve):
    """Play a deal to its end, at most so many actions, and record it.

    Args:
        players: by seat, the player.
        row: what is recorded of the deal; `columns` of the engine names its cells.
        curve: by turn and side, the sum of the points that the side would have then, and after the sides how many.
    """
    turns = 0
    before = -1
    ahead = -1
    S[BLOCKED] = 0
    record_start(S, row)
    for step in range(limit):
        if S[PHASE] == OVER:
            break
        n = legal(S, L)
        if n == 0:
            break
        seat = S[TURN]
        if seat != before:
            turns += 1
            before = seat
            points = score(S, O)
            first = 0
            for side in range(1, SIDES):
                if points[side] > points[first]:
                    first = side
            level = False
            for side in range(SIDES):
                if side != first and points[side] == points[first]:
                    level = True
            if not level:
                if ahead != -1 and first != ahead:
                    row[LEAD_CHANGES] += 1
                ahead = first
            at = min(turns - 1, len(curve) // (SIDES + 1) - 1) * (SIDES + 1)
            for side in range(SIDES):
                curve[at + side] += points[side]
            curve[at + SIDES] += 1
        a = L[choose(S, L, n, R, T, U, O, players[seat])]
        row[ACTIONS] += 1
        row[CHOICES_MET] += n
        row[FIRST_COUNT + SIDE[seat] * KINDS + (a & KIND_MASK)] += 1
        play(S, a)
        record_step(S, row, turns)
    row[TURNS] = turns
    row[ENDED] = S[PHASE] == OVER
    row[REFUSED] = S[BLOCKED]
    record_end(S, row, O)
'''


@dataclass(frozen=True, slots=True)
class Column:
    """A cell of a deal's record: its name, and what it means."""

    name: str
    text: str


HEAD_COLUMNS = (
    Column("actions", "actions played"),
    Column("turns", "turns begun"),
    Column("choices", "legal actions, summed over all actions played"),
    Column("ended", "1 if the deal ended by the rules, 0 if it was broken off"),
    Column("refused", "actions listed, and refused only because of the position that they lead to"),
    Column("lead_changes", "how often another side than before was ahead when a turn began"),
    Column("dealer", "the seat that dealt, by number"),
    Column("first", "the seat that played first, by number"),
)


_CELLS = ("ACTIONS", "TURNS", "CHOICES_MET", "ENDED", "REFUSED", "LEAD_CHANGES")


class Players:
    """Writes the players and the record of deals of one rule set."""

    def __init__(self, rules: Ruleset, layout: FlatLayout, codec: Codec, expressions: Expressions) -> None:
        self.rules, self.layout, self.codec, self.e = rules, layout, codec, expressions
        self.columns: list[Column] = list(HEAD_COLUMNS)

    def write(self) -> str:
        """The text of all of it."""
        sides = len(self.rules.table.sides)
        counts = len(self.columns)
        for side in self.rules.table.sides:
            for action in self.rules.actions:
                self.columns.append(Column(f"{action}_{side}", f"actions {action} of side {side}"))
        record = [self._start(), self._step(), self._end()]
        constants = [
            "SAMPLES = 4",
            "DEPTH = 24",
            f"SIDES = {sides}",
            f"KINDS = {len(self.rules.actions)}",
            f"KIND_MASK = {(1 << max(1, (len(self.rules.actions) - 1).bit_length())) - 1}",
            *(
                f"{name} = {i}"
                for i, name in enumerate(("ACTIONS", "TURNS", "CHOICES_MET", "ENDED", "REFUSED", "LEAD_CHANGES"))
            ),
            f"FIRST_COUNT = {counts}",
            f"ROW = {len(self.columns)}",
            "# By face: the faces that go with it, and whether it may stand for others.",
            table("NEAR", (self._near(face.index) for face in self.rules.cards.faces)),
            table("STANDS_IN", (self._stands_in(face.index) for face in self.rules.cards.faces)),
        ]
        head = "# ------------------------------------------------------------------ players and records"
        return "\n\n\n".join(
            [f"{head}\n\n" + "\n".join(constants), self._guess(), self._potential(), *record, SHARED.strip()]
        )

    # ------------------------------------------------------------ what cards are good for

    def _near(self, card: int) -> int:
        """The other faces that are natural in the same group, or at most two places away in the same sequence."""
        found = 0
        for s, sequence in enumerate(self.codec.in_sequence):
            rows = [row[:n] for row, n in zip(self.codec.options[s], self.codec.naturals[s], strict=True)]
            for i, row in enumerate(rows):
                if card in row:
                    for j in range(max(0, i - 2), min(len(rows), i + 3)) if sequence else (i,):
                        for other in rows[j]:
                            found |= 1 << other
        return found & ~(1 << card)

    def _stands_in(self, card: int) -> int:
        return int(
            any(
                card in row[n:]
                for options, naturals in zip(self.codec.options, self.codec.naturals, strict=True)
                for row, n in zip(options, naturals, strict=True)
            )
        )

    def _places(self, kind: str, owner: str) -> Iterator[tuple[str, str]]:
        """The addresses of the zones of a kind that belong to the seat `me` or its side."""
        for zone in self.rules.zones.values():
            place = self.layout.zones[zone.name]
            if zone.kind == kind and zone.owner == owner:
                yield f"{place.constant} + {place.stride} * {'me' if owner == 'seat' else 'mine'}", zone.name

    def _potential(self) -> str:
        body = Body()
        body.line("found = 0")
        body.line("fits = 0")
        for owner in ("seat", "side"):
            for address, _ in self._places("melds", owner):
                body.line(f"z = {address}")
                with body.block("for at in range(z + 1, z + 1 + 2 * S[z], 2):"):
                    with body.block("if S[at + 1] == UNKNOWN:"):
                        body.line("S[at + 1] = growth_faces(S[at])")
                    body.line("fits |= S[at + 1]")
        for owner in ("seat", "side"):
            for address, _ in self._places("hand", owner):
                body.line(f"h = {address}")
                body.line("cards = S[h]")
                body.line("x = cards")
                with body.block("while x:"):
                    for line in (
                        "bit = x & -x",
                        "x ^= bit",
                        "c = BIT[bit % PRIME]",
                        "if STANDS_IN[c]:",
                        "    found += VALUE[c] + 5",
                        "elif fits & bit:",
                        "    found += VALUE[c] + 3",
                        "else:",
                        "    near = cards & NEAR[c]",
                        "    if near or S[h + 1] & bit:",
                        "        found += 3",
                        "        if near & (near - 1):",
                        "            found += 3",
                    ):
                        body.line(line)
        body.line("return found")
        return _function("potential", "S, me, mine", "What may come of the cards that a seat holds, in points.", body)

    def _guess(self) -> str:
        """A copy of the state in which what the seat to act cannot see is shuffled."""
        body = Body()
        body.line("T[:] = S")
        body.line("me = S[TURN]")
        body.line("mine = SIDE[me]")
        body.line("D = ints(CARDS)")
        body.line("n = 0")
        hidden = []
        for zone in self.rules.zones.values():
            place = self.layout.zones[zone.name]
            if zone.kind == "melds" or zone.seen == "all":
                continue
            for i in range(place.owners):
                test = None
                if zone.seen == "owner" and zone.owner in ("seat", "side"):
                    test = f"{'me' if zone.owner == 'seat' else 'mine'} != {i}"
                hidden.append((zone.kind, place.address(i), test))
        for collect in (True, False):
            if not collect:
                body.line("x = R[0]")
                with body.block("for i in range(n - 1, 0, -1):"):
                    for line in (
                        "x = (x * 3935559 + 1) & 1099511627775",
                        "j = (x >> 16) * (i + 1) >> 24",
                        "c = D[i]",
                        "D[i] = D[j]",
                        "D[j] = c",
                    ):
                        body.line(line)
                body.line("R[0] = x")
                body.line("n = 0")
            for kind, address, test in hidden:
                depth = body.depth
                if test:
                    body.line(f"if {test}:")
                    body.depth += 1
                if collect and kind == "hand":
                    body.line(f"cards = hand_cards(S, {address})")
                    with body.block("for i in range(len(cards)):"):
                        body.line("D[n] = cards[i]")
                        body.line("n += 1")
                elif collect:
                    with body.block(f"for i in range({address + 1}, {address + 1} + S[{address}]):"):
                        body.line("D[n] = S[i]")
                        body.line("n += 1")
                elif kind == "hand":
                    body.line(f"empty_hand(T, {address})")
                    with body.block(f"for i in range(S[{address} + HAND_SIZE]):"):
                        body.line(f"into_hand(T, {address}, D[n])")
                        body.line("n += 1")
                else:
                    with body.block(f"for i in range({address + 1}, {address + 1} + S[{address}]):"):
                        body.line("T[i] = D[n]")
                        body.line("n += 1")
                body.depth = depth
        text = "Copy the state S to T, what the seat to act cannot see shuffled among the places where it may lie."
        return _function("guess", "S, T, R", text, body)

    # ------------------------------------------------------------ records

    def _cells(self) -> Iterator[tuple[str, str]]:
        """The name and cell of each state variable of each owner."""
        for state in self.rules.states.values():
            place = self.layout.states[state.name]
            owners = self.rules.owners(state.owner)
            for i, owner in enumerate(owners):
                yield f"{state.name}_{owner}" if owner else state.name, f"S[{place.address(i)}]"

    def _start(self) -> str:
        body = Body()
        body.line("for i in range(ROW):")
        body.line("    row[i] = 0")
        body.line(f"row[{len(HEAD_COLUMNS) - 2}] = S[DEALER]")
        body.line(f"row[{len(HEAD_COLUMNS) - 1}] = S[TURN]")
        self._changed: dict[str, tuple[int, str]] = {}
        for name, cell in self._cells():
            self.columns.append(Column(f"start_{name}", f"{name} after the deal; empty: none"))
            body.line(f"row[{len(self.columns) - 1}] = {cell}")
            self._changed[name] = len(self.columns) - 1, cell
        return _function("record_start", "S, row", "Begin the record of a deal.", body)

    def _step(self) -> str:
        body = Body()
        for name, (start, cell) in self._changed.items():
            self.columns.append(Column(f"turn_{name}", f"the turn, from 1, in which {name} first changed; 0: never"))
            at = len(self.columns) - 1
            body.line(f"if row[{at}] == 0 and {cell} != row[{start}]:")
            body.line(f"    row[{at}] = turns")
        if not self._changed:
            body.line("pass")
        return _function("record_step", "S, row, turns", "Note which state variables have changed.", body)

    def _end(self) -> str:
        body = Body()
        sides = self.rules.table.sides
        for name, (_, cell) in self._changed.items():
            self.columns.append(Column(f"end_{name}", f"{name} at the end; empty: none"))
            body.line(f"row[{len(self.columns) - 1}] = {cell}")
        body.line("points = score(S, O)")
        at = len(self.columns)
        for i, line in enumerate(self.rules.score):
            for j, side in enumerate(sides):
                self.columns.append(Column(f"points_{_word(line.label)}_{side}", f"{line.clause}, side {side}"))
                body.line(f"row[{at + i * len(sides) + j}] = O[{i * len(sides) + j}]")
        for j, side in enumerate(sides):
            self.columns.append(Column(f"score_{side}", f"points of side {side}"))
            body.line(f"row[{len(self.columns) - 1}] = points[{j}]")
        self._melds(body)
        return _function("record_end", "S, row, O", "Note the score and the melds.", body)

    def _melds(self, body: Body) -> None:
        """Count the melds of each side: by template, and by what the rules' own definitions say of a meld."""
        sides = self.rules.table.sides
        tests = [(name, f"TEMPLATE[m & SHAPE_MASK] == {i}") for i, name in enumerate(self.rules.templates)]
        said = [
            (definition.name, definition.params[0][1].detail)
            for definition in self.rules.definitions.values()
            if [t.kind for _, t in definition.params] == ["meld"]
            and not definition.params[0][1].laid
            and definition.body.type.kind == "bool"
        ]
        kinds: list[tuple[str, str]] = list(tests)
        for i, (name, detail) in enumerate(said):
            call = self.e.call_on_meld(name)
            if call is None:
                continue
            guards = [test for template, test in tests if template == detail]
            kinds.append((name, " and ".join([*guards, call])))
            for other, _ in said[:i]:
                pair = self.e.call_on_meld(other)
                if pair is not None and detail is None:
                    kinds.append((f"{other}_{name}", f"{pair} and {call}"))
            if detail is None:
                kinds += [(f"{template}_{name}", f"{test} and {call}") for template, test in tests]
        first = len(self.columns)
        for side in sides:
            for name, _ in kinds:
                self.columns.append(
                    Column(f"melds_{name}_{side}", f"melds of side {side} that are {name.replace('_', ', ')}")
                )
        for zone in self.rules.zones.values():
            place = self.layout.zones[zone.name]
            if zone.kind != "melds" or zone.owner not in ("seat", "side"):
                continue
            for i in range(place.owners):
                number = i if zone.owner == "side" else self.rules.table.side_of(i)
                address = place.address(i)
                with body.block(f"for at in range({address + 1}, {address + 1} + 2 * S[{address}], 2):"):
                    body.line("m = S[at]")
                    for k, (_, test) in enumerate(kinds):
                        body.line(f"if {test}:")
                        body.line(f"    row[{first + number * len(kinds) + k}] += 1")


def _function(name: str, params: str, text: str, body: Body) -> str:
    return "\n".join(["@compiled", f"def {name}({params}):", f'    """{text}"""', *body.lines])


def _word(label: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in label)
