from pathlib import Path

import pytest

from appliance.config import Settings, load, load_settings
from appliance.core.errors import ConfigError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def complaint(file=None, environ=None, overrides=None) -> str:
    with pytest.raises(ConfigError) as caught:
        load_settings(file, environ or {}, overrides or {})
    return str(caught.value)


def written(text: str, name: str = "config.yaml") -> Path:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_without_any_source_it_is_the_embedded_default():
    assert load_settings(None, {}, {}) == Settings()
    assert load(None, {"PATH": "/bin"}, {}).origins == {}


def test_each_source_wins_over_the_one_before():
    written("browser: {pool_size: 3, quiet_ms: 10}\nverification:\n  parallel: 4\n")
    environ = {"APPLIANCE_BROWSER__POOL_SIZE": "5", "APPLIANCE_VERIFICATION__PARALLEL": "6"}
    loaded = load(None, environ, {"browser.pool_size": 7})
    assert loaded.settings.browser.pool_size == 7
    assert loaded.settings.browser.quiet_ms == 10
    assert loaded.settings.verification.parallel == 6
    assert loaded.settings.verification.max_actions == 150
    assert loaded.file == Path("config.yaml")
    assert loaded.origins[("browser", "pool_size")] == "--pool-size"
    assert loaded.origins[("browser", "quiet_ms")] == "config.yaml:1"
    assert loaded.origins[("verification", "parallel")] == "APPLIANCE_VERIFICATION__PARALLEL"


def test_a_named_file_is_read_instead_of_the_one_in_the_folder():
    written("data_dir: here\n")
    other = written("data_dir: there\n", "etc/other.yaml")
    assert load_settings(other, {}, {}).data_dir == Path("etc/there")


def test_relative_paths_start_where_they_are_written():
    file = written(
        "data_dir: /var/lib/x\nconsoles:\n  p:\n    kind: practice\n    drift: d.yaml\n"
        "    accounts: {a: {username: a, password_file: ~/secret}}\n"
        "documentation: {paths: [docs, /srv/more]}\n",
        "etc/c.yaml",
    )
    paths = load_settings(file, {}, {}).documentation.paths
    assert paths == (Path("etc/docs"), Path("/srv/more"))
    console = load_settings(file, {}, {}).consoles["p"]
    assert console.drift == Path("etc/d.yaml")
    assert console.accounts["a"].password_file == Path.home() / "secret"
    settings = load_settings(file, {"APPLIANCE_CONSOLES__P__DRIFT": "d.yaml"}, {})
    assert settings.data_dir == Path("/var/lib/x")
    assert settings.consoles["p"].drift == Path("d.yaml")


def test_the_first_console_is_the_default_one():
    written("consoles: {b: {kind: practice}, a: {kind: practice}}\n")
    assert load_settings(None, {}, {}).console == "b"
    assert load_settings(None, {"APPLIANCE_CONSOLE": "a"}, {}).console == "a"


def test_a_variable_refines_the_embedded_console():
    settings = load_settings(None, {"APPLIANCE_CONSOLES__PRACTICE__RELEASE": "2026.10"}, {})
    assert settings.consoles["practice"].release == "2026.10"
    assert settings.consoles["practice"].kind == "practice"


def test_a_variable_finds_the_users_own_spelling_of_a_name():
    written("consoles: {My-Lab: {kind: practice}}\n")
    settings = load_settings(None, {"APPLIANCE_CONSOLES__MY_LAB__LOCALE": "zh"}, {})
    assert settings.consoles["My-Lab"].locale == "zh"


def test_groups_and_lists_in_variables_are_yaml():
    environ = {
        "APPLIANCE_CONSOLES__LAB": "{kind: practice, url: 'http://lab'}",
        "APPLIANCE_CONSOLES__LAB__HOSTS": "[a, 'b:1']",
        "APPLIANCE_BROWSER__HEADLESS": "no",
        "APPLIANCE_BROWSER__EXECUTABLE": "",
    }
    settings = load_settings(None, environ, {})
    assert settings.consoles["lab"].url == "http://lab"
    assert settings.consoles["lab"].hosts == ("a", "b:1")
    assert settings.browser.headless is False
    assert settings.browser.executable is None


