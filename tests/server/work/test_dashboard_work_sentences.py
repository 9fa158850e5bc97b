"""What the engine says on pages: in Chinese where the reader reads that, else as it is stored."""

import re
from dataclasses import replace
from html import unescape

import pytest

from appliance.core.causes import Cause, CauseKind
from appliance.core.result import ChannelResult, Cost, Goal, TierResult
from appliance.core.verdict import GoalChannel, StepStatus, Verdict
from appliance.store.sweeps import SweepRow, SweepState

EVIL = "<script>document.title = 'evil'</script>"  # as in the documents of the night
ENGLISH = {"Accept": "text/html", "Accept-Language": "en"}
CHINESE = {"Accept": "text/html", "Accept-Language": "zh-CN"}
BOTH = (
    ('the button is called "Make bucket"', "该按钮名为“Make bucket”"),
    (
        f'nothing called "{EVIL}" in the page "Buckets"; it offers "A", "B" and 2 more',
        f"页面“Buckets”中没有“{EVIL}”；现有“A”、“B”，另有 2 项",
    ),
    ("policy: step 2: its condition is not given", "步骤 2：条件不成立"),
    (
        "no CreateBucket event; 1 other: ListBuckets",
        "没有 CreateBucket 事件；另有 1 个：ListBuckets",
    ),
    ("by it the procedure is broken, which was looked into", "单独判断为走不通，已进一步核查"),
)


def seen(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", page.partition("<main")[2])).split())


async def test_a_procedure_is_told_in_the_reader_s_language(local, night, store):
    renamed, missing, cause, audit, tier = (english for english, _ in BOTH)
    first = night.run.procedures[0]
    result = replace(
        first,
        verdict=Verdict.UNDECIDED,
        cause=CauseKind.POLICY,
        blocked_by=cause,
        steps=(
            replace(first.steps[0], status=StepStatus.STUCK, note=missing),
            replace(first.steps[1], note="something that nobody foresaw"),
            *first.steps[2:],
        ),
        findings=(replace(first.findings[0], shown=renamed),),
        goal=Goal(
            reached=False,
            channels=(ChannelResult(channel=GoalChannel.AUDIT, reached=False, reason=audit),),
        ),
        tiers=(
            TierResult(policy="literal", verdict=Verdict.BROKEN, attempts=2, cost=Cost(), why=tier),
        ),
    )
    store.save_procedure(night.run.id, result)
    path = f"/procedures/practice/{first.id}"
    in_english = (await local.get(path, headers=ENGLISH)).text
    in_chinese = (await local.get(path, headers=CHINESE)).text
    assert [english for english, _ in BOTH if english not in seen(in_english)] == []
    assert [chinese for _, chinese in BOTH if chinese not in seen(in_chinese)] == []
    assert [english for english, _ in BOTH if english in seen(in_chinese)] == []
    assert EVIL not in in_english + in_chinese  # but as text
    assert 'lang="en">something that nobody foresaw</span>' in in_chinese
    assert '<span class="isolate">something that nobody foresaw</span>' in in_english


@pytest.mark.parametrize(
    "path", ["/findings/{renamed}", "/documents/view?path={document}", "/", "/findings?state=all"]
)
async def test_a_finding_is_told_in_the_reader_s_language(local, night, path):
    first = night.run.procedures[0]
    path = path.format(renamed=night.renamed, document=first.document)
    english, chinese = 'the button is called "Make bucket"', "该按钮名为“Make bucket”"
    if path.startswith("/findings?"):
        english = f'nothing is called "Share"; it offers "{EVIL}"'
        chinese = f'nothing is called "Share"；现有“{EVIL}”'
    pages = [(await local.get(path, headers=headers)).text for headers in (ENGLISH, CHINESE)]
    assert [english in seen(page) for page in pages] == [True, False]
    assert [chinese in seen(page) for page in pages] == [False, True]
    assert [EVIL in page for page in pages] == [False, False]


async def test_runs_and_accounts_are_told_in_the_reader_s_language(local, service, night, clock):
    cause = Cause(CauseKind.CONSOLE_DOWN, "the console does not answer: ConnectError")
    row = SweepRow(
        id="20261120-220000-abcd",
        console="practice",
        state=SweepState.RUNNING,
        why="",
        request={},
        planned_at=clock.now(),
        requested_by="ann",
    )
    service.store.sweeps.add(row, [])
    service.store.sweeps.pause(row.id, cause, clock.now())
    for path in (f"/runs/{row.id}", "/", "/runs"):
        english = (await local.get(path, headers=ENGLISH)).text
        chinese = (await local.get(path, headers=CHINESE)).text
        assert "the console does not answer: ConnectError" in english
        assert "the console does not answer" not in chinese
        assert "控制台没有响应：ConnectError" in chinese
