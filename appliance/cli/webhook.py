"""`appliance webhook`: who is told what happened, and whether they hear it."""

import asyncio
import json
import uuid
from typing import Any
from urllib.parse import urlsplit

import click

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import RemoteServer, server_of
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.engine.webhooks.posting import TIMEOUT_S, PostResult, open_poster, webhook_secret
from appliance.store.outbox import Delivery

_TEST = "webhook.test"


@click.group("webhook", cls=Noun)
def command() -> None:
    """List webhooks and what was sent, and send a test."""


@command.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List receivers, with how many messages wait for them, arrived and were given up."""
    settings = invocation.settings()
    server = server_of(settings) if settings.webhooks else None
    rows = _of_server(server, settings) if server else _of_settings(settings)
    if as_json:
        write_json(rows)
        return
    if not rows:
        talk("There is no webhook: add one under `webhooks` in the settings.")
        return
    counts = ("waiting", "delivered", "dead") if server else ()
    cells = []
    for row in rows:
        events = ", ".join(row["events"])
        cells.append((row["name"], row["url"], events, *(row[name] for name in counts)))
    print_table(("webhook", "host", "events", *counts), cells, right=counts)


@command.command("test")
@click.argument("name")
@json_option
@pass_invocation
def test_command(invocation: Invocation, name: str, as_json: bool) -> int:
    """Send a receiver one message of the type `webhook.test`, signed as all are."""
    settings = invocation.settings()
    if name not in settings.webhooks:
        known = ", ".join(settings.webhooks) or "none"
        raise SetupError(f"no webhook is named `{name}`; under `webhooks` stand: {known}.")
    answer = asyncio.run(_send(settings, name))
    if as_json:
        write_json({"webhook": name, "status": answer.status, "problem": answer.why})
    elif not answer.why:
        click.echo(f"{name}: answered {answer.status}")
    else:
        talk(f"{name}: {answer.why}.")
    return COULD_NOT_RUN if answer.why else CLEAN


async def _send(settings: Settings, name: str) -> PostResult:
    hook, now = settings.webhooks[name], SystemClock().now()
    secret = webhook_secret(name, hook)
    body = {"type": _TEST, "timestamp": now.isoformat(), "data": {"webhook": name}}
    message = Delivery(
        id=f"msg_{uuid.uuid4().hex}",
        hook=name,
        event=_TEST,
        subject=name,
        body=json.dumps(body),
        created_at=now,
    )
    async with open_poster(TIMEOUT_S, settings.outward) as poster:
        return await poster.post(hook.url, secret, message, now)


def _of_server(server: RemoteServer, settings: Settings) -> list[dict[str, Any]]:  # Any: JSON
    """Without notifications, which have a command of their own."""
    return [row for row in server.get("/webhooks")["items"] if row["name"] in settings.webhooks]


def _of_settings(settings: Settings) -> list[dict[str, Any]]:  # Any: JSON
    rows: list[dict[str, Json]] = []
    for name, hook in sorted(settings.webhooks.items()):
        parts = urlsplit(hook.url)  # the rest may be a secret
        url = f"{parts.scheme}://{parts.netloc}"
        rows.append({"name": name, "url": url, "events": list(hook.events)})
    return rows
