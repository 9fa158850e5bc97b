"""The bare limit of lint, in a module that child processes can import."""

from appliance.core.procedure import Document
from appliance.lint import LintedPage


def unlooked(document: Document) -> LintedPage:
    """Of a document that was read, and not looked at."""
    return LintedPage((), document.problems)
