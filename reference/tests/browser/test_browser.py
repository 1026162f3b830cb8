"""The site as readers see it, in headless Chromium: `pytest -m browser`, with biriba[browser] and a Chromium.

`BIRIBA_SITE` names a site that is built already (`biriba docs site`); otherwise it is built first, which takes minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import biriba
from biriba import notation
from biriba.cache import cached_ruleset
from biriba.conformance import load_suite, run
from biriba.conformance.page import page as page_of
from biriba.prose.catalogue import BASE, LANGUAGES, load
from biriba.sphinx.site import build_own
from biriba.web.server import make_server
from tests.conformance.seeded import Example

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("default")]

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PAGES = ("index", "rulebook", "quick", "clauses", "clauses/run.shift", "matrix", "glossary", "grammar", "try")
TRANSLATED = [f"{language}/{p}" for language in ("el", "ru") for p in ("index", "rulebook", "clauses/run.shift", "try")]
SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
GRAVE = ("serious", "critical")
MOST_STEPS = 400


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if built := os.environ.get("BIRIBA_SITE"):
        return Path(built)
    return build_own(tmp_path_factory.mktemp("site"), tuple(LANGUAGES)).parent


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The site, served with the page to try the rules."""
    with make_server(("biriba",), 0, site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs biriba[browser]")
    with playwright.sync_playwright() as running:
        path = CHROMIUM or running.chromium.executable_path
        if not Path(path).is_file():
            pytest.skip("there is no Chromium on this machine")
        found = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def tab_of(browser: Any, screen: str = "desktop", **settings: Any) -> Iterator[Any]:
    width, height = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height}, **settings)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("page", [*PAGES, *TRANSLATED])
def test_no_serious_barrier(browser: Any, address: str, page: str, screen: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs biriba[browser]").Axe()
    with tab_of(browser, screen, color_scheme=scheme) as tab:
        tab.goto(f"{address}/{page}.html", wait_until="networkidle")
        found = [v for v in axe.run(tab).response["violations"] if v["impact"] in GRAVE]
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found] == []
    assert wide <= 0, "the page scrolls sideways"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_report_of_a_conformance_run_has_no_barrier_and_fits(
    browser: Any, tmp_path: Path, screen: str, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs biriba[browser]").Axe()
    suite = load_suite("biriba")
    report = run(Example("jokers of fifty"), suite, suite.chosen(only=["boundary/*", "game/*"]))
    path = tmp_path / "report.html"
    path.write_text(page_of(report, suite), encoding="utf-8")
    with tab_of(browser, screen, color_scheme=scheme) as tab:
        tab.goto(path.as_uri())
        found = [v for v in axe.run(tab).response["violations"] if v["impact"] in GRAVE]
        wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        tab.fill("input[type=search]", "value-joker-20")
        left = tab.locator("section.failure:visible").count()
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found] == []
    assert wide <= 0, "the page scrolls sideways"
    assert left == 1


def test_nothing_is_asked_of_others(browser: Any, address: str, site: Path) -> None:
    asked: set[str] = set()
    with tab_of(browser) as tab:
        tab.on("request", lambda request: asked.add(request.url))
        for page in (*PAGES, "search", "el/try"):
            tab.goto(f"{address}/{page}.html", wait_until="networkidle")
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link|iframe|source)\b[^>]*?(?:src|href)="(?:https?:)?//[^"]*"', text)
        assert loaded == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_quick_reference_is_one_sheet(browser: Any, address: str, language: str) -> None:
    with tab_of(browser) as tab:
        tab.goto(f"{address}/{place(language)}quick.html", wait_until="networkidle")
        printed = tab.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "8mm"))
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1


def place(language: str) -> str:
    return "" if language == BASE else f"{language}/"


def test_a_page_leads_to_itself_in_other_languages_without_a_server(browser: Any, site: Path) -> None:
    """Offline, from file to file, with the keyboard: English, Greek, Russian, and back."""
    with tab_of(browser) as tab:
        tab.goto((site / "clauses" / "run.shift.html").as_uri())
        for language in ("el", "ru", "en"):
            link = f".biriba-languages a[hreflang={language}]"
            reach(tab, link)
            with tab.expect_navigation():
                tab.keyboard.press("Enter")
            assert tab.url == (site / place(language) / "clauses" / "run.shift.html").as_uri()
            assert tab.evaluate("document.documentElement.lang") == language
            assert tab.locator(".biriba-languages [aria-current]").inner_text() == LANGUAGES[language]


# ---------------------------------------------------------------- the page to try the rules, by keyboard alone


def reach(tab: Any, selector: str) -> None:
    """Press Tab until something has the focus."""
    wanted = tab.locator(selector).first
    wanted.wait_for()
    for _ in range(MOST_STEPS):
        if wanted.evaluate("node => node === document.activeElement"):
            return
        tab.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {selector}")


def write(tab: Any, selector: str, text: str) -> None:
    reach(tab, selector)
    tab.keyboard.press("Control+A")
    tab.keyboard.insert_text(text)


