"""Documentation held against what attempts saw of a console: no browser, no model."""

from appliance.lint.known import Known
from appliance.lint.lint import Left, Lint, Linter, Remark, RemarkKind, read_pages
from appliance.lint.pages import PAGES, LintedPage
from appliance.lint.undocumented import Undocumented, UndocumentedControls

__all__ = [
    "PAGES",
    "Known",
    "Left",
    "Lint",
    "LintedPage",
    "Linter",
    "Remark",
    "RemarkKind",
    "Undocumented",
    "UndocumentedControls",
    "read_pages",
]
