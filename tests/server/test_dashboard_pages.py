"""Pages as HTML: what they say of what is there, who may do what, and what follows a form."""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from appliance.config import AccountSettings, ConsoleSettings, Settings
from appliance.core.causes import Cause, CauseKind
from appliance.engine.schedules.scheduler import Scheduler
from appliance.server.dashboard.navigation import NAVIGATION
from appliance.server.dashboard.rendering import asset, daily, with_query
from appliance.server.logins import local as ours
from appliance.store.keys import Role
from appliance.store.outbox import Delivery, DeliveryState
from appliance.store.sweeps import ItemRow, ItemState, SweepRow, SweepState
from tests.training.phase_operations import shown_series
from tests.training.training_attempts import trained

HTML = {"Accept": "text/html"}
OURS = (
    "/", "/runs", "/schedules", "/accounts", "/resources", "/webhooks", "/models", "/benchmarks",
    "/training", "/training/phases", "/keys", "/login", "/questions",
)  # fmt: skip


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    account = AccountSettings(username="docs@example.test", role="member")
    practice = ConsoleSettings(kind="practice", accounts={"docs": account})
    return Settings(data_dir=tmp_path, consoles={"practice": practice})


async def page(client: httpx.AsyncClient, path: str, **headers: str) -> LexborHTMLParser:
    answer = await client.get(path, headers=HTML | headers)
    assert answer.status_code == 200, (path, answer.text[:500])
    assert answer.headers["content-type"].startswith("text/html")
    return LexborHTMLParser(answer.text)


def text(found: LexborHTMLParser, selector: str = "main") -> str:
    node = found.css_first(selector)
    assert node is not None, selector
    return " ".join(node.text(separator=" ").split())


@pytest.mark.parametrize("path", OURS)
async def test_a_page_with_nothing_to_show_says_what_to_do_first(local, path: str) -> None:
    found = await page(local, path)
    assert found.css_first("h1").text()
    assert len(text(found)) > 60
    assert not found.css("[style], [onclick], style, script:not([src])")
    assert "no-store" in (await local.get(path, headers=HTML)).headers["cache-control"]
    current = found.css("nav [aria-current=page]")
    assert len(current) == (path != "/login")


async def test_the_navigation_leads_to_pages_that_are_there(local) -> None:
    for _, entries in NAVIGATION:
        for entry in entries:
            assert (await local.get(entry.path, headers=HTML)).status_code == 200, entry.path


async def test_pages_speak_the_language_of_the_browser_or_the_chosen_one(local) -> None:
    assert text(await page(local, "/runs"), "h1") == "Runs"
    chinese = await page(local, "/runs", **{"Accept-Language": "fr, zh-CN;q=0.9, en;q=0.1"})
    assert text(chinese, "h1") == "运行"
    assert chinese.css_first("html").attributes["lang"] == "zh-Hans"
    form = {"language": "zh", "theme": "dark", "next": "/runs?kind=sweep"}
    answer = await local.post("/preferences", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/runs?kind=sweep")
    chosen = await page(local, "/runs", **{"Accept-Language": "en"})
    assert text(chosen, "h1") == "运行"
    assert chosen.css_first("html").attributes["data-theme"] == "dark"
    assert (await local.post("/preferences", data={"theme": "pink"})).status_code == 400


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/runs?page=2", "/runs?page=2"),
        ("//evil.example/", "/"),
        ("///evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("runs", "/"),
        ("/a\nb", "/"),
        ("", "/"),
    ],
)
def test_one_is_never_sent_elsewhere(address: str, leads_to: str) -> None:
    assert ours(address) == leads_to


async def test_a_missing_page_is_a_page_with_a_way_out(local) -> None:
    answer = await local.get("/runs/20260101-000000-none", headers=HTML)
    found = LexborHTMLParser(answer.text)
    assert answer.status_code == 404
    assert text(found, "h1") == "There is nothing here"
    assert "20260101-000000-none" in text(found)
    assert found.css_first("main a[href='/']") is not None


