"""Measures `appliance lint` on many documents, beside reading them only: the bare limit.

`python -m tests.benchmarks.lint [--json]`; everybody starts it as `scripts/bench-lint`.
"""

import argparse
import json
import platform
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from appliance.cli._history import labels_in
from appliance.core.errors import DocumentError
from appliance.documents import FORMATS, cache_of, document_files, load_documents
from appliance.lint import PAGES, KnownLabels, Linter, read_pages
from appliance.policy.literal import stated_claims
from appliance.practice.releases import DOCUMENTATION
from appliance.store.labels import ConsoleLabel
from tests.benchmarks.lint_bare import unlooked

_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run measured."""

    machine: str
    documents: int
    procedures: int
    mebibytes: float
    labels: int
    """Looked up."""
    lint_s: float
    documents_per_s: float
    reading_s: float
    """The same processes, reading only."""
    times_bare: float
    again_s: float
    """The same documents once more, from what was kept of them."""
    kept_mib: float
    """What is kept."""
    memory_mib: float
    """At most, of the process that compares."""
    questions: int


def measure(count: int, known: tuple[ConsoleLabel, ...]) -> Figures:
    """All figures, on so many documents."""
    with tempfile.TemporaryDirectory(prefix="bench-lint-") as folder:
        made = write_documents(Path(folder), count)
        files = document_files([Path(folder)])
        reading_s = timed(partial(_read_only, files))
        labels = known or tuple(_own_labels())
        linters = [_linter(labels), _linter(labels)]
        lint_s, again_s = (timed(partial(_lint, files, Path(folder), one)) for one in linters)
        kept = (Path(folder) / PAGES.name).stat().st_size
    told, again = (linter.result for linter in linters)
    if told != again:
        raise AssertionError("what was kept is not what was read")
    return Figures(
        machine=f"{platform.machine()}, Python {platform.python_version()}",
        documents=told.documents,
        procedures=told.procedures,
        mebibytes=round(made / 2**20, 1),
        labels=told.labels,
        lint_s=round(lint_s, 1),
        documents_per_s=round(told.documents / lint_s, 1),
        reading_s=round(reading_s, 1),
        times_bare=round(lint_s / reading_s, 2),
        again_s=round(again_s, 3),
        kept_mib=round(kept / 2**20, 2),
        memory_mib=round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        questions=len(told.remarks),
    )


def _read_only(files: Sequence[Path]) -> None:
    """The bare limit. The children import this folder's modules, so PYTHONPATH must have them."""
    for _, page in read_pages(files, _TIMEOUT_S, read_page=unlooked):
        if isinstance(page, DocumentError):
            raise page


def _lint(files: Sequence[Path], data_dir: Path, linter: Linter) -> None:
    with cache_of(data_dir, PAGES) as cache:
        for path, page in read_pages(files, _TIMEOUT_S, cache=cache):
            linter.see(path, page)


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.monotonic()
    work()
    return time.monotonic() - began


def write_documents(folder: Path, count: int) -> int:
    """So many documents, each a bundled one with headings of its own; their bytes."""
    sources = [path for path in sorted(DOCUMENTATION.iterdir()) if path.suffix in FORMATS]
    texts = [(path, path.read_text("utf-8")) for path in sources]
    size = 0
    for number in range(count):
        path, text = texts[number % len(texts)]
        data = _renamed(text, number).encode()
        file = folder / f"{number % 100:02}" / f"{number}-{path.name}"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)
        size += len(data)
    return size


def _renamed(text: str, number: int) -> str:
    """With a number behind each heading; those of reStructuredText keep their lines' length."""
    text = re.sub(r"^(#+ .+)$", rf"\1 {number}", text, flags=re.MULTILINE)
    text = re.sub(r"(</h[1-6]>)", rf" {number}\1", text)
    return re.sub(r"^(.+)\n([=\-~^])\2{2,}$", _underlined(number), text, flags=re.MULTILINE)


def _underlined(number: int) -> Callable[[re.Match[str]], str]:
    def made(match: re.Match[str]) -> str:
        title = f"{match[1]} {number}"
        return f"{title}\n{match[2] * (2 * len(title))}"

    return made


def _own_labels() -> Iterator[ConsoleLabel]:
    """What the bundled documents themselves name: a console that they are true of."""
    now = datetime.now(UTC)
    for document in load_documents([DOCUMENTATION]):
        for procedure in document.procedures:
            for claim in stated_claims(procedure):
                yield ConsoleLabel(
                    console="bench",
                    release="",
                    locale=procedure.language,
                    page=f"/{procedure.id}",
                    dialog="",
                    parent="",
                    role="button",
                    name=claim.text,
                    seen=1,
                    first_seen=now,
                    last_seen=now,
                )


def _linter(labels: tuple[ConsoleLabel, ...]) -> Linter:
    release = max(labels, key=lambda one: one.last_seen).release
    languages = {one.locale for one in labels}
    known = {
        language: KnownLabels((one for one in labels if one.locale == language), release)
        for language in languages
    }
    return Linter("bench", release, known)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--labels", type=Path)
    options = parser.parse_args()
    known = labels_in(options.labels) if options.labels else ()
    figures = asdict(measure(options.documents, known))
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:18} {value}")


if __name__ == "__main__":
    main()
