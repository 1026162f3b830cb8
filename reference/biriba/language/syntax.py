"""Syntax errors in plain words: what was found, what could have stood there, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from biriba.language.diagnostics import Diagnostic, did_you_mean, quote
from biriba.language.layout import DEDENT, INDENT, NEWLINE, LayoutFault
from biriba.language.parts import PART_WORDS, Part
from biriba.model.span import Span

# A terminal goes by what is written, if it is always the same, else by its name in the grammar.
_META = frozenset(("cites", "covers", "because", "says"))
_OPERATORS = frozenset(("+", "-", "*", "=", "!=", "<=", ">=", "<", ">", "and", "or", "implies", "is", "in"))
_FOLDS = ("sum", "greatest", "smallest", "count")
_EXPRESSION = frozenset(
    ("INT", "CARD", "NAME", "(", "-", "not", "yes", "no", "none", "old", "may", "if", "every", "some", *_FOLDS)
)
_ORDER = (
    "in a clause the sentence comes first, then 'cites', 'covers', 'because' and 'says', "
    "then the formal lines, and the examples last"
)
_EXAMPLE_WORDS = ("given", "play", "accept", "reject", "expect", "meld", "value")
_BRACKET = re.compile(
    rf"""[()\[\]] | "(?:[^"\\\n]|\\.)*"? | \#[^\n]* | ^[ \t]*(?:{"|".join(_EXAMPLE_WORDS)})[ \t][^\n]*""",
    re.VERBOSE | re.MULTILINE,
)
"""A bracket, or a text, comment or line of an example, in which brackets do not count."""

_NAMES = {
    NEWLINE: "the end of the line",
    INDENT: "an indented line",
    DEDENT: "the end of the block",
    "$END": "the end",
    "NAME": "a name",
    "RULESET_NAME": "the name of a rule set or part",
    "INT": "a number",
    "CARD": "a card",
    "STRING": "a text in quotes",
    "SECTION": "a section such as '§3'",
    "RULE_ID": "a rule id such as 'R-1.02'",
    "CLAUSE_ID": "a clause id such as 'turn.draw'",
    "EXAMPLE_LINE": "an example line such as 'given …' or 'accept …'",
}

# What marks a group, what it takes out of the list (None: all but the layout), how it is called.
_GROUPS: tuple[tuple[set[str], frozenset[str] | None, str], ...] = (
    ({"define", "action"}, None, "a line of a clause"),
    ({"move", "lay", "go"}, None, "an effect such as 'move'"),
    ({"(", "sum", "NAME"}, _EXPRESSION, "an expression"),
    ({"+", "*"}, _OPERATORS | {"(", "["}, "an operator"),
    ({"implies"}, _OPERATORS, "an operator"),
)

_INSTEAD = {
    "==": "two things are compared with a single '='",
    "&&": "write 'and'",
    "||": "write 'or'",
    "!": "write 'not', or '!=' between two things",
    "“": 'texts stand between straight quotes: "…"',
    "”": 'texts stand between straight quotes: "…"',
    "„": 'texts stand between straight quotes: "…"',
    "'": 'texts stand between double quotes: "…"',
    "–": "write a plain '-'",
    "−": "write a plain '-'",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write '!='",
    "§": "a section stands without a blank: '§3'",
}


@dataclass(frozen=True, slots=True)
class Place:
    """What was parsed.

    Attributes:
        file: its name.
        text: of the file or one of its parts; it ends where parsing did.
        line: the line that the text begins on.
        hole: where in the text an expression in a sentence begins, if that was parsed.
    """

    file: str
    text: str
    line: int = 1
    hole: int | None = None

    def span(self, line: int, column: int, length: int = 1) -> Span:
        line += self.line - 1
        return Span(self.file, line, column, line, column + max(length, 1))

    def token(self, token: Token) -> Span:
        """A token's first line; the place after the last line for one that only ends something."""
        if token.type in ("$END", DEDENT):
            text = _without_layout(self.text if token.type == "$END" else self.text[: token.start_pos])
            return self.span(text.count("\n") + 1, len(text) - text.rfind("\n"))
        return self.span(token.line or 1, token.column or 1, len(_first_word(token)))


