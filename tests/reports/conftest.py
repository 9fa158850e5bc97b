"""A night's run, as a report gets it: fourteen procedures in three documents, two languages."""

import hashlib
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from appliance.core.causes import CauseKind
from appliance.core.errors import StoreError
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

BUCKETS = """\
# Buckets

## Create a bucket

1. Go to **Storage** > **Buckets**.
2. Click **Create Bucket**.
3. In **Name**, type a name.
4. From **Storage class**, choose `Standard-IA`.
5. Click **Create**.

The bucket is in the list.

## Delete a bucket

1. Tick the bucket and click
   **Delete
   Bucket**, then confirm.
2. Type the name to confirm and click **Delete**.

## Rename a bucket

1. Click **Rename** in the bucket's row.
"""
NETWORKS = """\
==================
Virtual networks
==================

Create a network
----------------

#. On the :guilabel:`Network` tab, click :menuselection:`Networks --> Create`.
#. Click :guilabel:`Next` twice.
#. Leave :guilabel:`Enable DHCP` ticked, which is the default.

.. note:: Names are unique.
"""
INSTANCES = """\
# 实例

## 创建实例

1. 在左侧导航栏选择 **计算** > **实例**。
2. 单击 **创建实例**，在 **规格** 中选择 **标准型 2 核 4 GB**。
3. 单击 **立即购买**，实例状态变为 `运行中`。
"""
DOCUMENTS = {
    "docs/storage/buckets.md": BUCKETS,
    "docs/network/networks.rst": NETWORKS,
    "docs/zh/instances.md": INSTANCES,
}


