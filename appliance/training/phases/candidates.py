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
class Written:
    """Candidates as a suite, with where each comes from."""

    suite: Suite
    made: tuple[MadeTask, ...]


def write_candidates(candidates: Sequence[Candidate], folder: Path, prefix: str = "") -> Written:
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
    same = {(one.draft.text, one.draft.key, one.release): one for one in reversed(candidates)}
    for number, one in enumerate(reversed(same.values())):
        entry = _Entry.write(one, f"{prefix}{one.how}-{number}", folder)
        if entry is not None:
            entries.setdefault(entry.id, entry)
    return _as_suite(list(entries.values()), folder)


@dataclass(frozen=True, slots=True)
class _Entry:
    candidate: Candidate
    document: str
    ref: str
    checks: dict[str, Any]  # Any: plain data of a checks file

    @classmethod
    def write(cls, one: Candidate, name: str, folder: Path) -> "_Entry | None":
        """Write its document; None: another text of that name is there.

        What is known to be untrue is known by a document's name and lines: these stay then.
        """
        draft = one.draft
        keeps_name = one.keeps_name or one.is_untrue or one.drift is not None
        file = folder / (draft.name if keeps_name else f"{name}-{draft.name}")
        if file.exists() and file.read_text(encoding="utf-8") != draft.text:
            return None
        file.write_text(draft.text, encoding="utf-8")
        if one.drift is not None:
            for source in (one.drift, one.drift.with_name(f"{one.drift.stem}.truth.yaml")):
                shutil.copy(source, folder / source.name)
        procedure = _procedure_in(file, draft)
        key = procedure.id.rsplit("/", 1)[-1]
        checks = replace(draft.procedure.checks, skip=None)
        return cls(one, file.name, procedure.id.partition("/")[2], {key: plain_checks(checks)})

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


def _as_suite(entries: Sequence[_Entry], folder: Path) -> Written:
    documents, named = dict[str, Any](), dict[str, list[str]]()  # Any: of a suite file
    checks = dict[str, dict[str, Any]]()  # Any: plain data of checks files
    for one in entries:
        documents[one.document] = {"product": one.candidate.product, "split": "train"}
        checks.setdefault(one.document, {}).update(one.checks)
        refs = named.setdefault(one.candidate.release, [])
        if one.ref not in refs:
            refs.append(one.ref)
    for document, of in checks.items():
        text = as_yaml({"procedures": of})
        (folder / document).with_suffix(".checks.yaml").write_text(text, encoding="utf-8")
    data = {
        "schema_version": 1,
        "title": "Tasks made of what failed",
        "documentation": ".",
        "documents": documents,
        "as_written": named,
        "still_true": [one.id for one in entries if not one.candidate.is_untrue],
    }
    file = folder / FILE
    file.write_text(yaml.dump(data, Dumper=Dumper, allow_unicode=True), encoding="utf-8")
    suite = read_suite(file) if entries else Suite(name=file.stem, title="", tasks=())
    made = (
        MadeTask(
            id=one.id,
            how=one.candidate.how,
            made_from=one.candidate.made_from,
            note=one.candidate.note,
        )
        for one in entries
    )
    return Written(suite, tuple(made))


def only(suite: Suite, ids: Iterable[str]) -> Suite:
    """The suite with these of its tasks."""
    wanted = set(ids)
    return replace(suite, tasks=tuple(one for one in suite.tasks if one.id in wanted))


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
