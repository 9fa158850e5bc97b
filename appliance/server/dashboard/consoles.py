"""Consoles: which there are, how it is with each, and the form of one: new, changed or tried."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template
from pydantic import ValidationError

from appliance.config import ConsoleSettings
from appliance.core.errors import SetupError
from appliance.engine.console_editing import AccountTrial, ConsoleOrigin
from appliance.engine.problems import UnknownConsole
from appliance.server.activity import about, note_failure
from appliance.server.dashboard.frame import (
    PageRequest,
    act_and_redirect,
    field,
    page,
    redirect_with_notice,
)
from appliance.server.parts import Service, TheService
from appliance.server.permissions import Permission, needs


@get("/consoles")
async def consoles(request: PageRequest, service: TheService) -> Template:
    """The page of all consoles."""
    states = await asyncio.to_thread(service.engine.consoles.list)
    can_add = bool(service.settings.server.consoles.hosts)
    return page(request, service, "consoles", states=states, can_add=can_add)


@post("/consoles/{name:str}/remove", opt=needs(Permission.REMOVE_CONSOLE))
async def remove(service: TheService, name: FromPath[str]) -> Redirect:
    """Forget one that was made here."""
    work = service.engine.consoles.remove(name)
    return await act_and_redirect("/consoles", work, "consoles.removed", name=name)


KINDS = ("generic", "openstack")
LOG_INS = ("form", "steps", "state", "basic")
AUDITS = ("", "jsonlines", "cadf", "kubernetes", "webhook", "cloudtrail", "actiontrail")
_PLAIN = ("kind", "url", "auth_url", "locale", "log_in", "log_in_steps")
_OF_AUDIT = ("kind", "path", "endpoint", "region", "key_id_env", "key_secret_env")
_OF_ACCOUNT = ("username", "role", "project", "region")
_SECRETS = ("password", "totp")
"""Each has one field, for the name of a variable or of a file."""
_ROW = ("name", *_OF_ACCOUNT, *_SECRETS)
_FIELDS = (*_PLAIN, *(f"audit_{key}" for key in _OF_AUDIT), "hosts", "name", "was")
_MOST_ACCOUNTS = 50

Draft = dict[str, Any]  # Any: texts, and rows of texts


@get("/consoles/edit", opt=needs(Permission.READ_CONSOLES))
async def edit(request: PageRequest, service: TheService) -> Template:
    """The form; `?name=` fills it in with that console, without it it is empty."""
    name = request.query_params.get("name", "")
    if not name:
        return _show_form(request, service, {"kind": "generic", "log_in": "form"})
    state = await asyncio.to_thread(service.engine.consoles.get, name)
    draft = _draft_of(service.settings.consoles[name]) | {"name": name, "was": name}
    is_ours = state.origin is ConsoleOrigin.DASHBOARD
    return _show_form(request, service, draft, is_ours=is_ours)


@post("/consoles", opt=needs(Permission.SET_CONSOLE))
async def save(request: PageRequest, service: TheService) -> Response[Any]:
    """Keep it and go to the list; else the form again, with what is wrong."""
    draft, name = await _read_form(request)
    try:
        settings = await asyncio.to_thread(_settings_from, service, draft)
        await service.engine.consoles.put(name, settings)
    except SetupError as problem:
        note_failure(str(problem))
        return _show_form(request, service, draft, str(problem))
    return redirect_with_notice("/consoles", "consoles.saved", name=name)


@post("/consoles/trial", opt=needs(Permission.TRY_CONSOLE))
async def try_out(request: PageRequest, service: TheService) -> Response[Any]:
    """The form again, with what came of trying it."""
    draft, name = await _read_form(request)
    try:
        settings = await asyncio.to_thread(_settings_from, service, draft)
        trials = await service.engine.consoles.try_out(name, settings)
    except SetupError as problem:
        note_failure(str(problem))
        return _show_form(request, service, draft, str(problem))
    return _show_form(request, service, draft, trials=trials)


def _show_form(
    request: PageRequest,
    service: Service,
    draft: Draft,
    problem: str = "",
    *,
    trials: tuple[AccountTrial, ...] = (),
    is_ours: bool = True,
) -> Template:
    rows = [*draft.get("accounts", ()), dict.fromkeys(_ROW, "")]
    values = dict.fromkeys(_FIELDS, "") | draft | {"accounts": rows[:_MOST_ACCOUNTS]}
    return page(
        request,
        service,
        "console_form",
        at="consoles",
        title="consoles.change" if draft.get("was") else "consoles.new",
        status=422 if problem else 200,
        draft=values,
        problem=problem,
        trials=trials,
        is_ours=is_ours,
        may_name=service.settings.server.consoles,
        kinds=KINDS,
        log_ins=LOG_INS,
        audits=AUDITS,
    )


def _draft_of(settings: ConsoleSettings) -> Draft:
    """What the form shows of a console."""
    plain = settings.model_dump(mode="json")
    accounts = [
        {key: account[key] for key in _OF_ACCOUNT}
        | {
            secret: account[f"{secret}_env"] or account[f"{secret}_file"] or ""
            for secret in _SECRETS
        }
        | {"name": name}
        for name, account in plain["accounts"].items()
    ]
    audit = {f"audit_{key}": plain["audit"][key] or "" for key in _OF_AUDIT}
    hosts = {"hosts": " ".join(plain["hosts"]), "accounts": accounts}
    return {key: plain[key] for key in _PLAIN} | audit | hosts


async def _read_form(request: PageRequest) -> tuple[Draft, str]:
    """What the form says, and the name of the console."""
    form = await request.form()
    draft: Draft = {key: field(form, key) for key in _FIELDS}
    draft["accounts"] = list(_accounts(form))
    name = draft["was"] or draft["name"]
    about(name, f"kind={draft['kind']}, url={draft['url']}")
    return draft, name


def _accounts(form: Mapping[str, Any]) -> Iterator[dict[str, str]]:  # Any: texts and files
    for number in range(_MOST_ACCOUNTS):
        row = {key: field(form, f"account_{number}_{key}") for key in _ROW}
        if any(row.values()):
            yield row


def _settings_from(service: Service, draft: Draft) -> ConsoleSettings:
    """What the form says; what it does not ask for stays as it is. Blocks."""
    current = _find_console(service, draft["was"] or draft["name"])
    if current and not draft["was"]:
        raise SetupError(f"there is a console {draft['name']} already: change that one")
    settings_before = current.model_dump(exclude_unset=True) if current else {}
    accounts = {}
    for row in draft["accounts"]:
        name = row["name"] or row["username"]
        if name in accounts:
            raise SetupError(f"two accounts are called {name}: each has a name of its own")
        account_before = settings_before.get("accounts", {}).get(name, {})
        accounts[name] = (
            account_before | {key: row[key] for key in _OF_ACCOUNT} | _secret_references(row)
        )
    values = {key: draft[key] for key in _PLAIN} | {
        "hosts": draft["hosts"].split(),
        "accounts": accounts,
        "audit": settings_before.get("audit", {}) | _audit(draft),
    }
    try:
        return ConsoleSettings.model_validate(settings_before | values)
    except ValidationError as exc:
        wrong = [(".".join(map(str, e["loc"])), e["msg"]) for e in exc.errors()]
        raise SetupError("; ".join(f"`{key}`: {what}" for key, what in wrong)) from None


def _audit(draft: Draft) -> dict[str, str | None]:
    """What it says of the audit log; names and paths that are not there are null."""
    texts = {key: draft[f"audit_{key}"] for key in ("kind", "endpoint", "region")}
    names = ("path", "key_id_env", "key_secret_env")
    return texts | {key: draft[f"audit_{key}"] or None for key in names}


def _secret_references(row: Mapping[str, str]) -> dict[str, str | None]:
    """Where the secrets of an account are: what begins with a slash is a file."""
    references: dict[str, str | None] = {}
    for secret in _SECRETS:
        is_file = row[secret].startswith("/")
        references[f"{secret}_file"] = row[secret] if is_file else None
        references[f"{secret}_env"] = (row[secret] or None) if not is_file else None
    return references


def _find_console(service: Service, name: str) -> ConsoleSettings | None:
    try:
        service.engine.consoles.get(name)
    except UnknownConsole:
        return None
    return service.settings.consoles[name]


HANDLERS = (consoles, remove, edit, save, try_out)
"""The form, and what its buttons do."""
