"""`appliance verify --server URL`: the same as here, carried out by a server elsewhere."""

import json
import signal
import subprocess
import sys
import time

import httpx
import pytest

from appliance import __version__
from appliance.cli._remote import RemoteServer, SilentError
from appliance.cli._served import end_of
from appliance.core.result_json import result_document
from appliance.reports import FILE_NAMES
from tests.cli.served import GUIDE, served
from tests.receiving import Answer, receiving
from tests.serving import Served, environment

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def docs(folder):
    (folder / "docs").mkdir()
    (folder / "docs" / "buckets.md").write_text(GUIDE)
    (folder / "docs" / "other.md").write_text("# Other\n\nNothing is done here.\n")
    return folder / "docs"


def asking(server: Served) -> tuple[str, ...]:
    return ("--server", server.url, "--key-file", str(server.key_file))


def test_the_results_come_back_with_our_paths(server, docs, appliance):
    formats = ",".join(FILE_NAMES)
    (docs / "buckets.checks.yaml").write_text("procedures:\n  create-a-bucket: {account: alice}\n")
    done = appliance("verify", "docs", *asking(server), "--format", formats, "--out", "out")
    assert done.code == 1, done.err
    assert "drifted Look at the buckets (docs/buckets.md:12), 1 finding" in done.err
    assert "verified  Create a bucket      docs/buckets.md:5" in done.out
    assert "docs/buckets.md:14:26 renamed label: “Storage buckets” → “Buckets”" in done.out
    out = docs.parent / "out"
    written = {one: (out / name).read_text() for one, name in FILE_NAMES.items()}
    assert "data:image/" in written["html"]  # pictures of the server's browser
    for format_, text in written.items():
        assert "docs/buckets.md" in text, format_
        assert "uploads/" not in text, format_
    assert "+1. Open **Products** > **Buckets**." in (out / "suggestions.patch").read_text()
    run = json.loads(written["json"])
    assert run["documents"].keys() == {"docs/buckets.md"}  # the other has no procedure
    assert run["procedures"][0]["id"] == "docs/buckets/create-a-bucket"
    for format_ in ("junit", "github", "markdown"):  # what the server itself says is the same
        address = f"{server.url}/api/v1/runs/{run['id']}/report"
        told = httpx.get(address, params={"format": format_}, headers=server.headers)
        assert told.text == written[format_]
    again = appliance("verify", "docs", *asking(server), "--last-failed", "--no-wait", "--json")
    assert "Left out: 1 procedure of 2." in again.err
    begun = json.loads(again.out)
    assert begun["url"] == f"{server.url}/runs/{begun['id']}"
    kept = server.data / "uploads" / begun["id"] / "inline" / "docs"
    assert {one.name for one in kept.iterdir()} == {"buckets.md", "buckets.checks.yaml"}
    shown = appliance("run", "show", begun["id"])
    assert "there are no runs" in shown.err  # the environment names no server
    cancel = f"{server.url}/api/v1/verifications/{begun['id']}/cancel"
    assert httpx.post(cancel, headers=server.headers).status_code == 202


def test_the_environment_names_it_for_every_command(server, docs, appliance, monkeypatch):
    monkeypatch.setenv("APPLIANCE_SERVER", f"{server.url}/")
    monkeypatch.setenv("APPLIANCE_KEY", f"{server.key}\n")
    begun = appliance("verify", "docs/buckets.md", "--no-wait", "--procedure", "*create*")
    assert begun.code == 0, begun.err
    run_id = begun.out.strip()
    for other in (("run", "list"), ("finding", "list"), ("account", "list")):
        asked = appliance(*other)
        assert (asked.code, f"Asking the server at {server.url}.\n" in asked.err) == (0, True)
    ours = httpx.post(f"{server.url}/api/v1/verifications/{run_id}/cancel", headers=server.headers)
    assert ours.status_code == 202
    assert server.key not in begun.err + begun.out


def test_ctrl_c_cancels_it_there(server, docs):
    command = [sys.executable, "-m", "appliance.cli", "verify", "docs", *asking(server)]
    process = subprocess.Popen(
        command, cwd=docs.parent, env=environment(), stderr=subprocess.PIPE, text=True
    )
    said = [process.stderr.readline() for _ in range(2)]
    run_id = said[1].rpartition("/")[2].strip()
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Cancelled in the server" in rest
    status = httpx.get(f"{server.url}/api/v1/runs/{run_id}", headers=server.headers).json()
    assert status["state"] == "cancelled"


