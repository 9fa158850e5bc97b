"""Kiwi TCMS: test plans, cases and runs; pages of PatternFly, and the administration of Django."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
DATABASE = "db.sqlite3"
# Its library for RPC imports a function that Python 3.11 no longer has, and does not call it.
SETTINGS = """
import inspect
inspect.getargspec = inspect.getfullargspec
from tcms.settings.common import *
DEBUG = False
DATABASES = {{
    "default": {{
        "ENGINE": "django.db.backends.sqlite3", "NAME": "{data}/{database}",
        "OPTIONS": {{"timeout": 30}},
    }}
}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
MEDIA_ROOT = "{data}/uploads"
STATIC_ROOT = "{data}/static"
"""
CONTENT = """
import django
django.setup()
from django.contrib.auth.models import Group, User
from django.contrib.sites.models import Site
from tcms.management.models import Build, Classification, Priority, Product, Version
from tcms.testcases.models import Category, TestCase, TestCaseStatus
from tcms.testplans.models import PlanType, TestPlan
from tcms.testruns.models import TestExecutionStatus, TestRun

Site.objects.update(domain="127.0.0.1", name="127.0.0.1")
admin = User.objects.get(username="{username}")
mina, otto = (
    User.objects.create_user(name, name + "@example.com", "{password}") for name in ("mina", "otto")
)
User.objects.filter(username="otto").update(is_staff=False)
Group.objects.create(name="Reviewers")
mobile = Classification.objects.create(name="Mobile apps")
lantern, harbour = (
    Product.objects.create(name=name, classification=mobile) for name in ("Lantern", "Harbour")
)
versions = {{
    (product, value): Version.objects.create(product=product, value=value)
    for product, value in ((lantern, "1.0"), (lantern, "2.0"), (harbour, "5.1"))
}}
for (product, value), version in versions.items():
    Build.objects.create(name="build-" + value, version=version)
kind = PlanType.objects.get(name="Acceptance")

def plan(name, product, value, text, **more):
    return TestPlan.objects.create(
        name=name, product=product, product_version=versions[product, value], type=kind,
        author=admin, text=text, **more
    )

acceptance = plan("Lantern acceptance", lantern, "1.0", "What has to work before a release.")
weekend = plan("Lantern weekend checks", lantern, "2.0", "Slow ones, by hand.")
retired = plan("Lantern retired checks", lantern, "1.0", "No longer used.", is_active=False)
arrival = plan("Harbour arrival", harbour, "5.1", "Ships that come in.")
confirmed = TestCaseStatus.objects.get(name="CONFIRMED")
proposed = TestCaseStatus.objects.get(name="PROPOSED")

def case(summary, product, status, *plans):
    made = TestCase.objects.create(
        summary=summary, text="Given a phone\\nWhen it is opened\\nThen it answers",
        case_status=status, category=Category.objects.get(product=product),
        priority=Priority.objects.get(value="P1"), author=admin,
    )
    for each in plans:
        each.add_case(made)
    return made

log_in = case("Log in with a password", lantern, confirmed, acceptance, weekend)
switch = case("Switch the light on", lantern, confirmed, acceptance)
dim = case("Dim the light", lantern, confirmed, acceptance)
battery = case("Look at the battery", lantern, confirmed)
blink = case("Blink in the dark", lantern, proposed, weekend)
moor = case("Moor a ship", harbour, confirmed, arrival)

def run(summary, of, value, cases):
    made = TestRun.objects.create(
        summary=summary, plan=of, manager=admin, default_tester=mina,
        build=Build.objects.get(name="build-" + value), notes="Before the release.",
    )
    for each in cases:
        made.create_execution(each)
    return made

run("Nightly run", acceptance, "1.0", [log_in, switch])
run("Arrival run", arrival, "5.1", [moor])
"""
# By kind: names and states; times, log-ins and histories are left out. Plans, cases and runs go by
# their numbers: names may be changed, and a case that is cloned has the name of the first.
QUERIES = {
    "test plan": "select 'TP-' || p.id, p.name || ' ' || p.text || ' ' || p.is_active || ' '"
    " || coalesce(p.extra_link, '') || ' ' || p.product_version_id || ' ' || p.author_id || ' '"
    " || p.product_id || ' ' || p.type_id || ' ' || coalesce(p.parent_id, '')"
    " from testplans_testplan p",
    "test case": "select 'TC-' || c.id, c.summary || ' ' || c.text || ' ' || c.case_status_id"
    " || ' ' || c.category_id || ' ' || c.priority_id || ' ' || c.author_id || ' '"
    " || coalesce(c.default_tester_id, '') || ' ' || coalesce(c.reviewer_id, '') || ' '"
    " || c.is_automated || ' ' || coalesce(c.notes, '') || coalesce(c.requirement, '')"
    " || coalesce(c.script, '') || coalesce(c.arguments, '') || coalesce(c.extra_link, '')"
    " from testcases_testcase c",
    "test case in plan": "select 'TC-' || case_id || ' in TP-' || plan_id, coalesce(sortkey, '')"
    " from testcases_testcaseplan",
    "test run": "select 'TR-' || r.id, r.summary || ' ' || r.plan_id || ' ' || r.build_id || ' '"
    " || r.manager_id || ' ' || coalesce(r.default_tester_id, '') || ' ' || r.notes || ' '"
    " || coalesce(r.start_date, '') || ' ' || coalesce(r.stop_date, '') || ' '"
    " || coalesce(r.planned_start, '') || ' ' || coalesce(r.planned_stop, '')"
    " from testruns_testrun r",
    "test execution": "select 'TC-' || e.case_id || ' in TR-' || e.run_id, s.name || ' '"
    " || coalesce(e.assignee_id, '') || ' ' || coalesce(e.tested_by_id, '')"
    " from testruns_testexecution e"
    " join testruns_testexecutionstatus s on s.id = e.status_id",
    "comment": "select id, comment from django_comments",
    "tag": "select name, id from management_tag",
    "bug": "select summary, status from bugs_bug",
    "bug tracker": "select name, tracker_type || ' ' || base_url || ' ' || coalesce(api_url, '')"
    " || ' ' || coalesce(api_username, '') from testcases_bugsystem",
    "link": "select id, url from linkreference_linkreference",
    "attachment": "select id, attachment_file from attachments_attachment",
    "product": "select name, id || ' ' || description || ' ' || classification_id"
    " from management_product",
    "version": "select p.name || ' ' || v.value, v.id from management_version v"
    " join management_product p on p.id = v.product_id",
    "build": "select name || ' of ' || version_id, is_active from management_build",
    "user": "select username, email || ' ' || first_name || ' ' || last_name || ' ' || is_active"
    " || ' ' || is_staff || ' ' || is_superuser || ' ' || password from auth_user",
    "group": "select g.name, coalesce(group_concat(p.permission_id), '') from auth_group g"
    " left join auth_group_permissions p on p.group_id = g.id group by g.id",
    "member": "select u.username || ' in ' || g.name, '' from auth_user_groups m"
    " join auth_user u on u.id = m.user_id join auth_group g on g.id = m.group_id",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.data),
        "PYTHONPATH": str(place.data),
        "DJANGO_SETTINGS_MODULE": "zoo_settings",
    }


def _make(place: Place) -> None:
    settings = SETTINGS.format(data=place.data, database=DATABASE)
    (place.data / "zoo_settings.py").write_text(settings)
    (place.data / "uploads").mkdir()
    django = (place.program("python"), "-m", "django")
    content = CONTENT.format(username=USERNAME, password=PASSWORD)
    create = ("createsuperuser", "--noinput", "--username", USERNAME)
    env = {**_env(place), "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    place.run(*django, "migrate", "--verbosity", "0", env=env)
    place.run(*django, *create, "--email", "admin@example.com", env=env)
    place.run(*django, "refresh_permissions", "--verbosity", "0", env=env)
    place.run(place.program("python"), "-c", content, env=env)


def _services(place: Place) -> Sequence[Service]:
    address = f"127.0.0.1:{place.ports[0]}"
    options = ("runserver", "--noreload", "--insecure", address)
    return [Service(command=(place.program("python"), "-m", "django", *options), env=_env(place))]


def _witness(place: Place) -> Content:
    address = f"file:{place.data}/{DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=30)) as database:
        return {kind: _rows(database, query) for kind, query in QUERIES.items()}


def _rows(database: sqlite3.Connection, query: str) -> Mapping[str, str]:
    return {str(name): str(state) for name, state in database.execute(query)}


CONSOLE = Console(
    name="kiwitcms",
    title="Kiwi TCMS 12.4",
    half="train",
    guide=Guide(
        repository="https://github.com/kiwitcms/Kiwi",
        commit="13f4b7a6ca6b9a90b3672a8aa82cc86de74ca01d",
        documents=("docs/source/guide", "docs/source/admin.rst"),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/accounts/login/",
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
