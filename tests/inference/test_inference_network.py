"""A model endpoint in a company's network."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from appliance.config import ModelSettings
from appliance.core.errors import ModelError
from appliance.inference.client import ModelClient
from appliance.inference.scripted import serving
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.secret_references import SecretReference
from tests.company import HOST, PASSWORD, USER, Issuer, proxy, site

HELLO = [{"role": "user", "content": "Say hello, please."}]


async def test_a_model_is_asked_through_the_proxy(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    issuer = Issuer(tmp_path / "issuer")
    with (
        serving(["Hello there."]) as model,
        site(issuer.issue(HOST), urlsplit(model.url).port or 0) as front,
        proxy({HOST: front.port}) as gate,
    ):
        secret = SecretReference(file=tmp_path / "password")
        way = Proxy(url=gate.url, username=USER, password=secret)
        settings = ModelSettings(endpoint=f"https://{HOST}/v1", timeout_s=20)
        async with ModelClient(settings, network=Network(ca=issuer.file, proxy=way)) as client:
            assert (await client.ask(HELLO, max_tokens=50)).text == "Hello there."
        assert set(gate.seen) == {f"CONNECT {HOST}:443"}
        async with ModelClient(settings, network=Network(proxy=way)) as client:
            with pytest.raises(ModelError, match=r"issuer that is not trusted here.*network\.ca"):
                await client.ask(HELLO, max_tokens=50)
