"""Questions in the dashboard: told on every page, answered by hand, by script or without."""

import asyncio

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, expect
from selectolax.lexbor import LexborHTMLParser

from appliance.core.people import Question, QuestionKind, Reply, ReplyKind
from appliance.server.parts import Service
from appliance.store.keys import Role

HTML = {"Accept": "text/html"}
SIZE = {"width": 1280, "height": 900}
SERIOUS = ("serious", "critical")


def question(kind: QuestionKind, **changes) -> Question:
    asked = {
        "text": "Type the <code> of the second factor of alice.",
        "wait_s": 90.0,
        "step": "2",
        "url": "https://console.test/login",
    }
    return Question(kind=kind, run_id="run-1", procedure_id="iam/sign-in", **asked | changes)


@pytest.fixture
async def ask(service: Service):
    """Asks, and gives the question's id and the attempt that waits."""
    tasks: list[asyncio.Task[Reply | None]] = []

    async def asking(
        kind: QuestionKind = QuestionKind.TAKE_OVER, **changes
    ) -> tuple[str, asyncio.Task[Reply | None]]:
        people = service.engine.people
        known = {row.id for row in people.waiting()}
        tasks.append(asyncio.create_task(people.ask(question(kind, **changes))))
        async with asyncio.timeout(10):
            while not (new := {row.id for row in people.waiting()} - known):
                await asyncio.sleep(0.01)
        return new.pop(), tasks[-1]

    yield asking
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def page(client, path: str, **headers: str) -> LexborHTMLParser:
    answer = await client.get(path, headers=HTML | headers)
    assert answer.status_code == 200, answer.text[:500]
    return LexborHTMLParser(answer.text)


def text(found: LexborHTMLParser, selector: str = "main") -> str:
    return " ".join(found.css_first(selector).text(separator=" ").split())


async def test_every_page_says_that_somebody_is_waited_for(local, ask):
    assert text(await page(local, "/findings"), "#asked") == ""
    first, _ = await ask()
    found = await page(local, "/findings")
    assert text(found, "#asked") == (
        "An attempt waits for somebody Type the <code> of the second factor of alice. Answer"
    )
    assert found.css_first("#asked a").attributes["href"] == f"/questions/{first}"
    assert text(found, "nav .waits") == "1"
    await ask(QuestionKind.CONSENT, text="Delete disk d-1?")
    found = await page(local, "/keys", **{"Accept-Language": "zh"})
    assert text(found, "#asked").startswith("有 2 次尝试在等待人工处理")
    assert found.css_first("#asked a").attributes["href"] == "/questions"


