"""Plone, its classic pages: a content management system; a toolbar, folders and forms with tabs."""

import json
import re
from collections.abc import Mapping, Sequence

import httpx

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
SITE = "Plone"
CONTENT = f"""
import transaction
from AccessControl.SecurityManagement import newSecurityManager
from plone import api
from Products.CMFPlone.factory import addPloneSite
from zope.component.hooks import setSite

newSecurityManager(None, app.acl_users.getUserById("{USERNAME}").__of__(app.acl_users))
theme = ("plone.app.contenttypes:default", "plonetheme.barceloneta:default")
site = addPloneSite(app, "{SITE}", title="Harbour School", extension_ids=theme)
setSite(site)
# It shows no theme at this address, unless it is told to.
api.portal.set_registry_record("plone.app.theming.interfaces.IThemeSettings.hostnameBlacklist", [])
trips = api.content.create(site, "Folder", "field-trips", title="Field trips")
api.content.create(site, "Folder", "archive", title="Archive")
table = api.content.create(site, "Document", "timetable", title="Timetable")
api.content.create(site, "Document", "welcome", title="Welcome letter")
api.content.create(trips, "Document", "museum", title="Museum day")
table.description = "For the spring term"
table.reindexObject()
site.portal_repository.save(table, comment="Spring term")
transaction.commit()
"""
FIELDS = ("UID", "path", "Title", "Description", "review_state", "portal_type")


def _env(place: Place) -> Mapping[str, str]:
    return {"PATH": f"{place.installed}/venv/bin:/usr/bin:/bin", "HOME": str(place.data)}


def _make(place: Place) -> None:
    who = f"{USERNAME}:{PASSWORD}"
    make = (place.program("mkwsgiinstance"), "-d", "instance", "-u", who)
    place.run(*make, env=_env(place))
    (place.data / "content.py").write_text(CONTENT)
    run = (place.program("zconsole"), "run", "instance/etc/zope.conf", "content.py")
    place.run(*run, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    settings = place.data / "instance" / "etc" / "zope.ini"
    lines = settings.read_text().splitlines()
    port = f"port = {place.ports[0]}"
    changed = [port if line.startswith("port =") else line for line in lines]
    settings.write_text("\n".join(changed) + "\n")
    return [Service(command=(place.program("runwsgi"), str(settings)), env=_env(place))]


def _witness(place: Place) -> Content:
    asked = {
        "name": "plone.app.vocabularies.Catalog",
        "attributes": json.dumps(FIELDS),
        "batch": json.dumps({"page": 1, "size": 500}),
        "query": json.dumps({"criteria": []}),
    }
    told = httpx.get(
        f"{place.url}/{SITE}/@@getVocabulary", params=asked, auth=(USERNAME, PASSWORD), timeout=120
    )
    content: dict[str, dict[str, str]] = {"portlet": _portlets(place)}
    for item in told.raise_for_status().json()["results"]:
        state = f"{item['Title']} {item['Description']} {item['review_state']}"
        content.setdefault(item["portal_type"], {})[item["path"] or "/"] = state
    return content


def _portlets(place: Place) -> dict[str, str]:
    """They are in no catalogue, so from the pages that manage them; with place and visibility."""
    found: dict[str, str] = {}
    for page in ("@@manage-portlets", "@@topbar-manage-portlets/plone.footerportlets"):
        told = httpx.get(f"{place.url}/{SITE}/{page}", auth=(USERNAME, PASSWORD), timeout=120)
        parts = re.split(r"\+\+contextportlets\+\+", told.raise_for_status().text)[1:]
        named = [(re.match(r"([\w.]+)/([\w.-]+)/edit", part), part) for part in parts]
        found |= {
            f"{match[1]}/{match[2]}": f"{index} {'shown' if '>Hide<' in part else 'hidden'}"
            for index, (match, part) in enumerate(named)
            if match
        }
    return found


CONSOLE = Console(
    name="plone",
    title="Plone 6.2.2",
    half="train",
    guide=Guide(
        repository="https://github.com/plone/documentation",
        commit="4ebf668ae504f540deabb16972422ba886c3ec38",
        documents=(
            "working-with-content/adding-content",
            "working-with-content/managing-content",
            "working-with-content/portlet-management",
            "working-with-content/introduction",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    path=f"/{SITE}",
    ready=f"/{SITE}/login",
    start_timeout_s=400,
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
