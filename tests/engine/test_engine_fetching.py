"""Documents by their address: what is fetched, and what must not be."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.errors import DocumentError
from appliance.documents.load import parse_document
from appliance.engine.fetching import Fetcher, is_allowed_address, own_addresses, resolve
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.secret_references import SecretReference
from tests.company import PASSWORD, USER, proxy

PAGE = "# Disks\n\n1. Click **Create disk**.\n"


class Site:
    """A web server on 127.0.0.1 that says what the test wants, byte by byte."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.hosts: list[str] = []
        self.port = 0
        self.open: list[asyncio.StreamWriter] = []

    def page(self, path: str, body: bytes | str, kind: str = "text/markdown", **more: str) -> None:
        body = body.encode() if isinstance(body, str) else body
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        self.pages[path] = _answer("200 OK", headers) + body

    def redirect(self, path: str, to: str) -> None:
        headers = {"Location": to, "Content-Length": "0", "Connection": "close"}
        self.pages[path] = _answer("302 Found", headers)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open.append(writer)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        path = head[0].split(" ")[1]
        self.asked.append(path)
        self.hosts += [line.partition(": ")[2] for line in head if line.startswith("Host:")]
        writer.write(self.pages.get(path, _answer("404 Not Found", {"Content-Length": "0"})))
        if path.startswith("/slow"):
            await reader.read()  # until the other side has had enough
        writer.close()


def _answer(status: str, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


@asynccontextmanager
async def a_site() -> AsyncIterator[Site]:
    site = Site()
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    async with server:
        yield site
        server.close()
        await asyncio.sleep(0.05)  # who was let in at the last moment comes to `serve` yet
        for writer in site.open:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def names(**known: str) -> Callable[[str, int], object]:
    """A name server: `docs_test` is docs.test."""

    async def look(host: str, port: int) -> list[str]:
        found = known.get(host.replace(".", "_"))
        if found is None:
            raise OSError("unknown")
        return found.split(",")

    return look


def fetcher(site: Site, **given: object) -> Fetcher:
    """Takes 127.0.0.1 for an address on the network: the only one that a test surely has."""
    settled = {
        "hosts": (f"docs.test:{site.port}",),
        "allows": lambda a: str(a) == "127.0.0.1" or is_allowed_address(a),
        "resolve": names(docs_test="127.0.0.1", inner_test="127.0.0.2"),
    }
    return Fetcher(**settled | given)


async def test_a_page_comes_with_a_name_that_tells_its_format():
    async with a_site() as site:
        site.page("/guide/disks", PAGE, "text/markdown; charset=utf-8")
        site.page("/zh/%E7%A3%81%E7%9B%98.md?x=1", PAGE, "text/plain")
        site.page("/", "<h1>Disks</h1>", "text/html")
        base = f"http://docs.test:{site.port}"
        disks = await fetcher(site).fetch(f"{base}/guide/disks#create")
        chinese = await fetcher(site).fetch(f"{base}/zh/%E7%A3%81%E7%9B%98.md?x=1")
        index = await fetcher(site).fetch(base)
    assert (disks.name, disks.content.decode()) == ("disks.md", PAGE)
    assert len(parse_document(disks.content.decode(), disks.name, "markdown").procedures) == 1
    assert (chinese.name, index.name) == ("磁盘.md", "index.html")
    assert set(site.hosts) == {f"docs.test:{site.port}"}


async def test_a_page_in_another_character_set_comes_as_utf_8():
    async with a_site() as site:
        site.page("/a.html", "<h1>创建云盘</h1>".encode("gb18030"), "text/html; charset=gb18030")
        site.page("/b.html", b"\xff\xfe\xfd", "text/html; charset=ascii")
        site.page("/c.html", b"a" * 400 + b"-" + b"b" * 400_000, "text/html; charset=punycode")
        fetched = await fetcher(site).fetch(f"http://docs.test:{site.port}/a.html")
        with pytest.raises(DocumentError, match="is not ascii, as its host says"):
            await fetcher(site).fetch(f"http://docs.test:{site.port}/b.html")
        with pytest.raises(DocumentError, match="is not punycode, as its host says"):
            await fetcher(site).fetch(f"http://docs.test:{site.port}/c.html")
    assert fetched.content.decode() == "<h1>创建云盘</h1>"


async def test_redirects_are_followed_within_the_hosts_only():
    async with a_site() as site:
        base = f"http://docs.test:{site.port}"
        site.page("/new.md", PAGE)
        site.redirect("/old", "/new.md")
        site.redirect("/out", f"http://inner.test:{site.port}/secret.md")
        site.redirect("/loop", "/loop")
        site.redirect("/file", "file:///etc/passwd")
        site.redirect("/bad", "http://docs.test:x/")
        assert (await fetcher(site).fetch(f"{base}/old")).url == f"{base}/new.md"
        for path, why in {
            "/out": "not named in `documentation.url_hosts`",
            "/loop": "redirects more than 5 times",
            "/file": "by http or https only",
            "/bad": "cannot be got: Invalid URL in location header",
        }.items():
            with pytest.raises(DocumentError, match=why):
                await fetcher(site).fetch(base + path)
    assert "/secret.md" not in site.asked


async def test_a_redirect_to_a_named_host_is_looked_up_as_well():
    async with a_site() as site:
        site.redirect("/out", f"http://inner.test:{site.port}/secret.md")
        hosts = (f"docs.test:{site.port}", f"inner.test:{site.port}")
        with pytest.raises(DocumentError, match=r"inner\.test is 127\.0\.0\.2"):
            await fetcher(site, hosts=hosts).fetch(f"http://docs.test:{site.port}/out")
    assert site.asked == ["/out"]


async def test_the_connection_goes_to_the_address_that_was_looked_at():
    """A name server that answers otherwise the next time moves nothing."""
    answers = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2"]]
    asked = []

    async def changing(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers[len(asked) - 1]

    async with a_site() as site:
        site.page("/a.md", PAGE)
        got = await fetcher(site, resolve=changing).fetch(f"http://docs.test:{site.port}/a.md")
    assert got.content.decode() == PAGE
    assert asked == ["docs.test"]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://other.test/a.md", "other.test:80 is not named"),
        ("http://docs.test/a.md", "docs.test:80 is not named"),
        ("http://127.0.0.1:{port}/a.md", "is not named"),
        ("http://docs.test.evil.test:{port}/a.md", "is not named"),
        ("http://docs.test:{port}@evil.test/a.md", "user name or password"),
        ("ftp://docs.test/a.md", "by http or https only"),
        ("file:///etc/passwd", "by http or https only"),
        ("/etc/passwd", "by http or https only"),
        ("http:///a.md", "names no host"),
        ("http://[::1", "is no address"),
        ("http://docs.test:99999999/", "docs.test:99999999 is not named"),
        ("\x00", "is no address"),
        ("", "by http or https only"),
    ],
)
async def test_other_addresses_are_not_asked(url: str, why: str):
    async with a_site() as site:
        with pytest.raises(DocumentError, match=why):
            await fetcher(site).fetch(url.format(port=site.port))
    assert site.asked == []


