"""Laws that allow one suit or rank other melds than another are kept by the quick look at a hand, too."""

from __future__ import annotations

from biriba.engine import Engine
from biriba.interpreter.rules import Rules
from biriba.language.load import compile_rules
from biriba.language.source import Source

from .walks import compare


def test_ranks_and_suits_may_differ_in_what_is_lawful() -> None:
    text = """ruleset odd "Aces make no set, sevens a set of two, hearts no short run" extends biriba-bounded
  version "1"

set min_meld = 2

clause odd.sizes
  "Melds differ."
  every set m: rank(m) != A
  every set m: rank(m) = 7 or size(m) >= 4 - substitutes(m)
  every run m: suit(m) = H implies size(m) >= 4 and substitutes(m) = 0
"""
    rules = Rules(compile_rules(Source("odd.rules", text))[0])
    engine = Engine(rules.ruleset)
    for seed in range(6):
        compare(rules, engine, seed, 150)
