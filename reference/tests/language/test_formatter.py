"""The formatter changes white space only, and nothing that it has already formatted."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from hypothesis import given
from lark import Token, Tree

from biriba.data import spec_dir
from biriba.language.diagnostics import RulesError
from biriba.language.formatter import format_source
from biriba.language.parser import parse
from biriba.language.source import Source, read_source
from tests.language.strategies import stirred, with_slips

HEADER = 'ruleset a "b"\n\n'


def formatted(text: str) -> str:
    return format_source(Source("test.rules", text))


def meaning(text: str) -> object:
    """The tree of a rule set without positions, and without the blanks inside the lines of examples."""

    def plain(node: object) -> object:
        match node:
            case Tree(data=data, children=children):
                return str(data), [plain(c) for c in children if not (isinstance(c, Tree) and c.data == "phony")]
            case Token(type=type_):
                return type_, " ".join(node.split()) if type_ == "EXAMPLE_LINE" else str(node)
            case _:
                return node

    return plain(parse(Source("test.rules", text)))


def comments(text: str) -> list[str]:
    found = []
    for line in text.splitlines():
        code = re.match(r'(?:"[^"]*"|[^"#])*', line)
        if code and line[code.end() :]:
            found.append(line[code.end() :].rstrip())
    return found


@pytest.mark.parametrize("path", sorted(spec_dir().rglob("*.rules")), ids=lambda path: path.stem)
def test_the_rule_sets_are_formatted(path):
    source = read_source(path)
    assert format_source(source) == source.text


@given(stirred())
def test_white_space_is_all_that_changes(texts):
    original, text = texts
    result = formatted(text)
    assert meaning(result) == meaning(text) == meaning(original)
    assert comments(result) == comments(text.replace("\r", ""))
    assert re.sub(r"\s", "", result) == re.sub(r"\s", "", text)


@given(stirred())
def test_formatting_twice_changes_nothing(texts):
    result = formatted(texts[1])
    assert formatted(result) == result


@given(with_slips())
def test_odd_but_valid_text_is_formatted_alike(text):
    try:
        wanted = meaning(text)
    except RulesError:
        return
    result = formatted(text)
    assert meaning(result) == wanted
    assert formatted(result) == result


@given(stirred())
def test_lines_are_tidy(texts):
    result = formatted(texts[1])
    assert "\n\n\n" not in result
    assert result.endswith("\n")
    assert not result.startswith("\n")
    assert not re.search(r"[ \t\r]\n|\n\n\Z", result)
    assert re.search(r"(?m)^(?! *#).+\n(?:#.*\n)*clause", result) is None, "a blank line stands before every clause"


CASES = {
    "columns of parameters": (
        """
        ruleset a "b"
        parameter x=1 in 0..10 cards "x"
        parameter longer = 1000 in -5..1000 points  "y"
        parameter z = 2 in 0.. "z"

        parameter flag=yes "f"
        parameter choice = one one of one,two "c"
        set a = 1
        set bcd=-2
        """,
        """
        ruleset a "b"

        parameter x      = 1     in 0..10     cards   "x"
        parameter longer = 1000  in -5..1000  points  "y"
        parameter z      = 2     in 0..       "z"

        parameter flag   = yes  "f"
        parameter choice = one  one of one, two  "c"
        set a   = 1
        set bcd = -2
        """,
    ),
    "blocks, comments and blank lines": (
        """


        # top
        ruleset a "b"
             version "1"


          # on the header's source
             source S "s" language fr
        # about c.d

        clause c.d
            "text"
            # on the fact



            fact   yes # always
            deal
                when a : go to b
                else :
                       # deep
                       go to c
                # after
          # in the clause
        # ------
        clause e.f
            fact no
        drop   clause g.h
        # end

        """,
        """
        # top
        ruleset a "b"
          version "1"

          # on the header's source
          source S "s" language fr

        # about c.d

        clause c.d
          "text"
          # on the fact

          fact yes  # always
          deal
            when a: go to b
            else:
              # deep
              go to c
            # after
          # in the clause

        # ------
        clause e.f
          fact no

        drop clause g.h
        # end
        """,
    ),
    "lines that go on": (
        """
        ruleset a "b"

        clause c.d
          define x = (a
          and (b
          # why
                    or c
            )
              )
            and d
          define y = f( a,- b )-(- 2)*x[ 1 ]
          value A -5
          state z[seat] : yes / no=no
        """,
        """
        ruleset a "b"

        clause c.d
          define x = (a
              and (b
                # why
                or c
              )
          )
            and d
          define y = f(a, -b) - (-2) * x[1]
          value A -5
          state z[seat]: yes/no = no
        """,
    ),
    "tables and examples": (
        """
        ruleset a "b"

        clause c.d
          score "s" for run m
            | a|not b | # head
            # between
            |long_name  |1|
          score "t" for run m
            |head|not h|
            |a = b|x|long_name|
            |a != bcd|  x+y|z|
          score "u" for run m
            ||head|not h|
            |a = b|x|y|
          example "e"
            given   melds   X [3H]
            play draw
            accept   discard 9H # yes
        """,
        """
        ruleset a "b"

        clause c.d
          score "s" for run m
            | a         | not b |  # head
            # between
            | long_name | 1     |
          score "t" for run m
            |            head  | not h     |
            | a = b    | x     | long_name |
            | a != bcd | x + y | z         |
          score "u" for run m
            |       | head | not h |
            | a = b | x    | y     |
          example "e"
            given  melds X [3H]
            play   draw
            accept discard 9H  # yes
        """,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_layout(name):
    text, wanted = (dedent(part).lstrip("\n") for part in CASES[name])
    assert formatted(text) == wanted
    assert formatted(wanted) == wanted


def test_windows_line_ends_and_a_missing_last_one():
    assert formatted('ruleset a "b"\r\n\r\nclause c.d\r\n  fact yes') == HEADER + "clause c.d\n  fact yes\n"


def test_what_does_not_parse_is_not_formatted():
    with pytest.raises(RulesError):
        formatted("ruleset\n")
