"""Pages of documents, procedures, findings and results, as they are answered."""

import re
import subprocess
from html import unescape
from pathlib import Path

import httpx
import pytest

from appliance.server.callers import Role
from appliance.store.incident import IncidentState, TriageAction, TriageDecision

PAGE = {"Accept": "text/html"}


async def shown(client: httpx.AsyncClient, path: str, status: int = 200, **headers: str) -> str:
    """A page, of which no markup came from a document or a console."""
    answer = await client.get(path, headers=PAGE | headers)
    assert answer.status_code == status, answer.text
    assert "<script>document" not in answer.text
    return answer.text


def seen(page: str) -> str:
    """Its text, as a person reads it."""
    main = page.partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


@pytest.fixture
def pages(night) -> dict[str, str]:
    path = night.documents["buckets.md"].path
    create = night.run.procedures[0].id
    return {
        "/documents": "Buckets",
        f"/documents/view?path={path}": "Create a bucket",
        "/procedures": "Create a bucket",
        f"/procedures/practice/{create}": 'the button is called "Make bucket"',
        f"/procedures/practice/{create}?run={night.run.id}": "Create a bucket",
        "/findings": "Create Bucket",
        "/findings?state=all&kind=renamed_label&severity=misleads&query=make": "Create Bucket",
        f"/findings/{night.renamed}": "Make bucket",
        f"/findings/{night.missing}": "nothing is called",
        "/findings/patch": "+2. Click **Make bucket**",
        f"/findings/patch?incident={night.renamed}": "+2. Click **Make bucket**",
        "/verify": "Create a bucket",
        f"/verify?document={path}": "buckets.md",
        f"/runs/{night.run.id}/results": "Create a bucket",
        f"/runs/{night.run.id}/results?verdict=broken": "Share a bucket",
    }


async def test_every_page_in_both_languages(local, pages):
    for path, words in pages.items():
        english = await shown(local, path, **{"Accept-Language": "en"})
        assert words in unescape(english), path
        chinese = await shown(local, path, **{"Accept-Language": "zh-CN"})
        assert 'lang="zh-Hans"' in chinese
        assert re.search("[\u4e00-\u9fff]{2}", seen(chinese)), path


async def test_lists_are_narrowed_to_a_document_as_people_call_it(local, night):
    for text in ("buckets.zh.md", night.documents["buckets.zh.md"].path):
        procedures = seen(await shown(local, f"/procedures?document={text}"))
        assert "创建存储桶" in procedures
        assert "Share a bucket" not in procedures
        findings = await shown(local, f"/findings?document={text}")
        assert night.renamed in findings
        assert night.missing not in findings
        assert 'value="buckets.zh.md"' in findings
    assert night.renamed not in await shown(local, "/findings?document=../buckets.zh.md")


async def test_what_there_is_not(local, night):
    for path in (
        "/documents/view?path=/etc/passwd",
        "/procedures/practice/no/such",
        "/findings/000000000000",
        "/runs/none/results",
        "/runs/none/download/json",
        f"/runs/{night.run.id}/download/exe",
        f"/artifacts/{'0' * 64}",
        "/artifacts/..%2f..%2fstore.duckdb",
        f"/findings.patch?incident={night.missing}",
    ):
        await shown(local, path, 404)


async def test_before_anything_was_verified_the_pages_say_what_to_do(local):
    for path in ("/documents", "/procedures", "/findings"):
        assert "Verify something now" in seen(await shown(local, path)), path


async def test_a_viewer_looks_and_changes_nothing(asking, night, store):
    viewer = asking(Role.VIEWER)
    path = f"/procedures/practice/{night.run.procedures[0].id}"
    for page in (f"/findings/{night.renamed}", "/findings", path, "/verify"):
        main = (await shown(viewer, page)).partition("<main")[2]
        assert "method=" not in main.replace('method="post" action="/findings/triage"', ""), page
        assert 'name="action"' not in main
    sent = {"id": night.renamed, "action": "confirm"}
    for form, fields in (("/findings/triage", sent), ("/verify", {}), ("/procedures/verify", {})):
        assert (await viewer.post(form, data=fields)).status_code == 403
    assert store.incidents.get(night.renamed).state is IncidentState.OPEN


async def test_a_picture_is_a_picture_and_the_rest_is_text(local, night, store):
    picture = await local.get(f"/artifacts/{night.picture}")
    assert picture.headers["content-type"] == "image/png"
    assert "immutable" in picture.headers["cache-control"]
    html = store.artifacts.put(b"<script>alert(1)</script>", "text/html")
    text = await local.get(f"/artifacts/{html.sha256}")
    assert text.headers["content-type"].startswith("text/plain")
    for answer in (picture, text):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]


async def test_a_changed_text_is_said_to_be_changed(local, night):
    create = f"/procedures/practice/{night.run.procedures[0].id}"
    assert "changed since" not in seen(await shown(local, create))
    source = night.folder / "docs" / "buckets.md"
    source.write_text(source.read_text().replace("Anybody", "Everybody"))
    assert "but not the steps of this procedure" in seen(await shown(local, create))
    source.write_text(source.read_text().replace("type a name", "enter a name"))
    assert "The text has changed since the verdict" in seen(await shown(local, create))
    source.write_text("# Buckets\n")
    assert "does not have this procedure any more" in seen(await shown(local, create))


