"""The one place where reports touch the disk."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.core.result import RunResult
from appliance.core.result_json import result_document
from appliance.reports._images import ReadArtifact
from appliance.reports.catalogue import Language
from appliance.reports.formats import FILE_NAMES
from appliance.reports.github import github_annotations
from appliance.reports.html import html_report
from appliance.reports.junit import junit_report
from appliance.reports.markdown import markdown_summary
from appliance.reports.sarif import sarif_report
from appliance.reports.suggestions import ReadDocument, suggested_patch
from appliance.system.files import write_whole

PATCH_NAME = "suggestions.patch"


def json_result(run: RunResult) -> str:
    """The run as JSON text, readable by people."""
    return json.dumps(result_document(run), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def report_text(  # noqa: PLR0913, RUF100 - what all formats take between them
    run: RunResult,
    format_: str,
    read_artifact: ReadArtifact,
    read_document: ReadDocument,
    *,
    name: Callable[[str], str],
    language: Language | None = None,
) -> str:
    """A run in one of the formats.

    Args:
        run: The run.
        format_: Of `FILE_NAMES`.
        read_artifact: Gives the bytes of screenshots and other evidence.
        read_document: Gives the sources as they are now.
        name: A document's path in its repository.
        language: Of the HTML page's own words; None: that of most procedures.

    Raises:
        SetupError: There is no such format.
    """
    match format_:
        case "html":
            return html_report(run, read_document, read_artifact, language=language)
        case "json":
            return json_result(run)
        case "junit":
            return junit_report(run)
        case "sarif":
            return sarif_report(run, read_document, name)
        case "github":
            return github_annotations(run, name)
        case "markdown":
            return markdown_summary(run)
    raise SetupError(f"There is no report format {format_!r}: take {', '.join(FILE_NAMES)}.")


def write_reports(
    run: RunResult,
    formats: Iterable[str],
    out: Path,
    read_artifact: ReadArtifact,
    read_document: ReadDocument | None = None,
    *,
    language: Language | None = None,
) -> tuple[Path, ...]:
    """Write the reports and, where there is something to change, the patch; the files' paths.

    Args:
        run: The run.
        formats: Of `FILE_NAMES`.
        out: The folder; made where there is none.
        read_artifact: Gives the bytes of screenshots and other evidence.
        read_document: Gives the sources as they are now; by default, files.
        language: Of the HTML page's own words; None: that of most procedures.
    """
    read_text = read_document or read_source
    name = repository_path
    by_format = {
        format_: report_text(run, format_, read_artifact, read_text, name=name, language=language)
        for format_ in dict.fromkeys(formats)
    }
    texts = {FILE_NAMES[format_]: text for format_, text in by_format.items()}
    patch = suggested_patch(run, read_text, name)
    try:
        out.mkdir(parents=True, exist_ok=True)
        if patch:
            texts[PATCH_NAME] = patch
        else:
            (out / PATCH_NAME).unlink(missing_ok=True)  # of an earlier run: no longer true
        return tuple(
            write_whole(out / file, text.encode("utf-8", "replace")) for file, text in texts.items()
        )
    except OSError as error:
        raise SetupError(
            f"The reports cannot be written to {out}: {error.strerror or error}. "
            "Name another folder with --out."
        ) from error


def read_source(document: str) -> str | None:
    """A file's text with its line ends as they are; None where it cannot be read as text."""
    try:
        return Path(document).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError, ValueError):
        return None


def repository_path(document: str) -> str:
    """A document's path from the top of the repository it is in, else from here, else in full."""
    if "://" in document:
        return document
    path = Path(document).absolute()
    path = Path(*_without_dots(path.parts))
    for top in path.parents:
        if (top / ".git").exists():
            return path.relative_to(top).as_posix()
    working_folder = Path.cwd()
    return (
        path.relative_to(working_folder).as_posix()
        if path.is_relative_to(working_folder)
        else path.as_posix()
    )


def _without_dots(parts: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            kept = kept[:-1] if len(kept) > 1 else kept
        else:
            kept.append(part)
    return kept
