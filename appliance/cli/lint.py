"""`appliance lint`: documents held against what attempts saw of the console, with no browser."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli._app import CLEAN, FINDINGS, Invocation, pass_invocation
from appliance.cli._history import labels_in, labels_of
from appliance.cli._options import collect_options, docs_argument, warn
from appliance.cli._output import as_the_user_wants, json_option, talk, write_json
from appliance.cli._progress import counting_bar
from appliance.cli._summary import counted, sections_left_out
from appliance.config import Settings
from appliance.core.jsonable import Json, json_object, to_jsonable
from appliance.lint import RemarkKind
from appliance.store.labels import ConsoleLabel

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.lint import (
        KnownLabels,
        Linter,
        LintResult,
        Remark,
        Undocumented,
        UndocumentedControls,
    )

SCHEMA_VERSION = 1
_NO_LABELS_KNOWN = (
    "No attempt has seen console {console} yet: labels are not looked up, only what will not be"
    " understood is result. `appliance verify` and sweeps make labels known."
)
_WORDS = {
    RemarkKind.RENAMED: "renamed label",
    RemarkKind.MOVED: "moved control",
    RemarkKind.GONE: "missing control",
    RemarkKind.UNSEEN: "question",
    RemarkKind.NOT_UNDERSTOOD: "not understood",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    docs: tuple[Path, ...]
    console: str | None
    release: str | None
    labels: Path | None
    undocumented: bool
    sarif: Path | None
    strict: bool
    as_json: bool


@click.command("lint")
@docs_argument
@click.option("--console", metavar="NAME", help="Console of the settings to hold them against.")
@click.option(
    "--release", metavar="R", help="Release that they are to be true of [default: the latest seen]"
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Labels from a file of `appliance label list --json`, in place of the store's.",
)
@click.option(
    "--undocumented", is_flag=True, help="List controls of the console that no document names, too."
)
@click.option(
    "--sarif",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a SARIF log, for code hosts and editors.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 on questions too.")
@json_option
@pass_invocation
@collect_options(_Options)
def command(invocation: Invocation, options: _Options) -> int:
    """Hold documents against what attempts saw of the console: in seconds, with no browser.

    A label that an older release had is a finding; one that nobody has seen so far is a question.
    What the reader will not understand is told as well. DOC is a file or a folder.
    """
    from appliance.documents import document_files
    from appliance.lint import Linter, UndocumentedControls
    from appliance.reports import lint_sarif, repository_path

    settings = invocation.settings()
    console = settings.console_name(options.console)
    rows = labels_in(options.labels) if options.labels else labels_of(settings, console)
    release = options.release or _release(settings.consoles[console].release, rows)
    linter = Linter(console, release, _labels_by_locale(rows, release))
    controls = UndocumentedControls(linter.controls()) if options.undocumented else None
    _lint_files(document_files(options.docs), settings, linter, controls)
    undocumented = controls.undocumented() if controls else ()
    if options.sarif:
        with as_the_user_wants():
            options.sarif.write_text(lint_sarif(linter.result, repository_path), "utf-8")
    if options.as_json:
        write_json(_document(linter.result, undocumented if controls else None))
    else:
        _print(linter.result, undocumented)
    _talk(linter.result, len(undocumented) if controls else None)
    counts = linter.result.counts()
    is_bad = linter.result.findings or (options.strict and counts[RemarkKind.UNSEEN])
    return FINDINGS if is_bad else CLEAN


def _release(configured: str, rows: Sequence[ConsoleLabel]) -> str:
    """Return the configured release, or the latest seen if attempts never saw that one."""
    latest = max(rows, key=lambda row: row.last_seen).release if rows else configured
    return configured if any(row.release == configured for row in rows) else latest


def _labels_by_locale(rows: Sequence[ConsoleLabel], release: str) -> "dict[str, KnownLabels]":
    from appliance.lint import KnownLabels

    locales = {row.locale for row in rows if row.release == release}
    return {
        locale: KnownLabels((row for row in rows if row.locale == locale), release)
        for locale in sorted(locales)
    }


def _lint_files(
    files: Sequence[Path],
    settings: Settings,
    linter: "Linter",
    controls: "UndocumentedControls | None",
) -> None:
    from appliance.documents import cache_of
    from appliance.engine.reading import told_once
    from appliance.lint import PAGES, read_pages

    timeout_s = settings.documentation.read_timeout_s
    with cache_of(settings.data_dir, PAGES) as cache, counting_bar(transient=True) as bar:
        pages = read_pages(files, timeout_s, cache=cache)
        for path, page in bar.track(pages, len(files), description="Documents"):
            linter.see(path, page)
            if controls is not None:
                controls.see(path.read_text("utf-8", "replace"))
    for problem in told_once(linter.result.problems):
        warn(problem)


def _document(
    result: "LintResult", undocumented: "Sequence[Undocumented] | None"
) -> dict[str, Json]:
    counts = result.counts()
    summary: dict[str, Json] = {
        "documents": result.documents,
        "procedures": result.procedures,
        "labels": result.labels,
        "findings": result.findings,
        "questions": counts[RemarkKind.UNSEEN],
        "not_understood": counts[RemarkKind.NOT_UNDERSTOOD],
        "uncovered_procedures": result.uncovered,
        "left_out": len(result.left_out),
        "sections_left_out": to_jsonable(Counter(result.sections_left_out)),
    }
    document: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "console": result.console,
        "release": result.release,
        "pages": to_jsonable(result.pages),
        "summary": summary,
        "remarks": [_remark(remark) for remark in result.remarks],
        "left_out": to_jsonable(result.left_out),
        "problems": to_jsonable(result.problems),
    }
    return (
        document if undocumented is None else document | {"undocumented": to_jsonable(undocumented)}
    )


def _remark(remark: "Remark") -> dict[str, Json]:
    row = json_object(remark)
    del row["span"]
    at = remark.span
    places = {"line": at.line, "column": at.column}
    return row | places | {"end_line": at.end_line, "end_column": at.end_column}


def _print(result: "LintResult", undocumented: "Sequence[Undocumented]") -> None:
    for remark in result.remarks:
        where = f"{remark.document}:{remark.span.line}:{remark.span.column}"
        click.echo(f'{where}: {_WORDS[remark.kind]}: "{remark.quote}": {remark.message}')
    for control in undocumented:
        inside = "".join(f', "{name}"' for name in (control.dialog, control.parent) if name)
        click.echo(f'{control.page}{inside}: undocumented: {control.role} "{control.name}"')


def _talk(result: "LintResult", undocumented: int | None) -> None:
    reasons = Counter(page.reason for page in result.left_out)
    left = ", ".join(f"{counted(number, 'page')} {why}" for why, number in reasons.items())
    documents = (
        f"{counted(result.documents, 'document')}: {counted(result.procedures, 'procedure')}"
    )
    talk(f"{documents}; left out: {left}." if left else f"{documents}.")
    if sections := sections_left_out(result.sections_left_out):
        talk(sections)
    for page in result.left_out:
        if page.detail:
            warn(page.detail)
    counts = result.counts()
    unclear = f"{counted(counts[RemarkKind.NOT_UNDERSTOOD], 'instruction')} not understood"
    if not result.pages:
        talk(_NO_LABELS_KNOWN.format(console=result.console))
        talk(f"{unclear}.")
        return
    release = f", release {result.release}" if result.release else ""
    pages = ", ".join(f"{number} in {language}" for language, number in result.pages.items())
    parts = [
        counted(result.findings, "finding"),
        counted(counts[RemarkKind.UNSEEN], "question"),
        unclear,
        f"{counted(result.uncovered, 'procedure')} on pages that nobody has seen",
    ]
    if undocumented is not None:
        parts.append(f"{counted(undocumented, 'control')} that no document names")
    talk(
        f"{counted(result.labels, 'label')} looked up in what attempts saw of {result.console}"
        f"{release} (pages: {pages}): {' · '.join(parts)}"
    )
