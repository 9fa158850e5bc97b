"""Reports: pure functions from a run to text, and one writer."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.core.result_json import load_result, result_document
    from appliance.documents import SourceText
    from appliance.reports._excerpt import Excerpt, excerpt
    from appliance.reports._images import ReadArtifact
    from appliance.reports._wording import (
        advice_key,
        duration,
        kind_advice_key,
        sentence,
        without_markup,
    )
    from appliance.reports.catalogue import Language, Words, load_catalogue
    from appliance.reports.formats import FILE_NAMES
    from appliance.reports.github import github_annotations
    from appliance.reports.html import codes, html_report, language_of
    from appliance.reports.junit import junit_report
    from appliance.reports.markdown import markdown_summary
    from appliance.reports.sarif import sarif_report
    from appliance.reports.sarif_lint import lint_sarif
    from appliance.reports.sentences import spoken
    from appliance.reports.suggestions import ReadDocument, edits_of, patch_of, suggested_patch
    from appliance.reports.writer import (
        json_result,
        read_source,
        report_text,
        repository_path,
        write_reports,
    )
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "FILE_NAMES",
    "Excerpt",
    "Language",
    "ReadArtifact",
    "ReadDocument",
    "SourceText",
    "Words",
    "advice_key",
    "codes",
    "duration",
    "edits_of",
    "excerpt",
    "github_annotations",
    "html_report",
    "json_result",
    "junit_report",
    "kind_advice_key",
    "language_of",
    "lint_sarif",
    "load_catalogue",
    "load_result",
    "markdown_summary",
    "patch_of",
    "read_source",
    "report_text",
    "repository_path",
    "result_document",
    "sarif_report",
    "sentence",
    "spoken",
    "suggested_patch",
    "without_markup",
    "write_reports",
]
