"""`/audit`: where a console's backend posts its audit events, signed."""

import asyncio
from dataclasses import dataclass
from typing import Any

import structlog
from litestar import Controller, post
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import FromPath

from appliance.config import AuditSettings
from appliance.core.errors import OutcomeError, SetupError
from appliance.outcome.sources import LONGEST_BODY, UnsignedError, store_posted
from appliance.server.api._operations import problems
from appliance.server.api.shapes.base import ResponseShape
from appliance.server.callers import PUBLIC
from appliance.server.parts import Service, TheService
from appliance.server.problems import AnyRequest, Problem

_EVENT: dict[str, Any] = {  # Any: JSON
    "eventID": "5f4c1a0e",
    "eventTime": "2026-11-21T22:00:00Z",
    "eventName": "CreateVolume",
    "eventSource": "ec2.amazonaws.com",
}


class Taken(ResponseShape):
    """What became of audit events that were posted."""

    taken: int
    """Events that are new."""
    known: int
    """Events that had come before."""


log = structlog.get_logger(__name__)


@dataclass
class _Posted(Operation):
    """What comes is looked at only when its signature is good, so no handler names its shape."""

    def __post_init__(self) -> None:
        """Say what it is."""
        one = Schema(type=OpenAPIType.OBJECT, description="An event, or a cloud's wrapping of some")
        many = Schema(type=OpenAPIType.ARRAY, items=one, description="Several events")
        schema = Schema(one_of=[one, many], examples=[_EVENT, [_EVENT]])
        content = {"application/json": OpenAPIMediaType(schema=schema)}
        self.request_body = RequestBody(content=content, required=True)


class AuditEvents(Controller):
    """Take in audit events."""

    path = "/audit"
    tags = ("Environment",)

    @post(
        "/{console:str}",
        operation_id="receiveAuditEvents",
        operation_class=_Posted,
        summary="Post audit events",
        status_code=202,
        opt={PUBLIC: True},
        security=[{}],
        request_max_body_size=LONGEST_BODY,
        response_description="They are kept.",
        responses=problems(404, 413, 422),
    )
    async def receive(
        self, request: AnyRequest, service: TheService, console: FromPath[str]
    ) -> Taken:
        """For a console whose `audit.kind` is `webhook`.

        No key is needed: the request is signed as standardwebhooks.com says (`webhook-id`,
        `webhook-timestamp`, `webhook-signature`) with the secret that the settings name. Events
        that came before are counted, and kept once.
        """
        settings = _settings(service, console)
        body, now = await request.body(), service.engine.clock.now()
        try:
            taken = await asyncio.to_thread(
                store_posted, console, settings, dict(request.headers), body, service.store, now
            )
        except UnsignedError as error:
            raise Problem(
                401,
                str(error),
                title="Not signed",
                code="unsigned",
                headers={"WWW-Authenticate": "Signature"},
            ) from error
        except OutcomeError as error:
            raise Problem(422, str(error), title="No audit events", code="no-events") from error
        except SetupError as error:  # not its sender's fault, and none of their business
            log.error("audit.not_taken", console=console, why=str(error))
            raise Problem(
                503, "The secret of the signatures is not set up: the log of the server says more."
            ) from error
        return Taken(taken=taken.taken, known=taken.known)


def _settings(service: Service, console: str) -> AuditSettings:
    known = service.settings.consoles.get(console)
    if known is None or known.audit.kind != "webhook":
        raise Problem(
            404,
            f"No console {console!r} has its audit events posted here.",
            title="Unknown audit log",
        )
    return known.audit
