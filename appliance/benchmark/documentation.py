"""Suites of real documentation: procedures of any console, and what somebody who walked it says.

The documents stand beside the suite's file or are named when it is run. They are verified as
`appliance verify` does it: a finding needs two attempts.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import Field

from appliance.benchmark.attribution import Blame, Shape, attribute
from appliance.benchmark.by_engine import Baseline
from appliance.benchmark.suite import SuiteModel, read_as
from appliance.benchmark.trials import Part, Setup, Trial
from appliance.benchmark.truth import Assessment, Match, Untruth, match
from appliance.core.errors import SetupError
from appliance.core.result import ProcedureResult
from appliance.core.verdict import DivergenceKind, PolicyChoice, Severity, Verdict
from appliance.engine.request import RunKind, RunRequest

UNTRUE, FOUND, FALSE = "untruths", "found", "false findings"
"""What is counted of each procedure; disputable and cosmetic untruths are not, but finding one is
no mistake."""


class _UntruthEntry(SuiteModel):
    line: int = Field(ge=1)
    quote: str = Field(min_length=1)
    """Its untrue words, as they stand in the source."""
    kind: DivergenceKind
    """What a careful reader would call it."""
    also: tuple[DivergenceKind, ...] = ()
    """What is right as well."""
    shown: str = ""
    """What the console shows instead."""
    severity: Severity = Severity.MISLEADS
    disputable: bool = False
    """Careful people could differ: finding it is no mistake, and neither is leaving it out."""

    def in_document(self, document: str) -> Untruth:
        """As what findings are held against."""
        return Untruth(
            document=document,
            line=self.line,
            quote=self.quote,
            kind=self.kind,
            acceptable_kinds=frozenset((self.kind, *self.also)),
            is_optional=self.disputable or self.severity is Severity.COSMETIC,
        )


class _Label(SuiteModel):
    acceptable_verdicts: tuple[Verdict, ...] = ()
    """Empty: it was not walked to its end; what is untrue of it was found in passing."""
    untruths: tuple[_UntruthEntry, ...] = ()


class _DocumentationFile(SuiteModel):
    schema_version: Literal[1]
    kind: Literal["documentation"]
    title: str
    console: str = ""
    """Of the settings; empty: their default one."""
    documents: tuple[str, ...] = ()
    """Files and folders beside this file; none: they are named when it is run."""
    checks: tuple[str, ...] = ()
    """Folders with NAME.checks.yaml files, where they do not stand beside the documents."""
    procedures: dict[str, _Label] = Field(min_length=1)
    """By the end of their ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledProcedure:
    """What is known of one."""

    id: str
    """The end of its own id."""
    label: _Label
    release: str = ""
    product: str = ""
    language: str = ""
    level: None = None
    split: None = None

    def is_of(self, result: ProcedureResult) -> bool:
        """Whether a result is about it."""
        return f"/{result.id}".endswith(f"/{self.id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentationSuite:
    """Labelled procedures by the name of their file."""

    name: str
    title: str
    version: str
    tasks: tuple[LabelledProcedure, ...]
    """Those whose verdict is known."""
    console: str
    documents: tuple[Path, ...]
    checks: tuple[Path, ...]

    def over(self, documents: Sequence[Path], checks: Sequence[Path]) -> "DocumentationSuite":
        """With documents that are named when it is run; they are a part of its version.

        Raises:
            SetupError: There are none.
        """
        chosen_documents = tuple(path.absolute() for path in documents or self.documents)
        if not chosen_documents:
            raise SetupError(
                f"suite {self.name} has no documents of its own: --documents names them"
            )
        digest = hashlib.sha256(self.version.encode())
        for file in _files(chosen_documents):
            digest.update(file.read_bytes())
        return replace(
            self,
            documents=chosen_documents,
            checks=tuple(path.absolute() for path in checks or self.checks),
            version=digest.hexdigest()[:12],
        )


def read_documentation_suite(file: Path) -> DocumentationSuite:
    """Read a suite of real documentation.

    Raises:
        SetupError: Its file is wrong; with file and line.
    """
    source, suite = read_as(_DocumentationFile, file)
    labelled = tuple(
        LabelledProcedure(id=id_, label=label)
        for id_, label in suite.procedures.items()
        if label.acceptable_verdicts
    )
    if not labelled:
        raise SetupError(f"{source.place(('procedures',))}: no procedure has acceptable_verdicts")
    for entry in ("documents", "checks"):
        for number, name in enumerate(getattr(suite, entry)):
            if not (file.parent / name).exists():
                raise SetupError(f"{source.place((entry, number))}: there is no {name!r}")
    return DocumentationSuite(
        name=file.stem,
        title=suite.title,
        version=hashlib.sha256(file.read_bytes()).hexdigest()[:12],
        tasks=labelled,
        console=suite.console,
        documents=tuple(file.parent / name for name in suite.documents),
        checks=tuple(file.parent / name for name in suite.checks),
    )


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from (
            sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else (path,)
        )


@dataclass(frozen=True, slots=True)
class DocumentationWork:
    """Has an engine verify the procedures of a suite, and holds them against their labels."""

    suite: DocumentationSuite
    tasks: Sequence[LabelledProcedure]
    setup: Setup

    def request(self, part: Part, known: Collection[str]) -> RunRequest:
        """All that are asked for and not known."""
        id_suffixes = [task.id for task in self.tasks if task.id not in known]
        return RunRequest(
            kind=RunKind.BENCHMARK,
            console=self.suite.console,
            documents=self.suite.documents,
            checks=self.suite.checks,
            patterns=tuple(
                pattern for id_suffix in id_suffixes for pattern in (id_suffix, f"*/{id_suffix}")
            ),
            policy=PolicyChoice(self.setup.policy.value),
            tries_patches=False,
            confirms=True,
        )

    def baseline(self, part: Part) -> Baseline | None:
        """None: it is the appliance that is measured."""
        return None

    def trial(self, part: Part, result: ProcedureResult) -> Trial | None:
        """Whether a verdict is right for the right reason."""
        task = next((task for task in self.tasks if task.is_of(result)), None)
        return None if task is None else _trial(task, part, result)

    def missing(self, part: Part, told: Collection[str]) -> Iterator[Trial]:
        """Procedures that were not found in the documents."""
        for task in self.tasks:
            if task.id not in told:
                yield Trial(
                    task=task.id, run=part.run, release="", product="", language="", success=False,
                    reason="there is no such procedure in the documents",
                    blame=Blame.AGENT, shape=Shape.NO_ATTEMPT,
                )  # fmt: skip


def _trial(task: LabelledProcedure, part: Part, result: ProcedureResult) -> Trial:
    name = Path(result.document).name
    untruths = [untruth.in_document(name) for untruth in task.label.untruths]
    matches = match([finding for finding in result.findings if finding.is_sure], untruths)
    counts = Counter(_counted_kinds(matches))
    required = sum(not untruth.is_optional for untruth in untruths)
    is_right = (
        result.verdict in task.label.acceptable_verdicts
        and not counts[FALSE]
        and (not required or counts[FOUND] > 0)
    )
    blame, shape = (None, None) if is_right else attribute(result, is_untrue=False)
    remarks = [f"{match_.assessment}: {_describe(match_)}" for match_ in matches]
    return Trial(
        task=task.id,
        run=part.run,
        release="",
        product="",
        language="",
        success=is_right,
        verdict=result.verdict,
        reason="; ".join(filter(None, (result.verdict.value, *remarks, result.blocked_by))),
        blame=blame,
        shape=shape,
        counts={UNTRUE: required, FOUND: counts[FOUND], FALSE: counts[FALSE]},
        cost=result.cost,
        trajectory=result.trajectory,
    )


def _counted_kinds(matches: Iterable[Match]) -> Iterator[str]:
    for match_ in matches:
        match match_.assessment:
            case Assessment.FOUND if match_.untruth and not match_.untruth.is_optional:
                yield FOUND
            case Assessment.FALSE_ALARM | Assessment.WRONG_KIND:
                yield FALSE


def _describe(match_: Match) -> str:
    if match_.finding is not None:
        return f"{match_.finding.line} {match_.finding.kind} “{match_.finding.quote}”"
    return f"{match_.untruth.line} “{match_.untruth.quote}”" if match_.untruth else ""
