"""Points: what vectors have to show of a rule set, namely both sides of every guard and number, and every scoring row.

The points follow from the model alone. `points` lists them, `apart` and `beside` find the smallest vector
that shows a side, `shown` says which vectors show it.
"""