def make_png(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    """A picture of one colour with a darker bar on top, like a page with a header."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    dark = bytes(value // 2 for value in colour)
    rows = [(dark if row < height // 8 else bytes(colour)) * width for row in range(height)]
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9))
        + chunk(b"IEND", b"")
    )


@dataclass
class Folder:
    """Artifacts in memory."""

    kept: dict[str, bytes] = field(default_factory=dict, repr=False)
    reads: list[str] = field(default_factory=list, repr=False)

    def put(self, data: bytes, media_type: str) -> ArtifactRef:
        name = hashlib.sha256(data).hexdigest()
        self.kept[name] = data
        return ArtifactRef(name, media_type, len(data))

    def get(self, ref: ArtifactRef) -> bytes:
        self.reads.append(ref.sha256)
        if ref.sha256 not in self.kept:
            raise StoreError("The artifact is gone.")
        return self.kept[ref.sha256]

    def picture(self, number: int) -> ArtifactRef:
        colour = (60 + number * 37 % 180, 110 + number * 61 % 130, 200 - number * 23 % 120)
        return self.put(make_png(64, 45, colour), "image/png")


@dataclass
class Builder:
    """Makes results whose places are true of `DOCUMENTS`."""

    folder: Folder
    count: int = 0

    def finding(
        self,
        document: str,
        quote: str,
        kind: DivergenceKind,
        shown: str,
        suggestion: str | None = None,
        **changes: Any,
    ) -> Finding:
        self.count += 1
        text = DOCUMENTS[document]
        start = text.index(quote)
        end = start + len(quote)
        values: dict[str, Any] = {
            "id": f"f{self.count:02}",
            "fingerprint": hashlib.sha256(f"{kind}{quote}{shown}".encode()).hexdigest()[:16],
            "kind": kind,
            "severity": Severity.MISLEADS,
            "confidence": 0.95,
            "document": document,
            "line": text.count("\n", 0, start) + 1,
            "column": start - text.rfind("\n", 0, start),
            "end_line": text.count("\n", 0, end) + 1,
            "end_column": end - text.rfind("\n", 0, end),
            "quote": quote,
            "shown": shown,
            "suggestion": suggestion,
            "step": "2",
            "evidence": (
                Evidence(
                    kind="before",
                    caption="Before the step",
                    artifact=self.folder.picture(self.count),
                ),
                Evidence(
                    kind="after",
                    caption="After the step",
                    artifact=self.folder.picture(self.count + 1),
                ),
                Evidence(
                    kind="dom",
                    caption="The dialog's HTML",
                    artifact=self.folder.put(
                        b'<button class="primary">New bucket</button>', "text/html"
                    ),
                ),
            ),
        }
        return Finding(**(values | changes))

    def steps(
        self, document: str, line: int, *texts: str, **told: StepStatus
    ) -> tuple[StepResult, ...]:
        """Steps as written, but for those that `told` names as `s2`."""
        results = []
        for number, text in enumerate(texts, 1):
            status = told.get(f"s{number}", StepStatus.AS_WRITTEN)
            tried = status not in (StepStatus.SKIPPED, StepStatus.UNREACHED)
            results.append(
                StepResult(
                    index=str(number),
                    line=line + number - 1,
                    text=text,
                    status=status,
                    note={
                        StepStatus.DIVERGED: "Found under another name.",
                        StepStatus.STUCK: "No control of that name on the page.",
                        StepStatus.UNREACHED: "Step 1 left no way to it.",
                        StepStatus.SKIPPED: "Nothing to do in the console.",
                    }.get(status, ""),
                    before=self.folder.picture(number) if tried else None,
                    after=self.folder.picture(number + 1) if tried else None,
                )
            )
        return tuple(results)

    def procedure(self, document: str, line: int, *titles: str, **changes: Any) -> ProcedureResult:
        findings = changes.get("findings", ())
        values: dict[str, Any] = {
            "id": "/".join([document.rsplit(".")[0], titles[-1].lower().replace(" ", "-")]),
            "title": titles[-1],
            "title_path": titles,
            "document": document,
            "line": line,
            "end_line": line + 8,
            "verdict": Verdict.DRIFTED if findings else Verdict.VERIFIED,
            "goal": goal(True, audit="CreateBucket by member at 02:14:07"),
            "path": "diverged" if findings else "as_written",
            "decided_by": "literal",
            "attempts": 2 if findings else 1,
            "cost": Cost(wall_s=8.25 + line, browser_s=7.0),
            "steps": self.steps(document, line + 2, "Open the list.", "Click Create."),
            "trajectory": self.folder.put(b"{}", "application/x-ndjson"),
        }
        return ProcedureResult(**(values | changes))


def goal(reached: bool | None, *, audit: str = "", ui: str = "The row is in the list.") -> Goal:
    channels = []
    if audit:
        channels.append(ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason=audit))
    channels.append(ChannelResult(channel=GoalChannel.UI, reached=reached, reason=ui))
    return Goal(reached=reached, channels=tuple(channels))


def make_run(folder: Folder) -> RunResult:
    """Fourteen procedures: five have drifted, one is broken, three are without a verdict."""
    b = Builder(folder)
    md, rst, zh = DOCUMENTS
    kinds = DivergenceKind
    create = b.procedure(
        md,
        3,
        "Buckets",
        "Create a bucket",
        findings=(
            b.finding(
                md,
                "Create Bucket",
                kinds.RENAMED_LABEL,
                "a button named “New bucket”",
                "New bucket",
                fingerprint="same-cause",
            ),
            b.finding(
                md,
                "Standard-IA",
                kinds.CHANGED_OPTION,
                "options “Standard”, “Infrequent access” and “Archive”",
                "Infrequent access",
                step="4",
            ),
        ),
        steps=b.steps(
            md,
            5,
            "Go to Storage > Buckets.",
            "Click Create Bucket.",
            "In Name, type a name.",
            "From Storage class, choose Standard-IA.",
            "Click Create.",
            s2=StepStatus.DIVERGED,
            s4=StepStatus.DIVERGED,
        ),
        prerequisites=("You are a member of the project.",),
    )
    delete = b.procedure(
        md,
        13,
        "Buckets",
        "Delete a bucket",
        goal=goal(True),
        findings=(
            b.finding(
                md,
                "Delete\n   Bucket",
                kinds.RENAMED_LABEL,
                "a button named “Remove bucket”",
                "Remove bucket",
                severity=Severity.COSMETIC,
                step="1",
                confidence=0.8,
            ),
        ),
    )
    rename = b.procedure(
        md,
        20,
        "Buckets",
        "Rename a bucket",
        verdict=Verdict.BROKEN,
        path="stuck",
        goal=goal(False, audit="No RenameBucket event in 5 s.", ui="No notice of success."),
        findings=(
            b.finding(
                md,
                "Rename",
                kinds.MISSING_CONTROL,
                "the row's menu has “Open”, “Properties” and “Delete”",
                None,
                severity=Severity.BREAKS,
                step="1",
                line=22,
                column=12,
                end_line=22,
                end_column=18,
            ),
        ),
        steps=b.steps(
            md,
            22,
            "Click Rename in the bucket's row.",
            "Type the new name.",
            s1=StepStatus.STUCK,
            s2=StepStatus.UNREACHED,
        ),
    )
    network = b.procedure(
        rst,
        5,
        "Virtual networks",
        "Create a network",
        findings=(
            b.finding(
                rst,
                "Networks --> Create",
                kinds.MOVED_CONTROL,
                "“Create network” is a button on the page Networks",
                "Networks",
                step="1",
            ),
            b.finding(
                rst,
                "which is the default",
                kinds.CHANGED_DEFAULT,
                "“Enable DHCP” is not ticked at first",
                "which is not the default",
                confidence=0.4,
                is_sure=False,
                step="3",
            ),
        ),
    )
    instance = b.procedure(
        zh,
        3,
        "实例",
        "创建实例",
        goal=goal(True, ui="列表中出现新实例。"),
        findings=(
            b.finding(
                zh,
                "立即购买",
                kinds.RENAMED_LABEL,
                "按钮的名称是“确认创建”",
                "确认创建",
                step="3",
                fingerprint="same-cause",
            ),
        ),
        steps=b.steps(
            zh,
            5,
            "在左侧导航栏选择 计算 > 实例。",
            "单击 创建实例，在 规格 中选择 标准型 2 核 4 GB。",
            "单击 立即购买，实例状态变为 运行中。",
            s3=StepStatus.DIVERGED,
        ),
    )
    blocked = b.procedure(
        zh,
        9,
        "实例",
        "删除实例",
        verdict=Verdict.BLOCKED,
        goal=goal(None, ui="Nothing was tried."),
        attempts=0,
        steps=(),
        decided_by="",
        cost=Cost(wall_s=31.0),
        cause=CauseKind.ENVIRONMENT,
        blocked_by="environment: The network “net-7f3a” could not be made: quota of 10 is used up.",
    )
    log_in = b.procedure(
        rst,
        30,
        "Virtual networks",
        "Share a network",
        verdict=Verdict.BLOCKED,
        attempts=0,
        goal=Goal(reached=None),
        steps=(),
        decided_by="",
        cause=CauseKind.CONSOLE,
        blocked_by="console: Log-in as “admin” was refused.",
    )
    undecided = b.procedure(
        rst,
        40,
        "Virtual networks",
        "Delete a network",
        verdict=Verdict.UNDECIDED,
        goal=Goal(
            reached=None,
            channels=(
                ChannelResult(
                    channel=GoalChannel.AUDIT, reached=False, reason="No DeleteNetwork event."
                ),
                ChannelResult(channel=GoalChannel.UI, reached=True, reason="The row is gone."),
            ),
        ),
        cause=CauseKind.OUTCOME,
        blocked_by="outcome: The audit log and the page disagree.",
    )
    true = tuple(
        b.procedure(md, 100 + 10 * number, "Buckets", f"Task number {number}", goal=goal(True))
        for number in range(6)
    )
    return RunResult(
        id="20260712-020000-7f3a",
        appliance_version="0.1.0",
        commit="c0ffee" * 6 + "c0ff",
        console="practice",
        policy="literal",
        started_at=datetime(2026, 7, 12, 2, 0, tzinfo=UTC),
        ended_at=datetime(2026, 7, 12, 2, 3, 5, tzinfo=UTC),
        procedures=(create, delete, rename, network, instance, blocked, log_in, undecided, *true),
        config={"consoles": {"practice": {"kind": "practice", "release": "2026.7"}}},
        documents={
            document: hashlib.sha256(text.encode()).hexdigest()
            for document, text in DOCUMENTS.items()
        },
    )


@pytest.fixture
def folder() -> Folder:
    return Folder()


@pytest.fixture
def night(folder: Folder) -> RunResult:
    return make_run(folder)


@pytest.fixture
def documents() -> dict[str, str]:
    return dict(DOCUMENTS)


@pytest.fixture
def read_document() -> Callable[[str], str | None]:
    return DOCUMENTS.get


@pytest.fixture
def one_finding(folder: Folder) -> Callable[..., RunResult]:
    """A run with one procedure and one finding in a document `d.md`."""

    def make(**changes: Any) -> RunResult:
        builder = Builder(folder)
        md = next(iter(DOCUMENTS))
        finding = builder.finding(
            md, "Create Bucket", DivergenceKind.RENAMED_LABEL, "a button “New bucket”", "New bucket"
        )
        finding = replace(finding, **changes)
        procedure = builder.procedure(finding.document, 1, "Title", findings=(finding,))
        return replace(make_run(folder), procedures=(procedure,), documents={})

    return make
