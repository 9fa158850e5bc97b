"""Consoles that were made in the dashboard: what they may name of the machine, and what not."""

from pathlib import Path

import pytest
import yaml

from appliance.config import ConsoleSettings, EditedConsoles, load_settings
from appliance.core.errors import ConfigError

GOOD = {"kind": "generic", "url": "https://console.corp.example/login"}


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    folder = tmp_path / "secrets"
    folder.mkdir()
    (folder / "password").write_text("only-alice-knows")
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "shadow").write_text("root:x")
    (folder / "out").symlink_to(tmp_path / "host" / "shadow")
    (folder / "away").symlink_to(tmp_path / "host")
    (tmp_path / "data").mkdir()
    return folder


def said(tmp_path: Path, console: dict, **server: object) -> str:
    """What the settings say of a console of the dashboard; empty: it is let in."""
    may = {
        "hosts": ["*.corp.example"],
        "folders": [str(tmp_path / "secrets"), str(tmp_path / "data")],
        "variables": ["LAB_*"],
    }
    file = tmp_path / "config.yaml"
    consoles = {"own": {"kind": "generic", "url": "http://127.0.0.1:9/"}}
    of_server = {"consoles": may | server}
    file.write_text(yaml.safe_dump({"data_dir": "data", "consoles": consoles, "server": of_server}))
    EditedConsoles(tmp_path / "data").put("lab", ConsoleSettings.model_validate(console))
    try:
        settings = load_settings(file, {}, {})
    except ConfigError as exc:
        return str(exc)
    assert list(settings.consoles) == ["own", "lab"]
    return ""


def with_account(**account: object) -> dict:
    return GOOD | {"accounts": {"alice": {"username": "alice"} | account}}


def with_audit(**audit: object) -> dict:
    return GOOD | {"audit": audit}


def test_what_is_allowed_is_read_with_all_other_settings(tmp_path, secrets):
    name = str(secrets / "password")
    assert said(tmp_path, with_account(password_file=name, totp_env="LAB_TOTP")) == ""
    assert said(tmp_path, with_audit(kind="jsonlines", path=f"{secrets}/audit-*.jsonl")) == ""
    assert said(tmp_path, GOOD | {"hosts": ["sso.corp.example:8443"]}) == ""
    kept = tmp_path / "data" / "consoles.yaml"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert "console.corp.example" in kept.read_text()


@pytest.mark.parametrize(
    "name",
    ["../host/shadow", "out", "away/shadow", "../data/appliance.duckdb", "a/../../host/shadow"],
)
def test_no_file_outside_the_folders_can_be_named_after_all_links(tmp_path, secrets, name):
    for console in (
        with_account(password_file=f"{secrets}/{name}"),
        with_account(password_env="LAB_A", totp_file=f"{secrets}/{name}"),
        with_audit(kind="jsonlines", path=f"{secrets}/{name}"),
    ):
        what = said(tmp_path, console)
        assert "lies in none of the folders that `server.consoles.folders` names" in what
        assert "consoles.yaml:" in what and "root:x" not in what


@pytest.mark.parametrize(
    ("console", "why"),
    [
        (with_audit(kind="jsonlines", path="/*/shadow"), "no whole path"),
        (with_account(password_env="AWS_SECRET_ACCESS_KEY"), "the environment variable AWS_SECRET"),
        (with_audit(kind="webhook", key_secret_env="OIDC"), "the environment variable OIDC"),
        (with_audit(kind="cloudtrail", region="eu-central-1"), "key_id_env` is required"),
        (GOOD | {"url": "https://evil.example/"}, "the host evil.example is none of those"),
        (GOOD | {"url": "https://evil.example\\@a.corp.example/"}, "is no address"),
        (GOOD | {"url": "https://evil.example@a.corp.example/"}, "is no address"),
        (GOOD | {"hosts": ["169.254.169.254"]}, "the host 169.254.169.254 is none"),
        (GOOD | {"kind": "openstack", "auth_url": "http://evil.example/v3"}, "host evil.example"),
        (GOOD | {"network": {"proxy": "http://evil.example:1"}}, "`network` stands in"),
        (GOOD | {"client_certificate": {"certificate": "/etc/x.pem"}}, "`client_certificate` st"),
        ({"kind": "practice"}, "a practice cloud stands in the settings file only"),
    ],
)  # fmt: skip
def test_what_else_it_may_not_name_is_said_with_what_to_do(tmp_path, secrets, console, why):
    assert why in said(tmp_path, console)


def test_nothing_can_be_named_by_default(tmp_path, secrets):
    console = with_account(password_file=str(secrets / "password"), totp_env="LAB_TOTP")
    what = said(tmp_path, console, hosts=[], folders=[], variables=[])
    assert what.count("names (none)") == 3, what


def test_a_console_has_one_place(tmp_path, secrets):
    assert said(tmp_path, GOOD) == ""
    EditedConsoles(tmp_path / "data").put("own", ConsoleSettings.model_validate(GOOD))
    with pytest.raises(ConfigError, match=r"consoles\.yaml:\d+: console `own` stands in the sett"):
        load_settings(tmp_path / "config.yaml", {}, {})
    file = tmp_path / "data" / "consoles.yaml"
    file.write_text("server: {host: 0.0.0.0}\n")
    with pytest.raises(ConfigError, match="only `consoles` stands in this file"):
        load_settings(tmp_path / "config.yaml", {}, {})
