"""Indico: events and their organisation; dialogs on a server's pages, over PostgreSQL and Redis."""

from collections.abc import Mapping, Sequence

from tests.zoo.console import Console, Guide, Place, Service
from tests.zoo.databases import (
    PACKAGES,
    content_in,
    make_database,
    postgres,
    postgres_env,
    redis,
    wait_for_postgres,
)

USERNAME, PASSWORD = "admin", "Zoo-secret-1"
SETTINGS = """
SQLALCHEMY_DATABASE_URI = "postgresql:///"
SECRET_KEY = "of a console that only hears the machine it is on"
BASE_URL = "{url}"
REDIS_CACHE_URL = "redis://127.0.0.1:{port}/0"
CELERY_BROKER = "redis://127.0.0.1:{port}/1"
DISABLE_CELERY_CHECK = True
DEFAULT_TIMEZONE = "Europe/Zurich"
ENABLE_ROOMBOOKING = True
FAILED_LOGIN_RATE_LIMIT = "1000 per minute"
NO_REPLY_EMAIL = SUPPORT_EMAIL = PUBLIC_SUPPORT_EMAIL = "zoo@example.com"
EMAIL_BACKEND = "indico.vendor.django_mail.backends.dummy.EmailBackend"
SMTP_USE_CELERY = False
SYSTEM_NOTICES_URL = None
CACHE_DIR, TEMP_DIR, LOG_DIR = "{data}/cache", "{data}/tmp", "{data}/log"
STORAGE_BACKENDS = {{"default": "fs:{data}/archive"}}
"""
CONTENT = """
from datetime import timedelta
from flask import session
from indico.core.db import db
from indico.modules.auth import Identity
from indico.modules.categories import Category
from indico.modules.categories.operations import create_category
from indico.modules.events.contributions.operations import create_contribution
from indico.modules.events.features.util import set_feature_enabled
from indico.modules.events.models.events import EventType
from indico.modules.events.operations import create_event
from indico.modules.events.registration.models.forms import RegistrationForm
from indico.modules.events.registration.util import create_personal_data_fields, create_registration
from indico.modules.events.sessions.operations import create_session
from indico.modules.events.surveys.models.items import SurveyQuestion, SurveySection
from indico.modules.events.surveys.models.surveys import Survey
from indico.modules.events.tracks.operations import create_track
from indico.modules.rb.models.locations import Location
from indico.modules.rb.models.rooms import Room
from indico.modules.users import User
from indico.modules.users.operations import create_user
from indico.util.date_time import now_utc
from indico.web.flask.app import make_app

def person(name, email, first, last):
    identity = Identity(provider="indico", identifier=name, password="{password}")
    user = create_user(email, {{"first_name": first, "last_name": last}}, identity)
    db.session.add(user)
    db.session.flush()
    return user

app = make_app()
with app.test_request_context():
    admin = person("{username}", "admin@example.com", "Ada", "Admin")
    admin.is_admin = True
    admin.settings.set("force_timezone", True)
    mina = person("mina", "mina@example.com", "Mina", "Berg")
    db.session.commit()
    session.set_session_user(admin)
    root = Category.get_root()
    physics = create_category(root, {{"title": "Physics"}})
    seminars = create_category(physics, {{"title": "Seminars"}})
    create_category(physics, {{"title": "Workshops"}})
    create_category(root, {{"title": "Outreach"}})
    begins = (now_utc() + timedelta(days=60)).replace(hour=8, minute=0, second=0, microsecond=0)

    def event(kind, title, days=0):
        times = {{"start_dt": begins, "end_dt": begins + timedelta(days=days, hours=8)}}
        data = {{"title": title, "timezone": "Europe/Zurich", "creator": admin, **times}}
        made = create_event(seminars, kind, data)
        db.session.commit()  # what counts its parts does so in a transaction of its own
        return made

    event(EventType.lecture, "Dark matter for everybody")
    meeting = event(EventType.meeting, "Detector meeting")
    hour = timedelta(hours=1)
    talk = {{"title": "Status of the tracker", "duration": hour, "start_dt": begins + hour}}
    create_contribution(meeting, talk)
    conference = event(EventType.conference, "Neutrino days", days=2)
    for title in ("Masses", "Oscillations"):
        create_session(conference, {{"title": title}})
    for title in ("Opening talk", "Closing talk"):
        create_contribution(conference, {{"title": title, "duration": hour}})
    create_track(conference, {{"title": "Theory"}})
    event(EventType.conference, "Summer school", days=4)
    for feature in ("abstracts", "registration"):
        set_feature_enabled(conference, feature, True)
    for title in ("Speakers' dinner", "Participants"):
        form = RegistrationForm(event=conference, title=title, currency="EUR")
        create_personal_data_fields(form)
        form.moderation_enabled = True
        db.session.add(form)
        db.session.flush()
    form.start_dt = now_utc()
    given = {{"email": "mina@example.com", "first_name": "Mina", "last_name": "Berg"}}
    data = {{f.html_field_name: given[f.personal_data_type.name] for f in form.active_fields
            if f.personal_data_type.name in given}}
    create_registration(form, {{**data, "email": given["email"]}}, notify_user=False)
    asked = {{"title": "By train?", "is_required": False, "field_type": "bool", "field_data": {{}}}}
    for of, title, questions in ((meeting, "How was it?", []), (conference, "Travel", [asked])):
        survey = Survey(event=of, title=title, introduction="")
        section = SurveySection(display_as_section=True, title="The day")
        survey.items.append(section)
        section.children.extend(SurveyQuestion(**each) for each in questions)
        db.session.add(survey)
    place = Location(name="Main site")
    for number in ("001", "002"):
        place.rooms.append(Room(
            building="1", floor="0", number=number, division="Physics", owner=admin, capacity=20,
            is_reservable=True,
        ))
    db.session.add(place)
    db.session.commit()
"""
# By kind: names and states; what the console keeps for itself (its log, searches) is left out.
QUERIES = {
    "category": "select title, id || ' ' || coalesce(parent_id, 0) || ' ' || protection_mode || ' '"
    " || event_creation_mode || ' ' || description from categories.categories"
    " where not is_deleted",
    "category role": "select r.name, r.code || ' ' || count(m.user_id) from categories.roles r"
    " left join categories.role_members m on m.role_id = r.id group by r.id",
    "event": "select title, category_id || ' ' || type || ' ' || protection_mode || ' '"
    " || is_locked || ' ' || coalesce(series_id, 0) || ' ' || description || ' ' || start_dt"
    " from events.events where not is_deleted",
    "event role": "select name, code from events.roles",
    "event setting": "select event_id || ' ' || module || ' ' || name, value from events.settings",
    "contribution": "select title, event_id || ' ' || coalesce(session_id, 0) || ' ' || duration"
    " || ' ' || code from events.contributions where not is_deleted",
    "timetable entry": "select id, start_dt from events.timetable_entries",
    "contribution type": "select name, id from events.contribution_types",
    "session": "select title, coalesce(type_id, 0) || ' ' || code || ' ' || colors_background::text"
    " from (select s.*, background_color as colors_background from events.sessions s) s"
    " where not is_deleted",
    "session type": "select name, is_poster from events.session_types",
    "session block": "select id, title from events.session_blocks",
    "track": "select title, event_id from events.tracks",
    "note": "select id, is_deleted from events.notes where not is_deleted",
    "folder": "select id || ' ' || coalesce(title, ''), '' from attachments.folders"
    " where not is_deleted",
    "attachment": "select id, title from attachments.attachments where not is_deleted",
    "registration form": "select title, id || ' ' || coalesce(start_dt::text, '') || ' '"
    " || coalesce(end_dt::text, '') || moderation_enabled from event_registration.forms"
    " where not is_deleted",
    "registration field": "select id, title from event_registration.form_items"
    " where not is_deleted",
    "registration": "select first_name || ' ' || last_name, state from"
    " event_registration.registrations where not is_deleted",
    "invitation": "select email, state from event_registration.invitations",
    "survey": "select title, coalesce(start_dt::text, '') || ' ' || coalesce(end_dt::text, '')"
    " || ' ' || introduction from event_surveys.surveys where not is_deleted",
    "survey item": "select id, title from event_surveys.items",
    "reminder": "select id, message from events.reminders",
    "menu entry": "select id, coalesce(title, '') || ' ' || is_enabled || ' ' || position"
    " from events.menu_entries",
    "series": "select id, '' from events.series",
    "notification": "select title, '' from event_abstracts.email_templates",
    "reviewing question": "select id, title from event_abstracts.abstract_review_questions",
    "abstract field": "select title, '' from events.contribution_fields",
    "booking": "select id, state from roombooking.reservations",
    "blocking": "select id, reason from roombooking.blockings",
    "room": "select building || '-' || floor || '-' || number, is_reservable"
    " from roombooking.rooms",
    "user": "select first_name || ' ' || last_name, is_admin from users.users"
    " where not is_deleted and not is_pending and not is_system",
}


