"""Documents and procedures, with their last verdicts."""

from pydantic import Field

from appliance.server.api.shapes.base import Page, Shown, shape_of
from appliance.server.api.shapes.results import Procedure
from appliance.server.documents import DocumentRow
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


@shape_of(DocumentRow, without=("is_configured",))
class Document(Shown):
    """A document and the verdicts on its procedures."""

    verdicts: dict[str, int] = Field(examples=[{"verified": 4, "broken": 1}])
    """How many of them have which verdict."""


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
