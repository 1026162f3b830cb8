"""The reference interpreter: it deals, plays, judges and scores by a compiled rule set.

Read `evaluate.py` (what an expression means), `melds.py` (what a template means), `effects.py` (what
an action does) and `judge.py` (what is legal); `rules.py`, `game.py` and `match.py` are what others use.
"""
