"""Documents and procedures, with their last verdicts."""

from datetime import date

from pydantic import Field

from appliance.core.verdict import Verdict
from appliance.server.api.shapes.base import Moment, Page, Shown
from appliance.server.api.shapes.results import Procedure


class ProcedureState(Shown):
    """A procedure and the last verdict on it."""

    console: str
    """Name of the console in the settings."""
    id: str = Field(examples=["docs/disks/create-a-disk"])
    """With language, role and region behind an @, where there are several."""
    title: str
    """Its title."""
    document: str
    """Path of the document."""
    line: int
    """Its first line."""
    verdict: Verdict
    """The last one."""
    verdict_at: Moment
    """When it was given."""
    run_id: str
    """In which run."""
    findings: int
    """Sentences that the console contradicts."""
    is_stale: bool
    """Whether the verdict is too old to be relied on."""
    cost_s: float
    """Seconds that the verdict took."""


class ProcedureStatePage(Page[ProcedureState]):
    """Procedures with a verdict, in the order of the documentation."""


class PastVerdict(Shown):
    """One verdict of a procedure's history."""

    run_id: str
    """In which run."""
    verdict: Verdict
    """What was said."""
    at: Moment
    """When."""
    findings: int
    """Sentences that the console contradicted."""
    cost_s: float
    """Seconds that it took."""


class WholeProcedure(ProcedureState):
    """A procedure with all that led to its last verdict, and its history."""

    result: Procedure | None
    """The last verdict in full; null where retention has removed it."""
    history: tuple[PastVerdict, ...]
    """Its verdicts, newest first; fifty at most."""


class Document(Shown):
    """A document and the verdicts on its procedures."""

    path: str
    """As in `document` of procedures and findings."""
    title: str
    """Its title; empty where it is not in the configured documentation any more."""
    format: str
    """`markdown`, `rst` or `html`; empty where it is not there any more."""
    revision: str
    """SHA-256 as it stands now; as it was verified last where it is not there any more."""
    is_changed: bool
    """Whether it differs from what was verified last."""
    procedures: int
    """How many it has."""
    verdicts: dict[str, int] = Field(examples=[{"verified": 4, "broken": 1}])
    """How many of them have which verdict."""
    oldest_verdict_at: Moment | None
    """Null: there is none."""
    problems: tuple[str, ...]
    """What could not be read in it."""


class DocumentPage(Page[Document]):
    """Documents by path."""


class Coverage(Shown):
    """How much of what was ever verified on a console is known today."""

    procedures: int
    """All that have a verdict."""
    verified: int
    """Goal reached as written."""
    drifted: int
    """Goal reached, but not as written."""
    broken: int
    """Not reachable by the text."""
    blocked: int
    """Nothing learnt."""
    undecided: int
    """A person has to look."""
    stale: int
    """Of all: those whose verdict is too old."""
    oldest_verdict_at: Moment | None
    """Null: there is none."""
    median_age_s: float | None
    """Age in seconds of the verdicts; half are younger."""


class TrendDay(Shown):
    """Verdicts of one day (UTC), and findings that came and went."""

    day: date
    """Which."""
    verified: int
    """Verdicts of that day."""
    drifted: int
    """Verdicts of that day."""
    broken: int
    """Verdicts of that day."""
    blocked: int
    """Verdicts of that day."""
    undecided: int
    """Verdicts of that day."""
    findings_opened: int
    """Findings that are new or came back."""
    findings_closed: int
    """Findings that went."""


class Overview(Shown):
    """How it stands with the documentation of a console."""

    console: str
    """Name of the console in the settings."""
    coverage: Coverage
    """Now."""
    trend: tuple[TrendDay, ...]
    """The last days, oldest first."""
