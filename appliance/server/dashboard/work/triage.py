"""What people say of findings: of one, or of many at once; and taking it back."""

import asyncio
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from litestar import post
from litestar.response import Redirect

from appliance.core.errors import ApplianceError, SetupError
from appliance.server.activity import about
from appliance.server.callers import TheCaller
from appliance.server.dashboard.frame import (
    PageRequest,
    field,
    member_named,
    redirect_with_notice,
    redirect_with_problem,
    words_of,
)
from appliance.server.logins import local
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs
from appliance.store.incident import Incident, TriageAction, TriageDecision

_MOST = 500
"""Findings in one form: more than a page can show."""
_QUOTE_CHARS = 60
"""Of a quote, in the notice of what was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageForm:
    """A triage form, parsed."""

    ids: tuple[str, ...]
    decision: TriageDecision


@post("/findings/triage", opt=needs(Permission.TRIAGE_FINDING))
async def triage(request: PageRequest, service: TheService, caller: TheCaller) -> Redirect:
    """Do it with every chosen finding, and go on: to `next` after a decision, else `back`."""
    form = await request.form()
    back = local(field(form, "back") or "/findings")
    try:
        order = _parse(form, service.settings.sweep.time_zone)
        action = order.decision.action
        if said_at := _moment(field(form, "said_at")):
            ids = await asyncio.to_thread(service.store.incidents.said_at, said_at, caller.name)
            order = replace(order, ids=ids[:_MOST])
        if not order.ids:
            raise SetupError("No finding is chosen: tick some first.")
        about(" ".join(order.ids), action.value)
        outcome = await asyncio.to_thread(_carry_out, service, order, caller.name)
    except ApplianceError as problem:
        return redirect_with_problem(back, problem)
    words, triaged, problems = words_of(request), outcome.done, outcome.problems
    subject = (
        f"“{_short(triaged[0])}”" if len(triaged) == 1 else words("count.findings", n=len(triaged))
    )
    if problems:
        partly = words("triage.partly", what=subject, left=len(problems), why=problems[0])
        return redirect_with_problem(back, SetupError(partly if triaged else str(problems[0])))
    goes_on = action in (TriageAction.CONFIRM, TriageAction.REJECT, TriageAction.ACCEPT)
    to = local(field(form, "next")) if goes_on and field(form, "next") else back
    undo_token = "" if action is TriageAction.UNDO else outcome.at.isoformat()
    return redirect_with_notice(to, f"triage.done.{action.value}", what=subject, said_at=undo_token)


class _TriageResult(NamedTuple):
    at: datetime
    done: list[Incident]
    problems: list[SetupError]
    """Why the others are as they were."""


def _carry_out(service: Service, form: TriageForm, by: str) -> _TriageResult:
    now = service.engine.clock.now()
    outcome = _TriageResult(now, [], [])
    for finding_id in form.ids:
        try:
            incident = service.store.incidents.triage(finding_id, form.decision, by=by, at=now)
        except SetupError as problem:
            outcome.problems.append(problem)
        else:
            outcome.done.append(incident)
    return outcome


def _parse(form: Any, zone: str) -> TriageForm:  # Any: Litestar's form, texts and files
    action = member_named(TriageAction, field(form, "action"))
    ids = tuple(dict.fromkeys(str(id) for id in form.getall("id", [])))[:_MOST]
    if action is None:
        raise SetupError("The form does not say what is to be done.")
    decision = TriageDecision(
        action,
        comment=field(form, "comment"),
        until=_end_of(field(form, "until"), zone) if action is TriageAction.ACCEPT else None,
        assignee=field(form, "assignee") if action is TriageAction.ASSIGN else None,
    )
    return TriageForm(ids=ids, decision=decision)


def _end_of(text: str, zone: str) -> datetime | None:
    """The end of that day in the configured time zone."""
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise SetupError(f"{text!r} is not a date (such as 2027-01-31).") from error
    return datetime.combine(day, time(23, 59, 59), ZoneInfo(zone))


def _moment(text: str) -> datetime | None:
    """A moment in a hidden field; None where there is none, or none of ours."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _short(incident: Incident) -> str:
    words = " ".join((incident.quote or incident.shown).split())
    return words if len(words) <= _QUOTE_CHARS else f"{words[:_QUOTE_CHARS]}…"


HANDLERS = (triage,)
