"""Self-exploration: what is proposed of pages, and two of the practice cloud for real."""

import pytest

from appliance.cli._exploring import explore_here
from appliance.config import Settings
from appliance.core.audit_json import AuditLog
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.training.phases.exploration import (
    NAME_PREFIX,
    Explorer,
    Proposal,
    TriedProposal,
    entries_of,
    further,
)
from tests.policy.policy_model_desk import element, view
from tests.training.training_attempts import NOW

LIST = view(
    element(1, "link", "Overview"),
    element(2, "button", "Create disk"),
    element(3, "button", "Add label", states=frozenset({"disabled"})),
    element(4, "button", "Refresh"),
)
REQUIRED = frozenset({"required"})
FORM = view(
    element(5, "textbox", "Name", dialog="New", states=REQUIRED, value=""),
    element(6, "textbox", "Remark", dialog="New", value=""),
    element(7, "combobox", "Zone", dialog="New", states=REQUIRED, value="", options=("", "A")),
    element(8, "button", "Cancel", dialog="New"),
    element(9, "button", "Create", dialog="New", is_submit=True),
)
ROWS = view(
    element(1, "link", f"{NAME_PREFIX}-k3", row=f"{NAME_PREFIX}-k3 | 100"),
    element(2, "button", "More", row=f"{NAME_PREFIX}-k3 | 100"),
    element(3, "button", "More", row="of-others | 100"),
)
MENU = view(element(1, "menuitem", "Rename"), element(2, "menuitem", "Delete"))


def test_what_makes_something_is_proposed_and_filled_in_and_gone_on_from():
    (entry,) = entries_of("Storage", LIST)
    assert entry.steps == ("On the console home, click **Storage**.", "Click **Create disk**.")
    (made,) = further(entry, FORM)
    assert made.steps[2:] == (
        "Enter a name in the **Name** field.",
        "Choose **A** in **Zone**.",
        "Click **Create**.",
    )
    assert dict(made.bindings) == {"Name": "explored-${unique}", "disk": "explored-${unique}"}
    name, more = further(made, ROWS)
    assert name.steps[-1] == "Click the name of the disk."
    assert more.steps[-1] == "In the row of the disk, click **More**."  # never of what others made
    assert [one.last for one in further(more, MENU)] == ["Rename", "Delete"]
    assert list(further(made, None)) == []


async def test_what_changed_something_becomes_a_task_with_drafted_rules(tmp_path):
    def event(name: str) -> AuditEvent:
        return AuditEvent(
            time=NOW, service="s", name=name, target_name="explored-k3",
            outcome=EventOutcome.SUCCESS,
        )  # fmt: skip

    async def attempt(files) -> list[TriedProposal]:
        became = []
        for file in files:
            text = file.read_text()
            names = ["CreateDisk"] * ("Enter a name" in text) + ["DeleteDisk"] * ("Delete" in text)
            shown = MENU if "More" in text else ROWS if names else FORM
            bound = {"unique": "k3", "Name": "explored-k3", "disk": "explored-k3"}
            log = AuditLog(events=tuple(map(event, names)), bindings=bound)
            became.append(TriedProposal(last_view=shown, log=log, is_over="Rename" not in text))
        return became

    explorer = Explorer(tmp_path, "2025.1")
    (entry,) = entries_of("Storage", LIST)
    found = await explorer.explore([entry], attempt)
    rules = {
        one.draft.key: [r.event for r in one.draft.procedure.checks.expected()] for one in found
    }
    assert rules == {
        "create-storage": ["CreateDisk"],
        "delete-storage": ["CreateDisk", "DeleteDisk"],
    }
    assert all("audit log" in one.note for one in found)
    assert isinstance(entry, Proposal)


@pytest.mark.timeout(400)
def test_a_page_of_the_practice_cloud_is_explored_and_cleaned_up(tmp_path, monkeypatch):
    monkeypatch.setattr("appliance.training.phases.exploration._ROUNDS", 2)
    found = explore_here(Settings(data_dir=tmp_path / "data"), tmp_path / "explored", 2, 2)
    events = [rule.event for one in found for rule in one.draft.procedure.checks.expected()]
    assert events == ["CreateDisk"]
    assert found[0].draft.text.count("Enter a name") == 1
    assert found[0].release == "2025.1"
