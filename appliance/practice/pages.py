"""The console's pages: log-in, the one page that the scripts fill, its frames, the schema."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import jinja2
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, URLEncodedBody
from litestar.response import Redirect

from appliance.practice.accounts import Account, Doorkeeper
from appliance.practice.cloud import Cloud
from appliance.practice.identity import (
    CODE_COOKIE,
    LANGUAGE_COOKIE,
    SESSION_COOKIE,
    STATE_COOKIE,
    AnyRequest,
    Origins,
    TheCaller,
    TheCloud,
    TheDoorkeeper,
    TheFrames,
    caller_of,
    language_of,
)
from appliance.practice.refusals import Code
from appliance.practice.single_sign_on import CALLBACK
from appliance.practice.views import with_session

WEB = Path(__file__).resolve().parent / "web"
HOME = "/console"
ALONE = "frame-ancestors 'none'"
"""Policy of pages that no other page may embed."""
Form = URLEncodedBody[dict[str, str]]


@lru_cache(maxsize=1)
def _templates() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(WEB)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)


def _page(
    file: str, language: str, cloud: Cloud, status: int = 200, policy: str = ALONE, **more: str
) -> Response[str]:
    texts = {key: text.in_language(language) for key, text in cloud.catalogue.console.texts.items()}
    html = _templates().get_template(file).render(t=texts, language=language, **more)
    headers = {"cache-control": "no-store", "content-security-policy": policy}
    cookies = [Cookie(key=LANGUAGE_COOKIE, value=language, path="/", samesite="lax")]
    return Response(
        html, status_code=status, media_type=MediaType.HTML, headers=headers, cookies=cookies
    )


def _account(request: AnyRequest, doorkeeper: Doorkeeper) -> bool:
    return doorkeeper.by_token(request.cookies.get(SESSION_COOKIE, "")) is not None


@get("/", sync_to_thread=False)
def start() -> Redirect:
    """To the console."""
    return Redirect(HOME)


@get("/login", sync_to_thread=False)
def login_page(request: AnyRequest, cloud: TheCloud, doorkeeper: TheDoorkeeper) -> Response[str]:
    """The log-in form, or the way to the identity provider."""
    after = request.query_params.get("next", "")
    return _log_in_page(request, cloud, doorkeeper, after=after)


def _log_in_page(
    request: AnyRequest,
    cloud: Cloud,
    doorkeeper: Doorkeeper,
    *,
    after: str,
    name: str = "",
    wrong: str = "",
) -> Response[str]:
    """`wrong`: the text of the catalogue that says what is."""
    language = language_of(request)
    return _page(
        "login.html",
        language,
        cloud,
        401 if wrong else 200,
        name=name,
        error=cloud.catalogue.text(wrong).in_language(language) if wrong else "",
        next=after,
        is_elsewhere="yes" if doorkeeper.single_sign_on else "",
    )


@get("/login/sso", sync_to_thread=True)
def sign_on(request: AnyRequest, doorkeeper: TheDoorkeeper) -> Redirect:
    """To the identity provider."""
    if doorkeeper.single_sign_on is None:
        return Redirect("/login")
    url, state = doorkeeper.single_sign_on.begin(str(request.base_url).rstrip("/"))
    cookie = Cookie(key=STATE_COOKIE, value=state, path="/login", httponly=True, samesite="lax")
    return Redirect(url, cookies=[cookie])


@get(CALLBACK, sync_to_thread=True)
def signed_on(
    request: AnyRequest, cloud: TheCloud, doorkeeper: TheDoorkeeper
) -> Response[Any]:  # Any: a page or a redirect
    """Back from the identity provider."""
    state, query = request.cookies.get(STATE_COOKIE, ""), request.query_params
    provider, account = doorkeeper.single_sign_on, None
    if provider is not None and state and query.get("state") == state:
        names = provider.user_names(state, query.get("code", ""))
        account = next(filter(None, map(doorkeeper.by_name, names)), None)
    if account is None:
        return _log_in_page(request, cloud, doorkeeper, after="", wrong="sign_in_wrong")
    return _signed_in(request, account, "", cloud, doorkeeper)


@post("/login", sync_to_thread=False)
def log_in(
    request: AnyRequest, data: Form, cloud: TheCloud, doorkeeper: TheDoorkeeper
) -> Response[Any]:  # Any: a page or a redirect
    """Check the password; on to the console, or the form again with a message."""
    name, after = data.get("username", ""), data.get("next", "")
    if doorkeeper.single_sign_on is not None:
        return Redirect("/login", status_code=303)
    account = doorkeeper.by_password(name, data.get("password", ""))
    if account is None:
        if known := doorkeeper.by_name(name):
            caller = caller_of(request, known, "console")
            cloud.record(caller, "ConsoleLogin", error_code=Code.UNAUTHENTICATED)
        return _log_in_page(
            request, cloud, doorkeeper, after=after, name=name, wrong="sign_in_wrong"
        )
    if doorkeeper.second_factor is not None:
        return _ask_code(doorkeeper.second_factor.ask(account), after)
    return _signed_in(request, account, after, cloud, doorkeeper)


@get("/login/code", sync_to_thread=False)
def code_page(
    request: AnyRequest, cloud: TheCloud, doorkeeper: TheDoorkeeper
) -> Response[Any]:  # Any: a page or a redirect
    """The form for the second factor."""
    if _pending_account(request, doorkeeper) is None:
        return Redirect("/login")
    after = request.query_params.get("next", "")
    return _page("code.html", language_of(request), cloud, error="", next=after)


@post("/login/code", sync_to_thread=False)
def enter_code(
    request: AnyRequest, data: Form, cloud: TheCloud, doorkeeper: TheDoorkeeper
) -> Response[Any]:  # Any: a page or a redirect
    """Check the code; on to the console, or the form again with a message."""
    account, second = _pending_account(request, doorkeeper), doorkeeper.second_factor
    if account is None or second is None:
        return Redirect("/login", status_code=303)
    after = data.get("next", "")
    if second.answer(request.cookies.get(CODE_COOKIE, ""), data.get("code", "")):
        return _signed_in(request, account, after, cloud, doorkeeper)
    caller = caller_of(request, account, "console")
    cloud.record(caller, "ConsoleLogin", error_code=Code.SECOND_FACTOR)
    language = language_of(request)
    error = cloud.catalogue.text("second_factor_wrong").in_language(language)
    return _page("code.html", language, cloud, 401, error=error, next=after)


def _pending_account(request: AnyRequest, doorkeeper: Doorkeeper) -> Account | None:
    """The account whose password was accepted and whose code is still awaited."""
    second = doorkeeper.second_factor
    return second.account_of(request.cookies.get(CODE_COOKIE, "")) if second else None


def _ask_code(token: str, after: str) -> Redirect:
    cookie = Cookie(key=CODE_COOKIE, value=token, path="/login", httponly=True, samesite="strict")
    target = f"/login/code?{urlencode({'next': after})}" if after else "/login/code"
    return Redirect(target, cookies=[cookie], status_code=303)


def _signed_in(
    request: AnyRequest, account: Account, after: str, cloud: Cloud, doorkeeper: Doorkeeper
) -> Redirect:
    cloud.record(caller_of(request, account, "console"), "ConsoleLogin")
    token = doorkeeper.new_token(account)
    # Coming from another site, the browser would not send a strict one on to the console.
    same_site: Literal["lax", "strict"] = "lax" if doorkeeper.single_sign_on else "strict"
    cookie = Cookie(key=SESSION_COOKIE, value=token, path="/", httponly=True, samesite=same_site)
    # Only to pages of the console: an address of elsewhere would send the reader there.
    target = after if after.startswith(HOME + "/") else HOME
    return Redirect(target, cookies=[cookie], status_code=303)


@post("/logout", status_code=204, sync_to_thread=False)
def log_out(request: AnyRequest, doorkeeper: TheDoorkeeper) -> Response[None]:
    """End the session."""
    doorkeeper.forget(request.cookies.get(SESSION_COOKIE, ""))
    cookie = Cookie(key=SESSION_COOKIE, value="", path="/", max_age=0, samesite="strict")
    return Response(None, status_code=204, cookies=[cookie])


@get(["/console", "/console/{path:path}"], sync_to_thread=False)
def console(
    request: AnyRequest,
    cloud: TheCloud,
    doorkeeper: TheDoorkeeper,
    frames: TheFrames,
    path: FromPath[str] = "",
) -> Response[Any]:  # Any: a page or a redirect
    """The page that the scripts fill."""
    if not _account(request, doorkeeper):
        return Redirect("/login")
    policy = f"{ALONE}; frame-src {' '.join(set(Origins.of(request, frames)))}"
    return _page("console.html", language_of(request), cloud, policy=policy)


@get("/frame/{service:str}/{collection:str}/{item_id:str}/{action:str}", sync_to_thread=False)
def frame(
    request: AnyRequest,
    cloud: TheCloud,
    frames: TheFrames,
    service: FromPath[str],
    collection: FromPath[str],
    action: FromPath[str],
) -> Response[Any]:  # Any: a page or nothing
    """The document of an embedded frame; only pages of the console may embed it."""
    located = cloud.catalogue.collection(service, collection)
    edit = located and located.resource.actions.get(action)
    if edit is None or edit.kind != "edit":
        raise NotFoundException(f"there is no form {action} of {service}/{collection}")
    origins = " ".join(sorted(set(Origins.of(request, frames))))
    policy = f"frame-ancestors {origins}"
    return _page("frame.html", language_of(request), cloud, policy=policy, origins=origins)


@get("/ui/schema", sync_to_thread=False)
def schema(request: AnyRequest, cloud: TheCloud, caller: TheCaller) -> Response[str]:
    """Everything that the console shows, in the session's language."""
    language = language_of(request)
    regions = [region.id for region in cloud.catalogue.console.regions]
    session = {
        "user": {"name": caller.account.name, "role": caller.account.role.value},
        "language": language,
        "region": caller.region if caller.region in regions else regions[0],
    }
    text = with_session(cloud.console_schema(language), session)
    return Response(text, media_type=MediaType.JSON)


HANDLERS = [
    start,
    login_page,
    log_in,
    sign_on,
    signed_on,
    code_page,
    enter_code,
    log_out,
    console,
    frame,
    schema,
]
"""Everything that is not the API."""
