"""Kanboard: boards, forms in dialogs, and menus that drop down from a cog.

PHP is from Debian, its code from its repository; its requirements name one small package, since
each console has some.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import httpx

from tests.zoo.console import Console, Content, Guide, Place, Program, Service, ZooError

USERNAME, PASSWORD = "admin", "zoo-secret-1"
API_TOKEN = "zoo-token-1"
EXTENSIONS = (
    "ctype curl dom fileinfo gd iconv mbstring pdo pdo_sqlite posix simplexml tokenizer xml"
    " xmlreader xmlwriter"
)
PHP_INI = """
{extensions}
extension_dir = "{installed}/usr/lib/php/20220829"
date.timezone = "UTC"
sendmail_path = "/bin/true"
session.save_path = "{data}/temp"
sys_temp_dir = "{data}/temp"
upload_tmp_dir = "{data}/temp"
"""
USERS = {
    "mina": ("Mina Berg", "app-manager"),
    "otto": ("Otto Vance", "app-user"),
    "asha": ("Asha Patel", "app-user"),
    "bob": ("Bob", "app-user"),
    "lena": ("Lena Hoff", "app-user"),
    "ivo": ("Ivo Lind", "app-user"),
}
PROJECTS = {
    "Customer orders": "Orders from the web shop",
    "Production": "What is being built",
    "Ideas": "What could be built",
    "Development": "",
}
COLUMNS = {
    "Customer orders": ("To be validated", "Validated"),
    "Ideas": ("Validated",),
}
CATEGORIES = {
    "Customer orders": ("Bug", "Feature Request"),
    "Production": ("Feature Request",),
    "Ideas": ("Feature Request",),
}
# Title, column, swimlane, user, category, color, score, hours estimated, due, tags.
ORDERS = (
    ("Oak table", "Backlog", "", "mina", "", "yellow", 3, 4, "", ("wood",)),
    ("Pine shelf", "Backlog", "", "otto", "Feature Request", "blue", 5, 6, "2031-03-04", ("wood",)),
    ("Brass lamp", "Backlog", "Export", "", "Bug", "red", 2, 0, "2026-01-15", ("metal", "urgent")),
    ("Linen curtain", "Ready", "", "lena", "", "green", 1, 2, "", ()),
    ("Cork floor", "Ready", "Export", "lena", "Bug", "orange", 8, 16, "2031-05-20", ("urgent",)),
    ("Glass door", "Work in progress", "", "asha", "", "yellow", 5, 8, "", ()),
    ("Slate roof", "Work in progress", "", "bob", "", "purple", 13, 40, "", ("stone",)),
    ("Copper pipe", "Validated", "", "mina", "", "yellow", 2, 3, "", ("metal",)),
    ("Marble step", "Done", "", "otto", "Bug", "grey", 3, 5, "", ("stone",)),
)
OTHERS = {
    "Production": ("Saw the planks", "Glue the joints"),
    "Ideas": ("Folding chair", "Hanging garden"),
    "Development": ("Price list as a file",),
}
SUBTASKS = (
    ("Oak table", "Cut the legs", "mina", 1.5, 0),
    ("Oak table", "Sand the top", "otto", 2, 0),
    ("Glass door", "Order the hinges", "asha", 1, 1),
    ("Glass door", "Measure the frame", "asha", 0.5, 2),
    ("Slate roof", "Count the slates", "bob", 3, 0),
)
COMMENTS = (
    ("Oak table", "mina", "The customer wants it darker."),
    ("Slate roof", "otto", "The scaffold is there on Monday."),
)
LINKS = (("Oak table", "blocks", "Pine shelf"), ("Slate roof", "relates to", "Copper pipe"))
MOVES = {
    "Copper pipe": ("Ready", "Work in progress", "Validated"),
    "Marble step": ("Work in progress", "Done"),
}
# What its API has no word for; and the account is told of what others do, as long as it fills.
CONTENT = """
insert into custom_filters (filter, project_id, user_id, name, is_shared, append)
  select 'status:open tag:urgent', id, 1, 'Urgent orders', 1, 0 from projects
  where name = 'Customer orders';
insert into project_has_roles (role, project_id)
  select 'Packer', id from projects where name = 'Customer orders';
insert into project_role_has_restrictions (project_id, role_id, rule)
  select project_id, role_id, 'task_creation' from project_has_roles;
update users set nb_failed_login = 6, lock_expiration_date = 1956528000 where username = 'ivo';
update users set notifications_enabled = 1, notifications_filter = 4 where username = 'admin';
insert into user_has_notification_types (user_id, notification_type) values (1, 'web');
insert into project_daily_column_stats (day, project_id, column_id, total, score)
  select d.day, c.project_id, c.id, 1, 3 from columns c
  join (select '2026-06-01' as day union select '2026-06-02' union select '2026-06-03') d;
