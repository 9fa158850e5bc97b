"""Whether an account gets into the practice cloud, and how Terraform does."""

import httpx
import pytest

from appliance.config import AccountSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.core.errors import ConsoleError
from appliance.core.resources import Quota


def console_with(url, **account):
    settings = AccountSettings(**{"username": "alice", "role": "member"} | account)
    return open_console("lab", ConsoleSettings(kind="practice", url=url, accounts={"a": settings}))


async def health_of(url, **account):
    console = console_with(url, **account)
    return await console.health(console.accounts("a")[0])


async def test_a_healthy_account_tells_its_quotas(practice, password_file, api):
    assert api.post("/api/storage/buckets", json={"name": "one"}).is_success
    health = await health_of(practice.url, password_file=password_file)
    assert (health.can_log_in, health.problem) == (True, "")
    assert health.quota["bucket"] == Quota(1, 100)
    east = {"region": "east"}
    network = {"name": "far", "cidr": "10.1.0.0/16"}
    assert api.post("/api/networking/networks", json=network, params=east).is_success
    limits = {"password_file": password_file, **east}
    assert (await health_of(practice.url, **limits)).quota["network"].used == 1
    assert health.quota["network"].used == 0


@pytest.mark.parametrize(
    ("account", "problem"),
    [
        ({}, "The user name or password is wrong."),
        ({"username": "mallory"}, "the practice cloud has no account mallory"),
        ({"password_file": None}, "account a names no password_env and no password_file"),
        ({"password_file": None, "password_env": "NOT_SET"}, "the password of account a is empty"),
    ],
)
async def test_what_keeps_an_account_out_is_told(practice, tmp_path, account, problem):
    file = tmp_path / "wrong"
    file.write_text("wrong\n", encoding="utf-8")
    health = await health_of(practice.url, **{"password_file": file} | account)
    assert not health.can_log_in
    assert problem in health.problem


async def test_a_changed_password_is_noticed(practice, password_file):
    console = console_with(practice.url, password_file=password_file)
    account = console.accounts("a")[0]
    await console.inventory(account)
    password_file.write_text("changed\n", encoding="utf-8")
    assert not (await console.health(account)).can_log_in
    await console.close()


async def test_a_cloud_that_is_down_says_nothing_about_the_account(tmp_path):
    file = tmp_path / "password"
    file.write_text("any\n", encoding="utf-8")
    with pytest.raises(ConsoleError, match=r"at http://127\.0\.0\.1:9 does not answer"):
        await health_of("http://127.0.0.1:9", password_file=file)


async def test_terraform_reads_the_password_s_file(practice, password_file):
    console = console_with(practice.url, password_file=password_file, region="east")
    access = await console.terraform(console.accounts("a")[0])
    assert access.source == "practice.appliance.local/appliance/practice"
    assert access.arguments == {
        "endpoint": practice.url,
        "region": "east",
        "user": "alice",
        "password_file": str(password_file),
    }
    assert access.environment == {}
    assert access.hosts == {practice.url.removeprefix("http://")}


async def test_terraform_gets_a_token_for_a_password_in_a_variable(practice, monkeypatch):
    monkeypatch.setenv("LAB_PASSWORD", practice.password)
    console = console_with(practice.url, password_env="LAB_PASSWORD")
    access = await console.terraform(console.accounts("a")[0])
    assert access.arguments == {"endpoint": practice.url}
    bearer = {"authorization": f"Bearer {access.environment['PRACTICE_TOKEN']}"}
    url = f"{practice.url}/api/inventory"
    assert httpx.get(url, headers=bearer, trust_env=False).status_code == 200
    await console.close()
    monkeypatch.setenv("LAB_PASSWORD", "wrong")
    console = console_with(practice.url, password_env="LAB_PASSWORD")
    with pytest.raises(ConsoleError, match="refuses the user name or password"):
        await console.terraform(console.accounts("a")[0])
    await console.close()
