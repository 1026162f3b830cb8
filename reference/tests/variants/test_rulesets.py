"""Every rule set that comes with biriba: clean, shown by examples, and playable to the end."""

from __future__ import annotations

import random
from functools import cache

import pytest

from biriba.interpreter.frame import Standing
from biriba.interpreter.rules import Rules
from biriba.language.formatter import format_source
from biriba.language.load import available, available_parts, compile_rules, find_source, other_games
from biriba.language.source import Source, read_source
from biriba.model.position import Position
from biriba.model.ruleset import Ruleset
from biriba.notation.given import parse_given
from biriba.scenario import run, spec_examples

NAMES = sorted(available())
BIRIBAS = [name for name in NAMES if name not in other_games()]

LONGEST_DEAL = 5000


@cache
def loaded(name: str) -> Rules:
    return Rules(compile_rules(find_source(name))[0])


@pytest.mark.parametrize("name", NAMES)
def test_compiles_without_warnings(name: str) -> None:
    rules, warnings = compile_rules(find_source(name))
    assert rules.name == name
    assert not warnings
    assert not loaded(name).false_facts()


@pytest.mark.parametrize("name", [*NAMES, *available_parts()])
def test_is_formatted(name: str) -> None:
    path = available().get(name) or available_parts()[name]
    source = read_source(path)
    assert format_source(source) == source.text


@pytest.mark.parametrize("name", NAMES)
def test_own_examples_hold(name: str) -> None:
    rules = loaded(name)
    failed = [str(outcome) for outcome in (run(s, rules) for s in spec_examples(rules)) if not outcome.passed]
    assert not failed, "\n".join(failed)


def play_deal(rules: Rules, seed: int, rng: random.Random) -> int:
    """Play a deal at random with a liking for melds, look at all invariants, and return the number of steps."""
    table = rules.ruleset.table
    standing = Standing(tuple(rng.choice((-50, 0, 1200, 1700)) for _ in table.sides), seed)
    position = rules.deal(seed, dealer=rng.randrange(len(table.seats)), standing=standing).position
    assert not rules.violated_after_deal(position)
    assert not rules.violated_invariants(position)
    for steps in range(LONGEST_DEAL):
        if rules.over(position):
            score = rules.score(position)
            assert sum(entry.points for entry in score.entries) == sum(score.totals)
            return steps
        legal = rules.legal(position)
        assert legal, f"{rules.ruleset.name}, seed {seed}: nothing is legal in {position}"
        laying = [action for action in legal if len(action.args) and action.name in ("lay", "extend")]
        action = rng.choice(laying if laying and rng.random() < 0.7 else legal)
        after = rules.apply(position, action)
        assert not rules.violated_invariants(after, position), (rules.ruleset.name, seed, action)
        position = after
    raise AssertionError(f"{rules.ruleset.name}, seed {seed}: no end after {LONGEST_DEAL} steps")


@pytest.mark.parametrize("name", NAMES)
def test_deals_end_and_keep_the_invariants(name: str) -> None:
    rng = random.Random(name)
    for seed in range(3):
        play_deal(loaded(name), seed, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_deals_end_and_keep_the_invariants(name: str) -> None:
    rng = random.Random(name)
    for seed in range(200):
        play_deal(loaded(name), seed, rng)


def matches_of(rules: Rules, totals: tuple[int, ...]) -> tuple[bool, int | None]:
    table = rules.empty_table(0)
    standing = Standing(totals, 1)
    return bool(rules.matches.ended_by(standing, table)), rules.matches.winner(standing, table)


def target(rules: Ruleset) -> int:
    value = rules.parameters["target"].value
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize("name", BIRIBAS)
def test_matches(name: str) -> None:
    rules = loaded(name)
    goal, others = target(rules.ruleset), (0,) * (len(rules.ruleset.table.sides) - 1)
    reaching_ends = name.startswith(("guide", "venezuelan"))
    assert matches_of(rules, (goal, *others))[0] is reaching_ends
    assert matches_of(rules, (goal + 5, *others)) == (True, 0)
    assert not matches_of(rules, (goal + 5, goal + 5, *others[1:]))[0]
    left = rules.ruleset.table.left(0)
    right = rules.ruleset.table.right(0)
    expected = right if name.startswith("biriba") else left
    assert rules.matches.next_dealer(Standing((0, *others), 1), rules.empty_table(0)) == expected


@pytest.mark.parametrize("name", ["classic-atout-vulnerable", "three-handed", "venezuelan-3", "guide"])
def test_a_scored_match(name: str) -> None:
    play_match(loaded(name), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", BIRIBAS)
def test_a_scored_match_of_every_rule_set(name: str) -> None:
    play_match(loaded(name), name)


def play_match(rules: Rules, name: str) -> None:
    rng = random.Random(name)
    match = rules.match(seed=3)
    while not match.over and len(match.games) < 200:
        game = match.deal()
        while not game.over:
            legal = game.legal()
            laying = [action for action in legal if action.name in ("lay", "extend")]
            game.apply(rng.choice(laying or legal))
    assert match.over
    assert match.winner is not None
    assert match.totals[match.winner] == max(match.totals.values())


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("biriba", {"stock": 41, "hand": 44, "packet": 22}),
        ("individual-2", {"stock": 63, "hand": 22, "packet": 22}),
        ("individual-3", {"stock": 41, "hand": 33, "packet": 33}),
        ("three-handed", {"stock": 45, "hand": 33, "packet": 29}),
        ("six-handed", {"stock": 73, "hand": 66, "packet": 22}),
        ("venezuelan-3", {"stock": 41, "hand": 33, "packet": 33}),
        ("guide-solo", {"stock": 19, "hand": 44, "packet": 44}),
        ("guide-six", {"stock": 62, "hand": 66, "packet": 33}),
    ],
)
def test_sizes_after_the_deal(name: str, sizes: dict[str, int]) -> None:
    rules = loaded(name)
    for seed in range(20):
        position = rules.deal(seed).position
        found = dict.fromkeys(sizes, 0)
        for slot, (zone, _) in enumerate(rules.layout.zone_slots):
            if zone in found:
                found[zone] += len(position.zones[slot])
        assert found == sizes


