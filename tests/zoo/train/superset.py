"""Superset: charts and dashboards; one page of React with menus, dialogs and drag and drop."""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
SETTINGS = """
SECRET_KEY = "for this zoo only and for nothing else, so it may stand here"
SQLALCHEMY_DATABASE_URI = "sqlite:///{data}/superset.db?check_same_thread=false"
# The tables that are looked at are in SQLite, too.
PREVENT_UNSAFE_DB_CONNECTIONS = False
TALISMAN_ENABLED = False
RATELIMIT_ENABLED = False
AUTH_RATE_LIMITED = False
FEATURE_FLAGS = {{"ALERT_REPORTS": True}}
CACHE_CONFIG = DATA_CACHE_CONFIG = {{"CACHE_TYPE": "NullCache"}}
FILTER_STATE_CACHE_CONFIG = {{"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 86400}}
EXPLORE_FORM_DATA_CACHE_CONFIG = {{"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 86400}}
"""
TABLES = """
import random, sqlite3
from contextlib import closing
from datetime import date, timedelta

chance = random.Random(7)
new_year = date(2011, 1, 1)
with closing(sqlite3.connect("examples.db")) as examples, examples:
    examples.execute(
        'create table tutorial_flights ("Department" varchar(20), "Cost" float,'
        ' "Travel Class" varchar(20), "Ticket Single or Return" varchar(10),'
        ' "Travel Date" datetime, "Origin Name" varchar(30), "Destination Name" varchar(30),'
        ' "Distance" float)'
    )
    for day in range(365):
        for _ in range(2):
            fare = chance.choice(["Economy", "Premium Economy", "Business", "First Class"])
            ticket = chance.choice(["Single", "Return"])
            # As the guide says of its data: returns cost more, most of all in December.
            cost = chance.uniform(60, 500) * (1 if ticket == "Single" else 1.4)
            cost *= 2.2 if ticket == "Return" and day >= 334 else 1
            examples.execute("insert into tutorial_flights values (?, ?, ?, ?, ?, ?, ?, ?)", (
                chance.choice(["Orange", "Yellow", "Purple"]),
                round(cost, 2),
                fare,
                ticket,
                f"{new_year + timedelta(days=day)} 00:00:00.000000",
                chance.choice(["London Heathrow", "Manchester"]),
                chance.choice(["Oslo", "Lisbon", "Berlin"]),
                chance.randint(400, 3000),
            ))
    examples.execute(
        "create table expenses (department varchar(20), amount float, paid_on datetime)"
    )
    examples.execute(
        "create table cleaned_sales_data"
        " (order_number integer, product_line varchar(30), sales float, order_date datetime)"
    )
    for number in range(60):
        day = f"{new_year + timedelta(days=6 * number)} 00:00:00.000000"
        office = chance.choice(["finance", "research", "harbour"])
        examples.execute(
            "insert into expenses values (?, ?, ?)", (office, chance.randint(20, 700), day)
        )
        product = chance.choice(["Trains", "Ships", "Planes"])
        examples.execute(
            "insert into cleaned_sales_data values (?, ?, ?, ?)",
            (10100 + number, product, chance.randint(100, 5000), day),
        )
with closing(sqlite3.connect("warehouse.db")) as warehouse, warehouse:
    warehouse.execute("create table parcels (code varchar(10), weight float)")
    warehouse.execute("insert into parcels values ('P-1', 2.5)")
"""
CONTENT = """
import json, sqlite3
from contextlib import closing
from superset.app import create_app

app = create_app()
with app.app_context():
    from flask import g
    from superset import db, security_manager
    from superset.connectors.sqla.models import SqlaTable
    from superset.models.core import Database
    from superset.models.dashboard import Dashboard
    from superset.models.slice import Slice

    admin = g.user = security_manager.find_user("{username}")
    examples = Database(
        database_name="examples",
        sqlalchemy_uri="sqlite:///examples.db?check_same_thread=false",
        expose_in_sqllab=True,
    )
    db.session.add(examples)
    db.session.commit()
    datasets = {{}}
    for name, time in (("tutorial_flights", "Travel Date"), ("expenses", "paid_on")):
        dataset = SqlaTable(
            table_name=name, schema="main", database=examples, main_dttm_col=time, owners=[admin]
        )
        db.session.add(dataset)
        db.session.flush()
        dataset.fetch_metadata()
        datasets[name] = dataset
    db.session.commit()
    # A column that came later, and is not known yet.
    with closing(sqlite3.connect("examples.db")) as tables, tables:
        tables.execute("alter table expenses add column supplier varchar(20) default 'Fjord'")

    def total(dataset, column, how="SUM"):
        found = next(each for each in dataset.columns if each.column_name == column)
        return {{
            "expressionType": "SIMPLE", "aggregate": how, "label": f"{{how}}({{column}})",
            "column": {{"column_name": column, "id": found.id, "type": found.type}},
            "optionName": f"metric_{{how.lower()}}_{{found.id}}",
        }}

    def chart(name, dataset, kind, **params):
        held = {{"datasource": f"{{dataset.id}}__table", "viz_type": kind, **params}}
        made = Slice(
            slice_name=name, viz_type=kind, datasource_type="table", datasource_id=dataset.id,
            params=json.dumps(held), owners=[admin],
        )
        db.session.add(made)
        db.session.flush()
        return made

    def span(column, comparator):
        return [{{
            "clause": "WHERE", "expressionType": "SIMPLE", "operator": "TEMPORAL_RANGE",
            "subject": column, "comparator": comparator,
        }}]

    flights, expenses = datasets["tutorial_flights"], datasets["expenses"]
    table = chart(
        "Tutorial Table", flights, "table", query_mode="aggregate", groupby=["Travel Class"],
        metrics=["count", total(flights, "Cost")], row_limit=1000, adhoc_filters=[],
    )
    line = chart(
        "Tutorial Line Chart", flights, "echarts_timeseries_line", x_axis="Travel Date",
        time_grain_sqla="P1M", metrics=[total(flights, "Cost", "AVG")],
        groupby=["Ticket Single or Return"], adhoc_filters=span("Travel Date", "No filter"),
        row_limit=10000,
    )
    base = chart(
        "Tutorial Advanced Analytics Base", flights, "echarts_timeseries_line",
        x_axis="Travel Date", time_grain_sqla="P1D", metrics=[total(flights, "Cost")], groupby=[],
        adhoc_filters=span("Travel Date", "2011-10-01 : 2011-10-31"), row_limit=10000,
    )
    pie = chart(
        "Expenses by Department", expenses, "pie", groupby=["department"],
        metric=total(expenses, "amount"), adhoc_filters=[], row_limit=100,
    )

    def dashboard(title, slug, published, charts):
        position = {{
            "DASHBOARD_VERSION_KEY": "v2",
            "ROOT_ID": {{"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]}},
            "GRID_ID": {{
                "type": "GRID", "id": "GRID_ID", "parents": ["ROOT_ID"], "children": ["ROW-1"],
            }},
            "HEADER_ID": {{"type": "HEADER", "id": "HEADER_ID", "meta": {{"text": title}}}},
            "ROW-1": {{
                "type": "ROW", "id": "ROW-1", "parents": ["ROOT_ID", "GRID_ID"],
                "meta": {{"background": "BACKGROUND_TRANSPARENT"}},
                "children": [f"CHART-{{each.id}}" for each in charts],
            }},
        }}
        for each in charts:
            position[f"CHART-{{each.id}}"] = {{
                "type": "CHART", "id": f"CHART-{{each.id}}", "children": [],
                "parents": ["ROOT_ID", "GRID_ID", "ROW-1"],
                "meta": {{
                    "chartId": each.id, "width": 3, "height": 50, "sliceName": each.slice_name,
                    "uuid": str(each.uuid),
                }},
            }}
        db.session.add(Dashboard(
            dashboard_title=title, slug=slug, published=published, slices=charts, owners=[admin],
            position_json=json.dumps(position), json_metadata=json.dumps({{"color_scheme": ""}}),
        ))

    dashboard("Tutorial Dashboard", "tutorial", False, [table, line, base])
    dashboard("Office Money", "money", True, [pie])
    finance = security_manager.add_role("Finance")
    seen = security_manager.find_permission_view_menu("datasource_access", expenses.perm)
    security_manager.add_permission_role(finance, seen)
    gamma = security_manager.find_role("Gamma")
    for name, first, last, roles in (
        ("mina", "Mina", "Berg", [gamma]), ("finn", "Finn", "Dahl", [gamma, finance])
    ):
        security_manager.add_user(
            name, first, last, f"{{name}}@example.com", roles, password="{password}"
        )
    db.session.commit()
"""
# By kind: names and states; what the console keeps for itself (logs, caches, links) is left out.
QUERIES = {
    "database": "select database_name, sqlalchemy_uri || ' ' || coalesce(extra, '') || ' '"
    " || coalesce(allow_file_upload, '') || coalesce(allow_ctas, '') || coalesce(allow_dml, '')"
    " || coalesce(expose_in_sqllab, '') || coalesce(allow_run_async, '')"
    " || coalesce(cache_timeout, '') from dbs",
    "dataset": "select table_name, coalesce(sql, '') || ' ' || coalesce(main_dttm_col, '') || ' '"
    " || coalesce(description, '') || ' ' || coalesce(offset, '') || ' '"
    " || coalesce(cache_timeout, '') || ' ' || coalesce(default_endpoint, '') from tables",
    "column": "select t.table_name || '.' || c.column_name, coalesce(c.is_dttm, '')"
    " || coalesce(c.groupby, '') || coalesce(c.filterable, '') || ' ' || coalesce(c.type, '')"
    " || ' ' || coalesce(c.expression, '') || ' ' || coalesce(c.verbose_name, '') || ' '"
    " || coalesce(c.python_date_format, '') || ' ' || coalesce(c.description, '')"
    " from table_columns c join tables t on t.id = c.table_id order by c.id",
    "metric": "select t.table_name || '.' || m.metric_name, m.expression || ' '"
    " || coalesce(m.verbose_name, '') || ' ' || coalesce(m.description, '') || ' '"
    " || coalesce(m.extra, '') from sql_metrics m join tables t on t.id = m.table_id"
    " order by m.id",
    "chart": "select slice_name, viz_type || ' ' || datasource_id || ' ' || params from slices"
    " order by id",
    "dashboard": "select dashboard_title, coalesce(published, '') || ' ' || coalesce(slug, '')"
    " || ' ' || coalesce(position_json, '') || ' ' || coalesce(json_metadata, '') || ' '"
    " || coalesce(css, '') from dashboards order by id",
    "chart in dashboard": "select d.dashboard_title || ': ' || s.slice_name, ''"
    " from dashboard_slices m join dashboards d on d.id = m.dashboard_id"
    " join slices s on s.id = m.slice_id order by m.id",
    "favourite": "select class_name || ' ' || obj_id || ' of ' || user_id, '' from favstar",
    "annotation layer": "select name, coalesce(descr, '') from annotation_layer order by id",
    "annotation": "select short_descr, l.name || ' ' || a.start_dttm || ' ' || a.end_dttm"
    " from annotation a join annotation_layer l on l.id = a.layer_id order by a.id",
    "row level security": "select name, filter_type || ' ' || clause || ' '"
    " || coalesce(group_key, '') || ' ' || (select group_concat(table_id)"
    " from rls_filter_tables x where x.rls_filter_id = f.id) || ' ' || coalesce((select"
    " group_concat(role_id) from rls_filter_roles y where y.rls_filter_id = f.id), '')"
    " from row_level_security_filters f",
    "role": "select name, (select count(*) from ab_permission_view_role p where p.role_id = r.id)"
    " from ab_role r",
    "member": "select u.username || ' in ' || r.name, '' from ab_user_role m"
    " join ab_user u on u.id = m.user_id join ab_role r on r.id = m.role_id",
    "user": "select username, first_name || ' ' || last_name || ' ' || email || ' ' || active"
    " from ab_user",
    "saved query": "select coalesce(label, ''), sql from saved_query order by id",
    "alert or report": "select type || ' ' || name, crontab || ' ' || active from report_schedule",
    "css template": "select template_name, css from css_templates",
    "tag": "select name, type from tag",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": f"{place.installed}/venv/bin:/usr/bin:/bin",
        "HOME": str(place.data),
        "SUPERSET_HOME": str(place.data),
        "SUPERSET_CONFIG_PATH": str(place.data / "superset_config.py"),
        "FLASK_APP": "superset.app:create_app()",
        "SCARF_ANALYTICS": "false",
        "PYTHONWARNINGS": "ignore",
    }


