"""play and replay: whole games."""

from __future__ import annotations

import json
import re

import pytest

from biriba.cli import games


def test_a_deal_between_bots_is_shown_turn_by_turn_and_scored(run):
    result = run("play", "--seed", "7", "--bots", "random")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "biriba 1.0.0, seed 7"
    assert re.match(r"[ABCD]  (draw|take) · ", lines[1])
    assert lines[-1].startswith("total")


@pytest.mark.parametrize("bots", ["steady", "random"])
def test_equal_seeds_give_equal_games(run, bots):
    first, again, other = (run("play", "--seed", seed, "--bots", bots).out for seed in ("11", "11", "12"))
    assert first == again != other


def test_without_a_seed_one_is_chosen_and_told(run):
    result = run("play", "--bots", "random")
    seed = re.match(r"biriba \S+, seed (\d+)", result.out)
    assert seed is not None
    assert run("play", "--bots", "random", "--seed", seed.group(1)).out == result.out


def test_a_match_is_played_recorded_and_replayed(run, tmp_path):
    path = tmp_path / "match.txt"
    played = run("play", "--seed", "7", "--match", "--record", path)
    assert played.code == 0
    winner = re.search(r"The match is over: ([XY]) wins\.", played.out)
    assert winner is not None
    replayed = run("replay", path, "--complete")
    assert replayed.code == 0
    assert "all legal, all scores right." in replayed.out
    assert f"{winner.group(1)} wins." in replayed.out
    assert [p.name for p in tmp_path.iterdir()] == ["match.txt"]


def test_a_match_as_json_holds_its_record(run):
    answer = run("play", "--seed", "5", "--match", "--bots", "random", "--json").json
    assert answer["over"]
    assert answer["totals"] == answer["record"]["result"]["totals"]
    assert len(answer["deals"]) == len(answer["record"]["deals"])
    replayed = run("replay", "-", "--json", stdin=json.dumps(answer["record"])).json
    assert replayed["ok"]
    assert replayed["finished"]
    assert replayed["winner"] == answer["winner"]


def test_a_deal_is_stopped_at_the_limit(run, tmp_path):
    path = tmp_path / "deal.txt"
    result = run("play", "--seed", "7", "--limit", "10", "--record", path)
    assert result.code == 1
    assert "The last deal is unfinished." in result.out
    replayed = run("replay", path)
    assert replayed.code == 0
    assert "0 deals, 10 actions" in replayed.out
    assert "The record is unfinished." in replayed.out
    assert run("replay", path, "--complete").code == 1


def test_a_record_of_one_deal_is_finished(run, tmp_path):
    path = tmp_path / "deal.txt"
    run("play", "--seed", "7", "--bots", "random", "--record", path)
    assert run("replay", path, "--complete").code == 0


def _tampered(text: str, pattern: str, replacement: str) -> str:
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE)
    assert count == 1
    return changed


@pytest.mark.parametrize(
    ("pattern", "replacement", "message"),
    [
        (r"^([ABCD]) discard .*$", r"\1 take", "take is illegal"),
        (r"^score X (-?\d+)", "score X 5", "add up to"),
        (r"\nA (draw|take)$", r"\nB \1", "is illegal"),
        (r"^result X -?\d+ Y -?\d+ winner ([XY])$", r"result X 1 Y 2 winner \1", "add up to"),
        (r"winner X$|winner Y$", "", "the winner is"),
    ],
)
def test_a_tampered_record_is_found_out(run, match_record, pattern, replacement, message):
    result = run("replay", "-", stdin=_tampered(match_record, pattern, replacement))
    assert result.code in (1, 2)
    assert message in result.out + result.err


def test_the_first_illegal_action_is_explained(run, match_record):
    lines = match_record.splitlines()
    number = next(i for i, line in enumerate(lines) if re.match(r"[ABCD] discard", line))
    seat = lines[number][0]
    lines[number] = f"{seat} pass"
    result = run("replay", "-", stdin="\n".join(lines))
    assert result.code == 1
    out = result.out.splitlines()
    assert re.fullmatch(rf"deal 1, action \d+ \(line {number + 1}\): {seat} pass is illegal", out[0])
    assert out[1].startswith("  turn.pass: ")
    assert out[2].startswith("    The rule: ")
    assert "The position:" in out
    assert f"  turn {seat} play" in out
    assert "Legal would have been:" in out
    answer = run("replay", "-", "--json", stdin="\n".join(lines)).json
    assert not answer["ok"]
    assert answer["fault"]["line"] == number + 1
    assert answer["fault"]["violated"][0]["clause"] == "turn.pass"
    assert answer["fault"]["legal_actions"]


def test_a_wrong_score_is_found_out(run, match_record):
    deals = match_record.split("result")[0]
    result = run("replay", "-", stdin=_tampered(deals, r"^score X (-?\d+)", "score X 5"))
    assert result.code == 1
    assert re.match(r"deal 1 \(line \d+\): the score is X -?\d+ Y -?\d+, not X 5 Y", result.out)


