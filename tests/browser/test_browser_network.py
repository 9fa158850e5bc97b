"""Chromium in a company's network: its own certificates, its proxy, a console that asks who comes.

Nothing is ever ignored: without the issuer's certificate, or for another name, no page opens.
"""

import asyncio

import pytest
import pytest_asyncio

from appliance.browser import BrowserPool
from appliance.browser._browser import BROWSER_USER
from appliance.config import BrowserSettings
from appliance.core.errors import BrowserError, SetupError
from appliance.system.network.network import DIRECT, Network
from appliance.system.network.proxy import Proxy
from appliance.system.network.relay import Relay
from appliance.system.network.trust import ClientCertificate
from appliance.system.secret_references import SecretReference
from tests.company import HOST, PASSWORD, USER, Issuer, proxy, site

ONE = BrowserSettings(pool_size=1, spare_pages=0)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def issuer(tmp_path_factory):
    return Issuer(tmp_path_factory.mktemp("issuer"))


@pytest.fixture(scope="module")
def staff(tmp_path_factory):
    return Issuer(tmp_path_factory.mktemp("staff"), "Staff CA")


@pytest.fixture(scope="module")
def robot(staff, tmp_path_factory):
    passphrase = tmp_path_factory.mktemp("secrets") / "passphrase"
    passphrase.write_text("of the key")
    return ClientCertificate(
        certificate=staff.issue("docs-robot", passphrase="of the key"),
        passphrase=SecretReference(file=passphrase),
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(issuer, robot):
    async with BrowserPool(ONE, (Network(ca=issuer.file, client=robot),)) as opened:
        yield opened


@pytest.fixture
def through(tmp_path):
    file = tmp_path / "proxy-password"
    file.write_text(PASSWORD)

    def made(running):
        secret = SecretReference(file=file)
        return Proxy(url=running.url, username=USER, password=secret)

    return made


async def opened(pool, network, url, hosts):
    async with pool.page(frozenset(hosts), network=network) as page:
        await page.goto(url)
        return await page.raw.inner_text("h1")


async def test_a_company_s_issuer_is_trusted_where_it_is_named_and_else_not(pool, issuer):
    with site(issuer.issue("127.0.0.1")) as console, site(issuer.issue("other.example")) as other:
        address, host = f"https://127.0.0.1:{console.port}/", f"127.0.0.1:{console.port}"
        assert await opened(pool, DIRECT, address, {host}) == "Hello"
        elsewhere = f"127.0.0.1:{other.port}"
        with pytest.raises(BrowserError, match=r"ERR_CERT_COMMON_NAME_INVALID.*doctor"):
            await opened(pool, DIRECT, f"https://{elsewhere}/", {elsewhere})
        async with BrowserPool(ONE) as untrusting:
            with pytest.raises(BrowserError, match=r"ERR_CERT_AUTHORITY_INVALID.*network\.ca"):
                await opened(untrusting, DIRECT, address, {host})


async def test_a_console_that_only_the_proxy_knows_is_reached_and_nothing_else(
    pool, issuer, through
):
    with site(issuer.issue(HOST)) as console, proxy({HOST: console.port}) as gate:
        network = Network(ca=issuer.file, proxy=through(gate))
        async with pool.page(frozenset({HOST}), network=network) as page:
            await page.goto(f"https://{HOST}/")
            assert await page.raw.inner_text("h1") == "Hello"
            # What is no host of the console's is not asked of the company's proxy either.
            reply = "u => fetch(u, {mode: 'no-cors'}).then(() => 'came', e => String(e))"
            for url in ("https://elsewhere.internal/", "http://elsewhere.internal/", gate.url):
                assert "Failed to fetch" in await page.raw.evaluate(reply, url)
        assert set(gate.seen) == {f"CONNECT {HOST}:443"}


async def test_a_page_without_tls_goes_through_the_proxy_as_well(pool, through):
    with site(None) as plain, proxy({HOST: plain.port}) as gate:
        network = Network(proxy=through(gate))
        assert await opened(pool, network, f"http://{HOST}/", {HOST}) == "Hello"
        assert gate.seen[0] == f"GET http://{HOST}:80/"


async def test_what_is_said_to_be_direct_does_not_go_through_the_proxy(pool, issuer, through):
    with site(issuer.issue("127.0.0.1")) as console, proxy() as gate:
        host = f"127.0.0.1:{console.port}"
        network = Network(ca=issuer.file, proxy=through(gate))
        assert await opened(pool, network, f"https://{host}/", {host}) == "Hello"
        assert gate.seen == []


async def test_a_console_that_asks_for_a_certificate_is_shown_ours(
    pool, issuer, staff, robot, through
):
    with (
        site(issuer.issue(HOST), asks=staff.file) as console,
        proxy({HOST: console.port}) as gate,
        site(issuer.issue("127.0.0.1"), asks=staff.file) as near,
    ):
        network = Network(ca=issuer.file, proxy=through(gate), client=robot)
        assert await opened(pool, network, f"https://{HOST}/", {HOST}) == "Hello"
        assert console.seen[0] == "docs-robot"
        host = f"127.0.0.1:{near.port}"  # and without a proxy
        assert await opened(pool, network, f"https://{host}/", {host}) == "Hello"
        assert near.seen[0] == "docs-robot"
        console.seen.clear()
        with pytest.raises(BrowserError):
            await opened(
                pool, Network(ca=issuer.file, proxy=through(gate)), f"https://{HOST}/", {HOST}
            )
        # What the relay shows the browser hides nothing: the console's own certificate is checked.
        with pytest.raises(BrowserError):
            await opened(
                pool, Network(proxy=through(gate), client=robot), f"https://{HOST}/", {HOST}
            )
        assert console.seen == []


async def test_a_proxy_that_refuses_us_opens_nothing(pool, issuer, through):
    with (
        site(issuer.issue(HOST)) as console,
        proxy({HOST: console.port}, password="another") as gate,
        pytest.raises(BrowserError, match=r"ERR_TUNNEL_CONNECTION_FAILED.*doctor"),
    ):
        network = Network(ca=issuer.file, proxy=through(gate))
        await opened(pool, network, f"https://{HOST}/", {HOST})


async def test_without_certutil_it_is_said(issuer, monkeypatch):
    monkeypatch.setattr("appliance.browser._trust.shutil.which", lambda name: None)
    with pytest.raises(SetupError, match="libnss3-tools"):
        async with BrowserPool(ONE, (Network(ca=issuer.file),)):
            pass


async def test_nobody_else_on_this_machine_comes_in_our_name():
    async with Relay(frozenset({"127.0.0.1"})).at_loopback(BROWSER_USER) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write(b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")
        assert await reader.read() == b""
        writer.close()
