"""Reading one observation after the other: what is as it was is taken from the last one."""

import itertools

import pytest

from appliance.browser.observation.identity import Identity
from appliance.browser.observation.reader import FrameSnapshot, Reader
from appliance.browser.observation.reading import FramePlacement


def control(number, name, **more):
    box = [0, 200 * number, 600, 180]  # tenths of a pixel
    return {"id": number, "role": "button", "name": name, "tag": "button", "box": box} | more


def text(said, **more):
    return {"kind": "text", "text": said, "box": [0, 0, 600, 180]} | more


def answer(elements, texts=(), *, document="one", place=None, folds=None):
    raw = {"url": "http://a/", "document": document, "elements": elements, "texts": list(texts)}
    return FrameSnapshot("main", place or FramePlacement(0), raw, folds or {})


@pytest.fixture
def reader():
    return Reader(Identity(itertools.count(1)))


def test_what_is_as_it_was_is_the_very_same(reader):
    first, said = reader.read([answer([control(1, "Save"), control(2, "Stop")], [text("Two")])])
    again, repeated = reader.read(
        [answer([control(1, "Save"), control(2, "Start")], [text("Two")])]
    )
    assert again[0] is first[0]
    assert again[1].name == "Start"
    assert [e.id for e in again] == [e.id for e in first]
    assert repeated[0] is said[0]


def test_a_row_and_a_fold_are_told_by_number_and_read_by_meaning(reader):
    item = control(1, "Delete", row=0, fold=9)
    (first,), _ = reader.read(
        [answer([item], place=FramePlacement(0, rows=["db-1"]), folds={9: 4})]
    )
    (moved,), _ = reader.read(
        [answer([item], place=FramePlacement(0, rows=["db-2"]), folds={9: 4})]
    )
    (other,), _ = reader.read(
        [answer([item], place=FramePlacement(0, rows=["db-2"]), folds={9: 5})]
    )
    assert (first.row, first.fold) == ("db-1", 4)
    assert (moved.row, moved.fold) == ("db-2", 4)
    assert (other.row, other.fold) == ("db-2", 5)


def test_a_frame_that_moved_is_read_anew(reader):
    place = FramePlacement(1, 10.0, 10.0, clip=(0.0, 0.0, 500.0, 500.0))
    (first,), _ = reader.read([answer([control(1, "Save")], place=place)])
    moved = FramePlacement(1, 10.0, 400.0, clip=(0.0, 0.0, 500.0, 500.0))
    (second,), _ = reader.read([answer([control(1, "Save")], place=moved)])
    assert (first.box.y, second.box.y) == (30.0, 420.0)
    assert first.id == second.id


def test_another_document_has_other_numbers_for_the_same_nodes(reader):
    reader.read([answer([control(1, "Save")])])
    (other,), _ = reader.read([answer([control(1, "Delete")], document="two")])
    (first,), _ = reader.read([answer([control(1, "Save")])])
    assert (other.name, first.name) == ("Delete", "Save")
    assert other.id != first.id


def test_an_element_already_told_keeps_its_number_when_its_node_gets_another(reader):
    rows = [control(1, "Delete", row=0), control(2, "Delete", row=1)]
    told, _ = reader.read([answer(rows, place=FramePlacement(0, rows=["db-1", "db-2"]))])
    before = [(e.id, e.row) for e in told]
    swapped = [control(1, "Delete", row=1), control(2, "Delete", row=0)]
    now, _ = reader.read([answer(swapped, place=FramePlacement(0, rows=["db-1", "db-2"]))])
    assert {e.row: e.id for e in now} == {row: number for number, row in before}
    assert [(e.id, e.row) for e in told] == before


def test_the_fingerprint_follows_what_can_be_acted_on(reader):
    def print_of(*elements):
        reader.read([answer(list(elements))])
        return reader.fingerprint("http://a/#top")

    first = print_of(control(1, "Save"))
    assert print_of(control(1, "Save", states=["covered"])) == first
    assert print_of(control(1, "Save", states=["disabled"])) != first
    assert print_of(control(1, "Save")) == first
