"""The bots: they play lawfully, see no hidden card, and the better one is better."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import biriba
from biriba.cli.bots import RandomBot, SteadyBot
from biriba.language.load import available


@pytest.fixture(scope="module")
def rules():
    return biriba.load("biriba")


def middle_of_a_deal(rules, seed, actions):
    """A position that random play leads to."""
    game, bot = rules.deal(seed=seed), RandomBot(Random(seed))
    for _ in range(actions):
        if game.over:
            break
        game.apply(bot.choose(game.position, game.legal()))
    return game.position


def with_hidden_cards_moved(rules, position, rng):
    """The same position to the seat to act: the cards that it cannot see lie in other places."""
    hidden = rules.view(position, position.turn).hidden
    cards = [card for slot in hidden for card in position.zones[slot]]
    rng.shuffle(cards)
    zones = list(position.zones)
    for slot in hidden:
        size = len(zones[slot])
        name, _ = rules.layout.zone_slots[slot]
        zones[slot] = tuple(sorted(cards[:size]) if rules.ruleset.zones[name].kind == "hand" else cards[:size])
        cards = cards[size:]
    return replace(position, zones=tuple(zones))


@pytest.mark.parametrize("seed", range(12))
def test_a_steady_bot_chooses_by_what_its_seat_sees(rules, seed):
    position = middle_of_a_deal(rules, seed, 3 * seed)
    other = with_hidden_cards_moved(rules, position, Random(seed))
    assert rules.view(other, other.turn) == rules.view(position, position.turn)
    assert other != position
    legal = rules.legal(position)
    assert legal == rules.legal(other)
    choices = [SteadyBot(rules, Random(seed)).choose(p, legal) for p in (position, other)]
    assert choices[0] == choices[1]


def test_a_steady_bot_beats_random_ones(rules):
    lead = 0
    for seed in range(6):
        game = rules.deal(seed=seed)
        rng = Random(seed)
        bots = [SteadyBot(rules, rng), RandomBot(rng)] * 2
        while not game.over:
            game.apply(bots[game.position.turn].choose(game.position, game.legal()))
        score = list(game.score().values())
        lead += score[0] - score[1]
    assert lead > 0


@pytest.mark.parametrize("name", sorted(available()))
def test_bots_play_every_rule_set(name):
    rules = biriba.load(name)
    game = rules.deal(seed=1)
    steady = SteadyBot(rules, Random(1))
    for _ in range(60):
        if game.over:
            break
        game.apply(steady.choose(game.position, game.legal()))
    assert game.steps
