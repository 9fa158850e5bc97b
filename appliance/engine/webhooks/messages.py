"""Events as messages to receivers: a type, a subject, and data with links."""

from typing import NamedTuple
from urllib.parse import quote

from appliance.config import Settings
from appliance.core.events import (
    AccountQuarantined,
    Event,
    FindingClosed,
    FindingOpened,
    PersonAsked,
    SweepProgressed,
)
from appliance.core.jsonable import Json, json_object, to_jsonable
from appliance.core.result import Finding
from appliance.store.store import Store
from appliance.store.sweeps import OVER, SweepState

_OF_FINDING = [
    "kind",
    "severity",
    "confidence",
    "document",
    "line",
    "column",
    "quote",
    "shown",
    "suggestion",
    "fingerprint",
]


class WebhookMessage(NamedTuple):
    """What receivers are told."""

    event: str
    """`sweep.finished`."""
    subject: str
    """Id of the run, finding, account or question that it is about."""
    data: dict[str, Json]


def message(event: Event, store: Store, address: str) -> WebhookMessage | None:
    """What receivers are told of an event; None: nothing. Links start with `address`."""
    match event:
        case SweepProgressed(state=state) if SweepState(state) in OVER:
            return _of_sweep("sweep.finished", event, store, address)
        case SweepProgressed(state=SweepState.PAUSED.value):
            return _of_sweep("sweep.paused", event, store, address)
        case FindingOpened(finding=finding) if finding.is_alarming:
            return _of_finding("finding.opened", event, address)
        case FindingClosed():
            return _of_finding("finding.closed", event, address)
        case AccountQuarantined():
            data = json_object(event) | {"url": f"{address}/accounts"}
            return WebhookMessage("account.quarantined", f"{event.console}/{event.account}", data)
        case PersonAsked():
            return _of_question(event, store, address)
        case _:
            return None


def address_of(settings: Settings) -> str:
    """Under which people reach the server."""
    server = settings.server
    if server.public_url:
        return server.public_url.rstrip("/")
    host = f"[{server.host}]" if ":" in server.host else server.host
    return f"http://{host}:{server.port}"


def _of_sweep(
    name: str, event: SweepProgressed, store: Store, address: str
) -> WebhookMessage | None:
    sweep = store.sweeps.get(event.sweep_id)
    if sweep is None or sweep.kind != "sweep":
        return None  # a single verification: whoever asked for it watches it
    run = store.listings.run(sweep.id)
    data: dict[str, Json] = {
        "id": sweep.id,
        "console": sweep.console,
        "state": event.state,
        "why": event.why,
        "paused_for": to_jsonable(event.paused_for),
        "requested_by": sweep.requested_by,
        "done": event.done,
        "total": event.total,
        "summary": to_jsonable(run.summary) if run else None,
        "url": f"{address}/runs/{quote(sweep.id)}",
        "api_url": f"{address}/api/v1/sweeps/{quote(sweep.id)}",
    }
    return WebhookMessage(name, sweep.id, data)


def _of_finding(name: str, event: FindingOpened | FindingClosed, address: str) -> WebhookMessage:
    data = finding_data(event.console, event.incident_id, event.finding, address)
    return WebhookMessage(name, event.incident_id, data)


def finding_data(console: str, incident_id: str, finding: Finding, address: str) -> dict[str, Json]:
    """What is told of a finding."""
    return {
        "id": incident_id,
        "console": console,
        **{key: to_jsonable(getattr(finding, key)) for key in _OF_FINDING},
        "url": f"{address}/findings/{quote(incident_id)}",
        "api_url": f"{address}/api/v1/findings/{quote(incident_id)}",
    }


def _of_question(event: PersonAsked, store: Store, address: str) -> WebhookMessage:
    """Without its picture: whoever is told opens the page, and logs in for it."""
    run = store.sweeps.get(event.run_id)
    question = json_object(event)
    named = ("run_id", "procedure_id", "kind", "text", "step", "expires_at")
    data: dict[str, Json] = {
        "id": event.question_id,
        "console": run.console if run else "",
        **{name: question[name] for name in named},
        "url": f"{address}/questions/{quote(event.question_id)}",
        "api_url": f"{address}/api/v1/questions/{quote(event.question_id)}",
    }
    return WebhookMessage("person.asked", event.question_id, data)
