"""Tables of deals on disk: a Parquet file, made of parts that are kept while a run is under way."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biriba.explore.deals import Played
from biriba.explore.errors import ExploreError, need
from biriba.files import replacing

PLAN = "plan.json"
KIND = ".parquet"


@dataclass(frozen=True, slots=True)
class Store:
    """A table that grows part by part.

    Attributes:
        path: the Parquet file that is made at the end.
        plan: what the run is; a run is taken up again only if it is the same.
    """

    path: Path
    plan: dict[str, Any]

    @property
    def parts(self) -> Path:
        return self.path.with_name(self.path.name + ".parts")

    def begin(self, *, resume: bool, force: bool) -> None:
        """Make the folder of the parts, or find it again.

        Raises:
            ExploreError: the name is none of a table, or there is something already, or nothing to take up.
        """
        need("pyarrow", "explore")
        if self.path.suffix != KIND:
            raise ExploreError(f"{self.path}: a table of deals is a Parquet file, its name ends in {KIND}")
        if self.path.exists() and not force:
            raise ExploreError(f"{self.path} exists already: choose another name, or --force to write it anew")
        if force and not resume:
            shutil.rmtree(self.parts, ignore_errors=True)
        if self.parts.exists():
            if not resume:
                raise ExploreError(
                    f"{self.parts} holds a run that was not finished: --resume takes it up, --force drops it"
                )
            self._check_plan()
            return
        with _Telling(self.parts):
            self.parts.mkdir(parents=True)
            (self.parts / PLAN).write_text(json.dumps(self.plan, indent=1, sort_keys=True), encoding="utf-8")

    def _check_plan(self) -> None:
        try:
            kept = json.loads((self.parts / PLAN).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ExploreError(f"{self.parts / PLAN} cannot be read: --force begins the run anew") from None
        different = [key for key in {*kept, *self.plan} if kept.get(key) != self.plan.get(key)]
        if different:
            raise ExploreError(
                f"{self.parts} holds another run (its {', '.join(sorted(different))} differ): --force begins anew"
            )

    def part(self, first: int) -> Path:
        return self.parts / f"part-{first:09}.parquet"

    def has(self, first: int) -> bool:
        """Whether a part is there and whole; a part that was cut off counts for nothing."""
        path = self.part(first)
        if not path.exists():
            return False
        try:
            need("pyarrow.parquet", "explore").ParquetFile(path).close()
        except Exception:  # whatever is wrong with a part, it is played again
            path.unlink(missing_ok=True)
            return False
        return True

    def add(self, played: Played) -> None:
        """Keep a part: whole, or not at all."""
        parquet, arrow = need("pyarrow.parquet", "explore"), need("pyarrow", "explore")
        table = arrow.table({name: arrow.array(values, arrow.int64()) for name, values in played.columns.items()})
        table = table.replace_schema_metadata({"curve": json.dumps(played.curve)})
        path = self.part(played.first)
        with _Telling(path), replacing(path) as aside:
            parquet.write_table(table, aside)

    def finish(self, texts: Sequence[tuple[str, str]]) -> None:
        """Make one file of all parts, what the columns mean in its schema, and remove the parts."""
        parquet, arrow = need("pyarrow.parquet", "explore"), need("pyarrow", "explore")
        tables = [parquet.read_table(path) for path in sorted(self.parts.glob("part-*.parquet"))]
        curves = [json.loads(table.schema.metadata[b"curve"]) for table in tables]
        curve = [sum(cells) for cells in zip(*curves, strict=True)]
        table = arrow.concat_tables([t.replace_schema_metadata(None) for t in tables])
        fields = [arrow.field(name, arrow.int64(), metadata={"text": text}) for name, text in texts]
        metadata = {"biriba": json.dumps(self.plan), "curve": json.dumps(curve)}
        table = table.cast(arrow.schema(fields, metadata=metadata))
        with _Telling(self.path), replacing(self.path) as aside:
            parquet.write_table(table, aside)
        shutil.rmtree(self.parts, ignore_errors=True)


class _Telling:
    """Makes of a failure to write one message, with what is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise ExploreError(f"{self.path}: {reason}; what was finished before is kept, --resume goes on") from None


def read(path: Path) -> tuple[dict[str, list[int | None]], list[int], dict[str, Any]]:
    """The columns of a table, its curve, and the plan of its run.

    Raises:
        ExploreError: it is no table of deals, or it is cut off.
    """
    parquet = need("pyarrow.parquet", "explore")
    try:
        table = parquet.read_table(path)
        metadata = table.schema.metadata
        return table.to_pydict(), json.loads(metadata[b"curve"]), json.loads(metadata[b"biriba"])
    except FileNotFoundError:
        raise ExploreError(f"{path}: no such file") from None
    except Exception as error:
        raise ExploreError(f"{path} is no whole table of deals: {str(error).splitlines()[0]}") from None
