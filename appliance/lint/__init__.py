"""Documentation held against what attempts saw of a console: no browser, no model."""

from appliance.lint.known import KnownLabels
from appliance.lint.lint import (
    Linter,
    LintResult,
    Remark,
    RemarkKind,
    UncheckedDocument,
    read_pages,
)
from appliance.lint.pages import PAGES, LintedPage
from appliance.lint.undocumented import Undocumented, UndocumentedControls

__all__ = [
    "PAGES",
    "KnownLabels",
    "LintResult",
    "LintedPage",
    "Linter",
    "Remark",
    "RemarkKind",
    "UncheckedDocument",
    "Undocumented",
    "UndocumentedControls",
    "read_pages",
]
