"""The Sphinx extension, and sites built with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils
from typer.testing import CliRunner

from biriba.cli.app import app
from biriba.data import spec_dir
from biriba.language.load import load_ruleset
from biriba.prose.chapters import chapters
from biriba.prose.relations import mentions
from biriba.sphinx.site import Order, build

LANTERNS = Path(__file__).parents[1] / "notation" / "lanterns.rules"
TINY = LANTERNS.read_text(encoding="utf-8")

# Some extensions warn of what is to come in Python or docutils; that is not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")


def test_what_cannot_be_built_is_told_before_anything_is_built(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("mine")
    for words, said in (
        (["biriba", "--out", str(taken)], "is a file; --out names the folder"),
        (["biriba", "classic", "biriba", "--out", str(tmp_path / "new")], "biriba is named twice"),
    ):
        result = CliRunner().invoke(app, ["docs", "build", *words])
        assert result.exit_code == 2
        assert said in result.output
    assert list(tmp_path.iterdir()) == [taken]


def make(folder: Path, pages: dict[str, str], rules: str = TINY, **settings: object) -> str:
    """Build a site of some pages and return its warnings."""
    folder.mkdir(exist_ok=True)
    (folder / "tiny.rules").write_text(rules, encoding="utf-8")
    values = {"extensions": ["myst_parser", "biriba.sphinx"], "biriba_rulesets": ["tiny.rules"], "nitpicky": True}
    conf = "\n".join(f"{name} = {value!r}" for name, value in (values | settings).items())
    (folder / "conf.py").write_text(conf, encoding="utf-8")
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    warnings = StringIO()
    with patch_docutils(folder), docutils_namespace():
        Sphinx(folder, folder, folder / "out", folder / "trees", "html", status=None, warning=warnings).build()
    return warnings.getvalue()


def clause_ids() -> list[str]:
    return re.findall(r"^clause (\S+)", TINY, re.MULTILINE)


def index(ids: list[str]) -> str:
    listed = "\n".join(f"clauses/{id_}" for id_ in ids)
    return f"# Index\n\n```{{toctree}}\n{listed}\n```\n"


def test_a_clause_left_out_of_the_toctree_is_named(tmp_path: Path) -> None:
    ids = clause_ids()
    settings = {"biriba_clause_pages": "clauses", "biriba_complete": ["tiny.rules"]}
    assert make(tmp_path / "all", {"index": index(ids)}, **settings) == ""
    warnings = make(tmp_path / "some", {"index": index(ids[1:])}, **settings)
    assert f"clause '{ids[0]}' of 'lanterns' is in no toctree" in warnings


def test_a_clause_that_is_described_twice_is_named(tmp_path: Path) -> None:
    ids = clause_ids()
    rules = "\n".join(f"```{{biriba:rule}} {id_}\n```\n" for id_ in [*ids, ids[0]])
    warnings = make(tmp_path, {"index": f"# All\n\n{rules}"}, biriba_complete=["tiny.rules"])
    assert f"clause '{ids[0]}' of 'lanterns' is described 2 times: index, index" in warnings


def test_a_clause_that_is_described_nowhere_is_named(tmp_path: Path) -> None:
    warnings = make(tmp_path, {"index": "# Nothing\n"}, biriba_complete=["tiny.rules"])
    assert all(f"clause '{id_}' of 'lanterns' is described on no page" in warnings for id_ in clause_ids())


def test_a_reference_to_no_clause_is_named(tmp_path: Path) -> None:
    assert "no.such" in make(tmp_path, {"index": "# Index\n\nSee {biriba:rule}`no.such`.\n"})


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```{biriba:rule} no.such\n```\n", "there is no clause 'no.such'"),
        ("```{biriba:meld} 3Q\n```\n", "there is no card"),
        ("```{biriba:position}\ntray Z 3\n```\n", "whose tray"),
        ("{biriba:param}`no_such`", "there is no parameter 'no_such'"),
        ("```{biriba:rulebook} no-such\n```\n", "there is no rule set 'no-such'"),
        ("```{biriba:state-diagram} sideways\n```\n", "a state diagram is of the 'turn' or of the 'deal'"),
    ],
)
def test_a_faulty_directive_is_a_warning_at_its_place(tmp_path: Path, text: str, fault: str) -> None:
    warnings = make(tmp_path, {"index": f"# Index\n\n{text}\n"})
    assert "index.md:3" in warnings
    assert fault in warnings


def test_an_example_that_does_not_hold_is_not_drawn_as_if_it_did(tmp_path: Path) -> None:
    """A changed number may make the file's own examples wrong: then the build names them."""
    canonical = (spec_dir() / "biriba.rules").read_text(encoding="utf-8")
    changed = re.sub(r"^(parameter max_run += )13", r"\g<1>14", canonical, flags=re.MULTILINE)
    warnings = make(tmp_path, {"index": "# Index\n\n```{biriba:rulebook}\n```\n"}, rules=changed)
    assert "does not hold" in warnings
    assert "run.max_size" in warnings


