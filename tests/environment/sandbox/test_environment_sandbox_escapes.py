"""What a locked-up program tries in order to get out, or to take the machine with it."""

import json
import os
import socket
import subprocess
import sys
import threading
import time

import pytest
from sandbox_programs import gone

SECRET = "told-to-nobody"
REACH = """
    import json, socket, sys
    targets = json.loads(sys.argv[1])
    told = {}
    for name, (family, address) in targets.items():
        place = tuple(address) if isinstance(address, list) else address.replace("@", chr(0))
        try:
            with socket.socket(getattr(socket, family)) as tried:
                tried.settimeout(2)
                tried.connect(place)
                told[name] = "reached"
        except OSError as exc:
            told[name] = type(exc).__name__
    try:
        told["name"] = str(socket.getaddrinfo("localhost.example.com", 80))
    except OSError as exc:
        told["name"] = "unknown"
    print(json.dumps(told))
"""


@pytest.fixture
def listening():
    """Services of the machine: on the loopback network, and on an abstract unix socket."""
    abstract = f"@cda-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(abstract.replace("@", "\0"))
        unix.listen()
        yield {
            "service": ("AF_INET", list(tcp.getsockname())),
            "abstract": ("AF_UNIX", abstract),
            "metadata": ("AF_INET", ["169.254.169.254", 80]),
            "outside": ("AF_INET", ["192.0.2.1", 80]),
        }


async def test_no_address_is_reached(attempt, locked, listening):
    tried = await attempt(locked, REACH, json.dumps(listening))
    assert "reached" not in tried.said.values()
    assert tried.said["name"] == "unknown"


async def test_without_walls_the_services_of_the_machine_are_reached(attempt, listening):
    tried = await attempt("process", REACH, json.dumps(listening))
    assert tried.said["service"] == tried.said["abstract"] == "reached"


async def test_the_way_out_leads_to_what_is_allowed_only(attempt, locked, serving_once):
    allowed, other = serving_once("allowed"), serving_once("other")
    script = """
        import json, socket, sys
        allowed, other = sys.argv[1:]
        def ask(address, words):
            host, _, port = address.rpartition(":")
            try:
                with socket.create_connection((host, int(port)), 3) as there:
                    there.sendall(words.encode())
                    return there.makefile("rb").read().decode().strip()
            except OSError as exc:
                return type(exc).__name__
        proxy = "127.0.0.1:3128"
        get = "GET %s HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n"
        print(json.dumps({
            "allowed": ask(allowed, get % "/"),
            "by proxy": ask(proxy, get % f"http://{allowed}/"),
            "other": ask(other, get % "/"),
            "other by proxy": ask(proxy, get % f"http://{other}/"),
            "tunnel": ask(proxy, f"CONNECT {other} HTTP/1.1\\r\\n\\r\\n"),
            "nonsense": ask(proxy, "hello\\r\\n\\r\\n"),
        }))
    """
    tried = await attempt(locked, script, allowed, other, hosts=[allowed])
    assert tried.said["allowed"].endswith("allowed")
    assert tried.said["by proxy"].endswith("allowed")
    assert tried.said["other"] == "ConnectionRefusedError"
    for name in ("other by proxy", "tunnel", "nonsense"):
        assert tried.said[name].startswith("HTTP/1.1 403"), name
    assert tried.lockup.refused == {other: 2, "something that is no request": 1}


@pytest.fixture
def serving_once():
    """Starts HTTP services that answer with a word; their addresses."""
    servers = []

    def started(word):
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(4096)
                    head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
                    connection.sendall(f"{head}{word}".encode())

        threading.Thread(target=serve, daemon=True).start()
        return "{}:{}".format(*server.getsockname())

    yield started
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


async def test_files_of_the_machine_are_not_there(attempt, locked, tmp_path, monkeypatch):
    data = tmp_path / "data"
    data.mkdir()
    (data / "results.duckdb").write_text(SECRET)
    monkeypatch.setenv("CDA_TEST_SECRET", SECRET)
    script = """
        import json, os, sys
        from pathlib import Path
        data, secret = sys.argv[1:]
        told = {"own": secret in str(os.environ)}
        for name in ("/etc/shadow", data, "/root/.bashrc", "/etc/machine-id", "/etc/ssh"):
            told[name] = os.access(name, os.F_OK)
        told["others"] = False
        for environ in Path("/proc").glob("[0-9]*/environ"):
            try:
                told["others"] |= secret.encode() in environ.read_bytes()
            except OSError:
                pass
        print(json.dumps(told))
    """
    tried = await attempt(locked, script, data / "results.duckdb", SECRET)
    # The word itself stands among this program's arguments, but in nobody's variables.
    assert tried.said and not any(tried.said.values()), tried.said


