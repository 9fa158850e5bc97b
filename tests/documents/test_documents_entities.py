"""DocBook sets keep their entities in files of their own: read below the document root, bounded."""

import os
from pathlib import Path

import pytest

from appliance.core.errors import LimitError
from appliance.core.procedure import Document
from appliance.documents import Reader, load_documents
from appliance.documents import _entities as entities

BOOK = """\
<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "docbookx.dtd" [
<!ENTITY % common SYSTEM "{name}">
%common;
<!ENTITY own "Own">
]>
<article><section><title>Create a &thing;</title><procedure>
<step><para>In &product;, click <guibutton>&create;</guibutton> (&own;).</para></step>
<step><para>Click <guibutton>Go</guibutton>.</para></step>
</procedure></section></article>
"""
COMMON = """\
<?xml version="1.0" encoding="utf-8"?>
<!-- @skip: no directive of the document -->
<!ENTITY product "Console &amp; Co">
<!ENTITY thing "bucket">
<!ENTITY create "Create &thing;">
"""


def load(folder: Path, name: str, at: str = "book.xml") -> Document:
    file = folder / at
    file.parent.mkdir(exist_ok=True)
    file.write_text(BOOK.format(name=name))
    return next(d for d in load_documents([folder]) if d.path == str(file))


def first_step(document: Document) -> str:
    [procedure] = document.procedures
    return procedure.steps[0].text


READ = "In Console & Co, click Create bucket (Own)."
UNREAD = "In …, click … (Own)."


def test_declarations_beside_the_document_are_known(tmp_path):
    (tmp_path / "common.ent").write_text(COMMON)
    document = load(tmp_path, "common.ent")
    assert first_step(document) == READ
    assert document.problems == ()
    [procedure] = document.procedures
    assert procedure.title == "Create a bucket"
    assert not procedure.checks.skip
    label = procedure.steps[0].body[0].inlines[-1]
    assert label.text == "Create bucket"
    line = document.lines[label.span.line - 1]
    assert line[label.span.column - 1 : label.span.end_column - 1] == "&create;"


def test_files_elsewhere_below_the_root_are_read_and_name_others(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "all.ent").write_text('<!ENTITY % more SYSTEM "deep/more.ent">%more;')
    (tmp_path / "shared" / "deep").mkdir()
    (tmp_path / "shared" / "deep" / "more.ent").write_text(COMMON)
    assert first_step(load(tmp_path, "../shared/all.ent", "guide/book.xml")) == READ
    # of a file that is named itself, the root is its own folder
    [alone] = load_documents([tmp_path / "guide" / "book.xml"])
    assert first_step(alone) == UNREAD


@pytest.mark.parametrize("name", ["../secret.ent", "{outside}", "link.ent", "file://{outside}"])
def test_nothing_outside_of_the_root_is_opened(tmp_path, name):
    (tmp_path / "secret.ent").write_text(COMMON)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "link.ent").symlink_to(tmp_path / "secret.ent")
    document = load(docs, name.format(outside=tmp_path / "secret.ent"))
    assert first_step(document) == UNREAD


@pytest.mark.parametrize("name", ["http://127.0.0.1:9/a.ent", "gone.ent", ".", "pipe.ent", "a\tb"])
def test_what_is_no_file_is_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / "pipe.ent")
    assert first_step(load(tmp_path, name)) == UNREAD


def test_text_of_another_file_is_shown_as_left_out(tmp_path):
    (tmp_path / "common.ent").write_text(
        f'{COMMON.replace("Console &amp; Co", "x")}<!ENTITY chapter SYSTEM "secret.txt">'
    )
    (tmp_path / "secret.txt").write_text("secret")
    file = tmp_path / "book.xml"
    file.write_text(BOOK.format(name="common.ent").replace("(&own;)", "(&chapter;)"))
    [document] = load_documents([tmp_path])
    assert first_step(document) == "In x, click Create bucket (…)."


def test_what_is_broken_or_too_long_leaves_what_precedes_it(tmp_path):
    (tmp_path / "common.ent").write_text(f"{COMMON}<!ENTITY % nothing <")
    assert first_step(load(tmp_path, "common.ent")) == READ
    (tmp_path / "common.ent").write_text(COMMON + " " * entities.MAX_FILE_BYTES)
    assert first_step(load(tmp_path, "common.ent")) == UNREAD


def test_files_that_name_each_other_come_to_an_end(tmp_path):
    (tmp_path / "common.ent").write_text(
        f'{COMMON}<!ENTITY % again SYSTEM "other.ent">%again;%again;'
    )
    (tmp_path / "other.ent").write_text('<!ENTITY % back SYSTEM "common.ent">%back;%back;')
    assert first_step(load(tmp_path, "common.ent")) == READ


def test_a_bomb_across_files_is_no_document(tmp_path):
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    (tmp_path / "common.ent").write_text(
        f'<!ENTITY e0 "0123456789">{levels}<!ENTITY product "&e8;"><!ENTITY thing "t">'
        '<!ENTITY create "c">'
    )
    file = tmp_path / "book.xml"
    file.write_text(BOOK.format(name="common.ent"))
    reader = Reader(10)
    try:
        with pytest.raises(LimitError) as caught:
            reader.load([file])
    finally:
        reader.close()
    assert "grow it to many times its size" in str(caught.value)