def test_an_inherited_example_that_does_not_hold_is_left_out(tmp_path: Path) -> None:
    child = 'ruleset child "A child" extends biriba\n\nset max_run = 14\n'
    assert make(tmp_path, {"index": "# Index\n\n```{biriba:rulebook}\n```\n"}, rules=child) == ""
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "thirteen, never fourteen" not in page
    assert "identical copies are allowed" in page


def test_what_tools_found_out_stands_on_the_pages(tmp_path: Path) -> None:
    first = clause_ids()[0]
    (tmp_path / "proofs.json").write_text(f'{{"title": "Proofs", "clauses": {{"{first}": ["It always holds."]}}}}')
    page = f"# Index\n\n```{{biriba:rule}} {first}\n```\n"
    assert make(tmp_path, {"index": page}, biriba_evidence=["proofs.json"]) == ""
    assert "It always holds." in (tmp_path / "out/index.html").read_text(encoding="utf-8")


def test_a_retired_id_leads_to_its_successor(tmp_path: Path) -> None:
    first = clause_ids()[0]
    settings = {"biriba_clause_pages": "clauses", "biriba_retired": {"old.id": first}}
    pages = {"index": index(clause_ids()) + "\nSee {biriba:rule}`old.id`.\n"}
    assert make(tmp_path, pages, **settings) == ""
    assert f"clauses/{first}.html#{first}" in (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert f"{first}.html#{first}" in (tmp_path / "out/clauses/old.id.html").read_text(encoding="utf-8")


def test_a_changed_number_changes_every_place_that_mentions_it_and_nothing_else(tmp_path: Path) -> None:
    pages = {"index": "# Book\n\n```{biriba:rulebook}\n```\n\n```{biriba:parameters}\n```\n"}
    canonical = (spec_dir() / "biriba.rules").read_text(encoding="utf-8")
    changed = re.sub(r"^(parameter target += )5000", r"\g<1>4999", canonical, flags=re.MULTILINE)
    texts = []
    for i, rules in enumerate((canonical, changed)):
        assert make(tmp_path / str(i), pages, rules=rules) == ""
        texts.append((tmp_path / str(i) / "out/index.html").read_text(encoding="utf-8").splitlines())
    differing = [(a, b) for a, b in zip(*texts, strict=True) if a != b]
    assert [a.count("5000") for a, _ in differing] == [2, 1]
    assert [a.replace("5000", "4999") for a, _ in differing] == [b for _, b in differing]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new"), [("target", 5000, 4321), ("closing_bonus", 100, 175), ("no_packet", 100, 130)]
)
def test_a_changed_number_changes_its_places_on_the_whole_site(tmp_path: Path, name: str, old: int, new: int) -> None:
    """On every page of a site of the canonical rules: the number itself, what is counted with it, and digests."""
    canonical = (spec_dir() / "biriba.rules").read_text(encoding="utf-8")
    changed = re.sub(rf"^(parameter {name} += ){old}\b", rf"\g<1>{new}", canonical, flags=re.MULTILINE)
    assert changed != canonical
    pages: list[dict[str, list[str]]] = []
    for text in (canonical, changed):
        (tmp_path / "biriba.rules").write_text(text, encoding="utf-8")
        build(Order((str(tmp_path / "biriba.rules"),), tmp_path / "site"))
        found = sorted((tmp_path / "site").rglob("*.html"))
        pages.append({f.stem: f.read_text(encoding="utf-8").splitlines() for f in found})
    before, after = pages
    differing = {page for page in before if before[page] != after[page]}
    for page in differing:
        changes = [(a, b) for a, b in zip(before[page], after[page], strict=True) if a != b]
        assert [bare(a) for a, _ in changes] == [bare(b) for _, b in changes]
    rules = load_ruleset(tmp_path / "biriba.rules")
    expected = set(mentions(rules)[name])
    assert expected
    assert expected <= differing
    assert len(differing & set(rules.clauses)) < len(rules.clauses) // 3


def bare(line: str) -> str:
    """A line without numbers and digests."""
    return re.sub(r"\b[0-9a-f]{16}\b|\d+", "#", line)


def test_numbers_stand_where_the_sentence_has_them(tmp_path: Path) -> None:
    page = build(Order(("biriba",), tmp_path, "en", "print")).read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<[^>]*>", "", page).split())
    assert "The pack is 2 ordinary packs of 52 cards and 4 jokers, shuffled together." in text


