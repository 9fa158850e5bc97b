"""Tasks that are made, as files: a suite like any other, for whoever reads suites."""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from appliance.benchmark.drafts import Draft
from appliance.benchmark.suite import Suite, Task, read_suite
from appliance.core.errors import SetupError
from appliance.core.procedure import Procedure
from appliance.documents import as_yaml, load_documents, plain_checks
from appliance.system.yaml import Dumper
from appliance.training.phases.record import MadeTask

FILE = "tasks.yaml"
FROM_SUITE = "suite"
"""How a task was made that was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A task that may be learnt from."""

    how: str
    """Which rule made it."""
    made_from: tuple[str, ...]
    """Ids of tasks."""
    release: str
    """`RELEASE+NAME`: with `drift` over it."""
    product: str
    draft: Draft
    is_untrue: bool = False
    drift: Path | None = None
    note: str = ""
    keeps_name: bool = False
    """Whether no other document is called as its own."""


@dataclass(frozen=True, slots=True)
class WrittenSuite:
    """Candidates as a suite, with where each comes from."""

    suite: Suite
    made: tuple[MadeTask, ...]


def write_candidates(
    candidates: Sequence[Candidate], folder: Path, prefix: str = ""
) -> WrittenSuite:
    """Write them as a suite into a folder of their own, and read it: each text once.

    Args:
        candidates: Those.
        folder: What is there is replaced.
        prefix: Of the names of documents, so that they are like no other phase's.

    Raises:
        SetupError: One is no task: what made it is wrong.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    entries = dict[str, _Entry]()
    by_content = {
        (candidate.draft.text, candidate.draft.key, candidate.release): candidate
        for candidate in reversed(candidates)
    }
    for number, candidate in enumerate(reversed(by_content.values())):
        entry = _Entry.write(candidate, f"{prefix}{candidate.how}-{number}", folder)
        if entry is not None:
            entries.setdefault(entry.id, entry)
    return _write_suite(list(entries.values()), folder)


@dataclass(frozen=True, slots=True)
class _Entry:
    candidate: Candidate
    document: str
    ref: str
    checks: dict[str, Any]  # Any: plain data of a checks file

    @classmethod
    def write(cls, candidate: Candidate, name: str, folder: Path) -> "_Entry | None":
        """Write its document; None: another text of that name is there.

        What is known to be untrue is known by a document's name and lines: these stay then.
        """
        draft = candidate.draft
        keeps_name = candidate.keeps_name or candidate.is_untrue or candidate.drift is not None
        file = folder / (draft.name if keeps_name else f"{name}-{draft.name}")
        if file.exists() and file.read_text(encoding="utf-8") != draft.text:
            return None
        file.write_text(draft.text, encoding="utf-8")
        if candidate.drift is not None:
            for source in (
                candidate.drift,
                candidate.drift.with_name(f"{candidate.drift.stem}.truth.yaml"),
            ):
                shutil.copy(source, folder / source.name)
        procedure = _procedure_in(file, draft)
        key = procedure.id.rsplit("/", 1)[-1]
        checks = replace(draft.procedure.checks, skip=None)
        return cls(
            candidate, file.name, procedure.id.partition("/")[2], {key: plain_checks(checks)}
        )

    @property
    def id(self) -> str:
        """As the suite will have it."""
        return f"{self.ref}@{self.candidate.release}"


def _procedure_in(file: Path, draft: Draft) -> Procedure:
    (document,) = load_documents([file])
    for procedure in document.procedures:
        if draft.rest == "*" or procedure.id.rsplit("/", 1)[-1] == draft.key:
            return procedure
    raise SetupError(f"{file}: there is no procedure {draft.key!r}")


def _write_suite(entries: Sequence[_Entry], folder: Path) -> WrittenSuite:
    documents, refs_by_release = dict[str, Any](), dict[str, list[str]]()  # Any: of a suite file
    checks = dict[str, dict[str, Any]]()  # Any: plain data of checks files
    for entry in entries:
        documents[entry.document] = {"product": entry.candidate.product, "split": "train"}
        checks.setdefault(entry.document, {}).update(entry.checks)
        refs = refs_by_release.setdefault(entry.candidate.release, [])
        if entry.ref not in refs:
            refs.append(entry.ref)
    for document, procedures in checks.items():
        text = as_yaml({"procedures": procedures})
        (folder / document).with_suffix(".checks.yaml").write_text(text, encoding="utf-8")
    data = {
        "schema_version": 1,
        "title": "Tasks made of what failed",
        "documentation": ".",
        "documents": documents,
        "as_written": refs_by_release,
        "still_true": [entry.id for entry in entries if not entry.candidate.is_untrue],
    }
    file = folder / FILE
    file.write_text(yaml.dump(data, Dumper=Dumper, allow_unicode=True), encoding="utf-8")
    suite = read_suite(file) if entries else Suite(name=file.stem, title="", tasks=())
    made = (
        MadeTask(
            id=entry.id,
            how=entry.candidate.how,
            made_from=entry.candidate.made_from,
            note=entry.candidate.note,
        )
        for entry in entries
    )
    return WrittenSuite(suite, tuple(made))


def restrict_suite(suite: Suite, ids: Iterable[str]) -> Suite:
    """The suite with these of its tasks."""
    wanted_ids = set(ids)
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.id in wanted_ids))


def as_candidate(task: Task, how: str) -> Candidate:
    """A task that there is, to be learnt from as it is; one that was made keeps its id."""
    return Candidate(
        how=how,
        made_from=(task.id,),
        release=task.release,
        product=task.product,
        draft=task.draft,
        is_untrue=task.is_untrue,
        drift=task.drift,
        keeps_name=how != FROM_SUITE,
    )
