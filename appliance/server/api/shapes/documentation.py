"""Documents and procedures, with their last verdicts."""

from pydantic import Field

from appliance.server.api.shapes.base import Moment, Page, Shown, shape_of
from appliance.server.api.shapes.results import Procedure
from appliance.store import states


@shape_of(states.ProcedureState)
class ProcedureState(Shown):
    """A procedure and the last verdict on it."""

    id: str = Field(examples=["docs/disks/create-a-disk"])
    """With language, role and region behind an @, where there are several."""


class ProcedureStatePage(Page[ProcedureState]):
    """Procedures with a verdict, in the order of the documentation."""


@shape_of(states.PastVerdict)
class PastVerdict(Shown):
    """One verdict of a procedure's history."""


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


@shape_of(states.Coverage)
class Coverage(Shown):
    """How much of what was ever verified on a console is known today."""


@shape_of(states.TrendDay)
class TrendDay(Shown):
    """Verdicts of one day (UTC), and findings that came and went."""


class Overview(Shown):
    """How it stands with the documentation of a console."""

    console: str
    """Name of the console in the settings."""
    coverage: Coverage
    """Now."""
    trend: tuple[TrendDay, ...]
    """The last days, oldest first."""
