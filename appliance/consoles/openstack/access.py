"""How an account gets into an OpenStack cloud: whether it can, and how Terraform does."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from appliance.consoles.base import Account, TerraformAccess
from appliance.consoles.credentials import password_of
from appliance.consoles.openstack.cloud import Cloud, Connection, is_id
from appliance.core.errors import ConsoleError, ProvisioningError
from appliance.core.resources import AccountHealth, Quota
from appliance.system.network.network import Network

_PROVIDER = "registry.terraform.io/terraform-provider-openstack/openstack"
_COMPUTE = {
    "instance": ("total_instances_used", "instances"),
    "core": ("total_cores_used", "total_cores"),
    "ram": ("total_ram_used", "total_ram"),
    "server_group": ("server_groups_used", "server_groups"),
}
_VOLUMES = {
    "volume": ("total_volumes_used", "max_total_volumes"),
    "snapshot": ("total_snapshots_used", "max_total_snapshots"),
    "backup": ("total_backups_used", "max_total_backups"),
}
_NETWORK = {
    "network": "networks",
    "subnet": "subnets",
    "port": "ports",
    "router": "routers",
    "floating_ip": "floating_ips",
    "security_group": "security_groups",
}


async def health_of(auth_url: str, account: Account, network: Network) -> AccountHealth:
    """Whether Keystone lets the account in now, and the quotas of its project.

    Raises:
        ConsoleError: Keystone does not answer.
    """
    cloud = Cloud(
        auth_url.rstrip("/"), network
    )  # what was opened earlier may outlive a changed password
    try:
        return await cloud.call("looking at the account", lambda: _health(cloud, account))
    except ProvisioningError as exc:
        raise ConsoleError(str(exc)) from exc
    finally:
        cloud.close()


async def terraform_access(cloud: Cloud, auth_url: str, account: Account) -> TerraformAccess:
    """Access with the password in a variable.

    Raises:
        ConsoleError: The password cannot be read, or Keystone refuses it or does not answer.
    """
    password = password_of(account.name, account.settings)
    try:
        default_project, hosts = await cloud.call(
            "reading the catalogue", lambda: _scope(cloud.connect(account))
        )
    except ProvisioningError as exc:
        raise ConsoleError(str(exc)) from exc
    settings = account.settings
    arguments = {
        "auth_url": auth_url,
        "user_name": settings.username,
        "user_domain_name": "Default",
    }
    project_name = settings.project or default_project
    if is_id(project_name):
        arguments["tenant_id"] = project_name
    else:
        arguments |= {"tenant_name": project_name, "project_domain_name": "Default"}
    if settings.region:
        arguments["region"] = settings.region
    return TerraformAccess(
        provider="openstack",
        source=_PROVIDER,
        arguments=arguments,
        environment={"OS_PASSWORD": password, **cloud.network.variables()},
        hosts=frozenset({urlsplit(auth_url).netloc, *hosts}),
    )


def _health(cloud: Cloud, account: Account) -> AccountHealth:
    from keystoneauth1 import exceptions as keystone

    try:
        own = cloud.connect(account)
        own.session.get_token()
    except (keystone.Unauthorized, keystone.Forbidden) as exc:
        return AccountHealth(can_log_in=False, problem=str(exc.message or exc))
    except ConsoleError as exc:  # the password is not there
        return AccountHealth(can_log_in=False, problem=str(exc))
    return AccountHealth(can_log_in=True, quota=dict(_quotas(own)))


def _quotas(own: Connection) -> Iterator[tuple[str, Quota]]:
    if own.has_service("compute"):
        yield from _quotas_of_limits(own.compute.get_limits().absolute, _COMPUTE)
    if own.has_service("block-storage"):
        yield from _quotas_of_limits(own.block_storage.get_limits().absolute, _VOLUMES)
    if own.has_service("network"):
        quotas = own.network.get_quota(own.current_project_id, details=True)
        for kind, name in _NETWORK.items():
            details = getattr(quotas, name)
            yield kind, _quota(details["used"], details["limit"])


def _quotas_of_limits(
    limits: object, names: dict[str, tuple[str, str]]
) -> Iterable[tuple[str, Quota]]:
    for kind, (used, limit) in names.items():
        if getattr(limits, limit, None) is not None:
            yield kind, _quota(getattr(limits, used) or 0, getattr(limits, limit))


def _quota(used: int, limit: int) -> Quota:
    return Quota(used, limit if limit >= 0 else None)


def _scope(own: Connection) -> tuple[str, frozenset[str]]:
    """The project's id, and `host:port` of all public endpoints."""
    access = own.session.auth.get_access(own.session)
    entries = access.service_catalog.get_endpoints_data(interface="public").values()
    return own.current_project_id, frozenset(
        urlsplit(endpoint.url).netloc for endpoints in entries for endpoint in endpoints
    )
