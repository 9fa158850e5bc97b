"""Asks whoever can say whether the goal was reached: the audit log, judges, the pages."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple

from appliance.consoles import Console
from appliance.core.audit_json import AuditLog
from appliance.core.checks import Checks
from appliance.core.clock import Clock
from appliance.core.errors import OutcomeError
from appliance.core.procedure import Procedure
from appliance.core.result import ChannelResult, Goal
from appliance.core.verdict import GoalChannel, PolicyName
from appliance.environment.lifecycle import Ready
from appliance.outcome.audit_rules import RuleKind, apply_rules, explain_rules
from appliance.outcome.consensus import consensus
from appliance.policy.base import Spent
from appliance.verification.case import LateEvents
from appliance.verification.goal.ui_evidence import ui_evidence
from appliance.verification.second_look.witness import SecondLook, witness
from appliance.verification.trajectory import StopReason, Trajectory

_AUDIT_POLL_S = 0.5


class JudgesVerdict(NamedTuple):
    """What the judges say together."""

    channel: ChannelResult
    spent: Spent


Judge = Callable[[Procedure, Ready, Trajectory], Awaitable[JudgesVerdict]]
"""Asks the judges about an attempt."""


class ChannelReports(NamedTuple):
    """What all channels say of an attempt."""

    goal: Goal
    audit: AuditLog | None
    judging: Spent
    late: LateEvents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Channels:
    """The channels of a console."""

    console: Console
    clock: Clock
    audit_wait_s: float
    """How long to wait for expected events that are not there yet."""
    judge: Judge | None = None
    """None: there are no judges."""
    judges_always: bool = False
    """Whether they are asked beside an audit log that can tell."""

    async def ask(
        self,
        procedure: Procedure,
        ready: Ready,
        trajectory: Trajectory,
        look: SecondLook | None = None,
    ) -> ChannelReports:
        """Whether the goal was reached."""
        heard = await self._audit(procedure, ready)
        channels = [c for c in (heard.channel,) if c is not None]
        will_tell = heard.missing is not None
        judging = Spent()
        if self.judge is not None and self._has_to_be_judged(trajectory, heard.channel, will_tell):
            opinion = await self.judge(procedure, ready, trajectory)
            channels.append(opinion.channel)
            judging = opinion.spent
        if look is not None and (listed := witness(look, trajectory)) is not None:
            channels.append(listed)
        channels.append(ui_evidence(trajectory, procedure.title))
        late = self._late(ready, channels, heard.missing) if heard.missing else None
        return ChannelReports(consensus(channels), heard.log, judging, late)

    def _late(
        self, ready: Ready, channels: Sequence[ChannelResult], missing: ChannelResult
    ) -> LateEvents:
        """What all channels would say together, once the audit log has said its word."""
        now = self.clock.now()
        came = replace(missing, reached=True, reason="the expected events came later")
        others = [c for c in channels if c.channel is not GoalChannel.AUDIT]
        return LateEvents(
            account=ready.account.name,
            began=ready.began,
            ended=now,
            until=now + timedelta(seconds=self.console.audit_delay_s),
            bindings=ready.bindings,
            if_reached=consensus((came, *others)),
            if_not=consensus((missing, *others)),
        )

    def _has_to_be_judged(
        self, trajectory: Trajectory, audit: ChannelResult | None, will_tell: bool
    ) -> bool:
        if trajectory.stop not in (StopReason.ANSWERED, StopReason.GAVE_UP):
            return False
        if self.judges_always or trajectory.policy == PolicyName.MODEL:
            return True
        # of a replay every page is what it was when it was judged
        cannot_tell = audit is None or (audit.reached is None and not will_tell)
        return trajectory.policy == PolicyName.LITERAL and cannot_tell

    async def _audit(self, procedure: Procedure, ready: Ready) -> "_AuditReport":
        """The audit log, which may be late."""
        if not self.console.has_audit:
            return _AuditReport(None, None)
        checks = procedure.checks
        has_rules = bool(checks.expect or checks.forbid)
        deadline = self.clock.monotonic() + self.audit_wait_s
        while True:
            try:
                events = tuple(await self.console.audit(ready.account, ready.began))
                log = AuditLog(events=events, bindings=ready.bindings)
                if not has_rules:
                    return _AuditReport(None, log)
                channel = apply_rules(checks, events, ready.bindings)
            except OutcomeError as exc:
                return _AuditReport(_cannot_tell(str(exc)) if has_rules else None, None)
            if channel.reached or self.clock.monotonic() >= deadline:
                if channel.reached is False and self._may_be_late(checks, log):
                    return _AuditReport(_cannot_tell(f"not yet: {channel.reason}"), log, channel)
                return _AuditReport(channel, log)
            await asyncio.sleep(_AUDIT_POLL_S)

    def _may_be_late(self, checks: Checks, log: AuditLog) -> bool:
        """Whether all that is wrong is that something is not there."""
        if self.console.audit_delay_s <= 0:
            return False
        reports = explain_rules(checks, log.events, log.bindings)
        return all(r.holds or r.kind is RuleKind.EXPECT for r in reports)


class _AuditReport(NamedTuple):
    channel: ChannelResult | None
    """None: there are no rules, or no log."""
    log: AuditLog | None
    missing: ChannelResult | None = None
    """What it says where nothing more comes; None: it is not late."""


def _cannot_tell(why: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.AUDIT, reached=None, reason=why)