def press(tab: Any, selector: str, key: str = "Enter") -> None:
    reach(tab, selector)
    tab.keyboard.press(key)


def panel(tab: Any, name: str) -> None:
    """Choose a panel as one chooses tabs: with the arrows."""
    reach(tab, "#biriba-try [role=tab][aria-selected=true]")
    for _ in range(3):
        if tab.locator(f"#biriba-try [data-panel={name}]").get_attribute("aria-selected") == "true":
            return
        tab.keyboard.press("ArrowRight")
    pytest.fail(f"the arrows do not lead to the panel {name}")


@pytest.fixture(params=SCREENS)
def trying(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    with tab_of(browser, request.param) as tab:
        tab.goto(f"{address}/try.html", wait_until="networkidle")
        yield tab


def test_a_meld_is_written_and_judged(trying: Any) -> None:
    write(trying, "#try-panel input[type=text]", "3H 4H JK 6H")
    trying.wait_for_selector("#biriba-try .try-verdict.good")
    write(trying, "#try-panel input[type=text]", "3H JK JK")
    trying.wait_for_selector("#biriba-try .try-verdict.bad")
    assert "meld.one_wild" in trying.locator("#biriba-try").inner_text()


def test_a_meld_is_laid_card_by_card(trying: Any) -> None:
    for card in ("3H", "4H", "5H"):
        press(trying, f"#try-panel [data-card='{card}']")
    trying.wait_for_selector("#biriba-try .try-verdict.good")
    press(trying, ".try-chosen button >> nth=0")
    trying.wait_for_selector("#biriba-try .try-verdict.bad")


def test_a_deal_is_played_and_an_illegal_action_refused(trying: Any) -> None:
    panel(trying, "deal")
    trying.wait_for_selector(".try-actions button")
    press(trying, ".try-actions button >> text=draw", " ")
    trying.wait_for_selector(".try-verdict.good")
    write(trying, "#try-panel form input[type=text]", "draw")
    trying.keyboard.press("Enter")
    trying.wait_for_selector(".try-verdict.bad")
    assert "turn.draw" in trying.locator(".try-verdict").inner_text()
    trying.keyboard.press("Shift+Tab")


def test_a_position_is_set_up_and_scored(trying: Any) -> None:
    panel(trying, "deal")
    trying.wait_for_selector(".try-actions button")
    press(trying, "#try-panel summary >> nth=1")
    write(trying, "#try-panel textarea", "melds X [3H 4H 5H 6H 7H 8H 9H]; hand A 9S KS; turn A play")
    press(trying, "#try-panel details >> nth=1 >> button")
    trying.wait_for_selector(".biriba-row svg >> nth=1")
    press(trying, "#try-panel summary >> nth=0")
    table = trying.locator(".try-sheets table").first
    table.wait_for(state="visible")
    assert "score.run" in table.inner_text()
    assert "200" in table.inner_text()


def test_a_game_is_gone_through_step_by_step(trying: Any) -> None:
    game = biriba.load("biriba").deal(seed=3)
    for _ in range(6):
        game.apply(game.legal()[0])
    panel(trying, "record")
    write(trying, "#try-panel textarea", game.record())
    press(trying, "#try-panel .try-line button >> nth=0")
    trying.wait_for_selector(".try-verdict.good")
    trying.wait_for_selector("#try-panel .try-line span:has-text('1 of 7')")
    press(trying, "#try-panel button[aria-label='Step on']")
    trying.wait_for_selector("#try-panel .try-line span:has-text('2 of 7')")
    reach(trying, "#try-panel input[type=range]")
    trying.keyboard.press("End")
    trying.wait_for_selector("#try-panel .try-line span:has-text('7 of 7')")
    assert trying.locator("#try-panel .biriba-row").count() > 4


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != BASE])
def test_the_page_to_try_the_rules_speaks_the_language_of_the_site(browser: Any, address: str, language: str) -> None:
    words = load(language)
    with tab_of(browser) as tab:
        tab.goto(f"{address}/{language}/try.html", wait_until="networkidle")
        tabs = tab.locator("#biriba-try [role=tab]").all_inner_texts()
        assert tabs == [words.label(name) for name in ("A meld", "A deal", "A record")]
        tab.locator("#try-panel input[type=text]").fill("3H JK 5H JK")
        tab.wait_for_selector(".try-verdict.bad")
        rules = words.spoken(cached_ruleset("biriba"))
        told = rules.judge_meld(notation.parse_meld(rules.ruleset, "3H JK 5H JK")).rejections
        assert [r.clause for r in told] == ["meld.one_wild"]
        assert told[0].sentence in tab.locator("#biriba-try").inner_text()


def test_alone_the_page_offers_its_languages(browser: Any) -> None:
    with make_server(("biriba",), 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tab_of(browser) as tab:
            tab.goto(f"http://127.0.0.1:{server.server_address[1]}/", wait_until="networkidle")
            tab.locator("select").last.select_option("el")
            tab.wait_for_url("**/?lang=el")
            tab.wait_for_selector(f"html[lang=el] h1:has-text('{load('el').label('Try the rules')}')")
        server.shutdown()
