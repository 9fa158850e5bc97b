"""Documentation held against what attempts saw of a console: no browser, no model."""

from appliance.lint.cache import page_cache
from appliance.lint.known import Known
from appliance.lint.lint import Left, Lint, Linter, Remark, RemarkKind, read_pages
from appliance.lint.pages import LintedPage
from appliance.lint.undocumented import Undocumented, UndocumentedControls

__all__ = [
    "Known",
    "Left",
    "Lint",
    "LintedPage",
    "Linter",
    "Remark",
    "RemarkKind",
    "Undocumented",
    "UndocumentedControls",
    "page_cache",
    "read_pages",
]
