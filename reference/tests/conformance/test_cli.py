"""The commands: what they print, what they write, and how they end."""

from __future__ import annotations

import html
import json
import shlex
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from biriba.cli.app import app
from biriba.data import conformance_dir

FAKES = str(Path(__file__).with_name("fakes.py"))
OPEN = "game/deal-1"
OWN = """\
ruleset own "My own" extends biriba
  version "0.1.0"

set value_joker = 25

clause own.joker
  "A joker counts {value_joker}."
  because "an example"
  follows from deck.values
  example "a joker"
    value JK = 25
"""


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
    assert (
        "the claim is of the rule set biriba, not of classic"
        in biriba("conform", "verify", claim, "--rules", "classic").output
    )
    no_claim = tmp_path / "report.json"
    no_claim.write_text('{"report": 1}')
    assert "this is no claim of conformance" in biriba("conform", "verify", no_claim).output
    verified = biriba("conform", "verify", claim)
    assert verified.exit_code == 0, verified.output
    assert "borne out: " in verified.output
    document = json.loads(claim.read_text())
    document["counts"]["passed"] += 1
    claim.write_text(json.dumps(document))
    refuted = biriba("conform", "verify", claim)
    assert refuted.exit_code == 1
    assert "not borne out: counts passed: claimed " in refuted.output


def test_a_claim_of_less_than_the_suite_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    claim = tmp_path / "claim.json"
    for part in (("--only", "meld/*"), ("--level", "melds"), ("--clause", "meld.run"), ("--fail-fast",)):
        refused = biriba("conform", *part, "--claim", claim, "--", "/no/such/program")
        assert refused.exit_code == 2
        assert "a claim is of the whole suite" in refused.output
    for option in ("--json", "--junit", "--html", "--badge", "--claim"):
        refused = biriba("conform", option, tmp_path / "no" / "file", "--", "/no/such/program")
        assert refused.exit_code == 2
        assert "there is no folder" in refused.output.replace("\n", " ")


def one_vector(tmp_path: Path, name: str) -> tuple[str, Path]:
    """The option that names a folder with one vector of the catalogue."""
    folder = tmp_path / "vectors"
    (folder / name).parent.mkdir(parents=True)
    shutil.copy(conformance_dir() / f"vectors/{name}.json", folder / f"{name}.json")
    return "--vectors", folder


def test_a_claim_tells_what_was_left_open_and_an_older_one_need_not(tmp_path: Path) -> None:
    claim, vectors = tmp_path / "claim.json", one_vector(tmp_path, OPEN)
    assert biriba("conform", *vectors, "--claim", claim, *fake("always_no")).exit_code == 1
    document = json.loads(claim.read_text())
    assert document["open"]["facts"] >= document["open"]["vectors"] > 0
    document["open"]["facts"] += 1
    claim.write_text(json.dumps(document))
    assert "not borne out: open facts: claimed " in biriba("conform", "verify", claim, *vectors).output
    del document["open"]
    claim.write_text(json.dumps(document))
    assert biriba("conform", "verify", claim, *vectors).exit_code == 0


def again(output: str) -> list[str]:
    """The words of the command that shows a failure again, without the name of the program."""
    line = next(line for line in output.splitlines() if line.strip().startswith("again:"))
    program, *words = shlex.split(line.partition("again:")[2])
    assert program == "biriba"
    return words


def failed(output: str) -> list[str]:
    """What is told of the failures: all but the times."""
    return [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR", "  expected", "  found"))]


def test_the_command_that_shows_a_failure_again_does(tmp_path: Path) -> None:
    folder, rules = tmp_path / "my vectors", tmp_path / "own.rules"
    rules.write_text(OWN, encoding="utf-8")
    assert biriba("test", rules, "--save", folder).exit_code == 0
    command = ("--", sys.executable, "-S", FAKES, "own_rules", "-")
    options = ("--rules", rules, "--vectors", folder, "--timeout", "9.5")
    files = {kind: tmp_path / f"report.{kind}" for kind in ("html", "junit")}
    reports = [word for kind, path in files.items() for word in (f"--{kind}", path)]
    first = biriba("conform", *options, *reports, *command)
    assert first.exit_code == 1, first.output
    assert len(failed(first.output)) == 3, first.output
    assert again(first.output)[1:7] == [str(word) for word in options]
    assert failed(biriba(*again(first.output)).output) == failed(first.output)
    line = f"biriba {shlex.join(again(first.output))}"
    for path in files.values():
        assert line in html.unescape(path.read_text())
    usual = biriba("conform", "--only", "meld/ace-low", *fake("always_no"))
    assert again(usual.output)[:3] == ["conform", "--only", "meld/ace-low"]
    assert failed(biriba(*again(usual.output)).output) == failed(usual.output)


def test_what_is_left_open_stands_in_all_reports(tmp_path: Path) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "junit", "html")}
    options = [word for kind, path in files.items() for word in (f"--{kind}", path)]
    result = biriba("conform", "--only", OPEN, *options, "--self")
    assert result.exit_code == 0, result.output
    report = json.loads(files["json"].read_text())
    facts, vectors = report["open"]["facts"], report["open"]["vectors"]
    assert (facts, vectors) == (sum(r.get("open", 0) for r in report["results"]), 1)
    assert facts > 0
    told = f"left to the implementation, and not compared: {facts} fact"
    assert told in result.output
    page = files["html"].read_text()
    assert told in page
    assert f"{facts} fact" in page.split("All vectors")[1]
    root = ET.parse(files["junit"]).getroot()
    for path in ("./testsuite/properties", f"./testsuite/testcase[@name='{OPEN}']/properties"):
        assert root.findall(f"{path}/property[@name='open'][@value='{facts}']"), path


