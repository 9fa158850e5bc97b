"""Runs cases through the real verification, and tells what came of them.

`python -m tests.traps.run [seen|held-out|all] [--policy literal|model|replay] [--sandbox] [--json]`
"""

import argparse
import asyncio
import dataclasses
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import structlog
import yaml

from appliance.config import (
    AccountSettings,
    AgentSettings,
    ConsoleSettings,
    ModelSettings,
    SensitiveSettings,
    Settings,
)
from appliance.core.procedure import Document
from appliance.core.result import ProcedureResult
from appliance.core.verdict import StepStatus
from appliance.documents import load_documents
from appliance.inference.scripted import serving as scripted
from tests import running
from tests.traps.cases import HALVES, Case, judge, load
from tests.traps.harm import doing_harm
from tests.traps.server import PASSWORD, USERS, Witness, serving

POLICIES = ("literal", "model", "replay")
EXISTING = "existing"
"""The kind of traps whose harm is that something was there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How the console is used."""

    is_shareable: bool = False
    """Whether all attempts have one account."""
    is_sandbox: bool = False
    """Whether what was there before may be changed: then it is no trap that it is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of one case."""

    case: int
    language: str
    kind: str
    trap: str
    sprung: str
    is_done: bool
    posted: tuple[str, ...]
    verdict: str
    why: str
    """Why it was not done, or why it was stopped."""


@dataclass(slots=True)
class Report:
    """What came of all."""

    half: str
    policy: str
    told: list[Told] = field(default_factory=list)
    took_s: float = 0.0
    not_learnt: tuple[int, ...] = ()
    """replay: cases that were not verified the first time, so that nothing could be replayed."""

    @property
    def sprung(self) -> list[Told]:
        return [t for t in self.told if t.sprung]

    @property
    def undone(self) -> list[Told]:
        return [t for t in self.told if t.kind == "honest" and not t.is_done]


def write_documents(cases: Sequence[Case], folder: Path) -> list[Document]:
    """One document a case, with its checks beside it."""
    for case in cases:
        (folder / f"case-{case.id}.md").write_text(case.document, encoding="utf-8")
    paths = [folder / f"case-{case.id}.md" for case in cases]
    for case, document in zip(cases, load_documents(paths), strict=True):
        if len(document.procedures) != 1:
            raise ValueError(f"case {case.id} is {len(document.procedures)} procedures")
        if case.bindings:
            rules = {"procedures": {document.procedures[0].id: {"bindings": case.bindings}}}
            text = yaml.safe_dump(rules, allow_unicode=True)
            (folder / f"case-{case.id}.checks.yaml").write_text(text, encoding="utf-8")
    return list(load_documents(paths))


def settings_of(folder: Path, url: str, *, model: str = "", way: Way = Way()) -> Settings:
    """The default settings, with this console."""
    shareable = way.is_shareable
    (folder / "password").write_text(PASSWORD)
    users = USERS[:1] if shareable else USERS
    accounts = {
        user: AccountSettings(
            username=user, password_file=folder / "password", is_shareable=shareable
        )
        for user in users
    }
    chosen = ConsoleSettings(kind="generic", url=url, accounts=accounts)
    served = ModelSettings(endpoint=model, takes_images="no") if model else ModelSettings()
    sensitive = SensitiveSettings(change="allow" if way.is_sandbox else "documented")
    return Settings(
        data_dir=folder,
        console="traps",
        consoles={"traps": chosen},
        model=served,
        agent=AgentSettings(sensitive=sensitive),
    )


async def verified(
    documents: Sequence[Document], settings: Settings, policy: str
) -> tuple[ProcedureResult, ...]:
    """The documents' procedures in one run, as `appliance verify` does it."""
    paths = [Path(document.path) for document in documents]
    return (await running.verified(settings, paths, policy)).procedures


def chosen_cases(half: str, policy: str, only: Sequence[int] = ()) -> tuple[Case, ...]:
    """Those of a half that a policy is tried with."""
    halves = tuple(HALVES) if half == "all" else (half,)
    cases = tuple(case for each in halves for case in load(each) if not only or case.id in only)
    if policy == "replay":
        return tuple(case for case in cases if case.later)
    cases = tuple(case for case in cases if not case.later)
    return tuple(c for c in cases if c.kind == "trap") if policy == "model" else cases


@contextmanager
def _model(policy: str, cases: tuple[Case, ...]) -> Iterator[str]:
    if policy != "model":
        with nullcontext():
            yield ""
        return
    with scripted(doing_harm(cases)) as served:
        yield served.url


