"""A docs engineer's morning: what was found, the patch of it, a key, and the text once more.

Everything is real: `appliance serve` as a program, the practice cloud, Chromium, git.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page, expect

from tests.chromium import chromium

GUIDE = """\
# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create new bucket**.
3. In the **Bucket name** field, enter `journey-bucket`.
4. Click **Create**.
"""
WAIT_MS = 90_000
"""For a verification: two attempts, on a busy machine."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A documentation of one document, of which one label is wrong."""
    folder = tmp_path / "repository"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "buckets.md").write_text(GUIDE, encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


@pytest.fixture
def server(tmp_path: Path, repository: Path) -> Iterator[str]:
    """The address of `appliance serve` on that documentation."""
    config = tmp_path / "config.yaml"
    told = {"data_dir": str(tmp_path / "data"), "documentation": {"paths": [str(repository)]}}
    config.write_text(json.dumps(told | {"schedules": {}}), encoding="utf-8")  # JSON is YAML
    log = (tmp_path / "log").open("w+")
    command = [sys.executable, "-m", "appliance.cli", "--config", str(config)]
    process = subprocess.Popen(
        [*command, "serve", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("APPLIANCE_")},
    )
    try:
        line = process.stdout.readline()
        assert line, (tmp_path / "log").read_text()
        yield json.loads(line)["url"]
    finally:
        process.terminate()
        process.communicate(timeout=30)
        log.close()


async def verdict_of(page: Page, server: str, words: str) -> None:
    """Wait on the run's page until it is over, and go on to its results."""
    await expect(page).to_have_url(re.compile("/runs/"))
    run = page.url.rpartition("/")[2]
    await expect(page.locator("#run-progress")).to_contain_text("done", timeout=WAIT_MS)
    await page.get_by_role("link", name="Results").click()
    await expect(page).to_have_url(f"{server}/runs/{run}/results")
    await expect(page.locator(".sum")).to_contain_text(words)


async def test_from_a_finding_to_a_text_that_is_true(server: str, repository: Path, tmp_path: Path):
    async with chromium() as browser:
        page = await browser.new_page(locale="en-GB", viewport={"width": 1280, "height": 900})

        # The configured document is verified: one label is wrong.
        await page.goto(f"{server}/documents")
        await page.get_by_role("link", name="Buckets", exact=True).click()
        await page.get_by_role("button", name="Verify all now").click()
        await verdict_of(page, server, "1 drifted")

        # Triage.
        await page.goto(f"{server}/findings")
        await page.keyboard.press("j")
        await page.keyboard.press("Enter")
        await expect(page.locator(".evidence img").first).to_be_visible()
        await expect(page.locator(".words del")).to_have_text("new ")
        await page.keyboard.press("c")
        await expect(page.get_by_role("status")).to_contain_text("Confirmed")

        # The patch of what was confirmed.
        await page.goto(f"{server}/findings/patch?scope=confirmed")
        async with page.expect_download() as download:
            await page.get_by_role("link", name="Download the patch").click()
        patch = tmp_path / "suggestions.patch"
        await (await download.value).save_as(patch)
        subprocess.run(["git", "apply", str(patch)], cwd=repository, check=True)
        source = repository / "docs" / "buckets.md"
        assert source.read_text("utf-8") == GUIDE.replace("Create new bucket", "Create bucket")

        # A key, which opens the API.
        await page.goto(f"{server}/keys")
        await page.get_by_label("Name").fill("ci")
        await page.get_by_role("button", name="Create").click()
        key = await page.locator("#key").inner_text()
        async with httpx.AsyncClient(base_url=f"{server}/api/v1") as client:
            known = await client.get("/findings", headers={"Authorization": f"Bearer {key}"})
            assert [one["state"] for one in known.json()["items"]] == ["confirmed"]

        # The patched file, handed in: it is true.
        await page.goto(f"{server}/verify")
        await page.get_by_label("A file").check()
        await page.get_by_label("Files").set_input_files(source)
        await page.get_by_role("button", name="Verify", exact=True).click()
        await verdict_of(page, server, "1 verified")
        await page.locator("table").get_by_role("link", name="Create a bucket").click()
        await expect(page.locator(".source .line.verified")).to_have_count(4)
