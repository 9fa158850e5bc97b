"""privacyIDEA: tokens of users, and containers of tokens; an application in Angular."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

import httpx

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
DATABASE, GUESTS = "pi.sqlite", "guests.sqlite"
SETTINGS = """
SECRET_KEY = "for this zoo only and for nothing else, so it may stand here"
PI_PEPPER = "for this zoo only"
SQLALCHEMY_DATABASE_URI = "sqlite:///{data}/{database}?timeout=30"
PI_ENCFILE = "{data}/enckey"
PI_AUDIT_KEY_PRIVATE = "{data}/private.pem"
PI_AUDIT_KEY_PUBLIC = "{data}/public.pem"
PI_UUID_FILE = "{data}/uuid.txt"
PI_LOGFILE = "{data}/privacyidea.log"
SUPERUSER_REALM = []
"""
# Users are read from a file, as the guide does it, and from a table that may be changed.
STAFF = """\
root:x:0:0:Rosa Root,,,,root@example.com:/root:/bin/sh
mina:x:1001:1001:Mina Berg,,555-01,,mina@example.com:/home/mina:/bin/sh
otto:x:1002:1002:Otto Vance,,555-02,,otto@example.com:/home/otto:/bin/sh
ruth:x:1003:1003:Ruth Hale,,555-03,,ruth@example.com:/home/ruth:/bin/sh
asha:x:1004:1004:Asha Patel,,555-04,,asha@example.com:/home/asha:/bin/sh
"""
PEOPLE = (("lena", "Lena", "Moor"), ("hugo", "Hugo", "Lind"))
# With the key of RFC 4226, one after the other: 755224, 287082, 359152, 969429, 338314, 254676.
KEY = "3132333435363738393031323334353637383930"
OTHER_KEY = "6162636465666768696a6b6c6d6e6f7071727374{:02d}"
TOKENS: tuple[tuple[str, str, str, str], ...] = (
    ("FOB1001", "hotp", "Blue fob", "mina"),
    ("FOB1002", "hotp", "Green fob", "otto"),
    ("FOB1003", "hotp", "Spare fob", ""),
    ("FOB1004", "hotp", "Red fob", "asha"),
    ("APP2001", "totp", "Phone of Ruth", "ruth"),
    ("GATE3001", "spass", "Gate pass", "mina"),
    ("LIFT3002", "spass", "Lift pass", ""),
)
CONTAINERS: tuple[tuple[str, str, str, str], ...] = (
    ("DRAWER01", "generic", "Drawer of Mina", "mina"),
    ("DRAWER02", "generic", "Spare drawer", ""),
    ("PHONE01", "smartphone", "Phone of Otto", "otto"),
)
# By kind: names and states. Times, log-ins, what the audit has, counts of log-ins and how somebody
# has arranged the pages are left out.
QUERIES = {
    "token": "select serial, tokentype || ' ' || coalesce(description, '') || ' ' || active || ' '"
    " || coalesce(revoked, 0) || ' ' || coalesce(locked, 0) || ' ' || coalesce(failcount, 0)"
    " || ' ' || coalesce(maxfail, '') || ' ' || coalesce(count, 0) || ' '"
    " || coalesce(count_window, '') || ' ' || coalesce(sync_window, '') || ' '"
    " || coalesce(otplen, '') || ' ' || coalesce(pin_hash, '') || ' ' || coalesce(user_pin, '')"
    " || ' ' || coalesce(rollout_state, '') from token",
    "token info": "select t.serial || ' ' || i.Key, i.Value from tokeninfo i"
    " join token t on t.id = i.token_id where i.Key not like 'count_%' and i.Key != 'last_auth'",
    "token owner": "select t.serial, o.user_id || ' of ' || o.resolver from tokenowner o"
    " join token t on t.id = o.token_id",
    "token realm": "select t.serial || ' in ' || r.name, '' from tokenrealm x"
    " join token t on t.id = x.token_id join realm r on r.id = x.realm_id",
    "token group": "select name, Description from tokengroup",
    "container": "select c.serial, c.type || ' ' || coalesce(c.description, '') || ' '"
    " || coalesce(t.name, '') from tokencontainer c"
    " left join tokencontainertemplate t on t.id = c.template_id",
    "container token": "select t.serial || ' in ' || c.serial, '' from tokencontainertoken x"
    " join token t on t.id = x.token_id join tokencontainer c on c.id = x.container_id",
    "container owner": "select c.serial, o.user_id || ' of ' || o.resolver"
    " from tokencontainerowner o join tokencontainer c on c.id = o.container_id",
    "container state": "select c.serial || ' ' || s.state, '' from tokencontainerstates s"
    " join tokencontainer c on c.id = s.container_id",
    "container realm": "select c.serial || ' in ' || r.name, '' from tokencontainerrealm x"
    " join tokencontainer c on c.id = x.container_id join realm r on r.id = x.realm_id",
    "container template": "select name, container_type || ' ' || \"default\" || ' ' || options"
    " from tokencontainertemplate",
    "resolver": "select r.name, r.rtype || ' ' || coalesce((select group_concat(c.Key || '='"
    " || c.Value) from (select * from resolverconfig order by Key) c"
    " where c.resolver_id = r.id), '') from resolver r",
    "realm": "select r.name, \"default\" || ' ' || coalesce((select group_concat(x.resolver_id"
    " || ':' || coalesce(x.priority, '')) from (select * from resolverrealm order by resolver_id)"
    " x where x.realm_id = r.id), '') from realm r",
    "user attribute": "select user_id || ' of ' || resolver || ' ' || Key, Value"
    " from customuserattribute",
    "guest": "select username, coalesce(givenname, '') || ' ' || coalesce(surname, '')"
    " || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')"
    " || ' ' || coalesce(mobile, '') || ' ' || coalesce(password, '')"
    " from guests.people",
    "policy": "select name, active || ' ' || scope || ' ' || coalesce(action, '') from policy",
    "event handler": "select name, active || ' ' || event || ' ' || handlermodule"
    " from eventhandler",
    "periodic task": "select name, active || ' ' || interval from periodictask",
    "smtp server": "select identifier, server || ' ' || coalesce(port, '') || ' '"
    " || coalesce(sender, '') || ' ' || coalesce(username, '') || ' ' || tls || ' '"
    " || coalesce(description, '') from smtpserver",
    "radius server": "select identifier, server from radiusserver",
    "privacyidea server": "select identifier, url from privacyideaserver",
    "sms gateway": "select identifier, providermodule from smsgateway",
    "service id": "select name, Description from serviceid",
    "ca connector": "select name, catype from caconnector",
    "machine resolver": "select name, rtype from machineresolver",
    "admin": "select username, email || ' ' || password from admin",
    "setting": "select Key, Value from config where Key != '__timestamp__'"
    " and Key not like 'subscription.%'",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.data),
        "PRIVACYIDEA_CONFIGFILE": str(place.data / "pi.cfg"),
    }


def _make(place: Place) -> None:
    (place.data / "pi.cfg").write_text(SETTINGS.format(data=place.data, database=DATABASE))
    (place.data / "staff").write_text(STAFF)
    with closing(sqlite3.connect(place.data / GUESTS)) as guests, guests:
        guests.execute(
            "create table people (id integer primary key, username text, givenname text,"
            " surname text, email text, phone text, mobile text, password text)"
        )
        guests.executemany(
            "insert into people (username, givenname, surname, email)"
            " values (?1, ?2, ?3, ?1 || '@example.org')",
            PEOPLE,
        )
    manage = place.program("pi-manage")
    for step in ("create_enckey", "create_audit_keys", "create_tables"):
        place.run(manage, "setup", step, env=_env(place))
    admin = ("admin", "add", USERNAME, "--email", "admin@example.com", "--password", PASSWORD)
    place.run(manage, *admin, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    options = ("run", "--host", "127.0.0.1", "--port", str(place.ports[0]))
    return [Service(command=(place.program("pi-manage"), *options), env=_env(place))]


def _fill(place: Place) -> None:
    with httpx.Client(base_url=place.url, timeout=60) as api:
        log_in = {"username": USERNAME, "password": PASSWORD}
        token = _value(api.post("/auth", json=log_in))["token"]
        api.headers["Authorization"] = token

        def post(path: str, **values: object) -> Any:  # Any: JSON
            return _value(api.post(path, json=values))

        # A fresh server's greeting, its log-out after two minutes and its news would be in the way.
        action = "hide_welcome_info, logout_time=3600, rss_age=0"
        post("/policy/pages", scope="webui", action=action, active=True)
        post("/resolver/staff", type="passwdresolver", fileName=str(place.data / "staff"))
        fields = ("username", "givenname", "surname", "email", "phone", "mobile", "password")
        columns = ", ".join(f'"{name}": "{name}"' for name in fields)
        post(
            "/resolver/guests",
            type="sqlresolver",
            Driver="sqlite",
            Server=f"/{place.data}/",
            Database=GUESTS,
            Table="people",
            Map=f'{{"userid": "id", {columns}}}',
            Editable=True,
            Limit=500,
        )
        for realm, resolver in (("office", "staff"), ("visitors", "guests")):
            post(f"/realm/{realm}", resolvers=resolver)
        post("/defaultrealm/office")
        for number, (serial, kind, description, user) in enumerate(TOKENS):
            key = OTHER_KEY.format(number) if number else KEY
            more = {} if kind == "spass" else {"otpkey": key}
            whose = {"user": user, "realm": "office"} if user else {}
            about = {"serial": serial, "type": kind, "description": description, "pin": "1234"}
            post("/token/init", **about, **whose, **more)
        post("/token/disable", serial="FOB1002")
        # Two log-ins with a wrong value: its counter of failures is not 0.
        for _ in range(2):
            post("/validate/check", serial="FOB1001", **{"pass": "1234000000"})
        parts = [{"type": "hotp", "genkey": True, "user": True}, {"type": "spass", "user": True}]
        options = {"tokens": parts}
        post("/container/generic/template/Newcomer", template_options=options)
        for serial, kind, description, user in CONTAINERS:
            whose = {"user": user, "realm": "office"} if user else {}
            about = {"container_serial": serial, "type": kind, "description": description}
            post("/container/init", **about, **whose)
        about = {"container_serial": "BOX01", "type": "generic", "description": "Box of Ruth"}
        whose = {"user": "ruth", "realm": "office"}
        post("/container/init", **about, **whose, template_name="Newcomer")
        # The template was changed since: there is something to compare.
        options = {"tokens": [*parts, {"type": "totp", "genkey": True, "user": True}]}
        post("/container/generic/template/Newcomer", template_options=options)
        post("/container/DRAWER01/add", serial="GATE3001")
        post("/container/DRAWER02/add", serial="LIFT3002")
        post(
            "/smtpserver/office mail",
            server="mail.example.com",
            port=25,
            sender="keys@example.com",
            description="Mail of the office",
        )


def _value(answer: httpx.Response) -> Any:  # Any: JSON
    answer.raise_for_status()
    return answer.json()["result"]["value"]


def _witness(place: Place) -> Content:
    address = f"file:{place.data}/{DATABASE}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, timeout=30)) as database:
        database.execute(f"attach 'file:{place.data}/{GUESTS}?mode=ro' as guests")
        return {kind: _rows(database.execute(query)) for kind, query in QUERIES.items()}


def _rows(found: Iterable[tuple[object, object]]) -> Mapping[str, str]:
    return {str(name): str(state) for name, state in found}


CONSOLE = Console(
    name="privacyidea",
    title="privacyIDEA 3.14",
    half="train",
    guide=Guide(
        repository="https://github.com/privacyidea/privacyidea",
        commit="55410007d118b505d9ff300b6114c2701e9bdb3c",
        documents=(
            "doc/firststeps",
            "doc/webui",
            "doc/configuration/realms.rst",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/app/v2/en/",
    make=_make,
    services=_services,
    fill=_fill,
    witness=_witness,
)
