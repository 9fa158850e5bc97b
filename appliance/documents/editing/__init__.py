"""Edits of documents: what a finding changes, in the document's own style, held by reading it."""

from appliance.documents.editing.edits import Edit, Editable, edit_for
from appliance.documents.editing.source import Place, Source, Stretch
from appliance.documents.editing.words import plain, written

__all__ = ["Edit", "Editable", "Place", "Source", "Stretch", "edit_for", "plain", "written"]
