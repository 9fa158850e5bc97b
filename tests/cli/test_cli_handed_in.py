"""What a server is handed reads there as it does here: the same procedures, under the same ids."""

from pathlib import Path

import pytest

from appliance.cli._handed_in import collect_hand_in
from appliance.core.errors import SetupError
from appliance.core.procedure import text_hash
from appliance.documents import load_documents
from appliance.engine.request import InlineDocument
from appliance.engine.uploads import given_name, keep_uploads

GUIDE = "# Disks\n\n## Create a disk\n\n1. Open **Disks**.\n2. Click **Create disk**.\n"
CHECKS = "procedures:\n  create-a-disk: {account: alice}\n"
ADOC = "= Disks\n\n== Create a disk\n\n. Open *Disks*.\n. Click *Create {thing}*.\n"
XML = """\
<!DOCTYPE article [<!ENTITY % names SYSTEM "../shared/names.ent"> %names;]>
<article xmlns="http://docbook.org/ns/docbook" version="5.0"><title>Disks</title>
<procedure><title>Create a disk</title>
<step><para>Open <guilabel>Disks</guilabel>.</para></step>
<step><para>Click <guilabel>&create;</guilabel>.</para></step>
</procedure></article>
"""
WAYS = {
    "a folder of a repository": ({".git/x": "", "docs/a.md": GUIDE}, ["docs"], ()),
    "the top of a repository": ({".git/x": "", "a.md": GUIDE}, ["a.md"], ()),
    "no repository": ({"docs/deep/a.md": GUIDE, "docs/a.md": GUIDE}, ["docs"], ()),
    "checks beside": ({"docs/a.md": GUIDE, "docs/a.md.checks.yaml": CHECKS}, ["docs/a.md"], ()),
    "checks elsewhere": ({"docs/a.md": GUIDE, "c/a.checks.yaml": CHECKS}, ["docs"], ["c"]),
    "a component of Antora": (
        {"docs/antora.yml": "asciidoc: {attributes: {thing: disk}}", "docs/p/q/a.adoc": ADOC},
        ["docs"],
        (),
    ),
    "files of entities": (
        {"docs/x/a.xml": XML, "docs/shared/names.ent": '<!ENTITY create "Create disk">'},
        ["docs"],
        (),
    ),
    "other letters": ({"文档/创建 1.md": GUIDE}, ["文档"], ()),
}


def lay(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_it_reads_the_same_there(folder: Path, tmp_path_factory, monkeypatch, way, elsewhere):
    files, docs, checks = WAYS[way]
    lay(folder, files)
    top = folder if elsewhere else Path()
    if elsewhere:  # named by their whole paths
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    named, folders = [top / one for one in docs], [top / one for one in checks]
    here = load_documents(named, folders)
    sent = collect_hand_in(here, named, folders)
    data = tmp_path_factory.mktemp("data")
    inline = [InlineDocument(name, file.read_bytes()) for name, file in sent.files.items()]
    there = load_documents(keep_uploads(data, "run", inline))
    assert [p.id for d in there for p in d.procedures]

    def told(documents, name):
        return {
            (name(d.path), d.revision, p.id, text_hash(p)) for d in documents for p in d.procedures
        }

    assert told(there, lambda p: sent.documents[given_name(p, data)]) == told(here, str)


def test_two_files_of_one_name_or_two_files_of_checks_are_refused(folder: Path):
    lay(folder, {"x/docs/a.md": GUIDE, "y/docs/a.md": GUIDE})
    lay(folder, {"x/docs/a.checks.yaml": CHECKS, "c/a.checks.yaml": CHECKS})
    named = [(folder / "x/docs").resolve(), (folder / "y/docs").resolve()]
    top = folder / "elsewhere"
    top.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        with pytest.raises(SetupError, match="would both be docs/a"):
            collect_hand_in(load_documents(named), named, ())
        with pytest.raises(SetupError, match="a server takes one file"):
            collect_hand_in(load_documents(named[:1]), named[:1], [folder / "c"])
