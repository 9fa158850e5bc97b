"""`appliance notification`: which people are told what happened, and whether it reaches them."""

from collections.abc import Sequence
from typing import Any

import click

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, Noun, pass_invocation
from appliance.cli._output import json_option, print_table, talk, write_json
from appliance.cli._remote import server_of
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.secrets import without_secrets

_COUNTS = ("waiting", "delivered", "dead")


@click.group("notification", cls=Noun)
def command() -> None:
    """List the mailboxes and chats that are told what happened, and send a test."""


@command.command("list")
@json_option
@pass_invocation
def list_command(invocation: Invocation, as_json: bool) -> None:
    """List them, with how many messages wait for them, arrived and were given up."""
    settings = invocation.settings()
    server = server_of(settings) if settings.notifications else None
    rows = _of_settings(settings)
    if server:
        webhooks = {row["name"]: row for row in server.get("/webhooks")["items"]}
        rows = [row | {name: webhooks[row["name"]][name] for name in _COUNTS} for row in rows]
    if as_json:
        write_json(rows)
        return
    if not rows:
        talk("There is no notification: add one under `notifications` in the settings.")
        return
    counts = _COUNTS if server else ()
    print_table(
        ("notification", "by", "at once", "digest", "quiet", *counts),
        [_cells(row, counts) for row in rows],
        right=counts,
    )


def _cells(row: dict[str, Any], counts: Sequence[str]) -> tuple[str, ...]:  # Any: JSON
    at_once = ", ".join(row["events"]) or "–"
    times = row["digest"] or "–", row["quiet"] or "–"
    return (row["name"], row["by"], at_once, *times, *(str(row[name]) for name in counts))


def _of_settings(settings: Settings) -> list[dict[str, Any]]:  # Any: JSON
    from appliance.notifications.receiver import notification_receivers

    receivers = notification_receivers(settings, None)
    return [
        {
            "name": name,
            "by": receivers[name].shown,
            "events": list(notification.events),
            "digest": notification.digest,
            "quiet": notification.quiet,
        }
        for name, notification in sorted(settings.notifications.items())
    ]


@command.command("test")
@click.argument("name")
@json_option
@pass_invocation
def test_command(invocation: Invocation, name: str, as_json: bool) -> int:
    """Send a test message now, whatever hour it is.

    A digest at once: `appliance schedule run digest-NAME`, while the server runs.
    """
    from appliance.notifications.notice import TEST
    from appliance.notifications.receiver import notification_receivers

    settings = invocation.settings()
    if name not in settings.notifications:
        names = ", ".join(settings.notifications) or "none"
        raise SetupError(
            f"no notification is named `{name}`; under `notifications` stand: {names}."
        )
    receiver = notification_receivers(settings, None)[name]
    why = without_secrets(receiver.send_now([{"type": TEST, "data": {"notification": name}}]))
    if as_json:
        write_json({"notification": name, "by": receiver.shown, "problem": why})
    elif not why:
        click.echo(f"{name}: sent by {receiver.shown}")
    else:
        talk(f"{name}: {why}.")
    return COULD_NOT_RUN if why else CLEAN
