"""Suite files: what they become, and what is said of a broken one."""

import textwrap
from collections import Counter

import pytest

from appliance.benchmark.finding import load_suite
from appliance.benchmark.trials import Level, Split
from appliance.core.errors import SetupError
from appliance.documents import load_documents
from appliance.practice.releases import catalogue, releases

PRACTICE = load_suite("practice")
HEAD = """\
    schema_version: 1
    title: Mine
    documentation: bundled
    documents:
      disks.md: {product: disks, split: train}
    """


@pytest.fixture
def loaded(tmp_path):
    """A suite of the user's own with more behind its head."""

    def load(more, head=HEAD):
        text = textwrap.dedent(head) + textwrap.dedent(more)
        (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
        return load_suite("mine", [tmp_path])

    return load


def test_practice_has_as_many_tasks_as_the_paper_and_of_every_kind():
    tasks = PRACTICE.tasks
    assert len(tasks) >= 278
    assert {task.release for task in tasks} == set(releases())
    assert {task.language for task in tasks} == {"en", "zh"}
    assert Counter(task.level for task in tasks)[Level.HARD] > 76
    assert {task.split for task in tasks} == set(Split)
    assert {task.product for task in tasks} >= {
        "compute", "databases", "disks", "dns", "identity", "logging", "monitoring", "networking",
        "storage",
    }  # fmt: skip


def test_every_event_that_the_practice_cloud_documents_is_asked_for():
    events = {rule.event for t in PRACTICE.tasks for rule in t.draft.procedure.checks.expected()}
    known = {a.event for o in catalogue().resources() for a in o.resource.actions.values()}
    gone = {
        a.event for o in catalogue(releases()[0]).resources() for a in o.resource.actions.values()
    }
    assert events <= known | gone
    assert len(events) > 100


def test_a_subject_is_in_one_split_in_both_languages():
    splits = {}
    for task in PRACTICE.tasks:
        splits.setdefault(task.draft.name.split(".")[0], set()).add(task.split)
    assert {name: found for name, found in splits.items() if len(found) > 1} == {}


def test_tasks_differ_by_more_than_their_names():
    told = Counter(
        (task.draft.text, task.draft.key, task.checks_text, task.release) for task in PRACTICE.tasks
    )
    assert max(told.values()) == 1
    assert len({task.folder for task in PRACTICE.tasks}) == len(PRACTICE.tasks)


def test_what_is_written_is_read_as_the_task(tmp_path):
    chosen = PRACTICE.tasks[::12]
    for document in load_documents([task.write(tmp_path) for task in chosen]):
        task = next(t for t in chosen if f"/{t.folder}/" in document.path)
        read = [p for p in document.procedures if p.checks.expect]
        assert len(read) == 1, task.id
        assert {r.event for r in read[0].checks.expected()} == {
            r.event for r in task.draft.procedure.checks.expected()
        }


def test_other_values_are_in_the_text_and_in_the_rule(loaded):
    suite = loaded("""\
        varied:
          - procedure: disks/make-a-disk-larger
            release: "2025.1"
            text: {"200": "350"}
            where: {parameters.size: "350"}
        """)
    (task,) = suite.tasks
    assert task.id == "disks/make-a-disk-larger@2025.1=350"
    assert "`350`" in task.draft.text
    assert "parameters.size: '350'" in task.checks_text


def test_procedures_become_one_and_share_what_the_first_makes(loaded):
    suite = loaded("""\
        chained:
          - procedures: [disks/create-a-disk, disks/make-a-disk-larger]
            release: "2025.1"
            same: {small: data}
        """)
    (task,) = suite.tasks
    checks = task.draft.procedure.checks
    assert [rule.event for rule in checks.expected()] == ["CreateDisk", "ExpandDisk"]
    assert checks.needs == (), "the disk is there"
    assert checks.bindings["disk"] == checks.bindings["Disk name"] == "data-${unique}"
    assert task.level is Level.HARD
    assert "7. " in task.draft.text


@pytest.mark.parametrize(
    ("more", "line", "why"),
    [
        ("hrad: []\n", 6, "hrad: Extra inputs are not permitted"),
        ("hard: [disks/create-a-dsk]\n", 6, "no procedure 'disks/create-a-dsk'; did you mean"),
        ('as_written: {"2025.3": all}\n', 6, "there is no release '2025.3'"),
        (
            'as_written: {"2025.1": all}\nvaried:\n  - {release: x}\n',
            8,
            "varied.0.procedure: Field required",
        ),
        (
            'varied:\n  - procedure: disks/create-a-disk\n    release: "2025.1"\n'
            '    text: {name: x}\n    where: {parameters.size: "1"}\n',
            7,
            "'name' is 2 times in",
        ),
        (
            'varied:\n  - procedure: disks/create-a-disk\n    release: "2025.1"\n'
            '    text: {"100": "120"}\n    where: {parameters.sise: "1"}\n',
            7,
            "has no value at 'parameters.sise'",
        ),
        (
            "chained:\n  - procedures: [disks/create-a-disk, disks/rename-a-disk]\n"
            '    release: "2025.1"\n    same: {disk: data}\n',
            7,
            "'Disk name' stands for 'data-${unique}' and for 'wiki-${unique}'",
        ),
    ],
)
def test_a_broken_file_is_refused_with_line_and_reason(loaded, more, line, why):
    with pytest.raises(SetupError) as refused:
        loaded(more)
    assert f"mine.yaml:{line}: " in str(refused.value)
    assert why in str(refused.value)


def test_an_unknown_suite_is_named():
    with pytest.raises(SetupError, match=r"no suite 'practise'; did you mean 'practice'\?"):
        load_suite("practise")


def test_no_text_says_that_another_value_is_the_default():
    """What the form has already is told as a fact, and would be untrue with another value."""
    bundled = {t.draft.rest: t.draft.procedure.checks for t in PRACTICE.tasks if "=" not in t.id}
    for task in (t for t in PRACTICE.tasks if "=" in t.id):
        before, after = (
            c.expect[0] for c in (bundled[task.draft.rest], task.draft.procedure.checks)
        )
        for was, now in zip(before.where, after.where, strict=True):
            if was != now:
                field = was.path.split(".")[1]
                assert was.expected[0] not in defaults(before.event, field), task.id


def defaults(event, name):
    """What forms that cause the event have in a field."""
    for located in catalogue(releases()[0]).resources():
        for action in located.resource.actions.values():
            if (action.event, action.kind) == (event, "create") and name in located.resource.fields:
                yield str(located.resource.fields[name].default)