def _env(place: Place) -> Mapping[str, str]:
    return {**postgres_env(place), "INDICO_CONFIG": str(place.data / "indico.conf")}


def _configure(place: Place) -> None:
    """Anew at each start: addresses and ports are in it."""
    written = SETTINGS.format(url=place.url, port=place.ports[1], data=place.data)
    (place.data / "indico.conf").write_text(written)


def _make(place: Place) -> None:
    make_database(place, "unaccent", "pg_trgm")
    for folder in ("cache", "tmp", "log", "archive"):
        (place.data / folder).mkdir()
    _configure(place)
    place.run(place.program("indico"), "setup", "create-logging-config", ".", env=_env(place))
    content = CONTENT.format(username=USERNAME, password=PASSWORD)
    with place.serving([postgres(place), redis(place)]):
        wait_for_postgres(place)
        place.run(place.program("indico"), "db", "prepare", env=_env(place))
        place.run(place.program("python"), "-c", content, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    _configure(place)
    address = ("-h", "127.0.0.1", "-p", str(place.ports[0]), "--reloader", "none")
    server = (place.program("indico"), "run", "--quiet", *address)
    return [postgres(place), redis(place), Service(command=server, env=_env(place))]


CONSOLE = Console(
    name="indico",
    title="Indico 3.2.9",
    half="train",
    guide=Guide(
        repository="https://github.com/indico/indico-user-docs",
        commit="e7e00165ab8b7dadf52ffb48dbda4b85c5c8abe7",
        documents=("docs",),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=(
        *PACKAGES,
        "redis-server",
        "redis-tools",
        "libjemalloc2",
        "liblua5.1-0",
        "liblzf1",
        "lua-bitop",
        "lua-cjson",
    ),
    ready="/login/",
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=lambda place: content_in(place, QUERIES),
)
