"""The page to try the rules: its answers, and who gets them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

import biriba
from biriba.cache import cached_ruleset
from biriba.web.api import Api, BadQuestion
from biriba.web.server import make_server


@pytest.fixture(scope="module")
def api() -> Api:
    return Api(("biriba",), cached_ruleset)


def test_a_meld_is_judged_with_its_worth(api: Api) -> None:
    found = api.ask("meld", {"cards": "3H 4H JK"})["melds"]
    assert {(m["text"], m["lawful"], m["value"]) for m in found} == {("3H 4H JK", True, 30), ("JK 3H 4H", True, 30)}


def test_cards_in_any_order_are_seen_to_be_a_meld(api: Api) -> None:
    assert any(m["lawful"] for m in api.ask("meld", {"cards": "5H 3H 4H"})["melds"])


def test_cards_that_make_no_meld_are_told_why(api: Api) -> None:
    answer = api.ask("meld", {"cards": "3H 9S"})
    assert answer["melds"] == []
    assert answer["reasons"]


def test_a_deal_is_played_step_by_step(api: Api) -> None:
    position = api.ask("deal", {"seed": "7"})
    assert position["legal"] == ["draw", "take"]
    drawn = api.ask("act", {"position": position["text"], "action": "draw"})
    assert drawn["legal"]
    again = api.ask("act", {"position": drawn["position"]["text"], "action": "draw"})
    assert [reason["clause"] for reason in again["reasons"]] == ["turn.draw"]


def test_a_position_may_be_stated_in_part(api: Api) -> None:
    answer = api.ask("position", {"position": "hand A 9H KS; turn A play; melds X [3H 4H 5H]"})
    assert "extend X1 with" not in "".join(answer["legal"])
    assert {side["side"] for side in answer["score"]} == {"X", "Y"}


def test_a_record_is_gone_through(api: Api) -> None:
    game = biriba.load("biriba").deal(seed=3)
    for _ in range(6):
        game.apply(game.legal()[0])
    answer = api.ask("record", {"text": game.record()})
    assert answer["illegal"] is None
    assert len(answer["steps"]) == 7


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("nothing", {}),
        ("meld", {}),
        ("meld", {"cards": "3Q"}),
        ("meld", {"cards": 5}),
        ("act", {"position": "nonsense", "action": "draw"}),
        ("record", {"text": "record 9"}),
        ("rules", {"rules": "../../etc/passwd"}),
    ],
)
def test_a_bad_question_gets_one_message(api: Api, question: str, told: dict[str, Any]) -> None:
    with pytest.raises(BadQuestion) as fault:
        api.ask(question, told)
    assert str(fault.value)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    site: Path = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text("<p>The site.</p>", encoding="utf-8")
    (site.parent / "secret.html").write_text("secret", encoding="utf-8")
    with make_server(("biriba",), 0, site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def ask(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, data


def test_the_site_and_the_files_of_the_page_are_served(port: int) -> None:
    assert ask(port, "GET", "/") == (200, b"<p>The site.</p>")
    assert ask(port, "GET", "/try.js")[0] == 200


@pytest.mark.parametrize(
    "path", ["/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "//etc/passwd", "/%00"]
)
def test_nothing_outside_is_served(port: int, path: str) -> None:
    assert ask(port, "GET", path)[0] == 404


def test_only_this_machine_is_answered(port: int) -> None:
    assert ask(port, "GET", "/", Host="evil.example")[0] == 403


def test_questions_are_json_of_bounded_size(port: int) -> None:
    sent = json.dumps({"cards": "3H 4H 5H"}).encode()
    assert ask(port, "POST", "/api/meld", sent, Content_Type="application/json")[0] == 200
    assert ask(port, "POST", "/api/meld", sent, Content_Type="text/plain")[0] == 415
    assert ask(port, "POST", "/api/meld", b"[" * 5000, Content_Type="application/json")[0] == 400
    assert ask(port, "POST", "/api/meld", b"", Content_Type="application/json", Content_Length="99999999")[0] == 413
