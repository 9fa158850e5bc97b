from pathlib import Path

import pytest

from appliance.config import load_settings
from appliance.core.errors import ConfigError

ACCOUNTS = "consoles: {p: {kind: practice, accounts: {al: {username: al, role: member}}}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("sweep", "message"),
    [
        ("{window: 22-6}", "`sweep.window`: expected two times of day"),
        ("{window: '06:00-06:00'}", "opens when it closes"),
        ("{deadline: '6'}", "`sweep.deadline`: expected a time of day, as in `06:00`"),
        ("{window: '22:00-06:00', deadline: '07:00'}", "at 07:00 no sweep runs"),
        ("{window: '08:00-17:00', deadline: '08:00'}", "at 08:00 no sweep runs"),
        ("{time_zone: Europe/Berlyn}", "`sweep.time_zone`: there is no time zone"),
        ("{roles: [membr]}", "`sweep.roles`: no account of `p` is named `membr`"),
        ("{stale_days: 0}", "sweep.stale_days"),
        ("{windw: x}", "Did you mean `window`"),
    ],
)
def test_what_cannot_be(sweep, message):
    Path("config.yaml").write_text(f"{ACCOUNTS}sweep: {sweep}\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(None, {}, {})
    assert message in str(caught.value)


def test_a_language_is_said_once():
    Path("config.yaml").write_text(
        "consoles: {p: {kind: practice, locale: en}}\nsweep: {locales: [en, zh]}\n"
    )
    with pytest.raises(ConfigError, match="keep one"):
        load_settings(None, {}, {})


def test_what_can_be():
    Path("config.yaml").write_text(
        f"{ACCOUNTS}sweep: {{roles: [member, al], window: '22:00-6:00', time_zone: Asia/Tokyo}}\n"
    )
    assert load_settings(None, {}, {}).sweep.roles == ("member", "al")


@pytest.mark.parametrize(
    ("window", "deadline"),
    [("", "06:00"), ("22:00-06:00", "06:00"), ("22:00-06:00", "23:30"), ("08:00-17:00", "16:59")],
)
def test_a_deadline_is_within_the_window(window, deadline):
    Path("config.yaml").write_text(f"sweep: {{window: '{window}', deadline: '{deadline}'}}\n")
    assert load_settings(None, {}, {}).sweep.deadline == deadline