async def test_every_answer_of_the_name_server_counts():
    async with a_site() as site:
        for answers in ("127.0.0.1,169.254.169.254", "::1", "0.0.0.0", "::ffff:127.0.0.5"):
            with pytest.raises(DocumentError, match="an address of this machine or of its link"):
                await fetcher(site, resolve=names(docs_test=answers)).fetch(
                    f"http://docs.test:{site.port}/"
                )
        with pytest.raises(DocumentError, match=r"no name server knows docs\.test"):
            await fetcher(site, resolve=names()).fetch(f"http://docs.test:{site.port}/")
    assert site.asked == []


async def test_what_is_no_document_or_does_not_come_is_said():
    async with a_site() as site:
        base = f"http://docs.test:{site.port}"
        site.page("/a.zip", b"PK", "application/zip")
        site.page("/long.md", "x" * 2000)
        site.page("/packed.md", b"..", Content_Encoding="gzip")
        site.pages["/short.md"] = _answer("200 OK", {"Content-Length": "9"} | _MARKDOWN) + b"x"
        site.pages["/noise"] = b"\x00\x01\x02"
        site.pages["/slow.md"] = _answer("200 OK", {"Content-Length": "9"} | _MARKDOWN) + b"x"
        for path, why in {
            "/a.zip": "is application/zip, not a document",
            "/long.md": "is longer than 1000 bytes",
            "/packed.md": "comes compressed",
            "/short.md": "broke off",
            "/none.md": "answers 404",
            "/noise": "cannot be got",
        }.items():
            with pytest.raises(DocumentError, match=why):
                await fetcher(site, max_bytes=1000).fetch(base + path)
        with pytest.raises(DocumentError, match=r"did not come within 0\.2 s"):
            await fetcher(site, timeout_s=0.2).fetch(f"{base}/slow.md")
    with pytest.raises(DocumentError, match="cannot be got"):  # nobody is there any more
        await fetcher(site).fetch(base)


