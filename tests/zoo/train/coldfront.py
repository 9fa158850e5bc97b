"""ColdFront: projects and their allocations; lists and forms, and Django's administration."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
DATABASE = "db.sqlite3"
# The guide speaks to principal investigators and to administrators: the account is both.
CONTENT = """
import django
django.setup()
from datetime import date, timedelta
from django.contrib.auth.models import User
from coldfront.core.allocation.models import (
    Allocation, AllocationAttribute, AllocationAttributeType, AllocationChangeRequest,
    AllocationChangeStatusChoice, AllocationStatusChoice, AllocationUser,
    AllocationUserStatusChoice,
)
from coldfront.core.field_of_science.models import FieldOfScience
from coldfront.core.grant.models import Grant, GrantFundingAgency, GrantStatusChoice
from coldfront.core.project.models import (
    Project, ProjectReview, ProjectReviewStatusChoice, ProjectStatusChoice, ProjectUser,
    ProjectUserRoleChoice, ProjectUserStatusChoice,
)
from coldfront.core.publication.models import Publication, PublicationSource
from coldfront.core.research_output.models import ResearchOutput
from coldfront.core.resource.models import (
    Resource, ResourceAttribute, ResourceAttributeType, ResourceType,
)

def named(kind, name):
    return kind.objects.filter(name=name).first()

admin = User.objects.get(username="{username}")
admin.first_name, admin.last_name = "Ada", "Minster"
mina, otto, ruth, asha = (
    User.objects.create_user(
        name, name + "@example.com", "{password}", first_name=name.title(), last_name=last
    )
    for name, last in (("mina", "Berg"), ("otto", "Vance"), ("ruth", "Hale"), ("asha", "Patel"))
)
for each in (admin, ruth):
    each.userprofile.is_pi = True
    each.save()

def project(title, pi, description, users, **more):
    made = Project.objects.create(
        title=title, pi=pi, description=description,
        status=named(ProjectStatusChoice, "Active"),
        field_of_science=FieldOfScience.objects.get(description="Other"), **more
    )
    for user in (pi, *users):
        ProjectUser.objects.create(
            project=made, user=user, status=named(ProjectUserStatusChoice, "Active"),
            role=named(ProjectUserRoleChoice, "Manager" if user == pi else "User"),
        )
    return made

tidal = project("Tidal flow", admin, "How water moves in a bay with many islands.", (mina, otto))
sky = project(
    "Night sky survey", admin, "Faint stars, counted every night.", (mina,), force_review=True
)
harbour = project("Harbour noise", ruth, "What whales hear near a large harbour.", (asha,))
ProjectReview.objects.create(
    project=harbour, status=ProjectReviewStatusChoice.objects.get(name="Pending"),
    reason_for_not_updating_project="Nothing was published in the last year.",
)

for title, author, year, journal in (
    ("Currents between islands", "A. Minster", 2024, "Journal of Bays"),
    ("Sand in a tidal flow", "A. Minster and M. Berg", 2025, "Shores"),
    ("Eddies behind a pier", "O. Vance", 2025, "Journal of Bays"),
):
    Publication.objects.create(
        project=tidal, title=title, author=author, year=year, journal=journal,
        source=named(PublicationSource, "manual"),
    )
for title, number, agency in (
    ("Bays of the north", "OCE-1001", "National Science Foundation (NSF)"),
    ("Power from tides", "DE-2002", "Department of Energy (DOE)"),
):
    Grant.objects.create(
        project=tidal, title=title, grant_number=number, role="PI",
        funding_agency=named(GrantFundingAgency, agency), grant_start=date(2025, 1, 1),
        grant_end=date(2029, 12, 31), percent_credit=100.0, direct_funding=20000.0,
        total_amount_awarded=30000.0, status=named(GrantStatusChoice, "Active"),
    )
for title in ("Radio talk about tides", "Map of currents"):
    ResearchOutput.objects.create(
        project=tidal, title=title, description="Given to everybody.", created_by=admin
    )

kelp, reef, dune = (
    Resource.objects.create(
        name=name, resource_type=named(ResourceType, kind), description=description
    )
    for name, kind, description in (
        ("Kelp", "Cluster", "Cluster of the center"),
        ("Reef", "Storage", "Storage that is backed up"),
        ("Dune", "Server", "Server for small work"),
    )
)
ResourceAttribute.objects.create(
    resource=kelp, value="kelp",
    resource_attribute_type=named(ResourceAttributeType, "slurm_cluster"),
)
AllocationAttributeType.objects.filter(name="Storage Quota (GB)").update(is_changeable=True)

