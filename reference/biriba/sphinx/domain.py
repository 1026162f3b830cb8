"""The Sphinx domain `biriba`: where each clause is described, and references to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, cast

from docutils import nodes
from sphinx.domains import Domain, ObjType
from sphinx.errors import ExtensionError
from sphinx.locale import _, __
from sphinx.roles import XRefRole
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

from biriba.sphinx.directives import DIRECTIVES
from biriba.sphinx.library import library, retired_ids
from biriba.sphinx.roles import ROLES

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)
Place = tuple[str, str]
"""A page and the anchor on it."""


class RulesDomain(Domain):
    """Rules of games: a clause is described in one place, and referred to everywhere."""

    name = "biriba"
    label = _("Biriba rules")
    object_types: ClassVar = {"rule": ObjType(_("clause"), "rule", "ref"), "atomic": ObjType("atomic rule", "atomic")}
    directives: ClassVar = DIRECTIVES
    roles: ClassVar = {"rule": XRefRole(warn_dangling=True), "atomic": XRefRole(warn_dangling=True), **ROLES}
    initial_data: ClassVar = {"rules": {}, "atomic": {}, "progress": {}}
    data_version = 3

    @property
    def described(self) -> dict[tuple[str, str], list[Place]]:
        """For each rule set and clause the places where it is described."""
        found: dict[tuple[str, str], list[Place]] = self.data["rules"]
        return found

    def note(self, ruleset: str, clause: str, docname: str, anchor: str) -> None:
        """A page describes a clause."""
        self.described.setdefault((ruleset, clause), []).append((docname, anchor))

    def note_atomic(self, id_: str, docname: str, anchor: str) -> None:
        """A page lists an atomic rule of the sources."""
        self.data["atomic"][id_] = (docname, anchor)

    def note_progress(self, docname: str, translated: int, total: int) -> None:
        """So many texts of a page are translated, of those that are written by hand."""
        self.data["progress"][docname] = (translated, total)

    def progress(self, docname: str | None = None) -> tuple[int, int]:
        """How many texts are translated, and of how many: of a page, or of the whole site."""
        found: dict[str, tuple[int, int]] = self.data["progress"]
        chosen = [found.get(docname, (0, 0))] if docname is not None else list(found.values())
        return sum(translated for translated, _ in chosen), sum(total for _, total in chosen)

    def place(self, ruleset: str, clause: str) -> Place | None:
        """Where a clause is described: in that rule set, or in the main one, or what has taken the place of it."""
        for name in (ruleset, library(self.env.app).main.name):
            if places := self.described.get((name, clause)):
                return places[0]
        renamed = retired_ids(self.env.app).get(clause)
        return None if renamed is None else self.place(ruleset, renamed)

    def clear_doc(self, docname: str) -> None:
        self.data["progress"].pop(docname, None)
        self.data["atomic"] = {id_: at for id_, at in self.data["atomic"].items() if at[0] != docname}
        for key, places in list(self.described.items()):
            left = [place for place in places if place[0] != docname]
            if left:
                self.described[key] = left
            else:
                del self.described[key]

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        self.data["progress"] |= {name: at for name, at in otherdata["progress"].items() if name in docnames}
        self.data["atomic"] |= {id_: at for id_, at in otherdata["atomic"].items() if at[0] in docnames}
        for (ruleset, clause), places in otherdata["rules"].items():
            for docname, anchor in places:
                if docname in docnames:
                    self.note(ruleset, clause, docname, anchor)

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: pending_xref,
        contnode: nodes.Element,
    ) -> nodes.reference | None:
        ruleset, _, clause = target.rpartition(":")
        place = self.data["atomic"].get(target) if typ == "atomic" else self.place(ruleset, clause)
        if place is None and typ == "atomic" and not node.get("refwarn"):
            return cast(nodes.reference, contnode)  # no page lists the rules of the sources: the id stands alone
        if place is None:
            return None
        return make_refnode(builder, fromdocname, place[0], place[1], contnode, clause)

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: pending_xref,
        contnode: nodes.Element,
    ) -> list[tuple[str, nodes.reference]]:
        found = self.resolve_xref(env, fromdocname, builder, "rule", target, node, contnode)
        return [] if found is None else [("biriba:rule", found)]

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        for (ruleset, clause), places in self.described.items():
            name = clause if ruleset == library(self.env.app).main.name else f"{ruleset}:{clause}"
            yield name, clause, "rule", places[0][0], places[0][1], 1

    def check_consistency(self) -> None:
        """Every clause of a rule set with pages is described once, on a page that readers can reach."""
        for fault in self.faults():
            logger.warning(fault, type="biriba", subtype="splice")

    def faults(self) -> Iterator[str]:
        """What is wrong with the places where clauses are described."""
        reached = {page for pages in self.env.toctree_includes.values() for page in pages}
        for name in self.env.config.biriba_complete:
            book = library(self.env.app).book(name)
            for clause in book.ruleset.clauses:
                places = self.described.get((book.name, clause), [])
                pages = ", ".join(page for page, _ in places)
                if not places:
                    yield f"clause '{clause}' of '{book.name}' is described on no page: give it a biriba:rule directive"
                elif len(places) > 1:
                    yield f"clause '{clause}' of '{book.name}' is described {len(places)} times: {pages}"
                elif places[0][0] not in reached and places[0][0] != self.env.config.root_doc:
                    yield f"clause '{clause}' of '{book.name}' is in no toctree: add its page '{pages}' to one"


def check_config(app: Sphinx, config: Any) -> None:
    """The main rule set must be there."""
    if not config.biriba_rulesets:
        raise ExtensionError(__("biriba_rulesets names no rule set"))
