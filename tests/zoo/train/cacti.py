"""Cacti: graphs of networks; pages of PHP with lists, menus of actions, and forms after forms.

All of it comes from Debian; its requirements name one small package, since each console has some.
"""

import getpass
import shutil
from collections.abc import Mapping, Sequence

from tests.zoo.console import Console, Content, Guide, Place, Service

USERNAME, PASSWORD = "admin", "zoo-secret-1"
VERSION = "1.2.24"
DATABASE = "cacti"
EXTENSIONS = (
    "ctype dom gd gettext gmp iconv ldap mbstring mysqlnd pdo pdo_mysql posix simplexml sockets"
    " tokenizer xml"
)
PHP_INI = """
{extensions}
extension_dir = "{installed}/usr/lib/php/20220829"
include_path = ".:{data}/share/php"
memory_limit = 800M
max_execution_time = 120
date.timezone = "UTC"
session.save_path = "{data}/temp"
sys_temp_dir = "{data}/temp"
upload_tmp_dir = "{data}/temp"
pdo_mysql.default_socket = "{data}/db.sock"
"""
# Programs of the installation, with its libraries: Cacti itself starts them by their paths.
PROGRAM = """#!/bin/sh
export LD_LIBRARY_PATH="{installed}/usr/lib/x86_64-linux-gnu"
exec "{installed}/usr/bin/{program}" "$@"
"""
SETTINGS = """<?php
$database_type = 'mysql';
$database_default = '{database}';
$database_hostname = 'localhost';
$database_username = 'root';
$database_password = '';
$database_port = '3306';
$database_retries = 5;
$database_ssl = false;
$database_ssl_key = '';
$database_ssl_cert = '';
$database_ssl_ca = '';
$database_persist = false;
$poller_id = 1;
$url_path = '/';
$cacti_session_name = 'Cacti';
$cacti_db_session = false;
$disable_log_rotation = true;
$proxy_headers = null;
"""
# What the installer would ask for: it runs only where tools are that nothing here needs.
INSTALLED = """
update version set cacti = '{version}';
update user_auth set must_change_password = '', password = '{password}' where username = 'admin';
replace into settings values
  ('path_cactilog', '{data}/share/cacti/site/log/cacti.log'),
  ('path_php_binary', '{data}/php'), ('path_rrdtool', '{data}/rrdtool'),
  ('rrdtool_version', '1.7.2'), ('auth_method', '1'), ('selected_theme', 'modern'),
  ('i18n_default_language', 'en-US');
"""
TEMPLATES = ("Local_Linux_Machine", "Generic_SNMP_Device", "Cisco_Router")
DEVICES = {"Local Linux Machine": "localhost", "Backup host": "127.0.0.2", "Gateway": "127.0.0.3"}
CONTENT = """
insert into user_auth (username, password, realm, full_name, show_tree, show_list, show_preview,
    graph_settings, login_opts, enabled) values
  ('mina', '{password}', 0, 'Mina Berg', 'on', 'on', 'on', 'on', 1, 'on'),
  ('otto', '{password}', 0, 'Otto Vance', 'on', 'on', 'on', 'on', 3, ''),
  ('asha', '{password}', 0, 'Asha Patel', 'on', '', 'on', '', 2, 'on');
insert into user_auth_realm (realm_id, user_id)
  select r.realm_id, u.id from user_auth u join (select 7 as realm_id union select 8) r
  where u.username in ('mina', 'asha');
insert into user_auth_group (name, description, enabled) values ('Operators', 'Who watch', 'on');
insert into sites (name, city) values ('Harbour', 'Hamburg');
insert into graph_tree (name, sort_type, sequence, user_id, modified_by)
  values ('Night', 1, 2, 1, 1);
insert into host_graph (host_id, graph_template_id) select h.id, g.id
  from host h, graph_templates g where h.description = 'Gateway' and g.name = 'Unix - Load Average';
insert into reports (user_id, name, mailtime, from_name, from_email, email, bcc, enabled)
  values (1, 'Weekly', unix_timestamp('2030-01-01'), 'Cacti', 'cacti@example.com',
    'a@example.com', '', '');
"""
# By kind: names and states; what is counted, polled and logged is left out.
QUERIES = {
    "user": "select username, concat_ws(' ', full_name, email_address, realm, enabled, password,"
    " must_change_password, password_change, show_tree, show_list, show_preview, graph_settings,"
    " login_opts, policy_graphs, policy_trees, policy_hosts, policy_graph_templates, locked)"
    " from user_auth",
    "user permission": "select concat(u.username, ' ', r.realm_id), '' from user_auth_realm r"
    " join user_auth u on u.id = r.user_id",
    "item permission": "select concat(u.username, ' ', p.type, ' ', p.item_id), ''"
    " from user_auth_perms p join user_auth u on u.id = p.user_id",
    "user group": "select name, concat_ws(' ', description, enabled, login_opts, policy_graphs,"
    " policy_trees, policy_hosts, policy_graph_templates) from user_auth_group",
    "member": "select concat(u.username, ' in ', g.name), '' from user_auth_group_members m"
    " join user_auth u on u.id = m.user_id join user_auth_group g on g.id = m.group_id",
    "device": "select concat(description, if(deleted = 'on', ' (deleted)', '')), concat_ws(' ',"
    " hostname, host_template_id, site_id, poller_id, location, notes, external_id, disabled,"
    " snmp_version, snmp_community, snmp_port, snmp_timeout, availability_method, ping_method,"
    " ping_port, ping_timeout, ping_retries, max_oids, device_threads) from host",
    "graph template of device": "select concat(g.name, ' of ', h.description), '' from host_graph x"
    " join host h on h.id = x.host_id join graph_templates g on g.id = x.graph_template_id",
    "data query of device": "select concat(q.name, ' of ', h.description), reindex_method"
    " from host_snmp_query x join host h on h.id = x.host_id"
    " join snmp_query q on q.id = x.snmp_query_id",
    "site": "select name, concat_ws(' ', address1, address2, city, state, postal_code, country,"
    " timezone, latitude, longitude, zoom, alternate_id, notes) from sites",
    "graph": "select concat(l.id, ' ', coalesce(h.description, '')), concat_ws(' ', g.title,"
    " g.graph_template_id, g.height, g.width, g.vertical_label, g.upper_limit, g.lower_limit,"
    " l.snmp_index) from graph_local l left join host h on h.id = l.host_id"
    " join graph_templates_graph g on g.local_graph_id = l.id",
    "graph item": "select id, concat_ws(' ', graph_type_id, color_id, task_item_id, text_format,"
    " cdef_id, vdef_id, gprint_id) from graph_templates_item where local_graph_id <> 0",
    "graph template": "select concat(g.name), concat_ws(' ', g.multiple, g.test_source, x.title,"
    " x.height, x.width, x.vertical_label, x.upper_limit, x.lower_limit, x.base_value,"
    " x.slope_mode, x.auto_scale, x.image_format_id) from graph_templates g"
    " join graph_templates_graph x on x.graph_template_id = g.id and x.local_graph_id = 0",
    "graph template item": "select concat(i.id, ' of ', g.name), concat_ws(' ', i.graph_type_id,"
    " i.color_id, i.alpha, i.task_item_id, i.text_format, i.cdef_id, i.vdef_id, i.gprint_id,"
    " i.sequence, i.consolidation_function_id, i.value) from graph_templates_item i"
    " join graph_templates g on g.id = i.graph_template_id where i.local_graph_id = 0",
    "graph item input": "select concat(i.id, ' of ', g.name), concat_ws(' ', i.name, i.column_name,"
    " i.description, (select group_concat(d.graph_template_item_id)"
    " from graph_template_input_defs d where d.graph_template_input_id = i.id))"
    " from graph_template_input i join graph_templates g on g.id = i.graph_template_id",
    "data template": "select t.name, concat_ws(' ', d.name, d.data_input_id, d.active,"
    " d.data_source_profile_id, d.t_name, d.t_active) from data_template t"
    " join data_template_data d on d.data_template_id = t.id and d.local_data_id = 0",
    "data template item": "select concat(r.id, ' of ', t.name), concat_ws(' ', r.data_source_name,"
    " r.rrd_minimum, r.rrd_maximum, r.rrd_heartbeat, r.data_source_type_id, r.data_input_field_id)"
    " from data_template_rrd r join data_template t on t.id = r.data_template_id"
    " where r.local_data_id = 0",
    "data source": "select concat(l.id, ' ', coalesce(h.description, '')), concat_ws(' ', d.name,"
    " d.data_template_id, d.data_input_id, d.active, d.data_source_profile_id) from data_local l"
    " left join host h on h.id = l.host_id join data_template_data d on d.local_data_id = l.id",
    "data source profile": "select name, concat_ws(' ', step, heartbeat, x_files_factor, `default`)"
    " from data_source_profiles",
    "archive of profile": "select concat(r.name, ' of ', p.name), concat_ws(' ', r.steps, r.rows,"
    " r.timespan) from data_source_profiles_rra r"
    " join data_source_profiles p on p.id = r.data_source_profile_id",
    "data input method": "select name, concat_ws(' ', input_string, type_id) from data_input",
    "data input field": "select concat(f.id, ' of ', i.name), concat_ws(' ', f.name, f.data_name,"
    " f.input_output, f.update_rra, f.type_code, f.regexp_match, f.allow_nulls)"
    " from data_input_fields f join data_input i on i.id = f.data_input_id",
    "data query": "select name, concat_ws(' ', xml_path, description, data_input_id)"
    " from snmp_query",
    "graph template of data query": "select concat(q.name, ' ', g.id), concat_ws(' ', g.name,"
    " g.graph_template_id, (select group_concat(concat(r.data_template_rrd_id, r.snmp_field_name))"
    " from snmp_query_graph_rrd r where r.snmp_query_graph_id = g.id)) from snmp_query_graph g"
    " join snmp_query q on q.id = g.snmp_query_id",
    "device template": "select name, class from host_template",
    "graph template of device template": "select concat(g.name, ' of ', t.name), ''"
    " from host_template_graph x join host_template t on t.id = x.host_template_id"
    " join graph_templates g on g.id = x.graph_template_id",
    "data query of device template": "select concat(q.name, ' of ', t.name), ''"
    " from host_template_snmp_query x join host_template t on t.id = x.host_template_id"
    " join snmp_query q on q.id = x.snmp_query_id",
    "CDEF": "select name, '' from cdef",
    "CDEF item": "select concat(i.id, ' of ', c.name), concat_ws(' ', i.sequence, i.type, i.value)"
    " from cdef_items i join cdef c on c.id = i.cdef_id",
    "VDEF": "select name, '' from vdef",
    "VDEF item": "select concat(i.id, ' of ', v.name), concat_ws(' ', i.sequence, i.type, i.value)"
    " from vdef_items i join vdef v on v.id = i.vdef_id",
    "GPRINT preset": "select name, gprint_text from graph_templates_gprint",
    "color": "select hex, name from colors",
    "aggregate template": "select name, graph_template_id from aggregate_graph_templates",
    "tree": "select name, concat_ws(' ', enabled, locked, sort_type, sequence) from graph_tree",
    "tree item": "select concat(i.id, ' in ', t.name), concat_ws(' ', i.parent, i.position,"
    " i.local_graph_id, i.title, i.host_id, i.site_id, i.sort_children_type)"
    " from graph_tree_items i join graph_tree t on t.id = i.graph_tree_id",
    "tree rule": "select name, concat_ws(' ', tree_id, leaf_type, enabled)"
    " from automation_tree_rules",
    "graph rule": "select name, concat_ws(' ', snmp_query_id, graph_type_id, enabled)"
    " from automation_graph_rules",
    "network": "select name, concat_ws(' ', subnet_range, enabled, snmp_id, sched_type)"
    " from automation_networks",
    "report": "select name, concat_ws(' ', email, subject, enabled, intrvl, `count`) from reports",
    "report item": "select id, concat_ws(' ', report_id, item_type, item_text, local_graph_id,"
    " host_id, tree_id, sequence) from reports_items",
    "external link": "select title, concat_ws(' ', contentfile, style, enabled)"
    " from external_links",
    "setting": "select name, value from settings where name in ('auth_method', 'guest_user',"
    " 'user_template', 'graph_auth_method', 'poller_interval', 'selected_theme')",
    "user setting": "select concat(u.username, ' ', s.name), s.value from settings_user s"
    " join user_auth u on u.id = s.user_id",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(place.data),
        "LD_LIBRARY_PATH": str(place.installed / "usr/lib/x86_64-linux-gnu"),
        "PHP_CLI_SERVER_WORKERS": "4",
    }