async def test_nothing_of_the_parent_s_variables_is_inherited(attempt, kind, monkeypatch):
    monkeypatch.setenv("CDA_TEST_SECRET", SECRET)
    script = "import json, os; print(json.dumps(dict(os.environ)))"
    tried = await attempt(kind, script, environment={"GIVEN": "yes"})
    assert tried.said["GIVEN"] == "yes"
    assert SECRET not in str(tried.said)


async def test_nothing_is_written_outside_the_folder(attempt, locked, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "file").write_text("as it was")
    tmp_path.chmod(0o755)
    script = """
        import json, sys
        told = {}
        for name in (*sys.argv[1:], "/x", "/usr/x", "/etc/x", "/dev/x", "/run/appliance/x"):
            try:
                with open(name, "w") as file:
                    file.write("overwritten")
                told[name] = "written"
            except OSError as exc:
                told[name] = "refused"
        open("here", "w").write("fine")
        print(json.dumps(told))
    """
    beside = tmp_path / "beside"
    names = (shared / "file", shared / "new", beside)
    tried = await attempt(locked, script, *names, read_only=[shared])
    told = tried.said
    told.pop(str(beside))  # may be in the program's own /tmp: what is written there goes with it
    assert set(told.values()) == {"refused"}, told
    assert (shared / "file").read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shared", "work"]
    assert (tmp_path / "work" / "here").read_text() == "fine"