async def test_who_has_no_key_signs_in_first_and_comes_back(stranger) -> None:
    answer = await stranger.get("/runs?kind=sweep", headers=HTML)
    assert answer.headers["location"] == "/login?next=/runs%3Fkind%3Dsweep"
    form = await page(stranger, answer.headers["location"])
    assert form.css_first("main input[name=next]").attributes["value"] == "/runs?kind=sweep"
    assert text(await page(stranger, "/login?failed=1"), "[role=alert]")
    assert (await stranger.get(asset("frame.css"))).status_code == 200


@pytest.fixture
async def scheduler(service) -> AsyncIterator[Scheduler]:
    await service.scheduler.start()
    yield service.scheduler
    await service.scheduler.stop()


async def test_a_viewer_sees_no_button_that_is_refused(asking, scheduler) -> None:
    for role, buttons in ((Role.VIEWER, 0), (Role.OPERATOR, 0), (Role.ADMIN, 16)):
        found = await page(asking(role), "/schedules")
        assert len(found.css("main form button")) == buttons
    viewer = asking(Role.VIEWER)
    for path in ("/runs", "/schedules/janitor/run", "/resources/reap", "/webhooks/x/retry"):
        assert (await viewer.post(path, data={"console": "practice"})).status_code == 403, path
    answer = await asking(Role.OPERATOR).get("/keys", headers=HTML)
    assert (answer.status_code, "may not" in answer.text) == (403, True)


async def test_static_files_are_kept_until_they_change(local) -> None:
    address = asset("frame.css")
    answer = await local.get(address)
    assert re.fullmatch(r"/static/frame\.css\?v=[0-9a-f]{12}", address)
    assert "immutable" in answer.headers["cache-control"]
    assert (await local.get("/static/../app.py")).status_code in (400, 404)


async def test_a_key_is_shown_once_and_then_revoked(local, service) -> None:
    answer = await local.post("/keys", data={"name": "<ci>", "role": "operator"}, headers=HTML)
    key = LexborHTMLParser(answer.text).css_first("code.secret").text()
    assert (await service.keys.recognise(key)).name == "<ci>"
    assert "no-store" in answer.headers["cache-control"]
    again = await page(local, "/keys")
    assert key not in again.html
    assert "<ci>" in text(again, ".wide > .list")
    row = service.keys.all()[0]
    assert row.hash not in again.html
    assert (await local.post(f"/keys/{row.id}/revoke")).headers["location"] == "/keys"
    after = await page(local, "/keys")
    assert "useless from now on" in text(after, ".notice")
    assert "revoked" in text(after, "tr.over")
    assert after.css_first("tr.over button") is None
    for wrong in ({"name": "", "role": "viewer"}, {"name": "x", "role": "king"}):
        await local.post("/keys", data=wrong)
        assert text(await page(local, "/keys"), ".notice.bad")


async def test_a_notice_is_said_once_and_a_forged_one_never(local, service) -> None:
    await local.post("/schedules/none/run")
    assert "there is no schedule `none`".replace("`", "") in text(
        await page(local, "/schedules"), "[role=alert]"
    )
    assert (await page(local, "/schedules")).css_first(".notice") is None

    def kept(*parts: object) -> str:
        return urlsafe_b64encode(json.dumps(parts).encode()).decode()

    wrong = ("x", kept(1, 2), kept("done", "none.such", {}), kept("done", "notice.why", {}))
    for forged in (*wrong, kept("<b>", "notice.done", {}), kept("done", "notice.why", {"n": 1})):
        local.cookies.set("notice", forged)
        assert (await page(local, "/schedules")).css_first(".notice") is None


async def test_a_schedule_is_switched_off_and_on(local, scheduler) -> None:
    await local.post("/schedules/nightly/enabled", data={"is_enabled": "false"})
    assert not scheduler.get("nightly").is_enabled
    assert "off" in text(await page(local, "/schedules"), "tr:has(a[href*='nightly'])")
    await local.post("/schedules/nightly/enabled", data={"is_enabled": "true"})
    assert scheduler.get("nightly").is_enabled


