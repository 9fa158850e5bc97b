"""A real browser logs in at a real identity provider, over HTTPS, to a server of its own."""

import os
import socket
from pathlib import Path

import pytest

from tests.chromium import chromium
from tests.identity_provider import User, identity_provider
from tests.server.served import served, write_certificate

PICTURES = os.environ.get("PICTURES")
"""A folder for screenshots, to look at."""
pytestmark = pytest.mark.timeout(300)
USERS = (
    User("alice", "correct horse", groups=("docs-admins",)),
    User("bob", "battery staple", groups=("guests",)),
)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def _picture(page, name: str) -> None:
    if PICTURES:
        await page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


async def _log_in(page, user: User) -> None:
    await page.get_by_role("link", name="Sign in with Example ID").click()
    await page.locator("input[name=login]").fill(user.name)
    await page.locator("input[name=login]").press("Enter")
    await page.locator("input[name=password]").fill(user.password)
    await page.locator("input[name=password]").press("Enter")


async def test_a_person_comes_in_by_their_own_account(tmp_path):
    write_certificate(tmp_path)
    url = f"https://127.0.0.1:{(port := _free_port())}"
    async with identity_provider(USERS) as provider, chromium() as browser:
        client = await provider.register(f"{url}/login/oidc/callback")
        oidc = {
            "issuer": provider.url,
            "client_id": client.id,
            "client_secret_env": "OIDC_SECRET",
            "name": "Example ID",
            "scopes": ["openid", "profile", "email", "groups"],
            "roles": {"docs-admins": "admin"},
        }
        tls = {"certificate": "tls.crt", "key": "tls.key"}
        server = {"port": port, "tls": tls, "oidc": oidc}
        with served(tmp_path, server, OIDC_SECRET=client.secret) as running:
            context = await browser.new_context(ignore_https_errors=True)
            page = await context.new_page()
            await page.goto(f"{url}/activity")
            await _picture(page, "login")
            await _log_in(page, USERS[0])
            await page.wait_for_url(f"{url}/activity")
            row = page.get_by_role("row").filter(has_text="alice@example.org")
            assert "alice@example.org admin" in await row.first.inner_text()
            await _picture(page, "activity")
            (cookie,) = [
                one for one in await context.cookies(url) if one["name"] == "appliance_session"
            ]
            assert cookie["secure"] and cookie["sameSite"] == "Strict" and cookie["httpOnly"]
            await page.get_by_role("button", name="Sign out").click()
            await page.wait_for_url(f"{url}/login")
            assert "appliance_session" not in {one["name"] for one in await context.cookies(url)}

            guest = await (await browser.new_context(ignore_https_errors=True)).new_page()
            await guest.goto(f"{url}/login")
            await _log_in(guest, USERS[1])
            alert = guest.get_by_role("alert")
            assert "You have no role here" in await alert.inner_text()
            await _picture(guest, "no-role")
            kept = running.command("activity", "list", "--json", "--deed", "log-in").stdout
            assert "bob@example.org" in kept and client.secret not in kept + running.log
