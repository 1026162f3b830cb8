"""Translations of what a rule set says: gettext catalogues with its sentences, headings and names.

`spec/translations/LANGUAGE.po` holds a catalogue. The context of a message is the id of a clause, or says
what kind of text it is (``chapter``, ``parameter``, ``suit``, ``rank``, ``card``, ``ui``). A sentence is translated
with its holes: ``{max_run}`` stays as it is, so that one catalogue serves all variants.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from biriba.data import conformance_dir, spec_dir
from biriba.interpreter.rules import Rules
from biriba.model.ruleset import Clause, Face, Prose, Ruleset
from biriba.prose.cards import ENGLISH, Speech
from biriba.prose.chapters import chapters
from biriba.prose.glossary import terms
from biriba.prose.labels import LABELS
from biriba.prose.sentences import Piece, holes, miscounted, pieces, plain, template, worded

LANGUAGES = {"en": "English", "el": "Ελληνικά", "ru": "Русский", "fr": "Français", "pt": "Português"}
"""The languages that the published rules offer; the rules themselves are in the first."""
BASE = "en"
_HEADER = """\
# The rules of Biriba: {name}.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


@dataclass(frozen=True, slots=True)
class Message:
    """A text to translate, in its context."""

    context: str
    text: str


def messages(rules: Ruleset) -> Iterator[Message]:
    """Everything that is said of a rule set, each message once."""
    found = [Message("title", rules.title)]
    found += [Message("chapter", chapter.title) for chapter in chapters(rules)]
    found += [Message(clause.id, template(rules, clause.prose)) for clause in rules.clauses.values()]
    found += [Message("says", template(rules, clause.says)) for clause in rules.clauses.values() if clause.says]
    found += [Message("ruling", template(rules, clause.because)) for clause in rules.clauses.values() if clause.because]
    found += [Message("parameter", parameter.text) for parameter in rules.parameters.values() if parameter.text]
    found += [Message("unit", parameter.unit) for parameter in rules.parameters.values() if parameter.unit]
    options = [option for parameter in rules.parameters.values() for option in parameter.options]
    found += [Message("option", option.replace("_", " ")) for option in options]
    found += [Message("suit", suit.name) for suit in rules.cards.suits]
    found += [Message("rank", rank.name) for rank in rules.cards.ranks]
    found += [Message("card", face.name) for face in rules.cards.faces if face.rank is None]
    found += [Message("example", example.title) for example in rules.examples()]
    found += [Message("example", title) for title in _vector_titles().get(rules.name, ())]
    found += [Message("score", line.label) for line in rules.score]
    found += [Message("zone", name) for name in rules.zones]
    found += [Message("phase", name) for name in rules.phases]
    found += [Message("state", name.replace("_", " ")) for name in rules.states]
    found += [Message("template", name) for name in rules.templates]
    found += [Message("property", text) for name in _properties(rules) for text in (name, f"not {name}")]
    found += [Message("term", term.meaning) for term in terms()]
    found += [Message("ui", label) for label in LABELS]
    yield from dict.fromkeys(found)


