"""Pages in a real browser: for all eyes, hands and screens, and true while a run goes on."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from appliance.benchmark.trials import BenchmarkPolicy
from appliance.config import AccountSettings, ConsoleSettings, Settings
from appliance.core.events import ProcedureStarted, StepFinished
from appliance.core.verdict import StepStatus
from appliance.engine.status import StatusKeeper
from appliance.server.parts import Service
from appliance.store.keys import Role
from appliance.store.paging import Paging
from appliance.store.sweeps import ItemRow, SweepRow, SweepState
from tests.server.test_dashboard_benchmarks import result as benchmark_result

RUN = "20261120-220000-abcd"
PATHS = (
    "/", "/search?query=disk", "/runs", "/runs/compare", f"/runs/{RUN}", "/schedules",
    "/schedules/edit", "/consoles", "/consoles/edit?name=practice", "/accounts",
    "/resources", "/webhooks", "/models",
    "/benchmarks", "/benchmarks/practice-random-1",
    "/benchmarks/compare?first=practice-random-1&second=practice-literal-1",
    "/training", "/training/phases", "/keys", "/login", "/runs/none",
)  # fmt: skip
SERIOUS = ("serious", "critical")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    account = AccountSettings(username="docs@example.test", role="member")
    practice = ConsoleSettings(kind="practice", accounts={"docs": account})
    return Settings(data_dir=tmp_path, consoles={"practice": practice})


@pytest.fixture
def sweep(service: Service) -> SweepRow:
    """One that is under way, with a key and an account in quarantine beside it."""
    row = SweepRow(
        id=RUN,
        console="practice",
        state=SweepState.RUNNING,
        why="",
        request={},
        planned_at=datetime(2026, 11, 20, 22, tzinfo=UTC),
        requested_by="ann",
    )
    items = [
        ItemRow(
            id=f"disks/p{number}",
            procedure_id=f"disks/p{number}",
            title=f"创建磁盘 {number}" if number % 2 else f"Create a disk {number}",
            document="docs/a-folder-with-a-long-name/another-folder-with-a-long-name/disks.md",
            line=number,
            reason="changed",
            why="its text has changed",
            estimate_s=30.0,
            text_hash="ff",
        )
        for number in range(60)
    ]
    service.store.sweeps.add(row, items)
    service.store.accounts.quarantine(
        "practice", "docs", "locked", by="ann", at=service.engine.clock.now()
    )
    service.keys.create("ci", Role.OPERATOR, "test")
    for policy, successes in ((BenchmarkPolicy.LITERAL, 12), (BenchmarkPolicy.RANDOM, 1)):
        benchmark_result(policy, successes).write(service.settings.data_dir / "benchmarks")
    service.engine.live.enter(row, StatusKeeper(service.engine.status(RUN), lambda _: None))
    return row


class Complaints(list[str]):
    """What a page logs or throws: a refusal by its policy among them."""

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.append(str(error)))
        page.on(
            "console",
            lambda message: None if "status of 404" in message.text else self.append(message.text),
        )


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_nobody_is_shut_out(here: str, browser: Browser, sweep, theme: str) -> None:
    """Light in English, dark in Chinese; each also on a small screen."""
    axe, wrong, complaints = Axe(), [], Complaints()
    width, locale = (1280, "en") if theme == "light" else (390, "zh-CN")
    page = await browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=theme, locale=locale
    )
    complaints.watch(page)
    options = {"resultTypes": ["violations"]}
    options |= {"runOnly": ["color-contrast"]} if theme == "dark" else {}
    for path in PATHS:
        await page.goto(here + path)
        found = await axe.run(page, options=options)
        await page.set_viewport_size({"width": 390, "height": 844})
        over = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        wrong += [(path, f"{over} px too wide")] if over > 0 else []
        await page.set_viewport_size({"width": width, "height": 900})
        wrong += [
            (path, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"])
            for one in found.response["violations"]
            if one["impact"] in SERIOUS
        ]
    assert wrong == []
    assert [text for text in complaints if "[DOM]" not in text] == []


async def test_everything_is_reached_by_the_keyboard(here: str, browser: Browser, sweep) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    await page.goto(here + "/runs")
    await page.keyboard.press("Tab")
    await expect(page.locator(".skip")).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.closest('main') !== null")

    menu = page.get_by_role("button", name="Menu")
    await menu.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("link", name="Schedules")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("link", name="Schedules")).to_be_hidden()
    await expect(menu).to_be_focused()

    await page.goto(f"{here}/runs/{RUN}")
    cancel = page.get_by_role("button", name="Cancel", exact=True)
    await cancel.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Cancel the run")).to_be_visible()


async def test_colours_and_language_are_chosen_in_the_navigation(here: str, browser: Browser):
    page = await browser.new_page(locale="en", color_scheme="light")
    await page.goto(here + "/schedules")
    background = "getComputedStyle(document.body).backgroundColor"
    assert await page.evaluate(background) == "rgb(255, 255, 255)"
    await page.get_by_role("button", name="Dark").click()
    assert await page.evaluate(background) == "rgb(16, 20, 24)"
    await page.get_by_role("button", name="中文").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("计划")
    assert page.url == here + "/schedules"
    assert await page.evaluate(background) == "rgb(16, 20, 24)"


async def test_a_run_is_followed_live_and_without_a_script_by_reloading(
    here: str, browser: Browser, sweep: SweepRow, service: Service
) -> None:
    live = service.engine.live
    picture = service.store.artifacts.put(b"\x89PNG not really", "image/png")
    page = await browser.new_page(locale="en")
    await page.goto(f"{here}/runs/{RUN}")
    await expect(page.locator("#run-browsers")).to_contain_text("No browser is busy")
    live(ProcedureStarted(run_id=RUN, procedure_id="disks/p1", title="Create a <disk>"))
    await expect(page.locator(".browser h3")).to_have_text("Create a <disk>")
    live(
        StepFinished(
            run_id=RUN,
            procedure_id="disks/p1",
            attempt=1,
            step="3",
            status=StepStatus.DIVERGED,
            text="Click **Create**",
            picture=picture,
        )
    )
    await expect(page.locator(".doing")).to_contain_text("Step 3 Click **Create** · not as written")
    await expect(page.locator(f".screen img[src='/artifacts/{picture.sha256}']")).to_be_visible()

    plain = await browser.new_context(java_script_enabled=False, locale="en")
    still = await plain.new_page()
    await still.goto(f"{here}/runs/{RUN}")
    assert "Click **Create**" in (await still.locator(".doing").text_content() or "")
    assert await still.get_by_role("link", name="Reload").is_visible()

    await still.get_by_role("button", name="Pause").click()
    assert "then it waits" in (await still.locator(".notice").text_content() or "")
    live.leave(RUN)
    service.store.sweeps.enter(RUN, SweepState.DONE, "done", service.engine.clock.now())
    live.leave(RUN)
    await expect(page.locator("#run-progress .badge")).to_have_text("done")
    await expect(page.locator("#run-browsers")).to_have_count(0)


async def test_a_key_is_made_by_hand(here: str, browser: Browser, service: Service) -> None:
    page = await browser.new_page(locale="en")
    await page.goto(here + "/")
    await page.get_by_role("link", name="API keys").click()
    await page.get_by_label("Name").fill("pipeline")
    await page.get_by_label("Role").select_option("operator")
    await page.get_by_role("button", name="Create the key").click()
    key = await page.locator("code.secret").text_content()
    assert await service.keys.recognise(key or "") is not None

    signed = await browser.new_context(locale="en")
    page = await signed.new_page()
    await page.goto(here + "/login?next=/runs")
    await page.get_by_label("API key").fill("cda_wrong")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("none of this server's")
    await page.get_by_label("API key").fill(key or "")
    await page.get_by_role("button", name="Sign in").click()
    assert page.url == here + "/runs"
    await expect(page.locator(".who")).to_contain_text("pipeline · operator")
    await page.get_by_role("button", name="Sign out").click()
    assert page.url.startswith(here + "/login")


async def test_a_schedule_is_added_changed_and_removed(
    here: str, browser: Browser, service: Service
) -> None:
    await service.scheduler.start()
    page = await browser.new_page(locale="en")
    await page.goto(here + "/schedules")
    await page.get_by_role("link", name="Add a schedule").click()
    await page.get_by_label("Name").fill("lunch")
    await page.get_by_label("When").fill("0 25 * * *")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("25")
    await expect(page.get_by_label("Name")).to_have_value("lunch")
    await page.get_by_label("When").fill("30 12 * * *")
    await page.get_by_label("Time zone").fill("Asia/Shanghai")
    await page.get_by_label("It is done by the clock").uncheck()
    await page.get_by_role("button", name="Save").click()
    row = page.locator("tr", has_text="lunch")
    await expect(row.first).to_contain_text("every day at 12:30")
    kept = service.scheduler.get("lunch").settings
    assert (kept.job, kept.time_zone, kept.is_enabled) == ("sweep", "Asia/Shanghai", False)

    await page.get_by_role("link", name="Change: nightly").click()
    await expect(page.get_by_label("When")).to_have_value("0 22 * * *")
    await page.get_by_label("When").fill("")
    await page.get_by_label("Or every").fill("90")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("tr", has_text="nightly").first).to_contain_text("every 90 minutes")
    await page.get_by_role("button", name="As configured: nightly").click()
    await expect(page.locator("tr", has_text="nightly").first).to_contain_text("22:00")
    await page.get_by_role("button", name="Remove: lunch").click()
    await expect(page.locator("tr", has_text="lunch")).to_have_count(0)

    await page.goto(here + "/schedules/edit")
    await page.get_by_label("Name").fill("nightly")
    await page.get_by_label("When").fill("0 1 * * *")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("already")
    deeds = [one.deed for one in service.store.activity.page(Paging(0, 9)).items]
    assert deeds.count("set-schedule") == 4
    assert deeds.count("remove-schedule") == 2
    await service.scheduler.stop()
