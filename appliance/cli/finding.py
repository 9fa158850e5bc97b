"""`appliance finding`: what earlier runs found, and what people say of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import click
from rich.text import Text

from appliance.cli._app import Invocation, Noun, pass_invocation
from appliance.cli._history import (
    Records,
    artifact_path,
    finding_of,
    incident_of,
    records,
    root_of,
    run_id_of,
)
from appliance.cli._options import collect_options
from appliance.cli._output import data_console, json_option, talk, write_json
from appliance.cli._summary import counted, finding_line, replay_command
from appliance.cli._times import in_zone, local_time
from appliance.config import Settings
from appliance.core.jsonable import json_object
from appliance.core.verdict import AfterChange
from appliance.store.incident import (
    Incident,
    IncidentState,
    TriageAction,
    TriageDecision,
    TriageEntry,
)
from appliance.store.queries import StoredFinding

_AFTER_CHANGE = {
    AfterChange.VERIFIED: "verified after the change",
    AfterChange.FAILED: "does not verify after the change: it is not in patches",
}
_STATES = {
    IncidentState.OPEN: "is open",
    IncidentState.CONFIRMED: "is confirmed: the documentation is wrong",
    IncidentState.REJECTED: "is rejected: the appliance was wrong",
    IncidentState.ACCEPTED: "is accepted",
    IncidentState.CLOSED: "is closed",
}


_ANY = "any"


@click.group("finding", cls=Noun, later=("calibrate", "replay"))
def command() -> None:
    """List findings, show their evidence, and triage them.

    FINDING is the id of a finding, or of its root cause, or the beginning of one.
    """


finding_argument = click.argument("finding_id", metavar="FINDING")
comment_option = click.option("--comment", default="", metavar="WORDS", help="Why.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Filter:
    run_id: str | None
    of_all: bool
    state: str
    document: str | None
    console: str | None

    def matches(self, item: StoredFinding | Incident) -> bool:
        """Whether an item is in the chosen document and on the chosen console."""
        where = item.finding.document if isinstance(item, StoredFinding) else item.document
        return self.document in (None, where) and self.console in (None, item.console)


@command.command("list")
@click.option(
    "--state",
    type=click.Choice([*(state.value for state in IncidentState), _ANY]),
    default=IncidentState.OPEN.value,
    show_default=True,
    help="What people said of it.",
)
@click.option("--document", metavar="PATH", help="Only in that document.")
@click.option("--console", metavar="NAME", help="Only on that console.")
@click.option("--run", "run_id", metavar="RUN", help="What that run found, as it was then.")
@click.option("--all", "of_all", is_flag=True, help="What all runs found, as it was then.")
@json_option
@pass_invocation
@collect_options(_Filter)
def list_command(invocation: Invocation, filters: _Filter, as_json: bool) -> None:
    """List what is open, whatever run saw it last: one for each root cause, the worst first."""
    with records(invocation.settings()) as history:
        items, scope = _search(history, filters)
    listed = [item for item in items if filters.matches(item)]
    if as_json:
        write_json(listed)
        return
    terminal = data_console()
    for item in listed:
        terminal.print(_line(item), soft_wrap=True)
    talk(f"{counted(len(listed), 'finding')} {scope}.")


def _search(history: Records, filters: _Filter) -> tuple[Sequence[StoredFinding | Incident], str]:
    """Return the matching findings, and in words where they were searched."""
    if filters.run_id or filters.of_all:
        run = None if filters.of_all else run_id_of(history, filters.run_id)
        return history.findings(run), f"in run {run}" if run else "in all runs"
    states = tuple(IncidentState) if filters.state == _ANY else (IncidentState(filters.state),)
    incidents = [
        incident for state in states for incident in history.incidents(state, filters.console)
    ]
    return incidents, "in all states" if filters.state == _ANY else filters.state


def _line(item: StoredFinding | Incident) -> Text:
    if isinstance(item, StoredFinding):
        return Text(item.finding.id, style="cyan").append(finding_line(item.finding))
    line = Text(item.id, style="cyan").append(finding_line(item.as_finding()))
    notes = [item.state.value] if item.state is not IncidentState.OPEN else []
    notes += [f"{item.places} places"] if item.places > 1 else []
    notes += [f"assigned to {item.assignee}"] if item.assignee else []
    return line.append(f"  ({', '.join(notes)})", style="dim") if notes else line


@command.command("show")
@finding_argument
@json_option
@pass_invocation
def show(invocation: Invocation, finding_id: str, as_json: bool) -> None:
    """Show FINDING with its evidence, and what people said of it."""
    settings = invocation.settings()
    with records(settings) as history:
        stored = finding_of(history, finding_id)
        incident = history.incident(root_of(stored))
        log = history.log(incident.id) if incident else ()
    if as_json:
        write_json({**json_object(stored), "incident": incident, "log": log})
        return
    for line in _lines(stored, settings):
        click.echo(line)
    for line in _triage_lines(incident, log):
        click.echo(line)


def _add_opinion(name: str, action: TriageAction, about: str) -> None:
    """Add a triage command that takes only a comment."""

    @command.command(name, help=about)
    @finding_argument
    @comment_option
    @json_option
    @pass_invocation
    def say(invocation: Invocation, finding_id: str, comment: str, as_json: bool) -> None:
        _triage(invocation, finding_id, TriageDecision(action, comment=comment), as_json)


_add_opinion("confirm", TriageAction.CONFIRM, "Say that the documentation is wrong.")
_add_opinion(
    "reject",
    TriageAction.REJECT,
    "Say that the appliance is wrong: it stays so when it is seen again.",
)
_add_opinion("reopen", TriageAction.REOPEN, "Say that it waits for somebody again.")


@command.command("undo")
@finding_argument
@json_option
@pass_invocation
def undo(invocation: Invocation, finding_id: str, as_json: bool) -> None:
    """Take back what was said of it last: it is as it was before."""
    _triage(invocation, finding_id, TriageDecision(TriageAction.UNDO), as_json)


@command.command("accept-until")
@finding_argument
@click.argument("date", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M"]))
@comment_option
@json_option
@pass_invocation
def accept(
    invocation: Invocation, finding_id: str, date: datetime, comment: str, as_json: bool
) -> None:
    """Leave it alone until DATE (YYYY-MM-DD, in sweep.time_zone): then it is open again."""
    invocation.settings()  # its zone
    decision = TriageDecision(TriageAction.ACCEPT, comment=comment, until=in_zone(date))
    _triage(invocation, finding_id, decision, as_json)


@command.command("assign")
@finding_argument
@click.argument("name")
@comment_option
@json_option
@pass_invocation
def assign(invocation: Invocation, finding_id: str, name: str, comment: str, as_json: bool) -> None:
    """Have NAME look after it; an empty name is nobody."""
    decision = TriageDecision(TriageAction.ASSIGN, comment=comment, assignee=name)
    _triage(invocation, finding_id, decision, as_json)


@command.command("comment")
@finding_argument
@click.argument("words")
@json_option
@pass_invocation
def comment_command(invocation: Invocation, finding_id: str, words: str, as_json: bool) -> None:
    """Say something about it."""
    decision = TriageDecision(TriageAction.COMMENT, comment=words)
    _triage(invocation, finding_id, decision, as_json)


def _triage(
    invocation: Invocation, finding_id: str, decision: TriageDecision, as_json: bool
) -> None:
    with records(invocation.settings()) as history:
        incident = history.triage(incident_of(history, finding_id).id, decision)
    if as_json:
        write_json(incident)
        return
    talk(f"{_state_of(incident)}, in {counted(incident.places, 'place')}.")


def _state_of(incident: Incident) -> str:
    whose = f" (assigned to {incident.assignee})" if incident.assignee else ""
    until = incident.accepted_until
    date = f" until {local_time(until)}" if until else ""
    where = f"{incident.document}:{incident.line}"
    return f"{incident.id} at {where}{whose} {_STATES[incident.state]}{date}"


def _lines(stored: StoredFinding, settings: Settings) -> Iterator[str]:
    finding = stored.finding
    yield f"{finding.document}:{finding.line}:{finding.column}"
    sure = "" if finding.is_sure else ", not sure enough to count"
    how = f"confidence {finding.confidence:.2f}{sure}"
    yield f"kind         {finding.kind}, {finding.severity}, {how}"
    yield f"text         {finding.quote}"
    yield f"console      {finding.shown}"
    if finding.suggestion is not None:
        yield f"suggestion   {finding.suggestion or '(leave it out)'}"
    if finding.after_change is not AfterChange.UNTRIED:
        yield f"tried        {_AFTER_CHANGE[finding.after_change]}"
    yield f"step         {finding.step} of {stored.procedure_id}"
    yield f"run          {stored.run_id} against {stored.console}"
    yield f"fingerprint  {finding.fingerprint}"
    for piece in finding.evidence:
        where = artifact_path(settings, piece.artifact) if piece.artifact else ""
        yield f"{piece.kind:<12} {' '.join(filter(None, (piece.caption, piece.text, where)))}"
    yield f"again        {replay_command(finding.document, stored.procedure_id, stored.console)}"


def _triage_lines(incident: Incident | None, log: tuple[TriageEntry, ...]) -> Iterator[str]:
    if incident is None:
        return
    yield f"triage       {_state_of(incident)}"
    for entry in log:
        author = entry.by or "the appliance"
        comment = f": {entry.comment}" if entry.comment else ""
        back = " (taken back)" if entry.is_undone else ""
        yield f"             {local_time(entry.at)} {author} {entry.action}{back}{comment}"
