"""Documentation held against what attempts saw of a console: no browser, no model."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.lint.known import KnownLabels
    from appliance.lint.lint import (
        Linter,
        LintResult,
        Remark,
        UncheckedDocument,
        read_pages,
    )
    from appliance.lint.pages import PAGES, LintedPage
    from appliance.lint.remarks import RemarkKind
    from appliance.lint.undocumented import Undocumented, UndocumentedControls
else:
    __getattr__ = names_of(__name__, __file__)

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
