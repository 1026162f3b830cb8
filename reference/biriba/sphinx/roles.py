"""Roles: a parameter's value, cards and melds inside a sentence."""

from __future__ import annotations

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from biriba.model.ruleset import Ruleset
from biriba.notation import NotationError, parse_cards, parse_meld
from biriba.prose.cards import Shown, fan, meld_cards, signs
from biriba.prose.expressions import parameter_text
from biriba.sphinx.library import library
from biriba.sphinx.nodes import make_picture

Result = tuple[list[nodes.Node], list[nodes.system_message]]


class _Role(SphinxRole):
    def fault(self, text: str) -> Result:
        message = self.inliner.reporter.warning(text, line=self.lineno)
        return [nodes.problematic(self.rawtext, self.rawtext)], [message]

    def drawn(self, rules: Ruleset, shown: tuple[Shown, ...]) -> str:
        speech = library(self.env.app).catalogue(self.config.language or "en").speech(rules)
        return fan(rules, shown, speech=speech)


class ParameterRole(_Role):
    """The value of a parameter of the main rule set, or of ``ruleset:parameter``."""

    def run(self) -> Result:
        name, _, parameter = self.text.rpartition(":")
        book = library(self.env.app).book(name or None)
        if parameter not in book.ruleset.parameters:
            return self.fault(f"there is no parameter '{parameter}' in '{book.name}'")
        for file in book.files:
            self.env.note_dependency(file)
        text = parameter_text(book.ruleset, parameter).replace("_", " ")
        return [nodes.inline("", text, classes=["biriba-value"], title=parameter)], []


class CardsRole(_Role):
    """Cards side by side."""

    def run(self) -> Result:
        rules = library(self.env.app).main.ruleset
        try:
            shown = tuple(Shown(card) for card in parse_cards(rules, self.text))
        except NotationError as error:
            return self.fault(str(error))
        return [make_picture(f'<span class="biriba-inline">{self.drawn(rules, shown)}</span>', signs(rules, shown))], []


class MeldRole(_Role):
    """A meld, its wild cards marked with what they stand for."""

    def run(self) -> Result:
        rules = library(self.env.app).main.ruleset
        try:
            shown = meld_cards(rules, parse_meld(rules, self.text))
        except NotationError as error:
            return self.fault(str(error))
        return [make_picture(f'<span class="biriba-inline">{self.drawn(rules, shown)}</span>', signs(rules, shown))], []


ROLES: dict[str, SphinxRole] = {"param": ParameterRole(), "cards": CardsRole(), "meld": MeldRole()}
