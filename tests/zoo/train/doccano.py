"""doccano: texts and their labels; a page of Vue with dialogs, and the administration of Django."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
DATABASE = "db.sqlite3"
# What is uploaded goes to a folder of the program's own otherwise.
SETTINGS = """
from config.settings.production import *
DJANGO_DRF_FILEPOND_UPLOAD_TMP = "{data}/uploads"
DJANGO_DRF_FILEPOND_ALLOW_EXTERNAL_UPLOAD_DIR = True
"""
CONTENT = """
import django
django.setup()
from django.contrib.auth.models import User
from examples.models import Example
from label_types.models import CategoryType, SpanType
from labels.models import Category, Span
from projects.models import Member, SequenceLabelingProject, TextClassificationProject
from roles.models import Role

admin = User.objects.get(username="{username}")
mina, otto = (
    User.objects.create_user(name, name + "@example.com", "{password}") for name in ("mina", "otto")
)

def project(kind, type_, name, description, texts):
    made = kind.objects.create(
        name=name, description=description, project_type=type_, created_by=admin
    )
    made.add_admin()
    return made, [Example.objects.create(project=made, text=text) for text in texts]

stories, told = project(
    SequenceLabelingProject, "SequenceLabeling", "Space stories", "Names in science fiction",
    [
        "Solaris is a novel by Stanislaw Lem, written in 1961.",
        "Frank Herbert began Dune in 1959 and ended it six years later.",
        "Ursula Le Guin wrote The Dispossessed in Portland.",
    ],
)
films, seen = project(
    TextClassificationProject, "DocumentClassification", "Film reviews", "Did they like it?",
    [
        "I liked this film a lot and will see it again.",
        "Two hours that nobody gives back to me.",
        "A fine cast, and a story without an end.",
    ],
)
title, person = (
    SpanType.objects.create(project=stories, text=text, suffix_key=key, background_color=color)
    for text, key, color in (("Title", "t", "#2196F3"), ("Person", "p", "#FF5722"))
)
positive, negative = (
    CategoryType.objects.create(project=films, text=text, suffix_key=key, background_color=color)
    for text, key, color in (("positive", "p", "#4CAF50"), ("negative", "n", "#F44336"))
)
for of, role in ((stories, "annotator"), (films, "annotation_approver")):
    Member.objects.create(project=of, user=mina, role=Role.objects.get(name=role))
