"""What happens in runs, as lines of the log."""

import structlog

from appliance.core.events import (
    AccountQuarantined,
    Event,
    FindingClosed,
    FindingOpened,
    PersonAnswered,
    PersonAsked,
    ProcedureFinished,
    ProcedureStarted,
    ResourceProgressed,
    RunFinished,
    RunStarted,
    StepFinished,
    SweepProgressed,
)
from appliance.core.result import Finding, Summary

log = structlog.get_logger("appliance.runs")


def log_event(event: Event) -> None:
    """A subscriber of `core.events`."""
    match event:
        case StepFinished() | ResourceProgressed() | ProcedureStarted():
            _tell_of_work(event)
        case FindingOpened(incident_id=id, finding=finding):
            log.info("finding opened", finding_id=id, **_about(finding))
        case FindingClosed(incident_id=id, finding=finding):
            log.info("finding closed", finding_id=id, **_about(finding))
        case AccountQuarantined(console=console, account=account, reason=why, by=by):
            log.warning("account quarantined", console=console, account=account, why=why, by=by)
        case PersonAsked() | PersonAnswered():
            _tell_of_question(event)
        case _:
            _tell_of_run(event)


def _tell_of_run(event: Event) -> None:
    match event:
        case RunStarted(run_id=run_id, procedures=count, goes_on=goes_on):
            word = "run goes on" if goes_on else "run started"
            log.info(word, run_id=run_id, procedures=count)
        case ProcedureFinished(run_id=run_id, result=result):
            log.info(
                "procedure finished",
                run_id=run_id,
                procedure_id=result.id,
                verdict=result.verdict.value,
                findings=len(result.findings),
                seconds=round(result.cost.wall_s, 1),
            )
        case SweepProgressed(sweep_id=run_id, state=state, why=why) if state != "running":
            log.info("run stopped", run_id=run_id, state=state, why=why, done=event.done)
        case RunFinished(run_id=run_id, summary=summary):
            counts = {k: n for k, n in _counts(summary).items() if n}
            log.info("run finished", run_id=run_id, **counts)


def _tell_of_work(event: StepFinished | ResourceProgressed | ProcedureStarted) -> None:
    about = {"run_id": event.run_id, "procedure_id": event.procedure_id}
    match event:
        case ProcedureStarted(title=title):
            log.debug("procedure started", **about, title=title)
        case StepFinished(step=step, status=status):
            log.debug("step finished", **about, step=step, status=status.value)
        case ResourceProgressed(what=what, doing=doing):
            tell = log.warning if doing == "failed" else log.debug
            tell("resource", **about, what=what, doing=doing)


def _tell_of_question(event: PersonAsked | PersonAnswered) -> None:
    about = {
        "run_id": event.run_id,
        "procedure_id": event.procedure_id,
        "question_id": event.question_id,
        "kind": event.kind.value,
    }
    match event:
        case PersonAsked(text=text, expires_at=until):
            log.warning("person asked", **about, text=text, until=until.isoformat())
        case PersonAnswered(state=state, reply=reply, by=by, waited_s=waited_s):
            word = f"question {state.value}"
            answer = reply.value if reply else ""
            log.info(word, **about, reply=answer, by=by, seconds=round(waited_s, 1))


def _about(finding: Finding) -> dict[str, str]:
    return {
        "kind": finding.kind.value,
        "place": f"{finding.document}:{finding.line}",
        "quote": finding.quote,
    }


def _counts(summary: Summary) -> dict[str, int]:
    return {name: getattr(summary, name) for name in summary.__dataclass_fields__}
