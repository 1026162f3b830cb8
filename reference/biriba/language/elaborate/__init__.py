"""From a flat list of clauses to the typed rule set."""

from biriba.language.elaborate.rules import elaborate

__all__ = ["elaborate"]
