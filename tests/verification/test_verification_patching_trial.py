"""Patches are tried before they are offered, and nothing else comes of that."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.config import AccountSettings
from appliance.consoles import Account
from appliance.core import actions
from appliance.core.page import Observation, Performed
from appliance.core.procedure import Sentence
from appliance.core.result import ChannelResult, Finding, Goal
from appliance.core.source import Span
from appliance.core.verdict import (
    AfterChange,
    Basis,
    DivergenceKind,
    GoalChannel,
    PolicyName,
    Severity,
    StepStatus,
    Verdict,
)
from appliance.documents import parse_document
from appliance.policy.base import Decision, Divergence, StepReport, Task
from appliance.reports import read_source, suggested_patch
from appliance.store.store import Store
from appliance.verification import document_edits
from appliance.verification.case import Case, JudgedAttempt, TierAttempts
from appliance.verification.findings import make_finding
from appliance.verification.patching import PatchTrial
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verdict import DrawnVerdict

GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Create bucket** dialog, enter a name in **Bucket name**.
4. Click **Create**.

A message says **Bucket created**.
"""
CHECKS = {
    "procedures": {
        "create-a-bucket": {
            "bindings": {"Bucket name": "docs-${unique}"},
            "expect": [{"event": "CreateBucket", "where": {"target_name": "${Bucket name}"}}],
        }
    }
}
RENAMED = {
    "kind": "rename_label",
    "target": "storage.resources.bucket.actions.create",
    "label": {"en": "New bucket"},
}


async def test_a_patch_with_which_the_procedure_verifies_is_offered(lab, tmp_path: Path) -> None:
    lab.try_patches = "always"
    run = await lab.verify(GUIDE, CHECKS, (RENAMED,))
    (result,) = run.procedures
    assert result.verdict is Verdict.DRIFTED
    assert result.attempts == 2
    assert lab.attempts == 3
    tried = [f for f in result.findings if f.suggestion]
    assert tried
    assert {f.after_change for f in tried} == {AfterChange.VERIFIED}
    with Store.open(lab.folder) as store:
        (kept,) = store.load_run(run.id).procedures
        assert [f.after_change for f in kept.findings] == [f.after_change for f in result.findings]
    patch = suggested_patch(run, read_source, lambda path: Path(path).name)
    repository = tmp_path / "repository"
    repository.mkdir()
    (repository / "guide.md").write_text(GUIDE, "utf-8")
    (repository / "s.patch").write_text(patch, "utf-8")
    for words in (["init", "-q"], ["apply", "--check", "s.patch"], ["apply", "s.patch"]):
        subprocess.run(["git", *words], cwd=repository, check=True, timeout=20)
    assert "2. Click **New bucket**." in (repository / "guide.md").read_text("utf-8")
    assert lab.buckets_left == []


async def test_a_verification_that_a_person_waits_for_tries_nothing_unless_asked(lab) -> None:
    result = (await lab.verify(GUIDE, CHECKS, (RENAMED,))).procedures[0]
    assert lab.attempts == 2
    assert {f.after_change for f in result.findings} == {AfterChange.UNTRIED}


DOCUMENT = parse_document(GUIDE, "guide.md", "markdown")


def finding(line: int, quote: str, suggestion: str | None, step: str) -> Finding:
    column = DOCUMENT.lines[line - 1].index(quote) + 1
    span = Span("guide.md", line, column, line, column + len(quote))
    divergence = Divergence(
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        basis=Basis.ALIKE,
        span=span,
        quote=quote,
        shown="another",
        suggestion=suggestion,
        step=step,
    )
    return make_finding(DOCUMENT, DOCUMENT.procedures[0], divergence, (), ())


CLICKED = Turn(
    view=Observation(url="http://c/", title="C", elements=(), texts=(), dialogs=()),
    decision=Decision(
        action=actions.Click(1),
        step="1",
        reports=(StepReport(step="1", status=StepStatus.AS_WRITTEN),),
    ),
    performed=Performed(ok=True),
    before=None,
)


def judged(*, reached: bool, stop: StopReason = StopReason.ANSWERED) -> JudgedAttempt:
    channel = ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason="the log")
    return JudgedAttempt(
        task=Task(procedure=DOCUMENT.procedures[0]),
        trajectory=Trajectory(turns=[CLICKED], stop=stop),
        account=Account(name="alice", settings=AccountSettings(username="alice")),
        goal=Goal(reached=reached, channels=(channel,)),
    )