Span.objects.create(example=told[0], label=title, start_offset=0, end_offset=7, user=admin)
Span.objects.create(example=told[0], label=person, start_offset=22, end_offset=35, user=admin)
Category.objects.create(example=seen[0], label=positive, user=admin)
"""
LABEL_TYPE = (
    "select t.text || ' in ' || p.name, coalesce(t.prefix_key, '') || ' ' ||"
    " coalesce(t.suffix_key, '') || ' ' || t.background_color || ' ' || t.text_color"
    " from label_types_{}type t join projects_project p on p.id = t.project_id"
)
# By kind: names and states; times and log-ins are left out.
QUERIES = {
    "user": "select username, email || ' ' || first_name || ' ' || last_name || ' ' || is_active"
    " || ' ' || is_staff || ' ' || is_superuser || ' ' || password from auth_user",
    "project": "select p.name, p.id || ' ' || p.project_type || ' ' || p.description || ' '"
    " || p.guideline || ' ' || p.random_order || ' ' || p.collaborative_annotation || ' '"
    " || p.single_class_classification || ' ' || p.allow_member_to_create_label_type || ' '"
    " || coalesce(s.allow_overlapping, '') || coalesce(s.grapheme_mode, '')"
    " || coalesce(s.use_relation, '') from projects_project p"
    " left join projects_sequencelabelingproject s on s.project_ptr_id = p.id",
    # Named again by its type: one of the wrong type is not what was asked for.
    "sequence labeling project": "select name, id from projects_project"
    " where project_type = 'SequenceLabeling'",
    "tag": "select t.text || ' in ' || p.name, '' from projects_tag t"
    " join projects_project p on p.id = t.project_id",
    "member": "select u.username || ' in ' || p.name, r.name from projects_member m"
    " join auth_user u on u.id = m.user_id join roles_role r on r.id = m.role_id"
    " join projects_project p on p.id = m.project_id",
    "document": "select id, project_id || ' ' || coalesce(text, '') || ' ' || meta || ' '"
    " || coalesce(annotations_approved_by_id, '') from examples_example",
    "finished document": "select example_id || ' by ' || confirmed_by_id, ''"
    " from examples_examplestate",
    "comment": "select id, text from examples_comment",
    "category type": LABEL_TYPE.format("category"),
    "span type": LABEL_TYPE.format("span"),
    "relation type": LABEL_TYPE.format("relation"),
    "category": "select id, example_id || ' ' || label_id || ' ' || user_id from labels_category",
    "span": "select id, example_id || ' ' || label_id || ' ' || user_id || ' ' || start_offset"
    " || ' ' || end_offset from labels_span",
    "relation": "select id, from_id_id || ' ' || to_id_id || ' ' || type_id from labels_relation",
    "text label": "select id, example_id || ' ' || text || ' ' || user_id from labels_textlabel",
    "auto labeling": "select id, project_id || ' ' || model_name || ' ' || model_attrs || ' '"
    " || template || ' ' || label_mapping || ' ' || task_type"
    " from auto_labeling_autolabelingconfig",
    "group": "select name, id from auth_group",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.data),
        "PYTHONPATH": f"{place.data}:{_backend(place)}",
        "DJANGO_SETTINGS_MODULE": "zoo_settings",
        "STANDALONE": "True",
        "DATABASE_URL": f"sqlite:///{place.data}/{DATABASE}",
        "CELERY_BROKER_URL": f"sqla+sqlite:///{place.data}/queue.sqlite3",
        "MEDIA_ROOT": str(place.data / "media"),
    }


def _backend(place: Place) -> str:
    return str(next((place.installed / "venv/lib").glob("python*/site-packages/backend")))


def _make(place: Place) -> None:
    (place.data / "zoo_settings.py").write_text(SETTINGS.format(data=place.data))
    for folder in ("media", "uploads"):
        (place.data / folder).mkdir()
    log_in = ("--username", USERNAME, "--password", PASSWORD, "--email", "admin@example.com")
    content = CONTENT.format(username=USERNAME, password=PASSWORD)
    django = (place.program("python"), f"{_backend(place)}/manage.py")
    place.run(*django, "migrate", env=_env(place))
    place.run(*django, "create_roles", env=_env(place))
    place.run(*django, "create_admin", "--noinput", *log_in, env=_env(place))
    place.run(place.program("python"), "-c", content, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    # What `doccano webserver` and `doccano task` start, but on loopback and with fewer workers.
    options = ("--workers", "1", "--threads", "4", "--timeout", "300", "config.wsgi")
    server = (place.program("gunicorn"), "--bind", f"127.0.0.1:{place.ports[0]}", *options)
    queue = (place.program("celery"), "--app=config", "worker", "--pool=solo")
    return [Service(command=each, env=_env(place)) for each in (queue, server)]


def _witness(place: Place) -> Content:
    address = f"file:{place.data}/{DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=30)) as database:
        content = {kind: _rows(database, query) for kind, query in QUERIES.items()}
    files = sorted((place.data / "media").glob("*.zip"))
    return {**content, "export": {path.name: "" for path in files}}


def _rows(database: sqlite3.Connection, query: str) -> Mapping[str, str]:
    return {str(name): str(state) for name, state in database.execute(query)}


CONSOLE = Console(
    name="doccano",
    title="doccano 1.8.4",
    half="train",
    guide=Guide(
        repository="https://github.com/doccano/doccano",
        commit="ab6b765ea326d07b2b806a4280cd097565e62321",
        documents=(
            "docs/index.md",
            "docs/tutorial.md",
            "docs/faq.md",
            "docs/setup_cloud_storage.md",
            "docs/advanced",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    path="/projects",
    ready="/",
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
