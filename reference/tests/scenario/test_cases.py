"""Cases that speak of every game, or of many melds: what single vectors cannot say."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

import biriba
from biriba.data import conformance_dir
from biriba.interpreter.game import Game
from biriba.interpreter.rules import Rules
from biriba.interpreter.view import Hidden
from biriba.model.position import Meld
from biriba.notation import format_position, parse_cards, parse_meld
from biriba.scenario import load_vector, read_catalogues, run
from biriba.scenario.run import read_action, start
from biriba.scenario.scenario import Play, Reject

SEEDS = range(12)
MOST_STEPS = 4000


@cache
def rules() -> Rules:
    return biriba.load("biriba")


def played(seed: int) -> Game:
    """A deal with random legal actions, those that lay cards preferred so that packets and closings are reached."""
    game, random = rules().deal(seed=seed), Random(seed)
    while not game.over and len(game.steps) < MOST_STEPS:
        legal = game.legal()
        assert legal, format_position(rules().ruleset, game.position)
        laying = [
            action for action in legal if len(action.args) == 2 or (action.args and isinstance(action.args[0], Meld))
        ]
        game.apply(random.choice(laying if laying and random.random() < 0.8 else legal))
    return game


@pytest.mark.parametrize("seed", SEEDS)
def test_random_play(seed: int) -> None:
    """A pair with its packet has a biriba; no turn begins without a card to take and one in hand; no hand is
    empty while the deal goes on; every score is a multiple of 5, and all cards together are worth 960."""
    game = played(seed)
    faces = rules().ruleset.cards.faces
    for position in (game.start, *(step.after for step in game.steps)):
        zones = {name: [] for name in rules().ruleset.zones}
        for slot, (name, _) in enumerate(rules().layout.zone_slots):
            zones[name].append(position.zones[slot])
        taken = position.states[rules().layout.state_base["taken"] :][:2]
        for melds, has_packet in zip(zones["melds"], taken, strict=True):
            assert not has_packet or any(len(meld.cards) >= 7 for meld in melds)
        if position.phase != "over":
            assert all(zones["hand"])
        if position.phase == "start":
            assert zones["discard"][0]
        assert all(points % 5 == 0 for points in rules().score(position).totals)
        cards = [
            c for of in zones.values() for zone in of for i in zone for c in (i.cards if isinstance(i, Meld) else (i,))
        ]
        assert sum(faces[card].value for card in cards) == 960


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_views_leak_nothing(seed: int) -> None:
    """What a seat sees stays the same when the cards that it does not see change places."""
    game, random = played(seed), Random(seed)
    for position in (game.start, *(step.after for step in game.steps[::7])):
        for seat in (*rules().ruleset.table.seats, None):
            seen = rules().view(position, seat)
            hidden = [slot for slot, zone in enumerate(seen.zones) if isinstance(zone, Hidden)]
            cards = [card for slot in hidden for card in position.zones[slot]]
            random.shuffle(cards)
            zones = list(position.zones)
            for slot in hidden:
                zones[slot], cards = tuple(cards[: len(zones[slot])]), cards[len(zones[slot]) :]
            assert rules().view(replace(position, zones=tuple(zones)), seat) == seen
    # Cards that nobody ever saw may change places in the deck without anybody knowing, with the whole history.
    unseen = game.position.zones[0]
    assert isinstance(unseen, tuple)
    deck = list(game.deck)
    if len(unseen) > 1:
        deck[-1], deck[-2] = deck[-2], deck[-1]
        other = rules().deal(deck=deck, dealer=game.start.dealer)
        for step in game.steps:
            other.apply(step.action)
        for seat in (*rules().ruleset.table.seats, None):
            assert other.view(seat) == game.view(seat)


def test_rejections_change_nothing() -> None:
    """A position is byte for byte the same after whatever was rejected in it."""
    for path in sorted((conformance_dir() / "vectors").rglob("*.json")):
        scenario = load_vector(path)
        position = start(rules(), scenario)
        for step in scenario.steps:
            match step.body:
                case Play(act=act) if position is not None:
                    position = rules().apply(position, read_action(rules(), position, act))
                case Reject(act=act, malformed=False, seat=seat) if position is not None:
                    before = format_position(rules().ruleset, position)
                    assert rules().judge(position, read_action(rules(), position, act), seat).position is None
                    assert format_position(rules().ruleset, position) == before


@pytest.mark.parametrize("text", ["7H 7D 7C 7H", "9H 9S JK", "AH 2H 4H JK 5H"])
def test_every_order_of_a_set(text: str) -> None:
    """Loose cards make the same melds in whatever order they are offered."""
    cards = parse_cards(rules().ruleset, text)
    assert {frozenset(rules().meld_layouts(order)) for order in permutations(cards)} == {
        frozenset(rules().meld_layouts(cards))
    }


def test_wild_at_every_place() -> None:
    """A run of 4 to 13 places may have a wild at each of them, and it stays where it was laid."""
    symbols = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
    checked = 0
    for suit, two in (("H", "2S"), ("C", "2D")):
        for length in range(4, 14):
            for low in range(1, 16 - length):
                run_cards = [symbols[place - 1] + suit for place in range(low, low + length)]
                for place in range(length):
                    for wild in ("JK", two):
                        cards = [*run_cards[:place], wild, *run_cards[place + 1 :]]
                        meld = parse_meld(rules().ruleset, " ".join(cards))
                        verdict = rules().judge_meld(meld)
                        assert verdict.lawful, cards
                        assert meld.low == low
                        assert verdict.properties["clean"] is False
                        checked += 1
    assert checked == 2 * 2 * 470


def test_excluded_options_are_off() -> None:
    """No runs-only play, no opening minimum, no packet without a biriba: and no bonus suit, which has no parameter."""
    parameters = rules().ruleset.parameters
    assert parameters["runs_only"].value is False
    assert parameters["packet_needs_biriba"].value is True
    assert not [name for name in parameters if "opening" in name or "trump" in name or "kozi" in name]


BOUNDED = 'ruleset bounded "With a limit on turns without progress" extends biriba\nset stall_limit = 60\n'
IDLE = """\
example idle "{title}"
  tests turn.stall
  given stock 3D 3D 4D 4D 5D 5D 6D 6D 7D; rest in packet 1; discard 4C; hand A 6C JC; hand B 7S QS; hand C 8H KH;
    hand D 9D QD; turn A start
  play {times} times: {round}
  {then}
