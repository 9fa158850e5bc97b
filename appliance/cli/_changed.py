"""Which procedures have changed since a commit of git, by their lines."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.core.procedure import Document, Procedure
from appliance.core.source import Span
from appliance.documents import checks_files
from appliance.system.child_environment import Child, child_environment

_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A range of changed lines; a deletion counts as the lines on both sides of it."""

    first: int
    last: int

    def touches(self, span: Span) -> bool:
        return self.first <= span.end_line and span.line <= self.last


def changed_since(
    ref: str, documents: Iterable[Document], checks: Sequence[Path]
) -> tuple[Procedure, ...]:
    """Those in whose lines, checks or shared parts something differs.

    What is shared is all of the document that is of no procedure, and of no section that is left
    out. Compared with where the branch left `ref`; what git does not know yet has changed.

    Raises:
        SetupError: A document is in no repository, or git cannot compare.
    """
    by_top: dict[Path, list[Document]] = defaultdict(list)
    for document in documents:
        by_top[_top(Path(document.path))].append(document)
    return tuple(
        procedure
        for top, inside in by_top.items()
        for document in inside
        for procedure in _Repository(top, ref).changed(document, checks)
    )


@dataclass(frozen=True, slots=True)
class _Repository:
    top: Path
    ref: str

    def changed(self, document: Document, checks: Sequence[Path]) -> Iterator[Procedure]:
        path = Path(document.path)
        if not self._is_tracked(path) or any(
            self._stretches(file) or not self._is_tracked(file)
            for file in checks_files(path, checks)
            if file.resolve().is_relative_to(self.top)
        ):
            yield from document.procedures
            return
        stretches = self._stretches(path)
        excluded_spans = [procedure.span for procedure in document.all_procedures]
        excluded_spans += [section.span for section in document.left_out]
        is_shared = any(not any(map(stretch.touches, excluded_spans)) for stretch in stretches)
        for procedure in document.procedures:
            if is_shared or any(stretch.touches(procedure.span) for stretch in stretches):
                yield procedure

    def _is_tracked(self, file: Path) -> bool:
        return bool(self._git("ls-files", "--", str(file.resolve())))

    def _stretches(self, file: Path) -> list[_Stretch]:
        diff = self._git(
            *("diff", "--merge-base", "--unified=0", "--no-renames", "--no-color"),
            *("--no-ext-diff", "--no-textconv", self.ref, "--", str(file.resolve())),
        )
        return [_stretch(int(m[1]), int(m[2] or 1)) for m in _HUNK.finditer(diff)]

    def _git(self, *words: str) -> bytes:
        command = ["git", "-C", str(self.top), "-c", "core.fsmonitor=false", *words]
        try:
            process = subprocess.run(
                command,
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=False,
                stdin=subprocess.DEVNULL,
                env=child_environment(Child.TOOL, {"LC_ALL": "C"}),
            )
        except FileNotFoundError:
            raise SetupError("--changed-since needs git, which is not installed here.") from None
        except subprocess.TimeoutExpired:
            raise SetupError(f"git did not answer within {_TIMEOUT_S:g} s in {self.top}.") from None
        if process.returncode:
            why = process.stderr.decode("utf-8", "replace").strip().splitlines()
            raise SetupError(
                f"git cannot compare with {self.ref!r} in {self.top}: {why[0] if why else '?'}. Is"
                " it fetched? A shallow copy lacks the history (GitHub: `fetch-depth: 0`, GitLab:"
                " `GIT_DEPTH: 0`)."
            )
        return process.stdout


def _top(document: Path) -> Path:
    full = document.resolve()
    top = next((folder for folder in full.parents if (folder / ".git").exists()), None)
    if top is None:
        raise SetupError(f"{document} is in no git repository: --changed-since compares in one.")
    return top


def _stretch(first: int, count: int) -> _Stretch:
    return _Stretch(first, first + count - 1) if count else _Stretch(first, first + 1)
