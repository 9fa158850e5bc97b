"""What is said of operations in the description of the API, in one place."""

from http import HTTPStatus

from litestar.datastructures import ResponseHeader
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example, Operation, Parameter
from litestar.openapi.spec.schema import Schema

from appliance.server.api.shapes.problem import ProblemShown
from appliance.server.problems import MEDIA_TYPE

_WHY = {
    400: ("invalid-request", "The request is not what is described here."),
    401: ("key-needed", "No key was sent, or none that is known."),
    403: ("role-too-small", "The key's role may not do this."),
    404: ("not-found", "There is no such thing."),
    409: ("conflict", "It is not in a state for this, or the same request is under way."),
    412: ("precondition-failed", "It has changed since it was read: read it again."),
    413: ("request-too-large", "The request is larger than the settings allow."),
    415: ("unsupported-media-type", "The body is of another media type."),
    422: ("not-possible", "The request is understood, but cannot be done; `detail` says why."),
    428: ("precondition-required", "Send `If-Match`, so that nobody's work is lost."),
    429: ("too-many-requests", "Too many requests; `Retry-After` says when to go on."),
    502: ("console", "The console does not answer."),
    503: ("store", "The store does not answer, or the server is stopping."),
}

LOCATION = ResponseHeader(
    name="Location",
    description="Where it is.",
    documentation_only=True,
    required=True,
)
_REPEAT = Parameter(
    name="Idempotency-Key",
    param_in="header",
    description="Any text of your own: the request is done once, however often it is sent with it,"
    " and the first answer comes again.",
    schema=Schema(type="string", min_length=1, max_length=255, pattern=r"^[\x21-\x7e]+$"),  # type: ignore[arg-type]  # the text is what is written
    examples={"build": Example(value="release-4.2-build-1711")},
)
_MATCH = Parameter(
    name="If-Match",
    param_in="header",
    description="The `ETag` of the finding as you read it: 412 where somebody was quicker.",
    schema=Schema(type="string"),  # type: ignore[arg-type]  # the text is what is written
)
_RESUME = Parameter(
    name="Last-Event-ID",
    param_in="header",
    description="Id of the last event that came: the stream goes on behind it.",
    schema=Schema(type="string", max_length=255, pattern=r"^[\x21-\x7e]*$"),  # type: ignore[arg-type]  # the text is what is written
)


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The errors of an operation, besides those that every operation has."""
    return {status: _problem(status) for status in sorted({400, 401, 429, 503, *statuses})}


class Repeatable(Operation):
    """An operation that takes an `Idempotency-Key`."""

    def __post_init__(self) -> None:
        """Say so."""
        self.parameters = [*(self.parameters or ()), _REPEAT]


class Matching(Operation):
    """An operation that takes an `Idempotency-Key` and `If-Match`."""

    def __post_init__(self) -> None:
        """Say so."""
        self.parameters = [*(self.parameters or ()), _MATCH, _REPEAT]


class Streaming(Operation):
    """An operation that answers with events and takes a `Last-Event-ID`."""

    def __post_init__(self) -> None:
        """Say so."""
        self.parameters = [*(self.parameters or ()), _RESUME]


def _problem(status: int) -> ResponseSpec:
    code, why = _WHY[status]
    example = {
        "type": f"urn:appliance:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": why,
    }
    return ResponseSpec(
        data_container=ProblemShown,
        generate_examples=False,
        description=why,
        media_type=MEDIA_TYPE,
        examples=[Example(value=example)],
    )