async def test_consent_is_given_or_refused_once(local, asking, ask):
    id, attempt = await ask(QuestionKind.CONSENT, text="Delete disk d-1?")
    found = await page(local, f"/questions/{id}")
    assert [one.text() for one in found.css("main button")] == ["Allow it", "Refuse it"]
    assert "in 1 minute" in text(found, "#question-facts")
    viewer = asking(Role.VIEWER)
    found = await page(viewer, f"/questions/{id}")
    assert not found.css("main form")
    answer = await viewer.post(f"/questions/{id}/answer", data={"reply": "allow"})
    assert answer.status_code == 403
    for origin in ("https://evil.test", "null"):
        answer = await local.post(
            f"/questions/{id}/answer", data={"reply": "allow"}, headers={"Origin": origin}
        )
        assert answer.status_code == 403
    assert not attempt.done()
    answer = await local.post(f"/questions/{id}/answer", data={"reply": "allow"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/questions/{id}")
    assert await attempt == Reply(kind=ReplyKind.ALLOW, by="local")
    found = await page(local, f"/questions/{id}")
    assert "local" in text(found, "#question-facts")
    assert "allowed" in text(found, "#question-facts")
    assert not found.css("main form")
    late = await local.post(f"/questions/{id}/answer", data={"reply": "refuse"})
    local.cookies.update(late.cookies)
    assert "was answered by local" in text(await page(local, f"/questions/{id}"), ".notice")


async def test_what_is_no_answer_is_said_on_the_page_and_it_still_waits(local, ask):
    id, attempt = await ask()
    for form, said in (
        ({"reply": "click", "x": "0", "y": "0"}, "Point at a place"),
        ({"reply": "click", "x": "nan", "y": "5"}, "Point at a place"),
        ({"reply": "click"}, "Point at a place"),
        ({"reply": "click", "x": "3", "y": "5"}, "no picture to click on"),
        ({"reply": "type", "text": ""}, "what is to be typed"),
        ({"reply": "allow"}, "allow is no answer"),
    ):
        answer = await local.post(f"/questions/{id}/answer", data=form, headers=HTML)
        assert answer.status_code == 303
        local.cookies.update(answer.cookies)
        assert said in text(await page(local, f"/questions/{id}"), ".notice.bad")
    answer = await local.post(f"/questions/{id}/answer", data={"reply": "shout"}, headers=HTML)
    assert answer.status_code == 400
    assert not attempt.done()


async def test_what_is_over_says_why_and_leads_on(local, ask):
    id, attempt = await ask(wait_s=0.05)
    assert await attempt is None
    further, _ = await ask(text="And now the captcha.")
    found = await page(local, f"/questions/{id}")
    assert "Nobody answered in time." in text(found)
    assert found.css_first(f"#question-forms a[href='/questions/{further}']") is not None
    listed = await page(local, "/questions?state=expired")
    assert [one.attributes["href"] for one in listed.css(".list .main a")] == [f"/questions/{id}"]
    assert text(listed, ".list .badge") == "too late"
    assert (await local.get("/questions/q-none", headers=HTML)).status_code == 404


async def test_who_waits_is_told_though_it_was_asked_before_the_page_listened(
    here: str, browser: Browser, ask
) -> None:
    watching = await browser.new_page()
    may_listen = asyncio.Event()

    async def late(route) -> None:
        await may_listen.wait()
        await route.continue_()

    await watching.route("**/events", late)
    await watching.goto(here + "/keys")
    await ask()
    may_listen.set()
    await expect(watching.locator("#asked a")).to_be_visible()


async def test_a_person_takes_over_by_hand(here: str, browser: Browser, ask) -> None:
    """Narrow, dark and Chinese without a script; wide, light and English with one."""
    screen = await browser.new_page(viewport=SIZE)
    await screen.set_content("<h1>Enter the code</h1>")
    picture = await screen.screenshot(type="jpeg")
    await screen.close()
    watching = await browser.new_page(viewport=SIZE, locale="en", color_scheme="light")
    await watching.goto(here + "/keys")
    id, attempt = await ask(picture=picture)
    await watching.locator("#asked a").click()  # it came by itself
    await expect(watching).to_have_url(f"{here}/questions/{id}")
    assert await _barriers(watching) == []
    image = watching.locator(".pointed input[type=image]")
    await image.focus()
    await watching.keyboard.press("Enter")
    await expect(watching.get_by_role("alert")).to_contain_text("Point at a place")
    await watching.locator("#text").fill("half a co")

    plain = await browser.new_context(
        viewport={"width": 390, "height": 844},
        locale="zh-CN",
        color_scheme="dark",
        java_script_enabled=False,
    )
    still = await plain.new_page()
    await still.goto(f"{here}/questions/{id}")
    await still.locator(".pointed input[type=image]").click(position={"x": 1001, "y": 603})
    reply = await attempt
    assert reply is not None
    assert (reply.kind, round(reply.x), round(reply.y)) == (ReplyKind.CLICK, 1001, 603)
    await expect(still.locator("#question-forms")).to_contain_text("已处理")
    await expect(watching.locator("#question-forms")).to_contain_text("It was answered")

    id, attempt = await ask(picture=picture)
    await watching.locator("#question-forms").get_by_role("link", name="Type the").click()
    await expect(watching).to_have_url(f"{here}/questions/{id}")
    await watching.locator("#text").fill("739 204")
    await watching.keyboard.press("Enter")
    assert (await attempt) == Reply(kind=ReplyKind.TYPE, text="739 204", by="local")
    await expect(watching.locator(".notice.good").first).to_be_visible()

    narrow = await browser.new_page(
        viewport={"width": 390, "height": 844}, locale="zh-CN", color_scheme="dark"
    )
    id, _ = await ask(picture=picture)
    for path in (f"/questions/{id}", "/questions"):
        await narrow.goto(here + path)
        assert await _barriers(narrow) == []
        over = await narrow.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, path


async def _barriers(page) -> list[object]:
    found = await Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"])
        for one in found.response["violations"]
        if one["impact"] in SERIOUS
    ]
