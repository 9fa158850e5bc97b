"""Review Board: code review; dialogs, fields edited in place, and an administration of forms."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

import httpx

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
USERS = {"asha": "Patel", "ben": "Okoro", "mina": "Berg"}
GROUPS = {"frontend": "Front end", "backend": "Back end"}
# Its own pages, and what a web server would hand out beside them.
SERVE = """
import runpy, sys
from waitress import serve
from whitenoise import WhiteNoise
pages = runpy.run_path("site/htdocs/reviewboard.wsgi")["application"]
handed = WhiteNoise(pages, autorefresh=True)
handed.add_files("site/htdocs/static", prefix="static/")
handed.add_files("site/htdocs/media", prefix="media/")
serve(handed, host="127.0.0.1", port=int(sys.argv[1]))
"""
DATABASE = "site/data/reviewboard.db"
# Written down as soon as the dashboard is seen.
COLUMNS = "selected,new_updates,ship_it,my_comments,summary,submitter,last_updated_since"
QUERIES = {
    "review request": "select r.id, r.summary || ' ' || r.status || ' ' || r.public || ' '"
    " || r.description || ' ' || r.testing_done || ' ' || r.branch || ' ' || r.bugs_closed || ' '"
    " || u.username || ' ' || (select count(*)"
    " from reviews_reviewrequest_target_people p where p.reviewrequest_id = r.id)"
    " || ' ' || (select count(*) from reviews_reviewrequest_target_groups g"
    " where g.reviewrequest_id = r.id) from reviews_reviewrequest r"
    " join auth_user u on u.id = r.submitter_id",
    "draft": "select review_request_id, summary || ' ' || description || ' ' || branch || ' '"
    " || testing_done || ' ' || bugs_closed || ' ' || coalesce(owner_id, '')"
    " from reviews_reviewrequestdraft",
    "change": "select id, text from changedescs_changedescription where public",
    "review": "select r.id, u.username || ' ' || r.review_request_id || ' ' || r.public || ' '"
    " || r.ship_it || ' ' || r.body_top || ' ' || r.body_bottom || ' '"
    " || coalesce(r.base_reply_to_id, '')"
    " from reviews_review r join auth_user u on u.id = r.user_id",
    "comment": "select id, text || ' ' || issue_opened || ' ' || coalesce(issue_status, '')"
    " from reviews_generalcomment",
    "review group": "select name, display_name || ' ' || mailing_list || ' ' || visible || ' '"
    " || invite_only from reviews_group",
    "member": "select u.username || ' in ' || g.name, '' from reviews_group_users m"
    " join auth_user u on u.id = m.user_id join reviews_group g on g.id = m.group_id",
    "permission group": "select name, (select count(*) from auth_group_permissions p"
    " where p.group_id = g.id) from auth_group g",
    "permission group of user": "select u.username || ' in ' || g.name, ''"
    " from auth_user_groups m join auth_user u on u.id = m.user_id"
    " join auth_group g on g.id = m.group_id",
    "user": "select username, first_name || ' ' || last_name || ' ' || email || ' ' || is_active"
    " || ' ' || is_staff || ' ' || is_superuser || ' ' || password from auth_user",
    "permission": "select u.username || ' ' || p.codename, '' from auth_user_user_permissions m"
    " join auth_user u on u.id = m.user_id join auth_permission p on p.id = m.permission_id",
    "default reviewer": "select name, file_regex from reviews_defaultreviewer",
    "webhook": "select url, enabled || ' ' || events || ' ' || encoding || ' ' || apply_to"
    " from notifications_webhooktarget",
    "API token": "select id, note || ' ' || policy || ' ' || coalesce(expires, '') || ' ' || valid"
    " from webapi_webapitoken",
    "integration": "select name, integration_id || ' ' || enabled || ' ' || settings"
    " from integrations_integrationconfig",
    "profile": f"select u.username, coalesce(nullif(p.dashboard_columns, ''), '{COLUMNS}') || ' '"
    " || p.timezone || ' '"
    " || p.syntax_highlighting || ' ' || p.is_private || ' ' || p.open_an_issue || ' '"
    " || coalesce(p.default_use_rich_text, '') || ' ' || p.settings"
    " from accounts_profile p join auth_user u on u.id = p.user_id",
    "visibility": "select u.username || ' ' || v.review_request_id, v.visibility"
    " from accounts_reviewrequestvisit v join auth_user u on u.id = v.user_id"
    " where v.visibility <> 'V'",
    "star": "select p.user_id || ' ' || s.reviewrequest_id, ''"
    " from accounts_profile_starred_review_requests s join accounts_profile p"
    " on p.id = s.profile_id",
}


def _env(place: Place) -> Mapping[str, str]:
    return {"PATH": f"{place.installed}/venv/bin:/usr/bin:/bin", "HOME": str(place.data)}


def _make(place: Place) -> None:
    (place.data / "serve.py").write_text(SERVE)
    options = {
        "domain-name": "127.0.0.1",
        "allowed-host": "127.0.0.1",
        "site-root": "/",
        "static-url": "static/",
        "media-url": "media/",
        "db-type": "sqlite3",
        "db-name": str(place.data / DATABASE),
        "cache-type": "file",
        "cache-info": str(place.data / "site/cache"),
        "company": "Acme",
        "admin-user": USERNAME,
        "admin-password": PASSWORD,
        "admin-email": "admin@example.com",
    }
    given = [f"--{name}={value}" for name, value in options.items()]
    command = ("install", str(place.data / "site"), "--noinput", "--opt-out-support-data")
    place.run(place.program("rb-site"), *command, *given, env=_env(place))
    # Its pages refuse an installation that was linked here and not made by another program.
    (place.data / "site/venv").unlink()


def _services(place: Place) -> Sequence[Service]:
    command = (place.program("python"), "serve.py", str(place.ports[0]))
    return [Service(command=command, env=_env(place))]


def _fill(place: Place) -> None:
    with _api(place, USERNAME) as admin, _api(place, "ben") as ben:

        def add(path: str, **fields: str) -> Any:  # Any: JSON
            return admin.post(path, data=fields).raise_for_status().json()

        for name, last in USERS.items():
            names = {"first_name": name.title(), "last_name": last}
            add("users/", username=name, password=PASSWORD, email=f"{name}@example.com", **names)
        for name, title in GROUPS.items():
            add("groups/", name=name, display_name=title, visible="1")
            add(f"groups/{name}/users/", username="ben")
        add("groups/backend/users/", username=USERNAME)
        hers = _request(add, "Cache the start page", submit_as="mina")
        mine = _request(add, "Rename the settings")
        closed = _request(add, "Sort the list of users")
        _request(add, "Drop the old importer", is_draft=True)
        admin.put(f"review-requests/{closed}/", data={"status": "discarded"}).raise_for_status()
        _review(ben, mine, body_top="One thing.", comment="The name is too long.")
        _review(admin, hers, body_top="Ship It!", ship_it="1")
        add("default-reviewers/", name="Scripts", file_regex="scripts/.*", groups="backend")
        hook = {"url": "https://hooks.example.com/one", "encoding": "application/json"}
        add("webhooks/", **hook, events="review_published", enabled="0", apply_to="all")
        add(f"users/{USERNAME}/api-tokens/", note="Nightly", policy="{}")
    # These have no API.
    with closing(sqlite3.connect(place.data / DATABASE, timeout=30)) as database, database:
        database.execute("insert into auth_group (name) values ('Closers')")


def _api(place: Place, username: str) -> httpx.Client:
    return httpx.Client(base_url=place.url + "/api/", timeout=60, auth=(username, PASSWORD))


def _request(
    add: Callable[..., Any], summary: str, *, submit_as: str = "", is_draft: bool = False
) -> int:
    to = {"submit_as": submit_as} if submit_as else {}
    number = int(add("review-requests/", **to)["review_request"]["id"])
    said = {"description": f"{summary}, as we said on Monday.", "testing_done": "By hand."}
    about = {"target_groups": "backend", "target_people": "ben", **said}
    public = {} if is_draft else {"public": "1"}
    add(f"review-requests/{number}/draft/", summary=summary, **about, **public)
    return number


def _review(api: httpx.Client, request: int, *, comment: str = "", **fields: str) -> None:
    reviews = f"review-requests/{request}/reviews/"
    number = api.post(reviews, data=fields).raise_for_status().json()["review"]["id"]
    if comment:
        issue = {"text": comment, "issue_opened": "1"}
        api.post(f"{reviews}{number}/general-comments/", data=issue).raise_for_status()
    api.put(f"{reviews}{number}/", data={"public": "1"}).raise_for_status()


def _witness(place: Place) -> Content:
    path = f"file:{place.data / DATABASE}?mode=ro"
    with closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
        return {
            kind: {str(name): str(state) for name, state in database.execute(query)}
            for kind, query in QUERIES.items()
        }


CONSOLE = Console(
    name="reviewboard",
    title="Review Board 8.0",
    half="train",
    guide=Guide(
        repository="https://github.com/reviewboard/reviewboard",
        commit="64cc5ea62aa2d33e6889b2e9c3df3de0cc6fe83b",
        documents=(
            "docs/manual/users",
            "docs/manual/admin/configuration",
            "docs/manual/admin/integrations",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/account/login/",
    start_timeout_s=300,
    make=_make,
    services=_services,
    fill=_fill,
    witness=_witness,
)
