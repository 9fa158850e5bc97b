"""Verifies copies with untruths in them, copy by copy; each result is kept."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.benchmark.invented.assess import (
    FalseFinding,
    ShownGreen,
    ShownUntruth,
    assess,
    false_findings,
    is_about_one,
)
from appliance.benchmark.invented.editions import Edition, holder_of, write_edition
from appliance.benchmark.labels import labels_of
from appliance.core.build import commit
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.core.verdict import Verdict
from appliance.documents import load_documents
from appliance.system.files import write_whole
from appliance.verification import Label, LabelSource

Verify = Callable[[Sequence[Document], Sequence[Procedure]], RunResult]
"""Verifies procedures against a practice cloud that the bundled documentation is true of."""


class EditionResult(BaseModel):
    """What was shown of the untruths of one copy; of true documentation: that there are none."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    schema_version: Literal[1] = 1
    name: str
    untruths: tuple[ShownUntruth, ...]
    false_findings: tuple[FalseFinding, ...]
    labels: tuple[Label, ...] = ()
    """Of all findings, also of those that are not sure enough to count."""
    verdicts: dict[str, Verdict]
    """By procedure."""
    basis: str
    """Hash of the untruths."""
    commit: str
    wall_s: float


class Suite:
    """Writes editions into a folder, verifies them, and keeps each result."""

    def __init__(self, folder: Path, green: ShownGreen) -> None:
        self._folder, self._green = folder, green

    def known(self, edition: Edition) -> EditionResult | None:
        """The result of an earlier run with the same untruths; None: there is none."""
        try:
            text = self._file(edition).read_text(encoding="utf-8")
            result = EditionResult.model_validate_json(text)
        except (OSError, ValidationError):
            return None
        return result if result.basis == _basis(edition) else None

    def run(self, edition: Edition, verify: Verify) -> EditionResult:
        """Write, verify, assess and keep one."""
        # the last folder's name is part of the procedures' ids: the same as that of the originals
        copy = self._folder / f"edition-{edition.name}" / "documentation"
        placed = write_edition(edition, copy)
        documents = load_documents([copy])
        documents_by_name = {Path(document.path).name: document for document in documents}
        procedures = [
            holder_of(documents_by_name[untruth.untruth.document], untruth.span.line)
            for untruth in placed
        ]
        run = verify(documents, tuple({p.id: p for p in procedures if p is not None}.values()))
        result = EditionResult(
            name=edition.name,
            untruths=tuple(assess(placed, documents, run, self._green)),
            false_findings=tuple(false_findings(placed, run)),
            labels=labels_of(run, LabelSource.INVENTED, lambda f: is_about_one(placed, f)),
            verdicts={verified.id: verified.verdict for verified in run.procedures},
            basis=_basis(edition),
            commit=commit(),
            wall_s=(run.ended_at - run.started_at).total_seconds(),
        )
        text = json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=1)
        write_whole(self._file(edition), text)
        return result

    def _file(self, edition: Edition) -> Path:
        # a sample has copies of the same name: it does not take the place of what is there
        return self._folder / f"result-{edition.name}-{_basis(edition)[:8]}.json"


def true_result(name: str, run: RunResult) -> EditionResult:
    """What was found in documentation that is true: every finding is a false one."""
    return EditionResult(
        name=name,
        untruths=(),
        false_findings=tuple(false_findings((), run)),
        labels=labels_of(run, LabelSource.INVENTED, lambda _: False),
        verdicts={verified.id: verified.verdict for verified in run.procedures},
        basis="",
        commit=commit(),
        wall_s=(run.ended_at - run.started_at).total_seconds(),
    )


def _basis(edition: Edition) -> str:
    identity = [
        (
            untruth.id,
            untruth.document,
            untruth.kind,
            untruth.start,
            untruth.end,
            untruth.text,
            untruth.words,
        )
        for untruth in edition.untruths
    ]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()
