"""Suites: tasks as data, drawn up from documents and their checks; files of any suite."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.benchmark.drafts import Draft, as_written, chain, retell, vary
from appliance.benchmark.trials import Level, Split
from appliance.benchmark.untouched import with_untouched
from appliance.core.errors import SetupError
from appliance.core.near import nearest
from appliance.core.procedure import Document, Procedure
from appliance.documents import as_yaml, load_documents, plain_checks
from appliance.practice.loading import SourceFile, read_source
from appliance.practice.releases import DOCUMENTATION, releases


class SuiteModel(BaseModel):
    """What stands in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


FileModel = TypeVar("FileModel", bound=SuiteModel)


def read_as(model: type[FileModel], file: Path) -> tuple[SourceFile, FileModel]:
    """Read a YAML file.

    Raises:
        SetupError: It is wrong.
    """
    source = read_source(file)
    try:
        return source, model.model_validate(source.data)
    except ValidationError as exc:
        first_error = exc.errors()[0]
        # names of union members are in pydantic's path, and not in the file
        path = tuple(
            part
            for part in first_error["loc"]
            if any(part in known_path for known_path in source.lines)
        )
        missing = first_error["loc"][-1:] if first_error["type"] == "missing" else ()
        field_path = ".".join(map(str, (*path, *missing))) or "the file"
        raise SetupError(f"{source.place(path)}: {field_path}: {first_error['msg']}") from exc


_Place = tuple[str | int, ...]
"""Of a value in the file."""


class _DocumentEntry(SuiteModel):
    product: str
    split: Split


class _VariedEntry(SuiteModel):
    """A procedure with other values in its text and its rules."""

    procedure: str
    release: str
    text: dict[str, str] = Field(min_length=1)
    """Words of the procedure, each there once, and what stands in their place."""
    where: dict[str, str] = Field(min_length=1)
    """Values that its first rule expects then."""


class _RetoldEntry(SuiteModel):
    """The goal of a procedure in words that say less of the way to it."""

    procedure: str
    release: str
    title: str = Field(min_length=1)
    steps: tuple[str, ...] = Field(min_length=1)
    where: dict[str, str] = Field(default_factory=dict)
    """Other values that its first rule expects then."""


class _ChainedEntry(SuiteModel):
    """Procedures of one Markdown document as one: the steps of the second follow the first's."""

    procedures: tuple[str, ...] = Field(min_length=2)
    release: str
    same: dict[str, str] = Field(default_factory=dict)
    """Names of later procedures that mean what an earlier one made: `vol: data`."""


