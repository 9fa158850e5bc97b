"""`appliance run propose`: a request at each host, from a run in the store."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from appliance.core.verdict import AfterChange
from appliance.store.store import Store
from tests.cli.conftest import finding, procedure, run_result
from tests.proposals.hosts import HOSTS, TOKEN, Repository, listening

TEXT = (
    "# Disks\r\n\r\n## Create a disk\r\n\r\n1. Open **Disks**.\r\n\r\n2. Click **Create disk**.\r\n"
)
NEW = TEXT.replace("Create disk**", "New disk**").encode()
TRIED = {"column": 12, "end_column": 23, "after_change": AfterChange.VERIFIED}
RUN = run_result(procedure(findings=(finding(**TRIED),)))
BRANCH = f"console-docs/{RUN.id}"


@pytest.fixture(params=HOSTS)
def host(request, folder: Path, monkeypatch) -> Iterator[Repository]:
    """A repository at a host that the settings name, and a store with a run."""
    repository = Repository({"main": {"docs/a.md": TEXT.encode(), "b.md": b"b"}})
    monkeypatch.setenv("HOST_TOKEN", TOKEN)
    with listening(HOSTS[request.param](repository)) as url:
        settings = {"kind": request.param, "url": url, "project": "docs/guides"}
        configure(folder, **settings, token_env="HOST_TOKEN")
        keep(folder, RUN)
        yield repository


def configure(folder: Path, **settings: object) -> None:
    (folder / "config.yaml").write_text(yaml.safe_dump({"repository": settings}))


def keep(folder: Path, run) -> None:
    with Store.open(folder / "data") as store:
        store.save_run(run)


def test_a_branch_and_a_request_and_the_same_again_is_the_same_request(host, appliance):
    before = dict(host.branches["main"])
    done = appliance("run", "propose")
    assert done.code == 0, done.err
    assert done.out.startswith("https://") and done.out.rstrip().endswith("/1")
    assert host.branches["main"] == before
    assert host.branches[BRANCH] == before | {"docs/a.md": NEW}
    (request,) = host.requests
    title = "Say what the console practice shows: 1 correction in docs/a.md"
    assert (request["title"], host.messages) == (title, [title])
    body = request["body"]
    assert "Each was carried out once more with the suggested text, and verified." in body
    assert "`docs/a.md:7:12`" in body and "`Create disk` → `New disk`" in body
    assert "`the button`: `<button>`" in body  # the evidence
    assert TOKEN not in done.out + done.err + body

    host.branches[BRANCH]["b.md"] = b"by a person"
    request["body"] = "old"
    again = appliance("run", "propose", RUN.id, "--json")
    assert json.loads(again.out)["url"] == done.out.strip()
    assert [one["body"] for one in host.requests] == [body]
    assert host.branches[BRANCH] == before | {"docs/a.md": NEW, "b.md": b"by a person"}
    assert len(host.messages) == 1

    request["open"] = False
    closed = appliance("run", "propose")
    assert (closed.code, "was merged or closed" in closed.err) == (2, True)
    assert len(host.requests) == 1


def test_what_would_be_proposed_changes_nothing(host, appliance):
    told = json.loads(appliance("run", "propose", "--dry-run", "--json").out)
    assert (told["branch"], told["base"], told["url"]) == (BRANCH, "main", None)
    assert told["files"] == {"docs/a.md": NEW.decode()}
    assert (host.branches.keys(), host.requests) == ({"main"}, [])


def test_only_what_was_tried_and_still_fits(host, appliance, folder):
    untried = finding(column=12, end_column=23)
    keep(folder, run_result(procedure(findings=(untried,)), id="20261122-090000-ab12"))
    refused = appliance("run", "propose")
    assert (refused.code, "has no correction that can be proposed" in refused.err) == (2, True)
    assert "docs/a.md:7: it was not carried out once more" in refused.err
    host.branches["main"]["docs/a.md"] = b"# Rewritten\n"
    moved = appliance("run", "propose", "--untried")
    assert (moved.code, "it does not fit the text on the base branch" in moved.err) == (2, True)
    host.branches["main"].clear()
    assert appliance("run", "propose", "--untried").code == 2
    assert (host.branches.keys(), host.requests) == ({"main"}, [])
    host.branches["main"]["docs/a.md"] = TEXT.encode()
    assert appliance("run", "propose", "--untried").code == 0
    assert "look at them" in host.requests[0]["body"]


def test_what_is_wrong_is_said(host, appliance, folder, monkeypatch):
    settings = yaml.safe_load((folder / "config.yaml").read_text())["repository"]
    for change, says in {
        ("project", "docs/none"): "there is no repository docs/none",
        ("project", "guides"): "repository.project is to be OWNER/NAME",
        ("token_env", "OTHER_TOKEN"): "the token is empty: set the environment variable OTHER",
        ("token_env", None): "name a token in repository.token_env",
        ("url", "http://127.0.0.1:9"): "does not answer",
        ("base", "none"): "has no correction that can be proposed",
        ("base", BRANCH): "is the base branch, which is never written to",
        ("branch_prefix", ""): "branch_prefix",
        ("kind", ""): "nothing is proposed anywhere",
        ("kind", "bitbucket"): "repository.kind",
    }.items():
        configure(folder, **settings | dict([change]))
        told = appliance("run", "propose")
        assert (told.code, says in told.err) == (2, True), told.err
    configure(folder, **settings)
    monkeypatch.setenv("HOST_TOKEN", "wrong")
    told = appliance("run", "propose")
    assert (told.code, "does not know the token" in told.err) == (2, True)
    assert (host.branches.keys(), host.requests) == ({"main"}, [])


def test_off_by_default(folder, appliance):
    keep(folder, RUN)
    told = appliance("run", "propose")
    assert (told.code, "repository.kind is not set" in told.err) == (2, True)
