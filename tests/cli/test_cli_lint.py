"""`appliance lint` and `appliance label`: whole commands on a store of a few labels."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.store.labels import PLACE, SeenLabel
from appliance.store.store import Store

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
GUIDE = """\
# Buckets

## Create a bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Create bucket** dialog, enter a name in the **Bucket name** field.
4. From the **Class** list, choose **Standard**.
5. Click **Create**.

## Delete a bucket

1. Open **Products** > **Buckets**.
2. In the row of the bucket, click **Delete**.
3. Click **Delete bucket**.
"""
BUCKETS, DIALOG = ("/buckets", "", ""), ("/buckets", "Create bucket", "")
LABELS = {
    ("/home", "", ""): {("button", "Products"), ("link", "Buckets")},
    BUCKETS: {("button", "Create bucket"), ("button", "Delete"), ("button", "Refresh")},
    DIALOG: {("textbox", "Bucket name"), ("combobox", "Class"), ("button", "Create")},
    ("/buckets", "Create bucket", "Class"): {("option", "Standard"), ("option", "Archive")},
    ("/buckets", "Delete bucket", ""): {("button", "Delete bucket")},
}


@pytest.fixture
def guide(folder) -> Path:
    file = folder / "docs" / "guide.md"
    file.parent.mkdir()
    file.write_text(GUIDE)
    return file


def keep(labels, release: str = "1", attempts: int = 3, days: int = 0) -> None:
    """What so many attempts saw."""
    seen = {
        SeenLabel("en", *place, role, name)
        for place, names in labels.items()
        for role, name in {*names, (PLACE, "")}
    }
    with Store.open(Path("data")) as store:
        for _ in range(attempts):
            store.labels.see("practice", release, seen, NOW + timedelta(days=days))


def without(name: str, *new: tuple[str, str]):
    """The labels of a release without one, and with others in its place."""
    return {
        place: ({one for one in names if one[1] != name} | set(new))
        if name in {one[1] for one in names}
        else names
        for place, names in LABELS.items()
    }


def test_without_labels_it_says_so_and_what_will_not_be_understood(appliance, guide):
    guide.write_text(GUIDE.replace("Click **Create**.", "Reticulate the splines thoroughly."))
    (guide.parent / "about.md").write_text("# About\n\nBuckets keep files.\n")
    (guide.parent / "odd.md").write_bytes(b"\xff")
    told = appliance("lint", "docs")
    assert told.code == 0, told.err
    assert told.out == (
        'docs/guide.md:9:4: not understood: "Reticulate the splines thoroughly.": the reader will'
        " not understand this instruction\n"
    )
    first, *others = told.err.splitlines()
    assert first == (
        "3 documents: 2 procedures; left out: 1 page without steps, 1 page cannot be read."
    )
    assert "odd.md:1: is not UTF-8" in others[0]
    assert others[1].startswith("No attempt has seen console practice yet: labels are not looked")
    assert not Path("data").exists()


def test_what_only_a_model_takes_for_a_procedure_is_counted(appliance, guide):
    (guide.parent / "pages.md").write_text("# Pages\n\nA page is made by way of its button.\n")
    assert (
        "Only a model may take for a procedure: 1 section." in appliance("procedures", "docs").err
    )
    listed = json.loads(appliance("procedures", "docs", "--json").out)
    assert [(one["title"], one["line"]) for one in listed["candidates"]] == [("Pages", 1)]


def test_what_is_none_of_a_consoles_is_counted_with_its_reason(appliance, guide):
    (guide.parent / "server.md").write_text("# Server\n\n1. Run it:\n\n   ```sh\n   ./it\n   ```\n")
    said = "Left out, since nothing is done in a console: 1 section (1 on the command line)."
    assert said in appliance("lint", "docs").err
    told = appliance("procedures", "docs")
    assert said in told.err and "docs/server.md" not in told.out
    listed = json.loads(appliance("procedures", "docs", "--json").out)
    assert [(one["document"], one["line"], one["reason"]) for one in listed["left_out"]] == [
        ("docs/server.md", 1, "command_line")
    ]


def test_what_is_there_is_not_spoken_of(appliance, guide):
    keep(LABELS)
    told = appliance("lint", guide)
    assert (told.code, told.out) == (0, "")
    assert "release 1 (pages: 4 in en): 0 findings · 0 questions · 0 instructions" in told.err


def test_what_was_not_seen_is_a_question_that_fails_nothing_unless_it_is_to(appliance, guide):
    keep(LABELS)
    guide.write_text(
        GUIDE.replace("**Create**.", "**Create now**.").replace("Standard", "Standart")
    )
    told = appliance("lint", guide)
    assert told.code == 0
    assert told.out.splitlines() == [
        'docs/guide.md:8:38: question: "Standart": not seen so far in 4 pages of the console;'
        ' nearest: "Standard"'.replace("docs/guide.md", str(guide)),
        f'{guide}:9:12: question: "Create now": not seen so far in 4 pages of the console;'
        ' nearest: "Create"',
    ]
    assert appliance("lint", guide, "--strict").code == 1


def test_the_title_of_a_dialog_is_nothing_to_click(appliance, guide):
    dialog = {DIALOG: LABELS[DIALOG] | {("dialog_title", "Create bucket")}}
    keep(without("Create bucket", ("button", "New bucket")) | dialog)
    told = appliance("lint", guide)
    assert (
        f'{guide}:6:12: question: "Create bucket": seen as the title of a dialog only' in told.out
    )
    assert len(told.out.splitlines()) == 1


def test_what_an_older_release_had_and_this_one_has_not_is_a_finding(appliance, guide):
    keep(LABELS, "1")
    keep(without("Bucket name", ("textbox", "Name of the bucket")), "2", days=1)
    told = appliance("lint", guide, "--json", "--sarif", "lint.sarif")
    assert told.code == 1
    found = json.loads(told.out)
    assert found["schema_version"] == 1
    assert found["release"] == "2"
    assert (found["summary"]["findings"], found["summary"]["questions"]) == (1, 0)
    (remark,) = found["remarks"]
    assert remark["message"] == (
        'release 1 had it on /buckets, "Create bucket"; 3 attempts looked there in 2 and did not'
        ' see it; "Name of the bucket" is new there'
    )
    column = GUIDE.splitlines()[6].index("Bucket name") + 1
    wanted = {"kind": "renamed_label", "line": 7, "column": column, "nearest": "Name of the bucket"}
    assert wanted.items() <= remark.items()
    (run,) = json.loads(Path("lint.sarif").read_text())["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    assert (result["ruleId"], result["level"]) == ("renamed_label", "warning")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "docs/guide.md", "uriBaseId": "SRCROOT"}
    assert place["region"]["startLine"] == 7
    old = appliance("lint", guide, "--release", "1")
    assert (old.code, old.out) == (0, "")
    guide.write_text(GUIDE.replace("**Bucket name**", "**Name of the bucket**"))
    assert appliance("lint", guide).code == 0
    early = appliance("lint", guide, "--release", "1")
    assert early.code == 0, "a later release says nothing about an earlier one"
    assert 'question: "Name of the bucket": not seen so far' in early.out


@pytest.mark.parametrize(("before", "looked"), [(3, 1), (3, 0)])
def test_what_nobody_looked_for_twice_is_not_gone(appliance, guide, before, looked):
    keep(LABELS, "1", attempts=before)
    rest = {place: names for place, names in LABELS.items() if place != DIALOG}
    keep(rest, "2", days=1)
    keep({DIALOG: {("button", "Create")}}, "2", attempts=looked, days=1)
    told = appliance("lint", guide)
    assert told.code == 0
    assert ('question: "Bucket name"' in told.out) is (looked > 0)
    assert ("1 procedure on pages that nobody has seen" in told.err) is (looked == 0)


def test_what_was_seldom_there_may_have_been_overlooked(appliance, guide):
    keep(without("Bucket name"), "1", attempts=7)
    keep(LABELS, "1", attempts=3)
    keep(without("Bucket name"), "2", attempts=5, days=1)
    assert appliance("lint", guide).code == 0


def test_what_stands_in_a_menu_now_has_moved_unless_the_text_says_so(appliance, guide):
    keep(LABELS, "1")
    moved = without("Delete", ("button", "More")) | {
        ("/buckets", "", "More"): {("menuitem", "Delete")}
    }
    keep(moved, "2", days=1)
    told = appliance("lint", guide)
    assert told.code == 1
    assert f'{guide}:14:38: moved control: "Delete": release 1 had it on /buckets' in told.out
    assert told.out.endswith('it is in "More" now\n')
    guide.write_text(GUIDE.replace("click **Delete**.", "click **More** > **Delete**."))
    assert appliance("lint", guide).code == 0


def test_a_name_that_other_pages_have_is_gone_from_the_page_that_is_meant(appliance, guide):
    others = {("/disks", "", ""): {("button", "Delete"), ("button", "Create disk")}}
    keep(LABELS | others, "1")
    keep(without("Delete") | others, "2", days=1)
    told = appliance("lint", guide)
    assert told.code == 1
    assert 'missing control: "Delete": release 1 had it on /buckets;' in told.out


def test_pages_that_nobody_has_seen_are_not_asked_about(appliance, guide):
    keep({("/home", "", ""): {("button", "Products"), ("link", "Disks")}})
    told = appliance("lint", guide)
    assert (told.code, told.out) == (0, "")
    assert "2 procedures on pages that nobody has seen" in told.err


def test_names_of_peoples_own_things_are_not_asked_about(appliance, guide):
    keep(LABELS)
    guide.write_text(GUIDE.replace("**Standard**", "**std.large-2**"))
    assert appliance("lint", guide).out == ""


def test_what_no_document_names_is_told_when_it_is_asked_for(appliance, guide):
    keep(LABELS)
    told = appliance("lint", guide, "--undocumented", "--json")
    (one,) = json.loads(told.out)["undocumented"]
    assert (one["role"], one["name"], one["page"]) == ("button", "Refresh", "/buckets")
    guide.write_text(GUIDE + "\nTo see it, refresh\nthe list.\n")
    told = appliance("lint", guide, "--undocumented")
    assert told.out == ""
    assert told.err.endswith("0 controls that no document names\n")


def test_labels_travel_in_a_file(appliance, guide):
    keep(LABELS)
    listed = appliance("label", "list", "--json")
    assert len(json.loads(listed.out)) == 16
    Path("labels.json").write_text(listed.out)
    for file in Path("data").glob("store*"):
        file.unlink()
    guide.write_text(GUIDE.replace("Standard", "Standart"))
    told = appliance("lint", guide, "--labels", "labels.json")
    assert 'question: "Standart"' in told.out
    Path("labels.json").write_text('[{"name": "Products"}]')
    told = appliance("lint", guide, "--labels", "labels.json")
    assert told.code == 2
    assert "labels.json: is not what `appliance label list --json` prints" in told.err


def test_labels_are_listed(appliance, folder):
    keep(LABELS)
    told = appliance("label", "list", "--release", "1")
    assert told.err == "11 labels on 2 pages.\n"
    assert ["1", "/buckets", "Create", "bucket", "textbox", "Bucket", "name", "3"] in [
        line.split() for line in told.out.splitlines()
    ]


def test_a_document_that_is_not_there_is_told(appliance, folder):
    told = appliance("lint", "docs")
    assert told.code == 2
    assert "docs: no such file or folder" in told.err