def header_fault(parts: Sequence[Part], file: str) -> Iterator[Diagnostic]:
    """What is wrong with a rule set whose header is missing or not alone."""
    hint = 'write: ruleset NAME "what the rules are for"'
    if not parts or parts[0].rule != "header":
        line = parts[0].line if parts else 1
        yield Diagnostic("E0113", "a rule set begins with its header", Span(file, line, 1, line, 2), hint)
    elif parts[0].text[0] in " \t" and parts[0].line > 1:
        line = parts[0].line
        yield Diagnostic("E0104", "the header is indented", Span(file, line, 1, line, 2), "begin it at the margin")
    for part in parts[1:]:
        if part.rule == "header":
            span = Span(file, part.line, 1, part.line, 1 + len(part.text.split(None, 1)[0]))
            yield Diagnostic("E0113", "a rule set has one header, and this is a second one", span)


def explain(error: UnexpectedInput | LayoutFault, grammar: Lark, place: Place) -> Diagnostic:
    """The message about a syntax error."""
    if isinstance(error, LayoutFault):
        length = max(len(error.token), 1)
        span = place.span(error.token.line or 1, error.token.column or 1, length)
        return Diagnostic(error.code, error.message, span, error.hint)
    if isinstance(error, UnexpectedCharacters):
        return _character(error, place)
    if isinstance(error, UnexpectedToken):
        return _token(error, grammar, place)
    raise error


def _character(error: UnexpectedCharacters, place: Place) -> Diagnostic:
    position = error.pos_in_stream or 0
    rest = place.text[position:].split("\n", 1)[0]
    if rest.startswith('"'):
        hint = "a text ends on the line on which it begins"
        return Diagnostic(
            "E0103", "this text has no closing quote", place.span(error.line, error.column, len(rest)), hint
        )
    word = re.match(r"\d\w*", rest)
    if word:
        span = place.span(error.line, error.column, len(word[0]))
        if word[0].isdecimal():
            return Diagnostic("E0102", f"the number {quote(word[0])} is too large", span, "nine digits are the most")
        message = f"{quote(word[0])} is neither a number nor a card"
        return Diagnostic("E0102", message, span, "a name begins with a letter")
    sign = next((s for s in _INSTEAD if rest.startswith(s)), rest[:1])
    message = f"the character {quote(sign)} means nothing here"
    return Diagnostic("E0102", message, place.span(error.line, error.column, len(sign)), _INSTEAD.get(sign))


def _token(error: UnexpectedToken, grammar: Lark, place: Place) -> Diagnostic:
    token = error.token
    # Nothing is accepted only where all is complete.
    accepted = {_key(terminal, grammar) for terminal in error.accepts or error.expected or ["$END"]}
    bracket = _open_bracket(place.text, place.hole or 0, _offset(token, place))
    if bracket is not None and _leaves_open(token, place, bracket, accepted):
        line, column = place.text.count("\n", 0, bracket) + 1, bracket - place.text.rfind("\n", 0, bracket)
        sign = place.text[bracket]
        closing = ")" if sign == "(" else "]"
        where = "" if token.type in ("$END", DEDENT) else f" in line {place.token(token).line}"
        hint = f"expected '{closing}' before {_found(token)}{where}"
        return Diagnostic("E0108", f"'{sign}' is never closed", place.span(line, column), hint)
    if token.type in ("RPAR", "RSQB") and bracket is None:
        return Diagnostic("E0108", f"'{token}' closes no bracket", place.token(token))
    if token.type == INDENT:
        span = place.span(token.line or 1, 1, len(token))
        message = "this line is indented, but the line above it opens no block"
        return Diagnostic("E0104", message, span, "a line goes on below only inside brackets or with and, or, implies")
    if accepted == {INDENT}:
        return _no_body(token, place)
    if _begins_line(token, place) and (misplaced := _out_of_order(token, accepted)):
        return Diagnostic("E0106", misplaced, place.token(token), _ORDER)
    ends = accepted in ({"$END"}, {"$END", INDENT}) or (token.start_pos == 0 and accepted == {"clause", "replace"})
    if ends and place.hole is None:
        # The parts of a rule set are parsed one by one, but to the author one may follow another.
        accepted = {word for word, rule in PART_WORDS.items() if rule != "header"}
    message = f"expected {_expected(accepted)}, found {_found(token)}"
    return Diagnostic("E0101", message, place.token(token), _hint(token, accepted))