_MARKDOWN = {"Content-Type": "text/markdown"}


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("93.184.215.14", True),
        ("10.0.0.7", True),
        ("192.168.1.1", True),
        ("fd12::7", True),
        ("2606:2800:21f::1", True),
        ("::ffff:10.0.0.7", True),
        ("64:ff9b::0a00:0007", True),
        ("127.0.0.1", False),
        ("127.9.9.9", False),
        ("169.254.169.254", False),
        ("100.100.100.200", False),
        ("192.0.0.192", False),
        ("fd00:ec2::254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("240.0.0.1", False),
        ("::", False),
        ("::1", False),
        ("fe80::1", False),
        ("ff02::1", False),
        ("::ffff:169.254.169.254", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b:1:7f00:0:100:a00:7", False),  # 127.0.0.1 in the middle, as RFC 6052 has it
        ("64:ff9b:1::0a00:0007", False),
        ("2002:7f00:1::1", False),
    ],
)
def test_addresses_where_documentation_may_be(address: str, is_allowed: bool):
    assert is_allowed_address(ip_address(address)) is is_allowed


async def test_this_machines_own_name_server_is_asked():
    assert set(await resolve("localhost", 80)) & {"127.0.0.1", "::1"}
    with pytest.raises(DocumentError, match="an address of this machine"):
        await Fetcher(hosts=("localhost:9",)).fetch("http://localhost:9/a.md")


@given(st.text())
def test_no_text_is_fetched_or_anything_but_an_error_of_ours(url: str):
    async def asks() -> None:
        with pytest.raises(DocumentError):
            await Fetcher(hosts=("docs.test",), resolve=names()).fetch(url)

    asyncio.run(asks())


@pytest.mark.parametrize("address", sorted(map(str, own_addresses())))
async def test_no_address_of_this_machine_is_asked_whatever_it_is_called(address: str) -> None:
    """What listens on one of its interfaces may be for this machine only."""
    asked = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.close()

    async with await asyncio.start_server(serve, None, 0) as server:
        port = server.sockets[0].getsockname()[1]
        fetcher = Fetcher(hosts=(f"docs.test:{port}",), resolve=names(docs_test=address))
        with pytest.raises(DocumentError, match="an address of this machine"):
            await fetcher.fetch(f"http://docs.test:{port}/secret.md")
    assert asked == []


def test_an_address_of_this_machine_stays_one_behind_translators() -> None:
    ours = [one for one in own_addresses() if one.version == 4 and not one.is_loopback]
    for own in [*ours, ip_address("127.0.0.1"), ip_address("0.1.2.3")]:
        assert not is_allowed_address(own)
        for way in (f"::ffff:{own}", f"64:ff9b::{own}", f"64:ff9b:1::{own}", f"::{own}"):
            assert not is_allowed_address(ip_address(way)), way
    assert is_allowed_address(ip_address("::ffff:10.1.2.3"))


async def test_this_server_is_not_asked_through_its_proxy() -> None:
    own = Fetcher(
        hosts=("docs.test",), own_url="https://docs.test/x", resolve=names(docs_test="10.1.2.3")
    )
    with pytest.raises(DocumentError, match="is this server"):
        await own.fetch("http" + "s://DOCS.test./api/v1/keys.md")


async def test_a_host_that_only_the_proxy_knows_is_fetched_through_it(tmp_path):
    (tmp_path / "password").write_text(PASSWORD)
    secret = SecretReference(file=tmp_path / "password")
    async with a_site() as site:
        site.page("/disks.md", PAGE)
        with proxy({"docs.internal": site.port}) as gate:
            way = Network(proxy=Proxy(url=gate.url, username=USER, password=secret))
            given = {"hosts": ("docs.internal", "inner.test", "docs.test"), "network": way}
            fetched = await fetcher(site, **given).fetch("http://docs.internal/disks.md")
            assert fetched.content.decode() == PAGE
            assert gate.seen == ["GET http://docs.internal/disks.md"]
            # What this machine knows of a name is held against it all the same.
            with pytest.raises(
                DocumentError, match=r"inner\.test is 127\.0\.0\.2, an address of this"
            ):
                await fetcher(site, **given).fetch("http://inner.test/disks.md")
            # And a name that is reached directly is not asked of the proxy by its address.
            direct = Network(proxy=way.proxy, no_proxy=("docs.test",))
            own = fetcher(site, network=direct)
            assert (await own.fetch(f"http://docs.test:{site.port}/disks.md")).name == "disks.md"
            assert len(gate.seen) == 1
