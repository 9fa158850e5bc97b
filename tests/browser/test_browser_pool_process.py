"""A browser's process: which one, what it leaves behind, and what becomes of orphans."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest
from playwright._impl.connection import Connection as PlaywrightConnection

from appliance.browser import BrowserPool, _chromium
from appliance.browser._browser import BROWSER_USER, Browser, start_browser
from appliance.browser._contexts import ContextKind
from appliance.browser._folder import OwnedFolder, make_readable, reap
from appliance.browser._process import BrowserProcess
from appliance.config import BrowserSettings
from appliance.core.errors import SetupError

ENDING_S = 10.0
"""Longest wait for processes that were told to end."""

OWNER = """
import asyncio, sys
from appliance.browser import BrowserPool
from appliance.config import BrowserSettings

async def main():
    async with BrowserPool(BrowserSettings()) as pool, pool.page(frozenset()) as page:
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(main())
"""


@pytest.fixture
def tmp_path(open_path):
    """Browsers are started in it, and from it."""
    return open_path


@pytest.fixture
def owner(tmp_path, monkeypatch):
    """Another appliance with a page open, and its own folder for temporary files."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"open\n"
    yield psutil.Process(process.pid)
    process.kill()
    process.communicate()
    for left in _group(tmp_path):
        left.kill()


def _group(folder):
    """Every process of the browsers started on a folder below this one, zombies aside."""
    running = [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE
    ]
    named = f"--user-data-dir={folder}"
    leaders = {
        process.pid
        for process in running
        if any(word.startswith(named) for word in process.info["cmdline"] or ())
    }
    return [process for process in running if _group_of(process) in leaders]


def _group_of(process):
    try:
        return os.getpgid(process.pid)
    except ProcessLookupError:
        return 0


def _await_end(processes):
    """Wait until they have ended; a zombie whose parent does not care counts as ended."""
    _, alive = psutil.wait_procs(processes, timeout=ENDING_S / 5)
    return [p for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


def test_a_killed_owner_takes_its_browser_along(owner, tmp_path):
    browsers = _group(tmp_path)
    assert len(browsers) > 3
    os.kill(owner.pid, signal.SIGKILL)
    assert not _await_end(browsers)
    assert not list(tmp_path.glob("appliance-browser-*/profile"))


def test_an_orphan_is_reaped(owner, tmp_path):
    (folder,) = tmp_path.glob("appliance-browser-*")
    browsers = _group(folder)
    guards = [p for p in browsers if p.name() == "sh"]
    for guard in guards:  # what would have ended the browser is ended before the owner
        guard.kill()
    assert not _await_end(guards)
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait(ENDING_S)
    assert [p for p in browsers if p.is_running() and p not in guards]
    assert reap() == [folder]
    assert not _await_end(browsers)
    assert not folder.exists()


def test_the_living_are_left_alone(owner, tmp_path):
    browsers = _group(tmp_path)
    foreign = tmp_path / "appliance-browser-of-somebody"
    foreign.mkdir()  # without a lock it is just being made
    assert reap() == []
    assert foreign.is_dir()
    assert all(p.is_running() for p in browsers)
    assert list(tmp_path.glob("appliance-browser-*/profile"))


def test_a_link_is_never_followed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "owner").touch()
    (tmp_path / "appliance-browser-link").symlink_to(precious)
    assert reap() == []
    assert (precious / "owner").exists()


def test_a_folder_of_the_dead_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living = OwnedFolder()
    dead = OwnedFolder()
    dead._lock.close()  # as the end of its process would
    assert reap() == [dead.path]
    assert living.path.is_dir()
    living.remove()
    assert not list(tmp_path.iterdir())


def test_whose_the_dead_are_does_not_hang_on_a_home(tmp_path, monkeypatch):
    home = tmp_path / "home"  # as in a container: HOME=/tmp, which is another's
    home.mkdir()
    if os.geteuid() == 0:
        os.chown(home, BROWSER_USER, BROWSER_USER)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = OwnedFolder()
    dead._lock.close()
    assert reap() == [dead.path]


