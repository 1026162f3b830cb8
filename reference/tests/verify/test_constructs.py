"""Every construct of the language is encoded, and means to the solver what it means to the interpreter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

pytest.importorskip("z3")

from biriba import notation
from biriba.language.load import load_ruleset
from biriba.model import expr as x
from biriba.model import stmt
from biriba.model.builtins import BUILTINS
from biriba.model.position import Action, Position
from biriba.model.ruleset import Ruleset
from biriba.verify.encode import Scope
from biriba.verify.replay import encoded, encoded_values
from biriba.verify.solving import Asked
from biriba.verify.steps import PROOF, Steps
from biriba.verify.terms import equal
from biriba.verify.witness import Referee
from tests.language.rulefiles import CANONICAL, compiled
from tests.verify.positions import played, unordered

EXPRESSIONS = (
    # melds that can be made, and that melds become
    "some meld m from hand[me]: size(m) >= 4",
    "some meld m from hand[me]: m is run and clean(m)",
    "discard is not empty and some meld m from hand[me] with top(discard): naturals(m) = 3",
    "count each meld m from hand[me] where m is set",
    "some m in melds, each g in grown(m, JK, 2): size(g) > 4",
    "sum of size(g) for each m in melds[mine], each g in grown(m, 9H, 2)",
    "sum of room(m, 2H) for each m in melds",
    # melds on the table
    "some m in melds: m is run and low(m) > 2 and high(m) < 12 and suit(m) = H",
    "some m in melds: m is set and rank(m) = K",
    "sum of points(m) + copies(JK, m) for each m in melds",
    "every m in melds: lawful(m) and naturals(m) + substitutes(m) = size(m)",
    "count each m in melds where size(if clean(m) then m else m) > 3",
    "every m in melds[mine]: no n in melds[side(next(me))]: m = n",
    # zones
    "hand[me] = hand[next(me)] or melds[mine] = melds[side(next(me))]",
    "hand = hand",
    "size(hand[dealer])",
    "size(if size(hand[me]) > 5 then hand[me] else hand[next(me)])",
    "9H in melds or 9H in everywhere",
    "copies(9H, everywhere) + copies(9H)",
    "size(melds) + size(everywhere)",
    "hand[right(dealer)] is empty",
    "deadwood(hand[me]) - deadwood(hand[next(me)], 1)",
    # numbers
    "quotient(size(stock), 3) - quotient(size(stock), size(hand[me]) + 1)",
    "quotient(size(hand[me]), min(size(hand[me]) + 1, 5))",
    "sum of copies(c, hand[me]) * value(c) for each card c in hand[me]",
    "greatest of size(hand[s]) * 2 for each side p, each seat s of p",
    "smallest of size(hand[s]) for each seat s of side(dealer)",
    "max(size(stock), 20) + min(passes, 3)",
    "every i in 1..size(hand[me]): i <= 30",
    "some i in 1..(sum of value(c) for each card c in hand[me]): i = 100",
    # cards, seats, states
    "count each card c in hand[me] where rank(c) = rank_at(1) or suit(c) = S or wild(c)",
    "some seat s from dealer: taken[side(s)] and left(s) != me",
    "barred is none implies some c in hand[me]: may discard(c)",
    "phase is play and active_from is turn_start and not packet_needs_biriba",
    "if closer is none then 0 else 1",
)

EFFECTS = (
    "move 3 from stock to shelf",
    "move 2 from stock to shelf; move all of shelf to stock",
    "repeat min(size(stock), 2) times:\n      when stock is not empty: move top of stock to discard",
    "when 9H in hand[me]: move 9H from hand[me] to discard",
    "move all of melds[mine] to melds[side(next(me))]",
    "move all of melds[mine] to hand[me]",
    "move all of hand[dealer] to discard",
    "move all of discard to hand[right(dealer)]",
    "for each m in melds[mine] where clean(m): tally := min(tally + size(m), 200)",
    "for each seat s from dealer:\n      when hand[s] is not empty: tally := min(tally * 2 + size(hand[s]), 200)",
    "for each card c in hand[me]: tally := min(tally + copies(c), 200)",
    "for each side p: taken[p] := not taken[p]",
    "with first m in melds[mine] where size(m) > 3: tally := min(size(m), 200)",
    "with last card c in discard where not wild(c): noted := c",
    "with first card c in hand[me] where not wild(c):\n      move c from hand[me] to discard",
    "with last seat s from dealer where size(hand[s]) > 1: turn goes to s",
    "taken[side(dealer)] := yes; idle[right(dealer)] := yes",
    "when size(hand[me]) > 4: end the deal\n    else: go to start\n    tally := 7",
)


@cache
def probing(effects: str = "tally := 0", *, enough: bool = True) -> Referee:
    """The canonical rules with an action of these effects."""
    guard = "\n  on probe require size(stock) >= 3" if enough else ""
    clause = (
        '\nclause probe.it\n  "It is tried."\n  because "a test"\n  zone shelf pile seen by all\n'
        "  state tally: 0..200 = 0\n  state noted: card or none = none\n"
        f"  action probe in start, play\n    {effects}{guard}\n"
    )
    return Referee(compiled(CANONICAL + clause))


@cache
def expressions() -> tuple[Referee, tuple[x.Node, ...]]:
    clauses = (
        f'\nclause probe.number{i}\n  "It is tried."\n  because "a test"\n  define probe{i} = {text}\n'
        for i, text in enumerate(EXPRESSIONS)
    )
    rules = compiled(CANONICAL + "".join(clauses))
    return Referee(rules), tuple(rules.definitions[f"probe{i}"].body for i in range(len(EXPRESSIONS)))


def position_of(referee: Referee, seed: int) -> Position:
    return played(referee, Random(seed), seed)[0]


def check_expressions(seed: int) -> None:
    referee, nodes = expressions()
    position = position_of(referee, seed)
    found = encoded_values(referee, position, nodes)
    points = (0,) * len(referee.ruleset.table.sides)
    meant = [referee.value(node, {}, position, position.turn, position, points) for node in nodes]
    assert dict(zip(EXPRESSIONS, found, strict=True)) == dict(zip(EXPRESSIONS, meant, strict=True))


def check_effects(effects: str, seed: int) -> None:
    referee = probing(effects)
    position = position_of(referee, seed)
    verdict, found = referee.rules.judge(position, Action("probe")), encoded(referee, position, Action("probe"))
    assert found is not None
    assert found.clauses == set(verdict.clauses)
    if verdict.position is not None:
        assert found.after is not None
        assert unordered(found.after) == unordered(verdict.position)


def test_expressions_mean_the_same() -> None:
    check_expressions(3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_expressions_mean_the_same_in_many_positions(seed: int) -> None:
    check_expressions(seed)


@pytest.mark.parametrize("effects", EFFECTS)
def test_effects_do_the_same(effects: str) -> None:
    check_effects(effects, 3)


@pytest.mark.slow
@pytest.mark.parametrize("effects", EFFECTS)
@pytest.mark.parametrize("seed", range(6))
def test_effects_do_the_same_in_many_positions(effects: str, seed: int) -> None:
    check_effects(effects, seed)


@pytest.mark.parametrize("effects", EFFECTS)
def test_effects_are_encoded_for_any_number_of_melds(effects: str) -> None:
    steps = Steps(probing(effects).ruleset)
    case = next(case for case in steps.cases("probe") if case.me == 0)
    assert steps.step(case, PROOF) is not None


# ---------------------------------------------------------------- nothing is left out


def used(rules: Ruleset, *more: x.Node) -> list[x.Node]:
    """All expressions of a rule set, and others."""
    bodies = [d.body for d in rules.definitions.values()] + [g.body for g in rules.guards]
    bodies += [s.body for s in (*rules.invariants, *rules.step_invariants)] + [line.body for line in rules.score]
    return [node for body in (*bodies, *more) for node in body.walk()]


def test_every_expression_is_tried() -> None:
    referee, nodes = expressions()
    tried = {type(node).__name__ for node in used(referee.ruleset, *nodes)}
    assert {cls.__name__ for cls in x.Node.__subclasses__()} == tried


def test_every_function_is_tried() -> None:
    referee, nodes = expressions()
    tried = {node.function for node in used(referee.ruleset, *nodes) if isinstance(node, x.Call)}
    # `subtotal` is known on the score sheet only and `result` in an action: see below.
    assert {builtin.name for builtin in BUILTINS} - tried == {"subtotal", "result"}


def test_every_effect_is_tried() -> None:
    """The others are those of a deal, and those that the canonical actions are made of."""
    blocks = (probing(text).ruleset.actions["probe"].effects for text in EFFECTS)
    tried = {type(effect).__name__ for block in blocks for effect in all_of(block)}
    assert {cls.__name__ for cls in stmt.Effect.__subclasses__()} - tried == {"Lay", "Grow", "Shuffle", "Cut"}


def all_of(block: stmt.Block) -> Iterator[stmt.Effect]:
    for effect in block:
        yield effect
        for name in ("then", "otherwise", "body"):
            yield from all_of(getattr(effect, name, ()))


# ---------------------------------------------------------------- constructs of variants


def test_a_growth_by_its_result() -> None:
    """In the Venezuelan game no wild is used elsewhere while the group of wilds is no biriba."""
    referee = Referee(load_ruleset("venezuelan"))
    text = "melds X [JK JK 2H] [9H 9S 9D]; hand A JK KS KD 2S 4C 5C; turn A play"
    position = notation.parse_given(referee.ruleset, text, referee.rules.dealt_sizes)
    for text in ("extend X2 with JK", "extend X1 with JK"):
        action = referee.rules.read(position, text)
        found = encoded(referee, position, action, "card")
        assert found is not None
        assert found.clauses == set(referee.rules.judge(position, action).clauses)


def test_points_that_are_shared() -> None:
    """For three, partners share what the lines above give each of them."""
    rules = load_ruleset("three-handed")
    steps, shared = Steps(rules), next(line for line in rules.score if line.clause == "three.shared")
    position, facts = steps.position("p", 0, PROOF, {})
    alone = position.states[steps.encoder.layout.state_base["alone"]]
    scope = Scope(position, 0, env={shared.var: 1}, subtotals=(10, 25, 20))
    asked = Asked([*facts, alone == 0], 30)
    assert asked.follows(equal(steps.encoder.value(shared.body, scope), -3)) == "yes"


def test_the_top_card_of_a_deal_is_followed() -> None:
    """In the game of the guide cards are put back until the upcard is neither wild nor a red three."""
    rules = load_ruleset("guide")
    steps = Steps(rules)
    position, facts, _ = steps.dealt(0)
    asked = Asked(facts, 60)
    for statement in rules.after_deal:
        assert asked.follows(steps.holds(statement, position)) == "yes"