def allocation(of, resource, status, why, users, days=200, **attributes):
    made = Allocation.objects.create(
        project=of, status=named(AllocationStatusChoice, status), justification=why,
        start_date=date.today(), end_date=date.today() + timedelta(days=days), is_changeable=True,
    )
    made.resources.add(resource)
    for name, value in attributes.items():
        AllocationAttribute.objects.create(
            allocation=made, value=value,
            allocation_attribute_type=named(AllocationAttributeType, name),
        )
    for user in users:
        AllocationUser.objects.create(
            allocation=made, user=user, status=named(AllocationUserStatusChoice, "Active")
        )
    return made

flow = allocation(
    tidal, reef, "Active", "Maps are large.", (admin, mina), **{{"Storage Quota (GB)": "500"}}
)
allocation(tidal, kelp, "Active", "To compute flows.", (admin, otto), slurm_account_name="tidal")
whales = allocation(harbour, kelp, "Active", "To hear whales.", (ruth, asha))
sounds = allocation(
    harbour, reef, "Active", "To keep sounds.", (ruth,), **{{"Storage Quota (GB)": "200"}}
)
allocation(harbour, dune, "Renewal Requested", "A server for sounds.", (ruth,), days=20)
allocation(sky, dune, "Renewal Requested", "A server for stars.", (admin,), days=20)
for of, extension, why in (
    (flow, 30, "The maps take longer."),
    (whales, 60, "The whales come late."),
):
    AllocationChangeRequest.objects.create(
        allocation=of, end_date_extension=extension, justification=why,
        status=named(AllocationChangeStatusChoice, "Pending"),
    )
