"""The sentences whose meaning is known are well-formed, and the reading check counts right."""

import math
import re
from collections import defaultdict

import pytest

from appliance.policy.literal.read.intents import IntentKind
from tests.benchmarks.reading import score
from tests.benchmarks.reading_truth import (
    ACTIONS_OF,
    PARTS,
    Act,
    Entry,
    Outcome,
    entries,
    outcome,
    problems,
    read,
)

CLICK_SAVE = (Act(action="click", target="Save"),)


def entry(meaning: tuple[Act, ...], sentence: str = "Click **Save**.") -> Entry:
    return Entry("made-001", "en", "made", "click", sentence, (meaning,))


def test_the_corpus_is_well_formed_and_split_by_writer() -> None:
    seen, held_out = (entries(part) for part in PARTS)
    assert list(problems([*seen, *held_out])) == []
    assert len(seen) > 1400 and len(held_out) > 1000
    assert not {one.writer for one in seen} & {one.writer for one in held_out}


def test_what_is_wrong_with_a_corpus_is_told() -> None:
    wrong = Entry("other-1", "en", "made", "click", "Click **Save**.", ((Act(action="jump"),),))
    assert len(list(problems([entry(CLICK_SAVE), wrong]))) == 3


def test_every_kind_of_intent_is_known_to_the_check() -> None:
    assert set(ACTIONS_OF) == set(IntentKind)


def test_few_sentences_are_nearly_alike() -> None:
    shingles = [_shingles(one.sentence) for part in PARTS for one in entries(part)]
    by_size = defaultdict[int, list[frozenset[str]]](list)
    near = 0
    for one in shingles:
        sizes = range(math.ceil(0.8 * len(one)), math.floor(1.25 * len(one)) + 1)
        others = (other for size in sizes for other in by_size[size])
        near += any(5 * len(one & other) >= 4 * len(one | other) for other in others)
        by_size[len(one)].append(one)
    assert near * 100 < len(shingles)


def _shingles(sentence: str) -> frozenset[str]:
    """The words; of Chinese, which has no spaces, each two characters."""
    bare = re.sub(r"[^\w\s]", "", sentence.casefold())
    chinese = "".join(re.findall(r"[一-鿿]", bare))
    return frozenset(re.findall(r"[a-z0-9_]+", bare)) | {
        chinese[n : n + 2] for n in range(len(chinese) - 1)
    }


@pytest.mark.parametrize(
    ("meaning", "came"),
    [
        (CLICK_SAVE, Outcome.EXACT),
        ((*CLICK_SAVE, Act(action="press", target="Enter")), Outcome.MISSED),
        ((Act(action="click", target="Cancel"),), Outcome.HARMFUL),
        ((Act(action="nothing"),), Outcome.HARMFUL),
        ((Act(action="click", target="Save", condition="it is red"),), Outcome.HARMFUL),
        ((Act(action="click", target="Save", optional=True),), Outcome.MISSED),
        ((Act(action="pick", target="Save"),), Outcome.MISSED),
    ],
)
def test_a_sentence_is_exact_missed_or_harmful(meaning: tuple[Act, ...], came: Outcome) -> None:
    one = entry(meaning)
    assert outcome(one, read(one)) is came


@pytest.mark.parametrize(
    ("act", "came"),
    [
        (Act(action="type", target="Name", value="web"), Outcome.EXACT),
        (Act(action="type", target="Name", value="web", example=True), Outcome.EXACT),
        (Act(action="type", target="Name", value="db"), Outcome.HARMFUL),
        (Act(action="type", target="Alias", value="web"), Outcome.HARMFUL),
    ],
)
def test_values_count(act: Act, came: Outcome) -> None:
    one = entry((act,), "In the **Name** field, enter `web`.")
    assert outcome(one, read(one)) is came


def test_the_order_counts() -> None:
    acts = (Act(action="click", target="Save"), Act(action="click", target="Edit"))
    one = entry(acts, "Click **Edit**, and then click **Save**.")
    assert outcome(one, read(one)) is Outcome.HARMFUL


def test_any_of_the_meanings_is_right() -> None:
    both = Entry("made-001", "en", "made", "click", "Click **Save**.", ((), CLICK_SAVE))
    assert outcome(both, read(both)) is Outcome.EXACT


def test_scores_add_up() -> None:
    scored = score([Outcome.EXACT, Outcome.MISSED, Outcome.HARMFUL, Outcome.EXACT])
    assert (scored.sentences, scored.exact, scored.missed, scored.harmful) == (4, 2, 1, 1)
    assert scored.accuracy == 50.0
