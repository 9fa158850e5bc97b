import re
from pathlib import Path

import pytest
import yaml

from appliance.core.verdict import DivergenceKind
from appliance.documents import load_documents
from appliance.practice.releases import DOCUMENTATION, RELEASES, catalogue, releases

TRUTHS = sorted(RELEASES.glob("*.truth.yaml"))


def untruths(file):
    return yaml.safe_load(file.read_text(encoding="utf-8"))["untruths"]


@pytest.fixture(scope="module")
def documents():
    return load_documents([DOCUMENTATION])


def procedures(documents):
    return [procedure for document in documents for procedure in document.procedures]


@pytest.mark.parametrize("release", releases())
def test_every_release_loads(release):
    assert {found.kind for found in catalogue(release).resources()} >= {"bucket", "network"}


@pytest.mark.parametrize("file", TRUTHS, ids=lambda file: file.stem)
def test_every_untruth_is_where_the_truth_file_says(file):
    for entry in untruths(file):
        lines = (DOCUMENTATION / entry["document"]).read_text(encoding="utf-8").splitlines()
        assert entry["quote"] in lines[entry["line"] - 1], entry
        assert entry["kind"] in entry["acceptable_kinds"], entry
        assert set(entry["acceptable_kinds"]) <= set(DivergenceKind), entry
        assert entry["note"]


@pytest.mark.parametrize("file", TRUTHS, ids=lambda file: file.stem)
def test_untruths_are_of_many_kinds_and_most_procedures_stay_true(file, documents):
    entries = [entry for entry in untruths(file) if not entry.get("is_optional")]
    assert 7 <= len(entries) <= 20
    assert len({entry["kind"] for entry in entries}) >= 7
    assert {".zh" in entry["document"] for entry in entries} == {True, False}
    hit = {
        procedure.id
        for entry in entries
        for procedure in procedures(documents)
        if Path(procedure.span.file).name == entry["document"]
        and procedure.span.line <= entry["line"] <= procedure.span.end_line
    }
    assert len(hit) * 2 <= len(procedures(documents))


def test_the_documentation_is_varied(documents):
    found = procedures(documents)
    languages = [procedure.language for procedure in found]
    assert languages.count("en") >= 60
    assert languages.count("zh") >= 25
    assert {document.format for document in documents} == {"markdown", "rst", "html"}
    assert not [problem for document in documents for problem in document.problems]


def test_every_procedure_has_checks_on_events_and_needs_that_exist(documents):
    offered = catalogue("2025.1")
    events = {
        action.event for found in offered.resources() for action in found.resource.actions.values()
    }
    kinds = {found.kind: found.resource for found in offered.resources()}
    for procedure in procedures(documents):
        checks = procedure.checks
        assert checks.expect or checks.forbid, procedure.id
        for rule in checks.expected():
            assert rule.event in events, procedure.id
        for need in checks.needs:
            assert set(need.values) - {"state"} <= set(kinds[need.kind].fields), procedure.id


def test_every_picture_is_shown_and_every_shown_picture_is_there():
    texts = [
        file.read_text(encoding="utf-8")
        for file in DOCUMENTATION.iterdir()
        if file.suffix in (".md", ".rst", ".html")
    ]
    shown = {name for text in texts for name in re.findall(r"images/([\w.-]+)", text)}
    assert shown == {file.name for file in (DOCUMENTATION / "images").iterdir()}


def test_links_between_the_documents_lead_somewhere():
    for file in DOCUMENTATION.iterdir():
        if file.suffix not in (".md", ".rst", ".html"):
            continue
        text = file.read_text(encoding="utf-8")
        for target in re.findall(r"[(<\"']([\w.-]+\.(?:md|rst|html))(?:#[\w-]*)?[)>\"']", text):
            is_site = target == "index.html"  # the start page of the site, which is not here
            assert is_site or (DOCUMENTATION / target).is_file(), (file.name, target)
