"""GitHub annotations: workflow commands that put each finding beside its line."""

from collections.abc import Callable

from appliance.core.result import Finding, RunResult
from appliance.core.verdict import Severity
from appliance.reports._wording import message, text_of

_LEVELS = {Severity.BREAKS: "error", Severity.MISLEADS: "warning", Severity.COSMETIC: "notice"}


def github_annotations(run: RunResult, name: Callable[[str], str] = str) -> str:
    """A line a finding; `name` gives a document's path in the repository."""
    return "".join(
        f"{_annotation(finding, name(finding.document))}\n"
        for procedure in run.procedures
        for finding in procedure.findings
    )


def _annotation(finding: Finding, file: str) -> str:
    properties: dict[str, str | int] = {"file": file, "line": finding.line}
    if finding.end_line > finding.line:
        properties["endLine"] = finding.end_line  # GitHub takes columns only within one line
    else:
        properties["col"] = finding.column
        properties["endColumn"] = finding.end_column
    properties["title"] = text_of(f"kind.{finding.kind}")
    attributes = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    level = _LEVELS[finding.severity] if finding.is_sure else "notice"
    return f"::{level} {attributes}::{_data(message(finding))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
