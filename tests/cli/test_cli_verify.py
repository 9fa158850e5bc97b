"""Whole commands, with real documents, a real practice cloud and a real browser."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from appliance.cli._practice import start_practice

PAGE = """\
# Object Storage

## Create a bucket

1. In the console, open **Object Storage** > **Buckets**.
2. Click **Create bucket**.
3. In **Bucket name**, enter `my-bucket`.
4. In the dialog, click **Create**.

## Delete everything

1. Click **No such thing**.
"""


@pytest.fixture
def page(folder):
    docs = folder / "docs"
    docs.mkdir()
    (docs / "storage.md").write_text(PAGE)
    return Path("docs/storage.md")


def nothing_written(folder: Path) -> bool:
    return not (folder / "data").exists() and not list(folder.rglob("report*"))


def console_file(url: str) -> None:
    Path("config.yaml").write_text(
        f"consoles:\n  lab:\n    kind: practice\n    url: {url}\n"
        "    accounts: {alice: {username: alice, password_env: LAB_PASSWORD}}\n"
    )


@pytest.mark.parametrize("command", ["verify", "procedures"])
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.md", None, "no such file or folder"),
        ("picture.md", b"\x89PNG\r\n\x1a\n\x00\x00", "is a binary file, not a text document"),
        ("latin.md", "# Größe\n".encode("latin-1"), "latin.md:1: is not UTF-8"),
        ("tool.exe", b"MZ", "not a document this program reads"),
        ("prose.md", b"# Title\n\nJust prose.\n", "nothing to verify: no procedure in prose.md"),
        ("empty.md", b"", "nothing to verify: no procedure in empty.md"),
        (
            "short.md",
            b"# T\n\n## Show it\n\nClick **Show**.\n",
            "A model may take one section for one",
        ),
    ],
)
def test_a_document_that_cannot_be_used(appliance, folder, command, name, content, message):
    if content is not None:
        Path(name).write_bytes(content)
    result = appliance(command, name)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err
    assert result.err.startswith("Error: ")
    assert nothing_written(folder)


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        ("procedures:\n  create-a-buckt: {}\n", "storage.checks.yaml:2: no procedure"),
        ("procedures:\n  create-a-bucket:\n    expct: []\n", "storage.checks.yaml:3"),
        ("procedures: [\n", "storage.checks.yaml:"),
    ],
)
def test_a_typo_in_a_checks_file(appliance, folder, page, checks, message):
    page.with_name("storage.checks.yaml").write_text(checks)
    result = appliance("verify", page)
    assert result.code == 2
    assert result.err.startswith("Error: ")
    assert message in result.err
    assert nothing_written(folder)


def test_no_procedure_of_that_name(appliance, folder, page):
    result = appliance("verify", page, "--procedure", "*disk*")
    assert result.code == 2
    assert "none of the 2 procedures has an id or title that matches '*disk*'" in result.err
    assert nothing_written(folder)


def test_settings_that_are_wrong(appliance, folder, page, monkeypatch):
    Path("config.yaml").write_text("browsr: {}\n")
    result = appliance("verify", page)
    assert (result.code, result.out) == (2, "")
    assert "config.yaml:1: unknown key `browsr`. Did you mean `browser`?" in result.err
    Path("config.yaml").unlink()
    monkeypatch.setenv("APPLIANCE_BROWSER__POOLSIZE", "2")
    result = appliance("verify", page)
    assert result.code == 2
    assert "Did you mean `APPLIANCE_BROWSER__POOL_SIZE`?" in result.err
    assert nothing_written(folder)


def test_a_console_that_is_not_in_the_settings(appliance, folder, page):
    result = appliance("verify", page, "--console", "lab")
    assert result.code == 2
    assert "--console: no console is named `lab`. Under `consoles` stand: practice." in result.err
    assert nothing_written(folder)


def test_a_console_that_is_down(appliance, folder, page, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    console_file(f"http://127.0.0.1:{port}")
    monkeypatch.setenv("LAB_PASSWORD", "x")
    result = appliance("verify", page)
    assert result.code == 2
    assert f"Error: no practice cloud answers at http://127.0.0.1:{port}" in result.err
    assert nothing_written(folder)


def test_a_password_that_is_not_set(appliance, folder, page, monkeypatch):
    console_file("http://127.0.0.1:9")
    monkeypatch.delenv("LAB_PASSWORD", raising=False)
    result = appliance("verify", page)
    assert result.code == 2
    assert "the password of account alice is empty: set the environment variable" in result.err
    assert nothing_written(folder)


def test_a_practice_cloud_that_does_not_start(appliance, folder, page):
    Path("config.yaml").write_text("consoles: {p: {kind: practice, release: '1.0'}}\n")
    result = appliance("verify", page)
    assert result.code == 2
    assert "the practice cloud does not start: there is no release '1.0'" in result.err
    assert nothing_written(folder)


def test_a_browser_that_is_not_there(appliance, folder, page, monkeypatch):
    monkeypatch.setenv("APPLIANCE_BROWSER__EXECUTABLE", "/no/such/chromium")
    result = appliance("verify", page)
    assert result.code == 2
    assert "there is no file /no/such/chromium" in result.err
    assert nothing_written(folder)


@pytest.fixture
def practice(folder):
    with start_practice() as running:
        console_file(running.url)
        yield running


def test_a_wrong_password_blocks(appliance, page, practice, monkeypatch):
    monkeypatch.setenv("LAB_PASSWORD", "mistyped-4711")
    arguments = ("verify", page, "--procedure", "*create*", "--format", "json")
    result = appliance(*arguments)
    assert result.code == 0
    assert "environment: no account of lab may be used" in result.out
    assert "user name or password is wrong" in result.out
    assert "Warning: nothing was verified: every procedure is blocked." in result.err
    assert "4711" not in result.out + result.err
    assert appliance(*arguments, "--strict").code == 1


def test_a_procedure_is_verified_and_reported(appliance, folder, page, practice, monkeypatch):
    file = practice.settings.accounts["alice"].password_file
    password = file.read_text().strip()
    monkeypatch.setenv("LAB_PASSWORD", password)
    result = appliance(
        "verify", page, "--procedure", "Create a bucket", "--json", "--out", "reports",
        "--format", "html,json,junit,sarif,github,markdown",
    )  # fmt: skip
    assert result.code == 0, result.out + result.err
    document = json.loads(result.out)
    assert document == json.loads(Path("reports/result.json").read_text())
    assert document["summary"]["verified"] == 1
    assert document["config"]["consoles"]["lab"]["url"] == practice.url
    assert {file.suffix for file in Path("reports").iterdir()} == {
        ".html", ".json", ".md", ".sarif", ".txt", ".xml"
    }  # fmt: skip
    assert all(password not in file.read_text() for file in Path("reports").iterdir())
    assert document["id"] in appliance("run", "list").out
    assert json.loads(appliance("sweep", "list", "--json").out) == []


def started_by(pid: int) -> dict[int, str]:
    """Command lines of the processes that it has started, and those have, by their number."""
    parents, lines = {}, {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            parents[int(process.name)] = int(fields[1])
            lines[int(process.name)] = (process / "cmdline").read_text()
        except OSError:
            continue
    found = {pid}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    return {one: lines.get(one, "") for one in found - {pid}}


def wait_until(holds) -> None:
    deadline = time.monotonic() + 40
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def ended(process: subprocess.Popen[str]) -> int:
    """Its exit code; where it does not end, the test fails with what its threads do."""
    try:
        return process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)
        pytest.fail(f"it goes on: {process.communicate(timeout=10)[1]}")


def _hear_interrupts() -> None:
    """What a shell starts in the background, such as these tests, ignores Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_in_order(program, page, number, code):
    environ = os.environ | {"PYTHONFAULTHANDLER": "1"}
    more = {"env": environ, "start_new_session": True, "preexec_fn": _hear_interrupts}
    with program("verify", str(page), **more) as process:
        try:
            wait_until(lambda: "--user-data-dir" in "".join(started_by(process.pid).values()))
            started = started_by(process.pid)
            process.send_signal(number)
            assert ended(process) == code
            assert "Traceback" not in process.stderr.read()
            wait_until(lambda: not any(Path("/proc", str(one)).exists() for one in started))
        finally:
            process.kill()
