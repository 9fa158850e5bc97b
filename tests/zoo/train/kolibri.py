"""Kolibri: a school's learning platform; one page of Vue with dialogs and side panels."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import httpx

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
SCHOOL = "Riverside School"
LEARNERS = {"asha": "Asha Patel", "ben": "Ben Okoro", "chen": "Chen Li"}
COACHES = {"dora": "Dora Lopez", "emil": "Emil Novak"}


def _env(place: Place) -> Mapping[str, str]:
    return {"KOLIBRI_HOME": str(place.data), "HOME": str(place.data), "PATH": "/usr/bin:/bin"}


def _make(place: Place) -> None:
    place.run(
        *(place.program("kolibri"), "manage", "provisiondevice", "--noinput"),
        *("--facility", SCHOOL, "--preset", "formal", "--language_id", "en"),
        *("--superusername", USERNAME, "--superuserpassword", PASSWORD),
        env=_env(place),
    )


def _services(place: Place) -> Sequence[Service]:
    ports = ("--port", str(place.ports[0]), "--zip-port", str(place.ports[1]))
    command = (place.program("kolibri"), "start", "--foreground", *ports)
    return [Service(command=command, env=_env(place))]


@contextmanager
def _api(place: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=place.url + "/api/", timeout=30) as client:
        facility = client.get("public/v1/facility/").raise_for_status().json()[0]["id"]
        _sign(client)
        log_in = {"username": USERNAME, "password": PASSWORD, "facility": facility}
        client.post("auth/session/", json=log_in).raise_for_status()
        _sign(client)
        yield client


def _sign(client: httpx.Client) -> None:
    client.headers["X-CSRFToken"] = client.cookies.get("kolibri_csrftoken") or ""


def _fill(place: Place) -> None:
    with _api(place) as api:

        def add(path: str, **fields: object) -> str:
            return str(api.post(path, json=fields).raise_for_status().json()["id"])

        facility = api.get("auth/facility/").raise_for_status().json()[0]["id"]
        user = {
            name: add(
                "auth/facilityuser/",
                **{"username": name, "full_name": full, "password": PASSWORD, "facility": facility},
            )
            for name, full in {**LEARNERS, **COACHES}.items()
        }
        for name in COACHES:
            add(
                "auth/role/",
                user=user[name],
                collection=facility,
                kind="classroom assignable coach",
            )
        biology = add("auth/classroom/", name="Biology 8", parent=facility)
        add("auth/classroom/", name="History 9", parent=facility)
        for name in ("asha", "ben"):
            add("auth/membership/", user=user[name], collection=biology)
        add("auth/role/", user=user["dora"], collection=biology, kind="coach")
        red = add("auth/learnergroup/", name="Red team", parent=biology)
        add("auth/membership/", user=user["asha"], collection=red)
        shared = {"description": "", "resources": [], "collection": biology, "is_active": False}
        add("lessons/lesson/", title="Cells", assignments=[biology], learner_ids=[], **shared)


def _witness(place: Place) -> Content:
    with _api(place) as api:

        def all_of(path: str) -> list[dict[str, object]]:
            return list(api.get(path).raise_for_status().json())

        users = {u["id"]: str(u["username"]) for u in all_of("auth/facilityuser/")}
        rooms = all_of("auth/classroom/") + all_of("auth/learnergroup/")
        room = {r["id"]: str(r["name"]) for r in rooms}
        members = all_of("auth/membership/")
        facilities = all_of("auth/facility/")
        return {
            "facility": {str(f["name"]): str(f["dataset"]) for f in facilities},
            "user": {
                str(u["username"]): f"{u['full_name']} {u['is_superuser']} {u['id_number']}"
                f" {u['gender']} {u['birth_year']} {_roles(u)}"
                for u in all_of("auth/facilityuser/")
            },
            "class": {str(c["name"]): _roles(c) for c in all_of("auth/classroom/")},
            "group": {str(g["name"]): "" for g in all_of("auth/learnergroup/")},
            "membership": {
                f"{users.get(m['user'])} in {room.get(m['collection'])}": "" for m in members
            },
            "permission": {
                users.get(p["user"], ""): str(p["can_manage_content"])
                for p in all_of("device/devicepermissions/")
            },
            "lesson": {
                f"{x['title']} in {room.get(str(x['collection']))}": f"{x['active']}"
                f" {x['assignments']} {x['learner_ids']}"
                for x in all_of("lessons/lesson/")
            },
        }


def _roles(holder: Mapping[str, object]) -> str:
    return str(holder.get("roles") or holder.get("coaches") or "")


CONSOLE = Console(
    name="kolibri",
    title="Kolibri 0.19.5",
    half="train",
    guide=Guide(
        repository="https://github.com/learningequality/kolibri-docs",
        commit="9f1ad86b348db382a664b7b551a70b8bde4fd051",
        documents=("docs/manage", "docs/coach"),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/api/public/info/",
    make=_make,
    services=_services,
    fill=_fill,
    witness=_witness,
)