def cards(position: Position, slot: int) -> list[int]:
    return [card for card in position.zones[slot] if isinstance(card, int)]


def test_the_guide_turns_up_no_wild_and_no_red_three() -> None:
    rules = loaded("guide")
    deck = ["JK", "2S", "3H", "3D", "2H", "JK", "3S"]
    rest = [face.symbol for face in rules.ruleset.cards.faces for _ in range(face.copies)]
    for card in deck:
        rest.remove(card)
    position = rules.deal(deck=[*rest[:66], *deck, *rest[66:]]).position
    slots = {name: i for i, (name, _) in enumerate(rules.layout.zone_slots)}
    symbols = [face.symbol for face in rules.ruleset.cards.faces]
    assert [symbols[c] for c in cards(position, slots["discard"])] == ["3S"]
    stock = [symbols[c] for c in cards(position, slots["stock"])]
    assert stock[:6] == deck[:6]
    assert len(stock) == 41


def test_the_entry_follows_from_the_totals() -> None:
    rules = loaded("classic-vulnerable")
    slots = {(name, owner): i for i, (name, owner) in enumerate(rules.layout.state_slots)}
    for points, owed in ((-50, 0), (999, 0), (1000, 75), (1499, 75), (1500, 90), (2999, 90), (3100, 90)):
        position = rules.deal(seed=1, standing=Standing((points, 0), 4)).position
        assert position.states[slots["entry", 0]] == owed
        assert position.states[slots["entry", 1]] == 0


@pytest.mark.parametrize("name", ["classic-vulnerable", "classic-atout-vulnerable", "biriba-entry-minimum"])
def test_no_packet_before_the_entry_is_reached(name: str) -> None:
    rules, rng = loaded(name), random.Random(name)
    slots = {slot: i for i, slot in enumerate(rules.layout.state_slots)}
    reached = 0
    for seed in range(8):
        position = rules.deal(seed, standing=Standing((1600, 1600), 4)).position
        while not rules.over(position):
            legal = rules.legal(position)
            laying = [action for action in legal if action.name in ("lay", "extend")]
            position = rules.apply(position, rng.choice(laying or legal))
            taken = [side for side in (0, 1) if position.states[slots["taken", side]]]
            assert all(position.states[slots["entry", side]] == 0 for side in taken)
        reached += len(taken)
    assert reached or name.startswith("biriba")


@pytest.mark.parametrize("name", ["classic-vulnerable", "classic-atout-vulnerable"])
def test_the_last_discard_brings_no_packet_while_melds_are_only_shown(name: str) -> None:
    rules = loaded(name)
    given = "entry X 75; hand A KH KS KD 4C; turn A play"
    position = parse_given(rules.ruleset, given, rules.dealt_sizes)
    for action in ("lay KH KS KD", "discard 4C"):
        position = rules.apply(position, action)
    slots = {slot: i for i, slot in enumerate(rules.layout.state_slots)}
    assert position.states[slots["taken", 0]] is False
    assert len(position.zones[rules.layout.zone_base["hand"]]) == 3


def test_melds_that_are_only_shown_are_no_progress() -> None:
    text = 'ruleset stalling "Four turns" extends biriba-entry-minimum\n  version "1"\n\nset stall_limit = 4\n'
    rules = Rules(compile_rules(Source("stalling.rules", text))[0])
    given = "{entry}; discard 4C; hand A 6C KH KS KD JC; hand B 7S QS; hand C 8H AH; hand D 9D QD; turn A start"
    actions = ["take", "lay KH KS KD", "discard 6C", "take", "discard 7S", "take", "discard 8H", "take", "discard 9D"]
    for entry, over in (("entry X 75", True), ("entry X 0", False)):
        position = parse_given(rules.ruleset, given.format(entry=entry), rules.dealt_sizes)
        for action in actions:
            position = rules.apply(position, action)
        assert rules.over(position) is over


def test_written_points() -> None:
    rules = loaded("tenth").ruleset
    assert [rules.written(n) for n in (20, 15, 5, -15, 3000, 0)] == ["2", "1.5", "0.5", "-1.5", "300", "0"]
    assert loaded("biriba").ruleset.written(-15) == "-15"
