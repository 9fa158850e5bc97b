"""What people were asked, as the store keeps it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.result import ArtifactRef, RunResult
from appliance.store.expiry import Expiry
from appliance.store.paging import Paging
from appliance.store.questions import QuestionRow
from appliance.store.store import Store

NOW = datetime(2026, 11, 21, 22, tzinfo=UTC)
ASKED = QuestionRow(
    id="q-1",
    kind=QuestionKind.CONSENT,
    run_id="run-1",
    procedure_id="disks/delete",
    step="3.1",
    text="Delete disk d-1? 删除",
    url="https://console.test/disks",
    picture=ArtifactRef("ab" * 32, "image/jpeg", 12),
    asked_at=NOW,
    expires_at=NOW + timedelta(minutes=10),
)


def numbered(number: int, **changes) -> QuestionRow:
    at = NOW + timedelta(minutes=number)
    return replace(ASKED, id=f"q-{number}", asked_at=at, **changes)


def test_a_question_is_read_as_it_was_kept_and_settled(store: Store) -> None:
    questions = store.questions
    questions.add(ASKED)
    assert questions.get("q-1") == ASKED
    assert questions.get("q-2") is None
    settled = replace(
        ASKED,
        state=QuestionState.ANSWERED,
        settled_at=NOW + timedelta(seconds=5),
        answered_by="ann",
        reply=ReplyKind.REFUSE,
    )
    questions.settle(settled)
    bare = numbered(2, picture=None, url="", step="")
    questions.add(bare)
    assert questions.page(Paging()).items == (bare, settled)


def test_what_is_open_comes_first_and_lists_are_cut(store: Store) -> None:
    for number in range(5):
        state = QuestionState.OPEN if number in (1, 2) else QuestionState.EXPIRED
        store.questions.add(numbered(number, state=state, run_id=f"run-{number % 2}"))
    page = store.questions.page
    assert [row.id for row in page(Paging()).items] == ["q-2", "q-1", "q-4", "q-3", "q-0"]
    assert [row.id for row in page(Paging(offset=3, limit=1)).items] == ["q-3"]
    assert page(Paging(limit=1)).total == 5
    expired = page(Paging(), state=QuestionState.EXPIRED, run_id="run-0")
    assert [row.id for row in expired.items] == ["q-4", "q-0"]
    assert expired.total == 2


def test_nothing_is_open_after_a_crash(store: Store) -> None:
    store.questions.add(numbered(1))
    store.questions.add(numbered(2, state=QuestionState.EXPIRED))
    later = NOW + timedelta(hours=1)
    assert store.questions.withdraw_open(later) == 1
    assert store.questions.withdraw_open(later) == 0
    row = store.questions.get("q-1")
    assert row is not None
    assert (row.state, row.settled_at) == (QuestionState.WITHDRAWN, later)
    assert row.reply is None


def test_questions_go_with_their_run(store: Store, run: Callable[..., RunResult]) -> None:
    made = run()
    store.save_run(replace(made, procedures=()))
    store.questions.add(numbered(1, run_id=made.id))
    store.questions.add(numbered(2, run_id="another"))
    after = made.ended_at + timedelta(days=1)
    assert list(Expiry(store.session).forget(after, ())) == [made.id]
    assert [row.id for row in store.questions.page(Paging()).items] == ["q-2"]