"""
# By kind: names and states; times, log-ins and histories are left out. Publications, grants and
# research outputs go by their numbers: titles may be changed.
QUERIES = {
    "user": "select u.username, u.first_name || ' ' || u.last_name || ' ' || u.email || ' '"
    " || u.is_active || ' ' || u.is_staff || ' ' || u.is_superuser || ' ' || u.password"
    " from auth_user u",
    # Named again by what was asked for: another flag is not it.
    "staff": "select username, '' from auth_user where is_staff",
    "superuser": "select username, '' from auth_user where is_superuser",
    "user profile": "select u.username, p.is_pi from user_userprofile p"
    " join auth_user u on u.id = p.user_id",
    "user permission": "select u.username || ' ' || p.codename, ''"
    " from auth_user_user_permissions x join auth_user u on u.id = x.user_id"
    " join auth_permission p on p.id = x.permission_id",
    "member": "select u.username || ' in ' || g.name, '' from auth_user_groups m"
    " join auth_user u on u.id = m.user_id join auth_group g on g.id = m.group_id",
    "group": "select name, id from auth_group",
    "project": "select p.title, p.description || ' ' || p.pi_id || ' ' || s.name || ' '"
    " || p.field_of_science_id || ' ' || p.force_review || ' ' || p.requires_review"
    " from project_project p join project_projectstatuschoice s on s.id = p.status_id",
    "project user": "select u.username || ' in ' || p.title, r.name || ' ' || s.name || ' '"
    " || x.enable_notifications from project_projectuser x"
    " join auth_user u on u.id = x.user_id join project_project p on p.id = x.project_id"
    " join project_projectuserrolechoice r on r.id = x.role_id"
    " join project_projectuserstatuschoice s on s.id = x.status_id",
    "project review": "select r.id || ' of ' || p.title, s.name || ' '"
    " || coalesce(r.reason_for_not_updating_project, '') from project_projectreview r"
    " join project_project p on p.id = r.project_id"
    " join project_projectreviewstatuschoice s on s.id = r.status_id",
    "project message": "select m.id || ' of ' || p.title, m.message || ' ' || m.is_private"
    " from project_projectusermessage m join project_project p on p.id = m.project_id",
    "project comment": "select id, comment from project_projectadmincomment",
    "project attribute": "select t.name || ' of ' || p.title, a.value"
    " from project_projectattribute a"
    " join project_projectattributetype t on t.id = a.proj_attr_type_id"
    " join project_project p on p.id = a.project_id",
    "project attribute type": "select name, attribute_type_id || ' ' || is_private || ' '"
    " || is_changeable || ' ' || is_required from project_projectattributetype",
    "publication": "select x.id, p.title || ' ' || x.title || ' ' || x.author || ' '"
    " || x.year || ' ' || x.journal || ' ' || x.status from publication_publication x"
    " join project_project p on p.id = x.project_id",
    "grant": "select g.id, p.title || ' ' || g.title || ' ' || g.grant_number || ' '"
    " || g.role || ' ' || g.grant_pi_full_name || ' ' || g.funding_agency_id || ' '"
    " || g.grant_start || ' ' || g.grant_end || ' ' || g.percent_credit || ' '"
    " || g.direct_funding || ' ' || g.total_amount_awarded || ' ' || s.name from grant_grant g"
    " join project_project p on p.id = g.project_id"
    " join grant_grantstatuschoice s on s.id = g.status_id",
    "funding agency": "select name, id from grant_grantfundingagency",
    "research output": "select o.id, p.title || ' ' || o.title || ' ' || o.description"
    " from research_output_researchoutput o join project_project p on p.id = o.project_id",
    "resource type": "select name, description from resource_resourcetype",
    "resource": "select name, resource_type_id || ' ' || coalesce(parent_resource_id, '') || ' '"
    " || description || ' ' || is_available || ' ' || is_public || ' ' || is_allocatable"
    " || ' ' || requires_payment from resource_resource",
    "resource attribute": "select t.name || ' of ' || r.name, a.value"
    " from resource_resourceattribute a join resource_resource r on r.id = a.resource_id"
    " join resource_resourceattributetype t on t.id = a.resource_attribute_type_id",
    "resource attribute type": "select name, attribute_type_id || ' ' || is_required || ' '"
    " || is_unique_per_resource || ' ' || is_value_unique from resource_resourceattributetype",
    "attribute type": "select name, id from resource_attributetype",
    "allocation": "select a.id || ' of ' || p.title, s.name || ' ' || a.quantity || ' '"
    " || coalesce(a.start_date, '') || ' ' || coalesce(a.end_date, '') || ' ' || a.justification"
    " || ' ' || coalesce(a.description, '') || ' ' || a.is_locked || ' ' || a.is_changeable"
    " from allocation_allocation a join project_project p on p.id = a.project_id"
    " join allocation_allocationstatuschoice s on s.id = a.status_id",
    "allocation user": "select u.username || ' in ' || x.allocation_id, s.name"
    " from allocation_allocationuser x join auth_user u on u.id = x.user_id"
    " join allocation_allocationuserstatuschoice s on s.id = x.status_id",
    "allocation attribute": "select t.name || ' of ' || a.allocation_id, a.value"
    " from allocation_allocationattribute a"
    " join allocation_allocationattributetype t on t.id = a.allocation_attribute_type_id",
    "allocation attribute type": "select t.name, a.name || ' ' || t.has_usage || ' '"
    " || t.is_required || ' ' || t.is_unique || ' ' || t.is_private || ' ' || t.is_changeable"
    " from allocation_allocationattributetype t"
    " join allocation_attributetype a on a.id = t.attribute_type_id",
    "allocation note": "select id, note from allocation_allocationusernote",
    "change request": "select c.id || ' of ' || c.allocation_id, s.name || ' '"
    " || coalesce(c.end_date_extension, '') || ' ' || c.justification || ' '"
    " || coalesce(c.notes, '') from allocation_allocationchangerequest c"
    " join allocation_allocationchangestatuschoice s on s.id = c.status_id",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.data),
        "DJANGO_SETTINGS_MODULE": "coldfront.config.settings",
        "DB_URL": f"sqlite:///{place.data}/{DATABASE}?timeout=30",
        "SECRET_KEY": "zoo",
        "STATIC_ROOT": str(place.data / "static"),
        "TIME_ZONE": "UTC",
    }


def _make(place: Place) -> None:
    coldfront = place.program("coldfront")
    content = CONTENT.format(username=USERNAME, password=PASSWORD)
    create = ("createsuperuser", "--noinput", "--username", USERNAME)
    env = {**_env(place), "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    place.run(coldfront, "initial_setup", "--force_overwrite", env=env)
    place.run(coldfront, "collectstatic", "--noinput", "--verbosity", "0", env=env)
    place.run(coldfront, *create, "--email", "admin@example.com", env=env)
    place.run(place.program("python"), "-c", content, env=env)


def _services(place: Place) -> Sequence[Service]:
    address = f"127.0.0.1:{place.ports[0]}"
    options = ("runserver", "--noreload", "--insecure", address)
    return [Service(command=(place.program("coldfront"), *options), env=_env(place))]


def _witness(place: Place) -> Content:
    address = f"file:{place.data}/{DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=30)) as database:
        return {kind: _rows(database, query) for kind, query in QUERIES.items()}


def _rows(database: sqlite3.Connection, query: str) -> Mapping[str, str]:
    return {str(name): str(state) for name, state in database.execute(query)}


CONSOLE = Console(
    name="coldfront",
    title="ColdFront 1.1.10",
    half="train",
    guide=Guide(
        repository="https://github.com/ubccr/coldfront",
        commit="46d0ebaa3979d44f37580334afbf7413825c20ed",
        documents=(
            "docs/pages/howto/allocations",
            "docs/pages/howto/projects",
            "docs/pages/howto/resources/detail.md",
            "docs/pages/howto/resources/index.md",
            "docs/pages/howto/roles",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/",
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
