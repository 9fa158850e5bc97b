import pytest

from appliance.core.errors import SetupError
from appliance.training.dataset import Dataset, Split, repetitions_of
from appliance.training.samples import Sample


def sample(id: str, document: str = "docs/a.md", kind: str = "click", **more: object) -> Sample:
    values = {
        "form": "short", "role": "agent", "version": "short-1", "procedure": "p", "release": "1",
        "language": "en", "policy": "literal", "run_id": "r", "attempt": 1, "turn": 0,
        "is_untrue": False, "messages": "[]", "answer": "done", "tokens_in": 1, "tokens_out": 1,
    }  # fmt: skip
    return Sample(**(values | {"id": id, "document": document, "kind": kind} | more))


def test_a_text_and_its_translation_are_on_the_same_side():
    names = [f"docs/{n}{end}" for n in "abcdefghij" for end in (".md", ".zh.html")]
    split = Split.of(names, ())
    assert len(split.held_out) == 4
    assert split == Split.of(reversed(names), ())
    subjects = {name[5] for name in split.train}
    assert not subjects & {name[5] for name in split.held_out}


def test_what_is_held_out_can_be_named():
    split = Split.of(["x/a.md", "x/a.zh.md", "x/b.md"], ("a.*",))
    assert split == Split(train=("x/b.md",), held_out=("x/a.md", "x/a.zh.md"))


@pytest.mark.parametrize("patterns", [("nothing",), ("*",)])
def test_neither_side_may_be_empty(patterns):
    with pytest.raises(SetupError, match=r"of 2 documents \d would be held out"):
        Split.of(["a.md", "b.md"], patterns)


def test_nothing_and_one_document_are_refused_in_words():
    with pytest.raises(SetupError, match=r"training\.keep_attempts"):
        Dataset.of([], ())
    with pytest.raises(SetupError, match="nothing could be learnt"):
        Dataset.of([sample("1")], ())


def test_each_question_is_there_once_and_on_one_side_only():
    every = [
        sample("1"),
        sample("1"),
        sample("2"),
        sample("3", "docs/b.md"),
        sample("2", "docs/b.md"),
    ]
    made = Dataset.of(every, ("b.md",))
    assert [s.id for s in made.train] == ["1", "2"]
    assert [s.id for s in made.held_out] == ["3"]
    assert made.repeated == 2


def test_rare_kinds_are_shown_more_often_but_not_too_often():
    rows = [sample(f"c{n}") for n in range(40)]
    rows += [sample(f"t{n}", kind="type") for n in range(5)] + [sample("s", kind="select")]
    times = repetitions_of(rows)
    assert (times["c0"], times["t0"], times["s"]) == (1, 2, 4)
