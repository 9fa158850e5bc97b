"""Every error as one problem document (RFC 9457); for a browser that wants a page, as a page."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import quote

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.response import Redirect

from appliance.core.errors import (
    ApplianceError,
    AttemptError,
    DocumentError,
    LimitError,
    SetupError,
    StoreError,
)
from appliance.core.jsonable import Json, json_object
from appliance.core.secrets import without_secrets
from appliance.engine.problems import NothingToDo, StoppingError, UnknownConsole, UnknownRun
from appliance.engine.question_desk import QuestionAnswered, QuestionOver, UnknownQuestion
from appliance.engine.schedules.state import ScheduleUnderWay, UnknownSchedule
from appliance.engine.webhooks.webhooks import UnknownDelivery
from appliance.store.keys import UnknownKey

MEDIA_TYPE = "application/problem+json"
LOG_IN = "/login"
_NO_PAGES = ("/api/", "/schema", "/metrics", "/healthz", "/readyz", "/static/")
_ID_BYTES = 6

AnyRequest: TypeAlias = Request[Any, Any, Any]  # Any: as Litestar's handlers have it
log = structlog.get_logger(__name__)


class Problem(HTTPException):
    """Something that a request cannot have, said so that its sender can act."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        title: str = "",
        code: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`title` names the kind of problem, `code` names it for programs (`unknown-run`)."""
        super().__init__(detail=detail, status_code=status, headers=dict(headers or {}))
        self.title = title or HTTPStatus(status).phrase
        self.code = code or _code(self.title)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """What is wrong with one part of a request."""

    field: str
    """`documents.0.name`; empty: the whole."""
    source: str
    """`body`, `query`, `path`, `header` or `cookie`; empty where that is not known."""
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemDocument:
    """The body of every answer that is an error."""

    type: str
    """`urn:appliance:problem:unknown-run`."""
    title: str
    status: int
    detail: str
    errors: tuple[FieldError, ...] = ()
    """Which parts of the request are wrong, where the request is."""
    id: str = ""
    """Of an unexpected error: the log has the same."""


ErrorPage: TypeAlias = Callable[[AnyRequest, ProblemDocument], Response[Any]]  # Any: a page


def answer(
    request: AnyRequest, error: Exception, page: ErrorPage | None
) -> Response[Any]:  # Any: both
    """The answer to a request that failed; without `page`, a browser gets the document, too."""
    error = _leaf(error)
    document = describe(error)
    if document.id:
        log.error(
            "request.failed",
            id=document.id,
            method=request.method,
            path=request.url.path,
            exc_info=error,
        )
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if page is not None and wants_page(request):
        if document.status == HTTPStatus.UNAUTHORIZED and request.method == "GET":
            return Redirect(
                f"{LOG_IN}?next={quote(_requested_path(request), safe='/')}", status_code=303
            )
        response = page(request, document)
        response.headers.update(headers)
        return response
    return Response(
        content=_body(document),
        status_code=document.status,
        media_type=MEDIA_TYPE,
        headers=headers,
    )


def wants_page(request: AnyRequest) -> bool:
    """Whether it is a browser that asks for a page of the dashboard."""
    if request.scope["path"].startswith(_NO_PAGES):
        return False
    return "text/html" in request.headers.get("accept", "")


def describe(error: Exception) -> ProblemDocument:
    """What is said of an error; nothing from the inside of an unexpected one."""
    match error:
        case Problem():
            return _document(error.code, error.title, error.status_code, error.detail)
        case ValidationException():
            return _invalid(error)
        case HTTPException() if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            title = HTTPStatus(error.status_code).phrase
            return _document(_code(title), title, error.status_code, error.detail)
        case ApplianceError():
            return _of_ours(error)
        case RecursionError():  # of what reads JSON
            return _document("invalid-request", "Invalid request", 400, "It is nested too deeply.")
    return ProblemDocument(
        type="urn:appliance:problem:internal-error",
        title="Internal error",
        status=500,
        detail="This is a fault of the program. Its log has the same id, and says more.",
        id=secrets.token_hex(_ID_BYTES),
    )


_KINDS: tuple[tuple[type[ApplianceError], int, str, str], ...] = (
    (UnknownRun, 404, "unknown-run", "Unknown run"),
    (UnknownConsole, 404, "unknown-console", "Unknown console"),
    (UnknownSchedule, 404, "unknown-schedule", "Unknown schedule"),
    (UnknownDelivery, 404, "unknown-delivery", "Unknown delivery"),
    (UnknownKey, 404, "unknown-key", "Unknown key"),
    (UnknownQuestion, 404, "unknown-question", "Unknown question"),
    (QuestionAnswered, 409, "answered", "Answered already"),
    (QuestionOver, 410, "question-over", "Nobody waits any more"),
    (ScheduleUnderWay, 409, "under-way", "Under way"),
    (NothingToDo, 409, "nothing-to-do", "Nothing to do"),
    (StoppingError, 503, "stopping", "The server stops"),
    (LimitError, 422, "document-limit", "A document is beyond a limit"),
    (DocumentError, 422, "document", "A document cannot be read"),
    (SetupError, 422, "not-possible", "This cannot be done"),
    (StoreError, 503, "store", "The store does not answer"),
)
"""Status, code and title of our errors; the first that fits."""


def _of_ours(error: ApplianceError) -> ProblemDocument:
    for kind, status, code, title in _KINDS:
        if isinstance(error, kind):
            return _document(code, title, status, str(error))
    if isinstance(error, AttemptError):
        title = f"The {error.boundary} does not answer"
        return _document(error.boundary, title, 502, str(error))
    return _document("appliance", "This cannot be done now", 503, str(error))


def _document(code: str, title: str, status: int, detail: str) -> ProblemDocument:
    detail = without_secrets(detail)
    kind = f"urn:appliance:problem:{code}"
    return ProblemDocument(type=kind, title=title, status=status, detail=detail)


def _invalid(error: ValidationException) -> ProblemDocument:
    extra = error.extra if isinstance(error.extra, list) else []
    errors = tuple(
        FieldError(
            field=str(detail.get("key", "")),
            source=str(getattr(detail.get("source"), "value", detail.get("source")) or ""),
            detail=str(detail.get("message", "")),
        )
        for detail in extra
        if isinstance(detail, dict)
    )
    named = "; ".join(
        f"{error.field}: {error.detail}" if error.field else error.detail for error in errors
    )
    return ProblemDocument(
        type="urn:appliance:problem:invalid-request",
        title="Invalid request",
        status=400,
        detail=named or error.detail,
        errors=errors,
    )


def _body(document: ProblemDocument) -> dict[str, Json]:
    """Without what is empty, but for what every document has."""
    body = json_object(document)
    return {
        name: value for name, value in body.items() if value not in ("", []) or name == "detail"
    }


def _leaf(error: Exception) -> Exception:
    """What is inside a group of one, which concurrent work raises."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _code(title: str) -> str:
    return title.lower().replace(" ", "-")


def _requested_path(request: AnyRequest) -> str:
    query = request.scope.get("query_string", b"").decode("latin-1")
    return request.scope["path"] + (f"?{query}" if query else "")
