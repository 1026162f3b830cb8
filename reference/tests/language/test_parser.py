"""Every syntax error gets one message in plain words at the right place, and nothing else ever escapes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree
from lark.lexer import PatternRE

from biriba.data import conformance_dir, grammar_dir, spec_dir
from biriba.language import parser, syntax
from biriba.language.diagnostics import Diagnostic, RulesError
from biriba.language.parser import grammar, parse, parse_expression, span_of
from biriba.language.source import MAX_BYTES, Source, read_source
from biriba.model.span import Span
from tests.language.rulefiles import CANONICAL
from tests.language.strategies import with_slips

HEADER = 'ruleset a "b"\n'


def faults(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RulesError) as caught:
        parse(Source("test.rules", text))
    assert str(caught.value).endswith(" error" if len(caught.value.diagnostics) == 1 else " errors")
    return caught.value.diagnostics


def fault(text: str) -> Diagnostic:
    (found,) = faults(text)
    return found


# ---------------------------------------------------------------- what parses


def test_the_canonical_rules_parse():
    tree = parse(Source("biriba.rules", CANONICAL))
    clauses = [part for part in tree.children if isinstance(part, Tree) and part.data == "clause"]
    assert len(clauses) == CANONICAL.count("\nclause ")


@pytest.mark.parametrize("text", ['ruleset a "b"', '# c\n\nruleset a "b"\n\n# d', '\n\n  \nruleset a "b"\n\n\n'])
def test_a_header_is_enough(text):
    assert parse(Source("test.rules", text)).data == "start"


def test_line_ends_of_windows():
    assert parse(Source("a", CANONICAL.replace("\n", "\r\n"))) == parse(Source("a", CANONICAL))


def test_spans_end_with_the_text():
    source = Source(
        "test.rules", HEADER + "clause c.d\n  fact (a or\n    b)  # why\n\n  # more\n\nclause e.f\n  fact yes\n"
    )
    clause = parse(source).children[1]
    assert isinstance(clause, Tree)
    assert span_of(clause, "test.rules") == Span("test.rules", 2, 1, 4, 7)
    (word,) = [token for token in clause.children if isinstance(token, Token)]
    assert span_of(word, "test.rules") == Span("test.rules", 2, 8, 2, 11)
    assert span_of(Tree("none", []), "test.rules") == Span("test.rules", 0, 0, 0, 0)


# ---------------------------------------------------------------- what does not

CLAUSE = HEADER + "clause c.d\n"

ERRORS = [
    # (text, code, line, column, words of the message, words of the hint)
    (CLAUSE + "  fact 1 +\n", "E0101", 3, 11, "expected an expression, found the end of the line", None),
    (CLAUSE + "  fact a b\n", "E0101", 3, 10, "expected an operator or the end of the line, found 'b'", None),
    (CLAUSE + "  fact 1 == 2\n", "E0101", 3, 11, "expected an expression, found '='", "a single '='"),
    (CLAUSE + "  zone stock pile sen by all\n", "E0101", 3, 19, "expected 'seen', found 'sen'", "did you mean 'seen'?"),
    (CLAUSE + "  defin x = 3\n", "E0101", 3, 3, "expected a line of a clause", "'define'?"),
    (CLAUSE + '  "s"\n  defin x = 3\n', "E0101", 4, 3, "a line of a clause", "did you mean 'define'?"),
    (CLAUSE + "  zone in pile seen by all\n", "E0101", 3, 8, "expected a name, found 'in'", "a word of the language"),
    (CLAUSE + "  on discard requir x\n", "E0101", 3, 14, "'require' or 'then', found 'requir'", "'require'?"),
    (CLAUSE + '  example "e"\n    acept take\n', "E0101", 4, 5, "expected an example line", "did you mean 'accept'?"),
    (CLAUSE + '  example "e"\n    given # x\n', "E0101", 4, 5, "expected an example line", None),
    (CLAUSE + "  action x in y\n    frob\n", "E0101", 4, 9, "':='", None),
    (CLAUSE + "  deal\n    mve 1 from a to b\n", "E0101", 4, 9, "found '1'", None),
    (CLAUSE + "  cites S §\n", "E0102", 3, 11, "'§' means nothing here", "'§3'"),
    (CLAUSE + "  fact 3 ≤ 4\n", "E0102", 3, 10, "'≤' means nothing here", "write '<='"),
    (CLAUSE + "  fact a && b\n", "E0102", 3, 10, "'&&' means nothing here", "write 'and'"),
    (CLAUSE + "  fact a\0\n", "E0102", 3, 9, "means nothing here", None),
    (CLAUSE + "  fact 3abc = 1\n", "E0102", 3, 8, "'3abc' is neither a number nor a card", "begins with a letter"),
    (CLAUSE + "  fact 1234567890 = 1\n", "E0102", 3, 8, "'1234567890' is too large", "nine digits"),
    (CLAUSE + '  "text\n', "E0103", 3, 3, "no closing quote", "on the line on which it begins"),
    (CLAUSE + "    fact 1\n  fact 2\n", "E0104", 4, 1, "indented by 2 spaces, which fits no block", "0 and 4 spaces"),
    (CLAUSE + "  fact 1\n      + 2\n", "E0104", 4, 1, "the line above it opens no block", "brackets"),
    ("# top\n  " + HEADER + "clause c.d\n  fact 1\n", "E0104", 2, 1, "the header is indented", "margin"),
    (CLAUSE + "\tfact 1\n", "E0105", 3, 1, "indented with a tab", "two spaces"),
    (CLAUSE + "  fact 1\n  cites S §1\n", "E0106", 4, 3, "'cites' stands before the formal lines", "examples last"),
    (
        CLAUSE + '  fact 1\n  "s"\n',
        "E0106",
        4,
        3,
        "the sentence of a clause stands on its first lines",
        "examples last",
    ),
    (CLAUSE + '  example "e"\n    meld x\n  fact 1\n', "E0106", 5, 3, "examples of a clause stand on its last", "last"),
    (HEADER + "clause c.d\n\n# c\n\nclause e.f\n  fact 1\n", "E0107", 2, 1, "'clause c.d' has no body", "indent"),
    (CLAUSE, "E0107", 2, 1, "'clause c.d' has no body", "indent"),
    (CLAUSE + "  fact 1\n  deal  # why\n  fact 2\n", "E0107", 4, 3, "'deal' has no body", "two more spaces"),
    (
        CLAUSE + '  score "s" for side p\n    | a | b |\n',
        "E0101",
        4,
        14,
        "expected '|', found the end of the block",
        None,
    ),
    (
        CLAUSE + "  fact (a + b\n  fact c\n",
        "E0108",
        3,
        8,
        "'(' is never closed",
        "expected ')' before 'fact' in line 4",
    ),
    (CLAUSE + "  fact x[1\n", "E0108", 3, 9, "'[' is never closed", "expected ']' before the end"),
    (CLAUSE + "  fact (\n", "E0108", 3, 8, "'(' is never closed", None),
    (CLAUSE + "  fact a)\n", "E0108", 3, 9, "')' closes no bracket", None),
    ("", "E0113", 1, 1, "a rule set begins with its header", "ruleset NAME"),
    ("# only\n# comments", "E0113", 1, 1, "a rule set begins with its header", "ruleset NAME"),
    ("clause c.d\n  fact 1\n", "E0113", 1, 1, "a rule set begins with its header", "ruleset NAME"),
    (HEADER + HEADER, "E0113", 2, 1, "a rule set has one header", None),
    ('rulset a "b"\n', "E0101", 1, 1, "'ruleset', found 'rulset'", "did you mean 'ruleset'?"),
    (HEADER + "claus c.d\n  fact 1\n", "E0101", 2, 1, "expected 'clause', 'drop', 'parameter'", "'clause'?"),
    (HEADER + "define x = 1\n", "E0101", 2, 1, "expected", "indented by two spaces"),
    (HEADER + "drop clause\n", "E0101", 2, 12, "a clause id such as 'turn.draw'", None),
    (HEADER + "parameter x 4\n", "E0101", 2, 13, "expected '=', found '4'", None),
    (HEADER + "parameter x = 4 in a..b\n", "E0101", 2, 20, "expected a number or '-', found 'a'", None),
    (HEADER + 'set x = "t"\n', "E0101", 2, 9, "expected a name, a number, '-', 'no' or 'yes'", None),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "message", "hint"), ERRORS)
def test_a_syntax_error(text, code, line, column, message, hint):
    found = fault(text)
    assert message in found.message
    assert (found.code, found.span.line, found.span.column) == (code, line, column)
    assert found.span.file == "test.rules"
    assert (hint is None) == (found.hint is None) or hint is None
    assert hint is None or (found.hint is not None and hint in found.hint)


@pytest.mark.parametrize(("text", "code", "line", "column", "message", "hint"), ERRORS)
def test_line_ends_of_windows_change_no_message(text, code, line, column, message, hint):
    assert faults(text.replace("\n", "\r\n")) == faults(text)


def test_every_terminal_has_a_name_for_people():
    words = [t.name for t in grammar().terminals if isinstance(t.pattern, PatternRE) and not t.name.startswith("__")]
    assert set(words) - {"COMMENT", "CONTINUED"} <= set(syntax._NAMES)


def test_all_errors_of_a_file_are_found_each_once():
    bodies = [(text[len(CLAUSE) :], line) for text, _, line, *_ in ERRORS if text.startswith(CLAUSE) and text != CLAUSE]
    text, wanted = HEADER, []
    for body, line in bodies:
        wanted.append(text.count("\n") + line - 1)
        text += "clause c.d\n" + body + "clause good.one\n  fact 1 = 1\n" + "parameter fine = 3\n"
    found = faults(text)
    assert [d.span.line for d in found] == wanted
    for diagnostic, (body, _) in zip(found, bodies, strict=True):
        assert diagnostic.message == fault(CLAUSE + body).message


# ---------------------------------------------------------------- holes in sentences


def expression(text: str) -> Tree[Token]:
    source = Source("test.rules", f'{CLAUSE}  "so ( it is {{{text}}} ["\n')
    start = source.text.index("{") + 1
    return parse_expression(source, start, start + len(text))


def test_an_expression_in_a_sentence_knows_its_place():
    tree = expression("size(m) >= 3")
    assert span_of(tree, "test.rules") == Span("test.rules", 3, 16, 3, 28)


@pytest.mark.parametrize(
    ("text", "code", "column", "message"),
    [
        ("", "E0101", 16, "expected an expression, found the end"),
        ("a +", "E0101", 19, "expected an expression, found the end"),
        ("a b", "E0101", 18, "expected an operator or the end, found 'b'"),
        ("(a", "E0108", 16, "'(' is never closed"),
        ("a)", "E0108", 17, "')' closes no bracket"),
        ("a ? b", "E0102", 18, "the character '?' means nothing here"),
        ("(" * 200 + "a" + ")" * 200, "E0109", 116, "brackets are nested more than 100 deep"),
        ("not " * 200 + "a", "E0109", 412, "nested more than 100 levels deep"),
    ],
)
def test_an_error_in_a_sentence(text, code, column, message):
    with pytest.raises(RulesError) as caught:
        expression(text)
    (found,) = caught.value.diagnostics
    assert message in found.message
    assert (found.code, found.span.line, found.span.column) == (code, 3, column)


# ---------------------------------------------------------------- what is too much

DEEP = {
    "parentheses": "(" * 10_000 + "1" + ")" * 10_000,
    "open parentheses": "(" * 10_000,
    "indices": "x[" * 10_000,
    "calls": "f(" * 10_000,
    "not": "not " * 2_000 + "a",
    "minus": "-" * 2_000 + "a",
    "sums": "1" + " + 1" * 2_000,
    "if": "if a then b else " * 2_000 + "c",
    "quantifiers": "every seat s: " * 2_000 + "a",
    "fractions of quantifiers": "some c in x where " * 1_000 + "a" + ": a" * 1_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_one_error(name):
    assert fault(f"{CLAUSE}  fact {DEEP[name]}\n").code == "E0109"


def test_deep_blocks_are_one_error():
    lines = [" " * (2 * i + 4) + "when a:\n" for i in range(150)]
    assert fault(CLAUSE + "  deal\n" + "".join(lines) + " " * 400 + "go to x\n").code == "E0109"


def test_depth_is_looked_at_in_each_part():
    clause = f"clause c.d\n  fact {'not ' * 150}a\n"
    assert [d.span.line for d in faults(HEADER + clause + clause)] == [3, 5]


def test_nesting_within_reason_is_fine():
    parse(Source("test.rules", f"{CLAUSE}  fact {'(' * 40}{'not ' * 40}a{')' * 40}\n"))


@pytest.mark.parametrize("piece", ["x", "(", '"', "\0", "\n", "\t", "# ", "a.", "\n clause"])
def test_a_huge_text_is_one_error(piece):
    assert fault(piece * (10_000_000 // len(piece))).code == "E0110"


def test_a_long_text_without_sense_takes_no_long_time():
    assert len(faults(HEADER + "clause c.d\n" * 2_000)) == 2_000
    assert fault(CLAUSE + "  fact " + " " * 500_000 + "\n" * 500_000 + "  #\n" * 100_000).code == "E0101"


# ---------------------------------------------------------------- files


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def refused(path: Path) -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        read_source(path)
    assert str(caught.value)
    (found,) = caught.value.diagnostics
    assert found.span.file == str(path)
    return found


def test_a_file_is_read(tmp_path):
    path = written(tmp_path / "a.rules", b'\xef\xbb\xbfruleset a "\xc3\xa9"\r\n')
    assert read_source(path) == Source(str(path), 'ruleset a "é"\n')


def test_a_file_that_is_not_utf8(tmp_path):
    found = refused(written(tmp_path / "a.rules", b'ruleset a "b"\r\n# \xc3\xa9 \xff\n'))
    assert (found.code, found.span.line, found.span.column) == ("E0111", 2, 5)


def test_a_file_that_is_too_large(tmp_path):
    assert refused(written(tmp_path / "a.rules", b"x" * 10_000_000)).code == "E0110"
    assert len(read_source(written(tmp_path / "b.rules", b"x" * MAX_BYTES)).text) == MAX_BYTES


def test_a_file_that_is_not_there(tmp_path):
    assert refused(tmp_path / "no.rules").code == "E0112"
    assert refused(tmp_path).message == "this is a folder, not a file"
    assert refused(tmp_path / "a\0b").code == "E0112"


def test_the_files_of_the_package_are_found():
    assert (spec_dir() / "biriba.rules").is_file()
    assert (grammar_dir() / "rules.lark").is_file()
    assert conformance_dir().is_dir()


# ---------------------------------------------------------------- the cache of the grammar


@pytest.fixture
def new_grammar(monkeypatch):
    """Makes the parser again, with a folder for its cache."""

    def make(folder: Path) -> int:
        monkeypatch.setenv("BIRIBA_CACHE", str(folder))
        made = grammar.__wrapped__()
        return len(made.parse(CANONICAL, start="start").children)

    return make


def test_the_grammar_is_cached(new_grammar, tmp_path, monkeypatch):
    wanted = new_grammar(tmp_path / "cache")
    (file,) = (tmp_path / "cache").iterdir()
    before = file.stat().st_mtime_ns
    monkeypatch.setattr(parser, "Lark", type("Cached", (parser.Lark,), {"__init__": None}))
    assert new_grammar(tmp_path / "cache") == wanted
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x80\x04K\x01.", b"\x80\x04}."])
def test_a_broken_cache_is_made_again(new_grammar, tmp_path, data):
    wanted = new_grammar(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(data)
    assert new_grammar(tmp_path) == wanted
    assert len(file.read_bytes()) > 1000


def test_a_folder_that_cannot_be_written_is_no_fault(new_grammar, tmp_path):
    assert new_grammar(written(tmp_path / "file", b"") / "cache")
    assert new_grammar(Path(os.devnull) / "x")


# ---------------------------------------------------------------- only a RulesError escapes


def survives(call: Callable[[], object]) -> None:
    """Lets a call succeed, or fail with messages that can be shown; all else fails the test."""
    try:
        call()
    except RulesError as error:
        failure = error
    else:
        return
    assert failure.diagnostics
    assert str(failure)
    for source in failure.sources.values():
        lines = source.text.count("\n") + 1
        assert all(1 <= d.span.line <= lines and d.span.column >= 1 for d in failure.diagnostics)


@given(st.text() | st.text('ab1.,:;=()[]|-"# \n\t'))
def test_any_text(text):
    for start in ("", HEADER, CLAUSE + "  ", CLAUSE + "  fact "):
        survives(lambda start=start: parse(Source("test.rules", start + text)))


@given(with_slips())
def test_rules_with_slips(text):
    survives(lambda: parse(Source("test.rules", text)))


@given(st.text() | st.text('ab1.,:;=()[]|-"# \n\t'), st.integers(0, 5), st.integers(0, 5))
def test_any_expression(text, start, less):
    start = min(start, len(text))
    survives(lambda: parse_expression(Source("test.rules", text), start, max(start, len(text) - less)))


@given(st.binary())
def test_any_file(tmp_path_factory, data):
    path = written(tmp_path_factory.getbasetemp() / "any.rules", data)
    survives(lambda: parse(read_source(path)))
