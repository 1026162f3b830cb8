"""Colours for rule files."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace

_DECLARING = """
ruleset extends version source language parameter set clause replace drop part cites covers because says suits ranks
places deck wild value seats sides play zone state template natural substitute grow phases deal after action require
ensure before then invariant fact define score match follows example given accept reject expect meld with
"""
_WORDS = """
and or not implies if else every some no yes none is in of from to by at where when for each old may on sum count
greatest smallest move top all lay go turn goes end shuffle cut repeat times first last empty
"""


class RulesLexer(RegexLexer):
    """Tokens of the rule language."""

    name = "Biriba rules"
    aliases: ClassVar = ["biriba", "rules"]
    filenames: ClassVar = ["*.rules"]
    tokens: ClassVar = {
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"(clause)(\s+)([a-z][\w.]*)", bygroups(Keyword.Declaration, Whitespace, Name.Class)),  # type: ignore[no-untyped-call]
            (r"§[\w.]+|[A-Z]+-\d[\d.a-z]*", Name.Label),
            (words(tuple(_DECLARING.split()), prefix=r"(?<![\w.])", suffix=r"\b(?![.\w])"), Keyword),
            (words(tuple(_WORDS.split()), prefix=r"(?<![\w.])", suffix=r"\b(?![.\w])"), Keyword.Pseudo),
            (r"\d+[A-Z]+|[A-Z]+\b", Name.Constant),
            (r"\d+", Number),
            (r"[A-Za-z_][\w.]*", Name),
            (r":=|[-+*=<>!|:;,.()\[\]{}/]+", Operator),
            (r"\s+", Whitespace),
        ]
    }
