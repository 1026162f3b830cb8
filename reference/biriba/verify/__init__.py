"""Proofs about a rule set by Z3, everything derived from the typed rules.

Read `symbols.py` (positions in symbols), `encode.py` (expressions), `effects.py` and `steps.py` (one
action), then `invariants.py` and the other kinds of property. `run.verify` does it all.
docs/verify.md tells what is proved and what the verdicts mean.
"""
