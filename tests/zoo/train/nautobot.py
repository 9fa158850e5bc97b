"""Nautobot: a network's source of truth; pages of Bootstrap over PostgreSQL and Redis."""

from collections.abc import Mapping, Sequence

from tests.zoo.console import Console, Guide, Place, Service
from tests.zoo.databases import (
    PACKAGES,
    content_in,
    make_database,
    postgres,
    postgres_env,
    redis,
    wait_for_postgres,
)

USERNAME, PASSWORD = "admin", "zoo-secret-1"
SETTINGS = """
import os
from nautobot.core.settings import *  # noqa: F403
from nautobot.core.settings_funcs import is_truthy, parse_redis_connection  # noqa: F401
ALLOWED_HOSTS = ["*"]
SECRET_KEY = "for this zoo only and for nothing else, so it may stand here"
DATABASES = {
    "default": {
        "NAME": "zoo", "USER": "zoo", "HOST": os.environ["PGHOST"],
        "ENGINE": "django.db.backends.postgresql", "CONN_MAX_AGE": 300,
    }
}
INSTALLATION_METRICS_ENABLED = False
METRICS_ENABLED = False
"""
CONTENT = """
from django.contrib.contenttypes.models import ContentType
from nautobot.dcim.models import (
    Device, DeviceType, Interface, Location, LocationType, Manufacturer, Platform
)
from nautobot.extras.models import Role, Status
from nautobot.ipam.models import IPAddress, Namespace, Prefix, RIR, VLAN
from nautobot.tenancy.models import Tenant

active = Status.objects.get(name="Active")
devices = ContentType.objects.get_for_model(Device)
region, _ = LocationType.objects.get_or_create(name="Region", defaults={"nestable": True})
site, _ = LocationType.objects.get_or_create(name="Depot", defaults={"parent": region})
for kind in (Device, VLAN, Prefix):
    site.content_types.add(ContentType.objects.get_for_model(kind))
north, _ = Location.objects.get_or_create(name="North", location_type=region, status=active)
oslo, _ = Location.objects.get_or_create(
    name="Oslo 1", location_type=site, parent=north, status=active
)
role, _ = Role.objects.get_or_create(name="leaf")
role.content_types.add(devices)
maker, _ = Manufacturer.objects.get_or_create(name="Fjord Networks")
model, _ = DeviceType.objects.get_or_create(manufacturer=maker, model="F-200")
Platform.objects.get_or_create(name="fjord-os", manufacturer=maker)
Tenant.objects.get_or_create(name="Harbour Office")
for name in ("osl-leaf-01", "osl-leaf-02"):
    device, _ = Device.objects.get_or_create(
        name=name, device_type=model, role=role, location=oslo, status=active
    )
    for port in ("eth0", "eth1"):
        Interface.objects.get_or_create(
            device=device, name=port, defaults={"type": "1000base-t", "status": active}
        )
RIR.objects.get_or_create(name="RFC 1918", is_private=True)
space = Namespace.objects.get(name="Global")
prefix, _ = Prefix.objects.get_or_create(
    network="10.20.0.0", prefix_length=24, namespace=space, defaults={"status": active}
)
IPAddress.objects.get_or_create(
    host="10.20.0.7", mask_length=24, parent=prefix, defaults={"status": active}
)
VLAN.objects.get_or_create(vid=30, name="staff", defaults={"status": active})
"""
TABLES = {
    "device": ("dcim_device", "name"),
    "device type": ("dcim_devicetype", "model"),
    "interface": ("dcim_interface", "device_id || ' ' || name"),
    "interface template": ("dcim_interfacetemplate", "device_type_id || ' ' || name"),
    "manufacturer": ("dcim_manufacturer", "name"),
    "platform": ("dcim_platform", "name"),
    "location": ("dcim_location", "name"),
    "location type": ("dcim_locationtype", "name"),
    "role": ("extras_role", "name"),
    "tenant": ("tenancy_tenant", "name"),
    "rir": ("ipam_rir", "name"),
    "prefix": ("ipam_prefix", "encode(network, 'hex') || '/' || prefix_length"),
    "ip address": ("ipam_ipaddress", "id"),
    "ip assignment": ("ipam_ipaddresstointerface", "id"),
    "vlan": ("ipam_vlan", "vid || ' ' || id"),
    "vlan group": ("ipam_vlangroup", "name"),
    "custom field": ("extras_customfield", "key"),
    "relationship": ("extras_relationship", "key"),
    "contact": ("extras_contact", "name"),
    "team": ("extras_team", "name"),
    "user": ("auth_user", "username"),
    "tag": ("extras_tag", "name"),
    "webhook": ("extras_webhook", "name"),
    "note": ("extras_note", "id"),
}
QUERIES = {
    kind: f"select {name}, md5((to_jsonb(t) - 'last_updated' - 'last_login')::text) from {table} t"
    for kind, (table, name) in TABLES.items()
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        **postgres_env(place),
        "PATH": f"{place.installed}/venv/bin:/usr/bin:/bin",
        "NAUTOBOT_ROOT": str(place.data / "root"),
        "NAUTOBOT_CONFIG": str(place.data / "nautobot_config.py"),
        "NAUTOBOT_REDIS_HOST": "127.0.0.1",
        "NAUTOBOT_REDIS_PORT": str(place.ports[1]),
        "NAUTOBOT_SUPERUSER_NAME": USERNAME,
        "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
    }


def _make(place: Place) -> None:
    (place.data / "nautobot_config.py").write_text(SETTINGS)
    make_database(place)
    with place.serving([postgres(place), redis(place)]):
        wait_for_postgres(place)
        server = place.program("nautobot-server")
        place.run(server, "migrate", "--verbosity", "0", env=_env(place))
        create = ("createsuperuser", "--noinput", "--username", USERNAME)
        place.run(server, *create, "--email", "admin@example.com", env=_env(place))
        place.run(server, "collectstatic", "--noinput", "--verbosity", "0", env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    address = f"127.0.0.1:{place.ports[0]}"
    server = (place.program("nautobot-server"), "runserver", "--noreload", "--insecure", address)
    return [postgres(place), redis(place), Service(command=server, env=_env(place))]


def _fill(place: Place) -> None:
    place.run(place.program("nautobot-server"), "shell", "--command", CONTENT, env=_env(place))


CONSOLE = Console(
    name="nautobot",
    title="Nautobot 2.4.44",
    half="train",
    guide=Guide(
        repository="https://github.com/nautobot/nautobot",
        commit="fcdd7fcf2c6bcd4d8355cf99872c7e8214b2f894",
        documents=("nautobot/docs/user-guide/feature-guides/getting-started",),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=(
        *PACKAGES,
        *("redis-server", "redis-tools", "libjemalloc2", "liblzf1"),
    ),
    ready="/login/",
    start_timeout_s=180,
    make=_make,
    services=_services,
    fill=_fill,
    witness=lambda place: content_in(place, QUERIES),
)
