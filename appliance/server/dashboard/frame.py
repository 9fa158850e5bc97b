"""How a page is rendered, and what happens after a form was sent."""

from collections.abc import Awaitable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any, TypeAlias, TypeVar

from litestar import MediaType, Request
from litestar.response import Redirect, Template

from appliance.core.errors import ApplianceError
from appliance.server.activity import note_failure
from appliance.server.callers import caller_of
from appliance.server.dashboard.formats import Formats
from appliance.server.dashboard.navigation import navigation_for
from appliance.server.dashboard.notices import Notice, read_notice, with_notice, without_notice
from appliance.server.dashboard.preferences import Words, language_of, theme_of, words_in
from appliance.server.dashboard.twins import JsonTwin, wants_data
from appliance.server.parts import Service
from appliance.server.permissions import PERMISSIONS
from appliance.server.permissions import may as role_may
from appliance.server.problems import ProblemDocument
from appliance.server.sources import short_path

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
        "may": lambda *wanted: (
            caller is not None and any(role_may(caller.role, PERMISSIONS[one]) for one in wanted)
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
