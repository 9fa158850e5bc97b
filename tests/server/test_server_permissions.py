"""What each role may do: one table, and every route of REST and dashboard held against it."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import NamedTuple

import httpx
import pytest
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from appliance.cli import _app as program
from appliance.server.permissions import Permission, in_markdown, may, permission_of
from appliance.store.keys import Role

SAFE = {"GET", "HEAD", "OPTIONS"}
API = "/api/v1"
FOR_ALL = {
    "GET /healthz",
    "GET /login",
    "GET /login/oidc",
    "GET /login/oidc/callback",
    "GET /readyz",
    "GET /static/{file_path:path}",
    "HEAD /static/{file_path:path}",
    "POST /api/v1/audit/{console:str}",  # signed instead
    "POST /login",
    "POST /logout",
    "POST /preferences",
}
TWINS = {
    "POST /accounts/{console:str}/{name:str}/check": ["POST /accounts/{name:str}/check"],
    "POST /accounts/{console:str}/{name:str}/quarantine": ["POST /accounts/{name:str}/quarantine"],
    "POST /accounts/{console:str}/{name:str}/release": ["POST /accounts/{name:str}/release"],
    "POST /findings/triage": ["POST /findings/{finding_id:str}/triage"],
    "GET /consoles/edit": ["GET /consoles/{name:str}"],
    "POST /consoles": ["PUT /consoles/{name:str}"],
    "POST /consoles/trial": ["POST /consoles/{name:str}/trial"],
    "POST /consoles/{name:str}/remove": ["DELETE /consoles/{name:str}"],
    "POST /schedules": ["PUT /schedules/{name:str}"],
    "POST /schedules/{name:str}/remove": ["DELETE /schedules/{name:str}"],
    "POST /keys": ["POST /keys"],
    "POST /keys/{key_id:str}/revoke": ["POST /keys/{key_id:str}/revoke"],
    "POST /keys/{key_id:str}/rotate": ["POST /keys/{key_id:str}/rotate"],
    "GET /keys": ["GET /keys"],
    "GET /activity": ["GET /activity", "GET /activity/chain"],
    "GET /activity/export/{kind:str}": ["GET /activity/export"],
    "GET /runs/{run_id:str}/download/{kind:str}": ["GET /runs/{run_id:str}/evidence"],
    "POST /models/restart": ["POST /models/restart"],
    "POST /procedures/verify": ["POST /verifications"],
    "POST /questions/{question_id:str}/answer": ["POST /questions/{question_id:str}/answer"],
    "POST /resources/reap": ["POST /resources/reap"],
    "POST /runs": ["POST /sweeps"],
    "POST /runs/{run_id:str}/cancel": [
        "POST /sweeps/{run_id:str}/cancel",
        "POST /verifications/{run_id:str}/cancel",
    ],
    "POST /runs/{run_id:str}/pause": ["POST /sweeps/{run_id:str}/pause"],
    "POST /runs/{run_id:str}/resume": ["POST /sweeps/{run_id:str}/resume"],
    "POST /schedules/{name:str}/enabled": ["PUT /schedules/{name:str}"],
    "POST /schedules/{name:str}/run": ["POST /schedules/{name:str}/runs"],
    "POST /verify": ["POST /verifications", "POST /verifications/uploads"],
    "POST /webhooks/{delivery_id:str}/retry": ["POST /webhooks/deliveries/{delivery_id:str}/retry"],
}
"""What the dashboard does, and what does the same over REST."""
REST_ONLY = {
    "POST /accounts/{name:str}/log-in",  # waits for a person, who answers in the dashboard
    "DELETE /consoles/{name:str}",
    "DELETE /schedules/{name:str}",
    "POST /store/backups",
    "POST /store/checkpoint",
    "POST /store/prune",
    "POST /sweeps/plan",
}


class Route(NamedTuple):
    name: str
    method: str
    path: str
    handler: HTTPRouteHandler

    @property
    def example(self) -> str:
        """An address; of the description of the API, a part that there is."""
        if self.path.startswith("/schema/"):
            return "/schema/openapi.json"
        return re.sub(r"\{[^}]+\}", "x", self.path)


def routes(app: Litestar) -> Iterator[Route]:
    for route in app.routes:
        assert isinstance(route, HTTPRoute), f"{route} is of a kind that is not looked at here"
        for handler in route.route_handlers:
            for method in sorted(handler.http_methods - {"OPTIONS"}):
                yield Route(f"{method} {route.path}", method, route.path, handler)


def test_every_route_is_for_all_or_names_who_may(app) -> None:
    public = {route.name for route in routes(app) if permission_of(route.handler) is None}
    assert public == FOR_ALL
    for route in routes(app):
        wanted = permission_of(route.handler)
        if wanted is not None and route.method not in SAFE:
            assert wanted is not Permission.LOOK, route.name


def test_what_the_dashboard_does_needs_what_its_twin_in_rest_needs(app) -> None:
    known = {route.name: permission_of(route.handler) for route in routes(app)}
    for page, rest in TWINS.items():
        method_paths = [one.split(" ", 1) for one in rest]
        for method, path in method_paths:
            assert known[page] is known[f"{method} {API}{path}"], (page, path)
    changing = {name for name in known if name.split(" ")[0] not in SAFE} - FOR_ALL
    ours = {name for name in changing if f" {API}" not in name}
    assert ours == {name for name in TWINS if not name.startswith("GET")}
    over_rest = {name.replace(API, "", 1) for name in changing - ours}
    twins = {name for names in TWINS.values() for name in names if not name.startswith("GET")}
    assert over_rest == REST_ONLY | twins


@pytest.mark.parametrize("role", [None, *Role])
async def test_every_route_refuses_whom_the_table_refuses(app, asking, service, role) -> None:
    service.stopping.set()  # so that streams end
    client = asking(role)
    wrong = {}
    for route in routes(app):
        wanted = permission_of(route.handler)
        if wanted is None or (role is not None and may(role, wanted) and route.method not in SAFE):
            continue  # what changes something is tried below
        answer = await client.request(route.method, route.example)
        expected = "401" if role is None else "in" if may(role, wanted) else "403"
        if _said(answer) != expected:
            wrong[route.name] = _said(answer), expected
    assert wrong == {}


@pytest.mark.parametrize("role", Role)
async def test_whom_the_table_lets_in_gets_in(app, asking, service, role) -> None:
    """With a body that no route understands, so that nothing is done."""
    client = asking(role, **{"Content-Type": "application/json"})
    refused = []
    for route in routes(app):
        wanted = permission_of(route.handler)
        if wanted is None or route.method in SAFE or not may(role, wanted):
            continue
        answer = await client.request(route.method, route.example, content=b"[[")
        if _said(answer) != "in":
            refused.append(route.name)
    assert refused == []


def _said(answer: httpx.Response) -> str:
    return str(answer.status_code) if answer.status_code in (401, 403) else "in"


async def test_an_operator_decides_nothing_in_the_dashboard_that_outlives_a_run(asking) -> None:
    operator = asking(Role.OPERATOR, Accept="text/html")
    for path in ("/accounts/practice/a/quarantine", "/accounts/practice/a/release"):
        assert (await operator.post(path, data={"reason": "x"})).status_code == 403
    assert (await operator.post("/schedules/nightly/run")).status_code == 403


@pytest.fixture
async def scheduler(service) -> AsyncIterator[None]:
    await service.scheduler.start()
    yield
    await service.scheduler.stop()


@pytest.mark.usefixtures("scheduler")
async def test_pages_show_nobody_what_they_may_not_do(asking) -> None:
    async def shown(role: Role, path: str) -> set[str]:
        page = (await asking(role).get(path, headers={"Accept": "text/html"})).text
        return set(re.findall(r'action="/(?:schedules/[^"/]+/)?(run|runs|enabled)"', page))

    assert await shown(Role.VIEWER, "/schedules") == set()
    assert await shown(Role.OPERATOR, "/schedules") == set()
    assert await shown(Role.ADMIN, "/schedules") == {"run", "enabled"}
    assert await shown(Role.VIEWER, "/runs") == set()
    assert await shown(Role.OPERATOR, "/runs") == {"runs"}
    for role, has_keys in ((Role.OPERATOR, False), (Role.ADMIN, True)):
        page = (await asking(role).get("/", headers={"Accept": "text/html"})).text
        assert ('href="/keys"' in page) is has_keys
        assert ('href="/activity"' in page) is has_keys


async def test_the_table_can_be_read(asking, capsys) -> None:
    told = (await asking(Role.VIEWER).get(f"{API}/permissions")).json()["items"]
    assert [one["permission"] for one in told] == list(Permission)
    schema = (await asking(Role.VIEWER).get("/schema/openapi.json")).json()
    assert in_markdown() in schema["info"]["description"]
    assert "| triage a finding |  | yes | yes |" in in_markdown()
    page = (await asking(Role.ADMIN).get("/keys", headers={"Accept": "text/html"})).text
    assert all(f">{one.about}<" in page.replace("&#39;", "'") for one in Permission)
    capsys.readouterr()
    assert program.run(["key", "roles", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told