def _database(place: Place) -> Service:
    """On a socket only."""
    options = {
        "basedir": str(place.installed / "usr"),
        "datadir": str(place.data / "db"),
        "socket": str(place.data / "db.sock"),
        "pid-file": str(place.data / "db.pid"),
        "user": getpass.getuser(),
        "character-set-server": "utf8mb4",
        "collation-server": "utf8mb4_unicode_ci",
        "innodb-log-file-size": "8M",
        "innodb-buffer-pool-size": "64M",
        "innodb-flush-log-at-trx-commit": "0",
    }
    given = [f"--{name}={value}" for name, value in options.items()]
    server = str(place.installed / "usr/sbin/mariadbd")
    return Service(command=(server, "--no-defaults", "--skip-networking", *given), env=_env(place))


def _client(place: Place, database: str = "") -> tuple[str, ...]:
    program = str(place.installed / "usr/bin/mariadb")
    options = ("--no-defaults", f"--socket={place.data}/db.sock", "--user=root", "-NB")
    return (program, *options, *([database] if database else []))


def _ask(place: Place, statements: str) -> str:
    return place.run(*_client(place, DATABASE), "-e", statements, env=_env(place))


def _make(place: Place) -> None:
    _lay(place)
    usr = place.installed / "usr"
    place.run(
        *(str(usr / "bin/mariadb-install-db"), "--no-defaults", f"--basedir={usr}"),
        *(f"--datadir={place.data}/db", f"--user={getpass.getuser()}", "--skip-test-db"),
        *("--auth-root-authentication-method=normal", "--innodb-log-file-size=8M"),
        env=_env(place),
    )
    with place.serving([_database(place)]):
        place.run(*_client(place), "-e", "select 1", env=_env(place), tries=120)
        _fill_database(place)


