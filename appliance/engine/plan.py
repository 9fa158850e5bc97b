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
    """Results and costs of earlier runs on a console."""

    past: Mapping[str, PastResult] = field(default_factory=dict)
    spent: Mapping[str, Spent] = field(default_factory=dict)
    typical: Spent | None = None

    @classmethod
    def read(cls, tables: SweepTables, console: str) -> "History":
        """Read the history of all procedures from the store."""
        spent, typical = tables.spent(console)
        return cls(past=tables.past(console), spent=spent, typical=typical)

    def expected(self, item_id: str) -> Spent:
        """The expected cost: the procedure's own median, else the console's."""
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
    """The same procedure as the packing sees it."""
    since: float
    """Unix time of its last verdict; of one reason, the oldest comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """What a plan is based on."""

    history: History
    """Earlier results."""
    settings: SweepSettings
    """How old a verdict may be, how long the sweep, which languages and roles."""
    lanes: int
    """How many procedures run at a time."""
    now: datetime
    accounts: Accounts = field(default_factory=Accounts)
    """Of the console."""
    model: int = NO_LIMIT
    """How many questions models answer at a time."""
    shares: Callable[[ProcedureOutline], str] = lambda procedure: ""
    """What a procedure needs that is made once for several; see `Job`."""
    deadline: datetime | None = None
    """See `Plan`."""
    deadline_s: float = math.inf
    """Seconds from now to the deadline."""
    is_asked: bool = False
    """Whether procedures were named by hand, and are due for that alone."""
    by_urgency: bool = True
    """Whether the most urgent come first; else as documented."""


def make_plan(
    documents: Sequence[DocumentOutline], chosen: Sequence[ProcedureOutline], planning: Planning
) -> Plan:
    """Decide what is due, in which order it runs, and what fits before the deadline.

    Args:
        documents: All that were read.
        chosen: The procedures in question, in the order of the documentation.
        planning: What the decision is based on.
    """
    due, left_out, fresh = all_due(documents, chosen, planning)
    due, over_budget = _apply_budgets(due, planning)
    left_out += [
        LeftOut(
            id=candidate.item.id,
            title=candidate.item.title,
            why=f"over {budget}; the next sweep takes it",
        )
        for candidate, budget in over_budget
    ]
    farm = Farm(places=planning.lanes, accounts=planning.accounts.limits, model=planning.model)
    jobs = [candidate.job for candidate in due]
    if planning.by_urgency:
        order = packed(jobs, farm)
        due, jobs = [due[index] for index in order], [jobs[index] for index in order]
    night = simulate(jobs, farm, planning.deadline_s)
    tonight = (due[candidate.place].item.id for candidate in night.begun)
    past_costs = [planning.history.spent[id] for id in tonight if id in planning.history.spent]
    return Plan(
        items=tuple(candidate.item for candidate in due),
        left_out=tuple(left_out),
        fresh=fresh,
        seconds=night.seconds,
        deadline=planning.deadline,
        not_tonight=tuple(due[index].item.id for index in night.beyond),
        tokens=sum(candidate.tokens for candidate in past_costs),
        resource_cost=sum(candidate.resource_cost for candidate in past_costs),
        unknown=len(night.begun) - len(past_costs),
    )


def all_due(
    documents: Sequence[DocumentOutline], chosen: Sequence[ProcedureOutline], planning: Planning
) -> tuple[list[Due], list[LeftOut], int]:
    """The due procedures, most urgent first; those in other languages; the count of fresh ones."""
    document_of = {p.id: d for d in documents for p in d.procedures}
    due: list[Due] = []
    left_out: list[LeftOut] = []
    fresh_count = 0
    for procedure in chosen:
        procedure_variants = list(variants(procedure, planning.settings))
        if not procedure_variants:
            why = f"written in {procedure.language}, which `sweep.locales` does not name"
            left_out.append(LeftOut(id=procedure.id, title=procedure.title, why=why))
        for variant in procedure_variants:
            due_entry = _due(document_of[procedure.id], procedure, variant, planning)
            fresh_count += due_entry is None
            due += [due_entry] if due_entry else []
    if planning.by_urgency:
        due.sort(key=lambda entry: (entry.job.urgency, entry.since))  # then as documented
    return due, left_out, fresh_count


_ORDER = {reason: place for place, reason in enumerate(Reason)}


def _due(
    document: DocumentOutline, procedure: ProcedureOutline, variant: Variant, planning: Planning
) -> Due | None:
    item_id, text_hash = variant.id_of(procedure), procedure.text_hash
    past_result, stale = (
        planning.history.past.get(item_id),
        timedelta(days=planning.settings.stale_days),
    )
    reason_and_text = _reason(past_result, document.revision, text_hash, stale, planning.now)
    if reason_and_text is None and planning.is_asked:
        reason_and_text = (Reason.ASKED, "asked for")
    if reason_and_text is None:
        return None
    reason, why = reason_and_text
    expected = planning.history.expected(item_id)
    item = ItemRow(
        id=item_id,
        procedure_id=procedure.id,
        title=variant.title_of(procedure),
        document=document.path,
        line=procedure.line,
        reason=reason.value,
        why=why,
        estimate_s=expected.seconds,
        text_hash=text_hash,
        locale=variant.locale,
        role=variant.role,
        region=variant.region,
    )
    job = Job(
        seconds=expected.seconds,
        model_s=min(expected.model_s, expected.seconds),
        account=planning.accounts.kind(variant.role or procedure.account, variant.region),
        urgency=(_ORDER[reason], past_result.saved_at.toordinal() if past_result else 0),
        shares=planning.shares(procedure) if planning.by_urgency else "",
        product=document.path.rpartition("/")[0],
    )
    return Due(item, job, past_result.saved_at.timestamp() if past_result else 0.0)


def _reason(
    past: PastResult | None, revision: str, digest: str, stale: timedelta, now: datetime
) -> tuple[Reason, str] | None:
    if past is None:
        return Reason.NEVER, "never verified"
    day = f"{past.saved_at:%Y-%m-%d}"
    if _is_changed(past, revision, digest):
        changed_part = "its text or checks" if past.text_hash else "its document"
        return Reason.CHANGED, f"{changed_part} changed since {day}"
    if past.verdict != Verdict.VERIFIED:
        return Reason.FAILED, f"{past.verdict} on {day}"
    if now - past.saved_at > stale:
        return Reason.STALE, f"last verified on {day}"
    return None


def _is_changed(past: PastResult, revision: str, digest: str) -> bool:
    """Compare the procedure's own text, or the document's revision where no hash is stored."""
    return past.text_hash != digest if past.text_hash else past.revision != revision


def _apply_budgets(due: list[Due], planning: Planning) -> tuple[list[Due], list[tuple[Due, str]]]:
    """Split into what fits the budgets, at least one, and the rest with the exceeded budget.

    Nothing overtakes what does not fit, unless it uses other accounts, which would idle.
    """
    within_budget: list[Due] = []
    over_budget: list[tuple[Due, str]] = []
    seconds_by_account = defaultdict[str, float](float)
    seconds = model_s = tokens = cost = 0.0
    for candidate in due:
        account, past_cost = candidate.job.account, planning.history.spent.get(candidate.item.id)
        seconds_by_account[account] += candidate.job.seconds
        chain_s = seconds_by_account[account] / planning.accounts.limits.get(account, NO_LIMIT)
        if within_budget and (exceeded := _exceeded_budget(chain_s, 0.0, 0.0, planning.settings)):
            over_budget.append((candidate, exceeded))
            continue
        seconds += candidate.job.seconds
        model_s += candidate.job.model_s
        tokens += past_cost.tokens if past_cost else 0.0
        cost += past_cost.resource_cost if past_cost else 0.0
        night_s = max(seconds / planning.lanes, model_s / planning.model)
        exceeded = (
            _exceeded_budget(night_s, tokens, cost, planning.settings) if within_budget else ""
        )
        if exceeded:
            over_budget.append((candidate, exceeded))
        else:
            within_budget.append(candidate)
    return within_budget, over_budget


def _exceeded_budget(seconds: float, tokens: float, cost: float, settings: SweepSettings) -> str:
    """The budget that is exceeded; empty if none is. A limit of 0 means no limit."""
    if 0 < settings.budget_minutes * 60 < seconds:
        return f"the budget of {settings.budget_minutes:g} minutes"
    if 0 < settings.budget_tokens < tokens:
        return f"the budget of {settings.budget_tokens} model tokens"
    if 0 < settings.budget_cost < cost:
        return f"the budget of {settings.budget_cost:g} for resources"
    return ""
