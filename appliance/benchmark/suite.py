"""Suites: tasks as data, drawn up from documents and their checks; files of any suite."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.benchmark.drafts import Draft, as_written, chained, retold, varied
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


Contents = TypeVar("Contents", bound=SuiteModel)


def read_as(model: type[Contents], file: Path) -> tuple[SourceFile, Contents]:
    """Read a YAML file.

    Raises:
        SetupError: It is wrong.
    """
    source = read_source(file)
    try:
        return source, model.model_validate(source.data)
    except ValidationError as exc:
        first = exc.errors()[0]
        # names of union members are in pydantic's path, and not in the file
        path = tuple(part for part in first["loc"] if any(part in p for p in source.lines))
        missing = first["loc"][-1:] if first["type"] == "missing" else ()
        where = ".".join(map(str, (*path, *missing))) or "the file"
        raise SetupError(f"{source.place(path)}: {where}: {first['msg']}") from exc


_Place = tuple[str | int, ...]
"""Of a value in the file."""


class _DocumentEntry(SuiteModel):
    product: str
    split: Split


class _Varied(SuiteModel):
    """A procedure with other values in its text and its rules."""

    procedure: str
    release: str
    text: dict[str, str] = Field(min_length=1)
    """Words of the procedure, each there once, and what stands in their place."""
    where: dict[str, str] = Field(min_length=1)
    """Values that its first rule expects then."""


class _Retold(SuiteModel):
    """The goal of a procedure in words that say less of the way to it."""

    procedure: str
    release: str
    title: str = Field(min_length=1)
    steps: tuple[str, ...] = Field(min_length=1)
    where: dict[str, str] = Field(default_factory=dict)
    """Other values that its first rule expects then."""


class _Chained(SuiteModel):
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
    varied: tuple[_Varied, ...] = ()
    chained: tuple[_Chained, ...] = ()
    retold: tuple[_Retold, ...] = ()


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
                raise self._wrong(("documents", name), f"no document {name!r} in {folder}")
        documents = load_documents([folder / name for name in file.documents])
        self.documentation = folder
        self._read = {_ref(p): (d, p) for d in documents for p in d.procedures}

    def tasks(self) -> Iterator[Task]:
        """All, each once."""
        seen: dict[str, str] = {}
        for number, ref in enumerate(self._file.hard):
            self._get(ref, ("hard", number))
        for path, task in self._all():
            if task.id in seen:
                raise self._wrong(path, f"task {task.id!r} is there twice")
            if not task.draft.procedure.checks.expect:
                raise self._wrong(path, f"{task.id} has no audit rules: nothing says who succeeds")
            key = task.draft.text + task.draft.key + task.checks_text + task.release
            if key in seen.values():
                raise self._wrong(path, f"task {task.id!r} is the same as another but for its name")
            seen[task.id] = key
            yield task

    def _all(self) -> Iterator[tuple[_Place, Task]]:
        for release, wanted in self._file.as_written.items():
            place: _Place = ("as_written", release)
            refs = [r for r, (_, p) in self._read.items() if p.checks.expect]
            for ref in refs if wanted == "all" else wanted:
                draft = as_written(*self._get(ref, place))
                yield place, self._task(f"{ref}@{release}", release, place, draft, [ref])
        for number, entry in enumerate(self._file.varied):
            place = ("varied", number)
            ref, release = entry.procedure, entry.release
            draft = self._draft(place, varied(*self._get(ref, place), entry.text, entry.where))
            id_ = f"{ref}@{release}={'+'.join(entry.text.values())}"
            yield place, self._task(id_, release, place, draft, [ref])
        for number, told in enumerate(self._file.retold):
            place = ("retold", number)
            read = self._get(told.procedure, place)
            draft = self._draft(place, retold(*read, told.title, told.steps, told.where))
            id_ = f"{told.procedure}@{told.release}: {told.title}"
            yield place, self._task(id_, told.release, place, draft, [told.procedure])
        for number, chain in enumerate(self._file.chained):
            place, all_refs = ("chained", number), chain.procedures
            draft = self._draft(
                place, chained([self._get(ref, place) for ref in all_refs], chain.same)
            )
            later = [ref.rpartition("/")[2] for ref in all_refs[1:]]
            id_ = f"{'+'.join((all_refs[0], *later))}@{chain.release}"
            yield place, self._task(id_, chain.release, place, draft, all_refs)

    def _task(self, id_: str, release: str, at: _Place, draft: Draft, refs: Sequence[str]) -> Task:
        base, _, drifted = release.partition("+")
        if base not in releases():
            raise self._wrong(
                at, f"there is no release {release!r}; {nearest(release, releases())}"
            )
        at_release = f"@{release}"
        drift = self._source.file.with_name(f"{drifted}.yaml") if drifted else None
        if drift is not None and not drift.is_file():
            raise self._wrong(at, f"there is no drift file {drift}")
        document = Path(self._read[refs[0]][0].path).name
        entry, untrue = self._file.documents[document], self._file.as_written.get(release, ())
        still = {
            one.rpartition("@")[0] for one in self._file.still_true if one.endswith(at_release)
        }
        is_untrue = untrue != "all" and any(ref in untrue and ref not in still for ref in refs)
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

    def _draft(self, at: _Place, draft: Draft | str) -> Draft:
        if isinstance(draft, str):
            raise self._wrong(at, draft)
        return draft

    def _get(self, ref: str, at: _Place) -> tuple[Document, Procedure]:
        if ref not in self._read:
            raise self._wrong(at, f"there is no procedure {ref!r}; {nearest(ref, self._read)}")
        return self._read[ref]

    def _wrong(self, at: _Place, why: str) -> SetupError:
        return SetupError(f"{self._source.place(at)}: {why}")


def _ref(procedure: Procedure) -> str:
    """Its id without the folder of its document."""
    return procedure.id.partition("/")[2]
