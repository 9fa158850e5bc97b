"""Asks whoever can say whether the goal was reached: the audit log, judges, the pages."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple

from appliance.consoles.base import Console
from appliance.core.audit_json import AuditLog
from appliance.core.checks import Checks
from appliance.core.clock import Clock
from appliance.core.errors import OutcomeError
from appliance.core.page import TextKind
from appliance.core.procedure import Procedure
from appliance.core.result import ChannelResult, Goal
from appliance.core.verdict import GoalChannel, StepStatus
from appliance.environment.lifecycle import Ready
from appliance.outcome import RuleKind, apply_rules, explain_rules
from appliance.outcome.consensus import consensus
from appliance.policy import Spent
from appliance.verification.case import Late
from appliance.verification.trajectory import StopReason, Trajectory

_CHANGES = frozenset({"click", "check", "select", "type", "upload", "press", "drag"})
_QUOTA = re.compile(r"quota|limit exceeded|配额", re.IGNORECASE)


def ui_evidence(trajectory: Trajectory) -> ChannelResult:
    """Say whether the goal was reached, from messages, errors and what was left open."""
    reached, reason = _judge(trajectory)
    return ChannelResult(channel=GoalChannel.UI, reached=reached, reason=reason)


def quota_message(trajectory: Trajectory) -> str | None:
    """The message of an exhausted quota, where one was shown."""
    for turn in trajectory.turns:
        for text in turn.view.texts:
            is_error = text.kind is TextKind.ERROR or text.tone == "error"
            if is_error and _QUOTA.search(text.text):
                return text.text
    return None


def last_error(trajectory: Trajectory) -> str | None:
    """The error that the last pages show."""
    for turn in reversed(trajectory.turns[-3:]):
        for text in turn.view.texts:
            if (text.kind is TextKind.ERROR or text.tone == "error") and text.text.strip():
                return text.text
    return None


def _judge(trajectory: Trajectory) -> tuple[bool | None, str]:
    if trajectory.stop is not StopReason.ANSWERED or not trajectory.turns:
        return False, f"the attempt ended early ({trajectory.stop})"
    if error := last_error(trajectory):
        return False, f'the console shows the error "{error}"'
    final = trajectory.turns[-1].view
    if final.dialogs:
        return False, f'the dialog "{final.dialogs[-1]}" is still open at the end'
    last_success, message = _last_success(trajectory)
    if stuck := _failed_after(trajectory, last_success):
        return False, f"step {stuck} could not be carried out, and no message of success followed"
    if message:
        return True, f'the console says "{message}"'
    typed = [t.decision.action.text for t in trajectory.turns if t.decision.action.kind == "type"]
    shown = [v for v in typed if v and any(v in x.text for x in final.texts)]
    if shown:
        return True, f'"{shown[-1]}" is shown at the end'
    if not typed:
        return True, "every step could be carried out, and nothing was to be entered"
    return None, "no message and no entry in a list says whether the goal was reached"


def _last_success(trajectory: Trajectory) -> tuple[int, str]:
    """The turn that first showed the newest message of success, and its words; -1 for none."""
    newest, before = (-1, ""), set[str]()
    for n, turn in enumerate(trajectory.turns):
        told = [t.text for t in turn.view.notices("success")]
        if fresh := [t for t in told if t not in before]:
            newest = (n, fresh[-1])
        before = set(told)
    return newest


def _failed_after(trajectory: Trajectory, turn: int) -> str | None:
    """The first step that failed from a turn on."""
    bad = (StepStatus.STUCK, StepStatus.UNREACHED)
    for later in trajectory.turns[max(turn, 0) :]:
        for report in later.decision.reports:
            if report.status in bad:
                return report.step
    return None


_AUDIT_POLL_S = 0.5


class Opinion(NamedTuple):
    """What the judges say together."""

    channel: ChannelResult
    spent: Spent


Judge = Callable[[Procedure, Ready, Trajectory], Awaitable[Opinion]]
"""Asks the judges about an attempt."""


class Heard(NamedTuple):
    """What all channels say of an attempt."""

    goal: Goal
    audit: AuditLog | None
    judging: Spent
    late: Late | None = None


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

    async def ask(self, procedure: Procedure, ready: Ready, trajectory: Trajectory) -> Heard:
        """Whether the goal was reached."""
        heard = await self._audit(procedure, ready)
        channels = [c for c in (heard.channel,) if c is not None]
        will_tell = heard.missing is not None
        judging = Spent()
        if self.judge is not None and self._has_to_be_judged(trajectory, heard.channel, will_tell):
            opinion = await self.judge(procedure, ready, trajectory)
            channels.append(opinion.channel)
            judging = opinion.spent
        channels.append(ui_evidence(trajectory))
        late = self._late(ready, channels, heard.missing) if heard.missing else None
        return Heard(consensus(channels), heard.log, judging, late)

    def _late(
        self, ready: Ready, channels: Sequence[ChannelResult], missing: ChannelResult
    ) -> Late:
        """What all channels would say together, once the audit log has said its word."""
        now = self.clock.now()
        came = replace(missing, reached=True, reason="the expected events came later")
        others = [c for c in channels if c.channel is not GoalChannel.AUDIT]
        return Late(
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
        if self.judges_always or trajectory.policy == "model":
            return True
        # of a replay every page is what it was when it was judged
        cannot_tell = audit is None or (audit.reached is None and not will_tell)
        return trajectory.policy == "literal" and cannot_tell

    async def _audit(self, procedure: Procedure, ready: Ready) -> "_Log":
        """The audit log, which may be late."""
        if not self.console.has_audit:
            return _Log(None, None)
        checks = procedure.checks
        has_rules = bool(checks.expect or checks.forbid)
        deadline = self.clock.monotonic() + self.audit_wait_s
        while True:
            try:
                events = tuple(await self.console.audit(ready.account, ready.began))
                log = AuditLog(events=events, bindings=ready.bindings)
                if not has_rules:
                    return _Log(None, log)
                channel = apply_rules(checks, events, ready.bindings)
            except OutcomeError as exc:
                return _Log(_cannot_tell(str(exc)) if has_rules else None, None)
            if channel.reached or self.clock.monotonic() >= deadline:
                if channel.reached is False and self._may_be_late(checks, log):
                    return _Log(_cannot_tell(f"not yet: {channel.reason}"), log, channel)
                return _Log(channel, log)
            await asyncio.sleep(_AUDIT_POLL_S)

    def _may_be_late(self, checks: Checks, log: AuditLog) -> bool:
        """Whether all that is wrong is that something is not there."""
        if self.console.audit_delay_s <= 0:
            return False
        reports = explain_rules(checks, log.events, log.bindings)
        return all(r.holds or r.kind is RuleKind.EXPECT for r in reports)


class _Log(NamedTuple):
    channel: ChannelResult | None
    """None: there are no rules, or no log."""
    log: AuditLog | None
    missing: ChannelResult | None = None
    """What it says where nothing more comes; None: it is not late."""


def _cannot_tell(why: str) -> ChannelResult:
    return ChannelResult(channel=GoalChannel.AUDIT, reached=None, reason=why)
