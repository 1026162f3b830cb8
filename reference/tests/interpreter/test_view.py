"""What a seat sees, and that it learns nothing else."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from biriba.interpreter.game import Game
from biriba.interpreter.rules import Rules
from biriba.interpreter.view import Hidden
from biriba.model.position import Action, Position, Zone
from tests.interpreter.tables import at, biriba, cards, played, reached, variant

SEATS: tuple[str | None, ...] = ("A", "B", "C", "D", None)


def names(rules: Rules, slots: tuple[int, ...]) -> list[str]:
    named = []
    for slot in slots:
        name, owner = rules.layout.zone_slots[slot]
        decl = rules.ruleset.zones[name]
        named.append(f"{name} {rules.ruleset.owners(decl.owner, decl.low, decl.high)[owner]}".rstrip())
    return named


def test_a_player_sees_his_hand_the_pile_and_the_melds() -> None:
    view = biriba().view(at("turn A start"), "B")
    assert names(biriba(), view.hidden) == ["stock", "hand A", "hand C", "hand D", "packet 1", "packet 2"]
    assert view.zones[0] == Hidden(41)
    assert len(view.zones[0]) == 41


def test_a_spectator_sees_no_hand() -> None:
    hidden = names(biriba(), biriba().view(at("turn A start")).hidden)
    assert hidden == ["stock", "hand A", "hand B", "hand C", "hand D", "packet 1", "packet 2"]


def shuffled_where_hidden(rules: Rules, position: Position, hidden: tuple[int, ...], rng: Random) -> Position:
    """The position with all hidden cards shuffled among their places."""
    unseen = [c for slot in hidden for c in position.zones[slot]]
    rng.shuffle(unseen)
    zones: list[Zone] = list(position.zones)
    for slot in hidden:
        size = len(zones[slot])
        dealt = [c for c in unseen[:size] if isinstance(c, int)]
        del unseen[:size]
        is_hand = rules.ruleset.zones[rules.layout.zone_slots[slot][0]].kind == "hand"
        zones[slot] = tuple(sorted(dealt) if is_hand else dealt)
    return replace(position, zones=tuple(zones))


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 250), seat=st.sampled_from(SEATS))
def test_a_view_does_not_depend_on_hidden_cards(seed: int, steps: int, seat: str | None) -> None:
    position = reached(biriba(), seed, steps)
    view = biriba().view(position, seat)
    other = shuffled_where_hidden(biriba(), position, view.hidden, Random(seed))
    assert biriba().view(other, seat) == view


def play(rules: Rules, deck: tuple[int, ...], actions: list[Action]) -> Game:
    game = rules.deal(deck=deck)
    for action in actions:
        game.apply(action)
    return game


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 60), seat=st.sampled_from(SEATS))
def test_a_whole_history_does_not_depend_on_cards_that_stayed_hidden(seed: int, steps: int, seat: str | None) -> None:
    rules = biriba()
    deck = rules.shuffled(seed)
    actions = [action for _, action, _ in played(rules, seed, steps)]
    game = play(rules, deck, actions)
    # The cards that are still in the stock, and the packets if none was taken, have been seen by nobody.
    stock = len(game.position.zones[rules.layout.zone_base["stock"]])
    base = rules.layout.zone_base["packet"]
    untaken = game.position.zones[base : base + 2] == game.start.zones[base : base + 2]
    places = [*range(len(deck) - stock, len(deck)), *(range(44, 66) if untaken else ())]
    moved = [deck[i] for i in places]
    Random(seed).shuffle(moved)
    other = list(deck)
    for place, c in zip(places, moved, strict=True):
        other[place] = c
    assert play(rules, tuple(other), actions).view(seat) == game.view(seat)


def test_a_draw_tells_only_the_one_who_draws() -> None:
    game = biriba().deal(seed=7)
    game.apply("draw")
    drawn = game.start.zones[0][-1]
    own, other = game.view("A"), game.view("B")
    slot = biriba().layout.zone_base["hand"]
    assert drawn in own.now.zones[slot]  # type: ignore[operator]
    assert other.now.zones[slot] == Hidden(12)
    assert other.steps[0].action == Action("draw")


BURY = variant(
    "clause turn.bury",
    '  "A card may be laid face down on the stock."',
    '  because "an action whose argument the others do not see"',
    "  action bury(c: card in hand[me]) in play",
    "    move c from hand[me] to stock",
    "    turn goes to next(me)",
    "    go to start",
)


def test_an_argument_that_goes_from_hidden_to_hidden_stays_hidden() -> None:
    before = at("hand A 3S KS QS; turn A play", BURY)
    (king,) = cards("KS")
    buried = Action("bury", (king,))
    after_it = BURY.apply(before, buried)
    assert BURY.seen(before, buried, after_it, "A").action == buried
    assert BURY.seen(before, buried, after_it, "B").action == Action("bury", (Hidden(1),))
    assert BURY.seen(before, buried, after_it, None).action == Action("bury", (Hidden(1),))
    thrown = Action("discard", (king,))
    assert BURY.seen(before, thrown, BURY.apply(before, thrown), "B").action == thrown
