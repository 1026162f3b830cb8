"""Under numba the same source gives the same: it is compiled once, and then found on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

import biriba
from biriba.engine import Engine, EngineError

from .walks import compare


@pytest.mark.slow
@pytest.mark.parametrize("name", ["biriba-bounded", "venezuelan", "guide", "classic-atout-vulnerable"])
def test_numba_plays_alike(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    monkeypatch.setenv("BIRIBA_CACHE", str(tmp_path))
    rules = biriba.load(name)
    try:
        engine = Engine(rules.ruleset, fast=True)
    except EngineError as error:
        pytest.skip(str(error))
    for seed in range(20):
        compare(rules, engine, seed)
    plain = Engine(rules.ruleset)
    deck = rules.shuffled(3)
    fast_state, state = engine.deal(deck, 0), plain.deal(deck, 0)
    randoms = engine.array([99, 0, 0]), [99, 0, 0]
    assert engine.playout(fast_state, randoms[0], 2000) == plain.playout(state, randoms[1], 2000)
    assert [int(n) for n in randoms[0]] == randoms[1]
    assert engine.position(fast_state) == plain.position(state)


def test_without_numba_there_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    with pytest.raises(EngineError, match=r"pip install 'biriba\[fast\]'"):
        Engine(biriba.load("biriba").ruleset, fast=True)
