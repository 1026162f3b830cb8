"""The first file of a rule set of one's own: everything that may be changed, ready to be uncommented."""

from __future__ import annotations

import re

from biriba.language.parts import PART_WORDS
from biriba.model.ruleset import Parameter, Ruleset
from biriba.prose.expressions import parameter_text

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_RULER = "-" * 66


def good_name(name: str) -> bool:
    """Whether a rule set may be called so: words of letters and digits, joined by hyphens."""
    return _NAME.fullmatch(name) is not None and name not in PART_WORDS


def starter(name: str, parent: Ruleset, parts: dict[str, str]) -> str:
    """A rule file that extends another and changes nothing yet, with comments on how to change it.

    Args:
        name: see `good_name`.
        parts: the parts that could be taken in, with their titles.
    """
    lines = [
        f"# {name}: a rule set of your own. Lines that begin with # are comments; remove the # to make one count.",
        f"# Look at what you change:  biriba show {parent.name}      Check this file:  biriba check {name}.rules",
        f"# Play it:  biriba play --rules {name}.rules                Compare:  biriba diff {parent.name} {name}.rules",
        f'ruleset {name} "{parent.title}, my way" extends {parent.name}',
        '  version "0.1.0"',
        *_parts(parent, parts),
        "",
        f"# {_RULER} numbers",
        "# Every number of the game that you may change, as it is now, with what it may be.",
        *_settings(parent),
        "",
        f"# {_RULER} clauses",
        "# To change a sentence of the rules, replace its clause: copy it from `biriba show --clause ID`, change it,",
        "# and show by an example what is different. What you do not replace stays as it is.",
        *_replacing(parent),
        "#",
        "# To leave a sentence out:",
        '#   drop clause ID because "we never play that"',
        "#",
        "# To add one, give it a name of its own. Words first, then its formal meaning, then an example:",
        "# clause house.clean_start",
        '#   "A new meld is laid without a substitute; one may be added later."',
        '#   because "a rule of our table"',
        '#   says "{m} would begin with a substitute."',
        "#   on lay(m) require substitutes(m) = 0",
        '#   example "the joker comes later"',
        "#     given  hand A 4H 5H JK KS QS; turn A play",
        "#     reject lay 4H 5H JK by house.clean_start",
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _parts(parent: Ruleset, parts: dict[str, str]) -> list[str]:
    """What can be taken in, if there is anything that the parent has not."""
    free = [f"#   {part:16} {title}" for part, title in parts.items() if part not in parent.parts]
    words = "# A part is a bundle of changes. Take one in at the end of the line above: ... with NAME"
    return ["", f"# {_RULER} parts", words, *free] if free else []


def _settings(parent: Ruleset) -> list[str]:
    width = max((len(name) for name in parent.parameters), default=0)
    return [
        f"# set {p.name:{width}} = {parameter_text(parent, p.name):6} # {_range(p)}: {p.text}"
        for p in parent.parameters.values()
    ]


def _range(parameter: Parameter) -> str:
    if parameter.options:
        return " or ".join(parameter.options)
    if parameter.low is not None:
        return f"{parameter.low}..{'' if parameter.high is None else parameter.high}"
    return "yes or no" if isinstance(parameter.value, bool) else "any number"


def _replacing(parent: Ruleset) -> list[str]:
    """The shortest clause that has a score line, as an example of replacing one."""
    clauses = sorted((line.clause for line in parent.score), key=lambda id_: len(parent.clauses[id_].source))
    if not clauses:
        return []
    text = parent.clauses[clauses[0]].source.removeprefix("replace ")
    return [f"# {line}" for line in f"replace {text}".splitlines()]
