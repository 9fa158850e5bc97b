"""What a model notes of the text, and what is believed of it."""

import pytest

from appliance.core.page import Bounds
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.documents import parse_document
from appliance.policy.base import Decision, Task
from appliance.policy.model.quotes import locate_quote
from appliance.policy.model.witness import Witness
from tests.policy.policy_model_desk import (
    BUCKETS,
    GUIDE,
    desk,
    element,
    note,
    procedure,
    said,
    view,
)

RENAMED = view(
    element(1, "link", "Storage"),
    element(2, "link", "Buckets"),
    element(3, "button", "New bucket"),
)
DIFFERS = note(
    "2",
    "differs",
    quote="Create bucket",
    shown='the button is called "New bucket"',
    suggestion="New bucket",
    kind="renamed_label",
)
COMPLETE = {"kind": "complete", "seen": "it is in the list"}


def click(number):
    return {"kind": "click", "element": number, "how": ""}


async def test_a_divergence_stands_where_the_literal_reader_would_put_it():
    async with desk([said(step="2", notes=[DIFFERS], action=click(3))]) as d:
        made = await d.choose(RENAMED)
    (divergence,) = made.divergences
    label = procedure().steps[1].body[0].labels()[0]
    assert (divergence.span, divergence.quote) == (label.span, label.text)
    assert divergence.kind is DivergenceKind.RENAMED_LABEL
    assert divergence.severity is Severity.MISLEADS
    assert divergence.basis is Basis.TOLD_SEEN
    assert divergence.suggestion == "New bucket"
    (report,) = made.reports
    assert (report.step, report.status) == ("2", StepStatus.DIVERGED)


@pytest.mark.parametrize(
    ("change", "page", "basis"),
    [
        ({}, RENAMED, Basis.TOLD_SEEN),
        ({"suggestion": "Make bucket"}, RENAMED, Basis.TOLD),
        ({}, view(), Basis.DOUBTFUL),  # the label that is said to be gone is there
        ({"quote": "Make a bucket of your own"}, RENAMED, Basis.DOUBTFUL),
    ],
)
async def test_a_claim_is_believed_as_far_as_text_and_page_bear_it_out(change, page, basis):
    claim = {**DIFFERS, **change}
    async with desk([said(step="2", notes=[claim], action=click(3))]) as d:
        made = await d.choose(page)
    assert made.divergences[0].basis is basis


@pytest.mark.parametrize(
    ("matched", "status", "severity"),
    [
        ("missing", StepStatus.STUCK, Severity.BREAKS),
        ("differs", StepStatus.DIVERGED, Severity.MISLEADS),
        ("not_applicable", StepStatus.SKIPPED, None),
        ("unreachable", StepStatus.UNREACHED, None),
        ("as_written", StepStatus.AS_WRITTEN, None),
    ],
)
async def test_every_note_has_its_status(matched, status, severity):
    answer = said(step="2", notes=[note("2", matched)], action=click(3))
    async with desk([answer]) as d:
        made = await d.choose()
    assert made.reports[0].status is status
    assert [found.severity for found in made.divergences] == ([severity] if severity else [])


async def test_the_same_note_counts_once():
    answer = said(step="2", notes=[DIFFERS], action=click(3))
    async with desk([answer, answer]) as d:
        first, second = await d.choose(RENAMED), await d.choose(RENAMED)
    assert len(first.divergences) == 1
    assert (second.reports, second.divergences) == ((), ())


MISSING = note(
    "2", "missing", quote="Create bucket", shown="it is not there", kind="missing_control"
)
OTHER = view(element(1, "link", "Storage"))


async def notes_of(*notes: list[dict[str, str]], pages=(OTHER, OTHER)) -> list[Decision]:
    """What is made of the notes of consecutive answers, each on its page."""
    answers = [said(step="2", notes=each, action=click(1)) for each in notes]
    async with desk(answers) as d:
        return [await d.choose(page) for page in pages]