async def fates(
    findings: list[Finding], works: Callable[[str], bool]
) -> tuple[list[AfterChange], list[str]]:
    """What becomes of the patches of findings in a console where some texts work."""
    texts: list[str] = []
    case = Case(DOCUMENT, DOCUMENT.procedures[0], 0.0)

    async def attempt(patched: Case) -> JudgedAttempt:
        texts.append("\n".join(patched.document.lines))
        return judged(reached=works(texts[-1]))

    chosen = TierAttempts(
        policy=PolicyName.LITERAL,
        attempts=(judged(reached=True),),
        drawn=DrawnVerdict(Verdict.DRIFTED),
        findings=tuple(findings),
    )
    tried = await PatchTrial(case=case, chosen=chosen, attempt=attempt).run()
    return [f.after_change for f in tried.findings], texts


async def test_several_are_tried_together() -> None:
    found = [finding(6, "Create bucket", "New bucket", "2"), finding(8, "Create", "Make", "4")]
    fate, texts = await fates(found, lambda text: True)
    assert fate == [AfterChange.VERIFIED] * 2
    (text,) = texts
    assert text == GUIDE.replace("Click **Create bucket**", "Click **New bucket**").replace(
        "Click **Create**", "Click **Make**"
    )


async def test_where_that_fails_they_are_tried_one_by_one() -> None:
    found = [finding(6, "Create bucket", "New bucket", "2"), finding(8, "Create", "Wrong", "4")]
    fate, texts = await fates(found, lambda text: "Wrong" not in text)
    assert len(texts) == 3
    assert fate[1] is AfterChange.FAILED


@pytest.mark.parametrize("suggestion", [None, "1. press New bucket", "press New bucket"])
async def test_what_is_no_patch_is_not_tried(suggestion: str | None) -> None:
    fate, texts = await fates([finding(6, "Create bucket", suggestion, "2")], lambda text: True)
    assert (fate, texts) == ([AfterChange.UNTRIED], [])


async def test_a_failed_patch_is_left_out_of_the_patch_file() -> None:
    found = finding(6, "Create bucket", "Wrong", "2")
    fate, texts = await fates([found], lambda text: False)
    assert (fate, len(texts)) == ([AfterChange.FAILED], 1)
    plan = document_edits("guide.md", GUIDE, [replace(found, after_change=fate[0])])
    assert plan.edits == ()
    assert [out.why for out in plan.left_out] == [
        "it was tried: the procedure does not verify with it"
    ]


WRAPPED = """# Zones

1. Open **Zones &amp; records** and press **Register
   domain**, then wait.
2. Wait.
"""


@pytest.mark.parametrize(
    ("quote", "source", "suggestion"),
    [
        ("Register domain", "Register\n   domain", "Add zone"),
        ("Zones & records", "Zones &amp; records", "Add zone"),
        ("Register a zone", None, None),
    ],
)
def test_a_suggestion_is_for_the_words_that_stand_there(
    quote: str, source: str | None, suggestion: str | None
) -> None:
    """Of a quote that a model puts into its own words, the whole sentence was replaced."""
    document = parse_document(WRAPPED, "z.md", "markdown")
    (sentence,) = (b for b in document.procedures[0].steps[0].body if isinstance(b, Sentence))
    divergence = Divergence(
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        basis=Basis.ALIKE,
        span=sentence.span,
        quote=quote,
        shown="something else",
        suggestion="Add zone",
        step="1",
    )
    found = make_finding(document, document.procedures[0], divergence, (), ())
    assert found.suggestion == suggestion
    if source is None:
        assert found.shown == 'something else; instead of "Register a zone": "Add zone"'
    else:
        assert found.quote == source
        (edit,) = document_edits("z.md", WRAPPED, [found]).edits
        assert edit.new.split() == ["Add", "zone"]


def test_two_findings_on_one_line_and_one_in_another_claim() -> None:
    text = GUIDE.replace("2. Click **Create bucket**.", "2. Click **New**, then **Create bucket**.")
    document = parse_document(text, "guide.md", "markdown")
    divergences = [
        Divergence(
            kind=DivergenceKind.RENAMED_LABEL,
            severity=Severity.MISLEADS,
            basis=Basis.ALIKE,
            span=inline.span,
            quote=inline.text,
            shown="",
            suggestion=f"{inline.text} now",
            step="2",
        )
        for part in document.procedures[0].steps[1].body
        if isinstance(part, Sentence)
        for inline in part.inlines
    ]
    found = [make_finding(document, document.procedures[0], one, (), ()) for one in divergences]
    plan = document_edits("guide.md", text, found)
    assert len(plan.edits) == 2
    assert plan.new_text == text.replace(
        "**New**, then **Create bucket**", "**New now**, then **Create bucket now**"
    )
