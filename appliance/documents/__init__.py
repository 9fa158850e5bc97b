"""Documentation in, procedures out: Markdown, reStructuredText and HTML, with their checks."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.documents._checks_plain import Plain, as_yaml, plain_checks
    from appliance.documents._limits import MAX_BYTES
    from appliance.documents._rendering import BlockKind, RenderedBlock, Run, rendered
    from appliance.documents.apart import Children, Reader
    from appliance.documents.cache import Cache, CacheFile, NoCache, cache_of
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
    from appliance.documents.load import (
        FORMATS,
        document_files,
        documents_in,
        load_documents,
        parse_document,
        within_limits,
    )
    from appliance.documents.many import Making
    from appliance.documents.outline import OUTLINES, DocumentOutline, ProcedureOutline, outline_of
    from appliance.documents.sidecar import checks_as_yaml, key_of, sidecar_of, with_checks
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "CHECKS_SUFFIX",
    "FORMATS",
    "MAX_BYTES",
    "OUTLINES",
    "BlockKind",
    "Cache",
    "CacheFile",
    "Children",
    "DocumentOutline",
    "Edit",
    "Editable",
    "Making",
    "NoCache",
    "Plain",
    "ProcedureOutline",
    "Reader",
    "RenderedBlock",
    "Run",
    "SourceText",
    "Stretch",
    "as_yaml",
    "attach_checks",
    "cache_of",
    "checks_as_yaml",
    "checks_files",
    "document_files",
    "documents_in",
    "edit_for",
    "key_of",
    "load_checks",
    "load_documents",
    "markup_pattern",
    "outline_of",
    "parse_document",
    "plain_checks",
    "procedures_document",
    "read_checks",
    "rendered",
    "sidecar_of",
    "with_checks",
    "within_limits",
]
