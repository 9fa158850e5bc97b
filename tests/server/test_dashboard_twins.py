"""Every page as JSON, for programs that ask for it."""

import pytest
from litestar import Litestar

from appliance.server.permissions import permission_of
from appliance.store.keys import Role
from tests.server.test_server_permissions import routes

JSON = {"Accept": "application/json"}


async def test_every_page_has_a_twin(app: Litestar, local, service) -> None:
    """All routes of the dashboard that give a page; streams, files and redirects are none."""
    service.stopping.set()  # so that streams end
    pages = 0
    for route in routes(app):
        if route.method != "GET" or "/api/" in route.name or permission_of(route.handler) is None:
            continue
        page = await local.get(route.example, headers={"Accept": "text/html"})
        if page.status_code != 200 or not page.headers["content-type"].startswith("text/html"):
            continue
        twin = await local.get(route.example, headers=JSON)
        if route.name == "GET /schema":  # of the API itself
            continue
        assert twin.headers["content-type"].startswith("application/json"), route.name
        assert isinstance(twin.json(), dict), route.name
        assert "Accept" in twin.headers["vary"], route.name
        pages += 1
    assert pages > 15


async def test_a_twin_says_what_the_page_says_and_no_more(asking, service) -> None:
    made = service.keys.create("pipeline", Role.ADMIN, "test")
    admin = asking(Role.ADMIN)
    (mine,) = [one for one in (await admin.get("/keys", headers=JSON)).json()["keys"]
               if one["name"] == "pipeline"]  # fmt: skip
    assert mine["role"] == "admin"
    assert mine["id"] == made.row.id
    assert "hash" not in mine
    runs = (await admin.get("/runs?kind=sweep", headers=JSON)).json()
    assert runs["listing"] == {"items": [], "total": 0}
    assert runs["kind"] == "sweep"
    models = (await admin.get("/models", headers=JSON)).json()
    assert models["model"] is None, "settings may name what is secret"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/json"),
        ("*/*", "text/html"),
        ("text/html,application/json;q=0.9", "text/html"),
    ],
)
async def test_a_browser_gets_the_page(local, accept: str, kind: str) -> None:
    answer = await local.get("/runs", headers={"Accept": accept})
    assert answer.headers["content-type"].startswith(kind)


async def test_without_a_key_or_a_page_it_is_a_problem_document(local, stranger) -> None:
    refused = await stranger.get("/runs", headers=JSON)
    assert (refused.status_code, refused.json()["title"]) == (401, "A key is needed")
    unknown = await local.get("/findings/none", headers=JSON)
    assert (unknown.status_code, unknown.json()["title"]) == (404, "Unknown finding")
