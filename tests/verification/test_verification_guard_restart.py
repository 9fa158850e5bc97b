"""What an attempt may have done is known to the next one, after the end of the process as well."""

from pathlib import Path

from appliance.config.model_settings import SensitiveSettings
from appliance.core import actions
from appliance.core.page import Element, Observation
from appliance.documents import parse_document
from appliance.policy.base import Decision
from appliance.store.store import Store
from appliance.verification.guard import Guard, HarmRecord, Ruling

TEXT = "# Tidy up\n\n1. In the row of `web-1`, click **Delete**.\n"
CLICK = Decision(action=actions.Click(1), step="1")


def page(*dialogs: str) -> Observation:
    button = Element(id=1, role="button", name="Delete", row="web-1 | Up")
    return Observation(url="http://c/x", title="C", elements=(button,), dialogs=dialogs)


def begun(folder: Path, run: str = "r", then: Observation | None = None) -> Ruling:
    """What is said of the click; it is done where it may be. Then the process ends."""
    procedure = parse_document(TEXT, "t.md", "markdown").procedures[0]
    with Store.open(folder) as store:
        done = HarmRecord.load(store.harmful_actions, run, procedure.id)
        guard = Guard(procedure=procedure, settings=SensitiveSettings(), done=done)
        guard.see(page())
        ruling = guard.judge(page(), CLICK)
        assert ruling is not None
        if not ruling.is_refused:
            guard.begin(ruling)
        if then is not None:
            guard.see(then)
    return ruling


def test_what_was_begun_before_a_crash_is_not_done_again(tmp_path: Path) -> None:
    assert not begun(tmp_path).is_refused
    assert "not done twice" in begun(tmp_path).why_not
    assert not begun(tmp_path, run="another").is_refused  # it is asked for anew


def test_what_was_only_asked_for_in_a_dialog_may_be_done_after_a_crash(tmp_path: Path) -> None:
    assert not begun(tmp_path, then=page("Delete web-1?")).is_refused
    assert not begun(tmp_path).is_refused
