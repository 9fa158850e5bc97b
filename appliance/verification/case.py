"""One procedure under way: what was tried, tier by tier, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from appliance.consoles import Account
from appliance.core.audit_json import AuditLog
from appliance.core.causes import Cause, CauseKind
from appliance.core.claims import Claim
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ChannelResult, Cost, Finding, Goal, ProcedureResult
from appliance.core.verdict import PolicyName, Verdict
from appliance.policy.base import Handover, Spent, Task
from appliance.verification.claim_questions.answers import ClaimAnswers
from appliance.verification.guard import HarmRecord
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.verdict import DrawnVerdict

_OF_POLICY = (CauseKind.POLICY, CauseKind.NOT_ALLOWED, CauseKind.NOT_TRIED)
_NOT_REACHED = "done as it was understood, the procedure did not lead to its goal"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateEvents:
    """Expected events are not there, and the audit log may be late: what it may still say."""

    account: str
    """Whose events they are."""
    began: datetime
    ended: datetime
    """Of the attempt: its events are between the two."""
    until: datetime
    """From then on what is not there will not come."""
    bindings: Mapping[str, str]
    if_reached: Goal
    if_not: Goal


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingAttempt:
    """An attempt that went well as far as anybody can tell, without the events that prove it."""

    late: LateEvents
    if_reached: DrawnVerdict
    if_not: DrawnVerdict
    findings: tuple[Finding, ...] = ()
    """What is untrue: told once it is known that the goal was reached."""
    claims: tuple[Claim, ...] = ()
    """As they are then."""

    @property
    def drawn(self) -> DrawnVerdict:
        """What is said until then."""
        until = f"{self.late.until:%Y-%m-%d %H:%M} {self.late.until.tzname()}"
        why = f"the audit log is late: the expected events may come until {until}"
        return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.OUTCOME, why))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAttempt:
    """One attempt with what the channels say about it."""

    task: Task
    trajectory: Trajectory
    account: Account
    goal: Goal
    audit: AuditLog | None = None
    """What the backend logged of it; None: it cannot be asked."""
    late: LateEvents | None = None
    """None: the audit log has said all, or there is none."""
    judging: Spent = field(default_factory=Spent)
    """What the judges took."""
    resource_cost: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Whether it ended by itself or by a bound: no boundary failed."""
        return self.trajectory.stop is not StopReason.ERROR

    @property
    def spent(self) -> Spent:
        """What models took: the policy's and the judges."""
        return self.trajectory.spent + self.judging

    @property
    def channels(self) -> tuple[ChannelResult, ...]:
        """What each channel says."""
        return self.goal.channels


@dataclass(frozen=True, slots=True, kw_only=True)
class TierAttempts:
    """What one tier did, and what it would say alone."""

    policy: PolicyName | None
    """None: nothing was attempted."""
    attempts: tuple[JudgedAttempt, ...]
    drawn: DrawnVerdict
    findings: tuple[Finding, ...] = ()
    wall_s: float = 0.0
    pending: PendingAttempt | None = None
    """What a late audit log would make of it."""
    asked: ClaimAnswers = field(default_factory=ClaimAnswers)
    """What a model says of claims that nobody could check."""

    @property
    def cost(self) -> Cost:
        """What it took."""
        spent = sum((t.spent for t in self.attempts), self.asked.spent)
        return Cost(
            wall_s=self.wall_s,
            browser_s=sum(t.trajectory.browser_s for t in self.attempts),
            model_s=spent.model_s,
            model_calls=spent.calls,
            tokens=spent.tokens,
            resource_cost=sum(t.resource_cost for t in self.attempts),
        )

    def handover(self) -> Handover | None:
        """What a dearer tier is told; not what witnesses wait for, or it would do just that."""
        if not self.attempts:
            return None
        last, cause = self.attempts[-1].trajectory, self.drawn.cause
        return Handover(
            tier=last.policy,
            why=str(cause) if cause and cause.kind in _OF_POLICY else _NOT_REACHED,
            reports=tuple(last.reports()),
            divergences=tuple(divergence for _, divergence in last.divergences()),
        )


@dataclass(slots=True)
class Case:
    """One procedure under way."""

    document: Document
    procedure: Procedure
    started: float
    """By the monotonic clock, when it had an account last."""
    locale: str = ""
    """Of the console, where it is not left to the settings and the document."""
    region: str = ""
    """Of the account, where it is not left to chance."""
    tiers: list[TierAttempts] = field(default_factory=list)
    attempts: int = 0
    """Begun so far, whatever became of them."""
    done: HarmRecord = field(default_factory=HarmRecord)
    """What attempts may have done that hurts when it is done again."""
    result: ProcedureResult | None = None

    def put(self, old: TierAttempts, new: TierAttempts) -> None:
        """A tier with more known of it, in its own place."""
        self.tiers[:] = [new if tier is old else tier for tier in self.tiers]

    @property
    def intro(self) -> str:
        """What the document says above the procedure's first step."""
        begins, first = self.procedure.span.line, self.procedure.steps[0].span.line
        return "\n".join(self.document.lines[begins - 1 : first - 1])

    def cost(self, wall_s: float) -> Cost:
        """Of all tiers."""
        return total([r.cost for r in self.tiers], wall_s)


def total(costs: Sequence[Cost], wall_s: float) -> Cost:
    """All of them together, in this time."""
    together = Cost(wall_s=wall_s)
    for cost in costs:
        together = replace(
            together,
            browser_s=together.browser_s + cost.browser_s,
            model_s=together.model_s + cost.model_s,
            model_calls=together.model_calls + cost.model_calls,
            tokens=together.tokens + cost.tokens,
            resource_cost=together.resource_cost + cost.resource_cost,
        )
    return together
