"""Bindings, leases, limits and findings."""

import pytest

from appliance.config import VerificationSettings
from appliance.core import actions
from appliance.core.checks import Checks, Need
from appliance.core.errors import ProvisioningError
from appliance.core.page import Observation, Performed
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.documents import parse_document
from appliance.outcome.bindings import bind_checks, bind_needs
from appliance.policy.base import Decision, Divergence
from appliance.verification.findings import confirmed_findings
from appliance.verification.trajectory import Limits, StopReason, Trajectory, Turn

DOCUMENT = parse_document("# T\n\n1. Click **Create disk**.\n", "docs/t.md", "markdown")
LABEL = DOCUMENT.procedures[0].steps[0].body[0].inlines[0]  # type: ignore[union-attr]


def divergence(span: Span, shown: str, basis: Basis = Basis.ALIKE) -> Divergence:
    return Divergence(
        kind=DivergenceKind.RENAMED_LABEL, severity=Severity.MISLEADS, basis=basis,
        span=span, quote="Create disk", shown=shown, suggestion="New disk", step="1",
    )  # fmt: skip


def attempt(*divergences: Divergence) -> Trajectory:
    decision = Decision(action=actions.Click(1), step="1", divergences=divergences)
    view = Observation(url="http://c/", title="C", elements=(), fingerprint="x")
    turn = Turn(view=view, decision=decision, performed=Performed(ok=True), before=None)
    return Trajectory(turns=[turn], stop=StopReason.ANSWERED)


def test_only_what_every_attempt_saw_becomes_a_finding() -> None:
    once = divergence(Span("docs/t.md", 1, 1, 1, 2), "seen once")
    twice = divergence(LABEL.span, 'the button is called "New disk"')
    found = confirmed_findings(
        DOCUMENT, DOCUMENT.procedures[0], [attempt(twice, once), attempt(twice)], ["a", "b"]
    )
    assert [(f.line, f.column, f.quote) for f in found] == [(3, 12, "Create disk")]


def test_a_doubtful_divergence_is_no_finding() -> None:
    doubtful = divergence(LABEL.span, "perhaps", basis=Basis.DOUBTFUL)
    procedure = DOCUMENT.procedures[0]
    assert confirmed_findings(DOCUMENT, procedure, [attempt(doubtful)], ["a"]) == ()


def test_the_fingerprint_does_not_depend_on_made_up_names() -> None:
    procedure = DOCUMENT.procedures[0]
    prints = {
        confirmed_findings(
            DOCUMENT, procedure, [attempt(divergence(LABEL.span, f"in docs-{unique}"))], [unique]
        )[0].fingerprint
        for unique in ("abc123", "def456")
    }
    assert len(prints) == 1


def test_bindings_may_name_one_another_in_any_order() -> None:
    checks = Checks(
        bindings={"a": "${b}-1", "b": "x-${unique}"}, needs=(Need(kind="k", values={"n": "${a}"}),)
    )
    assert bind_checks(checks, {"unique": "u"}) == {"unique": "u", "b": "x-u", "a": "x-u-1"}
    assert bind_needs(checks, {"unique": "u"})[0].values == {"n": "x-u-1"}
    assert bind_checks(checks, {"unique": "u", "b": "set"})["a"] == "set-1"


def test_an_unbound_name_is_said() -> None:
    with pytest.raises(ProvisioningError, match="nobody"):
        bind_checks(Checks(bindings={"a": "${nobody}"}), {})


class _Clock:
    time = 0.0

    def monotonic(self) -> float:
        return self.time


def test_limits() -> None:
    clock = _Clock()
    limits = Limits.start(VerificationSettings(max_actions=7, max_seconds=10), clock)  # type: ignore[arg-type]
    assert limits.reached(Trajectory()) is None
    turn = attempt().turns[0]
    assert limits.reached(Trajectory(turns=[turn] * 4)) is None
    assert limits.reached(Trajectory(turns=[turn] * 5)) is StopReason.LOOP
    assert limits.reached(Trajectory(turns=[turn] * 7)) is StopReason.MAX_ACTIONS
    clock.time = 10.0
    assert limits.reached(Trajectory()) is StopReason.MAX_SECONDS
