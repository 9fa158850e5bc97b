"""A night's results on two documents in a repository of their own, and a browser to look at them.

Three procedures have drifted in one word that all of them say, one is broken, one is true, and one
was never verified. The text of one holds markup that must stay text.
"""

import struct
import subprocess
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from appliance.config import DocumentationSettings, Settings
from appliance.core.claims import Claim, ClaimStatus
from appliance.core.procedure import Document, Procedure
from appliance.core.result import (
    ArtifactRef,
    ChannelResult,
    Cost,
    Evidence,
    Finding,
    Goal,
    ProcedureResult,
    RunResult,
    StepResult,
)
from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.documents import load_documents
from appliance.policy.literal import stated_claims
from appliance.store.incident import incident_id
from appliance.store.store import Store
from tests.chromium import chromium as started_chromium

EVIL = "<script>document.title = 'evil'</script>"
BUCKETS = f"""\
# Buckets

## Create a bucket

Anybody may do this.

1. Go to **Products** > **Buckets**.
2. Click **Create Bucket** and see {EVIL}.
3. In **Name**, type a name. It must be new.

The bucket is in the list.

## Copy a bucket

1. Click **Create Bucket**.
2. Click **Copy**.

## Share a bucket

1. Click **Share**.
2. Click **Done**.

## Delete a bucket

1. Tick the bucket and click **Delete**.
"""
CHINESE = """\
# 存储桶

## 创建存储桶

1. 打开**产品** > **存储桶**。
2. 单击**Create Bucket**。
"""
RUN = "20261121-020000-cafe"


