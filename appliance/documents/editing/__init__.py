"""Edits of documents: what a finding changes, in the document's own style, held by reading it."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.documents.editing.edits import Edit, Editable, edit_for
    from appliance.documents.editing.source import LineColumn, SourceText, Stretch
    from appliance.documents.editing.words import markup_pattern, plain
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "Edit",
    "Editable",
    "LineColumn",
    "SourceText",
    "Stretch",
    "edit_for",
    "markup_pattern",
    "plain",
]
