"""What lint keeps of documents: the same answers, and no document read twice."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.errors import DocumentError
from appliance.documents import cache_of
from appliance.documents.load import read_file
from appliance.lint import PAGES, read_pages
from appliance.lint.pages import page_of
from appliance.practice.releases import DOCUMENTATION

TIMEOUT_S, NO_TIME_S = 60.0, 1e-6
GUIDE = (
    "# Buckets\n\n## Create a bucket\n\n1. Click **Create bucket**.\n2. Frobnicate the bucket.\n"
)
LONG = "".join(f"{GUIDE.replace('bucket', f'bucket {number}')}\n" for number in range(200))
"""Processor time is counted in ticks of milliseconds: what is read within one takes none."""
BUNDLED = sorted(file.name for file in DOCUMENTATION.iterdir() if file.suffix in (".md", ".rst"))


def pages(files, cache, timeout_s=TIMEOUT_S):
    """What is made of each; an error as its words."""
    made = read_pages(files, timeout_s, cache=cache)
    return [(path, str(page) if isinstance(page, DocumentError) else page) for path, page in made]


def linted(files, folder: Path, **more):
    """With the cache of a folder."""
    with cache_of(folder, PAGES, **more) as cache:
        return pages(files, cache)


def kept(folder: Path) -> int:
    """How many pages a cache has."""
    with sqlite3.connect(folder / PAGES.name) as database:
        return int(database.execute("SELECT count(*) FROM kept").fetchone()[0])


@pytest.fixture
def guide(tmp_path) -> Path:
    (tmp_path / "docs").mkdir()
    file = tmp_path / "docs" / "guide.md"
    file.write_text(GUIDE)
    return file


EDITS = st.lists(
    st.tuples(st.sampled_from(range(2)), st.sampled_from(["", "x", "\n", "**Save**. ", "<", "\0"])),
    min_size=1,
    max_size=4,
)


@given(edits=EDITS, names=st.lists(st.sampled_from(BUNDLED), min_size=2, max_size=2, unique=True))
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_answers_are_the_same_with_and_without_it(tmp_path_factory, edits, names):
    folder = tmp_path_factory.mktemp("lint")
    files = [folder / name for name in names]
    for file in files:
        shutil.copy(DOCUMENTATION / file.name, file)
    linted(files, folder)
    for number, words in edits:
        text = files[number].read_text("utf-8")
        half = len(text) // 2
        files[number].write_text(text[:half] + words + text[half:], "utf-8")
    assert linted(files, folder) == linted(files, folder) == read_here(files)


def read_here(files):
    """Without a cache, and in this process: another one takes its time to start."""
    made = []
    for file in files:
        try:
            made.append((file, page_of(read_file(file))))
        except DocumentError as error:
            made.append((file, str(error)))
    return made


def test_what_is_as_it_was_is_not_read_again(guide, tmp_path):
    first = linted([guide], tmp_path)
    ((_, page),) = first
    assert [one.text for one in page.procedures[0].unclear] == ["Frobnicate the bucket."]
    with cache_of(tmp_path, PAGES) as cache:
        assert list(read_pages([guide], NO_TIME_S, cache=cache)) == first
        guide.write_text(LONG)
        ((_, said),) = pages([guide], cache, NO_TIME_S)
    assert "was not read within" in said


def test_the_checks_beside_a_document_are_a_part_of_it(guide, tmp_path):
    linted([guide], tmp_path)
    guide.with_name("guide.checks.yaml").write_text("procedures: {nowhere: {}}\n")
    ((_, said),) = linted([guide], tmp_path)
    assert "no procedure 'nowhere'" in said


def test_pages_that_were_not_used_for_longest_go_first(guide, tmp_path):
    others = [guide.with_name(f"{number}.md") for number in range(3)]
    for number, file in enumerate(others):
        file.write_text(GUIDE + f"{'word ' * number}.\n")
    linted([guide], tmp_path)
    with sqlite3.connect(tmp_path / PAGES.name) as database:
        (size,) = database.execute("SELECT length(made) FROM kept").fetchone()
    for file in others:
        linted([file], tmp_path, max_bytes=3 * size)
        linted([guide], tmp_path, max_bytes=3 * size)
    assert kept(tmp_path) < 4
    with cache_of(tmp_path, PAGES) as cache:
        assert cache.get(cache.key(guide)) is not None
        assert cache.get(cache.key(others[0])) is None


def test_another_code_has_pages_of_its_own(guide, tmp_path):
    linted([guide], tmp_path)
    linted([guide], tmp_path, code=b"another")
    assert kept(tmp_path) == 2


def test_a_file_that_is_no_cache_is_made_anew(guide, tmp_path):
    (tmp_path / PAGES.name).write_bytes(b"no database at all, but long enough to be looked at" * 9)
    assert linted([guide], tmp_path) == read_here([guide])
    assert kept(tmp_path) == 1


def test_two_keep_theirs_at_the_same_time(guide, tmp_path):
    with cache_of(tmp_path, PAGES, code=b"another") as cache:
        assert linted([guide], tmp_path) == pages([guide], cache)
    assert kept(tmp_path) == 2


def test_no_folder_is_made_for_it(guide, tmp_path):
    linted([guide], tmp_path / "data")
    assert not (tmp_path / "data").exists()
