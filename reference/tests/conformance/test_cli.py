"""The commands: what they print, what they write, and how they end."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from biriba.cli.app import app

FAKES = str(Path(__file__).with_name("fakes.py"))


def biriba(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def fake(name: str) -> tuple[str, ...]:
    return ("--", sys.executable, "-S", FAKES, name)


def test_reports_of_all_kinds(tmp_path: Path) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "junit", "html", "badge")}
    options = [word for kind, path in files.items() for word in (f"--{kind}", path)]
    result = biriba("conform", "--only", "meld/*", *options, *fake("always_no"))
    assert result.exit_code == 1
    assert "expected" in result.output
    assert "biriba conform --only meld/ace-high -- " in result.output
    assert "meld.run: A run is consecutive cards" in result.output
    report = json.loads(files["json"].read_text())
    counts = report["counts"]
    assert counts["vectors"] == sum(n for name, n in counts.items() if name != "vectors")
    assert f"{counts['passed']}/{counts['vectors']} passed" in result.output
    root = ET.parse(files["junit"]).getroot()
    assert int(root.attrib["failures"]) == counts["failed"] == len(root.findall(".//failure"))
    page = files["html"].read_text()
    assert "http" not in page.replace("http-equiv", "").split("<body>")[0]
    assert 'class="card red"' in page
    assert page.count("<section") == page.count("</section>") == counts["failed"] + counts["errored"]
    assert f"{counts['passed']}/{counts['vectors']}" in files["badge"].read_text()


def test_a_claim_is_written_and_verified(tmp_path: Path) -> None:
    claim = tmp_path / "claim.json"
    assert biriba("conform", "--claim", claim, *fake("always_no")).exit_code == 1
    verified = biriba("conform", "verify", claim)
    assert verified.exit_code == 0, verified.output
    assert "borne out: " in verified.output
    document = json.loads(claim.read_text())
    document["counts"]["passed"] += 1
    claim.write_text(json.dumps(document))
    refuted = biriba("conform", "verify", claim)
    assert refuted.exit_code == 1
    assert "not borne out: counts passed: claimed " in refuted.output
    assert biriba("conform", "--only", "meld/*", "--claim", claim, *fake("always_no")).exit_code == 2


def test_compare(tmp_path: Path) -> None:
    files = []
    for name in ("always_yes", "always_no"):
        files.append(tmp_path / f"{name}.json")
        biriba("conform", "--level", "melds", "--json", files[-1], *fake(name))
    result = biriba("conform", "compare", *files)
    assert result.exit_code == 0
    assert "always_yes" in result.output
    assert "✗" in result.output
    assert json.loads(biriba("conform", "compare", "--json", *files).output)["implementations"] == [
        "always_yes 1",
        "always_no 1",
    ]
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    refused = biriba("conform", "compare", files[0], wrong)
    assert refused.exit_code == 2
    assert f"{wrong}: $: this is no report" in refused.output.replace("\n", "")


def test_known_failures(tmp_path: Path) -> None:
    listed = tmp_path / "known"
    listed.write_text("meld/ace-high  # not done yet\n\n# nothing\n")
    options = ("--known-failures", listed, "--only", "meld/ace-high")
    assert biriba("conform", *options, *fake("always_no")).exit_code == 1  # nothing has passed
    stale = biriba("conform", *options, "--self")
    assert stale.exit_code == 1
    assert "take it from the list" in stale.output
    listed.write_text("meld/ace-hihg\n")
    wrong = biriba("conform", *options, "--self")
    assert wrong.exit_code == 2
    assert "did you mean" in wrong.output


@pytest.mark.parametrize(
    ("args", "name"), [(("--only", "meld/*"), "skips_cases"), (("--level", "games"), "modest"), ((), "other_rules")]
)
def test_what_was_not_tested_is_no_pass(args: tuple[str, ...], name: str, tmp_path: Path) -> None:
    result = biriba("conform", *args, *fake(name))
    assert result.exit_code == 4
    assert "nothing was tested" in result.output
    if not args:
        assert "nothing to claim" in biriba("conform", "--claim", tmp_path / "claim", *fake(name)).output


def test_smoke_tells_an_adapters_fault() -> None:
    good = biriba("conform", "--smoke", "--self")
    assert good.exit_code == 0, good.output
    bad = biriba("conform", "--smoke", *fake("babbles"))
    assert bad.exit_code == 1
    assert "the fault is in the adapter" in bad.output


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "say what to test"),
        (("--only", "nothing", "--self"), "there is no vector"),
        (("--level", "meld", "--self"), "did you mean"),
        (("--clause", "turn.pas", "--self"), "did you mean"),
        (("--vectors", "/nowhere", "--self"), "there are no vectors here"),
        (("--rules", "nothing", "--self"), "nothing"),
        (("--level", "melds", "--clause", "turn.pass", "--self"), "no vector"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], words: str) -> None:
    result = biriba("conform", *args)
    assert result.exit_code == 2, result.output
    assert words in result.output


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "meld/other"}, "the id is 'meld/other'"),
        ({"level": "meld"}, "there is no level"),
        ({"format": 2}, "expected format 1"),
        ({"colour": "red"}, "there is no member"),
        ({"steps": []}, "the list is empty"),
    ],
)
def test_vectors_that_are_wrong(tmp_path: Path, change: dict[str, object], words: str) -> None:
    from biriba.data import conformance_dir

    document = json.loads((conformance_dir() / "vectors/meld/ace-low.json").read_text(encoding="utf-8"))
    (tmp_path / "meld").mkdir()
    (tmp_path / "meld/ace-low.json").write_text(json.dumps(document | change))
    result = biriba("conform", "--vectors", tmp_path, "--self")
    assert result.exit_code == 2
    assert words in result.output


def test_a_vector_of_another_version_is_not_of_the_suite(tmp_path: Path) -> None:
    from biriba.data import conformance_dir

    document = json.loads((conformance_dir() / "vectors/meld/ace-low.json").read_text(encoding="utf-8"))
    (tmp_path / "meld").mkdir()
    (tmp_path / "meld/ace-low.json").write_text(json.dumps(document))
    document |= {"id": "meld/old", "rulesets": [{"name": "biriba", "version": "0.9.0"}]}
    (tmp_path / "meld/old.json").write_text(json.dumps(document))
    result = biriba("conform", "--vectors", tmp_path, "--self")
    assert "1/1 passed" in result.output
    (tmp_path / "meld/ace-low.json").unlink()
    result = biriba("conform", "--vectors", tmp_path, "--self")
    assert result.exit_code == 2
    assert "none of the 1 vectors here is for biriba 1.0.0; they are for biriba 0.9.0" in result.output


def test_two_vectors_with_one_id(tmp_path: Path) -> None:
    from biriba.data import conformance_dir

    text = (conformance_dir() / "vectors/meld/ace-low.json").read_text(encoding="utf-8")
    for folder in ("meld", "melds"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ace-low.json").write_text(text)
    result = biriba("conform", "--vectors", tmp_path, "--self")
    assert result.exit_code == 2
    assert "the id" in result.output


def test_the_list_of_vectors() -> None:
    told = json.loads(biriba("conform", "list", "--level", "melds", "--json").output)
    assert {vector["level"] for vector in told["vectors"]} == {"melds"}
    assert sum(told["kinds"].values()) == len(told["vectors"])
    counted = biriba("conform", "list", "--counts").output
    assert counted.startswith(f"{told['suite']['vectors']} vectors")
    assert "meld/ace-low: " in biriba("conform", "list", "--only", "meld/ace-low").output