class _SuiteFile(SuiteModel):
    schema_version: Literal[1]
    title: str
    documentation: str
    """A folder beside the file, or `bundled`: the documentation of the practice cloud."""
    documents: dict[str, _DocumentEntry] = Field(min_length=1)
    hard: tuple[str, ...] = ()
    """Procedures that are hard as they are written."""
    as_written: dict[str, tuple[str, ...] | Literal["all"]] = Field(default_factory=dict)
    """By release; `all`: every procedure of the documents that has audit rules, else those that are
    known to have an untrue sentence there. `RELEASE+NAME` is that release with the drift file
    `NAME.yaml` over it, which lies beside the suite; `NAME.truth.yaml` says what is untrue then."""
    still_true: tuple[str, ...] = ()
    """Of those that are named (`PROCEDURE@RELEASE`), the ones in which all is true nevertheless."""
    varied: tuple[_VariedEntry, ...] = ()
    chained: tuple[_ChainedEntry, ...] = ()
    retold: tuple[_RetoldEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A text to carry out on a release, and the rules that say whether it was."""

    id: str
    release: str
    level: Level
    split: Split
    product: str
    draft: Draft
    is_untrue: bool = False
    """Whether a sentence of the text is known to be untrue on the release."""
    drift: Path | None = None
    """A drift file over the release."""

    @property
    def language(self) -> str:
        """Of the text."""
        return self.draft.procedure.language

    @property
    def folder(self) -> str:
        """Where it is written to: part of the id that its procedure has there."""
        return folder_of(self.id)

    @property
    def pattern(self) -> str:
        """Matches the id of its procedure, once it is written."""
        return f"{self.folder}/{self.draft.rest}"

    @property
    def digest(self) -> str:
        """Of all that makes it what it is."""
        parts = (self.id, self.release, self.draft.text, self.draft.key, self.checks_text)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def checks_text(self) -> str:
        """The checks file beside the document."""
        checks = replace(self.draft.procedure.checks, skip=None)
        return as_yaml({"procedures": {self.draft.key: plain_checks(checks)}})

    def write(self, root: Path) -> Path:
        """Write document and checks; the document's path."""
        folder = root / self.folder
        folder.mkdir(parents=True, exist_ok=True)
        document = folder / self.draft.name
        document.write_text(self.draft.text, encoding="utf-8")
        document.with_suffix(".checks.yaml").write_text(self.checks_text, encoding="utf-8")
        return document


def folder_of(task: str) -> str:
    """Of a task, by its id."""
    return hashlib.sha256(task.encode()).hexdigest()[:12]


def drifts_of(tasks: Iterable[Task]) -> dict[str, Path]:
    """The drift files of releases that have one."""
    return {task.release: task.drift for task in tasks if task.drift}


@dataclass(frozen=True)
class Suite:
    """A named set of tasks."""

    name: str
    title: str
    tasks: tuple[Task, ...]
    documentation: Path | None = None
    """Folder of the documents that they are made of; None: there is none."""

    @cached_property
    def version(self) -> str:
        """Changes with any task."""
        digests = "".join(sorted(task.digest for task in self.tasks))
        return hashlib.sha256(digests.encode()).hexdigest()[:12]


def read_suite(file: Path) -> Suite:
    """Read a suite of tasks.

    Raises:
        SetupError: Its file is wrong; with file and line.
    """
    source, suite = read_as(_SuiteFile, file)
    reader = _Reader(suite, source)
    return Suite(
        name=file.stem,
        title=suite.title,
        tasks=tuple(reader.tasks()),
        documentation=reader.documentation,
    )


class _Reader:
    """Draws up the tasks of a file."""

    def __init__(self, file: _SuiteFile, source: SourceFile) -> None:
        self._file, self._source = file, source
        is_bundled = file.documentation == "bundled"
        folder = DOCUMENTATION if is_bundled else source.file.parent / file.documentation
        for name in file.documents:
            if not (folder / name).is_file():
                raise self._error(("documents", name), f"no document {name!r} in {folder}")
        documents = load_documents([folder / name for name in file.documents])
        self.documentation = folder
        self._procedures = {_ref(p): (d, p) for d in documents for p in d.procedures}

    def tasks(self) -> Iterator[Task]:
        """All, each once."""
        keys_by_id: dict[str, str] = {}
        for number, ref in enumerate(self._file.hard):
            self._procedure_at(ref, ("hard", number))
        for path, task in self._all_tasks():
            if task.id in keys_by_id:
                raise self._error(path, f"task {task.id!r} is there twice")
            if not task.draft.procedure.checks.expect:
                raise self._error(path, f"{task.id} has no audit rules: nothing says who succeeds")
            key = task.draft.text + task.draft.key + task.checks_text + task.release
            if key in keys_by_id.values():
                raise self._error(path, f"task {task.id!r} is the same as another but for its name")
            keys_by_id[task.id] = key
            yield task

    def _all_tasks(self) -> Iterator[tuple[_Place, Task]]:
        for release, refs_wanted in self._file.as_written.items():
            place: _Place = ("as_written", release)
            refs = [r for r, (_, p) in self._procedures.items() if p.checks.expect]
            for ref in refs if refs_wanted == "all" else refs_wanted:
                draft = as_written(*self._procedure_at(ref, place))
                yield place, self._task(f"{ref}@{release}", release, place, draft, [ref])
        for number, entry in enumerate(self._file.varied):
            place = ("varied", number)
            ref, release = entry.procedure, entry.release
            draft = self._draft(
                place, vary(*self._procedure_at(ref, place), entry.text, entry.where)
            )
            id_ = f"{ref}@{release}={'+'.join(entry.text.values())}"
            yield place, self._task(id_, release, place, draft, [ref])
        for number, retold_entry in enumerate(self._file.retold):
            place = ("retold", number)
            read = self._procedure_at(retold_entry.procedure, place)
            draft = self._draft(
                place, retell(*read, retold_entry.title, retold_entry.steps, retold_entry.where)
            )
            id_ = f"{retold_entry.procedure}@{retold_entry.release}: {retold_entry.title}"
            yield (
                place,
                self._task(id_, retold_entry.release, place, draft, [retold_entry.procedure]),
            )
        for number, chained_entry in enumerate(self._file.chained):
            place, all_refs = ("chained", number), chained_entry.procedures
            draft = self._draft(
                place,
                chain([self._procedure_at(ref, place) for ref in all_refs], chained_entry.same),
            )
            later = [ref.rpartition("/")[2] for ref in all_refs[1:]]
            id_ = f"{'+'.join((all_refs[0], *later))}@{chained_entry.release}"
            yield place, self._task(id_, chained_entry.release, place, draft, all_refs)

    def _task(
        self, id_: str, release: str, place: _Place, draft: Draft, refs: Sequence[str]
    ) -> Task:
        base, _, drifted = release.partition("+")
        if base not in releases():
            raise self._error(
                place, f"there is no release {release!r}; {nearest(release, releases())}"
            )
        at_release = f"@{release}"
        drift = self._source.file.with_name(f"{drifted}.yaml") if drifted else None
        if drift is not None and not drift.is_file():
            raise self._error(place, f"there is no drift file {drift}")
        document = Path(self._procedures[refs[0]][0].path).name
        entry, untrue = self._file.documents[document], self._file.as_written.get(release, ())
        still_true = {
            task_id.rpartition("@")[0]
            for task_id in self._file.still_true
            if task_id.endswith(at_release)
        }
        is_untrue = untrue != "all" and any(ref in untrue and ref not in still_true for ref in refs)
        checks = with_untouched(draft.procedure.checks, base)
        draft = replace(draft, procedure=replace(draft.procedure, checks=checks))
        is_hard = is_untrue or len(refs) > 1 or refs[0] in self._file.hard
        return Task(
            id=id_,
            release=release,
            level=Level.HARD if is_hard else Level.STANDARD,
            split=entry.split,
            product=entry.product,
            draft=draft,
            is_untrue=is_untrue,
            drift=drift,
        )

    def _draft(self, place: _Place, draft: Draft | str) -> Draft:
        if isinstance(draft, str):
            raise self._error(place, draft)
        return draft

    def _procedure_at(self, ref: str, place: _Place) -> tuple[Document, Procedure]:
        if ref not in self._procedures:
            raise self._error(
                place, f"there is no procedure {ref!r}; {nearest(ref, self._procedures)}"
            )
        return self._procedures[ref]

    def _error(self, place: _Place, why: str) -> SetupError:
        return SetupError(f"{self._source.place(place)}: {why}")


def _ref(procedure: Procedure) -> str:
    """Its id without the folder of its document."""
    return procedure.id.partition("/")[2]