def _no_body(token: Token, place: Place) -> Diagnostic:
    """A line that must be followed by an indented block, and is not."""
    above = _without_layout(place.text[: _offset(token, place)])
    line = above.count("\n") + 1
    text = above.rpartition("\n")[2]
    span = place.span(line, len(text) - len(text.lstrip()) + 1, len(text.strip()))
    words = text.split()
    what = f"{words[0]} {words[1]}" if len(words) > 1 else "".join(words)
    return Diagnostic(
        "E0107", f"{quote(what)} has no body", span, "indent the lines that belong to it by two more spaces"
    )


def _out_of_order(token: Token, accepted: Collection[str]) -> str | None:
    """What is wrong with a line that may stand in a clause, but not after what is already there."""
    word = _first_word(token)
    if "define" in accepted and "cites" not in accepted and word in _META:
        return f"'{word}' stands before the formal lines of a clause"
    if "define" in accepted and token.type == "STRING":
        return "the sentence of a clause stands on its first lines"
    if "example" in accepted and "define" not in accepted:
        return "the examples of a clause stand on its last lines"
    return None


def _expected(accepted: Collection[str]) -> str:
    """What could have stood there, in words."""
    left = set(accepted)
    names: list[str] = []
    if "clause" in left and "$END" in left:
        left.discard("$END")
    for mark, members, name in _GROUPS:
        if mark <= left:
            left = left - members if members is not None else left & {INDENT, DEDENT, NEWLINE}
            names.append(name)
    words = sorted(_NAMES.get(key, f"'{key}'") for key in left)
    # Signs and words of the language read best after the general terms.
    names += [w for w in words if not w.startswith("'")] + [w for w in words if w.startswith("'")]
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def _key(terminal: str, grammar: Lark) -> str:
    """What is written for a terminal, if that is always the same, else its name."""
    if terminal in _NAMES:
        return terminal
    pattern = grammar.get_terminal(terminal).pattern
    return pattern.value if isinstance(pattern, PatternStr) else terminal


def _found(token: Token) -> str:
    if token.type in (NEWLINE, DEDENT, "$END"):
        return _NAMES[token.type]
    return quote(_first_word(token))


def _hint(token: Token, accepted: Collection[str]) -> str | None:
    word = _first_word(token)
    if word == "=" and "(" in accepted:
        return _INSTEAD["=="]
    if not word.isidentifier():
        return None
    words = set(accepted)
    if "EXAMPLE_LINE" in accepted:
        words |= set(_EXAMPLE_WORDS)
    like = did_you_mean(word, [w for w in words if w.isidentifier() and w.islower()])
    if like is None and "NAME" in accepted and token.type != "NAME":
        return f"'{word}' is a word of the language and cannot be a name here"
    if like is None and "clause" in accepted:
        return "a line that belongs to the part above it is indented by two spaces"
    return like


def _first_word(token: Token) -> str:
    """What to show of a token: an example line may be long."""
    return token.split(None, 1)[0] if token.type == "EXAMPLE_LINE" else token.split("\n", 1)[0]


def _offset(token: Token, place: Place) -> int:
    return len(place.text) if token.type == "$END" or token.start_pos is None else token.start_pos


def _begins_line(token: Token, place: Place) -> bool:
    offset = _offset(token, place)
    return not place.text[place.text.rfind("\n", 0, offset) + 1 : offset].strip()


def _leaves_open(token: Token, place: Place, bracket: int, accepted: Collection[str]) -> bool:
    """Whether an error is due to a bracket that a line above, or the whole text, leaves open."""
    if token.type in ("$END", DEDENT):
        return True
    between = place.text[bracket : _offset(token, place)]
    return bool({")", "]"} & set(accepted)) and "\n" in between and _begins_line(token, place)


def _open_bracket(text: str, start: int, end: int) -> int | None:
    """The offset of the innermost bracket between two offsets that is still open at the second."""
    stack = []
    for match in _BRACKET.finditer(text, start, end):
        if match[0] in "([":
            stack.append(match.start())
        elif match[0] in ")]" and stack:
            stack.pop()
    return stack[-1] if stack else None


def _without_layout(text: str) -> str:
    """The text without the blanks and comments at its end."""
    lines = text.split("\n")
    while len(lines) > 1 and lines[-1].lstrip()[:1] in ("", "#"):
        lines.pop()
    code = re.match(r'(?:"(?:[^"\\]|\\.)*"?|[^"#])*', lines[-1])
    return "\n".join([*lines[:-1], code[0].rstrip() if code else ""])