def test_the_dealer_is_checked(run, match_record):
    first, second = re.findall(r"^deal dealer ([ABCD])$", match_record, flags=re.MULTILINE)[:2]
    assert first != second
    head, rest = match_record.split(f"deal dealer {second}\n", 1)
    result = run("replay", "-", stdin=f"{head}deal dealer {first}\n{rest}")
    assert result.code == 1
    assert f"deal 2 (line {head.count(chr(10)) + 1}): {first} deals, and by the rules {second} does" in result.out


def test_no_deal_follows_the_end_of_the_match(run, match_record):
    body, result_line = match_record.rsplit("result", 1)
    assert result_line
    deals = body.split("deal dealer ")
    again = run("replay", "-", stdin="deal dealer ".join([*deals, deals[-1]]))
    assert again.code == 1
    assert "the match has ended before this deal" in again.out


def test_a_result_before_the_end_is_refused(run, match_record):
    head, first, *_ = match_record.split("deal dealer ")
    score = re.search(r"^score (X -?\d+ Y -?\d+)$", first, flags=re.MULTILINE)
    assert score is not None
    result = run("replay", "-", stdin=f"{head}deal dealer {first}result {score.group(1)}\n")
    assert result.code == 1
    assert "the match has not ended at" in result.out


def test_a_score_before_the_end_of_a_deal_is_refused(run, match_record):
    lines = match_record.splitlines()
    number = next(i for i, line in enumerate(lines) if re.match(r"[ABCD] discard", line))
    result = run("replay", "-", stdin="\n".join([*lines[: number + 1], "score X 0 Y 0"]))
    assert result.code == 1
    assert f"deal 1 (line {number + 2}): the deal has a score but has not ended" in result.out


@pytest.mark.parametrize("keep", [0.0, 0.001, 0.2, 0.5, 0.99])
def test_a_truncated_record_is_unfinished_or_refused(run, match_record, keep):
    text = match_record[: int(len(match_record) * keep)]
    result = run("replay", "-", "--complete", stdin=text)
    assert result.code in (1, 2)
    assert result.out or result.err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("record 1", "record 2", "records of format 2 are not known"),
        ("rules biriba ", "rules piriba ", "there is no rule set 'piriba'"),
        ("sha256:", "sha256:0", "made with other rules"),
        ("\ndeck ", "\ndeck 9H ", "9H"),
        ("\ndeck ", "\ndeck ZZ ", "there is no card 'ZZ'"),
        ("\ndeck ", "\ndock ", "expected"),
        (" discard ", " discord ", "did you mean 'discard'?"),
        ("\nscore X ", "\nscore Q ", "'Q'"),
        ("\nscore X ", "\nscore X 9999999999999999999999 Y ", "too large"),
    ],
)
def test_a_record_that_cannot_be_read_gets_one_message(run, match_record, old, new, message):
    result = run("replay", "-", stdin=match_record.replace(old, new, 1))
    assert result.code == 2
    assert message in result.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("replay", "nowhere.txt"), "nowhere.txt: no such file, and no record either"),
        (("play", "--limit", "0"), "--limit"),
        (("play", "--bots", "clever"), "clever"),
        (("play", "--you", "A"), "you need a terminal"),
        (("play", "--rules", "nowhere.rules"), "there is no such file"),
        (("play", "--record", "/nowhere/match.txt", "--limit", "1"), "/nowhere/match.txt: cannot be written"),
    ],
)
def test_bad_input_gets_one_message_and_exit_code_2(run, args, message):
    result = run(*args)
    assert result.code == 2
    assert message in result.err


@pytest.fixture
def at_terminal(monkeypatch):
    """Answers the prompts of a person, one by one, then ends the input."""

    def answer(*answers: str) -> None:
        left = list(answers)

        def read(prompt: str) -> str:
            if not left:
                raise EOFError
            print(prompt, end="")
            if left[0] == "Ctrl-C":
                raise KeyboardInterrupt
            return left.pop(0)

        monkeypatch.setattr("builtins.input", read)
        monkeypatch.setattr(games, "_has_terminal", lambda: True)

    return answer


def test_a_person_plays_by_number_and_in_words(run, at_terminal):
    at_terminal("?", "discard ZZ", "pass", "99", "draw", "all", "1", "q")
    result = run("play", "--seed", "7", "--you", "A", "--rules", "biriba")
    assert "A number of the list" in result.out
    assert "there is no card 'ZZ'" in result.out
    assert "so A must draw or take the pile" in result.out
    assert "The list goes from 1 to 2." in result.out
    assert "The game ends here." in result.out
    assert result.code == 1


def test_a_person_sees_only_the_own_hand(run, at_terminal):
    at_terminal()
    out = run("play", "--seed", "7", "--you", "A").out
    assert "hand B 11 cards" in out
    assert "stock 41 cards" in out or "stock 40 cards" in out
    assert re.search(r"hand A [2-9TJQKA]", out)


@pytest.mark.parametrize(("last", "code"), [("q", 1), ("Ctrl-C", 130)])
def test_an_unfinished_game_of_a_person_is_recorded(run, at_terminal, tmp_path, last, code):
    path = tmp_path / "game.txt"
    at_terminal("draw", last)
    result = run("play", "--seed", "7", "--you", "A", "--record", path)
    assert result.code == code
    assert run("replay", path).code == 0
    assert "A draw" in path.read_text(encoding="utf-8")
