"""Unleash: feature flags; one page of React: dialogs, side panels and wizards, over PostgreSQL."""

from collections.abc import Mapping, Sequence

import httpx

from tests.zoo.console import Console, Guide, Place, Service
from tests.zoo.databases import (
    PACKAGES,
    USER,
    content_in,
    make_database,
    postgres,
    postgres_env,
)

USERNAME, PASSWORD = "admin", "zoo-secret-1"
FLAGS = {"new-checkout": "release", "dark-mode": "experiment", "old-banner": "release"}
ARCHIVED = "old-banner"
RELEASED = "dark-mode"
IN_SHOP = {"contextName": "appName", "operator": "IN", "values": ["shop"]}
SEGMENT = {"name": "beta-testers", "constraints": [IN_SHOP]}
MINA = {"username": "mina", "name": "Mina Berg", "email": "mina@example.com", "rootRole": 3}
# From its database: only so many requests a minute are let in by its API.
QUERIES = {
    "flag": "select name, type || ' ' || coalesce(description, '') || ' ' || stale || ' '"
    " || impression_data from features where archived_at is null",
    "archived flag": "select name, type from features where archived_at is not null",
    "strategy": "select s.id, to_jsonb(s)::text || coalesce(string_agg(segment_id::text, ' '), '')"
    " from feature_strategies s left join feature_strategy_segment m"
    " on m.feature_strategy_id = s.id group by s.id",
    "environment": "select e.feature_name || ' ' || e.environment, e.enabled"
    " from feature_environments e join features f on f.name = e.feature_name"
    " where f.archived_at is null",
    "default strategy": "select environment_name, default_strategy from project_environments",
    "tag": "select feature_name || ' ' || tag_type || ':' || tag_value, '' from feature_tag",
    "tag type": "select name, description from tag_types",
    "context field": "select name, coalesce(description, '') || ' ' || stickiness || ' '"
    " || coalesce(legal_values::text, '') from context_fields",
    "segment": "select name, constraints from segments",
    "token": "select token_name, type from api_tokens",
    "user": "select username, coalesce(name, '') from users where not is_system",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        **postgres_env(place),
        "NODE_ENV": "production",
        "DATABASE_HOST": str(place.data / "pg"),
        "DATABASE_NAME": USER,
        "DATABASE_USERNAME": USER,
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


def _services(place: Place) -> Sequence[Service]:
    server = str(place.installed / "node_modules/unleash-server/dist/server.js")
    return [postgres(place), Service(command=("node", server), env=_env(place))]


def _fill(place: Place) -> None:
    api = httpx.Client(base_url=place.url, timeout=30)
    log_in = {"username": USERNAME, "password": PASSWORD}
    api.post("/auth/simple/login", json=log_in).raise_for_status()
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
    user = {**MINA, "password": PASSWORD, "sendEmail": False}
    api.post("/api/admin/user-admin", json=user).raise_for_status()


CONSOLE = Console(
    name="unleash",
    title="Unleash 8.2.0",
    half="train",
    guide=Guide(
        repository="https://github.com/Unleash/unleash",
        commit="b4d59d28681ff4257b5d100ae84040ded3c4bdc8",
        documents=(
            "website/docs/concepts",
            "website/docs/guides/a-b-testing.md",
            "website/docs/guides/gradual-rollout.md",
            "website/docs/guides/how-to-capture-impression-data.mdx",
            "website/docs/guides/how-to-create-feature-flags.md",
            "website/docs/guides/how-to-schedule-feature-releases.mdx",
            "website/docs/guides/trunk-based-development.md",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=PACKAGES,
    ready="/health",
    make=make_database,
    services=_services,
    fill=_fill,
    witness=lambda place: content_in(place, QUERIES),
)