async def test_what_is_lent_to_another_users_browser_lies_where_that_cannot_lay_links(
    as_root, tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    browser = await Browser.start(BrowserSettings())
    file = tmp_path / "a file"
    file.write_text("to upload")
    try:
        opened = await browser.contexts.take(ContextKind(frozenset(), "en"))
        downloads = opened.tabs._downloads
        (lent,) = map(Path, make_readable([str(file)], downloads))
        assert {path.stat().st_uid for path in (downloads, downloads.parent)} == {0}
        assert {path.stat().st_uid for path in (lent, lent.parent)} == {BROWSER_USER}
        assert lent.read_text() == "to upload"
        await opened.close()
    finally:
        await browser.close()


async def test_an_ended_browser_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    browser = await Browser.start(BrowserSettings())
    assert browser.process.ws_url.startswith("ws://127.0.0.1:")
    browsers = _group(tmp_path)
    assert browser.process.pid in {p.pid for p in browsers}
    await browser.close()
    assert not _await_end(browsers)
    assert not list(tmp_path.iterdir())


async def test_one_that_is_given_up_while_it_is_connected_to_ends_without_noise(
    tmp_path, monkeypatch, caplog
):
    """Playwright's browser is there before it is whole; what ends then trips over what lacks."""
    dispatch = PlaywrightConnection.dispatch

    def and_give_up(connection, message):
        dispatch(connection, message)
        if message.get("method") == "__create__" and message["params"]["type"] == "Browser":
            starting.cancel()

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(PlaywrightConnection, "dispatch", and_give_up)
    starting = asyncio.ensure_future(Browser.start(BrowserSettings()))
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert [one.getMessage() for one in caplog.records if one.name != "appliance"] == []
    assert not list(tmp_path.iterdir())


async def test_a_stuck_browser_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    browser = await Browser.start(BrowserSettings())
    browsers = _group(tmp_path)
    os.kill(browser.process.pid, signal.SIGSTOP)
    await browser.process.close()
    assert not _await_end(browsers)
    await browser.close()
    assert not list(tmp_path.iterdir())


async def test_a_talkative_browser_does_not_stop(tmp_path):
    script = _script(tmp_path, "yes 'a long line of an error' | head -c 300000 >&2; touch $0.done")
    process = await BrowserProcess.start(script, [])
    try:
        async with asyncio.timeout(ENDING_S):
            while not Path(f"{script}.done").exists():
                await asyncio.sleep(0.02)
    finally:
        await process.close()


def _script(folder, then):
    script = folder / "browser"
    script.write_text(
        f"#!/bin/sh\necho 'DevTools listening on ws://127.0.0.1:1/x' >&2\n{then}\nexec sleep 60\n"
    )
    script.chmod(0o755)
    return script


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A PATH without any browser, to put some on."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_chromium, "SHELL_FILES", ())

    def add(name):
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch(mode=0o755)
        return program

    return add


def test_a_headless_shell_is_preferred(path, tmp_path):
    playwrights = path("chromium-1234/chrome-linux/chrome")
    headless, headed = BrowserSettings(), BrowserSettings(headless=False)
    assert _chromium.find_executable(headless, tmp_path / "none") is None
    assert _chromium.find_executable(headless, playwrights) == playwrights
    full = path("chromium")
    assert _chromium.find_executable(headless, playwrights) == full
    bundled = path("chromium_headless_shell-1234/chrome-linux/headless_shell")
    assert _chromium.find_executable(headless, playwrights) == bundled
    shell = path("chromium-headless-shell")
    assert _chromium.find_executable(headless, playwrights) == shell
    assert _chromium.find_executable(headed, playwrights) == full
    named = BrowserSettings(executable=full)
    assert _chromium.find_executable(named, playwrights) == full


async def test_a_missing_executable_is_said(tmp_path):
    pool = BrowserPool(BrowserSettings(executable=tmp_path / "nothing"))
    with pytest.raises(SetupError, match=r"browser\.executable: there is no file"):
        async with pool:
            pass


async def test_an_executable_that_is_no_browser_is_said(tmp_path):
    script = tmp_path / "browser"
    script.write_text("#!/bin/sh\necho 'error while loading libnone.so' >&2\nexit 3\n")
    script.chmod(0o755)
    with pytest.raises(SetupError, match=r"cannot start a browser .*libnone\.so .ended with 3"):
        async with BrowserPool(BrowserSettings(executable=script)):
            pass


def _status(process):
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines)


@pytest.fixture
def namespaces():
    """Skips where the system lets those without rights have none: some containers."""
    ids = (f"--reuid={BROWSER_USER}", f"--regid={BROWSER_USER}", "--clear-groups")
    became = ("setpriv", *ids) if os.geteuid() == 0 else ()
    if subprocess.run([*became, "unshare", "--user", "true"], check=False).returncode:
        pytest.skip("needs user namespaces")


async def test_pages_are_held_by_chromiums_own_sandbox(namespaces, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    browser = await Browser.start(BrowserSettings())
    try:
        raw = await browser.raw.new_page()
        processes = [p for p in _group(tmp_path) if p.name() != "sh"]
        found = {p: _status(p) for p in processes}
        (page, *_) = [p for p in processes if "--type=renderer" in p.cmdline()]
        await raw.close()
    finally:
        await browser.close()
    assert browser.process.is_sandboxed
    assert all(int(status["Uid"].split()[0]) != 0 for status in found.values())
    assert {
        int(status["CapEff"], 16) for status in found.values() if "\t" not in status["NSpid"]
    } == {0}
    assert found[page]["Seccomp"] == "2"  # a filter
    assert len(found[page]["NSpid"].split()) > 1


@pytest.fixture
def as_root():
    if os.geteuid() != 0:
        pytest.skip("needs root")


async def test_root_without_a_sandbox_is_refused(as_root, tmp_path, monkeypatch):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    script = _script(closed, "")
    with pytest.raises(SetupError, match=r"/closed is closed.*allow_root_without_sandbox"):
        await start_browser(script, BrowserSettings(), [])
    process = await start_browser(script, BrowserSettings(allow_root_without_sandbox=True), [])
    assert not process.is_sandboxed
    await process.close()
    monkeypatch.setattr(tempfile, "tempdir", str(closed))
    with pytest.raises(SetupError, match=r"/closed is closed to others.* TMPDIR"):
        await start_browser(_script(tmp_path, ""), BrowserSettings(), [])
    assert [path.name for path in closed.iterdir()] == ["browser"]


async def test_a_system_without_sandboxes_gets_a_browser(tmp_path):
    script = tmp_path / "browser"
    script.write_text(
        "#!/bin/sh\n"
        'case "$*" in *--no-sandbox*) echo "DevTools listening on ws://127.0.0.1:1/x" >&2;\n'
        "exec sleep 60;; esac\n"
        "echo '[FATAL:zygote_host_impl_linux.cc] No usable sandbox!' >&2; echo '#0 0x55d0' >&2\n"
    )
    script.chmod(0o755)
    process = await start_browser(script, BrowserSettings(), [])
    assert process.is_running
    assert not process.is_sandboxed
    await process.close()
