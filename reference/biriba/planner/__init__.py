"""From a position to a deal that leads there: a deck and a list of legal actions.

>>> import biriba
>>> from biriba.planner import Goal, plan
>>> rules = biriba.load("biriba")
>>> goal = Goal.stated(rules, "turn A play; melds X [3H 4H 5H 6H 7H 8H]; hand A 9H KS QS").with_more_melds(rules)
>>> found = plan(rules, goal)
>>> found.position.phase, rules.ruleset.table.seats[found.position.turn], len(found.deck)
('play', 'A', 108)
>>> print(rules.judge(found.position, "extend X1 with 9H high").legal)
True

Read `goal.py` (what is wanted), `unknown.py` (a deck whose cards are not fixed yet), `search.py` (how the actions are
found) and `bounds.py` (why a position can never come about).
"""

from biriba.planner.goal import Goal, Wanted
from biriba.planner.plan import Plan, plan

__all__ = ["Goal", "Plan", "Wanted", "plan"]
