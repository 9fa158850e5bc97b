"""Files and folders: what is found, and what is said of what cannot be read."""

from pathlib import Path

import pytest

from appliance.core.errors import DocumentError
from appliance.documents import load_documents, parse_document

STEPS = "# Guide\n\n## Save it\n\n1. Click **Save**.\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    guide = tmp_path / "guide"
    guide.mkdir()
    (guide / "b.md").write_text(STEPS)
    (guide / "a.rst").write_text("Guide\n=====\n\n#. Click :guilabel:`Save`.\n")
    (guide / "c.htm").write_text("<h1>Guide</h1><ol><li>Click <b>Save</b></ol>")
    (guide / "notes.txt").write_text("1. Click **Save**.")
    (guide / "deep").mkdir()
    (guide / "deep" / "d.markdown").write_text(STEPS)
    (guide / ".hidden").mkdir()
    (guide / ".hidden" / "e.md").write_text(STEPS)
    return guide


def refused(*paths, checks=()):
    with pytest.raises(DocumentError) as caught:
        load_documents([Path(p) for p in paths], checks)
    said = str(caught.value)
    assert "\n" not in said
    return said


def test_a_folder_is_walked_in_order_without_hidden_ones(folder):
    documents = load_documents([Path("guide")])
    assert [d.path for d in documents] == [
        "guide/a.rst",
        "guide/b.md",
        "guide/c.htm",
        "guide/deep/d.markdown",
    ]
    assert [len(d.procedures) for d in documents] == [1, 1, 1, 1]
    assert [p.id for d in documents for p in d.procedures] == [
        "guide/a/guide",
        "guide/b/save-it",
        "guide/c/guide",
        "deep/d/save-it",
    ]


def test_a_file_named_twice_is_read_once(folder):
    assert len(load_documents([Path("guide/b.md"), Path("guide")])) == 4


def test_the_revision_is_that_of_the_bytes(folder):
    (document,) = load_documents([Path("guide/b.md")])
    assert document.revision == parse_document(STEPS, "x.md", "markdown").revision
    assert len(document.revision) == 64


def test_a_missing_file_names_the_nearest_one(folder):
    assert refused("guide/bb.md") == (
        "guide/bb.md: no such file or folder; did you mean guide/b.md?"
    )
    assert "nor is there a folder nowhere" in refused("nowhere/x.md")


def test_a_folder_without_documents(folder, tmp_path):
    (tmp_path / "empty").mkdir()
    assert refused("empty").startswith("empty: no documents in this folder (looked for *.md")


def test_a_file_of_another_kind(folder):
    assert refused("guide/notes.txt").startswith("guide/notes.txt: not a document")


def test_a_binary_file(folder):
    (folder / "p.md").write_bytes(b"\x89PNG\0\0\0")
    assert refused("guide/p.md") == "guide/p.md: is a binary file, not a text document"


def test_a_file_that_is_not_utf_8(folder):
    (folder / "l.md").write_bytes("# Gut\n\n1. Öffnen".encode("latin-1"))
    assert refused("guide/l.md") == (
        "guide/l.md:3: is not UTF-8: byte 0xd6 at offset 10; save it as UTF-8"
    )


def test_a_file_that_may_not_be_read(folder):
    (folder / "x.md").mkdir()
    (folder / "x.md" / "y.md").symlink_to("y.md")
    assert "guide/x.md/y.md: cannot be read: " in refused("guide/x.md")


def test_a_folder_of_checks_that_is_not_there(folder):
    assert "no such folder of checks" in refused("guide", checks=[Path("nope")])


def test_an_unknown_format():
    with pytest.raises(DocumentError, match="unknown format 'docx'; one of markdown, rst, html"):
        parse_document("", "x.docx", "docx")


@pytest.mark.parametrize("format", ["markdown", "rst", "html"])
@pytest.mark.parametrize("text", ["", "\n", "Just a paragraph.", "* one\n* two\n"])
def test_a_document_without_procedures_is_fine(format, text):
    assert parse_document(text, "guide/page", format).procedures == ()


def test_complaints_of_the_parser_are_kept_as_text():
    document = parse_document("Titles\n====\n\n`x\n", "guide/a.rst", "rst")
    assert document.problems[0].startswith("guide/a.rst:2: Title underline too short.")
    front = parse_document("---\ntitle: [\n---\n\n# T\n", "a.md", "markdown")
    assert front.problems[0].startswith("a.md:2: front matter: not valid YAML")
