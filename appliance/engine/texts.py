"""The procedures of a run: known in outline, and read whole when their turn comes."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Procedure
from appliance.documents import DocumentOutline, ProcedureOutline

_KEPT = 16
"""Documents that are kept whole: a sweep goes on in the one that it has."""


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
        """One of them as it stands now; None: there is none such any more."""
        try:
            text = self.whole(procedure_id)
        except DocumentError:
            return None
        return text.procedure if text else None

    def outline(self, procedure_id: str) -> ProcedureOutline | None:
        """What is known of it ahead; None: it is not in the documents any more."""
        place = self._places.get(procedure_id)
        return place[1] if place else None

    def whole(self, procedure_id: str) -> CurrentText | None:
        """The procedure with its document; None: it is not in there any more.

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