def test_text_in_a_variable_stays_text():
    assert complaint(environ={"APPLIANCE_CONSOLE": "123"}).startswith("APPLIANCE_CONSOLE: ")
    environ = {"APPLIANCE_CONSOLES__PRACTICE__RELEASE": "2026.10"}
    assert load_settings(None, environ, {}).consoles["practice"].release == "2026.10"


def test_a_group_whose_keys_are_commented_out_says_nothing():
    written("browser:\n  # pool_size: 3\nconsoles:\n")
    assert load_settings(None, {}, {}) == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("data_dri: x", "config.yaml:1: unknown key `data_dri`. Did you mean `data_dir`?"),
        ("a: 1\n", "config.yaml:1: unknown key `a`. Known here: data_dir, console, consoles,"),
        (
            "\npool_size: 2",
            "config.yaml:2: unknown key `pool_size`. It belongs under `browser.pool_size`.",
        ),
        (
            "browser:\n  pool_size: many",
            "config.yaml:2: `browser.pool_size`: expected a whole number, got 'many'.",
        ),
        ("browser: {pool_size: 0}", "expected at least 1, got 0."),
        ("browser: {pool_size: 99}", "expected at most 32, got 99."),
        ("browser: {settle_timeout_s: 0}", "expected more than 0"),
        ("browser: {headless: maybe}", "expected true or false, got 'maybe'."),
        ("browser: 3", "config.yaml:1: `browser`: expected a group of `key: value` entries, got 3"),
        (
            "console: p\nconsoles:\n  p:\n    kind: practise",
            "config.yaml:4: `consoles.p.kind`: expected one of 'practice', ",
        ),
        (
            "consoles:\n  p:\n    url: http://x",
            "config.yaml:2: `consoles.p.kind` is required: which adapter drives it.",
        ),
        (
            "consoles:\n  p:\n    kind: practice\n    release: 2026.10",
            "config.yaml:4: `consoles.p.release`: expected text (put it in quotes), got 2026.1.",
        ),
        ("a: [1", "config.yaml:1:1: not valid YAML: "),
        ("a: b: c", "config.yaml:1:5: not valid YAML: mapping values are not allowed"),
        ("- a\n- b", "config.yaml:1: expected settings as `key: value` lines."),
        ("data_dir: a\ndata_dir: b", "config.yaml:2: `data_dir` stands here a second time"),
        ("a: \x00", "config.yaml:1:4: not valid YAML: the character U+0000"),
        ("data_dir: &a b", "config.yaml:1:11: `&a` is an anchor, and anchors are not read"),
        ("server:\n  <<: {port: 1}", "config.yaml:2:3: `<<` is a merge key, which is not read"),
        ("data_dir: !!python/object:os.x {}", "config.yaml:1: not valid YAML"),
        ("data_dir: 2026-13-45", "config.yaml:1: not valid YAML"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(text, message):
    written(text)
    assert message in complaint()


def test_a_file_that_is_not_there_and_one_that_is_not_text():
    assert complaint(Path("no.yaml")) == "no.yaml: there is no such settings file."
    Path("bin.yaml").write_bytes(b"\x89PNG\r\n\x1a\n\xff")
    assert "not a text file in UTF-8" in complaint(Path("bin.yaml"))
    Path("dir").mkdir()
    assert complaint(Path("dir")) == "dir: cannot be read: Is a directory."


def test_all_problems_are_said_at_once():
    written("data_dri: x\nbrowser:\n  pool_size: many\n")
    message = complaint(environ={"APPLIANCE_BROWSR__X": "1"})
    assert message.startswith("3 problems in the settings:\n")
    assert "config.yaml:1" in message
    assert "config.yaml:3" in message
    assert "APPLIANCE_BROWSR__X" in message


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("APPLIANCE_DATA_DRI", "APPLIANCE_DATA_DIR"),
        ("APPLIANCE_BROWSER_POOL_SIZE", "APPLIANCE_BROWSER__POOL_SIZE"),
        ("APPLIANCE_BROWSER__POOLSIZE", "APPLIANCE_BROWSER__POOL_SIZE"),
        ("APPLIANCE_CONSOLES__PRACTICE__URI", "APPLIANCE_CONSOLES__PRACTICE__URL"),
        ("APPLIANCE_DATA_DIR__X", "APPLIANCE_DATA_DIR"),
    ],
)
def test_an_unknown_variable_is_said_with_the_nearest_one(name, near):
    expected = f"{name}: no setting has this variable. Did you mean `{near}`?"
    assert complaint(environ={name: "1"}) == expected


