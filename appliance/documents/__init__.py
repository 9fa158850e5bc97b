"""Documentation in, procedures out: Markdown, reStructuredText and HTML, with their checks."""

from appliance.documents.checks import attach_checks, load_checks
from appliance.documents.describe import procedures_document
from appliance.documents.load import FORMATS, load_documents, parse_document

__all__ = [
    "FORMATS",
    "attach_checks",
    "load_checks",
    "load_documents",
    "parse_document",
    "procedures_document",
]
