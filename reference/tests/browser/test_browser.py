"""The site as readers see it, in headless Chromium: `pytest -m browser`, with biriba[browser] and a Chromium.

`BIRIBA_SITE` names a site that is built already; otherwise it is built first, which takes a minute or two.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biriba.web.server import make_server

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("default")]

DOCS = Path(__file__).parents[3] / "docs"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PAGES = ("index", "rulebook", "quick", "clauses", "clauses/run.shift", "matrix", "glossary", "grammar", "try")
SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
GRAVE = ("serious", "critical")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if built := os.environ.get("BIRIBA_SITE"):
        return Path(built)
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", str(DOCS), str(folder)], check=True)
    return folder


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
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("page", PAGES)
def test_no_serious_barrier(browser: Any, address: str, page: str, screen: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs biriba[browser]").Axe()
    width, height = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    tab = context.new_page()
    tab.goto(f"{address}/{page}.html", wait_until="networkidle")
    found = [v for v in axe.run(tab).response["violations"] if v["impact"] in GRAVE]
    wide = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    context.close()
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found] == []
    assert wide <= 0, "the page scrolls sideways"


def test_nothing_is_asked_of_others(browser: Any, address: str, site: Path) -> None:
    asked: set[str] = set()
    context = browser.new_context()
    tab = context.new_page()
    tab.on("request", lambda request: asked.add(request.url))
    for page in (*PAGES, "search"):
        tab.goto(f"{address}/{page}.html", wait_until="networkidle")
    context.close()
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link|iframe|source)\b[^>]*?(?:src|href)="(?:https?:)?//[^"]*"', text)
        assert loaded == [], path


def test_the_quick_reference_is_one_sheet(browser: Any, address: str) -> None:
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{address}/quick.html", wait_until="networkidle")
    printed = tab.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "8mm"))
    context.close()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1


def test_the_rules_are_tried_with_the_keyboard_alone(browser: Any, address: str) -> None:
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{address}/try.html", wait_until="networkidle")
    cards = tab.locator("#biriba-try input[aria-label='Cards']")
    for _ in range(400):
        tab.keyboard.press("Tab")
        if cards.evaluate("node => node === document.activeElement"):
            break
    else:
        pytest.fail("Tab does not lead to the cards")
    tab.keyboard.type("3H 4H JK 6H")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#biriba-try .try-verdict.good")
    tab.keyboard.press("Control+A")
    tab.keyboard.type("3H JK JK")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("#biriba-try .try-verdict.bad")
    assert "meld.one_wild" in tab.locator("#biriba-try").inner_text()
    context.close()