def _make(place: Place) -> None:
    (place.data / "superset_config.py").write_text(SETTINGS.format(data=place.data))
    superset, python = place.program("superset"), place.program("python")
    place.run(python, "-c", TABLES, env=_env(place))
    place.run(superset, "db", "upgrade", env=_env(place))
    names = ("--username", USERNAME, "--firstname", "Ada", "--lastname", "Admin")
    secrets = ("--email", "admin@example.com", "--password", PASSWORD)
    place.run(superset, "fab", "create-admin", *names, *secrets, env=_env(place))
    place.run(superset, "init", env=_env(place))
    content = CONTENT.format(username=USERNAME, password=PASSWORD)
    place.run(python, "-c", content, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    # One process: the caches that hold what a page is about are in its memory.
    workers = ("--workers", "1", "--worker-class", "gthread", "--threads", "8", "--timeout", "120")
    address = ("--bind", f"127.0.0.1:{place.ports[0]}")
    server = (place.program("gunicorn"), *workers, *address, "superset.app:create_app()")
    return [Service(command=server, env=_env(place))]


def _witness(place: Place) -> Content:
    path = f"file:{place.data / 'superset.db'}?mode=ro"
    with closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
        return {kind: _things(database, query) for kind, query in QUERIES.items()}


def _things(database: sqlite3.Connection, query: str) -> Mapping[str, str]:
    """Charts and others may have the same name: the second one is told by a number."""
    seen: Counter[str] = Counter()
    things: dict[str, str] = {}
    for name, state in database.execute(query):
        seen[str(name)] += 1
        number = f" ({seen[str(name)]})" if seen[str(name)] > 1 else ""
        things[f"{name}{number}"] = str(state)
    return things


CONSOLE = Console(
    name="superset",
    title="Apache Superset 5.0.0",
    half="train",
    guide=Guide(
        repository="https://github.com/apache/superset",
        commit="0e165c1a21a90098adfea8efa5006e4feb2adf11",
        documents=(
            "docs/docs/using-superset",
            "docs/docs/security",
            "docs/docs/configuration/alerts-reports.mdx",
            "docs/docs/configuration/importing-exporting-datasources.mdx",
            "docs/docs/configuration/networking-settings.mdx",
            "docs/docs/faq.mdx",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    ready="/login/",
    start_timeout_s=180,
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
