"""Files of benchmarks in the data folder: results of ours, and JSON of anybody's."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.core.errors import SetupError
from appliance.core.jsonable import Json

if TYPE_CHECKING:
    from appliance.benchmark.trials import BenchmarkResult

FOLDER = "benchmarks"
"""In the data folder: a JSON file for each run."""
_NAME = re.compile(r"[\w-][\w .-]*")
_MOST = 100
"""Files shown."""
_MOST_BYTES = 16 * 2**20


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """One, as far as it can be read."""

    name: str
    """Without its ending."""
    made_at: datetime
    size: int
    """Bytes."""
    content: Json = None
    """What stands in it."""
    problem: str = ""
    """Why it cannot be read."""

    @property
    def result(self) -> "BenchmarkResult | None":
        """Read as one of `appliance bench`; None: it is none."""
        # here, because it brings the statistics' libraries with it
        from appliance.benchmark.trials import result_in

        return result_in(self.content)


def read_files(folder: Path) -> tuple[BenchmarkFile, ...]:
    """Those of a folder, newest first."""
    paths = [file for file in folder.glob("*.json") if _NAME.fullmatch(file.stem)]
    paths.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    return tuple(_read(file) for file in paths[:_MOST] if file.is_file())


def read_file(folder: Path, name: str) -> BenchmarkFile | None:
    """The one of that name.

    Raises:
        SetupError: It cannot be read.
    """
    file = folder / f"{name}.json"
    if not _NAME.fullmatch(name) or not file.is_file():
        return None
    parsed = _read(file)
    if parsed.problem:
        raise SetupError(f"{file}: {parsed.problem}")
    return parsed


def _read(file: Path) -> BenchmarkFile:
    stat = file.stat()
    at = datetime.fromtimestamp(stat.st_mtime, UTC)
    if stat.st_size > _MOST_BYTES:
        return BenchmarkFile(file.stem, at, stat.st_size, problem="too large to show")
    try:
        return BenchmarkFile(file.stem, at, stat.st_size, json.loads(file.read_bytes()))
    except (OSError, ValueError) as problem:
        return BenchmarkFile(file.stem, at, stat.st_size, problem=str(problem))


def leaves(node: Json, name: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """What stands in the upper two levels of any JSON: numbers and short texts."""
    if isinstance(node, dict) and depth < 2:
        for key, value in node.items():
            yield from leaves(value, f"{name} · {key}" if name else str(key), depth + 1)
    elif isinstance(node, float):
        yield name, f"{node:.4g}"
    elif isinstance(node, int | str):
        yield name, str(node)
