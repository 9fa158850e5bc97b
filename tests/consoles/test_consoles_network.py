"""What asks a cloud's APIs, in a company's network: OpenStack's SDK, AWS' package, Terraform."""

import sys
from pathlib import Path

import pytest

from appliance.config import AccountSettings, AuditSettings
from appliance.consoles import TerraformAccess
from appliance.consoles.base import Account
from appliance.consoles.openstack.access import health_of
from appliance.core.errors import ConsoleError, OutcomeError
from appliance.environment.terraform import HostLauncher, Mirror
from appliance.environment.terraform._commands import Commands
from appliance.outcome.sources import open_source
from appliance.system.network.network import DIRECT, Network
from appliance.system.network.proxy import Proxy
from appliance.system.secret_references import SecretReference
from tests.company import HOST, Issuer, proxy, site

ASCII = "pa:ss/word"


@pytest.fixture
def company(tmp_path):
    (tmp_path / "proxy-password").write_text(ASCII)
    password = SecretReference(file=tmp_path / "proxy-password")
    issuer = Issuer(tmp_path / "issuer")
    with site(issuer.issue(HOST)) as api, proxy({HOST: api.port}, ASCII) as gate:
        through = Proxy(url=gate.url, username="docs", password=password)
        yield api, gate, Network(ca=issuer.file, proxy=through)


@pytest.mark.filterwarnings("ignore::openstack.warnings.RemovedInSDK60Warning")
async def test_openstack_s_sdk_goes_through_the_proxy(company, tmp_path):
    api, gate, network = company
    (tmp_path / "password").write_text("of alice")
    settings = AccountSettings(username="alice", password_file=tmp_path / "password")
    account = Account(name="alice", settings=settings)
    for way, asked in ((network, True), (Network(proxy=network.proxy), False), (DIRECT, False)):
        api.seen.clear()
        with pytest.raises(ConsoleError):  # a page is no Keystone
            await health_of(f"https://{HOST}/v3", account, way)
        assert ("POST /v3/auth/tokens HTTP/1.1" in api.seen) is asked
    assert set(gate.seen) == {f"CONNECT {HOST}:443"}


async def test_aws_package_goes_through_the_proxy(company, monkeypatch):
    api, gate, network = company
    monkeypatch.setattr("appliance.outcome.sources.aws._TRIES", 1)
    monkeypatch.setenv("KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("KEY_SECRET", "secret-of-the-key")
    settings = AuditSettings(
        kind="cloudtrail",
        endpoint=f"https://{HOST}",
        region="eu-central-1",
        key_id_env="KEY_ID",
        key_secret_env="KEY_SECRET",
    )
    await open_source("lab", settings, network=network).check()
    assert "POST / HTTP/1.1" in api.seen
    with pytest.raises(OutcomeError, match="SSL validation failed"):
        await open_source("lab", settings, network=Network(proxy=network.proxy)).check()
    assert set(gate.seen) == {f"CONNECT {HOST}:443"}


async def test_terraform_is_given_the_variables_and_does_not_say_the_password(company, tmp_path):
    _, gate, network = company
    access = TerraformAccess(
        provider="openstack",
        source="registry.terraform.io/x/openstack",
        arguments={},
        environment=network.variables(),
        hosts=frozenset(),
    )
    program = (
        "import os, ssl, urllib.request as u;"
        f"print(u.urlopen('https://{HOST}/from-terraform').read().decode());"
        "print('Error: ' + os.environ['HTTPS_PROXY']); raise SystemExit(1)"
    )
    commands = Commands(
        command=(sys.executable, "-c", program),
        mirror=Mirror(folder=tmp_path, cli_config=tmp_path / "rc", version="1", program=tmp_path),
        launcher=HostLauncher(),
        accesses=(access,),
        kept=None,
        timeout_s=30,
    )
    ran = await commands.run("x", Path(tmp_path), ["show"], on_progress=lambda _: None)
    assert "Hello" in ran.text
    assert gate.seen == [f"CONNECT {HOST}:443"]
    [told] = ran.diagnostics
    assert "***@127.0.0.1" in str(told)
    assert ASCII not in str(told)
