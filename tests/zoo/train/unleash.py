"""Unleash: feature flags; one page of React: dialogs, side panels and wizards, over PostgreSQL."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
FLAGS = {"new-checkout": "release", "dark-mode": "experiment", "old-banner": "release"}
ARCHIVED = "old-banner"
RELEASED = "dark-mode"
IN_SHOP = {"contextName": "appName", "operator": "IN", "values": ["shop"]}
SEGMENT = {"name": "beta-testers", "constraints": [IN_SHOP]}
USER = {"username": "mina", "name": "Mina Berg", "email": "mina@example.com", "rootRole": 3}


def _postgres(place: Place, program: str, *arguments: str) -> tuple[str, ...]:
    """PostgreSQL refuses to be root: in a namespace of its own it is somebody else."""
    path = str(place.installed / "usr/lib/postgresql/15/bin" / program)
    as_somebody = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
    return (*(as_somebody if os.geteuid() == 0 else ()), path, *arguments)


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place.data),
        "LD_LIBRARY_PATH": str(place.installed / "usr/lib/x86_64-linux-gnu"),
        "PGHOST": str(place.data / "pg"),
        "NODE_ENV": "production",
        "DATABASE_HOST": str(place.data / "pg"),
        "DATABASE_NAME": "zoo",
        "DATABASE_USERNAME": "zoo",
        "DATABASE_PASSWORD": "of a socket, which asks for none",
        "DATABASE_SSL": "false",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_PORT": str(place.ports[0]),
        "UNLEASH_URL": place.url,
        "CHECK_VERSION": "false",
        "SEND_TELEMETRY": "false",
        "UNLEASH_DEFAULT_ADMIN_USERNAME": USERNAME,
        "UNLEASH_DEFAULT_ADMIN_PASSWORD": PASSWORD,
    }


def _store(place: Place) -> Service:
    base = str(place.data / "pg")
    options = ("-D", base, "-c", "listen_addresses=", "-c", f"unix_socket_directories={base}")
    return Service(
        command=_postgres(place, "postgres", *options, "-c", "fsync=off"), env=_env(place)
    )


def _make(place: Place) -> None:
    base = str(place.data / "pg")
    initdb = ("-D", base, "-U", "zoo", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    place.run(*_postgres(place, "initdb", *initdb), env=_env(place))
    with place.serving([_store(place)]):
        ready = ("pg_isready", "-U", "zoo", "-t", "30")
        place.run(*_postgres(place, *ready), env=_env(place), tries=60)
        place.run(*_postgres(place, "createdb", "-U", "zoo", "zoo"), env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    server = str(place.installed / "node_modules/unleash-server/dist/server.js")
    return [_store(place), Service(command=("node", server), env=_env(place))]


@contextmanager
def _api(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url, timeout=30) as client:
        log_in = {"username": USERNAME, "password": PASSWORD}
        client.post("/auth/simple/login", json=log_in).raise_for_status()
        yield client


def _fill(place: Place) -> None:
    with _api(place) as api:
        flags = "/api/admin/projects/default/features"
        for name, kind in FLAGS.items():
            api.post(flags, json={"name": name, "type": kind}).raise_for_status()
        api.delete(f"{flags}/{ARCHIVED}").raise_for_status()
        for environment in ("development", "production"):
            of = f"{flags}/{RELEASED}/environments/{environment}"
            half = {"rollout": "50", "stickiness": "default", "groupId": RELEASED}
            strategy = {"name": "flexibleRollout", "parameters": half, "constraints": []}
            api.post(f"{of}/strategies", json=strategy).raise_for_status()
            api.post(f"{of}/on").raise_for_status()
        api.post("/api/admin/segments", json=SEGMENT).raise_for_status()
        user = {**USER, "password": PASSWORD, "sendEmail": False}
        api.post("/api/admin/user-admin", json=user).raise_for_status()


def _witness(place: Place) -> Content:
    with _api(place) as api:

        def all_of(path: str, key: str) -> list[dict[str, Any]]:  # Any: JSON
            return list(api.get("/api/admin/" + path).raise_for_status().json()[key])

        names = [str(f["name"]) for f in all_of("projects/default/features", "features")]
        flags = [api.get(f"/api/admin/projects/default/features/{name}").json() for name in names]
        changed = {"type": "IS:default-strategy-updated", "limit": "1"}
        changes = api.get("/api/admin/search/events", params=changed)
        archived = all_of("search/features?lifecycle=IS:archived", "features")

        def tags(flag: Mapping[str, Any]) -> list[dict[str, str]]:
            return all_of(f"features/{flag['name']}/tags", "tags")

        return {
            "flag": {
                f["name"]: f"{f['type']} {f['description']} {f['stale']} {f['impressionData']}"
                for f in flags
            },
            "strategy": {
                f"{s['id']}": f"{f['name']} {e['name']} {s}"
                for f in flags
                for e in f["environments"]
                for s in e["strategies"]
            },
            "environment": {
                f"{f['name']} {e['name']}": str(e["enabled"])
                for f in flags
                for e in f["environments"]
            },
            "default strategy": {
                # No address gives it out: the log of events says how often it was changed.
                "default": str(changes.raise_for_status().json()["total"])
            },
            "archived flag": {f["name"]: f["type"] for f in archived},
            "tag": {
                f"{f['name']} {tag['type']}:{tag['value']}": "" for f in flags for tag in tags(f)
            },
            "context field": {
                str(c["name"]): f"{c['description']} {c['legalValues']} {c['stickiness']}"
                for c in api.get("/api/admin/context").raise_for_status().json()
            },
            "segment": {s["name"]: str(s["constraints"]) for s in all_of("segments", "segments")},
            "token": {t["tokenName"]: t["type"] for t in all_of("api-tokens", "tokens")},
            "tag type": {t["name"]: str(t["description"]) for t in all_of("tag-types", "tagTypes")},
            "user": {str(u["username"]): str(u.get("name")) for u in all_of("user-admin", "users")},
        }


CONSOLE = Console(
    name="unleash",
    title="Unleash 8.2.0",
    half="train",
    guide=Guide(
        repository="https://github.com/Unleash/unleash",
        commit="b4d59d28681ff4257b5d100ae84040ded3c4bdc8",
        documents=("website/docs/concepts", "website/docs/guides"),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=("postgresql-15", "postgresql-client-15", "libpq5"),
    ready="/health",
    make=_make,
    services=_services,
    fill=_fill,
    witness=_witness,
)