@dataclass(frozen=True)
class Night:
    """What was verified."""

    folder: Path
    """The repository of the documentation."""
    documents: dict[str, Document]
    run: RunResult
    renamed: str
    """Incident: the word that three procedures say."""
    missing: str
    """Incident: without a suggestion."""
    picture: str
    """SHA-256 of a screenshot."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    docs = DocumentationSettings(paths=(tmp_path / "repository" / "docs",))
    (tmp_path / "data").mkdir()
    return Settings(data_dir=tmp_path / "data", documentation=docs)


@pytest.fixture
def night(settings: Settings, store: Store, clock) -> Night:
    """The results, in the store."""
    (folder,) = settings.documentation.paths
    folder.mkdir(parents=True)
    (folder / "buckets.md").write_text(BUCKETS, encoding="utf-8")
    (folder / "buckets.zh.md").write_text(CHINESE, encoding="utf-8")
    for command in (["init", "-q"], ["add", "-A"], _commit("as it was")):
        subprocess.run(["git", *command], cwd=folder.parent, check=True)
    documents = {Path(d.path).name: d for d in load_documents([folder])}
    picture = store.artifacts.put(png(64, 45), "image/png")
    dom = store.artifacts.put(f"<b>{EVIL}</b>".encode(), "text/html")
    results = tuple(_results(documents, picture, dom))
    now = clock.now()
    run = RunResult(
        id=RUN,
        appliance_version="0.1",
        commit="0" * 40,
        console="practice",
        policy="literal",
        started_at=now - timedelta(minutes=9),
        ended_at=now - timedelta(minutes=1),
        procedures=results,
        documents={d.path: d.revision for d in documents.values()},
    )
    store.start_run(run, len(results))
    for result in results:
        store.save_procedure(run.id, result)
    store.save_run(run)
    return Night(
        folder=folder.parent,
        documents=documents,
        run=run,
        renamed=incident_id("practice", "renamed"),
        missing=incident_id("practice", "missing"),
        picture=picture.sha256,
    )


def _commit(message: str) -> list[str]:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    return [*who, "commit", "-q", "-m", message]


def _results(
    documents: dict[str, Document], picture: ArtifactRef, dom: ArtifactRef
) -> Iterator[ProcedureResult]:
    english, chinese = documents["buckets.md"], documents["buckets.zh.md"]
    create, copy, share, _never = english.procedures
    shots = (
        Evidence(kind="before", caption=f"Buckets {EVIL}", artifact=picture),
        Evidence(kind="dom", caption="HTML around it", artifact=dom),
        Evidence(kind="trajectory", caption="turn 3", text='click "Make bucket"'),
    )
    for document, procedure in ((english, create), (english, copy), (chinese, *chinese.procedures)):
        found = renamed(document, procedure, shots)
        yield _result(document, procedure, Verdict.DRIFTED, picture, found)
    gone = finding(
        english,
        share,
        "Share",
        kind=DivergenceKind.MISSING_CONTROL,
        severity=Severity.BREAKS,
        fingerprint="missing",
        shown=f'nothing is called "Share"; it offers "{EVIL}"',
        suggestion=None,
        evidence=shots,
    )
    yield _result(english, share, Verdict.BROKEN, picture, gone)


def renamed(
    document: Document, procedure: Procedure, evidence: tuple[Evidence, ...] = ()
) -> Finding:
    """The button has another name."""
    return finding(
        document,
        procedure,
        "Create Bucket",
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        fingerprint="renamed",
        shown='the button is called "Make bucket"',
        suggestion="Make bucket",
        evidence=evidence,
    )


def finding(document: Document, procedure: Procedure, quote: str, **more: object) -> Finding:
    """A finding at the first step of the procedure that says the quote."""
    step = next(step for step in procedure.walk() if quote in step.text)
    line = step.span.line
    column = document.lines[line - 1].index(quote) + 1
    return Finding(
        id=f"{procedure.id}-{line}",
        confidence=0.9,
        document=document.path,
        line=line,
        column=column,
        end_line=line,
        end_column=column + len(quote),
        quote=quote,
        step=step.index,
        **more,
    )


def _result(
    document: Document, procedure: Procedure, verdict: Verdict, picture: ArtifactRef, one: Finding
) -> ProcedureResult:
    is_broken = verdict is Verdict.BROKEN
    told = StepStatus.STUCK if is_broken else StepStatus.DIVERGED
    steps, seen = [], False
    for step in procedure.walk():
        status = StepStatus.UNREACHED if is_broken and seen else StepStatus.AS_WRITTEN
        if step.index == one.step:
            status, seen = told, True
        steps.append(
            StepResult(
                index=step.index,
                line=step.span.line,
                text=step.text,
                status=status,
                before=picture,
            )
        )
    reason = "CreateBucket found" if not is_broken else "no CreateBucket event"
    return ProcedureResult(
        id=procedure.id,
        title=procedure.title,
        title_path=procedure.title_path,
        document=document.path,
        line=procedure.span.line,
        end_line=procedure.span.end_line,
        verdict=verdict,
        goal=Goal(
            reached=not is_broken,
            channels=(
                ChannelResult(channel=GoalChannel.AUDIT, reached=not is_broken, reason=reason),
            ),
        ),
        path="stuck" if is_broken else "diverged",
        decided_by="literal",
        attempts=2,
        cost=Cost(wall_s=12.5, browser_s=4.0),
        steps=tuple(steps),
        findings=(one,),
        claims=tuple(_claims(procedure, steps, one)),
    )


def _claims(procedure: Procedure, steps: list[StepResult], one: Finding) -> Iterator[Claim]:
    """What can be looked for was seen in the steps that were done; after a break nothing is."""
    done = {s.index for s in steps if s.status in (StepStatus.AS_WRITTEN, StepStatus.DIVERGED)}
    is_broken = any(s.status is StepStatus.STUCK for s in steps)
    for said in stated_claims(procedure):
        status = ClaimStatus.NOT_CHECKED
        if said.is_read and (said.step in done or (not said.step and not is_broken)):
            status = ClaimStatus.CONFIRMED
        if said.text == one.quote:
            status = ClaimStatus.CONTRADICTED
        where = said.span
        yield Claim(
            kind=said.kind,
            status=status,
            text=said.text,
            line=where.line,
            column=where.column,
            end_line=where.end_line,
            end_column=where.end_column,
            step=said.step,
            reason="" if status is not ClaimStatus.NOT_CHECKED else "nothing on the page says so",
        )


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + b"\x88" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


@pytest.fixture
async def chromium() -> AsyncIterator[BrowserContext]:
    """A window of a real browser, 1280 wide."""
    async with started_chromium() as browser:
        yield await browser.new_context(
            viewport={"width": 1280, "height": 900}, locale="en-GB", accept_downloads=True
        )
