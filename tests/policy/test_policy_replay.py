"""Replay says "as written" only of pages that are what they were."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.actions import ActionKind
from appliance.core.page import Element, Observation, Performed, TextBlock, TextKind
from appliance.core.secrets import learn
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.policy.base import Divergence, StepReport
from appliance.policy.replay import NotCompiledError, Recipe, ReplayPolicy, compile_recipe
from tests.policy.replay_pages import PROCEDURE, pages, recipe, replayed, task, turns

Change = Callable[[Observation], Observation]
_MARKERS = st.text("0123456789abcdef", min_size=6, max_size=9).map(lambda tail: f"cd{tail}")


async def test_it_does_again_what_was_verified_with_the_values_of_the_new_attempt() -> None:
    done, why = await replayed(pages("cdb77aa"), task("cdb77aa"))
    assert why == ""
    assert [(a.kind.value, a.element, a.argument) for a in done] == [
        ("click", 2, ""),
        ("type", 5, "docs-cdb77aa"),
        ("click", 7, ""),
        ("complete", None, "Disk created"),
    ]


@settings(max_examples=30)
@given(_MARKERS, st.dates(date(2000, 1, 1), date(2099, 1, 1)), st.integers(41, 99999))
async def test_names_times_and_counts_may_be_others(unique, when, disks) -> None:
    shown = pages(unique, f"{when:%d %b %Y, 07:15}", disks)
    assert (await replayed(shown, task(unique)))[1] == ""


async def test_rows_of_others_and_numbers_of_elements_may_be_others() -> None:
    def busy(view: Observation) -> Observation:
        renumbered = [replace(e, id=e.id + 100) for e in view.elements]
        row = "db-7 | Building | 40"
        others = (
            Element(id=900, role="button", name="Stop", row=row),
            Element(id=901, role="link", name="db-7", row=row),
        )
        cells = (TextBlock(kind=TextKind.CELL, text="Building", row=row, column="Status"),)
        return replace(
            view, elements=(*renumbered, *others), texts=(*view.texts, *cells), url="http://other/"
        )

    done, why = await replayed([busy(v) for v in pages()], task())
    assert (why, done[0].element) == ("", 102)


@pytest.mark.parametrize(("first", "is_log"), [("22 Nov 2026, 02:14", True), ("web-1", False)])
async def test_phrases_in_a_log_about_others_are_not_waited_for(first, is_log) -> None:
    row = f"{first} | 40"
    cell = TextBlock(kind=TextKind.CELL, text="40", row=row, column="Event")
    then = turns()
    then[0] = then[0]._replace(view=_with_text(cell)(then[0].view))
    kept = compile_recipe(task(), then, locale="en", tier="literal")
    first_look = await ReplayPolicy(task(), kept).choose(pages()[0], None)
    assert (first_look.action.kind is ActionKind.CLICK) is is_log


async def test_what_a_log_still_shows_of_earlier_things_is_chance() -> None:
    def entry(name: str) -> Change:
        row = f"22 Nov 2026, 02:14 | Create disk | {name}-cda1f00"
        return _with_text(TextBlock(kind=TextKind.CELL, text=name, row=row, column="Event"))

    then = turns()
    then[0] = then[0]._replace(view=entry("root")(then[0].view))
    then[3] = then[3]._replace(view=entry("docs")(entry("root")(then[3].view)))
    kept = compile_recipe(task(), then, locale="en", tier="literal")
    assert kept.stages[0].rows == ()
    (logged,) = (row for row in kept.stages[3].rows if row.is_log)
    assert logged.things == ("Name",), "what was done in the attempt has to be there"


def _element(number: int, **changes: object) -> Change:
    def change(view: Observation) -> Observation:
        told = [replace(e, **changes) if e.id == number else e for e in view.elements]  # type: ignore[arg-type]  # whatever a test changes
        return replace(view, elements=tuple(told))

    return change


def _text(then: str, now: str) -> Change:
    def change(view: Observation) -> Observation:
        told = [replace(t, text=now) if t.text == then else t for t in view.texts]
        return replace(view, texts=tuple(told))

    return change


def _without(number: int) -> Change:
    return lambda v: replace(v, elements=tuple(e for e in v.elements if e.id != number))


def _in_another_order(view: Observation) -> Observation:
    return replace(view, elements=(view.elements[1], view.elements[0], *view.elements[2:]))


def _with(element: Element) -> Change:
    return lambda v: replace(v, elements=(*v.elements, element))


def _with_text(text: TextBlock) -> Change:
    return lambda v: replace(v, texts=(*v.texts, text))


def _row_without_active(view: Observation) -> Observation:
    told = [replace(t, row=t.row and t.row.replace("Active", "Building")) for t in view.texts]
    used = [replace(e, row=e.row and e.row.replace("Active", "Building")) for e in view.elements]
    return replace(_text("Active", "Building")(view), texts=tuple(told), elements=tuple(used))


DRIFT: list[tuple[int, Change, str]] = [
    (0, _element(2, name="New disk"), '"New disk" where it showed button "Create disk"'),
    (0, _element(2, region="menu"), "Create disk"),
    (0, _element(2, states=frozenset({"disabled"})), "Create disk"),
    (0, _element(3, options=("All", "A")), "Zone"),
    (0, _element(3, value="A"), "Zone"),
    (0, _without(1), 'does not show link "Disks"'),
    (0, _in_another_order, "in another order"),
    (0, _text("Disks", "Volumes"), "Volumes"),
    (0, _text("Name", "Title"), "Title"),
    (1, lambda v: replace(v, dialogs=("New disk",)), "page"),
    (1, _element(6, value="80"), "Size"),
    (1, _element(5, states=frozenset({"required"})), "Name"),
    (1, _with(Element(id=50, role="checkbox", name="I agree", dialog="Create disk")), "I agree"),
    (2, _element(7, name="OK"), "OK"),
    (3, _text("Disk created", "Done"), "Disk created"),
    (3, _with_text(TextBlock(kind=TextKind.NOTICE, text="Failed", tone="error")), "Failed"),
    (3, _with_text(TextBlock(kind=TextKind.ERROR, text="Not allowed")), "Not allowed"),
    (3, _row_without_active, "row of Name"),
    (3, _without(9), "row of Name"),
]


@pytest.mark.parametrize(("at", "change", "why"), DRIFT)
async def test_the_first_difference_ends_it_and_is_named(at, change, why) -> None:
    shown = pages()
    shown[at] = change(shown[at])
    done, ended = await replayed(shown, task())
    assert done[-1].kind is ActionKind.UNACHIEVABLE
    assert why in ended
    assert len(done) == at + 1


@settings(max_examples=60)
@given(st.data())
async def test_nothing_that_is_renamed_is_called_verified(data) -> None:
    """Whatever name, text, option or state changes in whichever page."""
    at = data.draw(st.integers(0, 3))
    view = pages()[at]
    if data.draw(st.booleans()):
        element = data.draw(st.sampled_from([e for e in view.elements if e.row is None]))
        new = data.draw(
            st.sampled_from(
                [{"name": "Else"}, {"role": "tab"}, {"states": frozenset({"mixed"})},
                 {"options": ("x",)}, {"section": "Else"}, {"error": "Else"}]
            )
        )  # fmt: skip
        changed = _element(element.id, **new)(view)
    else:
        texts = [t for t in view.texts if t.row is None]
        changed = _text(data.draw(st.sampled_from(texts)).text, "Else")(view)
    shown = pages()
    shown[at] = changed
    assert (await replayed(shown, task()))[1]


async def test_a_state_that_settles_is_waited_for() -> None:
    policy, shown = ReplayPolicy(task(), recipe()), pages()
    late = _row_without_active(shown[3])
    for view in shown[:3]:
        assert (await policy.choose(view, None)).action.kind is not ActionKind.WAIT
    first = await policy.choose(late, None)
    assert (first.action.kind, first.reports) == (ActionKind.WAIT, ())
    last = await policy.choose(shown[3], None)
    assert last.action.kind is ActionKind.COMPLETE
    assert [r.status for r in last.reports] == [StepStatus.AS_WRITTEN]


async def test_a_message_that_has_gone_again_was_there() -> None:
    policy, shown = ReplayPolicy(task(), recipe()), pages()
    for view in shown[:3]:
        await policy.choose(view, None)
    assert (await policy.choose(_row_without_active(shown[3]), None)).action.kind == "wait"
    gone = replace(shown[3], texts=tuple(t for t in shown[3].texts if t.kind != "notice"))
    assert (await policy.choose(gone, None)).action.kind is ActionKind.COMPLETE


async def test_other_values_and_failed_actions_end_it() -> None:
    done, why = await replayed(pages(), task(Zone="A"))
    assert (len(done), "other values" in why) == (1, True)
    policy, shown = ReplayPolicy(task(), recipe()), pages()
    await policy.choose(shown[0], None)
    failed = await policy.choose(shown[1], Performed(ok=False, error="it is covered"))
    assert (failed.action.kind, "it is covered" in failed.action.argument) == ("unachievable", True)


def test_notes_are_of_the_new_attempt() -> None:
    kept = recipe().to_json()
    assert "docs-${unique}" in kept or "${Name}" in kept
    assert "cda1f00" not in kept
    assert Recipe.from_json(kept) == recipe()
    assert Recipe.from_json(kept.replace('"version":2', '"version":1')) is None
    assert Recipe.from_json('{"version": 1}') is None


def _as_password(turn, text):
    return _typed(text)(turn._replace(view=_element(5, type="password")(turn.view)))


def _shown(turn):
    learn("quite-a-secret")
    return turn._replace(view=_element(5, description="use quite-a-secret")(turn.view))


def _diverged(turn):
    noted = Divergence(
        kind=DivergenceKind.RENAMED_LABEL, severity=Severity.COSMETIC, basis=Basis.NEARLY,
        span=PROCEDURE.span, quote="x", shown="y",
    )  # fmt: skip
    return turn._replace(decision=replace(turn.decision, divergences=(noted,)))


def _stuck(turn):
    report = StepReport(step="1", status=StepStatus.STUCK)
    return turn._replace(decision=replace(turn.decision, reports=(report,)))


def _doubled(turn):
    return turn._replace(view=_with(replace(turn.view.elements[0], id=77))(turn.view))


def _typed(text):
    def change(turn):
        action = replace(turn.decision.action, text=text)
        return turn._replace(decision=replace(turn.decision, action=action))

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda t: _as_password(t, "of-the-settings"), "a secret was entered"),
        (lambda t: _as_password(t, "username"), "a secret was entered"),
        (_shown, "a page shows a secret"),
        (_diverged, "as written"),
        (_stuck, "as written"),
        (lambda t: t._replace(performed=Performed(ok=False, error="gone")), "gone"),
        (lambda t: t._replace(decision=replace(t.decision, is_detour=True)), "another way"),
        (_typed("vol-0a1b2c3d4e"), "that attempt alone"),
        (_typed("${unique}"), "that attempt alone"),
        (_doubled, "like another"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_again_makes_no_recipe(change, why) -> None:
    made = turns()
    made[1] = change(made[1])
    with pytest.raises(NotCompiledError, match=why):
        compile_recipe(task(), made, locale="en", tier="literal")


async def test_a_made_up_password_is_made_up_anew() -> None:
    made = turns()
    made[1] = _as_password(made[1], task().made_up_password)
    text = compile_recipe(task(), made, locale="en", tier="literal").to_json()
    assert "${made_up_password}" in text
    assert task().made_up_password not in text


def test_an_attempt_that_was_not_finished_makes_no_recipe() -> None:
    with pytest.raises(NotCompiledError, match="end of the text"):
        compile_recipe(task(), turns()[:-1], locale="en", tier="literal")
