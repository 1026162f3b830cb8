"""Vectors begin in positions that a game can hold; a few whose very point is another one are listed with the reason."""

from __future__ import annotations

from functools import cache

from biriba.conformance.suite import read_vectors
from biriba.data import conformance_dir
from biriba.planner.bounds import ruled_out
from biriba.scenario.rulesets import load_named
from biriba.scenario.run import start
from biriba.scenario.scenario import GivenPosition

LIST = conformance_dir() / "impossible.tsv"


@cache
def listed() -> dict[str, str]:
    """The vectors whose very point is a position that no game holds, with the reason."""
    _, *lines = LIST.read_text(encoding="utf-8").splitlines()
    return {name: why for name, _, why in (line.partition("\t") for line in lines)}


def test_given_positions_are_those_of_a_game() -> None:
    """All that the rules say holds always, the sizes of packets and why a deal is over among it; and no dead end."""
    wrong: dict[str, set[str]] = {}
    for scenario in read_vectors():
        if isinstance(scenario.given, GivenPosition):
            for name, _ in scenario.rulesets:
                rules = load_named(name)
                position = start(rules, scenario)
                assert position is not None
                why = ruled_out(rules, position)
                if why is not None:
                    wrong.setdefault(scenario.id, set()).add(why)
    assert {name: why for name, why in wrong.items() if name not in listed()} == {}
    assert sorted(set(listed()) - set(wrong)) == [], "listed, although a game can hold it"


def test_what_is_listed_has_a_reason() -> None:
    assert all(why.strip() for why in listed().values())
