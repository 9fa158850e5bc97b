"""How a page is rendered, also as JSON for programs, and what happens after a form was sent."""

from collections.abc import Awaitable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import partial
from typing import Any, TypeAlias, TypeVar

from litestar import MediaType, Request, Response
from litestar.response import Redirect, Template
from litestar.response.base import ASGIResponse

from appliance.config import ScheduleSettings
from appliance.core.errors import ApplianceError
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.secrets import masked
from appliance.server.activity import note_failure
from appliance.server.callers import caller_of
from appliance.server.dashboard.formats import Formats
from appliance.server.dashboard.navigation import navigation_for
from appliance.server.dashboard.notices import Notice, read_notice, with_notice, without_notice
from appliance.server.dashboard.preferences import Words, language_of, theme_of, words_in
from appliance.server.parts import Service
from appliance.server.permissions import PERMISSIONS
from appliance.server.permissions import may as role_may
from appliance.server.problems import ProblemDocument
from appliance.server.sources import short_path


class JsonTwin(Template):
    """A page that is sent as its data."""

    def to_asgi_response(self, *args: Any, **kwargs: Any) -> ASGIResponse:  # Any: as Litestar's
        """The data, in place of what the template makes of it."""
        plain = {
            name: masked(_plain(value))
            for name, value in self.context.items()
            if not callable(value) and not name.startswith("_")
        }
        twin = Response(
            plain,
            media_type=MediaType.JSON,
            status_code=self.status_code,
            headers=self.headers,
            cookies=self.cookies,
        )
        return twin.to_asgi_response(*args, **kwargs)


def wants_data(accept: str) -> bool:
    """Whether it is a program that asks, by its `Accept`; browsers name HTML."""
    return "application/json" in accept and "text/html" not in accept


def _plain(value: object) -> Json:
    """Without what a dataclass does not show of itself, as the hash of a key; null: no data."""
    if is_dataclass(value) and not isinstance(value, type):
        visible_fields = (field.name for field in fields(value) if field.repr)
        return {name: _plain(getattr(value, name)) for name in visible_fields}
    match value:
        case ScheduleSettings():  # of no others: their variables may hold what is secret
            return to_jsonable(value.model_dump(mode="json"))
        case date():
            return value.isoformat()
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_plain(item) for item in value]
    try:
        return to_jsonable(value)
    except TypeError:
        return None


PageRequest: TypeAlias = Request[Any, Any, Any]  # Any: user, auth and state, which we do not use

HEADERS = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Language, Cookie"}
"""Of every page; `server/front.py` adds what every answer has."""


def words_of(request: PageRequest) -> Words:
    """The words in the reader's language."""
    return words_in(language_of(request))


def console_of(request: PageRequest, service: Service) -> str:
    """The console that a page is about: `?console=`, else the default one."""
    console = request.query_params.get("console", "")
    return console if console in service.settings.consoles else service.settings.console


def page(
    request: PageRequest,
    service: Service,
    name: str,
    *,
    at: str | None = None,
    title: str = "",
    status: int = 200,
    **context: object,
) -> Template:
    """A page of the dashboard; for a program, the data that it is made of.

    Args:
        request: What was asked.
        service: What it is answered from.
        name: Of the file in `templates/`, without its ending.
        at: Key of the entry in the navigation that it belongs to; empty: none; None: its name.
        title: Key of the catalogue, or a text; empty: `NAME.title`.
        status: Of the response.
        **context: What the template needs besides.
    """
    file = f"{name}.jinja"
    if wants_data(request.headers.get("accept", "")):
        return JsonTwin(file, context=context, status_code=status, headers=dict(HEADERS))
    notice = read_notice(request)
    response = Template(
        file,
        context=_frame(request, service, name if at is None else at, title or f"{name}.title")
        | {"notice": notice}
        | context,
        status_code=status,
        media_type=MediaType.HTML,
        headers=dict(HEADERS),
    )
    return without_notice(response) if notice else response


def _frame(request: PageRequest, service: Service, at: str, title: str) -> dict[str, object]:
    words = words_of(request)
    caller = caller_of(request)
    query = request.url.query
    return {
        "t": words,
        "language": words.language,
        "theme": theme_of(request),
        "fmt": Formats(words, service.engine.clock.now(), service.settings.sweep.time_zone),
        "zone": service.settings.sweep.time_zone,
        "short": partial(short_path, folders=service.settings.documentation.paths),
        "title": words(title) if words.has(title) else title,
        "at": at,
        "navigation": navigation_for(caller),
        "caller": caller,
        "may": lambda *names: (
            caller is not None and any(role_may(caller.role, PERMISSIONS[name]) for name in names)
        ),
        "path": request.url.path + (f"?{query}" if query else ""),
        "console": console_of(request, service),
        "consoles": tuple(service.settings.consoles),
        "waiting": service.engine.people.waiting() if caller else (),
    }


def redirect_with_notice(back: str, key: str, **values: str) -> Redirect:
    """Redirect to another page, which shows this notice once."""
    return with_notice(Redirect(back, status_code=303), Notice("done", key, values))


def redirect_with_problem(back: str, problem: ApplianceError) -> Redirect:
    """Redirect to another page, which shows once what went wrong."""
    note_failure(str(problem))
    notice = Notice("failed", "notice.why", {"why": str(problem)})
    return with_notice(Redirect(back, status_code=303), notice)


def redirect_with_reason(back: str, key: str, **values: str) -> Redirect:
    """The same with a text of the catalogue."""
    note_failure(words_in("en")(key, None, **values))
    return with_notice(Redirect(back, status_code=303), Notice("failed", key, values))


async def act_and_redirect(
    back: str, work: Awaitable[object], done: str, **values: str
) -> Redirect:
    """Do what a form asked for, and go back with a notice of it, or of what went wrong.

    Args:
        back: Where to go: a path of ours.
        work: What to do.
        done: What to say then: a key of the catalogue.
        **values: For its text.
    """
    try:
        await work
    except ApplianceError as problem:
        return redirect_with_problem(back, problem)
    return redirect_with_notice(back, done, **values)


def error_page(request: PageRequest, service: Service, problem: ProblemDocument) -> Template:
    """The page that a browser shows for an error."""
    key = f"error.{problem.status}"
    return page(
        request,
        service,
        "error",
        at="",
        title=key if words_of(request).has(key) else "error.other",
        status=problem.status,
        detail=problem.detail,
        id=problem.id,
        status_of=problem.status,
    )


E = TypeVar("E", bound=StrEnum)


def field(form: Mapping[str, Any], name: str) -> str:  # Any: texts and files
    """The text of a field; empty where there is none."""
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def member_named(kind: type[E], word: str) -> E | None:
    """The member of that name; None for no word, and for one that is no member: a list of all."""
    return next((member for member in kind if member.value == word), None)
