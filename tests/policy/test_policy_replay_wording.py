"""Templates: what differs from attempt to attempt goes, what the text says stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.policy.replay.wording import Wording, is_time
from tests.policy.replay_pages import task

ORDINARY = st.text(st.characters(blacklist_categories=["Cs", "Nd", "No", "Nl"]), max_size=30)
MARKERS = st.from_regex(r"cd[0-9a-f]{6,9}", fullmatch=True)


@settings(max_examples=40)
@given(MARKERS, MARKERS, ORDINARY, ORDINARY)
def test_a_template_is_filled_with_the_values_of_the_other_attempt(one, two, before, after) -> None:
    then, now = Wording(task(one)), Wording(task(two))
    typed = f"{before}docs-{one}{after}"
    template = then.template(typed)
    if template is not None:
        assert then.fill(template) == typed
        assert now.fill(template) == f"{before}docs-{two}{after}"
        assert one not in template


@settings(max_examples=40)
@given(MARKERS, MARKERS, ORDINARY, ORDINARY)
def test_texts_of_two_attempts_read_the_same(one, two, before, after) -> None:
    then, now = Wording(task(one)), Wording(task(two))
    assert then.text(f"{before} {one} {after}") == now.text(f"{before} {two} {after}")
    shown = then.value(f"{before} docs-{one} {after}"), now.value(f"{before} docs-{two} {after}")
    assert shown[0] == shown[1]


@given(ORDINARY, ORDINARY)
def test_words_without_numbers_are_told_apart(one, two) -> None:
    wording = Wording(task())
    is_known = any(w in one + two for w in ("alice", "${", "now", "ago", "刚", "前", "年"))
    if not is_known and len(one) < 12 and len(two) < 12:
        assert (wording.text(one) == wording.text(two)) == (one == two)


@pytest.mark.parametrize(
    ("shown", "form"),
    [
        ("Created 22 Nov 2026, 02:14", "Created #, #"),
        ("Created 2026-11-22T02:14:05Z by alice", "Created ## by ${username}"),
        ("创建于 2026年11月22日 02:14", "创建于 # #"),
        ("3 minutes ago", "#"),
        ("Id 0b6e2a3c-11aa-4bbb-8ccc-0123456789ab", "Id #"),
        ("vol-0a1b2c3d4e is attached", "# is attached"),
        ("1–3 of 17 disks", "#–# of # disks"),
        ("Size: 40 GiB", "Size: 40 GiB"),  # the procedure says 40
        ("malice and alicex", "malice and alicex"),
        ("Disk docs-cda1f00 created", "Disk ${Name} created"),
        ("root-cda1f00", "${disk}"),
        ("${unique}", "$ {unique}"),  # a page cannot speak as if it were a value
    ],
)
def test_what_a_text_looks_like_without_what_is_its_own(shown, form) -> None:
    assert Wording(task()).text(shown) == form


def test_phrases_are_not_found_in_times_ids_and_values() -> None:
    wording = Wording(task(disk="40-cda1f00"))
    assert wording.phrases(["40 GiB"]) == {"40"}
    assert not wording.phrases(["at 02:40", "40-cda1f00", "22 Nov 2026, 12:40"])


@pytest.mark.parametrize(
    ("shown", "is_one"),
    [("22 Nov 2026, 02:14", True), ("2026-11-22T02:14:05Z", True), ("3 minutes ago", True),
     ("昨天", False), ("100", False), ("vol-0a1b2c3d4e", False), ("", False), ("at 02:14", False)],
)  # fmt: skip
def test_times_are_told_from_numbers_and_ids(shown, is_one) -> None:
    assert is_time(shown) is is_one


def test_numbers_of_values_and_options_stay() -> None:
    wording = Wording(task())
    assert wording.value("16 vCPU, 64 GiB") == "16 vCPU, 64 GiB"
    assert wording.value("ends 2026-11-30") == "ends #"


def test_bindings_are_compared_by_their_form() -> None:
    one, two = Wording(task("cd00aa11", Size="40")), Wording(task("cd77ee22", Size="40"))
    assert one.bindings == two.bindings
    assert one.bindings != Wording(task("cd77ee22", Size="80")).bindings
    same = Wording(task("cd00aa11", copy="root-cd00aa11"))
    assert same.bindings != Wording(task("cd00aa11", copy="data-cd00aa11")).bindings


def test_constants_are_no_values_of_an_attempt() -> None:
    wording = Wording(task(Zone="A"))
    assert wording.text("Zone A") == "Zone A"
    assert Wording(task(Disks="17")).text("1 of 17") == "# of 17"
