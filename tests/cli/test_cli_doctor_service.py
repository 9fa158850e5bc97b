import json
import os
import socket
from datetime import UTC, datetime

import pytest

from appliance.cli._check import CheckResult, Status
from appliance.cli._service_checks import service_checks
from appliance.cli.doctor import _second_factors
from appliance.config import load_settings
from appliance.engine.address import Address, server_address, shown_address


@pytest.fixture
def looked(folder):
    """Checks by name, for settings that are written down."""

    def look(text: str = "", server: Address | None = None) -> dict[str, CheckResult]:
        (folder / "config.yaml").write_text(f"server: {{port: 0}}\n{text}")
        settings = load_settings(None, {}, {})
        return {check.name: check for check in service_checks(settings, server)}

    return look


def test_the_embedded_default_is_in_order(looked):
    checks = looked()
    assert {check.status for check in checks.values()} == {Status.OK}
    assert list(checks) == [
        "server",
        "keys",
        "documentation",
        "schedules",
        "kept log-ins",
        "backups",
    ]
    assert "name such a one in server.proxies" in checks["keys"].says
    assert "in memory only" in checks["kept log-ins"].says
    assert "not encrypted" in checks["backups"].says


def test_a_port_that_is_taken_is_said(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = load_settings(None, {}, {"server.port": port})
        check = next(iter(service_checks(settings, None)))
    assert check.status is Status.WARN
    assert f"port {port}" in check.says


def test_a_server_that_runs_is_named(looked, folder):
    (folder / "data").mkdir()
    address = Address(
        url="http://127.0.0.1:9", pid=os.getpid(), started_at=datetime.now(UTC), version="1"
    )
    with shown_address(folder / "data", address):
        checks = looked(server=server_address(folder / "data"))
    assert checks["server"].says == f"runs at http://127.0.0.1:9 (PID {os.getpid()})"
    assert server_address(folder / "data") is None


def test_beyond_this_machine_keys_are_needed(looked, folder):
    (folder / "config.yaml").write_text("")
    settings = load_settings(None, {}, {"server.host": "0.0.0.0", "server.port": 0})
    checks = {check.name: check for check in service_checks(settings, None)}
    assert "needed" in checks["keys"].says


def test_secrets_of_webhooks_are_read(looked, folder, monkeypatch):
    monkeypatch.setenv("HOOK", "whsec_" + "a" * 32)
    text = "webhooks: {chat: {url: 'https://chat.example/x', secret_env: HOOK},"
    checks = looked(text + " away: {url: 'https://chat.example/y', secret_file: nowhere}}")
    assert checks["webhook chat"] == CheckResult("webhook chat", Status.OK, "secret in HOOK")
    assert checks["webhook away"].status is Status.FAIL
    assert "a" * 32 not in str(checks)


def test_documentation_that_is_not_there_is_said(looked):
    check = looked("documentation: {paths: [missing]}")["documentation"]
    assert check.status is Status.WARN
    assert "missing" in check.says


def test_nothing_that_sweeps_is_said(looked):
    check = looked("schedules: {nightly: {job: sweep, cron: '0 1 * * *', is_enabled: false}}")
    assert check["schedules"].status is Status.WARN


def test_secrets_of_second_factors_are_tried(folder, monkeypatch):
    monkeypatch.setenv("GOOD", "jbsw y3dp ehpk 3pxp")
    monkeypatch.setenv("BAD", "not base 32!")
    (folder / "seed").write_text("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP\n")
    (folder / "seed").chmod(0o644)
    accounts = {
        name: {"username": name, "password_env": "GOOD"} | more
        for name, more in {
            "none": {},
            "good": {"totp_env": "GOOD"},
            "bad": {"totp_env": "BAD"},
            "open": {"totp_file": "seed"},
        }.items()
    }
    consoles = {"c": {"kind": "generic", "url": "http://x", "accounts": accounts}}
    (folder / "config.yaml").write_text(json.dumps({"consoles": consoles}))
    console = load_settings(None, {}, {}).consoles["c"]
    checks = {check.name.rpartition("/")[2]: check for check in _second_factors("c", console)}
    assert {name: check.status for name, check in checks.items()} == {
        "good": Status.OK,
        "bad": Status.FAIL,
        "open": Status.WARN,
    }
    assert "base 32" in checks["bad"].says
    assert "not base 32!" not in str(checks)


def test_keys_of_what_is_kept_are_looked_at(looked, folder):
    (folder / "key").write_text("k" * 40)
    good = looked(f"storage: {{key_file: {folder}/key, backup_recipients: [{RECIPIENT}]}}")
    assert good["kept log-ins"] == CheckResult(
        "kept log-ins", Status.OK, "encrypted in the data folder"
    )
    assert good["backups"].says == "encrypted to one public key"
    (folder / "data").mkdir()
    (folder / "data" / "key").write_text("k" * 40)
    bad = looked("storage: {key_file: data/key, backup_recipients: [age1none]}")
    assert {bad[name].status for name in ("kept log-ins", "backups")} == {Status.FAIL}
    assert "lies in the data folder" in bad["kept log-ins"].says
    assert "is no public key" in bad["backups"].says


RECIPIENT = "age1a5vzypvmghn3vyweredr74n62nu608y5r8d5jl33pr7vag5hlapq7wpd2q"