async def test_a_later_note_takes_the_place_of_an_earlier_one():
    there = note("2", quote="Create bucket", shown="it is below the list")
    first, second = await notes_of([MISSING], [there], pages=(OTHER, view()))
    assert [d.kind for d in first.divergences] == [DivergenceKind.MISSING_CONTROL]
    assert second.withdrawn == (*first.reports, *first.divergences)
    assert [r.status for r in second.reports] == [StepStatus.AS_WRITTEN]


async def test_what_no_page_has_shown_since_is_not_taken_back():
    _, second = await notes_of([MISSING], [note("2", quote="Create bucket")])
    assert second.withdrawn == ()


async def test_praise_of_the_rest_of_a_step_takes_nothing_back():
    _, second = await notes_of([DIFFERS], [note("2")], pages=(RENAMED, view()))
    assert second.withdrawn == ()


async def test_a_better_account_of_the_same_words_takes_the_place_of_the_first():
    vague = {**DIFFERS, "quote": "Click **Create bucket**.", "suggestion": ""}
    first, second = await notes_of([vague], [DIFFERS], pages=(RENAMED, RENAMED))
    assert second.withdrawn == (*first.reports, *first.divergences)
    assert [(d.quote, d.suggestion) for d in second.divergences] == [
        ("Create bucket", "New bucket")
    ]


async def test_who_was_not_there_yet_may_say_otherwise_later():
    first, second = await notes_of([note("2", "unreachable")], [DIFFERS], pages=(OTHER, RENAMED))
    assert second.withdrawn == first.reports


async def test_a_label_that_no_page_has_shown_was_not_as_written():
    kind = said(step="2", notes=[note("2")], action=click(3))
    left = said(step="3", action=click(3))
    done = said(step="3", notes=[note("3", "unreachable")], action=COMPLETE)
    async with desk([kind, left, left, done]) as d:
        first, second = await d.choose(RENAMED), await d.choose(RENAMED)
        assert 'step 2 is noted as_written, but no page has shown "Create bucket"' in d.prompt
        last = await d.choose(RENAMED)
    assert [m.spent.unusable for m in (first, second, last)] == [0, 1, 0]
    assert (first.reports, second.reports) == ((), ())
    assert [(r.step, r.status) for r in last.reports] == [
        ("3", StepStatus.UNREACHED),
        ("2", StepStatus.SKIPPED),
    ]
    assert last.reports[1].note.startswith("not understood: ")


async def test_spaces_and_case_mislead_nobody():
    claim = {**DIFFERS, "suggestion": "CreateBucket", "shown": 'it is called "CreateBucket"'}
    async with desk([said(step="2", notes=[claim], action=click(3))]) as d:
        made = await d.choose(view(element(3, "button", "CreateBucket")))
    (report,), (divergence,) = made.reports, made.divergences
    assert report.status is StepStatus.AS_WRITTEN
    assert (divergence.severity, divergence.suggestion) == (Severity.COSMETIC, "CreateBucket")


@pytest.mark.parametrize(
    ("label", "on_page", "is_seen"),
    [
        ("Search Bar", element(1, "searchbox", "Search"), True),
        ("Create button", element(1, "button", "Create"), True),
        ("搜索栏", element(1, "searchbox", "搜索"), True),
        ("Create bucket", element(1, "button", "Create"), False),
        ("Personal menu", element(1, "button", "admin"), False),
    ],
)
def test_what_kind_of_control_it_is_need_not_be_shown(label, on_page, is_seen):
    (step,) = (
        parse_document(f"# T\n\n1. Click **{label}**.\n", "t.md", "markdown").procedures[0].steps
    )
    witness = Witness()
    witness.see(view(on_page))
    assert (witness.unseen(step) == ()) is is_seen


async def test_a_step_may_be_praised_before_it_is_seen():
    kind = said(step="2", notes=[note("2")], action=click(3))
    async with desk([kind, said(step="3", action=click(3))]) as d:
        first, second = await d.choose(RENAMED), await d.choose(view())
    assert (first.reports, first.spent.unusable, second.spent.unusable) == ((), 0, 0)
    assert [(r.step, r.status) for r in second.reports] == [("2", StepStatus.AS_WRITTEN)]


