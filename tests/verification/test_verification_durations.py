"""How long it takes, by the text and by the clock."""

import pytest

from appliance.core.verdict import DivergenceKind, Verdict
from appliance.documents import parse_document
from appliance.verification.durations import _AT_ONCE, _DELAYED, _durations

SAID = {
    "This takes about two hours.": 7200,
    "The operation takes at least half an hour.": 1800,
    "Restarting takes two to three hours.": 7200,
    "Restarting the database takes 45 minutes.": 2700,
    "After about twenty minutes the status changes to **Available**.": 1200,
    "It is in the state **Available** after 3-5 minutes.": 180,
    "该操作大约需要两个小时。": 7200,
    "重启大约需要 30 到 40 分钟。": 1800,
    "大约半小时后，状态变为**可用**。": 1800,
}
NOT_SAID = [
    "This takes up to two hours.",
    "This takes less than two hours.",
    "This can take two hours.",
    "This usually takes two hours.",
    "Restoring takes two hours.",
    "Restarting another instance takes two hours.",
    "The database is deleted within two hours.",
    "Sessions end 30 minutes before it.",
    "最多需要两个小时。",
    "恢复大约需要两个小时。",
]
TITLES = {"en": "Restart a database", "zh": "重启数据库"}


def durations(said: str) -> list[float]:
    language = "zh" if any(c >= "\u4e00" for c in said) else "en"
    step = "单击**重启**。" if language == "zh" else "Click **Restart**."
    name = "a.zh.md" if language == "zh" else "a.md"
    text = f"# {TITLES[language]}\n\n{said}\n\n1. {step}\n"
    (procedure,) = parse_document(text, name, "markdown").procedures
    return [one.least_s for one in _durations(procedure)]


@pytest.mark.parametrize("said", SAID)
def test_the_least_time_that_is_said_of_what_is_done(said: str) -> None:
    assert durations(said) == [SAID[said]]


@pytest.mark.parametrize("said", NOT_SAID)
def test_what_bounds_nothing_or_is_of_something_else(said: str) -> None:
    assert durations(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "The change takes effect on the next day.",
        "It takes effect after 24 hours.",
        "修改将在次日生效。",
    ],
)
def test_what_is_late(said: str) -> None:
    assert _DELAYED.search(said) and not _AT_ONCE.search(said)


@pytest.mark.parametrize("said", ["It takes effect at once.", "调整后立即生效。"])
def test_what_is_not(said: str) -> None:
    assert _AT_ONCE.search(said) and not _DELAYED.search(said)


GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**, and click **Create bucket**.
2. In the **Create bucket** dialog, enter a name in **Bucket name**.
3. Click **Create**. {said}
"""
CHECKS = {
    "procedures": {
        "create-a-bucket": {
            "bindings": {"Bucket name": "docs-${unique}"},
            "expect": [{"event": "CreateBucket", "where": {"target_name": "${Bucket name}"}}],
        }
    }
}


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("After about {} the status changes to **Available**.", Verdict.DRIFTED),
        # nobody has seen its end
        ("After about {} the bucket is there.", Verdict.VERIFIED),
    ],
)
async def test_what_came_true_in_an_attempt_took_no_longer(lab, said, verdict) -> None:
    text = GUIDE.format(said=said.format("three hours"))
    result = (await lab.verify(text, CHECKS)).procedures[0]
    assert result.verdict is verdict
    for finding in result.findings:
        assert finding.kind is DivergenceKind.WRONG_RESULT
        assert finding.shown in ("it was over within a minute", "it was over within ten minutes")


async def test_what_takes_its_time_is_true(lab) -> None:
    text = GUIDE.format(said="After a few seconds the status changes to **Available**.")
    assert (await lab.verify(text, CHECKS)).procedures[0].verdict is Verdict.VERIFIED