async def test_an_account_in_quarantine_is_seen_and_why(local, service, clock) -> None:
    at = "/accounts/practice/docs"
    await local.post(f"{at}/quarantine", data={"reason": " "})
    assert "Say why" in text(await page(local, "/accounts"), ".notice.bad")
    assert text(await page(local, "/accounts"), ".list").count("free") == 1
    service.store.accounts.quarantine("practice", "docs", "locked <out>", by="ann", at=clock.now())
    found = await page(local, "/accounts")
    assert "in quarantine locked <out> ann" in text(found, ".list")
    assert found.css_first(f"form[action='{at}/release']") is not None
    assert found.css_first(f"form[action='{at}/quarantine']") is None
    assert "docs is in quarantine: locked <out>" in text(await page(local, "/"), ".concerns")
    await local.post(f"{at}/check")  # there is no console behind it
    assert text(await page(local, "/accounts"), ".notice.bad")


async def test_dead_letters_can_be_sent_again(local, service, clock) -> None:
    dead = Delivery(
        id="m1",
        hook="gone",
        event="finding.opened",
        subject="abc123",
        body="{}",
        state=DeliveryState.DEAD,
        attempts=9,
        created_at=clock.now(),
        why="503 Service Unavailable",
    )
    service.store.outbox.add([dead])
    assert "1 message" in text(await page(local, "/"), ".concerns")
    found = await page(local, "/webhooks?state=dead")
    assert "503 Service Unavailable" in text(found)
    assert "Waiting" not in text(await page(local, "/webhooks?state=dead"), ".list")
    await local.post("/webhooks/m1/retry")
    assert text(
        await page(local, "/webhooks"), ".notice.bad"
    )  # its receiver is not in the settings


def a_sweep(state: SweepState = SweepState.WAITING, **more: str) -> SweepRow:
    return SweepRow(
        id="20261120-220000-abcd",
        console="practice",
        state=state,
        why="by hand",
        request={},
        planned_at=datetime(2026, 11, 20, 22, tzinfo=UTC),
        **more,
    )


def an_item(number: int, state: ItemState = ItemState.WAITING) -> ItemRow:
    return ItemRow(
        id=f"disks/p{number}",
        procedure_id=f"disks/p{number}",
        title=f"Procedure {number}",
        document="docs/disks.md",
        line=number,
        reason="changed",
        why="its text has changed",
        estimate_s=30.0,
        text_hash="ff",
        state=state,
    )


async def test_a_run_that_waits_can_be_paused_resumed_and_cancelled(local, service, clock) -> None:
    row = replace(a_sweep(), planned_at=clock.now() - timedelta(minutes=3))
    service.store.sweeps.add(row, [an_item(1), an_item(2, ItemState.SKIPPED)])
    at = f"/runs/{row.id}"
    found = await page(local, at)
    assert "1 of 2" in text(found, "#run-progress")
    assert "3 minutes ago" in text(found)
    assert found.css_first("progress").attributes["value"] == "1"
    assert "Procedure 1 docs/disks.md:1 waiting its text has changed" in text(found, "#run-items")
    assert "Procedure 2" in text(await page(local, f"{at}?show=skipped"), "#run-items")
    assert "Nothing matches" in text(await page(local, f"{at}?show=broken"), "#run-items")
    for action, state in (("pause", "paused"), ("resume", "waiting"), ("cancel", "cancelled")):
        answer = await local.post(f"{at}/{action}")
        assert answer.headers["location"] == at
        assert service.store.sweeps.get(row.id).state == state, action
    over = await page(local, at)
    assert over.css_first(f"form[action='{at}/cancel']") is None
    assert not any(one.attributes["data-live"] for one in over.css("[data-live]"))
    assert (await local.post(f"{at}/explode")).status_code == 404
    listed = await page(local, "/runs?state=cancelled&kind=sweep")
    assert row.id in text(listed, ".list")
    assert "Nothing matches" in text(await page(local, "/runs?state=running"))


async def test_what_was_not_reached_is_counted_and_listed(local, service) -> None:
    row = replace(a_sweep(), state=SweepState.DONE)
    why = "1 procedure was not reached before the deadline, and the next sweep takes it"
    note = "not reached before the deadline; the next sweep takes it"
    late = replace(an_item(2, ItemState.NOT_REACHED), note=note)
    service.store.sweeps.add(replace(row, why=why), [an_item(1, ItemState.DONE), late])
    at = f"/runs/{row.id}"
    found = await page(local, at)
    assert "1 of 2" in text(found, "#run-progress")
    assert "Not reached before the deadline 1" in text(found, "#run-progress")
    listed = text(await page(local, f"{at}?show=not_reached"), "#run-items")
    assert f"Procedure 2 docs/disks.md:2 not reached {note}" in listed
    in_chinese = {"Accept-Language": "zh"}
    chinese = text(await page(local, f"{at}?show=not_reached", **in_chinese))
    assert "截止时间前未轮到 1" in chinese
    assert "截止时间前有 1 个流程未轮到，留给下一次巡检" in chinese
    assert "留给下一次巡检" in chinese


