"""`appliance checks`: the rules that an audit log is held against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from appliance.cli._app import CLEAN, FINDINGS, Invocation, Noun, pass_invocation
from appliance.cli._history import records, records_if_any, run_id_of
from appliance.cli._options import (
    checks_option,
    collect_options,
    docs_argument,
    read_documents,
    values_option,
)
from appliance.cli._output import as_the_user_wants, data_console, json_option, talk, write_json
from appliance.cli._remote import server_of
from appliance.cli._summary import counted
from appliance.core.audit_json import AuditLog
from appliance.core.checks import AnyOf, AuditEvent
from appliance.core.errors import OutcomeError, SetupError
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, procedure_of

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.cli._drafting import DraftResult
    from appliance.outcome.audit_rules import RuleReport


@click.group("checks", cls=Noun)
def command() -> None:
    """Propose, explain and try the rules that a console's audit log is held against."""


procedure_option = click.option(
    "--procedure",
    "patterns",
    multiple=True,
    metavar="GLOB",
    help="Only procedures whose id or title matches. May be repeated.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _DraftOptions:
    docs: tuple[Path, ...]
    patterns: tuple[str, ...]
    checks: tuple[Path, ...]
    run_id: str | None
    write: bool
    force: bool


@command.command("draft")
@docs_argument
@procedure_option
@click.option("--run", "run_id", metavar="RUN", help="From that run [default: the latest]")
@click.option("--console", metavar="NAME", help="Console of the settings.")
@click.option("--write", is_flag=True, help="Put the rules into NAME.checks.yaml beside DOC.")
@click.option("--force", is_flag=True, help="Also where there are rules: they are made anew.")
@checks_option
@json_option
@pass_invocation
@collect_options(_DraftOptions)
def draft(
    invocation: Invocation, options: _DraftOptions, console: str | None, as_json: bool
) -> None:
    """Propose rules for the procedures of DOC... that have none, for a person to accept.

    From the audit log of a verified attempt; where there was none, from the model, if one is
    configured. Nothing is written without --write.
    """
    from appliance.cli._drafting import Drafter
    from appliance.engine.reading import choose

    settings = invocation.settings({"console": console or None})
    documents = read_documents(options.docs, options.checks)
    chosen = choose(documents, options.patterns)
    bare = [p for p in chosen if options.force or not p.checks.expect]
    if not bare:
        raise SetupError("all of these procedures have rules already: --force drafts them anew.")
    document_of = {p.id: document for document in documents for p in document.procedures}
    with records_if_any(settings, server_of(settings)) as history:
        drafter = Drafter(settings, history, options.run_id)
        drafted = [drafter.draft(document_of[procedure.id], procedure) for procedure in bare]
    _tell_missing([result for result in drafted if result.draft is None])
    drafts = [result for result in drafted if result.draft is not None]
    files = _write(drafts, force=options.force) if options.write else ()
    if as_json:
        write_json([_document(result) for result in drafted])
    elif not options.write:
        for document in dict.fromkeys(result.document.path for result in drafts):
            click.echo(_yaml(document, [one for one in drafts if one.document.path == document]))
    for file in files:
        talk(f"Written: {file}")
    if not drafts:
        raise SetupError("there is nothing to draft rules from.")
    talk(f"{counted(len(drafts), 'draft')}: read them before they are used.")


@command.command("explain")
@click.argument("run_id", metavar="RUN")
@click.argument("procedure", metavar="PROCEDURE")
@click.option(
    "--document",
    type=click.Path(path_type=Path),
    metavar="DOC",
    help="Where the procedure stands now, with its rules [default: where the run read it]",
)
@checks_option
@json_option
@pass_invocation
def explain(
    invocation: Invocation,
    run_id: str,
    procedure: str,
    document: Path | None,
    checks: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Say why each rule of PROCEDURE holds, or not, on the audit log that RUN kept.

    PROCEDURE is an id, or a pattern for one. The rules are those that the documentation has now.
    Exits with 1 where one does not hold.
    """
    from appliance.cli._drafting import log_of

    with records(invocation.settings()) as history:
        full_id = run_id_of(history, run_id)
        result = _result_of(history.load_run(full_id).procedures, procedure, full_id)
        log = log_of(history, full_id, result)
    path = document or Path(result.document)
    current = _procedure_of(read_documents((path,), checks, may_be_empty=True), result)
    return _show(current, log, {}, as_json=as_json)


@command.command("test")
@click.argument("doc", type=click.Path(path_type=Path))
@click.argument("events", type=click.Path(path_type=Path), metavar="EVENTS.jsonl")
@procedure_option
@values_option
@checks_option
@json_option
def test(
    doc: Path,
    events: Path,
    patterns: tuple[str, ...],
    values: dict[str, str],
    checks: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Hold the rules of a procedure of DOC against the events in a file, one JSON object a line.

    Exits with 1 where one does not hold.
    """
    from appliance.cli._drafting import read_log
    from appliance.engine.reading import choose

    chosen = choose(read_documents((doc,), checks), patterns)
    if len(chosen) > 1:
        ids = ", ".join(p.id for p in chosen[:5])
        raise SetupError(f"{len(chosen)} procedures: choose one with --procedure: {ids}")
    return _show(chosen[0], read_log(events), values, as_json=as_json)


def _tell_missing(missing: "Sequence[DraftResult]") -> None:
    for reason in dict.fromkeys(result.note for result in missing):
        ids = [result.procedure.id for result in missing if result.note == reason]
        talk(f"No draft for {', '.join(ids)}: {reason}.")


def _write(results: "Sequence[DraftResult]", *, force: bool) -> tuple[Path, ...]:
    """Put drafts into their files, all of a file or none."""
    from appliance.documents import sidecar_of, with_checks

    texts: dict[Path, str] = {}
    for result in results:
        file = sidecar_of(Path(result.document.path))
        old = texts.get(file)
        if old is None:
            old = file.read_text(encoding="utf-8") if file.is_file() else ""
        if result.draft is not None:
            texts[file] = with_checks(
                old,
                result.procedure,
                result.draft.checks,
                result.document.procedures,
                file=str(file),
                left_out=result.document.left_out,
                replace=force,
            )
    with as_the_user_wants():
        for file, text in texts.items():
            file.write_text(text, encoding="utf-8")
    return tuple(texts)


def _yaml(document: str, results: "Sequence[DraftResult]") -> str:
    """The drafts of a document, for its checks file."""
    from appliance.documents import checks_as_yaml, key_of, sidecar_of

    head = [f"for {sidecar_of(Path(document))}"]
    entries = {}
    for result in results:
        if result.draft is not None:
            key = key_of(result.procedure, result.document.procedures)
            entries[key] = result.draft.checks
            head += [f"{key}: {note}" for note in (result.note, *result.draft.notes)]
    comment = "".join(f"# {' '.join(line.split())}\n" for line in head)
    return (comment + checks_as_yaml(entries)).rstrip("\n")


def _document(result: "DraftResult") -> Json:
    from appliance.documents import plain_checks, sidecar_of

    draft = result.draft
    return {
        "procedure": result.procedure.id,
        "document": result.document.path,
        "file": str(sidecar_of(Path(result.document.path))),
        "told": result.note,
        "notes": to_jsonable(draft.notes) if draft else [],
        "checks": to_jsonable(plain_checks(draft.checks)) if draft else None,
    }


def _result_of(results: Sequence[ProcedureResult], procedure: str, run_id: str) -> ProcedureResult:
    exact = [r for r in results if procedure in (r.id, procedure_of(r.id))]
    ending = [r for r in results if procedure_of(r.id).endswith(f"/{procedure}")]
    matching = exact or ending
    if len(matching) == 1:
        return matching[0]
    ids = ", ".join(r.id for r in (matching or results)[:5])
    problem = "several procedures of that name" if matching else f"no procedure {procedure}"
    raise SetupError(f"run {run_id} has {problem}; it has {ids}.")


def _procedure_of(documents: Sequence[Document], result: ProcedureResult) -> Procedure:
    procedure_id = procedure_of(result.id)
    for document in documents:
        for procedure in document.all_procedures:
            if procedure.id == procedure_id:
                return procedure
    raise SetupError(
        f"{documents[0].path} has no procedure {procedure_id} any more: --document says where it is"
        " now."
    )


def _show(procedure: Procedure, log: AuditLog, values: Mapping[str, str], *, as_json: bool) -> int:
    from appliance.outcome.audit_rules import explain_rules
    from appliance.outcome.bindings import bind_checks

    bindings = {**log.bindings, **values}
    bound = bind_checks(procedure.checks, bindings, strict=False)
    try:
        reports = explain_rules(procedure.checks, log.events, bound)
    except OutcomeError as error:
        raise SetupError(f"{error}; --set or the first line of the log gives values") from error
    if not reports:
        raise SetupError(f"{procedure.id} has no rules: `appliance checks draft` proposes some.")
    if as_json:
        write_json([_rule_as_json(report) for report in reports])
    else:
        console = data_console()
        for report in reports:
            console.print(_line(report), soft_wrap=True)
            for alternative in report.alternatives:
                for inner in alternative:
                    console.print(Text("    ").append(_line(inner)), soft_wrap=True)
    failed = sum(not report.holds for report in reports)
    events = counted(len(log.events), "event")
    talk(f"{counted(len(reports), 'rule')}, {failed} not held, on {events} of {procedure.id}.")
    return FINDINGS if failed else CLEAN


def _line(report: "RuleReport") -> Text:
    location = f"{report.rule.span.file}:{report.rule.span.line}: " if report.rule.span else ""
    mark = Text("holds  " if report.holds else "fails  ", style="green" if report.holds else "red")
    return mark.append(f"{location}{report.kind} {_name(report)}: ", style="default").append(
        report.explanation, style="default"
    )


def _name(report: "RuleReport") -> str:
    return "any_of" if isinstance(report.rule, AnyOf) else report.rule.event


def _rule_as_json(report: "RuleReport") -> Json:
    span = report.rule.span
    return {
        "kind": report.kind.value,
        "rule": _name(report),
        "file": span.file if span else None,
        "line": span.line if span else None,
        "holds": report.holds,
        "explanation": report.explanation,
        "events": [_event(event) for event in report.matched],
        "alternatives": [
            [_rule_as_json(inner) for inner in alternative] for alternative in report.alternatives
        ],
    }


def _event(event: AuditEvent) -> Json:
    return {
        "time": event.time.isoformat(),
        "service": event.service,
        "name": event.name,
        "outcome": event.outcome.value,
        "target_id": event.target_id,
        "target_name": event.target_name,
    }
