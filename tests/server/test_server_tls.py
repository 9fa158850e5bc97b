"""The server with a certificate of its own: real connections, and what is wrong with its files."""

import asyncio
import json
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509

from appliance.cli._check import Status
from appliance.cli._service_checks import service_checks
from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.server.certificate import TlsFiles, examine
from appliance.system.network.trust import pinned_context
from appliance.system.secret_references import SecretReference
from tests.server.served import DAY, served, write_certificate
from tests.serving import Served

TLS = {"certificate": "tls.crt", "key": "tls.key", "key_password_env": "TLS_PASSWORD"}


@pytest.fixture(scope="module")
def over_https(tmp_path_factory):
    folder = tmp_path_factory.mktemp("https")
    write_certificate(folder, password="of the key", good_for=20 * DAY)
    server = {"tls": TLS, "keys": "required", "hosts": ["docs.example"]}
    with served(folder, server, TLS_PASSWORD="of the key") as running:
        yield running


def _shown(served: Served) -> x509.Certificate:
    port = int(served.url.rpartition(":")[2])
    return x509.load_pem_x509_certificate(ssl.get_server_certificate(("127.0.0.1", port)).encode())


def _client(served: Served, name: str) -> httpx.Client:
    """Who trusts that certificate for the name that it has."""
    context = ssl.create_default_context(cafile=served.folder / "tls.crt")
    port = served.url.rpartition(":")[2]
    return httpx.Client(
        base_url=served.url,
        verify=context,
        headers={"Host": f"{name}:{port}"},
        trust_env=False,
    )


def _get(client: httpx.Client, path: str, name: str) -> httpx.Response:
    return client.get(path, extensions={"sni_hostname": name})


def test_commands_reach_it_and_a_browser_is_told_to_come_back_over_https(over_https):
    assert over_https.url.startswith("https://127.0.0.1:")
    listed = over_https.command("key", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    assert '"first"' in listed.stdout
    with _client(over_https, "docs.example") as client:
        answer = _get(client, "/login", "docs.example")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        key = (over_https.folder / "data" / "first-key").read_text().strip()
        logged_in = client.post(
            "/login", data={"key": key}, extensions={"sni_hostname": "docs.example"}
        )
        assert "secure" in logged_in.headers["set-cookie"].lower()


def test_other_programs_of_this_machine_may_go_on_over_http(over_https):
    context = ssl.create_default_context(cafile=over_https.folder / "tls.crt")
    context.check_hostname = False
    answer = httpx.get(f"{over_https.url}/healthz", verify=context, trust_env=False)
    assert "strict-transport-security" not in answer.headers


async def test_commands_go_on_with_one_that_expires_while_the_server_runs(tmp_path):
    certificate, key = write_certificate(tmp_path, good_for=-DAY)
    (tmp_path / "other").mkdir()
    other, _ = write_certificate(tmp_path / "other")
    shown = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    shown.load_cert_chain(certificate, key)

    async def close(_, writer) -> None:
        writer.close()

    async with await asyncio.start_server(close, "127.0.0.1", 0, ssl=shown) as server:
        port = server.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=pinned_context(certificate)
        )
        writer.close()
        with pytest.raises(ssl.SSLCertVerificationError):
            await asyncio.open_connection("127.0.0.1", port, ssl=pinned_context(other))


def test_over_plain_http_nobody_answers(over_https):
    with pytest.raises(httpx.HTTPError):
        httpx.get(over_https.url.replace("https:", "http:") + "/healthz", trust_env=False)


def test_files_that_change_are_taken_once_they_fit_together(over_https):
    before = _shown(over_https)
    key = (over_https.folder / "tls.key").read_bytes()
    write_certificate(over_https.folder, password="of the key")
    newer = (over_https.folder / "tls.key").read_bytes()
    (over_https.folder / "tls.key").write_bytes(key)  # half of the change is there
    assert _shown(over_https) == before
    assert "certificate.not_taken" in over_https.log
    (over_https.folder / "tls.key").write_bytes(newer)
    after = _shown(over_https)
    assert after != before
    assert after.not_valid_after_utc > datetime.now(UTC) + 80 * DAY
    assert over_https.command("key", "list").returncode == 0


def test_doctor_says_when_it_expires_and_who_may_read_its_key(tmp_path):
    certificate, key = write_certificate(tmp_path, good_for=20 * DAY + timedelta(minutes=5))
    tls = {"certificate": certificate, "key": key}
    settings = Settings.model_validate({"data_dir": tmp_path / "data", "server": {"tls": tls}})
    key.chmod(0o604)
    (told,) = (one for one in service_checks(settings, None) if one.name == "certificate")
    assert told.status is Status.WARN
    assert told.says == (
        f"{certificate} expires in 20 days: renew it;"
        f" others may read the private key: chmod o= {key}"
    )
    write_certificate(tmp_path)
    key.chmod(0o640)
    (told,) = (one for one in service_checks(settings, None) if one.name == "certificate")
    assert told.status is Status.OK


WRONG = {
    "expired": (lambda f: write_certificate(f, good_for=-DAY), "expired on "),
    "no certificate": (lambda f: (f / "tls.crt").write_text("x"), "holds no certificate in PEM"),
    "no key": (lambda f: (f / "tls.key").write_text("x"), "holds no private key in PEM"),
    "nothing": (lambda f: (f / "tls.crt").unlink(), "cannot be read: No such file or directory"),
    "locked": (
        lambda f: write_certificate(f, password="x"),
        "has a password: name it by key_password_env or key_password_file",
    ),
}


@pytest.mark.parametrize(("damage", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_them_is_said(tmp_path, damage, message):
    certificate, key = write_certificate(tmp_path)
    damage(tmp_path)
    with pytest.raises(SetupError, match=message):
        examine(TlsFiles(certificate, key, SecretReference()), datetime.now(UTC))


def test_a_key_of_another_certificate_or_with_another_password_is_refused(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    certificate, _ = write_certificate(tmp_path)
    _, key = write_certificate(tmp_path / "other", password="right")
    named = SecretReference("TLS_PASSWORD")
    monkeypatch.setenv("TLS_PASSWORD", "wrong")
    with pytest.raises(SetupError, match="or its password is another"):
        examine(TlsFiles(certificate, key, named), datetime.now(UTC))
    monkeypatch.setenv("TLS_PASSWORD", "right")
    with pytest.raises(SetupError, match="is not the key of"):
        examine(TlsFiles(certificate, key, named), datetime.now(UTC))


def test_serve_and_doctor_refuse_what_has_expired(tmp_path):
    write_certificate(tmp_path, good_for=-DAY)
    message = r"tls.crt expired on .* put a new one there"
    with (
        pytest.raises(AssertionError, match=message),
        served(tmp_path, {"tls": {"certificate": "tls.crt", "key": "tls.key"}}),
    ):
        pass


def test_the_image_s_health_check_reaches_it(over_https):
    (line,) = (one for one in Path("Dockerfile").read_text().splitlines() if "/readyz" in one)
    _, *words = json.loads(line.strip().removeprefix("CMD "))
    around = dict(over_https.environment) | {"APPLIANCE_DATA_DIR": str(over_https.folder / "data")}
    asked = subprocess.run(
        [sys.executable, *words], env=around, capture_output=True, text=True, check=False
    )
    assert "HTTP Error 503" in asked.stderr, "it answers; only its console does not"
