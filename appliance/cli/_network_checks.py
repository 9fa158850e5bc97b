"""What `appliance doctor` looks at for the network: each address of the settings is tried once."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from appliance.cli._check import CheckResult, failure, fine, warning
from appliance.config import ConsoleSettings, Settings
from appliance.core.errors import SetupError
from appliance.engine import cluster
from appliance.system.network.network import PROXY_VARIABLES, Network
from appliance.system.network.reach import reach
from appliance.system.network.trust import pem_certificates


class _Address(NamedTuple):
    name: str
    """What it is of: `console lab`."""
    url: str
    network: Network
    setting: str
    """Where it stands."""
    is_needed: bool = False
    """Whether `verify` does not work without it."""
    otherwise: str = ""
    """Another address that does as well."""


async def network_checks(settings: Settings) -> AsyncIterator[CheckResult]:
    """The section itself, and the way to each address."""
    yield await asyncio.to_thread(_section, settings)
    if settings.execution.engine == "ray":
        yield await asyncio.to_thread(_cluster, settings)
    for check in await asyncio.gather(*map(_check_way, _addresses(settings))):
        yield check


def _section(settings: Settings) -> CheckResult:
    network_settings, network = settings.network, settings.outward
    ignored = [name for name in PROXY_VARIABLES if os.environ.get(name)]
    try:
        parts = []
        if ca := network_settings.ca:
            parts.append(f"trusts what {ca} has ({len(pem_certificates(ca))})")
        network.check()
        if network.proxy is not None:
            parts.append(f"goes through {network.proxy.url}")
        for name in settings.consoles:
            settings.network_of(name).check()
    except SetupError as exc:
        return failure("network", str(exc), "Correct the section network, or that of the console.")
    if ignored and not network_settings.proxy:
        says = f"{ignored[0]} is set, and not read"
        return warning("network", says, "Set network.proxy, where there is a proxy on the way.")
    return fine("network", " and ".join(parts) or "no certificates of its own, and no proxy")


def _cluster(settings: Settings) -> CheckResult:
    try:
        cluster.check(settings.execution)
    except SetupError as exc:
        return failure("cluster", str(exc), "Correct the section execution, or start the cluster.")
    says = f"a Ray cluster answers at {settings.execution.address}; its nodes are asked at a start"
    return fine("cluster", says)


def _addresses(settings: Settings) -> Iterator[_Address]:
    for name, console in settings.consoles.items():
        network = settings.network_of(name)
        for setting, url in _of_console(console):
            where = f"consoles.{name}.{setting}"
            is_needed = setting in ("url", "auth_url")
            yield _Address(f"console {name}, {setting}", url, network, where, is_needed)
    outward = settings.outward
    outward_addresses = [("model", settings.model.endpoint, "model.endpoint")]
    outward_addresses += [
        (f"webhook {name}", hook.url, f"webhooks.{name}.url")
        for name, hook in settings.webhooks.items()
    ]
    outward_addresses.append(("repository", settings.repository.url, "repository.url"))
    outward_addresses.append(
        ("traces", settings.telemetry.otlp_endpoint, "telemetry.otlp_endpoint")
    )
    for label, url, where in outward_addresses:
        if url:
            yield _Address(label, url, outward, where)
    for host in settings.documentation.url_hosts:
        yield _Address(
            f"documents of {host}",
            f"https://{host}",
            outward,
            "documentation.url_hosts",
            otherwise=f"http://{host}",
        )


def _of_console(console: ConsoleSettings) -> Iterator[tuple[str, str]]:
    addresses = {
        "url": console.url,
        "auth_url": console.auth_url,
        "audit.endpoint": console.audit.endpoint,
    }
    yield from ((setting, url) for setting, url in addresses.items() if url)


async def _check_way(address: _Address) -> CheckResult:
    parts = urlsplit(address.url)
    host = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"  # the rest may be a secret
    name = f"way to {address.name}"
    try:
        reached = await reach(address.url, address.network)
        if (
            reached.problem
            and address.otherwise
            and not (await reach(address.otherwise, address.network)).problem
        ):
            return fine(name, f"{address.otherwise}, {reached.way}")
    except ValueError as exc:
        return failure(name, f"{address.setting} is no address: {exc}")
    if not reached.problem:
        return fine(name, f"{host}, {reached.way}")
    says = f"{host}, {reached.way}: {reached.problem}"
    remedy = f"Correct {address.setting} or the section network, or see to the other side."
    return failure(name, says, remedy) if address.is_needed else warning(name, says, remedy)
