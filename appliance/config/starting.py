"""A settings file to begin with: one console, its documentation, and the rest at its defaults."""

from collections.abc import Mapping, Sequence
from typing import Any

from appliance.config.settings import AccountSettings, AuditSettings, ConsoleSettings
from appliance.config.show import flow

_TEMPLATE = """\
# Settings of the Console Docs Appliance. Every setting, with its default and what it is for:
# `appliance config example --full`. Is all this right: `appliance doctor`.
consoles:
  {name}:
    kind: {kind}  # generic: any console with a log-in form in its page; or openstack
    url: {url}
{more}    # The witness: what the console's backend says was done. {witness}
    audit: {audit}
    accounts: {accounts}
documentation:
  paths: {documents}  # what `appliance serve` verifies
sweep:
  time_zone: {zone}  # of schedules, and of all times that people are shown
  window: ''  # when sweeps may run, as 22:00-06:00; empty: at any time
schedules:
  nightly: {{cron: 0 22 * * *}}
# Who is told, by e-mail or in a chat (the variable holds mailto://…, slack://…, workflows://…):
# notifications:
#   team: {{url_env: TEAM_URL, digest: "07:30", quiet: "22:00-07:00"}}
"""
_ACCOUNT = """
      {name}:  # give it a project of its own: procedures make and delete things there
{lines}"""


def starting_config(
    name: str, console: ConsoleSettings, documents: Sequence[str], zone: str
) -> str:
    """A settings file.

    Args:
        name: Of the console.
        console: Its settings, as far as they are no defaults.
        documents: Files and folders, from the folder of the settings file.
        zone: Time zone of schedules and of what people are shown.
    """
    values = _given(console)
    account = "".join(
        _ACCOUNT.format(name=flow(key), lines=_lines(_given(account), "        "))
        for key, account in console.accounts.items()
    )
    more = {k: v for k, v in values.items() if k not in ("kind", "url", "audit", "accounts")}
    has_audit = bool(console.audit.kind)
    return _TEMPLATE.format(
        name=flow(name),
        kind=console.kind,
        url=flow(console.url),
        more=f"{_lines(more, '    ')}\n" if more else "",
        witness="" if has_audit else "Without one, less is certain.",
        audit=flow(_given(console.audit)) if has_audit else "{}  # e.g. {kind: jsonlines, path: …}",
        accounts=account or "{}  # nobody has to log in",
        documents=flow(list(documents)),
        zone=flow(zone),
    ).replace(" \n", "\n")


def short_example() -> str:
    """The settings file that `appliance init` would write for a made-up console."""
    docs = AccountSettings(username="docs", password_env="LAB_DOCS_PASSWORD")  # noqa: S106 - its name
    audit = AuditSettings.model_validate({"kind": "jsonlines", "path": "/var/log/audit.jsonl"})
    url = "https://console.example/login"
    console = ConsoleSettings(kind="generic", url=url, accounts={"docs": docs}, audit=audit)
    return starting_config("lab", console, ["docs"], "Europe/Berlin")


def _given(
    section: ConsoleSettings | AccountSettings | AuditSettings,
) -> dict[str, Any]:  # Any: JSON
    return section.model_dump(mode="json", exclude_defaults=True)


def _lines(values: Mapping[str, Any], indent: str) -> str:  # Any: JSON
    return "\n".join(f"{indent}{key}: {flow(value)}" for key, value in values.items())
