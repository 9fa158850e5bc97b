import shutil
import subprocess

import pytest

from appliance.core.build import UNKNOWN, commit, commit_of

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(*arguments: str, cwd) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    done = subprocess.run(
        ["git", *who, *arguments], cwd=cwd, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    git("init", "-q", cwd=tmp_path)
    git("commit", "-q", "--allow-empty", "-m", "a", cwd=tmp_path)
    return tmp_path


@needs_git
def test_the_commit_of_a_repository(repository):
    head = git("rev-parse", "HEAD", cwd=repository)
    stamp = repository / "COMMIT"
    assert commit_of(repository, stamp) == head
    git("pack-refs", "--all", cwd=repository)
    assert commit_of(repository, stamp) == head
    git("checkout", "-q", "--detach", cwd=repository)
    assert commit_of(repository, stamp) == head
    git("worktree", "add", "-q", "-b", "other", "tree", cwd=repository)
    assert commit_of(repository / "tree", stamp) == head


@needs_git
def test_a_stamp_wins(repository):
    stamp = repository / "COMMIT"
    stamp.write_text("a" * 40 + "\n")
    assert commit_of(repository, stamp) == "a" * 40
    stamp.write_text("rubbish")
    assert commit_of(repository, stamp) == git("rev-parse", "HEAD", cwd=repository)


def test_without_any_trace_it_is_unknown(tmp_path):
    assert commit_of(tmp_path, tmp_path / "COMMIT") == UNKNOWN


def test_the_running_code_has_one():
    assert commit() == UNKNOWN or len(commit()) in (40, 64)