@pytest.mark.parametrize(
    ("kind", "english", "chinese"),
    [
        (CauseKind.DISK_FULL, "by itself when there is room", "有空间后自动继续"),
        (CauseKind.CONSOLE_DOWN, "by itself when it does", "恢复后自动继续"),
        (CauseKind.WORKERS_AWAY, "by itself when one is", "浏览器节点"),
    ],
)
async def test_a_run_that_is_paused_by_itself_says_for_what(
    local, service, clock, kind, english, chinese
) -> None:
    row = a_sweep()
    service.store.sweeps.add(row, [an_item(1)])
    service.store.sweeps.pause(row.id, Cause(kind, "3 MiB of 1000"), clock.now())
    at = f"/runs/{row.id}"
    found = await page(local, at)
    assert english in text(found, "#run-progress")
    assert "3 MiB of 1000" in text(found, "#run-progress")
    assert found.css_first(f"form[action='{at}/resume']") is None  # nobody has to
    in_chinese = {"Accept-Language": "zh"}
    assert chinese in text(await page(local, at, **in_chinese), "#run-progress")
    assert chinese in text(await page(local, "/", **in_chinese), ".concerns")
    told = (await local.get(f"/api/v1/sweeps/{row.id}")).json()
    assert (told["state"], told["paused_for"]) == ("paused", kind.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"recall": 0.987654, "by kind": {"renamed": 3, "deep": {"no": 1}}}', "recall 0.9877"),
        ("{", "Expecting"),
        ("[1, 2]", ""),
    ],
)
async def test_benchmarks_are_read_from_the_data_folder(local, settings, content, said) -> None:
    folder = settings.data_dir / "benchmarks"
    folder.mkdir()
    (folder / "drift.json").write_text(content)
    assert said in text(await page(local, "/benchmarks"))
    assert text(await page(local, "/benchmarks"), "main h2") == "drift"


def test_a_list_can_be_asked_for_in_pages() -> None:
    assert with_query("/runs?kind=sweep&page=2", page=3) == "/runs?kind=sweep&page=3"
    assert with_query("/runs?kind=sweep&page=2", page="", kind="a&b") == "/runs?kind=a%26b"
    assert with_query("/runs?page=2", page="") == "/runs"
    assert [daily("0 22 * * *"), daily("5 7 * * *"), daily("0 22 * * mon")] == [
        "22:00",
        "07:05",
        "",
    ]


async def test_phases_are_shown_with_their_figures_and_why_tasks_were_left_out(local, settings):
    series = shown_series(settings.data_dir)
    found = await page(local, "/training/phases")
    assert text(found, "main h2") == series.file.id
    for said in (
        "25.0 % → 50.0 %", "+10.0 … +40.0", "2 → 2 / 5", "it finds no more untruths",
        "too hard", "p1-values-0-disks/create-a-disk@2025.1", "a later release", "0/4", "Phase 2",
    ):  # fmt: skip
        assert said in text(found), said
    badges = [one.attributes["class"] for one in found.css("main .badge")]
    assert badges.count("badge good") == 8 + 2
    found = await page(local, "/training/phases", **{"Accept-Language": "zh"})
    for said in ("更换取值", "发现的不实之处没有增多：5 处中发现 2 处", "太难：0% 的尝试正确"):
        assert said in text(found), said


async def test_trainings_are_shown_with_curves_and_what_the_model_said(local, settings) -> None:
    run = trained(settings.data_dir, why="the loss is no number")
    found = await page(local, "/training")
    assert text(found, "main h2") == run
    for said in ("failed", "4/4", "the loss is no number", "1 click <b>", "2 click Go"):
        assert said in text(found)
    assert "held-out steps answered exactly right" in text(found, "main svg[role=img]")
