"""Documents in outline: none is read twice, and what is kept is never out of date."""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from appliance.core.procedure import text_hash
from appliance.documents import (
    OUTLINES,
    Children,
    Making,
    cache_of,
    documents_in,
    load_documents,
    outline_of,
    within_limits,
)
from appliance.documents.apart import Answer
from appliance.documents.cache import NoCache
from appliance.practice.releases import DOCUMENTATION

GUIDE = "# Buckets\n\n## Create a bucket\n\n1. Click **Create bucket**.\n"
PAGE = "= Buckets\n\n== Create a bucket\n\n. Click *{button}*.\n"
BOOK = """<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd" [
<!ENTITY % names SYSTEM "names.ent">
%names;
]>
<article><title>Buckets</title><section><title>Create a bucket</title>
<procedure><step><para>Click <guibutton>&button;</guibutton>.</para></step></procedure>
</section></article>
"""


class Counted(Children):
    """Children that count what they read."""

    def __init__(self) -> None:
        super().__init__(60.0, outline_of)
        self.names: list[str] = []

    def read_with(self, path, *more):
        self.names.append(path.name)
        return super().read_with(path, *more)

    def take(self) -> list[str]:
        names, self.names = sorted(self.names), []
        return names


@pytest.fixture
def children():
    made = Counted()
    yield made
    made.close()


@pytest.fixture
def docs(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


def outlines(docs: Path, children, checks=(), **more):
    """Of a folder, with the cache beside it."""
    with cache_of(docs.parent, OUTLINES, **more) as cache:
        each = Making(children, cache, checks).each(documents_in([docs], checks))
        return within_limits(each, [docs], lambda why: None)


def button(outline) -> str:
    """What tells one text from another."""
    return outline[0].procedures[0].text_hash


def test_an_outline_says_of_bundled_documents_what_reading_them_whole_does(docs, children):
    for name in ("buckets.md", "networks.rst", "instances.html"):
        shutil.copy(DOCUMENTATION / name, docs)
    first, again = outlines(docs, children), outlines(docs, children)
    assert first == again
    assert len(children.take()) == 3
    whole = load_documents([docs])
    assert [(d.path, d.revision, d.title) for d in first] == [
        (d.path, d.revision, d.title) for d in whole
    ]
    assert [(p.id, p.title, p.line, p.text_hash) for d in first for p in d.procedures] == [
        (p.id, p.title, p.span.line, text_hash(p)) for d in whole for p in d.procedures
    ]


def test_only_what_has_changed_is_read_again(docs, children):
    for name in ("a.md", "b.md"):
        (docs / name).write_text(GUIDE)
    before = outlines(docs, children)
    children.take()
    (docs / "b.md").write_text(GUIDE.replace("Click", "Press"))
    after = outlines(docs, children)
    assert children.take() == ["b.md"]
    assert (after[0], after[1].revision) == (before[0], load_documents([docs])[1].revision)
    (docs / "b.md").write_text(GUIDE)
    assert outlines(docs, children) == before
    assert children.take() == []


@pytest.mark.parametrize(
    ("name", "text", "other", "first", "second"),
    [
        ("a.adoc", PAGE, "antora.yml", "asciidoc: {attributes: {button: %s}}", "Make"),
        ("a.xml", BOOK, "names.ent", '<!ENTITY button "%s">', "Make"),
    ],
)
def test_a_file_that_a_document_takes_text_from_is_a_part_of_it(
    docs, children, name, text, other, first, second
):
    (docs / name).write_text(text)
    hashes = [button(outlines(docs, children))]  # looked for in vain
    for word in ("Create", second):
        (docs / other).write_text(first % word)
        hashes.append(button(outlines(docs, children)))
    (docs / other).unlink()
    hashes.append(button(outlines(docs, children)))
    assert children.take() == [name] * 4
    assert len(set(hashes)) == 3
    assert hashes[0] == hashes[-1]
    assert button(outlines(docs, children)) == hashes[-1]
    assert children.take() == []


def test_checks_are_a_part_of_it_wherever_they_are(docs, children, tmp_path):
    (docs / "a.md").write_text(GUIDE)
    checks = tmp_path / "checks"
    checks.mkdir()
    plain = outlines(docs, children, [checks])
    (checks / "a.checks.yaml").write_text(
        "procedures: {create-a-bucket: {account: admin, skip: no console}}\n"
    )
    (one,) = outlines(docs, children, [checks])[0].procedures
    assert (one.account, one.is_skipped) == ("admin", True)
    assert one.text_hash != button(plain)
    assert children.take() == ["a.md", "a.md"]


def test_another_version_of_the_reader_reads_everything_anew(docs, children):
    (docs / "a.md").write_text(GUIDE)
    for code in (b"1", b"2", b"2"):
        outlines(docs, children, code=code)
    assert children.take() == ["a.md", "a.md"]


@pytest.mark.parametrize("damage", [b"", b"nothing", b"\x78\x01\xff\xff"])
def test_a_damaged_entry_is_read_again_and_mended(docs, children, damage):
    (docs / "a.md").write_text(GUIDE)
    before = outlines(docs, children)
    with sqlite3.connect(docs.parent / OUTLINES.name) as database:
        database.execute("UPDATE kept SET made = ?", [damage])
    assert outlines(docs, children) == before
    assert outlines(docs, children) == before
    assert children.take() == ["a.md", "a.md"]


def test_a_file_that_is_damaged_in_the_middle_is_made_anew(docs, children):
    for number in range(30):
        (docs / f"{number}.md").write_text(GUIDE)
    before = outlines(docs, children)
    file = docs.parent / OUTLINES.name
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xaa" * len(data[4096:])  # the head is good
    file.write_bytes(data)
    assert outlines(docs, children) == before
    assert len(children.take()) == 60
    outlines(docs, children)  # the damaged file was removed: this one fills another
    children.take()
    assert outlines(docs, children) == before
    assert children.take() == []


_READS = """
import json, sys
from pathlib import Path
from appliance.config import Settings
from appliance.engine.documentation import Documentation
folder = Path(sys.argv[1])
documentation = Documentation(Settings(data_dir=folder), print, is_open=True)
read = documentation.outlines([folder / "docs"], ())
documentation.close()
print(json.dumps([p.text_hash for d in read for p in d.procedures]))
"""


def test_two_processes_at_once_read_the_same_and_both_keep_it(docs, children):
    for number in range(12):
        (docs / f"{number}.md").write_text(GUIDE.replace("Create", f"Create {number}"))
    command = [sys.executable, "-c", _READS, str(docs.parent)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [json.loads(process.communicate(timeout=90)[0]) for process in both]
    kept = [p.text_hash for d in outlines(docs, children) for p in d.procedures]
    assert told == [kept, kept]
    assert len(kept) == 12
    assert children.take() == []


class _Slow(Children[str]):
    """Notes what it is asked to read."""

    def __init__(self) -> None:
        self.asked: list[Path] = []

    def read_with(
        self, path: Path, checks_dirs: Sequence[Path] = (), root: Path | None = None
    ) -> Answer[str]:
        self.asked.append(path)
        time.sleep(0.05)
        return Answer(path.name, ())


def test_what_nobody_waits_for_any_more_is_not_read() -> None:
    slow = _Slow()
    each = Making(slow, NoCache[str]()).each({Path(f"{n}.md"): None for n in range(40)})
    assert next(each)[1] == "0.md"
    each.close()
    assert len(slow.asked) < 30