async def test_triage_by_form(local, night, store, clock):
    async def send(**fields: str | list[str]) -> httpx.Response:
        answer = await local.post("/findings/triage", data=fields)
        assert answer.status_code == 303, answer.text
        return answer

    both = [night.renamed, night.missing]
    await send(id=both, action="assign", assignee="ann", back="/findings?state=all")
    said = await send(id=night.renamed, action="confirm", comment="seen", next="/findings/x")
    assert said.headers["location"] == "/findings/x"
    await send(id=night.missing, action="accept", until="2027-01-31")
    accepted = store.incidents.get(night.missing)
    assert accepted.state is IncidentState.ACCEPTED
    assert accepted.accepted_until.date().isoformat() == "2027-01-31"
    assert {store.incidents.get(id).assignee for id in both} == {"ann"}
    page = seen(await shown(local, f"/findings/{night.renamed}"))
    assert "local confirmed it" in page
    assert "seen" in page
    assert "100 %" in page
    for wrong in (
        {"id": night.renamed, "action": "explode"},
        {"action": "confirm"},
        {"id": night.missing, "action": "accept", "until": "soon"},
        {"id": night.missing, "action": "accept", "until": "2001-01-01"},
        {"id": "nothing", "action": "confirm"},
    ):
        answer = await send(**wrong, back="https://elsewhere.example/", next="//elsewhere.example")
        assert answer.headers["location"] == "/"
    assert store.incidents.get(night.missing).state is IncidentState.ACCEPTED
    await send(id=[night.missing, "nothing"], action="reopen", back="/findings")
    assert "“Share” done, 1 not" in seen(await shown(local, "/findings"))
    assert store.incidents.get(night.missing).state is IncidentState.OPEN


async def test_the_patch_applies(local, night, store, clock, tmp_path: Path):
    async def applied(query: str) -> set[str]:
        """Lines that come with it."""
        answer = await local.get(f"/findings.patch{query}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"].endswith('.patch"')
        file = tmp_path / "suggestions.patch"
        file.write_bytes(answer.content)
        apply = ["git", "apply", "--check", "--verbose", str(file)]
        subprocess.run(apply, cwd=night.folder, check=True, capture_output=True)
        lines = answer.text.splitlines()
        return {one for one in lines if one.startswith("+") and not one.startswith("+++")}

    evil = "<script>document.title = 'evil'</script>"
    english = {f"+2. Click **Make bucket** and see {evil}.", "+1. Click **Make bucket**."}
    chinese = {"+2. 单击**Make bucket**。"}
    document = night.documents["buckets.zh.md"].path
    assert await applied("") == english | chinese
    assert await applied(f"?incident={night.renamed}") == english | chinese
    assert await applied(f"?document={document}") == chinese
    assert (await local.get("/findings.patch?scope=confirmed")).status_code == 404
    store.incidents.triage(
        night.renamed, TriageDecision(TriageAction.CONFIRM), by="ann", at=clock.now()
    )
    assert await applied("?scope=confirmed") == english | chinese


async def test_downloads_of_a_run(local, night):
    for kind, words in {
        "json": '"schema_version"',
        "html": "<!doctype html>",
        "junit": "<testsuites",
        "sarif": "sarif",
        "markdown": "Create a bucket",
        "patch": "+++ b/docs/buckets.md",
    }.items():
        answer = await local.get(f"/runs/{night.run.id}/download/{kind}")
        assert answer.status_code == 200
        assert words in answer.text
        assert night.run.id in answer.headers["content-disposition"]


async def test_the_form_keeps_what_is_in_it_and_says_what_is_wrong(local, night):
    asked = {"source": "paste", "text": "# No steps", "values": "a=1", "format": "rst"}
    for fields, why in (
        (asked, "procedure"),
        (asked | {"text": " "}, "There is no text"),
        (asked | {"values": "no sign"}, "is not a value"),
        (asked | {"source": "upload"}, "No file is chosen"),
        (asked | {"source": "documentation"}, "No document is chosen"),
        (asked | {"source": "documentation", "document": "/etc/passwd"}, "/etc/passwd"),
        (asked | {"text": "# T\n\n1. Click **A**.\n", "console": "other"}, "other"),
    ):
        answer = await local.post("/verify", data=fields, headers=PAGE)
        assert answer.status_code == 422
        assert why in seen(answer.text), why
        assert fields["values"] in answer.text


async def test_a_pasted_text_an_uploaded_file_and_a_document_are_verified(local, night, store):
    text = "# Lists\n\n1. Click **A**.\n"
    english = night.documents["buckets.md"].path
    sent = (
        {"data": {"source": "paste", "text": text, "format": "md"}},
        {"data": {"source": "upload"}, "files": {"file": ("lists.md", text.encode())}},
        {"data": {"source": "documentation", "document": english, "procedures": "Share*"}},
    )
    for form in sent:
        answer = await local.post("/verify", **form)
        assert answer.status_code == 303, answer.text
        run = answer.headers["location"].removeprefix("/runs/")
        assert [item.title for item in store.sweeps.items(run)] in (["Lists"], ["Share a bucket"])
    one = {"procedure": night.run.procedures[3].id, "console": "practice"}
    answer = await local.post("/procedures/verify", data=one)
    run = answer.headers["location"].removeprefix("/runs/")
    assert [item.title for item in store.sweeps.items(run)] == ["Share a bucket"]
