"""What expressions mean: examples of every kind, and agreement with the plain evaluator of `biriba.model.pure`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biriba.interpreter.evaluate import Evaluator
from biriba.interpreter.frame import Constant, Local, Standing
from biriba.interpreter.rules import Rules
from biriba.model import expr as x
from biriba.model import pure
from biriba.model.types import BOOL, CARD, RANK, SEAT, SUIT, Type, number
from tests.interpreter.tables import at, biriba, card, meld, variant

POSITION = (
    "discard 9H 4C; hand A 9H KS QS; hand B JK JK; hand C 3C; hand D 4D; melds X [3H 4H 5H] [9S 9D JK]; "
    "melds Y [2H 2H 4H]; barred 9H; passes 2; packet 2 empty; taken X yes; dealer D; turn A play"
)

# An expression, and its value for seat A in the position above.
EXAMPLES: list[tuple[str, Any]] = [
    ("hand_size + 2 * packets - 1", 14),
    ("if packets > 2 then 1 else 2", 2),
    ("active_from is turn_start", True),
    ("me = A and mine = X and dealer = D", True),
    ("phase is play", True),
    ("phase is over", False),
    ("size(hand[me])", 3),
    ("size(hand)", 7),
    ("size(hand[B]) + size(discard)", 4),
    ("size(melds[X])", 6),
    ("size(melds)", 9),
    ("size(everywhere)", 108),
    ("packet[1] is empty", False),
    ("packet[2] is empty", True),
    ("size(packet)", 11),
    ("barred = 9H", True),
    ("if barred is not none then value(barred) else 0", 10),
    ("closer is none", True),
    ("passes", 2),
    ("taken[mine] and not taken[Y]", True),
    ("9H in hand[me] and not (8H in hand[me])", True),
    ("3H in melds[X]", True),
    ("3H in everywhere", True),
    ("copies(9H)", 2),
    ("copies(9H, hand) + copies(9H, discard)", 2),
    ("copies(2H, melds)", 2),
    ("copies(JK, everywhere)", 4),
    ("size(discard) > 0 and top(discard) = 4C", True),
    ("wild(2S) and wild(JK) and not wild(3H)", True),
    ("suit(JK) is none and rank(9H) = 9 and suit(9H) = H", True),
    ("some m in melds: m is set and rank(m) > 8 and rank(m) < T", True),
    ("rank_at(1) = A and rank_at(14) = A and rank_at(15) is none and rank_at(2) = 2", True),
    ("side(B) = Y and left(A) = D and right(D) = A and next(A) = B", True),
    ("min(3, passes) + max(3, passes)", 5),
    ("quotient(7, 2)", 3),
    ("total(X) - total(Y) + deals", 152),
    ("some c in hand[me]: suit(c) = H", True),
    ("every c in hand[me]: value(c) = 10", True),
    ("no c in hand[me]: wild(c)", True),
    ("some c in discard where c in hand[me]: value(c) > 5", True),
    ("every c in hand[B], each d in hand[B]: c = d", True),
    ("some c in hand[A], each d in hand[B] where rank(c) = rank(d): wild(c)", False),
    ("every i in 1..0: i > 5", True),
    ("sum of value(c) for each card c in hand[me]", 30),
    ("sum of i for each i in 1..4 where i != 2", 8),
    ("sum of value(c) for each seat s, each card c in hand[s] where not wild(c)", 40),
    ("count each seat s where size(hand[s]) = 1", 2),
    ("count each card c", 53),
    ("count each rank r", 13),
    ("count each suit u", 4),
    ("count each seat s of mine", 2),
    ("count each m in melds", 3),
    ("count each m in melds[X] where substitutes(m) = 0", 1),
    ("sum of naturals(m) for each m in melds", 7),
    ("sum of copies(3H, m) + copies(2H, m) for each m in melds", 3),
    ("sum of value(c) * copies(c, m) for each m in melds[X], each card c", 55),
    ("some m in melds[X]: m is run and suit(m) = H and low(m) = 3 and high(m) = 5", True),
    ("every m in melds: lawful(m)", True),
    ("sum of room(m, 9C) for each m in melds[X]", 2),
    ("greatest of size(hand[s]) for each seat s", 3),
    ("smallest of size(hand[s]) for each seat s", 1),
    ("may discard(KS)", True),
    ("may discard(9H)", False),
    ("some c in hand[me]: may discard(c)", True),
    ("(passes = 2 implies me = A) and (passes = 3 implies me = B)", True),
    ("has_biriba(mine) or has_biriba(Y)", False),
    ("-passes * 2", -4),
    ("3 <= size(hand[me]) <= 5", True),
    ("passes in 1..2", True),
]


def probes() -> Rules:
    lines = [f"  define probe_{i} = {text}" for i, (text, _) in enumerate(EXAMPLES)]
    return variant("clause probe.all", '  "Expressions to look at."', '  because "tests"', *lines)


@pytest.mark.parametrize("i", range(len(EXAMPLES)), ids=[text for text, _ in EXAMPLES])
def test_an_expression(i: int) -> None:
    value = EXAMPLES[i][1]
    found = probes().defined(at(POSITION, probes()), f"probe_{i}", standing=Standing((200, 50), 2))
    assert found == value
    assert type(found) is type(value)


def test_definitions_take_arguments() -> None:
    rules = variant(
        "clause probe.all",
        '  "Definitions with arguments."',
        '  because "tests"',
        "  define longer(m: meld, n: number) = size(m) > n",
        "  define twice(n: number) = n + n",
        "  define four_times(n: number) = twice(twice(n))",
        "  define mixed(n: number) = twice(n + 1) + twice(twice(n) + twice(1))",
        "  define any_longer(n: number) = some m in melds: longer(m, twice(n))",
    )
    position = at(POSITION, rules)
    assert rules.defined(position, "longer", meld("3H 4H 5H"), 2) is True
    assert rules.defined(position, "four_times", 5) == 20
    assert rules.defined(position, "mixed", 3) == 24
    assert rules.defined(position, "any_longer", 1) is True
    assert rules.defined(position, "any_longer", 2) is False


def test_what_follows_from_parameters_is_computed_once() -> None:
    evaluator = Evaluator(biriba().ruleset)
    five = x.Const(value=5, type=number(5, 5))
    size = x.Param(name="hand_size", type=number())
    for node in (
        x.Arith(op="*", left=size, right=five, type=number()),
        x.Compare(op=">", left=size, right=five, type=BOOL),
        x.Or(
            parts=(x.Compare(op=">", left=size, right=five, type=BOOL), x.PhaseIs(phase="over", type=BOOL)), type=BOOL
        ),
        x.If(condition=x.Const(value=True, type=BOOL), then=five, otherwise=size, type=number()),
    ):
        assert isinstance(evaluator.compile(node), Constant)


def test_an_unknown_node_is_an_assertion() -> None:
    class Riddle(x.Node):
        pass

    with pytest.raises(AssertionError, match="Riddle"):
        Evaluator(biriba().ruleset).compile(Riddle(type=BOOL))


# ---------------------------------------------------------------- against the plain evaluator

_FACES = len(biriba().ruleset.cards.faces)
_PAIRS: list[tuple[Type, int]] = [(CARD, _FACES), (SEAT, 4), (SUIT, 4), (RANK, 13)]


def constants(kind: Type, count: int) -> st.SearchStrategy[x.Node]:
    return st.integers(0, count - 1).map(lambda i: x.Const(value=i, type=kind))


def call(name: str, result: Type, *args: x.Node) -> x.Node:
    return x.Call(function=name, args=args, type=result)


CARDS = constants(CARD, _FACES) | st.just(x.Var(name="c", type=CARD))
NUMBERS = st.recursive(
    st.integers(-3, 20).map(lambda n: x.Const(value=n, type=number(n, n)))
    | st.sampled_from(["packs", "jokers", "hand_size"]).map(lambda name: x.Param(name=name, type=number()))
    | CARDS.map(lambda c: call("value", number(), c))
    | CARDS.map(lambda c: call("copies", number(), c)),
    lambda inner: (
        st.builds(lambda op, a, b: x.Arith(op=op, left=a, right=b, type=number()), st.sampled_from("+-*"), inner, inner)
        | st.builds(lambda name, a, b: call(name, number(), a, b), st.sampled_from(["min", "max"]), inner, inner)
    ),
    max_leaves=4,
)
COMPARISONS = st.builds(
    lambda op, a, b: x.Compare(op=op, left=a, right=b, type=BOOL),
    st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
    NUMBERS,
    NUMBERS,
) | st.builds(
    lambda op, a, b, f: x.Compare(op=op, left=call(f, RANK, a), right=call(f, RANK, b), type=BOOL),
    st.sampled_from(["=", "!="]),
    CARDS,
    CARDS,
    st.sampled_from(["rank", "suit"]),
)


def quantified(inner: st.SearchStrategy[x.Node]) -> st.SearchStrategy[x.Node]:
    """Quantifiers over cards; the variable is called `c` like all others, so that the innermost binds it."""

    def build(word: str, low: int, where: x.Node | None, body: x.Node) -> x.Node:
        every: x.Node = x.Every(type=CARD)
        binder = x.Binder("c", CARD, every, where)
        if low < 3:
            bounds = x.Const(value=low, type=number(low, low)), x.Const(value=low + 2, type=number())
            binder = x.Binder("c", CARD, x.Range(low=bounds[0], high=bounds[1], type=number()), where)
        return x.Quantified(quantifier=word, binders=(binder,), body=body, type=BOOL)

    return st.builds(build, st.sampled_from(["every", "some", "no"]), st.integers(0, 5), st.none() | COMPARISONS, inner)


CONDITIONS: st.SearchStrategy[x.Node] = st.recursive(
    COMPARISONS | CARDS.map(lambda c: call("wild", BOOL, c)) | st.booleans().map(lambda b: x.Const(value=b, type=BOOL)),
    lambda inner: (
        inner.map(lambda a: x.Not(body=a, type=BOOL))
        | st.lists(inner, min_size=2, max_size=4).map(lambda parts: x.And(parts=tuple(parts), type=BOOL))
        | st.lists(inner, min_size=2, max_size=4).map(lambda parts: x.Or(parts=tuple(parts), type=BOOL))
        | st.builds(lambda a, b: x.Implies(left=a, right=b, type=BOOL), inner, inner)
        | st.builds(lambda a, b, c: x.If(condition=a, then=b, otherwise=c, type=BOOL), inner, inner, inner)
        | quantified(inner)
    ),
    max_leaves=8,
)


@given(condition=CONDITIONS, bound=st.integers(0, _FACES - 1))
def test_a_closure_says_what_the_plain_evaluator_says(condition: x.Node, bound: int) -> None:
    evaluator = Evaluator(biriba().ruleset)
    slot = evaluator.slot()
    code = evaluator.compile(condition, {"c": Local(slot)})
    frame = evaluator.frame(0)
    frame[slot] = bound
    assert code(None, frame) == pure.evaluate(biriba().ruleset, condition, {"c": bound})
    assert frame[slot] == bound


def test_a_face_is_named_by_its_index() -> None:
    assert card("AH") == 0
    assert biriba().ruleset.cards.faces[card("JK")].symbol == "JK"