def _lay(place: Place) -> None:
    """Its pages among the data, since they write beside themselves; what they share is linked."""
    share = place.data / "share"
    shutil.copytree(place.installed / "usr/share/cacti", share / "cacti", symlinks=True)
    for name in ("javascript", "php", "nodejs", "fonts-fork-awesome", "doc"):
        (share / name).symlink_to(place.installed / "usr/share" / name)
    site = share / "cacti/site"
    for folder in ("log", "cache", "rra"):
        (site / folder).unlink()
        (site / folder).mkdir()
    for folder in ("boost", "mibcache", "realtime", "spikekill"):
        (site / "cache" / folder).mkdir()
    (site / "log/cacti.log").touch()
    (place.data / "temp").mkdir()
    settings = site / "include/config.php"
    settings.unlink()
    settings.write_text(SETTINGS.replace("{database}", DATABASE))
    extensions = "\n".join(f"extension = {name}.so" for name in EXTENSIONS.split())
    names = {"extensions": extensions, "installed": place.installed, "data": place.data}
    (place.data / "php.ini").write_text(PHP_INI.format(**names))
    _program(place, "php", f'php8.2" -c "{place.data}/php.ini')
    _program(place, "rrdtool", "rrdtool")


def _program(place: Place, name: str, program: str) -> None:
    path = place.data / name
    path.write_text(PROGRAM.format(installed=place.installed, program=program))
    path.chmod(0o755)