async def test_a_step_can_be_true_in_part():
    renamed = [note("2"), DIFFERS]
    async with desk([said(step="2", notes=renamed, action=click(3))]) as d:
        made = await d.choose(RENAMED)
    assert made.spent.unusable == 0
    assert [r.status for r in made.reports] == [StepStatus.DIVERGED]


async def test_a_label_that_an_earlier_page_has_shown_counts():
    elsewhere = view(element(7, "heading", "Done"))
    later = said(step="3", notes=[note("2")], action=click(7))
    async with desk([said(step="2", action=click(3)), later]) as d:
        await d.choose()
        made = await d.choose(elsewhere)
    assert made.spent.unusable == 0
    assert made.reports[0].status is StepStatus.AS_WRITTEN


async def test_who_completes_must_have_said_something_of_every_step_served():
    answers = [said(step="2", action=click(3)), *[said(step="3", action=COMPLETE)] * 2]
    async with desk(answers) as d:
        await d.choose()
        made = await d.choose()
        assert "nothing was noted yet of step 2" in d.prompt
    (report,) = made.reports
    assert (report.step, report.status) == ("2", StepStatus.SKIPPED)
    assert report.note.startswith("not understood: ")


async def test_a_note_on_a_step_speaks_of_what_is_nested_in_it():
    nested = procedure("# A\n\n## Create a b\n\n1. Do this:\n\n   1. Click **Save**.\n2. Wait.\n")
    assert [step.index for step in nested.walk()] == ["1", "1.1", "2"]
    answers = [
        said(step="1.1", action=click(5)),
        said(step="2", notes=[note("1")], action=COMPLETE),
    ]
    async with desk(answers, task=Task(procedure=nested)) as d:
        made = [await d.choose() for _ in answers]
    assert sum(m.spent.unusable for m in made) == 0
    assert [r.step for m in made for r in m.reports] == ["1"]


async def test_a_way_round_is_never_silent():
    detour = said(step="2", is_detour=True, action=click(1))
    done = said(step="3", notes=[note("2")], action=COMPLETE)
    async with desk([detour, detour, done]) as d:
        made = await d.choose()
        assert "is_detour is set, but no note says which words of step 2 fail" in d.prompt
        last = await d.choose()
    assert made.is_detour
    assert [r.status for r in last.reports] == [StepStatus.AS_WRITTEN, StepStatus.DIVERGED]
    (divergence,) = last.divergences
    assert divergence.kind is DivergenceKind.MISSING_STEP
    assert divergence.quote == "Click Create bucket."
    assert 'click "Storage"' in divergence.shown


async def test_a_way_round_that_was_explained_needs_no_more_words():
    missing = note("2", "missing", quote="Create bucket", kind="missing_control")
    page = view(element(1, "link", "Storage"))
    answers = [
        said(step="2", is_detour=True, notes=[missing], action=click(1)),
        said(step="3", is_detour=True, action=click(1)),
        said(step="3", notes=[note("3", "unreachable")], action=COMPLETE),
    ]
    async with desk(answers) as d:
        made = [await d.choose(page) for _ in answers]
    assert sum(m.spent.unusable for m in made) == 0
    assert len([d for m in made for d in m.divergences]) == 1


TERSE = "# Buckets\n\n## Create a bucket\n\n1. Enter a **Name**.\n2. Choose a **Place**.\n"
TOUR = (
    element(11, "button", "Skip tour", dialog="Welcome"),
    element(12, "button", "×", dialog="Welcome"),
)
COOKIES = element(13, "button", "Accept all cookies", region="contentinfo")
NAV = element(14, "link", "Buckets", region="navigation")
FORM = (
    element(4, "textbox", "Name"),
    element(6, "combobox", "Place"),
    element(15, "button", "Create", is_submit=True),
    element(16, "button", "Preview"),
)


