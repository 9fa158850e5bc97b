"""The image as a customer runs it: locked down, without a network, killed, upgraded, restored.

`scripts/image test` builds it and brings an engine where none runs.
"""

import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import httpx
import pytest

pytestmark = [pytest.mark.image, pytest.mark.timeout(900)]

ROOT = Path(__file__).resolve().parents[2]
IMAGE = "console-docs-appliance:cpu"
NAME = "appliance-image-test"
VOLUME = "appliance-image-test-data"
PROBE = [
    "/opt/appliance/venv/bin/python",
    "-c",
    "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/readyz').read())",
]
BUCKETS = "/opt/appliance/appliance/practice/documentation/buckets.md"


def docker(*arguments, check=True):
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode:
        pytest.fail(f"docker {' '.join(arguments)}: {done.stderr}")
    return done


def host(*arguments, code=0):
    """`scripts/appliance`, as the operator types it."""
    command = [str(ROOT / "scripts" / "appliance"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr + done.stdout
    return done


def inside(*arguments, code=0):
    """A command of the appliance in the running container."""
    done = docker("exec", NAME, "appliance", *arguments, check=False)
    assert done.returncode == code, done.stderr + done.stdout
    return done.stdout


def swept():
    """State of the newest sweep, and verdicts so far."""
    told = json.loads(inside("sweep", "status", "--json"))
    return told["state"], told["done"]


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(1)
    pytest.fail(f"not so within {seconds} s:\n{docker('logs', '--tail', '30', NAME).stderr}")


def clean():
    for name in (NAME, f"{NAME}-before"):
        docker("rm", "-f", name, check=False)
    docker("volume", "rm", "-f", VOLUME, check=False)


@pytest.fixture(scope="module", autouse=True)
def engine():
    if shutil.which("docker") is None or docker("info", check=False).returncode:
        pytest.fail("no container engine answers: `scripts/image test` brings one")
    if docker("image", "inspect", IMAGE, check=False).returncode:
        pytest.fail(f"there is no image {IMAGE}: `scripts/image build` makes it")


@pytest.fixture(autouse=True)
def nothing_is_left():
    clean()
    yield
    clean()


def test_the_line_of_the_readme_starts_a_service(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^\$ (docker run -p .*)$", readme, re.MULTILINE)
    words = line.split("#")[0].split()[1:]
    words[1:1] = ["-d", "--name", NAME]
    words = [w.replace("8080:8080", "127.0.0.1::8080") for w in words]
    words = [re.sub(r"^[a-z-]+:/data$", f"{VOLUME}:/data", w) for w in words]
    words = [w.replace("=scripts/", f"={ROOT}/scripts/") for w in words]
    began = time.monotonic()
    docker(*words)
    address = "http://" + docker("port", NAME, "8080").stdout.splitlines()[0]

    def is_ready():
        try:
            return httpx.get(f"{address}/readyz", timeout=2).status_code == 200
        except httpx.HTTPError:
            return False

    wait_for(is_ready, 90)
    print(f"\nfrom docker run to ready: {time.monotonic() - began:.1f} s")
    said = docker("logs", NAME).stderr
    assert "Ready: http" in said
    assert "first-key" in said
    key = docker("exec", NAME, "cat", "/data/first-key").stdout.strip()
    assert key not in said
    assert httpx.get(f"{address}/api/v1/documents").status_code == 401
    headers = {"Authorization": f"Bearer {key}"}
    assert httpx.get(f"{address}/api/v1/documents", headers=headers).json()["total"] > 20


def test_any_other_command_runs_in_it():
    assert "0.1" in docker("run", "--rm", IMAGE, "--version").stdout
    done = docker("run", "--rm", IMAGE, "no-such-command", check=False)
    assert done.returncode == 2


def test_locked_down_and_without_a_network_it_does_its_work(tmp_path):
    host("up", "--name", NAME, "--data", VOLUME, "--network", "none")
    told = json.loads(docker("inspect", NAME).stdout)[0]
    limits = told["HostConfig"]
    assert limits["ReadonlyRootfs"]
    assert limits["CapDrop"] == ["ALL"]
    assert limits["Memory"] > 0
    assert limits["PidsLimit"] > 0
    status = docker("exec", NAME, "cat", "/proc/1/status").stdout
    assert re.search(r"^CapEff:\s+0+$", status, re.MULTILINE)
    assert re.search(r"^NoNewPrivs:\s+1$", status, re.MULTILINE)
    assert re.search(r"^Seccomp:\s+2$", status, re.MULTILINE)
    assert re.search(r"^Uid:\s+10001", status, re.MULTILINE)
    refused = docker("exec", NAME, "touch", "/opt/appliance/x", check=False)
    assert "Read-only" in refused.stderr
    links = docker("exec", NAME, "ls", "/sys/class/net").stdout.split()
    assert "eth0" not in links

    told = json.loads(docker("exec", NAME, "appliance", "doctor", "--json").stdout)
    by = {check["name"]: check["status"] for check in told["checks"]}
    assert by["terraform"] == "ok"

    # the main job, through the server that owns the data
    result = json.loads(inside("verify", BUCKETS, "--json", code=1))
    assert result["summary"]["findings"] == 2
    assert "browser_without_sandbox" not in docker("logs", NAME).stderr

    # killed in a sweep: no verdict is lost, and it goes on
    inside("schedule", "run", "nightly")
    wait_for(lambda: swept()[1] >= 2, 240)
    before = swept()[1]
    docker("kill", "--signal", "KILL", NAME)
    docker("start", NAME)
    wait_for(lambda: "ready" in docker("exec", NAME, *PROBE, check=False).stdout, 90)
    wait_for(lambda: swept()[1] > before, 240)
    assert swept()[0] == "running"

    # upgraded in the sweep, the results are read afterwards
    docker("tag", IMAGE, "console-docs-appliance:next")
    host("upgrade", "--name", NAME, "console-docs-appliance:next")
    assert swept()[1] >= before
    assert "console-docs-appliance:next" in docker("inspect", NAME).stdout
    assert docker("inspect", f"{NAME}-before", check=False).returncode

    # one that does not get ready is not taken
    make = ["build", "-q", "-t", "console-docs-appliance:broken", "-"]
    text = f'FROM {IMAGE}\nENTRYPOINT ["/bin/false"]\n'
    subprocess.run(["docker", *make], input=text, text=True, check=True, capture_output=True)
    said = host("upgrade", "--name", NAME, "console-docs-appliance:broken", code=2).stderr
    assert "runs again" in said
    assert swept()[1] >= before

    # backup and restore
    archive = tmp_path / "backup.tar.gz"
    host("backup", "--name", NAME, str(archive))
    assert archive.stat().st_mode & 0o077 == 0, "whatever the umask is"
    host("restore", "--name", NAME, str(archive))
    assert swept()[1] >= before
    host("down", "--name", NAME)


def test_a_bundle_holds_what_another_machine_needs(tmp_path):
    weights = tmp_path / "tiny"
    weights.mkdir()
    (weights / "config.json").write_text("{}")
    archive = tmp_path / "bundle.tar"
    host("bundle", str(archive), "--model", str(weights))
    into = tmp_path / "there"
    host("load", str(archive), "--into", str(into))
    assert (into / "models" / "tiny" / "config.json").read_text() == "{}"
    command = ["python3", into / "scripts" / "appliance", "--help"]  # with nothing but a Python
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0

    damaged = bytearray(archive.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    archive.write_bytes(damaged)
    said = host("load", str(archive), "--into", str(tmp_path / "bad"), code=2).stderr
    assert "damaged" in said


def test_what_is_wrong_on_the_host_is_said_in_a_sentence(tmp_path):
    assert "no image nowhere:1" in host("up", "--name", NAME, "--image", "nowhere:1", code=2).stderr
    missing = host("up", "--name", NAME, "--config", str(tmp_path / "none.yaml"), code=2).stderr
    assert "there is no" in missing
    assert "no container" in host("down", "--name", NAME, code=2).stderr
    told = json.loads(host("doctor", "--name", NAME, "--data", VOLUME, "--json").stdout)
    by = {check["name"]: check["status"] for check in told}
    assert by["seccomp"] == by["data"] == by["image"] == "ok"
