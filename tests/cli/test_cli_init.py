"""`appliance init` against a console that stays: asked at a terminal, and in a script."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.config import load_settings
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

GUIDE = "# Buckets\n\n## Create a bucket\n\n1. Open **Buckets**.\n2. Click **Create bucket**.\n"


@pytest.fixture(scope="module")
def cloud(tmp_path_factory):
    data_dir = tmp_path_factory.mktemp("cloud")
    with serving(PracticeSettings(release="2025.1", settle_s=0.2, data_dir=data_dir)) as running:
        yield running, data_dir / "audit.jsonl"


@pytest.fixture
def place(cloud, folder, monkeypatch):
    (folder / "docs").mkdir()
    (folder / "docs" / "buckets.md").write_text(GUIDE)
    (folder / "password").write_text(cloud[0].password + "\n")
    monkeypatch.setenv("LAB_ALICE_PASSWORD", cloud[0].password)
    return folder


def flags(cloud, *more):
    running, log = cloud
    return (
        *("init", "--yes", "--url", f"{running.url}/login", "--username", "alice"),
        *("--audit", "jsonlines", "--audit-path", log, "--time-zone", "Europe/Berlin", *more),
    )


def test_a_script_gives_everything_and_each_is_tried(appliance, cloud, place):
    result = appliance(*flags(cloud))
    assert result.code == 0, result.err
    assert result.err.count("It works.") == 3
    assert "1 procedure found." in result.err
    assert "  appliance verify docs\n" in result.out
    text = Path("config.yaml").read_text()
    assert len(text.splitlines()) <= 25
    assert cloud[0].password not in text
    told = load_settings(None, {}, {})
    lab = told.consoles["lab"]
    assert lab.accounts["alice"].password_env == "LAB_ALICE_PASSWORD"
    assert (lab.audit.kind, lab.audit.path) == ("jsonlines", cloud[1])
    assert told.documentation.paths == (Path("docs"),)
    assert told.sweep.time_zone == "Europe/Berlin"


def test_what_is_there_stays(appliance, cloud, place):
    Path("config.yaml").write_text("console: practice\n")
    result = appliance(*flags(cloud))
    assert result.code == 2
    assert "config.yaml is there, and was left as it is" in result.err
    assert Path("config.yaml").read_text() == "console: practice\n"
    other = appliance("--config", "lab/config.yaml", *flags(cloud))
    assert other.code == 2
    Path("lab").mkdir()
    more = ("--password-file", "password", "--json")
    other = appliance("--config", "lab/config.yaml", *flags(cloud, *more))
    assert json.loads(other.out)["next"][0] == "appliance --config lab/config.yaml doctor"
    told = load_settings(Path("lab/config.yaml"), {}, {})
    assert told.consoles["lab"].accounts["alice"].password_file == Path("lab/../password")
    assert told.documentation.paths == (Path("lab/../docs"),)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--url", "http://127.0.0.1:9/"), "no console answers at http://127.0.0.1:9/"),
        (("--docs", "nowhere"), "nowhere"),
        (("--audit-path", "nowhere.jsonl"), "consoles.lab.audit: "),
        (("--username", "mallory"), "log"),
    ],
)
def test_what_does_not_work_is_said_and_nothing_is_written(appliance, cloud, place, more, message):
    result = appliance(*flags(cloud, "--password-file", "password", *more))
    assert result.code == 2
    assert message in result.err
    assert "Nothing was written" in result.err
    assert not Path("config.yaml").exists()
    assert cloud[0].password not in result.err


def test_a_password_that_is_not_there_yet_is_named(appliance, cloud, place, monkeypatch):
    monkeypatch.delenv("LAB_ALICE_PASSWORD")
    result = appliance(*flags(cloud))
    assert result.code == 0
    assert "LAB_ALICE_PASSWORD is not set here: the log-in is not tried.\n" in result.err
    assert "  export LAB_ALICE_PASSWORD=…\n" in result.out


def test_a_second_factor_is_named_and_tried(appliance, place, monkeypatch):
    secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    (place / "totp").write_text(secret)
    with serving(PracticeSettings(release="2025.1", second_factor=secret)) as running:
        arguments = ("init", "--yes", "--url", f"{running.url}/login", "--username", "alice")
        without = appliance(*arguments)
        assert (without.code, "asks for a second factor" in without.err) == (2, True), without.err
        result = appliance(*arguments, "--totp-file", "totp")
    assert result.err.count("It works.") == 2, result.err
    assert secret not in Path("config.yaml").read_text()
    assert load_settings(None, {}, {}).consoles["lab"].accounts["alice"].totp_file == Path("totp")


def test_a_person_is_asked_and_asked_again_where_it_does_not_work(cloud, place):
    url = f"{cloud[0].url}/login"
    answers = [
        "shop",
        "http://127.0.0.1:9/",
        "generic",
        "n",
        url,
        "generic",
        "alice",
        "password",
        "",
    ]
    answers += ["nowhere", "n", "docs", "none", "Europe/Berlin"]
    done = subprocess.run(
        [sys.executable, "-m", "appliance.cli", "init"],
        input="".join(f"{answer}\n" for answer in answers),
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    assert "Keep it all the same?" in done.stderr
    shop = load_settings(None, {}, {}).consoles["shop"]
    assert (shop.url, shop.accounts["alice"].password_file) == (url, Path("password"))


def test_a_conversation_that_breaks_off_writes_nothing(place):
    done = subprocess.run(
        [sys.executable, "-m", "appliance.cli", "init"],
        input="lab\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 130
    assert not Path("config.yaml").exists()