@pytest.mark.parametrize(
    ("text", "elements", "number", "is_detour"),
    [
        (TERSE, TOUR, 11, False),
        (TERSE, TOUR, 12, False),
        (TERSE, (*FORM, COOKIES), 13, False),
        (TERSE, (NAV,), 14, False),
        (TERSE, FORM, 15, False),
        (TERSE, FORM, 16, True),
        # the text says itself how to get there, what to click, and what closes
        (GUIDE, (*BUCKETS, NAV), 14, True),
        (f"{TERSE}3. Click **Preview**.\n", FORM, 15, True),
        (f"{TERSE}3. Click **Make**.\n", FORM, 15, True),
        (f"{TERSE}3. Click **Skip tour**.\n", TOUR, 11, True),
    ],
)
async def test_what_no_text_has_to_say_is_no_detour(text, elements, number, is_detour):
    answer = said(step="1", is_detour=True, notes=[DIFFERS | {"step": "1"}], action=click(number))
    async with desk([answer], task=Task(procedure=procedure(text))) as d:
        made = await d.choose(view(*elements))
    assert made.is_detour is is_detour


@pytest.mark.parametrize(
    ("bounds", "value", "why"),
    [
        (Bounds(max_length=8), "docs-check-x7", "at most 8 characters"),
        (Bounds(min_length=3), "x7", "at least 3 characters"),
        (Bounds(pattern="[a-z0-9]+"), "docs-x7", "what matches [a-z0-9]+"),
        (Bounds(least=1, most=65535), "0", "at least 1"),
        (Bounds(least=1, most=65535), "x7", "a number"),
        (Bounds(pattern="[a-z0-9]+"), "docsx7", ""),
        (Bounds(pattern="[a-z"), "docs-x7", ""),  # no expression that we can read
        (Bounds(max_length=3), "Name", ""),  # the text says it
        (Bounds(max_length=3), "given-1", ""),  # a binding says it
        (None, "docs-x7", ""),
    ],
)
async def test_a_made_up_value_has_to_fit_its_field(bounds, value, why):
    page = view(element(4, "textbox", "Name", bounds=bounds))
    answer = said(step="3", action={"kind": "type", "element": 4, "text": value})
    task = Task(procedure=procedure(), bindings={"Name": "given-1"})
    async with desk([answer] * 2, task=task) as d:
        made = await d.choose(page)
        told = d.prompt
    assert made.spent.unusable == bool(why)
    assert (f"field 4 takes {why}: make up a value that fits" in told) is bool(why)


TEXT = """# Disks

## Resize a disk

Before you begin, stop the **Server**.

1. Open **Storage** > **Disks** and wait until the list is there.
2. Set these:

   - **Size**: the new size, which must not be *smaller*.
   - **Type**: Keep `standard`.
3. Click **Resize**. The disk is
   larger now.

The disk is shown in the list.
"""


@pytest.mark.parametrize(
    ("step", "quote", "line", "words"),
    [
        ("1", "Disks", 7, "Disks"),
        ("1", "**Storage**", 7, "Storage"),
        ("1", "wait until the list is there", 7, "wait until the list is there"),
        ("2", "Size", 10, "Size"),
        ("2", "`standard`", 11, "standard"),
        ("3", "RESIZE", 12, "Resize"),
        ("3", "the disk is larger now", 12, "The disk is larger now"),
        ("3", "which must not be smaller", 10, "which must not be smaller"),
        ("1", "Server", 5, "Server"),
        ("3", "The disk is shown in the list.", 15, "The disk is shown in the list."),
        ("3", "", 12, "Click Resize."),
    ],
)  # fmt: skip
def test_quotes_are_found_in_the_source(step, quote, line, words):
    whole = procedure(TEXT)
    place = locate_quote(whole, next(s for s in whole.walk() if s.index == step), quote)
    assert place.is_found
    assert (place.span.line, place.quote) == (line, words)


def test_words_that_are_not_there_are_said_to_be_missing():
    whole = procedure(TEXT)
    place = locate_quote(whole, whole.steps[2], "Click Enlarge")
    assert not place.is_found
    assert place.span == whole.steps[2].span


async def test_a_long_story_is_cut_in_reports():
    story = note("2", "differs", quote="Create bucket", shown="word " * 400, kind="renamed_label")
    async with desk(
        [said(step="2", notes=[story], action=click(3))], task=Task(procedure=procedure())
    ) as d:
        made = await d.choose(RENAMED)
    assert len(made.reports[0].note) <= 300