def _fill_database(place: Place) -> None:
    php = str(place.data / "php")
    cacti = place.data / "share/cacti"
    place.run(*_client(place), "-e", f"create database {DATABASE}", env=_env(place))
    _ask(place, f"source {cacti}/conf_templates/cacti.sql")
    secret = place.run(
        php, "-r", f"echo password_hash('{PASSWORD}', PASSWORD_DEFAULT);", env=_env(place)
    )
    names = {"version": VERSION, "password": secret, "data": place.data}
    _ask(place, INSTALLED.format(**names))
    for template in TEMPLATES:
        package = cacti / f"site/install/templates/{template}.xml.gz"
        command = (php, str(cacti / "cli/import_package.php"), f"--filename={package}")
        place.run(*command, "--profile-id=1", env=_env(place))
    for name, address in DEVICES.items():
        template = _ask(place, f"select id from host_template where name = '{name}'").strip()
        options = (f"--ip={address}", f"--template={template or 0}", "--avail=none", "--version=0")
        add = (php, str(cacti / "cli/add_device.php"), f"--description={name}")
        place.run(*add, *options, env=_env(place))
    _ask(place, CONTENT.format(**names))


def _services(place: Place) -> Sequence[Service]:
    ping = " ".join((*_client(place), "-e", "'select 1'"))
    address = f"127.0.0.1:{place.ports[0]}"
    serve = f"exec {place.data}/php -S {address} -t {place.data}/share/cacti/site"
    wait = f"until {ping}; do sleep 0.3; done; {serve}"
    return [_database(place), Service(command=("/bin/sh", "-c", wait), env=_env(place))]


