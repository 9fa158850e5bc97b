"""Consoles that are made, tried, changed and removed in the dashboard and over REST."""

from pathlib import Path

import httpx
import pytest
import yaml
from playwright.async_api import Browser, expect

from appliance.config import ConsoleSettings, ServerSettings, Settings
from appliance.server.parts import Service
from appliance.store.keys import Role
from appliance.store.paging import Paging
from appliance.store.sweeps import SweepRow, SweepState
from tests.doors import BasicDoor
from tests.server.served import served
from tests.tag_console import tag_console

API = "/api/v1/consoles"
SECRET = "only-alice-knows"
OWN = ConsoleSettings(kind="generic", url="http://127.0.0.1:9/", log_in="basic")


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    folder = tmp_path / "secrets"
    folder.mkdir()
    (folder / "alice").write_text(SECRET)
    return folder


@pytest.fixture
def settings(tmp_path: Path, secrets: Path) -> Settings:
    data = tmp_path / "data"
    data.mkdir()
    may = {"hosts": ("127.0.0.1",), "folders": (secrets,), "variables": ("LAB_*",)}
    server = ServerSettings.model_validate({"consoles": may})
    return Settings(data_dir=data, console="own", consoles={"own": OWN}, server=server)


def body(url: str, password: object, **more: object) -> dict[str, object]:
    account = {"username": "alice", "password_file": str(password)}
    more = {"log_in": "basic", "accounts": {"alice": account}} | more
    return {"kind": "generic", "url": url} | more


async def test_a_console_is_added_tried_changed_and_removed(
    here: str, browser: Browser, service: Service, secrets: Path
) -> None:
    page = await browser.new_page(locale="en")
    with tag_console(BasicDoor("alice", SECRET)) as tags:
        await page.goto(here + "/consoles")
        await expect(page.locator("tr", has_text="own")).to_contain_text("the settings")
        await page.get_by_role("link", name="Add a console").click()
        await page.get_by_label("Name", exact=True).fill("lab")
        await page.get_by_label("Address of the log-in page").fill(tags.url)
        await page.get_by_label("Log-in", exact=True).select_option("basic")
        await page.get_by_label("Name here").fill("alice")
        await page.get_by_label("User name").fill("alice")
        await page.get_by_label("Where the password is").fill("/etc/passwd")
        await page.get_by_role("button", name="Try the log-ins").click()
        await expect(page.get_by_role("alert")).to_contain_text("lies in none of the folders")
        await expect(page.get_by_label("Name", exact=True)).to_have_value("lab")

        (secrets / "wrong").write_text("not-so")
        await page.get_by_label("Where the password is").first.fill(str(secrets / "wrong"))
        await page.get_by_role("button", name="Try the log-ins").click()
        await expect(page.get_by_role("alert")).to_contain_text("alice cannot log in", timeout=30e3)
        assert not (service.settings.data_dir / "consoles.yaml").exists(), "nothing is kept"
        await page.get_by_label("Where the password is").first.fill(str(secrets / "alice"))
        await page.get_by_role("button", name="Try the log-ins").click()
        await expect(page.get_by_role("status")).to_contain_text("alice can log in", timeout=30e3)
        assert SECRET not in await page.content()
        await page.get_by_role("button", name="Save").click()
        row = page.locator("tr", has_text="lab")
        await expect(row).to_contain_text("the dashboard")
    kept = yaml.safe_load((service.settings.data_dir / "consoles.yaml").read_text())
    assert kept["consoles"]["lab"]["accounts"]["alice"]["password_file"] == str(secrets / "alice")
    assert service.settings.consoles["lab"].log_in == "basic", "it is in force"

    await page.get_by_role("link", name="Change: lab").click()
    await expect(page.get_by_label("Where the password is").first).to_have_value(
        str(secrets / "alice")
    )
    await page.get_by_label("Where the password is").first.fill("LAB_PASSWORD")
    await page.get_by_role("button", name="Save").click()
    account = service.settings.consoles["lab"].accounts["alice"]
    assert (account.password_env, account.password_file) == ("LAB_PASSWORD", None)
    await page.get_by_role("link", name="View: own").click()
    await expect(page.get_by_label("Address of the log-in page")).to_be_disabled()
    await expect(page.get_by_role("button", name="Save")).to_have_count(0)
    await page.goto(here + "/consoles")
    await page.get_by_role("button", name="Remove: lab").click()
    await expect(page.locator("tr", has_text="lab")).to_have_count(0)
    assert "lab" not in service.settings.consoles
    deeds = [one.deed for one in service.store.activity.page(Paging(0, 99)).items]
    assert [deeds.count(f"{one}-console") for one in ("set", "try", "remove")] == [2, 3, 1]


