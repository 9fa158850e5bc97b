"""Which procedures a sweep verifies, why, in which order, and how long that takes."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from appliance.config import SweepSettings
from appliance.core.verdict import Verdict
from appliance.documents import DocumentOutline, ProcedureOutline
from appliance.engine.night import Accounts
from appliance.engine.packing import NO_LIMIT, Farm, Job, packed
from appliance.engine.simulation import simulate
from appliance.engine.variants import Variant, variants
from appliance.store.sweeps import ItemRow, PastResult, Spent, SweepTables

UNKNOWN_S = 30.0
"""Seconds a procedure is thought to take where the console has no earlier result at all."""


class Reason(StrEnum):
    """Why a procedure is due; the first come first."""

    NEVER = "never"  # never verified on this console
    CHANGED = "changed"  # its text, or its checks, differ from what was verified
    FAILED = "failed"  # the last verdict was not `verified`
    STALE = "stale"  # verified too long ago
    ASKED = "asked"  # not due, but named by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What earlier runs on a console tell."""

    past: Mapping[str, PastResult] = field(default_factory=dict)
    spent: Mapping[str, Spent] = field(default_factory=dict)
    typical: Spent | None = None

    @classmethod
    def read(cls, tables: SweepTables, console: str) -> "History":
        """Read the history of all procedures from the store."""
        spent, typical = tables.spent(console)
        return cls(past=tables.past(console), spent=spent, typical=typical)

    def expected(self, item_id: str) -> Spent:
        """What it will take: its own median, else the console's."""
        return self.spent.get(item_id) or self.typical or Spent(seconds=UNKNOWN_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """What is not in the plan, though it might be."""

    id: str
    """Of its result."""
    title: str
    why: str
    """Why it is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a sweep would do."""

    items: tuple[ItemRow, ...]
    """In the order in which their turn comes."""
    left_out: tuple[LeftOut, ...]
    """Over the budget, or in another language."""
    fresh: int
    """Procedures whose last verdict is `verified`, of this very text, and recent."""
    seconds: float
    """From the first to the last verdict of the night, as played through ahead."""
    deadline: datetime | None = None
    """When the sweep is over, whatever is left; null: when all is done."""
    not_tonight: tuple[str, ...] = ()
    """Ids of the procedures for which the time until then is thought too short. They are carried
    out where it goes quicker; else they are not reached, and the next sweep takes them."""
    tokens: float = 0.0
    """Of models, as earlier verdicts took."""
    resource_cost: float = 0.0
    """Of what is made in the cloud, as for earlier verdicts."""
    unknown: int = 0
    """Procedures never attempted: their tokens and resources count as nothing."""


class Due(NamedTuple):
    """A procedure that is due."""

    item: ItemRow
    job: Job
    """The same as a night sees it."""
    since: float
    """What waits longer comes first among those of one reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """What a plan is made by."""

    history: History
    """Earlier results."""
    settings: SweepSettings
    """How old a verdict may be, how long the sweep, which languages and roles."""
    lanes: int
    """How many procedures are under way at a time."""
    now: datetime
    accounts: Accounts = field(default_factory=Accounts)
    """Of the console."""
    model: int = NO_LIMIT
    """Questions that models answer at a time."""
    shares: Callable[[ProcedureOutline], str] = lambda procedure: ""
    """What a procedure needs that is made once for several; see `Job`."""
    deadline: datetime | None = None
    """See `Plan`."""
    deadline_s: float = math.inf
    """How long the night is until then."""
    is_asked: bool = False
    """Whether procedures were named by hand, and are due for that alone."""
    by_urgency: bool = True
    """Whether the most urgent come first; else as documented."""


def make_plan(
    documents: Sequence[DocumentOutline], chosen: Sequence[ProcedureOutline], by: Planning
) -> Plan:
    """Decide what is due, in which order its turn comes, and what of it the night has time for.

    Args:
        documents: All that were read.
        chosen: The procedures in question, in the order of the documentation.
        by: What decides.
    """
    due, left_out, fresh = all_due(documents, chosen, by)
    due, over = _within(due, by)
    left_out += [
        LeftOut(id=one.item.id, title=one.item.title, why=f"over {budget}; the next sweep takes it")
        for one, budget in over
    ]
    farm = Farm(places=by.lanes, accounts=by.accounts.limits, model=by.model)
    jobs = [one.job for one in due]
    if by.by_urgency:
        order = packed(jobs, farm)
        due, jobs = [due[place] for place in order], [jobs[place] for place in order]
    night = simulate(jobs, farm, by.deadline_s)
    tonight = (due[one.place].item.id for one in night.begun)
    spent = [by.history.spent[id] for id in tonight if id in by.history.spent]
    return Plan(
        items=tuple(one.item for one in due),
        left_out=tuple(left_out),
        fresh=fresh,
        seconds=night.seconds,
        deadline=by.deadline,
        not_tonight=tuple(due[place].item.id for place in night.beyond),
        tokens=sum(one.tokens for one in spent),
        resource_cost=sum(one.resource_cost for one in spent),
        unknown=len(night.begun) - len(spent),
    )


def all_due(
    documents: Sequence[DocumentOutline], chosen: Sequence[ProcedureOutline], by: Planning
) -> tuple[list[Due], list[LeftOut], int]:
    """What is due, the most due first; what is in another language; how many are not due."""
    owner = {p.id: d for d in documents for p in d.procedures}
    due: list[Due] = []
    left_out: list[LeftOut] = []
    fresh = 0
    for procedure in chosen:
        cells = list(variants(procedure, by.settings))
        if not cells:
            why = f"written in {procedure.language}, which `sweep.locales` does not name"
            left_out.append(LeftOut(id=procedure.id, title=procedure.title, why=why))
        for cell in cells:
            reasoned = _due(owner[procedure.id], procedure, cell, by)
            fresh += reasoned is None
            due += [reasoned] if reasoned else []
    if by.by_urgency:
        due.sort(key=lambda one: (one.job.urgency, one.since))  # then as documented
    return due, left_out, fresh


_ORDER = {reason: place for place, reason in enumerate(Reason)}


def _due(
    document: DocumentOutline, procedure: ProcedureOutline, cell: Variant, by: Planning
) -> Due | None:
    item_id, digest = cell.id_of(procedure), procedure.text_hash
    past, stale = by.history.past.get(item_id), timedelta(days=by.settings.stale_days)
    reasoned = _reason(past, document.revision, digest, stale, by.now)
    if reasoned is None and by.is_asked:
        reasoned = (Reason.ASKED, "asked for")
    if reasoned is None:
        return None
    reason, why = reasoned
    takes = by.history.expected(item_id)
    item = ItemRow(
        id=item_id,
        procedure_id=procedure.id,
        title=cell.title_of(procedure),
        document=document.path,
        line=procedure.line,
        reason=reason.value,
        why=why,
        estimate_s=takes.seconds,
        text_hash=digest,
        locale=cell.locale,
        role=cell.role,
        region=cell.region,
    )
    job = Job(
        seconds=takes.seconds,
        model_s=min(takes.model_s, takes.seconds),
        account=by.accounts.kind(cell.role or procedure.account, cell.region),
        urgency=(_ORDER[reason], past.saved_at.toordinal() if past else 0),
        shares=by.shares(procedure) if by.by_urgency else "",
        product=document.path.rpartition("/")[0],
    )
    return Due(item, job, past.saved_at.timestamp() if past else 0.0)


def _reason(
    past: PastResult | None, revision: str, digest: str, stale: timedelta, now: datetime
) -> tuple[Reason, str] | None:
    if past is None:
        return Reason.NEVER, "never verified"
    day = f"{past.saved_at:%Y-%m-%d}"
    if _is_changed(past, revision, digest):
        what = "its text or checks" if past.text_hash else "its document"
        return Reason.CHANGED, f"{what} changed since {day}"
    if past.verdict != Verdict.VERIFIED:
        return Reason.FAILED, f"{past.verdict} on {day}"
    if now - past.saved_at > stale:
        return Reason.STALE, f"last verified on {day}"
    return None


def _is_changed(past: PastResult, revision: str, digest: str) -> bool:
    """The procedure's own text decides; where it was not kept, the whole document's."""
    return past.text_hash != digest if past.text_hash else past.revision != revision


def _within(due: list[Due], by: Planning) -> tuple[list[Due], list[tuple[Due, str]]]:
    """As many of the first as fit, one at least; the rest, and what there was too little of.

    Nothing overtakes what is too much, unless it asks for other accounts: these would idle.
    """
    kept: list[Due] = []
    over: list[tuple[Due, str]] = []
    of_account = defaultdict[str, float](float)
    seconds = model_s = tokens = cost = 0.0
    for one in due:
        account, known = one.job.account, by.history.spent.get(one.item.id)
        of_account[account] += one.job.seconds
        chain_s = of_account[account] / by.accounts.limits.get(account, NO_LIMIT)
        if kept and (lack := _lack(chain_s, 0.0, 0.0, by.settings)):
            over.append((one, lack))
            continue
        seconds += one.job.seconds
        model_s += one.job.model_s
        tokens += known.tokens if known else 0.0
        cost += known.resource_cost if known else 0.0
        night_s = max(seconds / by.lanes, model_s / by.model)
        lack = _lack(night_s, tokens, cost, by.settings) if kept else ""
        if lack:
            over.append((one, lack))
        else:
            kept.append(one)
    return kept, over


def _lack(seconds: float, tokens: float, cost: float, of: SweepSettings) -> str:
    """Which budget that is beyond; empty: none. A limit of 0 is none."""
    limits = (
        (seconds, of.budget_minutes * 60, f"the budget of {of.budget_minutes:g} minutes"),
        (tokens, of.budget_tokens, f"the budget of {of.budget_tokens} model tokens"),
        (cost, of.budget_cost, f"the budget of {of.budget_cost:g} for resources"),
    )
    return next((words for spent, limit, words in limits if limit and spent > limit), "")