def _witness(place: Place) -> Content:
    query = " union all ".join(
        f"select '{kind}', q.* from ({query}) as q" for kind, query in QUERIES.items()
    )
    content: dict[str, dict[str, str]] = {kind: {} for kind in QUERIES}
    for row in _ask(place, query).splitlines():
        kind, name, state = row.split("\t")
        content[kind][name] = state
    return content


CONSOLE = Console(
    name="cacti",
    title=f"Cacti {VERSION}",
    half="train",
    guide=Guide(
        repository="https://github.com/Cacti/documentation",
        commit="ff26d0693b89f58527b2af06d22e01bb76e7bba0",
        documents=(
            "Automation-Networks.md",
            "Data-Input-Methods.md",
            "Data-Profiles.md",
            "Data-Queries.md",
            "Device-Templates.md",
            "Devices.md",
            "Frequently-Asked-Questions.md",
            "Graph-a-Single-SNMP-OID.md",
            "How-To-Create-Data-Input-Method.md",
            "How-To-Work-With-Templates.md",
            "How-to-Graph-Your-Network.md",
            "Import-Template.md",
            "RRDtool-Specific-Features.md",
            "Templates.md",
            "Trees.md",
            "User-Management.md",
            "Viewing-Graphs.md",
        ),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=(
        *("cacti", "mariadb-server-core", "mariadb-server", "mariadb-client-core", "libmariadb3"),
        *("liburing2", "libaio1", "libsnappy1v5", "php8.2-cli", "php8.2-common", "php8.2-mysql"),
        *("php8.2-xml", "php8.2-mbstring", "php8.2-gmp", "php8.2-gd", "php8.2-ldap", "rrdtool"),
        *("librrd8", "libdbi1", "libjs-chart.js", "node-d3", "node-dompurify", "libjs-jquery"),
        *("libjs-jquery-cookie", "libjs-jquery-hotkeys", "libjs-jquery-metadata"),
        *("libjs-jquery-tablesorter", "libjs-jquery-timepicker", "libjs-jquery-ui"),
        *("libjs-jquery-ui-touch-punch", "libphp-phpmailer", "node-ua-parser-js"),
        *("php-phpmyadmin-motranslator", "php-phpseclib", "php-twig", "libjs-jquery-colorpicker"),
        *("libjs-jquery-jstree", "libjs-jquery-ui-theme-smoothness", "fonts-fork-awesome"),
        *("libjs-jquery-ui-theme-south-street", "libjs-jquery-ui-theme-ui-darkness"),
    ),
    ready="/index.php",
    make=_make,
    services=_services,
    fill=lambda _: None,
    witness=_witness,
)
