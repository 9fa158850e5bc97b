"""What comes through the door and out of the way is checked, whoever sends it."""

import asyncio
import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import SandboxSettings
from appliance.environment.sandbox import SandboxLauncher
from appliance.environment.sandbox.channel import HostChannel, Job
from appliance.environment.sandbox.choose import Process
from appliance.environment.sandbox.egress import hosts_file, route_hosts
from appliance.environment.sandbox.files import OutputFolder, TooMuchError, drop_links, entries
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.network.relay import Relay
from appliance.system.secret_references import SecretReference
from tests.company import HOST, PASSWORD, USER, proxy, site

DISK = 1 << 16


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.mark.parametrize(
    "name",
    [
        "/etc/x",
        "../x",
        "a/../../x",
        "..",
        "",
        ".",
        "a\0b",
        "a/b\0",
        "x" * 300,
        "x/" * 900,
        "\ud800",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(folder, name):
    output = OutputFolder(folder, (), DISK)
    output.put_file(name, b"data")
    output.put_link(name, "/usr")
    output.put_folder(name)
    output.remove(name)
    assert output.refused
    assert list(folder.iterdir()) == []
    assert [path.name for path in folder.parent.iterdir()] == ["work"]


@given(st.text(alphabet=st.sampled_from("./ab\0\\~"), max_size=12))
@settings(max_examples=200, deadline=None)
def test_no_name_leads_out_of_the_folder(tmp_path_factory, name):
    around = tmp_path_factory.mktemp("around")
    folder = around / "work"
    folder.mkdir()
    (around / "neighbour").write_text("as it was")
    output = OutputFolder(folder, (), DISK)
    output.put_file(name, b"data")
    output.remove(name)
    assert sorted(path.name for path in around.iterdir()) == ["neighbour", "work"]


def test_nothing_is_written_through_a_link(folder, tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    output = OutputFolder(folder, (mirror,), DISK)
    output.put_link("providers", str(mirror))
    assert (folder / "providers").is_symlink()
    output.put_file("providers/terraform-provider-x", b"ours now")
    output.put_folder("providers/more")
    output.remove("providers/terraform-provider-x")
    assert list(mirror.iterdir()) == []
    assert len(output.refused) == 3
    output.put_file("providers", b"a file in its place")
    assert (folder / "providers").read_bytes() == b"a file in its place"
    assert list(mirror.iterdir()) == []


def test_links_lead_to_what_was_let_in_and_nowhere_else(folder, tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "away").symlink_to("/etc")
    output = OutputFolder(folder, (mirror,), DISK)
    for name, target in {
        "absolute": "/etc/passwd",
        "relative": "../../x",
        "by way of": f"{mirror}/../x",
        "through a link": f"{mirror}/away/passwd",
        "itself": "itself",
        "empty": "",
    }.items():
        output.put_link(name, target)
        assert not os.path.lexists(folder / name), name
    output.put_link("fine", f"{mirror}/deeper/still")
    assert (folder / "fine").readlink() == mirror / "deeper/still"


def test_what_comes_back_is_bounded_together(folder):
    (folder / "there").write_bytes(b"x" * 40_000)
    output = OutputFolder(folder, (), DISK)
    output.put_file("there", b"x" * 50_000)  # in the place of the other
    with pytest.raises(TooMuchError):
        output.put_file("more", b"x" * 20_000)
    output.remove("there")
    output.put_file("more", b"x" * 60_000)
    assert [path.name for path in folder.iterdir()] == ["more"]


def test_a_crash_leaves_the_old_file_or_the_new_one(folder):
    (folder / "state").write_text("old")
    before = (folder / "state").stat().st_ino
    OutputFolder(folder, (), DISK).put_file("state", b"new")
    assert (folder / "state").read_text() == "new"
    assert (folder / "state").stat().st_ino != before
    assert (folder / "state").stat().st_mode & 0o777 == 0o600


def test_links_that_lead_out_are_dropped(folder, tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (folder / "sub").mkdir()
    (folder / "inner").symlink_to("sub")
    (folder / "let in").symlink_to(mirror)
    (folder / "sub" / "out").symlink_to("/etc/passwd")
    assert drop_links(folder, [mirror]) == ["sub/out"]
    assert {entry.path for entry in entries(folder, DISK)} == {"inner", "let in", "sub"}


def test_a_folder_nested_without_end_is_no_trouble(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for _ in range(2500):
        Path("d").mkdir()
        os.chdir("d")
    Path("out").symlink_to("/etc/passwd")
    monkeypatch.undo()
    try:
        assert drop_links(folder, []) == []  # too deep to be opened by its name
        assert len(entries(folder, DISK)) > 1000
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)  # Python would give up


def job(folder, **said):
    return Job(
        command=["/bin/true"],
        environment={"A": "b"},
        folder=str(folder),
        timeout_s=1,
        stop_s=1,
        memory=1 << 20,
        processes=10,
        disk=DISK,
        is_copied=True,
        has_cgroup=False,
        **said,
    )


async def inside(tmp_path, folder, *messages):
    """What a door makes of messages from inside."""
    async with HostChannel(tmp_path / "door.sock", job(folder), ()) as door:
        reader, writer = await asyncio.open_unix_connection(door.path)
        assert json.loads(await reader.readline())["environment"] == {"A": "b"}
        for message in messages:
            writer.write(message if isinstance(message, bytes) else json.dumps(message).encode())
            writer.write(b"\n" if isinstance(message, dict) else b"")
        writer.write_eof()
        await door.wait_closed()
        writer.close()
    return door


@pytest.mark.parametrize(
    "message",
    [
        b"nonsense\n",
        b"[]\n",
        b"5\n",
        b"x" * (2 << 20),
        {"kind": "exit"},
        {"kind": "exit", "code": "many", "stopped_by": ""},
        {"kind": "file", "path": "x", "size": 100},
        {"kind": "file", "path": "x", "size": "large"},
        {"kind": "reboot"},
        {},
        b"",
    ],
    ids=str,
)
async def test_nonsense_from_inside_is_an_end_without_result(tmp_path, folder, message):
    door = await inside(tmp_path, folder, message)
    assert door.exit is None
    assert door.failed
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("size", [DISK + 1, -1])
async def test_a_file_of_an_impossible_size_is_not_read(tmp_path, folder, size):
    door = await inside(tmp_path, folder, {"kind": "file", "path": "x", "size": size})
    assert door.exit.stopped_by == "disk"


async def test_a_reason_that_is_none_is_not_repeated(tmp_path, folder):
    said = {"kind": "exit", "code": 3, "stopped_by": "<script>"}
    door = await inside(tmp_path, folder, said)
    assert (door.exit.code, door.exit.stopped_by) == (3, "")


async def test_the_second_who_comes_through_the_door_is_sent_away(tmp_path, folder):
    async with HostChannel(tmp_path / "door.sock", job(folder), ()) as door:
        first, writer = await asyncio.open_unix_connection(door.path)
        await first.readline()
        with pytest.raises(OSError, match=r"refused|No such file"):
            await asyncio.open_unix_connection(door.path)
        writer.close()


def test_addresses_inside_stand_for_those_outside():
    found = route_hosts(
        frozenset({"127.0.0.1:80", "a.example:443", "b.example:443", "10.0.0.1:5000"})
    )
    assert dict(found.listen) == {
        "127.0.0.1:80": "127.0.0.1:80",
        "127.0.1.1:443": "a.example:443",
        "127.0.1.2:443": "b.example:443",
        "127.0.0.1:3128": "",
    }
    assert hosts_file(found.names).splitlines() == [
        "127.0.0.1 localhost",
        "127.0.1.1 a.example",
        "127.0.1.2 b.example",
    ]
    assert found.environment["HTTP_PROXY"] == "http://127.0.0.1:3128"
    assert "10.0.0.1" not in found.environment["NO_PROXY"]
    assert route_hosts(frozenset()) == ((), (), {})


async def test_a_service_that_does_not_answer_is_said(tmp_path):
    path = tmp_path / "egress.sock"
    async with Relay(frozenset({"127.0.0.1:1"})).at_path(path) as egress:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")
        assert b"502" in await reader.readline()
        writer.close()
        assert egress.refused == {}


def test_the_programs_that_stand_inside_need_the_standard_library_only():
    for name in ("inside.py", "forward.py"):
        text = Path(hosts_file.__code__.co_filename).with_name(name).read_text()
        assert "import appliance" not in text
        assert "from appliance" not in text


async def test_the_way_out_of_a_sandbox_goes_through_the_company_s_proxy(tmp_path):
    (tmp_path / "password").write_text(PASSWORD)
    secret = SecretReference(file=tmp_path / "password")
    path = tmp_path / "egress.sock"
    with site(None) as api, proxy({HOST: api.port}) as gate:
        way = Network(proxy=Proxy(url=gate.url, username=USER, password=secret))
        async with Relay(frozenset({f"{HOST}:443", f"{HOST}:80"}), way).at_path(path):
            for asked, said in (
                (f"CONNECT {HOST}:443 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n", b"Hello"),
                (f"GET http://{HOST}/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n", b"Hello"),
                ("CONNECT elsewhere.internal:443 HTTP/1.1\r\n\r\n", b"403 Forbidden"),
            ):
                reader, writer = await asyncio.open_unix_connection(path)
                writer.write(asked.encode())
                assert said in await reader.read()
                writer.close()
    assert gate.seen == [f"CONNECT {HOST}:443", f"GET http://{HOST}:80/"]


class NoNetwork(Process):
    """A lock-up as an engine makes it; nothing is started in it."""

    has_network = False


def test_the_proxy_s_password_stays_outside(tmp_path):
    settings, hosts = SandboxSettings(), frozenset({"cloud.example:443"})
    launcher = SandboxLauncher(NoNetwork(settings), settings, hosts=hosts)
    given = {"HTTPS_PROXY": "http://docs:secret@gate:1", "HTTP_PROXY": "http://docs:secret@gate:1"}
    job = launcher._job(["true"], tmp_path, {**given, "SSL_CERT_FILE": "/x.pem"}, 5.0)
    assert job.environment["HTTPS_PROXY"] == "http://127.0.0.1:3128"
    assert job.environment["SSL_CERT_FILE"] == "/x.pem"
    assert "secret" not in str(job)
