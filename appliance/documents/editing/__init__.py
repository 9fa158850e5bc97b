"""Edits of documents: what a finding changes, in the document's own style, held by reading it."""

from appliance.documents.editing.edits import Edit, Editable, edit_for
from appliance.documents.editing.source import LineColumn, SourceText, Stretch
from appliance.documents.editing.words import markup_pattern, plain

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
