"""Whole commands in a company's network: TLS of its own issuer, and a name only its proxy knows."""

import base64
import json
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml

from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.company import HOST, PASSWORD, USER, Issuer, proxy, site

GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Create bucket** dialog, enter a name in **Bucket name**.
4. Click **Create**.
"""
CHECKS = {
    "procedures": {
        "create-a-bucket": {
            "bindings": {"Bucket name": "docs-${unique}"},
            "expect": [{"event": "CreateBucket", "where": {"target_name": "${Bucket name}"}}],
        }
    }
}
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()


@pytest.fixture
def written(folder):
    """Writes config.yaml: a section `network`, a generic console, and what else is given."""

    def write(gate, *, ca=None, console=(), **more):
        Path("proxy-password").write_text(PASSWORD)
        network = {"proxy": gate.url, "proxy_username": USER}
        network["proxy_password_file"] = "proxy-password"
        if ca is not None:
            network["ca"] = str(ca)
        lab = {"kind": "generic", "url": f"https://{HOST}/login", **dict(console)}
        settings = {"network": network, "consoles": {"lab": lab}, **more}
        Path("config.yaml").write_text(yaml.safe_dump(settings))

    return write


def ways(result) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in json.loads(result.out)["checks"]}


def test_doctor_says_what_is_wrong_with_a_chain_and_when_it_is_right(appliance, folder, written):
    hook = {"team": {"url": f"https://{HOST}/hook-secret", "secret_env": "HOOK"}}
    issuer = Issuer(folder / "issuer")
    with site(issuer.issue(HOST)) as front, proxy({HOST: front.port}) as gate:
        written(gate, webhooks=hook)
        result = appliance("doctor", "--json")
        assert result.code == 2
        way = ways(result)["way to console lab, url"]
        assert way["status"] == "fail"
        start = f"https://{HOST}, through the proxy {gate.url}: its certificate (for {HOST}, issued"
        assert way["says"].startswith(f"{start} by Example Corp CA, valid until 20")
        assert "not trusted here: if it is your company's own, name its issuer's" in way["says"]
        assert ways(result)["way to webhook team"]["status"] == "warn"
        assert "hook-secret" not in result.out
        assert "network.ca" in ways(result)["console lab"]["says"]

        written(gate, ca=issuer.file, webhooks=hook)
        found = ways(appliance("doctor", "--json"))
        way = f"https://{HOST}, through the proxy {gate.url}"
        assert found["way to console lab, url"]["says"] == way
        assert found["way to webhook team"]["says"] == way
        assert found["network"]["says"] == (
            f"trusts what {issuer.file} has (1) and goes through {gate.url}"
        )
        assert "it opens without a log-in" in found["console lab"]["says"]


def test_a_procedure_is_verified_through_proxy_and_tls_and_no_secret_stays(
    appliance, folder, written
):
    issuer = Issuer(folder / "issuer")
    with (
        serving(
            PracticeSettings(release="2025.1", settle_s=0.2, data_dir=folder / "cloud")
        ) as cloud,
        site(issuer.issue(HOST), int(cloud.url.rpartition(":")[2])) as front,
        proxy({HOST: front.port}) as gate,
    ):
        Path("password").write_text(cloud.password)
        Path("guide.md").write_text(GUIDE)
        Path("guide.checks.yaml").write_text(yaml.safe_dump(CHECKS))
        console = {
            "accounts": {"alice": {"username": "alice", "password_file": "password"}},
            "audit": {"kind": "jsonlines", "path": str(folder / "cloud/audit.jsonl")},
        }
        more = {"verification": {"audit_wait_s": 2, "settle_resource_s": 4}}
        written(gate, ca=issuer.file, console=console, **more)
        result = appliance("verify", "guide.md", "--json")
        assert result.code == 0, result.err
        [procedure] = json.loads(result.out)["procedures"]
        assert procedure["verdict"] == "verified"
        assert set(gate.seen) == {f"CONNECT {HOST}:443"}

        written(gate, console=console, **more)
        refused = appliance("verify", "guide.md", "--json")
        assert refused.code == 2
        assert "by an issuer that is not trusted here" in refused.out + refused.err
    forms = (PASSWORD, quote(PASSWORD, safe=""))
    forms += (base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode(),)
    said = (result.out + result.err + refused.out + refused.err).encode()
    kept = [file.read_bytes() for file in Path("data").rglob("*") if file.is_file()]
    for form in forms:
        assert form.encode() not in said
        assert not any(form.encode() in each for each in kept)


def test_a_webhook_is_posted_through_the_proxy(appliance, folder, written, monkeypatch):
    monkeypatch.setenv("HOOK", SECRET)
    issuer = Issuer(folder / "issuer")
    hook = {"team": {"url": f"https://{HOST}/hook", "secret_env": "HOOK"}}
    with site(issuer.issue(HOST)) as receiver, proxy({HOST: receiver.port}) as gate:
        written(gate, webhooks=hook)
        refused = appliance("webhook", "test", "team")
        assert refused.code == 2
        assert "cannot be reached: its certificate is by an issuer that is not trusted" in (
            refused.err
        )
        written(gate, ca=issuer.file, webhooks=hook)
        assert appliance("webhook", "test", "team").code == 0
        assert "POST /hook HTTP/1.1" in receiver.seen


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("network: {proxy: proxy.example}", "expected an address such as http://proxy.example"),
        ("network: {proxy: 'http://a:b@proxy.example:1'}", "has a password in it; name it"),
        ("network: {proxy: 'http://p:1', proxy_username: a}", "needs `proxy_username` with"),
        ("network: {no_proxy: ['https://x/']}", "is no host, `.domain` or network"),
        ("network: {prox: 'http://p:1'}", "unknown key `prox`. Did you mean `proxy`"),
        ("consoles: {p: {kind: practice, network: {proxy: p}}}", "`consoles.p.network.proxy`"),
        (
            "consoles: {p: {kind: practice, client_certificate: {key: k}}}",
            "`consoles.p.client_certificate` needs `certificate`",
        ),
    ],
)
def test_settings_that_do_not_fit_are_said(appliance, text, said):
    Path("config.yaml").write_text(text)
    result = appliance("config", "check")
    assert result.code == 2
    assert said in result.out + result.err


def test_variables_that_are_not_read_are_told_of(appliance, folder, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    found = ways(appliance("doctor", "--json"))["network"]
    assert (found["status"], found["says"]) == ("warn", "HTTPS_PROXY is set, and not read")
