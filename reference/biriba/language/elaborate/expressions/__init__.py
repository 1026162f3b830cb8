"""From syntax trees of expressions to typed nodes.

Each rule of the grammar's expression part has one method, named after it. A method returns a node or
raises `Fault`. `expect` is the type that the surroundings ask for: it decides what a bare symbol such
as `2` or `A` means. The classes build on one another, from names (`atoms`) up to `logic`.
"""

from biriba.language.elaborate.expressions.logic import Logic


class Expressions(Logic):
    """Elaborates the expressions of one rule set against its names."""


__all__ = ["Expressions"]
