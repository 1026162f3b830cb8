"""The typed, immutable model of a rule set: read `ruleset.py` first, then `expr.py` and `stmt.py`."""