@cache
def _vector_titles() -> Mapping[str, list[str]]:
    """For each rule set the titles of the vectors that come with biriba.

    Those that name a clause are made by a program from the rules, and stay as they are.
    """
    found: dict[str, list[str]] = {}
    for path in sorted((conformance_dir() / "vectors").rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if any(clause in document["title"] for clause in document["clauses"]):
            continue
        for named in document["rulesets"]:
            found.setdefault(named["name"], []).append(document["title"])
    return found


def _properties(rules: Ruleset) -> list[str]:
    """What the rules call a meld: ``biriba``, ``clean``."""
    found = [d.name for d in rules.definitions.values() if [type_.kind for _, type_ in d.params] == ["meld"]]
    return [name.replace("_", " ") for name in found]


@dataclass(slots=True)
class Catalogue:
    """The translations into one language.

    Attributes:
        missed: what was asked for and is not there.
    """

    language: str
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    missed: set[Message] = field(default_factory=set)

    def get(self, context: str, text: str) -> str | None:
        """The translation of a message, None if there is none: then the text is shown as it is, and counted."""
        if self.language == BASE:
            return text
        found = self.texts.get((context, text))
        if found is None:
            self.missed.add(Message(context, text))
        return found

    def label(self, text: str) -> str:
        """A heading or label of the page, translated where possible; anything else, as a number, as it is."""
        return self.get("ui", text) or text if text in LABELS else text

    def name(self, context: str, text: str) -> str:
        """A name of a card, unit or chapter, translated where possible."""
        return self.get(context, text) or text

    def speech(self, rules: Ruleset) -> Speech:
        """How pictures are read aloud in this language."""
        if self.language == BASE:
            return ENGLISH

        def card(face: Face) -> str:
            if face.rank is None or face.suit is None:
                return self.name("card", face.name)
            rank, suit = rules.cards.ranks[face.rank].name, rules.cards.suits[face.suit].name
            return self.label("{rank} of {suit}").format(rank=self.name("rank", rank), suit=self.name("suit", suit))

        return Speech(self.label, card, lambda rank: self.name("rank", rank.name))

    def word(self, context: str, text: str) -> str:
        """A label or a name."""
        return self.label(text) if context == "ui" else self.name(context, text)

    def marked(self, context: str, text: str) -> str:
        """A text that stands for itself; one that is not translated says so."""
        return self.get(context, text) or f"{text} [{BASE}]"

    def spoken(self, ruleset: Ruleset) -> Rules:
        """The rules, saying in this language what they say of actions and melds; what is not translated is marked."""
        if self.language == BASE:
            return Rules(ruleset)

        def prose(context: str, said: Prose) -> Prose:
            text = self.get(context, template(ruleset, said))
            return Prose((*said.parts, f" [{BASE}]")) if text is None else worded(ruleset, said, text, self.language)

        clauses = {
            id_: replace(clause, prose=prose(id_, clause.prose), says=clause.says and prose("says", clause.says))
            for id_, clause in ruleset.clauses.items()
        }
        return Rules(replace(ruleset, clauses=clauses), self.word)

    def reason(self, rules: Ruleset, clause: Clause) -> str:
        """Why a clause is a ruling, empty if it is none; what is not translated says so."""
        if clause.because is None:
            return ""
        text = self.get("ruling", template(rules, clause.because))
        if text is None:
            return f"{plain(rules, clause.because)} [{BASE}]"
        own = self.language == BASE
        return plain(rules, clause.because if own else worded(rules, clause.because, text, self.language))

    def sentence(self, rules: Ruleset, clause: Clause) -> tuple[tuple[Piece, ...], bool]:
        """A clause's sentence, and whether it is in this language (else it is in the rules' own)."""
        text = self.get(clause.id, template(rules, clause.prose))
        if text is None:
            return tuple(pieces(rules, clause.prose)), False
        if self.language == BASE:
            return tuple(pieces(rules, clause.prose)), True
        return tuple(pieces(rules, worded(rules, clause.prose, text, self.language))), True


def load(language: str, folder: Path | None = None) -> Catalogue:
    """The catalogue of a language; empty if there is none.

    Args:
        folder: where others lie than those that come with biriba; what they lack is taken from these.
    """
    language = language.partition("_")[0]
    if language == BASE:
        return Catalogue(language)
    found: dict[tuple[str, str], str] = {}
    for place in dict.fromkeys((spec_dir() / "translations", folder or spec_dir() / "translations")):
        found |= _texts(place / f"{language}.po", language)
    return Catalogue(language, found)


def _texts(path: Path, language: str) -> dict[tuple[str, str], str]:
    if not path.is_file():
        return {}
    found = {}
    for message in _read(path, language):
        if message.id and message.string and not message.fuzzy:
            found[message.context or "", str(message.id)] = str(message.string)
    return found


def faults(rules: Ruleset, catalogue: Catalogue) -> list[str]:
    """Translations whose holes are not those of the text, or whose counted words lack a form of the language."""
    found = []
    for message in messages(rules):
        text = catalogue.texts.get((message.context, message.text))
        found += [
            f"{catalogue.language}: {message.context}: '{inside}' has not as many words as it needs"
            for inside in miscounted(catalogue.language, text or "")
        ]
        if text is not None and sorted(set(holes(text))) != sorted(set(holes(message.text))):
            found.append(f"{catalogue.language}: {message.context}: {holes(text)} in place of {holes(message.text)}")
    return found


def missing(rules: Ruleset, catalogue: Catalogue) -> list[Message]:
    """The messages that a catalogue does not translate."""
    return [m for m in messages(rules) if (m.context, m.text) not in catalogue.texts]


def write_template(rule_sets: list[Ruleset], language: str, path: Path) -> int:
    """Bring a catalogue up to date with the rules: new messages empty, those no longer needed left out.

    Returns: how many messages are not translated.
    """
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    known = load(language, path.parent).texts
    fresh: Any = Catalog(locale=language)
    empty = 0
    for message in dict.fromkeys(m for rules in rule_sets for m in messages(rules)):
        text = known.get((message.context, message.text), "")
        empty += not text
        fresh.add(message.text, text, context=message.context)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        # A header without dates: a catalogue changes only when its texts do.
        file.write(_HEADER.format(name=LANGUAGES.get(language, language), language=language).encode())
        write_po(file, fresh, width=100, omit_header=True)
    return empty


def _read(path: Path, language: str) -> Any:
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        return read_po(file, locale=language)
