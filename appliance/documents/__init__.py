"""Documentation in, procedures out: Markdown, reStructuredText and HTML, with their checks."""

from appliance.documents._candidates import names_task
from appliance.documents._checks_plain import Plain, as_yaml, plain_checks
from appliance.documents._limits import MAX_BYTES
from appliance.documents._rendering import BlockKind, RenderedBlock, Run, rendered
from appliance.documents.apart import Children, Reader
from appliance.documents.checks import SUFFIX as CHECKS_SUFFIX
from appliance.documents.checks import attach_checks, checks_files, load_checks, read_checks
from appliance.documents.describe import procedures_document
from appliance.documents.editing import (
    Edit,
    Editable,
    SourceText,
    Stretch,
    edit_for,
    markup_pattern,
)
from appliance.documents.load import FORMATS, document_files, load_documents, parse_document
from appliance.documents.sidecar import checks_as_yaml, key_of, sidecar_of, with_checks

__all__ = [
    "CHECKS_SUFFIX",
    "FORMATS",
    "MAX_BYTES",
    "BlockKind",
    "Children",
    "Edit",
    "Editable",
    "Plain",
    "Reader",
    "RenderedBlock",
    "Run",
    "SourceText",
    "Stretch",
    "as_yaml",
    "attach_checks",
    "checks_as_yaml",
    "checks_files",
    "document_files",
    "edit_for",
    "key_of",
    "load_checks",
    "load_documents",
    "markup_pattern",
    "names_task",
    "parse_document",
    "plain_checks",
    "procedures_document",
    "read_checks",
    "rendered",
    "sidecar_of",
    "with_checks",
]
