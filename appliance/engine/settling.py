"""Settle verdicts that waited for a late audit log."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from appliance.consoles import Console
from appliance.core.blocking import to_its_end
from appliance.core.causes import Cause, CauseKind
from appliance.core.checks import AuditEvent
from appliance.core.errors import AttemptError
from appliance.core.result import ChannelResult, ProcedureResult
from appliance.core.verdict import GoalChannel, Verdict
from appliance.outcome.audit_rules import RuleKind, apply_rules, explain_rules
from appliance.store.pending import PendingRow
from appliance.store.store import Store
from appliance.verification import without_known_secrets

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A verdict that waits no longer."""

    run_id: str
    procedure_id: str
    verdict: Verdict
    why: str


async def settle(
    store: Store,
    consoles: Mapping[str, Console],
    now: datetime,
    keep: Callable[[str, ProcedureResult], Awaitable[object]],
    run_id: str | None = None,
) -> tuple[Settled, ...]:
    """Re-examine waiting verdicts; those that waited long enough are settled without the log.

    Args:
        store: Where they are.
        consoles: Whose audit logs can be asked now, by name.
        now: The time.
        keep: Saves the verdict on a procedure of a run, and tells whom it concerns.
        run_id: Only those of this run.
    """
    settled = []
    for row in await asyncio.to_thread(store.pending.all, run_id):
        result = await _ask_again(row, consoles.get(row.console), now)
        if result is None:
            continue
        audit = next((c for c in result.goal.channels if c.channel is GoalChannel.AUDIT), None)
        why = audit.reason if audit else "the audit log"
        await to_its_end(_save(store, row, result, now, why, keep))
        _log.info("verdict_settled", run_id=row.run_id, procedure=row.procedure_id, why=why)
        settled.append(
            Settled(
                run_id=row.run_id, procedure_id=row.procedure_id, verdict=result.verdict, why=why
            )
        )
    return tuple(settled)


async def _save(
    store: Store,
    row: PendingRow,
    result: ProcedureResult,
    now: datetime,
    why: str,
    keep: Callable[[str, ProcedureResult], Awaitable[object]],
) -> None:
    """Save a verdict; repeating this after a crash duplicates nothing."""
    if await asyncio.to_thread(store.began, row.run_id) is not None:
        await asyncio.to_thread(store.pending.note, row, now, why)
        await keep(row.run_id, result)
    await asyncio.to_thread(store.pending.forget, row)


async def _ask_again(
    row: PendingRow, console: Console | None, now: datetime
) -> ProcedureResult | None:
    """The result in view of the log now; None if there is nothing new."""
    is_over = now >= row.deadline
    try:
        if console is None:
            raise AttemptError(f"console {row.console} cannot be asked")
        (account, *_) = console.accounts(row.account)
        events = await console.audit(account, row.began_at)
        # what came after it was the clean-up, or the next attempt
        ours = tuple(event for event in events if event.time <= row.ended_at)
        channel = apply_rules(row.checks, ours, row.bindings)
        is_final = is_over or _is_forbidden(row, ours)
    except AttemptError as exc:
        if not is_over:
            _log.warning("audit_log_not_asked", console=row.console, reason=str(exc))
            return None
        cause = Cause(CauseKind.OUTCOME, f"the audit log could not be asked in time: {exc}")
        undecided = replace(
            row.if_not,
            verdict=Verdict.UNDECIDED,
            blocked_by=str(cause),
            cause=cause.kind,
        )
        return _with(undecided, None, str(exc))
    if channel.reached:
        return _with(row.if_reached, True, channel.reason)
    return _with(row.if_not, False, channel.reason) if is_final else None


def _is_forbidden(row: PendingRow, events: tuple[AuditEvent, ...]) -> bool:
    """Whether the log has a forbidden event, which later events cannot undo."""
    reports = explain_rules(row.checks, events, row.bindings)
    return any(not r.holds and r.kind is RuleKind.FORBID for r in reports)


def _with(result: ProcedureResult, reached: bool | None, reason: str) -> ProcedureResult:
    """The result with what the audit log says now."""
    audit = ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason=reason)
    others = tuple(c for c in result.goal.channels if c.channel is not GoalChannel.AUDIT)
    goal = replace(result.goal, channels=(audit, *others))
    if reached is None:
        goal = replace(goal, reached=None)
    return without_known_secrets(replace(result, goal=goal))