def test_what_cannot_be_built_is_told_where_it_stands_in_the_rule_file(tmp_path: Path) -> None:
    rules = tmp_path / "tiny.rules"
    rules.write_text(
        'ruleset bad "Bad" extends biriba\n  version "1"\n\n'
        'clause house.bonus\n  "All get {house_gift}."\n  because "{house_gift} is little"\n'
        '  score "house" for side p: house_gift\n'
        '  example "fails"\n    given  hand A KS QS; turn A play\n    play   lay 3H 4H 5H\n\n'
        'parameter house_gift = 5 in 0..9 points "a gift"\n'
    )
    result = CliRunner().invoke(app, ["docs", "build", str(rules), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    told = result.output.splitlines()
    assert told[1].startswith(f"{rules}:4: example 'fails' of clause 'house.bonus' does not hold: play lay 3H 4H 5H")
    assert len(told) == 2
    rules.write_text(rules.read_text().replace("    play   lay 3H 4H 5H\n", "    accept discard KS\n"))
    build(Order((str(rules),), tmp_path / "out"))
    assert "5 is little" in (tmp_path / "out/clauses/house.bonus.html").read_text(encoding="utf-8")


def test_a_rule_file_of_ones_own_becomes_a_site(tmp_path: Path) -> None:
    page = build(Order((str(LANTERNS),), tmp_path / "site"))
    assert page.is_file()
    for id_ in clause_ids():
        assert f'id="{id_}"' in (tmp_path / "site" / "clauses" / f"{id_}.html").read_text(encoding="utf-8")


def test_the_canonical_rules_become_a_site_without_the_sources_beside_them(tmp_path: Path) -> None:
    site = build(Order(("biriba", "guide"), tmp_path, "ru")).parent
    assert "В ряду не больше" in (site / "clauses.html").read_text(encoding="utf-8")
    assert "ни один источник этого не запрещает" in (site / "clauses/discard.wild_may_close.html").read_text("utf-8")
    page = (site / "clauses/meld.biriba.html").read_text(encoding="utf-8")
    vectors = page[page.index("guide/meld.biriba.seven-nines-are-no-biriba") :]
    assert "<svg" in vectors[: vectors.index("</details>")]  # how a variant decides otherwise, as pictures
    assert "guide/meld.biriba.seven-nines" in (site / "rulebooks/guide.html").read_text(encoding="utf-8")


def test_a_site_is_built_the_same_twice_and_asks_nobody_outside(tmp_path: Path) -> None:
    trees = []
    for name in ("one", "two"):
        build(Order((str(LANTERNS),), tmp_path / name))
        trees.append({p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name).rglob("*.*")})
    assert trees[0] == trees[1]
    for path, data in trees[0].items():
        if path.suffix in (".html", ".css"):
            text = data.decode("utf-8")
            assert not re.search(r'(?:src|href)="https?://(?!www\.sphinx-doc|github\.com|pradyunsg)', text), path
            assert "@import" not in text, path


@pytest.mark.slow
def test_the_whole_site_is_the_same_wherever_and_whenever_it_is_built(tmp_path: Path) -> None:
    """Two copies of the checkout in folders of other names, two processes that hash otherwise, in two time zones."""
    root = spec_dir().parent
    built = []
    for name, zone in (("one", "UTC"), ("elsewhere/two", "Asia/Tokyo")):
        for part in ("conformance", "docs", "grammar", "reference/biriba", "spec"):
            left_out = shutil.ignore_patterns("_build", "clauses", "rulebooks", "__pycache__", "*.mo")
            shutil.copytree(root / part, tmp_path / name / part, ignore=left_out)
        command = [sys.executable, "-m", "biriba", "docs", "site", "--lang", "en", "--lang", "el", "--out", "site"]
        settings = {"PYTHONPATH": "reference", "PYTHONHASHSEED": str(len(built) + 1), "TZ": zone}
        subprocess.run(command, cwd=tmp_path / name, env=os.environ | settings, check=True)
        site = tmp_path / name / "site"
        built.append({p.relative_to(site): p.read_bytes() for p in site.rglob("*") if p.is_file()})
    assert built[0].keys() == built[1].keys()
    assert [path for path in built[0] if built[0][path] != built[1][path]] == []


def test_a_print_has_every_sentence_on_one_page(tmp_path: Path) -> None:
    page = build(Order(("biriba",), tmp_path, "fr", "print")).read_text(encoding="utf-8")
    assert "La pioche est face cachée." in page
    assert page.count('<svg class="biriba-cards"') > 20
    from biriba.cache import cached_ruleset

    assert all(f"chapter-{chapter.slug}" in page for chapter in chapters(cached_ruleset("biriba")))
