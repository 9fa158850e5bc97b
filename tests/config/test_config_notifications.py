from pathlib import Path

import pytest

from appliance.config import load_settings
from appliance.core.errors import ConfigError
from appliance.engine.schedules.state import schedules_of


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def settings(text):
    Path("config.yaml").write_text(text)
    return load_settings(None, {}, {})


@pytest.mark.parametrize(
    ("team", "message"),
    [
        ("{}", "`notifications.team` needs `url_env` or `url_file`, and not both"),
        ("{url_env: A, url_file: b}", "and not both"),
        ("{url_env: A, quiet: night}", "`notifications.team.quiet`: expected two times of day"),
        ("{url_env: A, quiet: '22:00-22:00'}", "`notifications.team.quiet` begins when it ends"),
        ("{url_env: A, digest: half past}", "`notifications.team.digest`: expected a time of day"),
        ("{url_env: A, language: de}", "`notifications.team.language`: expected"),
        ("{url: slack://token}", "unknown key `url`. Did you mean `url_env`"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(team, message):
    with pytest.raises(ConfigError, match=r"config\.yaml:1") as caught:
        settings(f"notifications: {{team: {team}}}\n")
    assert message in str(caught.value)


def test_names_are_those_of_one_receiver():
    hook = "webhooks: {team: {url: 'http://a.example', secret_env: S}}\n"
    with pytest.raises(ConfigError, match=r"`notifications\.team` has the name of a webhook"):
        settings(f"{hook}notifications: {{team: {{url_env: A}}}}\n")


def test_a_digest_is_a_schedule_in_the_zone_of_sweeps_and_can_be_replaced():
    told = settings("notifications: {team: {url_env: A, digest: '07:30'}, other: {url_env: B}}\n")
    schedule, _ = schedules_of(told, ())["digest-team"]
    assert (schedule.job, schedule.cron, schedule.notification) == ("digest", "30 7 * * *", "team")
    assert "digest-other" not in schedules_of(told, ())
    own = "schedules: {digest-team: {job: digest, notification: team, cron: 0 8 * * mon}}\n"
    told = settings(f"{own}notifications: {{team: {{url_env: A, digest: '07:30'}}}}\n")
    assert schedules_of(told, ())["digest-team"][0].cron == "0 8 * * mon"


def test_a_digest_for_nobody_is_an_error():
    with pytest.raises(ConfigError, match=r"no notification is named `taem`\. Did you mean `team`"):
        settings(
            "schedules: {x: {job: digest, notification: taem, cron: 0 8 * * *}}\n"
            "notifications: {team: {url_env: A}}\n"
        )
