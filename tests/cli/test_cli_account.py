import getpass
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.accounts import LeaseRow
from appliance.store.store import Store

USER = getpass.getuser()
CONFIG = """
consoles:
  cloud:
    kind: practice
    url: {url}
    accounts:
      one: {{username: alice, password_file: password, role: member, quota: {{instance: 2}}}}
      two: {{username: bob, password_file: password, role: member, is_shareable: true}}
      lost: {{username: nobody, password_file: password, role: admin}}
"""


@pytest.fixture(scope="module")
def cloud():
    with serving(PracticeSettings(release="2025.1")) as running:
        yield running


@pytest.fixture
def account(appliance, cloud):
    """Runs `appliance account …` with a console of three accounts."""
    Path("config.yaml").write_text(CONFIG.format(url=cloud.url))
    Path("password").write_text(cloud.password + "\n")
    return lambda *arguments: appliance("account", *arguments)


def standings(account):
    return {row["name"]: row["standing"] for row in json.loads(account("list", "--json").out)}


def test_accounts_are_listed(account):
    result = account("list")
    assert result.code == 0
    assert result.err == ""
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[1][:4] == ["one", "alice", "member", "free"]
    assert "free (shareable)" in result.out
    assert standings(account) == {"one": "free", "two": "free", "lost": "free"}
    assert not Path("data").exists(), "looking makes no files"


def test_an_account_is_kept_out_and_let_in_again(account):
    done = account("quarantine", "two", "--reason", "somebody works in it by hand")
    assert done.code == 0
    assert done.err == "two is not used any more until `appliance account release two`.\n"
    said = account("list").err
    assert f"two is in quarantine since {datetime.now(UTC):%Y-%m-%d}" in said
    assert f"by {USER}: somebody works in it by hand." in said
    assert standings(account)["two"] == "quarantined"
    released = json.loads(account("release", "two", "--json").out)
    assert (released["standing"], released["quarantine_reason"]) == ("free", "")
    assert account("release", "two").err == "two was not in quarantine.\n"


def test_who_cannot_log_in_is_kept_out_until_a_check_finds_him_well(account, cloud):
    checked = account("check")
    assert checked.code == 1
    assert re.search(r"^one +ok .*instance 0/2", checked.out, re.MULTILINE)
    assert re.search(r"^lost +the practice cloud has no account nobody", checked.out, re.MULTILINE)
    assert "3 accounts checked, 1 of them unusable." in checked.err
    assert "by health: the practice cloud has no account nobody." in account("list").err
    Path("config.yaml").write_text(CONFIG.format(url=cloud.url).replace("nobody", "carol"))
    assert account("check", "lost").code == 0
    assert standings(account)["lost"] == "free"


def test_a_check_that_goes_well_ends_no_other_quarantine(account):
    account("quarantine", "one", "--reason", "left a disk")
    [row] = json.loads(account("check", "one", "--json").out)
    assert (row["standing"], row["quarantine_reason"]) == ("quarantined", "left a disk")
    assert row["health"]["can_log_in"] is True
    assert row["health"]["quota"]["instance"] == {"used": 0, "limit": 2}


def test_a_wrong_password_is_never_shown(account):
    Path("password").write_text("correct-horse-battery\n")
    checked = account("check", "one")
    assert checked.code == 1
    assert re.search(r"^one +The user name or password is wrong", checked.out, re.MULTILINE)
    everything = checked.out + checked.err + account("list", "--json").out
    assert "correct-horse" not in everything
    assert b"correct-horse" not in Path("data/store.duckdb").read_bytes()


def test_what_a_dead_process_left_is_said(account):
    now = datetime.now(UTC)
    row = LeaseRow(
        id="x", console="cloud", account="one", holder="run-7/disks", taken_at=now,
        heartbeat_at=now, expires_at=now + timedelta(minutes=30),
    )  # fmt: skip
    with Store.open(Path("data")) as store:
        store.accounts.take(row)
    said = account("list").err
    assert said.startswith("one was left by run-7/disks since ")
    assert "and has to be cleaned up first (`appliance resource reap`).\n" in said
    assert "cleaned up first" in account("release", "one").err
    assert standings(account)["one"] == "left over"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("release", "three"), "consoles.cloud has no account three; there are one, two, lost"),
        (("check", "three"), "consoles.cloud has no account three; there are one, two, lost"),
        (("list", "--console", "sky"), "no console is named sky; there are cloud"),
        (("quarantine", "one"), "Missing option '--reason'"),
    ],
)
def test_what_is_not_there_is_said(account, arguments, message):
    result = account(*arguments)
    assert result.code == 2
    assert message in result.err
    assert not Path("data").exists(), "nothing was made for it"


def test_a_console_that_is_down_is_said_and_nobody_suffers(account):
    Path("config.yaml").write_text(CONFIG.format(url="http://127.0.0.1:9"))
    result = account("check")
    assert result.code == 2
    assert "no practice cloud answers at http://127.0.0.1:9" in result.err
    assert set(standings(account).values()) == {"free"}


def test_a_cloud_of_each_run_has_no_accounts_to_list(appliance):
    result = appliance("account", "list")
    assert result.code == 2
    assert "consoles.practice.accounts is empty" in result.err
