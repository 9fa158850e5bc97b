"""The procedures of a run, kept in outline and read in full when their turn comes."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.documents import DocumentOutline, ProcedureOutline

_KEPT = 16
"""Documents kept in full: a sweep usually continues in the same document."""


class CurrentText(NamedTuple):
    """A procedure as it stands in the documents now."""

    document: Document
    procedure: Procedure


class Texts:
    """For use from several threads; reading blocks."""

    def __init__(
        self, documents: Sequence[DocumentOutline], read: Callable[[str], Document]
    ) -> None:
        """Nothing is read yet.

        Args:
            documents: All in outline.
            read: Reads one, by its path; `DocumentError`.
        """
        self._places = {p.id: (d.path, p) for d in documents for p in d.procedures}
        self._read = lru_cache(_KEPT)(read)

    def procedure(self, procedure_id: str) -> Procedure | None:
        """A procedure in its present state; None if it no longer exists."""
        try:
            text = self.whole(procedure_id)
        except DocumentError:
            return None
        return text.procedure if text else None

    def outline(self, procedure_id: str) -> ProcedureOutline | None:
        """The outline of a procedure; None if it is no longer in the documents."""
        place = self._places.get(procedure_id)
        return place[1] if place else None

    def whole(self, procedure_id: str) -> CurrentText | None:
        """A procedure with its document; None if it is no longer in there.

        Raises:
            DocumentError: The document cannot be read any more.
        """
        place = self._places.get(procedure_id)
        if place is None:
            return None
        document = self._read(place[0])
        matches = (
            procedure for procedure in document.all_procedures if procedure.id == procedure_id
        )
        return next((CurrentText(document, procedure) for procedure in matches), None)