"""
ROUND = (
    "take, discard 6C, take, discard 7S, take, discard 8H, take, discard 9D, take, discard 4C, take, discard 6C, "
    "take, discard 7S, take, discard 8H, take, discard 9D, take, discard 4C, take, discard 6C, take, discard 7S, "
    "take, discard 8H, take, discard 9D, take, discard 4C, take, discard 6C, take, discard 7S, take, discard 8H, "
    "take, discard 9D, take, discard 4C"
)
"""Twenty turns in which one card goes round; afterwards all cards lie as before."""


def bounded(tmp_path: Path, lines: str) -> str:
    """The report of an example under the rules with a limit."""
    source = tmp_path / "bounded.rules"
    source.write_text(BOUNDED, encoding="utf-8")
    limited = biriba.load(source)
    (tmp_path / "idle.examples").write_text(lines, encoding="utf-8")
    (scenario,) = read_catalogues(limited, tmp_path)
    outcome = run(scenario, limited)
    return "" if outcome.passed else str(outcome)


def test_stall_limit(tmp_path: Path) -> None:
    """Sixty turns without progress end the deal like four passes; without the limit they never do."""
    last = ROUND.rpartition(", take, ")[0]
    then = f"play {last}\n  expect goes on; stalled 59\n  play take, discard 4C\n  expect over; closer none"
    lines = IDLE.format(title="Sixty idle turns", times=2, round=ROUND, then=then)
    assert bounded(tmp_path, lines) == ""


def test_stall_limit_counts_anew(tmp_path: Path) -> None:
    """A card drawn from the stock sets the count back."""
    last = ROUND.rpartition(", take, ")[0]
    then = (
        f"play {last}\n  expect stalled 59\n  play draw, discard QD\n"
        "  expect goes on; stalled 0\n  play take, discard 6C\n  expect goes on; stalled 1"
    )
    lines = IDLE.format(title="Fifty-nine idle turns and a draw", times=2, round=ROUND, then=then)
    assert bounded(tmp_path, lines) == ""
