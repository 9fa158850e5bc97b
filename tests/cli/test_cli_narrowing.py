"""`--changed-since` and `--last-failed`: fewer procedures than the documents have."""

import subprocess
from pathlib import Path

import pytest

from appliance.cli._changed import changed_since
from appliance.core.errors import SetupError
from appliance.core.verdict import Verdict
from appliance.documents import load_documents
from appliance.store.store import Store

GUIDE = """\
# Disks

Disks hold data.

## Create a disk

1. Open **Disks**.
2. Click **Create disk**.

## Delete a disk

1. Open **Disks**.
2. Click **Delete disk**.
"""


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=t", "-c", "user.email=t@t.example")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(folder: Path) -> Path:
    (folder / "docs").mkdir()
    (folder / "docs" / "disks.md").write_text(GUIDE)
    (folder / "docs" / "nets.md").write_text(GUIDE.replace("isk", "et"))
    git(folder, "init", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    return folder


CHANGES = {
    "nothing": ((GUIDE, GUIDE), ()),
    "a step": (("Click **Create disk**", "Click **New disk**"), ("create-a-disk",)),
    "a step more": (("2. Click **Delete", "2. Wait.\n3. Click **Delete"), ("delete-a-disk",)),
    "a step less": (("1. Open **Disks**.\n2. Click **Create", "1. Click **Create"),
                    ("create-a-disk",)),
    "a title": (("## Delete a disk", "## Remove a disk"), ("remove-a-disk",)),
    "what is shared": (("Disks hold", "All disks hold"), ("create-a-disk", "delete-a-disk")),
}  # fmt: skip


def ids(repository: Path, ref: str = "main") -> tuple[str, ...]:
    documents = load_documents([repository / "docs"])
    return tuple(p.id.rpartition("/")[2] for p in changed_since(ref, documents, ()))


@pytest.mark.parametrize("change", CHANGES)
def test_the_lines_that_differ_say_which(repository: Path, change: str):
    (before, after), expected = CHANGES[change]
    (repository / "docs" / "disks.md").write_text(GUIDE.replace(before, after))
    assert ids(repository) == expected
    git(repository, "commit", "--allow-empty", "-am", "second")
    assert ids(repository, "HEAD~1") == expected
    assert ids(repository, "HEAD") == ()


def test_what_others_did_on_the_main_branch_does_not_count(repository: Path):
    git(repository, "switch", "-c", "ours")
    git(repository, "switch", "main")
    (repository / "docs" / "nets.md").write_text("# Nets\n")
    git(repository, "commit", "-am", "theirs")
    git(repository, "switch", "ours")
    assert ids(repository) == ()


def test_checks_and_new_documents_count(repository: Path):
    checks = repository / "docs" / "disks.checks.yaml"
    checks.write_text("procedures:\n  create-a-disk: {account: alice}\n")
    both = ("create-a-disk", "delete-a-disk")
    assert ids(repository) == both  # git does not know the file yet
    git(repository, "add", ".")
    git(repository, "commit", "-m", "checks")
    assert (ids(repository), ids(repository, "HEAD~1")) == ((), both)
    (repository / "docs" / "new ü.md").write_text(GUIDE)
    assert ids(repository) == both


def test_what_git_cannot_compare_is_said(repository: Path, tmp_path_factory):
    with pytest.raises(SetupError, match=r"cannot compare with 'nowhere'.*fetch-depth"):
        ids(repository, "nowhere")
    other = tmp_path_factory.mktemp("plain") / "a.md"
    other.write_text(GUIDE)
    with pytest.raises(SetupError, match="is in no git repository"):
        changed_since("main", load_documents([other]), ())


def test_nothing_that_changed_is_nothing_to_do(repository: Path, appliance):
    done = appliance("verify", "docs", "--changed-since", "main")
    assert done.code == 0, done.err
    assert "Left out: 4 procedures of 4." in done.err
    assert "Nothing to verify" in done.err
    refused = appliance("verify", "docs", "--changed-since=--output=x")
    assert (refused.code, "no commit or branch" in refused.err) == (2, True)
    assert not (repository / "x").exists()


def test_the_last_verdict_counts_whichever_run_gave_it(repository: Path, appliance, results):
    def verdict(name: str, verdict: Verdict):
        path = f"docs/disks/{name}"
        return results.procedure(verdict, id=path, document="docs/disks.md", findings=())

    first = results.run(verdict("create-a-disk", Verdict.BROKEN),
                        verdict("delete-a-disk", Verdict.VERIFIED))  # fmt: skip
    then = results.run(
        verdict("create-a-disk", Verdict.VERIFIED), id="20261122-090000-ab12",
        started_at=first.started_at.replace(day=22), ended_at=first.ended_at.replace(day=22),
    )  # fmt: skip
    with Store.open(repository / "data") as store:
        store.save_run(first)
        store.save_run(then)
    done = appliance("verify", "docs/disks.md", "--last-failed", "--json")
    assert done.code == 0, done.err
    assert "Left out: 2 procedures of 2." in done.err
    assert '"procedures": []' in done.out
