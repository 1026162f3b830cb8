"""Actions as text, and what they mean in a position."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given

from biriba import load
from biriba.model.position import Action, Growth, LaidMeld, Meld, Position
from biriba.model.ruleset import Ruleset
from biriba.notation import (
    GrowthText,
    MeldName,
    MeldText,
    NotationError,
    action_from_json,
    action_to_json,
    format_action,
    format_action_text,
    format_meld,
    format_meld_name,
    laid_meld,
    parse_action,
    parse_card,
    parse_given,
    parse_meld,
    parse_meld_name,
    parse_meld_text,
    readings,
    resolve,
)
from biriba.notation.vocabulary import vocabulary
from tests.notation.games import biriba, dice, games, lanterns, random_action, random_position


def position(fields: str) -> Position:
    rules = biriba()
    sizes = [1] * len(vocabulary(rules).zone_of)
    return parse_given(rules, f"turn A play; {fields}", sizes)


def meant(text: str, fields: str = "") -> Action:
    return resolve(biriba(), position(fields), parse_action(biriba(), text))


def growth(text: str, fields: str) -> tuple[str, str | None, int | None]:
    """The meld after a growth, the end, and the place from which a substitute moves."""
    found = meant(text, fields).args[1]
    assert isinstance(found, Growth)
    return format_meld(biriba(), found.result), found.end, found.moved


@pytest.mark.parametrize("name", ["draw", "take", "pass"])
def test_actions_without_arguments(name: str) -> None:
    assert meant(name) == Action(name)
    assert format_action(biriba(), Action(name)) == name


def test_cards_and_melds_as_arguments() -> None:
    rules = biriba()
    assert meant("discard 7C") == Action("discard", (parse_card(rules, "7C"),))
    assert meant("lay 3H JK 5H") == Action("lay", (parse_meld(rules, "3H JK 5H"),))
    assert meant("lay [3H JK 5H]") == meant("  lay  3H JK 5H ")
    assert meant("lay run 2H 2H 2H @2") == Action("lay", (parse_meld(rules, "run 2H 2H 2H @2"),))


RUN = "melds X [9H 9S 9D] [3H 4H 2H 6H 7H 8H]"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("extend X2 with 9H high", ("3H 4H 2H 6H 7H 8H 9H", "high", None)),
        ("extend X2 with 9H", ("3H 4H 2H 6H 7H 8H 9H", "high", None)),
        ("extend X2 with 9H at 9", ("3H 4H 2H 6H 7H 8H 9H", "high", None)),
        ("extend X2 with 2H", None),
        ("extend X2 with JK low", ("JK 3H 4H 2H 6H 7H 8H", "low", None)),
        ("extend X2 with 5H moving 2H low", ("2H 3H 4H 5H 6H 7H 8H", "low", 5)),
        ("extend X2 with 5H at 5 moving 2H high", ("3H 4H 5H 6H 7H 8H 2H", "high", 5)),
        ("extend X1 with 9C", ("9H 9S 9D 9C", None, None)),
        ("extend X1 with JK", ("9H 9S 9D JK", None, None)),
    ],
)
def test_growths(text: str, result: tuple[str, str | None, int | None] | None) -> None:
    if result is None:
        with pytest.raises(NotationError, match="2H may go to either end"):
            growth(text, RUN)
    else:
        assert growth(text, RUN) == result


@pytest.mark.parametrize(
    ("text", "end", "moved"),
    [
        ("extend X2 with KS high", "high", None),
        ("extend X2 with KS", None, None),
        ("extend X2 with JK moving 2H low", "low", 5),
        ("extend X2 with 5H moving 4H low", "low", 4),
        ("extend X1 with KS", None, None),
    ],
)
def test_growths_that_cannot_be_are_described_all_the_same(text: str, end: str | None, moved: int | None) -> None:
    result, *rest = growth(text, RUN)
    assert rest == [end, moved]
    assert "KS" in result or "JK" in result or "4H" in result


def test_a_run_cannot_reach_beyond_the_places() -> None:
    found = meant("extend X1 with JK low", "melds X [AH 2H 3H]").args[1]
    assert isinstance(found, Growth)
    assert found.result.low == 0
    assert not vocabulary(biriba()).shapes.fits(found.result)


def test_the_place_is_told_where_a_face_may_move_from_several() -> None:
    fields = "melds X [run of H 2S 2H 3H 2S 5H]"
    with pytest.raises(NotationError, match="2S may move from place 1 or 4"):
        meant("extend X1 with 9C moving 2S high", fields)
    assert growth("extend X1 with AH moving 2S high", fields)[2] == 1
    assert growth("extend X1 with 9C at 4 moving 2S high", fields)[2] == 4
    shifted = meant("extend X1 with 9C at 4 moving 2S high", fields)
    assert format_action(biriba(), shifted) == "extend X1 with 9C at 4 moving 2S high"
    assert format_action(biriba(), meant("extend X1 with 4H at 4 moving 2S low", fields)).startswith(
        "extend X1 with 4H moving 2S"
    )


def test_laws_settle_what_a_text_leaves_open() -> None:
    rules = biriba()
    here = position("melds X [4H 5H 6H]")
    with pytest.raises(NotationError, match="may lie in 2 ways"):
        resolve(rules, here, parse_action(rules, "lay 4H JK JK"))
    for template in ("run", "set"):
        lawful = {meld for meld in readings(rules, parse_meld_text(rules, "4H JK JK")) if meld.template == template}
        lay = resolve(rules, here, parse_action(rules, "lay 4H JK JK"), lawful.__contains__)
        assert isinstance(lay.args[0], Meld)
        assert lay.args[0].template == template
    # If no reading is lawful, any of them shows what is wrong.
    assert resolve(rules, here, parse_action(rules, "lay 4H JK JK"), lambda m: False).name == "lay"
    low = resolve(rules, here, parse_action(rules, "extend X1 with JK"), lambda m: m.low == 3)
    assert format_action(rules, low) == "extend X1 with JK low"


def test_cards_that_fit_no_template_are_left_to_the_judge() -> None:
    rules = biriba()
    assert meant("lay KH AH 2H").args[0] == Meld(
        "", None, None, tuple(parse_card(rules, c) for c in ("KH", "AH", "2H"))
    )
    stated = meant("lay run KH AH 2H").args[0]
    assert isinstance(stated, Meld)
    assert (stated.template, stated.low) == ("run", None)
    assert format_action(rules, meant("lay KH AH 2H")) == "lay KH AH 2H"


@pytest.mark.parametrize(
    ("text", "message", "column", "hint"),
    [
        ("discrad 7C", "there is no action 'discrad'", 1, "did you mean 'discard'?"),
        ("fly", "there is no action 'fly'", 1, "it is one of draw, take"),
        ("discard", "discard needs a card", 8, None),
        ("discard 7C 8C", "one thing too many", 12, None),
        ("discard 7X", "there is no card '7X'", 9, None),
        ("discard @3", "discard needs a card", 9, None),
        ("draw 7C", "draw needs nothing", 6, None),
        ("lay", "lay needs the cards of a meld", 4, None),
        ("lay 3H run of S 4H", "stands before its cards", 8, None),
        ("lay 3H @3 4H", "the lowest place is the last word", 11, None),
        ("extend", "needs the name of a laid meld", 7, None),
        ("extend X1", "extend needs 'with' and a card", 10, None),
        ("extend Z1 with 9H", "'Z1' names no laid meld", 8, "'X1'"),
        ("extend X0 with 9H", "'X0' names no laid meld", 8, None),
        ("extend X9 with 9H", "there is no meld X9: only 2 are laid there", 8, None),
        ("extend Y1 with 9H", "there is no meld Y1: none is laid there", 8, None),
        ("extend X1 with 9C high", "a set has no places and no ends", 16, None),
        ("extend X2 with 9C at 5", "place 5 is at no end", 16, "'moving'"),
        ("extend X2 with 9H at 2 high", "place 2 is not at the high end", 16, None),
        ("extend X2 with 9H moving JK low", "the meld has no JK", 16, None),
        ("extend X2 with 9H at 3 moving 2H low", "the meld has no 2H at place 3", 16, None),
        ("", "found the end", 1, None),
        ("discard 7C\ndraw", "the end of the line cannot stand here", 11, None),
    ],
)
def test_what_no_action_is(text: str, message: str, column: int, hint: str | None) -> None:
    with pytest.raises(NotationError) as caught:
        meant(text, RUN)
    assert message in caught.value.message
    assert caught.value.column == column
    assert hint is None or hint in (caught.value.hint or "")


def test_names_of_laid_melds() -> None:
    rules = biriba()
    here = position(RUN)
    name = parse_meld_name(rules, " X2 ")
    assert laid_meld(rules, here, name) == LaidMeld(name.slot, 1, 0, parse_meld(rules, "3H 4H 2H 6H 7H 8H"))
    assert format_meld_name(rules, name) == "X2"
    # An owner whose name ends in a digit is set off by a point.
    other = lanterns()
    assert format_meld_name(other, parse_meld_name(other, "S2.13")) == "S2.13"
    with pytest.raises(NotationError, match="'S213' names no laid meld"):
        parse_meld_name(other, "S213")


def test_arguments_of_other_kinds() -> None:
    rules = lanterns()
    named = parse_action(rules, "name P2 G 4")
    assert named.args == (1, 1, 3)
    assert format_action_text(rules, named) == "name P2 G 4"
    # A meld that is not the last argument stands in brackets.
    put = parse_action(rules, "put [1R 2R LAMP] 3")
    assert put.args == (MeldText("ladder", 0, 1, (0, 1, 10)), 3)
    assert format_action_text(rules, put) == "put [1R 2R LAMP] 3"
    fed = parse_action(rules, "feed S1.1 with 3R high 1G")
    assert fed.args[1:] == (GrowthText(2, None, None, "high"), 5)
    assert isinstance(fed.args[0], MeldName)
    assert format_action_text(rules, fed) == "feed S1.1 with 3R high 1G"


@given(game=games, rng=dice)
def test_text_and_json_of_an_action_mean_it(game: Callable[[], Ruleset], rng: Random) -> None:
    rules = game()
    here = random_position(rules, rng)
    action = random_action(rules, rng, here)
    if action is None:
        return
    text = format_action(rules, action)
    assert resolve(rules, here, parse_action(rules, text)) == action
    assert format_action_text(rules, parse_action(rules, text)) == text
    assert resolve(rules, here, action_from_json(rules, action_to_json(rules, action))) == action


@pytest.mark.parametrize("seed", range(3))
def test_in_a_game_each_legal_action_has_its_own_text(seed: int) -> None:
    rules = load("biriba")
    rng = Random(seed)
    game = rules.deal(seed=seed)
    while not game.over and len(game.steps) < 120:
        legal = list(game.legal())
        texts = [format_action(rules.ruleset, action) for action in legal]
        assert len(set(texts)) == len(texts)
        for action, text in rng.sample(list(zip(legal, texts, strict=True)), min(len(legal), 20)):
            assert resolve(rules.ruleset, game.position, parse_action(rules.ruleset, text)) == action
        game.apply(rng.choice(legal))
