"""One answer from what the channels say."""

import pytest

from appliance.core.result import ChannelResult
from appliance.core.verdict import GoalChannel
from appliance.outcome.consensus import consensus

YES, NO, SILENT = True, False, None


@pytest.mark.parametrize(
    ("audit", "judges", "ui", "reached"),
    [
        (YES, YES, NO, YES),
        (NO, NO, YES, NO),
        (YES, NO, YES, SILENT),  # who disagree decide nothing, and the pages do not either
        (NO, YES, YES, SILENT),
        (YES, SILENT, NO, YES),
        (SILENT, NO, YES, NO),
        (SILENT, YES, NO, YES),
        (SILENT, SILENT, YES, YES),
        (SILENT, SILENT, NO, NO),
        (SILENT, SILENT, SILENT, SILENT),
    ],
)
def test_audit_and_judges_decide_and_pages_only_where_both_are_silent(audit, judges, ui, reached):
    said = zip(
        (GoalChannel.UI, GoalChannel.JUDGES, GoalChannel.AUDIT), (ui, judges, audit), strict=True
    )
    channels = tuple(ChannelResult(channel=c, reached=r, reason="") for c, r in said)
    goal = consensus(channels)
    assert goal.reached is reached
    assert goal.channels == channels


def test_nobody_says_anything():
    assert consensus(()).reached is None