async def test_a_link_that_was_planted_leads_nowhere(attempt, kind, folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    script = """
        import os, sys
        os.symlink("/etc/passwd", "terraform.tfstate")
        os.symlink(sys.argv[1], "folder")
        os.symlink("/proc/self/root/etc/passwd", "round")
        os.symlink("loop", "loop")
        open("honest", "w").write("made inside")
        os.makedirs("deep/er")
        open("deep/er/file", "w").write("made inside")
    """
    tried = await attempt(kind, script, outside)
    assert tried.exit.code == 0, tried.exit
    assert not [path for path in folder.rglob("*") if path.is_symlink()]
    assert (folder / "honest").read_text() == "made inside"
    assert (folder / "deep/er/file").read_text() == "made inside"
    assert list(outside.iterdir()) == []


async def test_a_link_to_what_was_let_in_comes_back(attempt, locked, folder, tmp_path):
    mirror = tmp_path / "mirror"
    mirror.mkdir(mode=0o755)
    script = "import os, sys; os.symlink(sys.argv[1], 'provider'); print(os.listdir('provider'))"
    (mirror / "terraform-provider").write_text("")
    tried = await attempt(locked, script, mirror, read_only=[mirror])
    assert tried.lines == ["['terraform-provider']"]
    assert (folder / "provider").readlink() == mirror
    again = await attempt(locked, "import os; print(os.readlink('provider'))", read_only=[mirror])
    assert again.lines == [str(mirror)]


async def test_nothing_that_comes_back_can_be_started(attempt, locked, folder):
    script = """
        import os
        open("provider", "w").write("#!/bin/sh")
        os.chmod("provider", 0o4755)
    """
    await attempt(locked, script)
    assert (folder / "provider").stat().st_mode & 0o7777 == 0o600


async def test_a_fork_bomb_is_ended(attempt, locked):
    script = """
        import os, sys
        while True:
            try:
                os.fork()
            except OSError:
                pass
    """
    mark = f"bomb-{os.getpid()}-{locked}"
    tried = await attempt(locked, script, mark, processes=60)
    assert tried.exit.stopped_by == "processes"
    assert await gone(mark) == []


async def test_many_processes_are_ended(attempt, kind):
    script = """
        import os, time
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(60)
        time.sleep(60)
    """
    mark = f"many-{os.getpid()}-{kind}"
    tried = await attempt(kind, script, mark, processes=60)
    # The limit is met by its guard, or by the program, which then fails.
    assert tried.exit.stopped_by == "processes"
    assert await gone(mark) == []


async def test_memory_is_bounded(attempt, kind):
    script = """
        import time
        kept = []
        while True:
            kept.append(bytes([1]) * (8 << 20))
            time.sleep(0.01)
    """
    tried = await attempt(kind, script, memory_mib=100)
    assert tried.exit.stopped_by == "memory"
    assert tried.exit.code != 0


async def test_memory_of_many_small_processes_is_bounded(attempt, kind):
    script = """
        import os, time
        for _ in range(10):
            if os.fork() == 0:
                kept = bytes([1]) * (30 << 20)
                time.sleep(60)
        time.sleep(60)
    """
    started = time.monotonic()
    tried = await attempt(kind, script, memory_mib=150)
    assert tried.exit.stopped_by == "memory"
    assert time.monotonic() - started < 20


async def test_disk_is_bounded(attempt, kind, folder):
    script = """
        import time
        number = 0
        while True:
            with open(f"file-{number}", "wb") as file:
                file.write(b"x" * (1 << 20))
            number += 1
            time.sleep(0.01)
    """
    tried = await attempt(kind, script, disk_mib=16)
    assert tried.exit.stopped_by == "disk"
    written = sum(path.stat().st_size for path in folder.iterdir())
    assert written <= (30 if kind == "process" else 16) << 20


async def test_one_large_file_is_bounded(attempt, kind, folder):
    script = """
        with open("large", "wb") as file:
            while True:
                file.write(b"x" * (1 << 20))
    """
    tried = await attempt(kind, script, disk_mib=16)
    assert tried.exit.stopped_by == "disk"
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 16 << 20


async def test_a_flood_of_names_is_ended(attempt, kind):
    script = """
        number = 0
        while True:
            open(f"file-{number}", "w").close()
            number += 1
    """
    tried = await attempt(kind, script)
    assert tried.exit.stopped_by == "disk"


async def test_other_places_are_bounded_too(attempt, locked):
    script = """
        import json, os
        told = {}
        for place in ("/tmp", "/dev/shm", "/var/tmp"):
            size = 0
            try:
                with open(f"{place}/file", "wb") as file:
                    while size < 64 << 20:
                        size += file.write(b"x" * (1 << 18))
                        file.flush()
            except OSError:
                pass
            told[place] = size
        print(json.dumps(told))
    """
    tried = await attempt(locked, script, disk_mib=16)
    assert sum(tried.said.values()) <= 8 << 20, tried.said
    assert tried.said["/tmp"] > 1 << 20  # some there must be


async def test_what_does_not_stop_is_killed_out_of_time(attempt, kind):
    script = """
        import signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)
    """
    mark = f"stubborn-{os.getpid()}-{kind}"
    started = time.monotonic()
    tried = await attempt(kind, script, mark, timeout_s=0.5, stop_s=0.3)
    assert tried.exit.stopped_by == "time"
    assert tried.exit.code == -9
    assert time.monotonic() - started < 10
    assert await gone(mark) == []


async def test_no_process_is_left_behind(attempt, kind):
    script = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.setsid()
                time.sleep(600)
            os._exit(0)
        os.wait()
        print("1")
    """
    mark = f"left-{os.getpid()}-{kind}"
    tried = await attempt(kind, script, mark)
    assert tried.said == 1
    assert await gone(mark) == []


async def test_processes_of_the_machine_get_no_signal(attempt, locked):
    script = """
        import json, os, signal, sys
        told = []
        for pid in (int(sys.argv[1]), int(sys.argv[2]), -1):
            if pid == -1:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            try:
                os.kill(pid, signal.SIGTERM)
                told.append("sent")
            except OSError as exc:
                told.append(type(exc).__name__)
        print(json.dumps(told))
    """
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as other:
        try:
            tried = await attempt(locked, script, other.pid, os.getpid())
            assert tried.said[:2] == ["ProcessLookupError"] * 2
            assert other.poll() is None
        finally:
            other.kill()


async def test_no_rights_are_to_be_had(attempt, locked):
    script = """
        import ctypes, json, os
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        told = {name: status[name].strip() for name in ("CapEff", "CapBnd", "NoNewPrivs")}
        told["is_root"] = os.geteuid() == 0
        for name in ("setuid", "chroot", "mount"):
            try:
                if name == "setuid":
                    os.setuid(0)
                elif name == "chroot":
                    os.chroot("/tmp")
                elif ctypes.CDLL(None, use_errno=True).mount(b"x", b"/tmp", b"tmpfs", 0, None):
                    raise OSError(ctypes.get_errno(), name)
                told[name] = "done"
            except OSError:
                told[name] = "refused"
        print(json.dumps(told))
    """
    tried = await attempt(locked, script)
    assert tried.said == {
        "CapEff": "0" * 16,
        "CapBnd": "0" * 16,
        "NoNewPrivs": "1",
        "is_root": False,
        "setuid": "refused",
        "chroot": "refused",
        "mount": "refused",
    }


async def test_the_one_who_stands_guard_is_neither_traced_nor_killed(attempt, locked):
    script = """
        import ctypes, json, os, signal
        libc = ctypes.CDLL(None, use_errno=True)
        told = {"traced": libc.ptrace(16, 1, None, None) == 0}
        try:
            told["memory"] = bool(open("/proc/1/mem", "rb"))
        except OSError:
            told["memory"] = False
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGINT):
            os.kill(1, number)
        print(json.dumps(told))
    """
    tried = await attempt(locked, script)
    assert tried.said == {"traced": False, "memory": False}
    assert tried.exit.code == 0


async def test_words_without_end_fill_nothing(attempt, locked):
    script = """
        import sys
        for _ in range(30):
            sys.stdout.write("x" * (1 << 20))
        sys.stdout.write("\\n1\\n")
    """
    tried = await attempt(locked, script)
    assert tried.said == 1
    assert max(map(len, tried.lines)) <= 17 << 20