insert into project_daily_stats (day, project_id, avg_lead_time, avg_cycle_time)
  select d.day, p.id, 86400, 43200 from projects p
  join (select '2026-06-01' as day union select '2026-06-02' union select '2026-06-03') d;
"""
QUIET = """
update users set notifications_enabled = 0;
delete from user_has_notification_types;
"""
# By kind: names and states; positions on the board, sessions and what ticks are left out. What
# something belongs to is told by its number, so that a new name of it changes one thing only.
QUERIES = {
    "setting": "select option, value from settings"
    " where option not in ('api_token', 'webhook_token', 'captcha_data')",
    "token": "select option, value from settings where option in ('api_token', 'webhook_token')",
    "user": "select username, concat(name, email, role, is_active, password, is_ldap_user,"
    " disable_login_form, timezone, language, theme, filter, avatar_path) from users",
    "two factor": "select username, twofactor_activated from users",
    "lock": "select username, concat(nb_failed_login, lock_expiration_date) from users"
    " where username <> 'admin'",
    "user access": "select username, concat(token, api_access_token) from users",
    "notified": "select username, concat(notifications_enabled, notifications_filter) from users",
    "notification type": "select concat(user_id, notification_type), ''"
    " from user_has_notification_types",
    "notified project": "select concat(user_id, 'of', project_id), '' from user_has_notifications",
    "unread": "select concat(id, 'of', user_id), event_name from user_has_unread_notifications",
    "user metadata": "select concat(user_id, name), value from user_has_metadata",
    "group": "select name, external_id from groups",
    "member": "select concat(u.username, 'in', x.group_id), '' from group_has_users x"
    " join users u on u.id = x.user_id",
    "project": "select name, concat(is_active, is_public, token, is_private, description,"
    " identifier, start_date, end_date, owner_id, priority_default, priority_start, priority_end,"
    " email, predefined_email_subjects, per_swimlane_task_limits, task_limit, enable_global_tags)"
    " from projects order by id",
    "project user": "select concat(u.username, 'in', x.project_id), x.role"
    " from project_has_users x join users u on u.id = x.user_id",
    "project group": "select concat(group_id, 'in', project_id), role from project_has_groups",
    "project metadata": "select concat(project_id, name), value from project_has_metadata",
    "project integration": "select concat(project_id, notification_type), ''"
    " from project_has_notification_types",
    "project file": "select concat(name, 'of', project_id), size from project_has_files"
    " order by id",
    "role": "select concat(role, 'of', project_id), '' from project_has_roles",
    "restriction": "select concat(role_id, rule), '' from project_role_has_restrictions"
    " union all select concat(role_id, rule, column_id), '' from column_has_restrictions"
    " union all select concat(role_id, 'move', src_column_id, 'to', dst_column_id), only_assigned"
    " from column_has_move_restrictions",
    "column": "select concat(title, 'of', project_id), concat(position, task_limit, description,"
    " hide_in_dashboard) from columns",
    "swimlane": "select concat(name, 'of', project_id), concat(position, is_active, description,"
    " task_limit) from swimlanes",
    "category": "select concat(name, 'of', project_id), concat(description, color_id)"
    " from project_has_categories",
    "tag": "select concat(name, 'of', project_id), color_id from tags",
    "filter": "select concat(name, 'of', project_id), concat(filter, user_id, is_shared, append)"
    " from custom_filters order by id",
    "action": "select concat(replace(action_name, '\\Kanboard\\Action\\', ''), 'of', project_id),"
    " concat(event_name, (select group_concat(x.name || '=' || x.value) from action_has_params x"
    " where x.action_id = actions.id)) from actions order by id",
    "predefined description": "select concat(title, 'of', project_id), description"
    " from predefined_task_descriptions",
    "link label": "select l.label, o.label from links l left join links o on o.id = l.opposite_id",
    "currency": "select currency, rate from currencies",
    "invitation": "select email, project_id from invites",
    "task": "select title, concat(project_id, column_id, swimlane_id, is_active, description,"
    " color_id, owner_id, score, date_due, category_id, reference, date_started, time_spent,"
    " time_estimated, priority) from tasks order by id",
    "recurrence": "select title, concat(recurrence_status, recurrence_trigger, recurrence_factor,"
    " recurrence_timeframe, recurrence_basedate) from tasks order by id",
    "task tag": "select concat(g.name, 'on', x.task_id), '' from task_has_tags x"
    " join tags g on g.id = x.tag_id",
    "task file": "select concat(name, 'of', task_id), size from task_has_files order by id",
    "task link": "select concat(x.task_id, l.label, x.opposite_task_id), '' from task_has_links x"
    " join links l on l.id = x.link_id",
    "external link": "select concat(title, 'of', task_id), concat(url, dependency)"
    " from task_has_external_links order by id",
    "task metadata": "select concat(task_id, name), value from task_has_metadata",
    "comment": "select concat(id, 'of', task_id), comment from comments",
    "subtask": "select concat(title, 'of', task_id), concat(status, time_estimated, time_spent,"
    " user_id, position) from subtasks order by id",
    "timer": "select concat(id, 'of', subtask_id), end > 0 from subtask_time_tracking",
}
Api = httpx.Client


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.data),
        "LD_LIBRARY_PATH": str(place.installed / "usr/lib/x86_64-linux-gnu"),
        "PHP_CLI_SERVER_WORKERS": "4",
        "DATA_DIR": str(place.data / "kanboard"),
        "LOG_DRIVER": "file",
    }


def _php(place: Place) -> tuple[str, ...]:
    return (str(place.installed / "usr/bin/php8.2"), "-c", str(place.data / "php.ini"))


def _make(place: Place) -> None:
    (place.data / "temp").mkdir()
    (place.data / "kanboard").mkdir()
    extensions = "\n".join(f"extension = {name}.so" for name in EXTENSIONS.split())
    names = {"extensions": extensions, "installed": place.installed, "data": place.data}
    (place.data / "php.ini").write_text(PHP_INI.format(**names))
    cli = str(place.installed / "program/cli")
    place.run(*_php(place), cli, "db:migrate", env=_env(place))
    hashed = f"echo password_hash('{PASSWORD}', PASSWORD_DEFAULT);"
    secret = place.run(*_php(place), "-r", hashed, env=_env(place))
    with closing(_database(place)) as database, database:
        database.execute("update users set password = ? where username = ?", (secret, USERNAME))
        for token in ("api_token", "webhook_token"):
            database.execute("update settings set value = ? where option = ?", (API_TOKEN, token))


def _services(place: Place) -> Sequence[Service]:
    address = f"127.0.0.1:{place.ports[0]}"
    site = str(place.installed / "program")
    return [Service(command=(*_php(place), "-S", address, "-t", site), env=_env(place))]


def _database(place: Place) -> sqlite3.Connection:
    database = sqlite3.connect(place.data / "kanboard/db.sqlite", timeout=30)
    database.create_function("concat", -1, _joined)
    return database


def _joined(*parts: object) -> str:
    return " ".join("" if part is None else str(part) for part in parts)


def _fill(place: Place) -> None:
    with httpx.Client(base_url=place.url, auth=("jsonrpc", API_TOKEN), timeout=60) as api:
        users = {USERNAME: 1}
        for username, (name, role) in USERS.items():
            user = {"username": username, "password": PASSWORD, "name": name, "role": role}
            users[username] = _ask(api, "createUser", {**user, "email": f"{username}@example.com"})
        group = _ask(api, "createGroup", {"name": "Workshop"})
        for username in ("mina", "otto"):
            _ask(api, "addGroupMember", {"group_id": group, "user_id": users[username]})
        _ask(api, "createGroup", {"name": "Office"})
        projects: dict[str, int] = {}
        for name, description in PROJECTS.items():
            project = {"name": name, "description": description, "owner_id": 1}
            projects[name] = _ask(api, "createProject", project)
            _settle(api, name, projects[name], users)
        orders = projects["Customer orders"]
        _divide(api, orders, users["bob"], group)
        tasks = _add_orders(api, orders, users)
        for name, titles in OTHERS.items():
            for title in titles:
                task = {"title": title, "project_id": projects[name], "owner_id": 1, "score": 2}
                _ask(api, "createTask", task)
        _add_details(api, tasks, users)
    with closing(_database(place)) as database:
        database.executescript(CONTENT)
    # Of another user, so that the account is told of it.
    with httpx.Client(base_url=place.url, auth=("mina", PASSWORD), timeout=60) as api:
        comment = {"task_id": tasks["Glass door"], "user_id": users["mina"]}
        _ask(api, "createComment", {**comment, "content": "The glass has come."})
    with closing(_database(place)) as database:
        database.executescript(QUIET)


def _settle(api: Api, name: str, project: int, users: Mapping[str, int]) -> None:
    """Who works in a project, its columns and categories."""
    for username in (USERNAME, "mina", "asha", "bob", "lena"):
        role = "project-manager" if username in (USERNAME, "mina") else "project-member"
        person = {"project_id": project, "user_id": users[username], "role": role}
        _ask(api, "addProjectUser", person)
    for title in COLUMNS.get(name, ()):
        _ask(api, "addColumn", {"project_id": project, "title": title})
    for category in CATEGORIES.get(name, ()):
        _ask(api, "createCategory", {"project_id": project, "name": category})


def _divide(api: Api, project: int, user: int, group: int) -> None:
    """What only one project has."""
    member = {"project_id": project, "group_id": group, "role": "project-member"}
    _ask(api, "addProjectGroup", member)
    for tag in ("wood", "metal", "stone", "urgent"):
        _ask(api, "createTag", {"project_id": project, "tag": tag})
    for swimlane in ("Export", "Repairs"):
        _ask(api, "addSwimlane", {"project_id": project, "name": swimlane})
    action = {
        "project_id": project,
        "event_name": "task.assignee_change",
        "action_name": "\\Kanboard\\Action\\TaskAssignColorUser",
        "params": {"color_id": "purple", "user_id": user},
    }
    _ask(api, "createAction", action)


def _add_orders(api: Api, project: int, users: Mapping[str, int]) -> Mapping[str, int]:
    of = {"project_id": project}
    columns = {each["title"]: each["id"] for each in _ask(api, "getColumns", of)}
    swimlanes = {each["name"]: each["id"] for each in _ask(api, "getAllSwimlanes", of)}
    categories = {each["name"]: each["id"] for each in _ask(api, "getAllCategories", of)}
    first = min(swimlanes.values())
    tasks: dict[str, int] = {}
    for title, column, swimlane, user, category, color, score, hours, due, tags in ORDERS:
        task = {
            **{"title": title, "color_id": color, "score": score, "date_due": due, "tags": tags},
            "owner_id": users.get(user, 0),
            "category_id": categories.get(category, 0),
            "swimlane_id": swimlanes.get(swimlane, first),
            "column_id": columns["Backlog" if title in MOVES else column],
            "time_estimated": hours,
            "creator_id": 1,
        }
        tasks[title] = _ask(api, "createTask", {**of, **task})
        for step in MOVES.get(title, ()):
            move = {"task_id": tasks[title], "column_id": columns[step], "position": 1}
            _ask(api, "moveTaskPosition", {**of, **move, "swimlane_id": first})
    old = _ask(api, "createTask", {**of, "title": "Tin bucket", "creator_id": 1})
    _ask(api, "closeTask", {"task_id": old})
    return tasks


def _add_details(api: Api, tasks: Mapping[str, int], users: Mapping[str, int]) -> None:
    for title, name, user, hours, status in SUBTASKS:
        subtask = {"title": name, "time_estimated": hours, "status": status}
        of = {"task_id": tasks[title], "user_id": users[user]}
        _ask(api, "createSubtask", {**of, **subtask})
    for title, user, content in COMMENTS:
        of = {"task_id": tasks[title], "user_id": users[user]}
        _ask(api, "createComment", {**of, "content": content})
    labels = {each["label"]: each["id"] for each in _ask(api, "getAllLinks", {})}
    for title, label, other in LINKS:
        link = {"task_id": tasks[title], "opposite_task_id": tasks[other]}
        _ask(api, "createTaskLink", {**link, "link_id": labels[label]})


def _ask(api: Api, method: str, given: Mapping[str, object]) -> Any:  # Any: JSON
    asked = {"jsonrpc": "2.0", "method": method, "id": 1, "params": given}
    answer = api.post("/jsonrpc.php", json=asked).raise_for_status().json()
    if not answer.get("result"):
        raise ZooError(f"Kanboard does not {method}: {answer}")
    return answer["result"]


def _witness(place: Place) -> Content:
    content: dict[str, dict[str, str]] = {}
    with closing(_database(place)) as database:
        for kind, query in QUERIES.items():
            of = content.setdefault(kind, {})
            # The oldest first: of two with one name, the later gets a number.
            for name, state in database.execute(query):
                same = sum(each == name or each.startswith(f"{name} #") for each in of)
                of[f"{name} #{same + 1}" if name in of else str(name)] = str(state)
    return content


CONSOLE = Console(
    name="kanboard",
    title="Kanboard 1.2.53",
    half="train",
    guide=Guide(
        repository="https://github.com/kanboard/documentation",
        commit="8a1a35c2f9c82ef8329ca6c9025bc47814349237",
        documents=(
            "content/en/v1/user",
            "content/en/v1/admin/email.md",
            "content/en/v1/admin/faq.md",
            "content/en/v1/admin/plugins.md",
            "content/en/v1/admin/security.md",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=(
        *("php8.2-cli", "php8.2-common", "php8.2-curl", "php8.2-gd", "php8.2-mbstring"),
        *("php8.2-sqlite3", "php8.2-xml", "libonig5"),
    ),
    program=Program(
        repository="https://github.com/kanboard/kanboard",
        commit="2cba210dbad4e110d4efdec97d71a38b5df48dad",
        parts=(
            *("app", "assets", "cli", "favicon.ico", "index.php", "jsonrpc.php", "libs"),
            *("LICENSE", "plugins", "robots.txt", "vendor"),
        ),
    ),
    ready="/?controller=AuthController&action=login",
    make=_make,
    services=_services,
    fill=_fill,
    witness=_witness,
)