def test_what_is_wrong_is_said_in_a_sentence(server, docs, appliance):
    key = ("--key-file", str(server.key_file))
    (docs / "wrong").write_text("not-a-key\n")
    (docs / "empty").write_text("\n")
    tls = server.url.replace("http:", "https:")
    for arguments, says in {
        ("--server", server.url): "wants a key that it knows: set APPLIANCE_KEY",
        ("--server", server.url, "--key-file", "docs/wrong"): "wants a key that it knows",
        (
            "--server",
            server.url,
            "--key-file",
            "docs/none",
        ): "cannot read the key from the file docs/none",
        (
            "--server",
            server.url,
            "--key-file",
            "docs/empty",
        ): "the key is empty: set the file docs/empty",
        ("--server", "http://127.0.0.1:9", *key): "127.0.0.1:9 does not answer",
        ("--server", tls, *key): "does not speak TLS as we do",
        ("--server", "server.example", *key): "is no address of a server",
        ("--server", "https://a:b@server.example"): "has no name and password in it",
        (*asking(server), "--console", "mars"): "no console is named mars",
        (*asking(server), "--procedure", "none"): "none of the 2 procedures",
        key: "--key-file is for a server",
        ("--no-wait",): "--no-wait is for a server",
        ("--no-wait", "--watch"): "--watch waits for each result",
    }.items():
        done = appliance("verify", "docs", *arguments)
        assert done.code == 2, arguments
        assert says in done.err, done.err
        assert "a:b@" not in done.err
        assert len([line for line in done.err.splitlines() if line.startswith("Error")]) == 1


def answering(body: dict[str, object], certificate=()):
    return receiving(lambda _: Answer(body=json.dumps(body).encode()), certificate)


def test_a_server_of_another_version_or_none(docs, appliance):
    year, minor = (int(part) for part in __version__.split(".")[:2])
    for version, says in {
        f"{year}.{minor + 1}.0": "is newer",
        "0.0.9": "is older",
    }.items():
        with answering({"status": "ready", "version": version}) as url:
            told = appliance("verify", "docs", "--server", url)
        assert (told.code, says in told.err) == (2, True), told.err
        assert f"({version}; this is {__version__}): update" in told.err
    with answering({"hello": "world"}) as url:
        told = appliance("verify", "docs", "--server", url)
    assert (told.code, "there is no appliance at" in told.err) == (2, True)


def test_a_certificate_that_nobody_trusts(docs, appliance, tmp_path):
    pair = (tmp_path / "cert.pem", tmp_path / "key.pem")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    made += ["-nodes", "-subj", "/CN=x", "-out", str(pair[0]), "-keyout", str(pair[1])]
    subprocess.run(made, check=True, capture_output=True)
    with answering({}, pair) as url:
        told = appliance("verify", "docs", "--server", url)
    assert told.code == 2
    assert "its certificate is self-signed" in told.err
    assert "network.ca" in told.err


def test_a_server_that_is_started_anew_is_waited_for(results):
    run = results.run(results.procedure())
    asked: list[str] = []

    def answer(request):
        asked.append(request.path)
        if asked.count(request.path) == 1:  # a proxy before a server that is not there
            return Answer(502)
        status = {"status": {"state": "done", "why": "", "total": 1, "paused_for": None}}
        told = result_document(run) if "report" in request.path else status
        return Answer(body=json.dumps(told).encode())

    with receiving(answer) as url:
        server = RemoteServer(url)
        ended = []
        try:
            with pytest.raises(SilentError, match="it answers 502"):
                end_of(server, run.id, tell=ended.append)  # of its result: nothing is left to wait
            done = end_of(server, run.id, tell=ended.append)
        finally:
            server.close()
    assert (done, [event.result.id for event in ended]) == (run, [run.procedures[0].id])


def test_watching_verifies_what_changes(server, docs):
    command = [sys.executable, "-u", "-m", "appliance.cli", "verify", "docs", *asking(server)]
    command += ["--procedure", "*look*", "--watch"]
    process = subprocess.Popen(
        command, cwd=docs.parent, env=environment(), stderr=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    said: list[str] = []

    def until(text: str) -> None:
        while not said or text not in said[-1]:
            said.append(process.stderr.readline())
            assert said[-1], said

    until("drifted Look at the buckets")
    until("Watching the documents")
    (docs / "buckets.md").write_text(GUIDE.replace("hold files", "hold many files"))
    time.sleep(1.5)  # not a word that a procedure is made of
    (docs / "buckets.md").write_text(GUIDE.replace("Storage buckets", "Buckets"))
    until("verified Look at the buckets")
    assert "[1/1]" in said[-1]
    assert sum("Under way" in line for line in said) == 2
    until("Written")
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 0
    assert "Stopped watching." in process.stderr.read()
    process.stderr.close()
