"""Chromium in a company's network: its own certificates, its proxy, a console that asks who comes.

Nothing is ever ignored: without the issuer's certificate, or for another name, no page opens.
"""

import asyncio

import pytest

from appliance.browser import BrowserPool
from appliance.browser._browser import BROWSER_USER
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError, SetupError
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.network.relay import Relay
from appliance.system.network.trust import ClientCertificate
from appliance.system.secret_references import SecretReference
from tests.company import HOST, PASSWORD, USER, Issuer, proxy, site

ONE = BrowserSettings(pool_size=1, spare_pages=0)


@pytest.fixture
def issuer(tmp_path):
    return Issuer(tmp_path / "issuer")


@pytest.fixture
def through(tmp_path):
    file = tmp_path / "proxy-password"
    file.write_text(PASSWORD)

    def made(running):
        secret = SecretReference(file=file)
        return Proxy(url=running.url, username=USER, password=secret)

    return made


async def opened(network, url, hosts, networks=None):
    async with (
        BrowserPool(ONE, networks or (network,)) as pool,
        pool.page(frozenset(hosts), network=network) as page,
    ):
        await page.goto(url)
        return await page.raw.inner_text("h1")


async def test_a_company_s_issuer_is_trusted_where_it_is_named_and_else_not(issuer):
    with site(issuer.issue("127.0.0.1")) as console, site(issuer.issue("other.example")) as other:
        address, host = f"https://127.0.0.1:{console.port}/", f"127.0.0.1:{console.port}"
        assert await opened(Network(ca=issuer.file), address, {host}) == "Hello"
        with pytest.raises(BrowserError, match=r"ERR_CERT_AUTHORITY_INVALID.*network\.ca"):
            await opened(Network(), address, {host})
        with pytest.raises(BrowserError, match="ERR_CERT_COMMON_NAME_INVALID"):
            await opened(
                Network(ca=issuer.file),
                f"https://127.0.0.1:{other.port}/",
                {f"127.0.0.1:{other.port}"},
            )


async def test_a_console_that_only_the_proxy_knows_is_reached_and_nothing_else(issuer, through):
    with site(issuer.issue(HOST)) as console, proxy({HOST: console.port}) as gate:
        network = Network(ca=issuer.file, proxy=through(gate))
        async with (
            BrowserPool(ONE, (network,)) as pool,
            pool.page(frozenset({HOST}), network=network) as page,
        ):
            await page.goto(f"https://{HOST}/")
            assert await page.raw.inner_text("h1") == "Hello"
            # What is no host of the console's is not asked of the company's proxy either.
            reply = "u => fetch(u, {mode: 'no-cors'}).then(() => 'came', e => String(e))"
            assert "Failed to fetch" in await page.raw.evaluate(
                reply, "https://elsewhere.internal/"
            )
            assert "Failed to fetch" in await page.raw.evaluate(reply, gate.url)
        assert set(gate.seen) == {f"CONNECT {HOST}:443"}


async def test_a_page_without_tls_goes_through_the_proxy_as_well(through):
    with site(None) as plain, proxy({HOST: plain.port}) as gate:
        network = Network(proxy=through(gate))
        assert await opened(network, f"http://{HOST}/", {HOST}) == "Hello"
        assert gate.seen[0] == f"GET http://{HOST}:80/"


async def test_what_is_said_to_be_direct_does_not_go_through_the_proxy(issuer, through):
    with site(issuer.issue("127.0.0.1")) as console, proxy() as gate:
        host = f"127.0.0.1:{console.port}"
        network = Network(ca=issuer.file, proxy=through(gate))
        assert await opened(network, f"https://{host}/", {host}) == "Hello"
        assert gate.seen == []


async def test_a_console_that_asks_for_a_certificate_is_shown_ours(issuer, through, tmp_path):
    staff = Issuer(tmp_path / "staff", "Staff CA")
    (tmp_path / "passphrase").write_text("of the key")
    client = ClientCertificate(
        certificate=staff.issue("docs-robot", passphrase="of the key"),
        passphrase=SecretReference(file=tmp_path / "passphrase"),
    )
    with (
        site(issuer.issue(HOST), asks=staff.file) as console,
        proxy({HOST: console.port}) as gate,
    ):
        network = Network(ca=issuer.file, proxy=through(gate), client=client)
        assert await opened(network, f"https://{HOST}/", {HOST}) == "Hello"
        assert console.seen[0] == "docs-robot"
        console.seen.clear()
        with pytest.raises(BrowserError):
            await opened(Network(ca=issuer.file, proxy=through(gate)), f"https://{HOST}/", {HOST})
        assert console.seen == []
        # What the relay shows the browser hides nothing: the console's own certificate is checked.
        with pytest.raises(BrowserError):
            await opened(Network(proxy=through(gate), client=client), f"https://{HOST}/", {HOST})


async def test_a_proxy_that_refuses_us_opens_nothing(issuer, through):
    with (
        site(issuer.issue(HOST)) as console,
        proxy({HOST: console.port}, password="another") as gate,
        pytest.raises(BrowserError, match=r"ERR_TUNNEL_CONNECTION_FAILED.*doctor"),
    ):
        network = Network(ca=issuer.file, proxy=through(gate))
        await opened(network, f"https://{HOST}/", {HOST})


async def test_without_certutil_it_is_said(issuer, monkeypatch, tmp_path):
    monkeypatch.setattr("appliance.browser._trust.shutil.which", lambda name: None)
    with pytest.raises(SetupError, match="libnss3-tools"):
        await opened(Network(ca=issuer.file), "https://127.0.0.1/", {"127.0.0.1"})


async def test_nobody_else_on_this_machine_comes_in_our_name():
    async with Relay(frozenset({"127.0.0.1"})).at_loopback(BROWSER_USER) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write(b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
        writer.close()
