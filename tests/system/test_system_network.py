"""In a company's network: its own issuer, its proxy, and a name that only the proxy knows."""

import asyncio
import ssl
from functools import partial

import httpx
import pytest
import requests

from appliance.core.errors import SetupError
from appliance.core.secrets import without_secrets
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.network.reach import reach
from appliance.system.network.sessions import speak_through
from appliance.system.network.trust import ClientCertificate, pem_certificates
from appliance.system.secret_references import SecretReference
from tests.company import HOST, PASSWORD, USER, Issuer, proxy, site

GATE = Proxy(url="http://gate.example:3128")


@pytest.fixture(scope="module")
def issuer(tmp_path_factory):
    return Issuer(tmp_path_factory.mktemp("issuer"))


@pytest.fixture(scope="module")
def password(tmp_path_factory):
    file = tmp_path_factory.mktemp("secrets") / "password"
    file.write_text(f"{PASSWORD}\n")
    return SecretReference(file=file)


@pytest.fixture
def company(issuer, password):
    """A site that only the proxy knows, the proxy, and the network that leads there."""
    with site(issuer.issue(HOST)) as there, proxy({HOST: there.port}) as gate:
        through = Proxy(url=gate.url, username=USER, password=password)
        yield there, gate, Network(ca=issuer.file, proxy=through)


@pytest.mark.parametrize(
    ("url", "is_direct"),
    [
        ("http://localhost:8080/", True),
        ("https://127.0.0.1/", True),
        ("https://127.8.8.8/", True),
        ("http://[::1]:5000/v3", True),
        ("http://[::ffff:127.0.0.1]/", True),
        ("https://practice.localhost/", True),
        ("https://example.org/", True),
        ("https://docs.example.org/", True),
        ("https://EXAMPLE.ORG./", True),
        ("https://badexample.org/", False),
        ("https://inner.example/", False),
        ("https://a.inner.example/", True),
        ("https://10.1.2.3/", True),
        ("https://11.1.2.3/", False),
        ("https://[fd00::1]/", True),
        ("https://other.example:8443/", True),
        ("https://other.example/", False),
        ("http://192.0.2.7:81/", True),
        ("http://192.0.2.7/", False),
        ("https://cloud.example/", False),
    ],
)
def test_what_is_reached_directly(url, is_direct):
    named = ("example.org", ".inner.example", "10.0.0.0/8", "fd00::/8")
    named += ("other.example:8443", "192.0.2.7:81")
    network = Network(proxy=GATE, no_proxy=named)
    assert (network.proxy_for(url) is None) is is_direct
    assert Network().proxy_for(url) is None


async def test_httpx_goes_through_the_proxy_trusts_the_issuer_and_leaves_for_loopback(
    company, monkeypatch
):
    there, gate, network = company
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # nobody's: it is not read
    with site(None) as beside:
        async with async_client(network) as client:
            assert "Hello" in (await client.get(f"https://{HOST}/page")).text
            assert "Hello" in (await client.get(beside.url)).text
    assert "GET /page HTTP/1.1" in there.seen
    assert gate.seen == [f"CONNECT {HOST}:443"]


async def test_what_is_wrong_is_said_in_a_sentence(company, issuer, password):
    _, gate, network = company

    async def why(network, url=f"https://{HOST}/"):
        async with async_client(network) as client:
            with pytest.raises(httpx.HTTPError) as caught:
                await client.get(url)
        return explain(caught.value)

    untrusting = Network(proxy=network.proxy)
    assert "by an issuer that is not trusted here" in await why(untrusting)
    assert "network.ca" in await why(untrusting)
    nameless = Network(ca=issuer.file, proxy=Proxy(url=gate.url))
    assert "proxy wants another name or password" in await why(nameless)
    away = Network(ca=issuer.file, proxy=Proxy(url="http://127.0.0.1:9"))
    assert await why(away)


async def test_an_address_is_tried_and_its_chain_explained(company, issuer, tmp_path):
    there, gate, network = company
    assert await reach(f"https://{HOST}/", network) == (f"through the proxy {gate.url}", "")
    assert [line for line in there.seen if line != "nobody"] == []  # nothing is asked there

    async def problem(network, url=f"https://{HOST}/"):
        return (await reach(url, network)).problem

    found = await problem(Network(proxy=network.proxy))
    assert f"for {HOST}, issued by Example Corp CA, valid until 20" in found
    assert "by an issuer that is not trusted here" in found
    assert "network.ca" in found
    with site(issuer.issue("127.0.0.1", days=-1)) as late:
        found = await problem(network, f"https://127.0.0.1:{late.port}/")
        assert "expired on 20" in found
        assert "has expired: it has to be renewed there" in found
    with site(issuer.issue("other.example")) as other:
        found = await problem(network, f"https://127.0.0.1:{other.port}/")
        assert "for other.example, issued by" in found
        assert "is for another" in found
    itself = tmp_path / "itself.pem"
    alone = Issuer(tmp_path / "alone", "Alone")
    itself.write_bytes(alone.file.read_bytes() + alone.key_pem())
    with site(itself) as lone:
        found = await problem(network, f"https://127.0.0.1:{lone.port}/")
        assert "is self-signed: if it is your company's own" in found
    unnamed = Network(ca=issuer.file, proxy=Proxy(url=gate.url))
    found = await problem(unnamed)
    assert found.endswith("wants a name and password (407): set network.proxy_username")
    away = await problem(Network(proxy=Proxy(url="http://127.0.0.1:9")))
    assert "the proxy http://127.0.0.1:9 does not answer" in away
    assert await problem(network, "https://127.0.0.1:9/")