async def test_rest_says_what_the_pages_say(local, service, secrets, settings):
    answer = await local.put(f"{API}/lab", json=body("http://127.0.0.1:9/", secrets / "alice"))
    assert answer.status_code == 200, answer.text
    assert (answer.json()["origin"], answer.json()["accounts"]) == ("dashboard", ["alice"])
    shown = (await local.get(f"{API}/lab")).json()["settings"]
    assert shown["accounts"]["alice"]["password_file"] == str(secrets / "alice")
    assert [one["name"] for one in (await local.get(API)).json()["items"]] == ["own", "lab"]
    trial = await local.post(f"{API}/lab/trial", json=body("http://127.0.0.1:9/", secrets / "none"))
    (said,) = trial.json()["items"]
    assert said["account"] == "" and "127.0.0.1:9" in said["problem"]
    refused = {
        "lab": {"password": "secrets/alice", "why": "is no whole path"},
        "own": {"password": secrets / "alice", "why": "stands in the settings file: change it"},
        "../x": {"password": secrets / "alice", "why": ""},
        ".x": {"password": secrets / "alice", "why": "letters"},
    }
    for name, one in refused.items():
        answer = await local.put(f"{API}/{name}", json=body("http://127.0.0.1:9/", one["password"]))
        assert answer.status_code in (404, 405, 422), (name, answer.text)
        assert one["why"] in answer.json()["detail"], answer.text
    unknown = body("http://127.0.0.1:9/", secrets / "alice", pasword="x")
    assert (await local.put(f"{API}/lab", json=unknown)).status_code == 400
    row = SweepRow(
        id="20261120-220000-abcd", console="lab", state=SweepState.PAUSED, why="", request={},
        planned_at=service.engine.clock.now(), requested_by="ann",
    )  # fmt: skip
    service.store.sweeps.add(row, [])
    assert "runs that are not over" in (await local.delete(f"{API}/lab")).json()["detail"]
    assert (await local.delete(f"{API}/none")).status_code == 404


async def test_only_an_admin_sets_tries_and_reads_them(asking, secrets):
    for role in (None, Role.VIEWER, Role.OPERATOR):
        client, expected = asking(role), 403 if role else 401
        sent = body("http://127.0.0.1:9/", secrets / "alice")
        answers = [
            await client.put(f"{API}/lab", json=sent),
            await client.post(f"{API}/lab/trial", json=sent),
            await client.delete(f"{API}/lab"),
            await client.get(f"{API}/own"),
            await client.post("/consoles", data={"name": "lab", "kind": "generic"}),
            await client.post("/consoles/trial", data={"name": "lab", "kind": "generic"}),
            await client.get("/consoles/edit"),
        ]
        assert {one.status_code for one in answers} == {expected}
    page = await asking(Role.VIEWER).get("/consoles", headers={"Accept": "text/html"})
    assert page.status_code == 200 and "/consoles/edit" not in page.text


def test_a_server_opens_what_was_made_and_has_it_at_its_next_start(tmp_path, secrets):
    may = {"hosts": ["127.0.0.1"], "folders": [str(secrets)]}
    with tag_console(BasicDoor("alice", SECRET)) as tags:
        sent = body(tags.url, secrets / "alice")
        with served(tmp_path, {"consoles": may}) as server:
            made = httpx.put(f"{server.url}{API}/made", json=sent, timeout=30)
            assert made.status_code == 200, made.text
            for _ in range(100):
                state = httpx.get(f"{server.url}{API}").json()["items"][-1]
                if not state["problem"]:
                    break
            assert (state["name"], state["problem"]) == ("made", "")
            again = httpx.put(f"{server.url}{API}/made", json=sent | {"release": "2"}, timeout=30)
            assert again.status_code == 200, again.text
        with served(tmp_path, {"consoles": may}) as server:
            names = [one["name"] for one in httpx.get(f"{server.url}{API}").json()["items"]]
            assert names == ["lab", "made"]
            gone = httpx.delete(f"{server.url}{API}/made", timeout=30)
            assert gone.status_code == 204, gone.text
            names = [one["name"] for one in httpx.get(f"{server.url}{API}").json()["items"]]
            assert names == ["lab"]
