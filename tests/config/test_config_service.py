from pathlib import Path

import pytest

from appliance.config import load, load_settings
from appliance.config.service_settings import default_schedules
from appliance.core.errors import ConfigError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def schedules(text, environ=None):
    Path("config.yaml").write_text(text)
    return load_settings(None, environ or {}, {}).schedules


def test_without_settings_there_are_ours():
    assert load_settings(None, {}, {}).schedules == default_schedules()


def test_what_stands_under_a_name_of_ours_is_laid_over_it():
    found = schedules(
        "schedules:\n  nightly: {is_enabled: false}\n  mine: {job: janitor, cron: 1 2 * * *}\n"
    )
    ours = default_schedules()
    assert found["nightly"] == ours["nightly"].model_copy(update={"is_enabled": False})
    assert found["mine"].cron == "1 2 * * *"
    assert {name: s for name, s in found.items() if name not in ("nightly", "mine")} == {
        name: s for name, s in ours.items() if name != "nightly"
    }


def test_another_way_to_say_when_replaces_ours():
    found = schedules("schedules: {nightly: {every_minutes: 90}, janitor: {cron: 5 * * * *}}\n")
    assert (found["nightly"].cron, found["nightly"].every_minutes) == ("", 90.0)
    assert (found["janitor"].cron, found["janitor"].every_minutes) == ("5 * * * *", None)


def test_a_variable_refines_a_schedule_of_ours():
    variables = {"APPLIANCE_SCHEDULES__ACCOUNT_HEALTH__CRON": "0 5 * * *"}
    found = load(None, variables, {})
    assert found.settings.schedules["account-health"].cron == "0 5 * * *"
    assert found.settings.schedules["account-health"].job == "account_health"
    assert found.origins[("schedules", "account-health", "cron")] == next(iter(variables))


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("{job: sweep}", "`schedules.x` needs `cron` or `every_minutes`, and not both."),
        ("{job: sweep, cron: 1 2 * * *, every_minutes: 5}", "and not both."),
        ("{job: sweep, cron: 1 2 * *}", "`schedules.x.cron`: expected five fields"),
        ("{job: sweep, cron: 61 2 * * *}", "`schedules.x.cron`: error validating"),
        ("{job: sweep, cron: 1 2 31 2 *}", "`schedules.x.cron`: there is no such day"),
        ("{job: sweep, every_minutes: .inf}", "`schedules.x.every_minutes`: expected at least"),
        ("{job: sweep, every_minutes: 0}", "`schedules.x.every_minutes`: expected more than 0"),
        ("{job: sweep, every_minutes: 1.e-9}", "expected at least 0.01 and at most a year"),
        ("{job: sweep, every_minutes: 5, time_zone: UTC}", "means something with `cron` only"),
        (
            "{job: sweep, cron: 1 2 * * *, time_zone: Europe/Berlyn}",
            "`schedules.x.time_zone`: there is no time zone `Europe/Berlyn`",
        ),
        (
            "{job: sweep, cron: 1 2 * * *, console: practise}",
            "`schedules.x.console`: no console is named `practise`. Did you mean `practice`?",
        ),
        ("{job: swep, cron: 1 2 * * *}", "`schedules.x.job`: expected one of"),
        ("{job: sweep, crno: 1 2 * * *}", "Did you mean `cron`?"),
    ],
)
def test_a_schedule_that_cannot_be(schedule, message):
    with pytest.raises(ConfigError) as caught:
        schedules(f"console: practice\nschedules:\n  x: {schedule}\n")
    assert str(caught.value).startswith("config.yaml:3: ")
    assert message in str(caught.value)


def test_a_name_that_fits_no_address():
    with pytest.raises(ConfigError, match=r"config\.yaml:1: `schedules\.a/b`: a name has up to"):
        schedules("schedules: {a/b: {job: sweep, every_minutes: 5}}\n")


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        ("{url: 'ftp://a', secret_env: S}", "`webhooks.w.url`: expected an address"),
        ("{url: 'https://', secret_env: S}", "`webhooks.w.url`: expected an address"),
        ("{url: 'http://a:99999/', secret_env: S}", "`webhooks.w.url`: expected an address"),
        ("{url: 'http://u:p@a/', secret_env: S}", "`webhooks.w.url` has a password in it"),
        ("{url: 'http://a/'}", "`webhooks.w` needs `secret_env` or `secret_file`"),
        ("{url: 'http://a/', secret_env: S, secret_file: s}", "keep one"),
        ("{url: 'http://a/', secret_env: S, events: [sweep.over]}", "expected one of"),
        ("{secret_env: S}", "`webhooks.w.url` is required"),
    ],
)
def test_a_webhook_that_cannot_be(hook, message):
    Path("config.yaml").write_text(f"webhooks:\n  w: {hook}\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {}, {})
    assert str(caught.value).startswith("config.yaml:2: ")
    assert message in str(caught.value)
    assert "u:p" not in str(caught.value)


def test_a_variable_that_holds_a_secret_is_no_setting():
    Path("config.yaml").write_text(
        "webhooks: {w: {url: 'http://a/', secret_env: APPLIANCE_HOOK}}\n"
    )
    found = load_settings(None, {"APPLIANCE_HOOK": "whsec_x"}, {})
    assert found.webhooks["w"].secret_env == "APPLIANCE_HOOK"