async def test_a_server_that_asks_who_we_are_is_told_and_else_it_is_said(issuer, tmp_path):
    staff = Issuer(tmp_path / "staff", "Staff CA")
    robot = ClientCertificate(certificate=staff.issue("docs-robot"), where="consoles.x")
    with site(issuer.issue("127.0.0.1"), asks=staff.file) as there:
        address = f"https://127.0.0.1:{there.port}/"
        assert (await reach(address, Network(ca=issuer.file, client=robot))).problem == ""
        async with async_client(Network(ca=issuer.file, client=robot)) as client:
            assert "Hello" in (await client.get(address)).text
        assert "docs-robot" in there.seen
        found = (await reach(address, Network(ca=issuer.file))).problem
        assert "without a client certificate" in found
        stranger = ClientCertificate(certificate=issuer.issue("stranger"), where="consoles.x")
        found = (await reach(address, Network(ca=issuer.file, client=stranger))).problem
        assert "without a client certificate" in found


def test_requests_goes_the_same_way(company):
    there, gate, network = company
    with speak_through(network, requests.Session()) as session:
        assert "Hello" in session.get(f"https://{HOST}/spans", timeout=10).text
        with pytest.raises(requests.exceptions.SSLError):
            speak_through(Network(proxy=network.proxy), session).get(f"https://{HOST}/", timeout=10)
    assert "GET /spans HTTP/1.1" in there.seen
    assert set(gate.seen) == {f"CONNECT {HOST}:443"}


async def test_a_proxy_that_speaks_tls_itself_is_gone_through(issuer, password):
    with (
        site(issuer.issue(HOST)) as there,
        proxy({HOST: there.port}, certificate=issuer.issue("localhost")) as gate,
    ):
        way = Proxy(url=f"https://localhost:{gate.port}", username=USER, password=password)
        network = Network(ca=issuer.file, proxy=way)
        assert (await reach(f"https://{HOST}/", network)).problem == ""
        async with async_client(network) as client:
            assert "Hello" in (await client.get(f"https://{HOST}/by-httpx")).text
        with speak_through(network, requests.Session()) as session:
            asked = partial(session.get, f"https://{HOST}/by-requests", timeout=10)
            assert "Hello" in (await asyncio.to_thread(asked)).text
        assert set(gate.seen) == {f"CONNECT {HOST}:443"}
        untrusting = Network(proxy=way)
        assert "certificate" in (await reach(f"https://{HOST}/", untrusting)).problem


def test_the_password_of_the_proxy_is_learnt_in_each_of_its_forms(password):
    gate = Proxy(url="http://gate.example:3128", username=USER, password=password)
    for said in (gate.with_password(), gate.authorization(), PASSWORD):
        assert PASSWORD not in without_secrets(said)
        assert "***" in without_secrets(said)
    assert PASSWORD not in repr(gate)


def test_terraform_s_variables_have_all_that_is_trusted(issuer, password):
    gate = Proxy(url="http://gate.example:3128", username=USER, password=password)
    variables = Network(ca=issuer.file, proxy=gate, no_proxy=("10.0.0.0/8",)).variables()
    assert variables["HTTPS_PROXY"] == "http://docs:pr%C3%B6xy%3Apass%2Fword@gate.example:3128"
    assert variables["NO_PROXY"] == "localhost,127.0.0.0/8,::1,10.0.0.0/8"
    context = ssl.create_default_context(cafile=variables["SSL_CERT_FILE"])
    assert len(context.get_ca_certs()) > 1
    assert Network().variables() == {}


def test_a_certificate_that_is_renewed_counts_at_once(issuer, tmp_path):
    file = tmp_path / "ca.pem"
    file.write_bytes(issuer.file.read_bytes())
    first = Network(ca=file).ssl_context()
    assert Network(ca=file).ssl_context() is first
    file.write_bytes(Issuer(tmp_path / "new").file.read_bytes())
    assert Network(ca=file).ssl_context() is not first


def test_files_that_are_wrong_are_named(issuer, tmp_path):
    (tmp_path / "none.pem").write_text("nothing")
    bad = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    (tmp_path / "bad.pem").write_text(bad)
    for ca, said in (
        (tmp_path / "gone", "gone cannot be read: No such file"),
        (tmp_path / "none.pem", "none.pem has no certificate: expected PEM"),
        (tmp_path / "bad.pem", "has a certificate that is none"),
    ):
        with pytest.raises(SetupError, match=said):
            Network(ca=ca).ssl_context()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/one.crt").write_bytes(issuer.file.read_bytes())
    (tmp_path / "folder/notes.txt").write_text(bad)
    assert len(pem_certificates(tmp_path / "folder")) == 1
    key = issuer.issue("docs-robot", passphrase="right")
    for passphrase, said in (
        ("wrong", "certificate and key do not fit"),
        (None, "cannot read the passphrase"),
    ):
        file = tmp_path / "passphrase"
        file.write_text(passphrase) if passphrase else file.unlink()
        client = ClientCertificate(
            certificate=key, passphrase=SecretReference(file=file), where="consoles.x"
        )
        with pytest.raises(SetupError, match=said):
            Network(client=client).ssl_context()
