"""Ids are permanent: one that was published and is gone is not used again."""

from __future__ import annotations

from pathlib import Path

import pytest

from biriba.conformance import suite
from biriba.conformance.suite import RETIRED, read_vectors, retired
from biriba.data import conformance_dir
from biriba.scenario import ScenarioError


def test_a_list_of_ids_with_reasons_is_read(tmp_path: Path) -> None:
    path = tmp_path / RETIRED
    path.write_text("# comment\npacket/by-luck\tno such rule\n\n", encoding="utf-8")
    assert retired(path) == {"packet/by-luck": "no such rule"}
    assert retired(tmp_path / "nothing") == {}


def test_an_id_that_is_retired_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "retired", lambda path: {"packet/by-discard": "it showed two things at once"})
    with pytest.raises(ScenarioError, match="'packet/by-discard' has been used before: it showed two things at once"):
        read_vectors()


def test_no_vector_has_a_retired_id() -> None:
    gone = retired(conformance_dir() / RETIRED)
    assert not {scenario.id for scenario in read_vectors()} & set(gone)