def run(half: str, policy: str, *, only: Sequence[int] = (), way: Way = Way()) -> Report:
    """All cases of a half with a policy."""
    cases, began = chosen_cases(half, policy, only), time.monotonic()
    if way.is_sandbox:
        cases = tuple(case for case in cases if case.trap != EXISTING)
    report = Report(half, policy)
    with (
        tempfile.TemporaryDirectory(prefix="traps-") as name,
        serving(cases) as witness,
        _model(policy, cases) as model,
    ):
        folder = Path(name)
        documents = write_documents(cases, folder)
        settings = settings_of(folder, witness.url, model=model, way=way)
        if policy == "replay":
            first = asyncio.run(verified(documents, settings, "auto"))
            kept = {r.document for r in first if r.verdict == "verified"}
            report.not_learnt = tuple(c.id for c in cases if not _in(c, kept))
            witness.turn()
        results = asyncio.run(
            verified(documents, settings, "auto" if policy == "replay" else policy)
        )
    by_case = {Path(r.document).stem: r for r in results}
    report.told = [_told(c, witness, by_case[f"case-{c.id}"]) for c in cases]
    report.took_s = time.monotonic() - began
    return report


def _in(case: Case, documents: set[str]) -> bool:
    return any(Path(document).stem == f"case-{case.id}" for document in documents)


def _told(case: Case, witness: Witness, result: ProcedureResult) -> Told:
    posted = witness.of(case.id)
    outcome = judge(case, posted)
    return Told(
        case=case.id,
        language=case.language,
        kind=case.kind,
        trap=case.trap,
        sprung=outcome.sprung,
        is_done=outcome.is_done,
        posted=tuple(posted),
        verdict=result.verdict.value,
        why=_why(result),
    )


def _why(result: ProcedureResult) -> str:
    notes = [
        f"step {s.index}: {s.status}{f' ({s.note})' if s.note else ''}"
        for s in result.steps
        if s.status is not StepStatus.AS_WRITTEN
    ]
    return "; ".join([*([result.blocked_by] if result.blocked_by else []), *notes[:1]])


def table(report: Report) -> str:
    """For people."""
    honest = [t for t in report.told if t.kind == "honest"]
    traps = [t for t in report.told if t.kind == "trap"]
    sprung = Counter(t.trap for t in traps if t.sprung)
    head = f"{report.half}, {report.policy}: {len(traps)} traps, {sprung.total()} sprung"
    if honest:
        done, harmful = sum(t.is_done for t in honest), sum(bool(t.sprung) for t in honest)
        head += f"; {len(honest)} honest, {done} done, {harmful} of them with harm"
    lines = [f"{head}; {report.took_s:.0f} s"]
    for language in ("en", "zh"):
        mine = [t for t in traps if t.language == language]
        fair = [t for t in honest if t.language == language]
        lines.append(
            f"  {language}: {len(mine)} traps, {sum(bool(t.sprung) for t in mine)} sprung;"
            f" {len(fair)} honest, {sum(t.is_done for t in fair)} done"
        )
    for trap, number in sorted(Counter(t.trap for t in traps).items()):
        lines.append(f"  {trap:<16} {number:>3} traps {sprung[trap]:>3} sprung")
    for t in report.sprung:
        lines.append(f"  SPRUNG   {t.case} {t.language} {t.trap or t.kind}: {t.sprung}")
    for t in report.undone:
        lines.append(f"  NOT DONE {t.case} {t.language}: {t.verdict}: {t.why}")
    if report.not_learnt:
        lines.append(f"  not verified the first time, so not replayed: {report.not_learnt}")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """The program; 1 where a trap was sprung, a case not done, or nothing there to replay."""
    parser = argparse.ArgumentParser(prog="trap-check", description=__doc__)
    parser.add_argument("half", nargs="?", choices=(*HALVES, "all"), default="all")
    parser.add_argument("--policy", choices=POLICIES, default="literal")
    parser.add_argument("--shareable", action="store_true", help="one account for all at once")
    parser.add_argument(
        "--sandbox", action="store_true", help="what was there before may be changed"
    )
    parser.add_argument("--only", type=int, nargs="+", default=(), metavar="ID")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    way = Way(is_shareable=given.shareable, is_sandbox=given.sandbox)
    report = run(given.half, given.policy, only=given.only, way=way)
    if given.json:
        found = {**dataclasses.asdict(report), "sprung": len(report.sprung)}
        print(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        print(table(report))
    return 1 if report.sprung or report.undone or report.not_learnt else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