def test_an_implementation_that_does_not_start_is_one_exit_code(tmp_path: Path) -> None:
    claim, vectors = tmp_path / "claim.json", one_vector(tmp_path, "meld/ace-low")
    assert biriba("conform", *vectors, "--claim", claim, *fake("always_no")).exit_code == 1
    for command in (("conform",), ("conform", "--smoke"), ("fuzz", "--cases", 1), ("conform", "verify", claim)):
        result = biriba(*command, *fake("never_starts"))
        assert result.exit_code == 1, result.output
        assert "no display" in result.output


def test_an_option_is_not_taken_for_the_value_of_another() -> None:
    for words, said in (
        (("--json", "--level", "melds", "--self"), "not the option --level"),
        (("--html", *fake("always_no")), "there is none"),
        (("--self", "--json"), "there is none"),
    ):
        result = biriba("conform", *words)
        assert result.exit_code == 2, result.output
        assert said in " ".join(result.output.replace("│", " ").split())
    assert "nothing to report" in biriba("conform", "--smoke", "--json", "report.json", "--self").output


def test_rules_without_vectors_are_told_how_to_make_some(tmp_path: Path) -> None:
    rules, folder, claim = tmp_path / "own.rules", tmp_path / "vectors", tmp_path / "claim.json"
    rules.write_text(OWN, encoding="utf-8")
    none = biriba("conform", "--rules", rules, "--self")
    assert none.exit_code == 2
    assert "no vector here is for own 0.1.0" in none.output
    assert f"biriba test {rules} --save DIR" in none.output
    assert biriba("test", rules, "--save", folder).exit_code == 0
    options = ("--rules", rules, "--vectors", folder)
    assert biriba("conform", *options, "--claim", claim, "--self").exit_code == 0
    assert "borne out: 1/1" in biriba("conform", "verify", claim, *options).output


def test_ids_are_whole_in_a_pipe(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    long = "example/discard.not-what-you-took.neither-the-card-nor-its-twin"
    biriba("conform", "--only", long, "--json", report, *fake("always_yes"))
    assert long in biriba("conform", "compare", report, report, report).output


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
    for option, path, told in (
        ("--junit", tmp_path / "stale.xml", 'failures="1"'),
        ("--html", tmp_path / "stale.html", "is listed as a known failure, and passed"),
    ):
        assert biriba("conform", *options, option, path, "--self").exit_code == 1
        assert told in path.read_text()
    listed.write_text("meld/fourteen  # and meld/ace-low passes\n")
    good = biriba("conform", "--known-failures", listed, "--only", "meld/fourteen", "--only", OPEN, *fake("always_yes"))
    assert "meld/fourteen" not in good.output, "what is known is counted only"
    assert "1 of the failures is known" in good.output
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
        ({"format": 1}, "expected format 2"),
        ({"colour": "red"}, "there is no member"),
        ({"steps": []}, "the list is empty"),
    ],
)
def test_vectors_that_are_wrong(tmp_path: Path, change: dict[str, object], words: str) -> None:
    document = json.loads((conformance_dir() / "vectors/meld/ace-low.json").read_text(encoding="utf-8"))
    (tmp_path / "meld").mkdir()
    (tmp_path / "meld/ace-low.json").write_text(json.dumps(document | change))
    result = biriba("conform", "--vectors", tmp_path, "--self")
    assert result.exit_code == 2
    assert words in result.output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3X 4H 5H", "there is no card '3X'"),
        ("AH 2H 4H", "'AH 2H 4H' and a JSON form that means something else"),
    ],
)
def test_a_vector_that_does_not_hold_is_no_fault_of_an_implementation(tmp_path: Path, text: str, words: str) -> None:
    document = json.loads((conformance_dir() / "vectors/meld/ace-low.json").read_text(encoding="utf-8"))
    document["steps"][0]["meld"]["text"] = text
    document["clauses"].append("meld.nosuch")
    (tmp_path / "meld").mkdir()
    (tmp_path / "meld/ace-low.json").write_text(json.dumps(document))
    result = biriba("conform", "--vectors", tmp_path, *fake("always_no"))
    assert result.exit_code == 2, result.output
    assert "meld/ace-low.json: this vector does not hold under biriba 1.0.0 itself" in result.output
    assert words in result.output


def test_a_clause_that_there_is_not_is_told(tmp_path: Path) -> None:
    document = json.loads((conformance_dir() / "vectors/meld/ace-low.json").read_text(encoding="utf-8"))
    document["clauses"].append("meld.nosuch")
    (tmp_path / "meld").mkdir()
    (tmp_path / "meld/ace-low.json").write_text(json.dumps(document))
    result = biriba("conform", "--vectors", tmp_path, "--self")
    assert result.exit_code == 0, result.output
    assert "warning: meld/ace-low cites meld.nosuch, which these rules do not have" in result.output


def test_a_vector_of_another_version_is_not_of_the_suite(tmp_path: Path) -> None:
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
    assert "no vector here is for biriba 1.0.0; there is 1, for biriba 0.9.0" in result.output


def test_two_vectors_with_one_id(tmp_path: Path) -> None:
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
