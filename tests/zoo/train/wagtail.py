"""Wagtail: a content management system's administration; pages with choosers in dialogs."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
CONTENT = """
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from wagtail.contrib.redirects.models import Redirect
from wagtail.models import Collection, Page
from home.models import HomePage

users = get_user_model()
users.objects.create_superuser("{username}", "admin@example.com", "{password}")
mina = users.objects.create_user("mina", "mina@example.com", "{password}")
mina.first_name, mina.last_name = "Mina", "Berg"
mina.save()
mina.groups.add(Group.objects.get(name="Editors"))
home = HomePage.objects.first()
breads = home.add_child(instance=HomePage(title="Breads", slug="breads"))
home.add_child(instance=HomePage(title="Pastries", slug="pastries"))
breads.add_child(instance=HomePage(title="Brioche", slug="brioche"))
Collection.get_first_root_node().add_child(name="Recipes")
Redirect.objects.create(old_path="/old-breads", redirect_link="https://example.com/breads")
"""
QUERIES = {
    "page": "select url_path, title || ' ' || live || ' ' || coalesce(alias_of_id, '') || ' '"
    " || has_unpublished_changes || ' ' || show_in_menus || ' ' || path from wagtailcore_page",
    "collection": "select name, id from wagtailcore_collection",
    "privacy": "select collection_id, restriction_type from wagtailcore_collectionviewrestriction",
    "redirect": "select old_path, is_permanent || ' ' || redirect_link || ' '"
    " || coalesce(redirect_page_id, '') from wagtailredirects_redirect",
    "document": "select title, collection_id from wagtaildocs_document",
    "image": "select title, collection_id from wagtailimages_image",
    "promoted result": "select q.query_string, s.page_id"
    " from wagtailsearchpromotions_searchpromotion s join"
    " wagtailsearchpromotions_query q on q.id = s.query_id",
    "workflow": "select name, active from wagtailcore_workflow",
    "task": "select name, active from wagtailcore_task",
    "user": "select username, first_name || ' ' || last_name || ' ' || email || ' ' || is_active"
    " || ' ' || is_superuser from auth_user",
    "role": "select u.username || ' in ' || g.name, '' from auth_user_groups m"
    " join auth_user u on u.id = m.user_id join auth_group g on g.id = m.group_id",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": f"{place.installed}/venv/bin:/usr/bin:/bin",
        "HOME": str(place.data),
        "DJANGO_SETTINGS_MODULE": "bakery.settings.dev",
    }


def _make(place: Place) -> None:
    place.run(place.program("wagtail"), "start", "bakery", ".", env=_env(place))
    settings = place.data / "bakery" / "settings" / "base.py"
    app = '"wagtail.contrib.redirects",'
    promoted = app + '\n    "wagtail.contrib.search_promotions",'
    settings.write_text(settings.read_text().replace(app, promoted, 1))
    content = CONTENT.format(username=USERNAME, password=PASSWORD)
    for command in (("migrate", "--verbosity", "0"), ("shell", "--command", content)):
        place.run(place.program("python"), "manage.py", *command, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    address = f"127.0.0.1:{place.ports[0]}"
    server = (place.program("python"), "manage.py", "runserver", "--noreload", address)
    return [Service(command=server, env=_env(place))]


def _witness(place: Place) -> Content:
    path = f"file:{place.data / 'db.sqlite3'}?mode=ro"
    with closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
        return {
            kind: {str(name): str(state) for name, state in database.execute(query)}
            for kind, query in QUERIES.items()
        }


CONSOLE = Console(
    name="wagtail",
    title="Wagtail 5.2.8",
    half="train",
    guide=Guide(
        repository="https://github.com/wagtail/wagtail",
        commit="677df057960c48256118f40aad105acedf67c42e",
        documents=("docs/editor_manual",),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/admin/login/",
    path="/admin/",
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