def test_a_variable_with_a_wrong_value_is_named():
    message = complaint(environ={"APPLIANCE_BROWSER__POOL_SIZE": "many"})
    assert message == (
        "APPLIANCE_BROWSER__POOL_SIZE: `browser.pool_size`: expected a whole number, got 'many'."
    )
    assert "not valid YAML" in complaint(environ={"APPLIANCE_BROWSER": "{"})


def test_a_variable_that_holds_a_password_is_not_a_setting():
    written(
        "consoles:\n  lab:\n    kind: generic\n    url: http://lab\n"
        "    accounts: {a: {username: a, password_env: APPLIANCE_LAB_PASSWORD}}\n"
    )
    environ = {"APPLIANCE_LAB_PASSWORD": "hunter2"}
    assert load_settings(None, environ, {}).console == "lab"
    assert "hunter2" not in complaint(environ=environ | {"APPLIANCE_LAB_PASSWRD": "hunter2"})
    environ = {
        "APPLIANCE_CONSOLES__LAB__ACCOUNTS__A__PASSWORD_ENV": "APPLIANCE_OTHER",
        "APPLIANCE_OTHER": "hunter2",
    }
    account = load_settings(None, environ, {}).consoles["lab"].accounts["a"]
    assert account.password_env == "APPLIANCE_OTHER"


def test_a_password_in_the_settings_is_refused_and_not_repeated():
    written(
        "consoles:\n  lab:\n    kind: generic\n    url: http://lab\n"
        "    accounts:\n      a:\n        username: a\n        password: hunter2\n"
    )
    message = complaint()
    assert message.startswith("config.yaml:8: `password`: no password is written into settings")
    assert "hunter2" not in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("console: lib\nconsoles: {lab: {kind: practice}}", "config.yaml:1: no console is named"),
        ("consoles:\n  lab:\n    kind: generic", "`consoles.lab.url` is required"),
        ("consoles:\n  lab:\n    kind: openstack", "`consoles.lab.accounts` needs at least one"),
        (
            "consoles: {lab: {kind: practice, url: 'localhost:1'}}",
            "expected an address that starts with http:// or https://.",
        ),
        (
            "consoles: {lab: {kind: practice, auth_url: 'http://k'}}",
            "`auth_url` is for consoles of kind openstack; this one is practice.",
        ),
        (
            "consoles: {l: {kind: generic, url: 'http://l', accounts: {a: {username: a}}}}",
            "`consoles.l.accounts.a` needs `password_env` or `password_file`.",
        ),
        (
            "consoles: {l: {kind: generic, url: 'http://l',"
            " accounts: {a: {username: a, password_env: A, password_file: b}}}}",
            "`consoles.l.accounts.a` has `password_env` and `password_file`; keep one.",
        ),
        (
            "consoles: {lab: {kind: practice,"
            " accounts: {a: {username: a, totp_env: A, totp_file: b}}}}",
            "`consoles.lab.accounts.a` has `totp_env` and `totp_file`; keep one.",
        ),
        (
            "model: {weights: /models/a, endpoint: 'http://elsewhere/v1'}",
            "`model` has `weights`, which are served here, and `endpoint`, elsewhere; keep one.",
        ),
        (
            "environment: {leases: {minutes: 0.5, heartbeat_s: 20}}",
            "`environment.leases.heartbeat_s` must be half of `minutes` at most",
        ),
    ],
)
def test_what_does_not_fit_together_is_said(text, message):
    written(text)
    assert message in complaint()
    assert "config.yaml:" in complaint()


def test_a_practice_account_needs_no_password():
    written("consoles: {p: {kind: practice, url: 'http://p', accounts: {a: {username: a}}}}")
    assert load_settings(None, {}, {}).consoles["p"].accounts["a"].username == "a"
