"""What changes in rich consoles, as whole attempts find it; and what is no change at all."""

import httpx

from appliance.core.events import StepFinished
from appliance.core.verdict import DivergenceKind, Verdict

BUCKETS = "storage.resources.bucket"
CREATE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Create bucket** dialog, enter a name in **Bucket name**.
4. Click **Create**.

A message says **Bucket created**.
"""
CHECKS = {"procedures": {"create-a-bucket": {"bindings": {"Bucket name": "docs-${unique}"}}}}
DELETE = """# Buckets

## Delete a bucket
Everything in it is deleted as well.
1. Go to **Products** > **Buckets**.
2. In the row of the bucket, click **More**, and then click **Delete**.
3. In the **Delete bucket** dialog, type the name of the bucket to confirm, and click **Delete**.
"""
OLD = {
    "procedures": {
        "delete-a-bucket": {
            "needs": [{"bucket": {"name": "old-${unique}"}}],
            "bindings": {"bucket": "old-${unique}"},
            "expect": [{"event": "DeleteBucket", "where": {"target_name": "${bucket}"}}],
        }
    }
}


def change(kind: str, target: str, **values: object) -> tuple[dict[str, object], ...]:
    return ({"kind": kind, "target": target, **values},)


async def found(lab, text, checks, changes):
    result = (await lab.verify(text, checks, changes)).procedures[0]
    return result, [(f.kind, f.line) for f in result.findings]


async def test_a_box_to_acknowledge_that_the_text_does_not_know(lab) -> None:
    changes = change(
        "change_confirmation",
        f"{BUCKETS}.actions.delete",
        acknowledge={"en": "I have a copy", "zh": "我有副本"},
    )
    result, findings = await found(lab, DELETE, OLD, changes)
    assert findings == [(DivergenceKind.MISSING_STEP, 7)]
    assert "I have a copy" in result.findings[0].shown
    assert result.verdict is Verdict.DRIFTED


async def test_another_title_of_a_confirmation(lab) -> None:
    changes = change(
        "change_confirmation", f"{BUCKETS}.actions.delete", title={"en": "Are you sure?"}
    )
    result, findings = await found(lab, DELETE, OLD, changes)
    assert findings == [(DivergenceKind.RENAMED_LABEL, 7)]
    assert result.findings[0].suggestion == "Are you sure?"


async def test_another_button_of_a_confirmation(lab) -> None:
    changes = change(
        "change_confirmation", f"{BUCKETS}.actions.delete", submit={"en": "Yes, remove it"}
    )
    _, findings = await found(lab, DELETE, OLD, changes)
    assert findings == [(DivergenceKind.RENAMED_LABEL, 7)]


async def test_another_message_after_the_deed(lab) -> None:
    changes = change("change_message", f"{BUCKETS}.actions.create", text={"en": "All done"})
    result, findings = await found(lab, CREATE, CHECKS, changes)
    assert findings == [(DivergenceKind.WRONG_RESULT, 10)]
    assert result.findings[0].suggestion == "All done"


async def test_a_permission_that_the_text_does_not_ask_for(lab) -> None:
    changes = change("require_permission", f"{BUCKETS}.actions.create", permission="billing")
    result, findings = await found(lab, CREATE, CHECKS, changes)
    assert (DivergenceKind.PERMISSION, 8) in findings
    assert result.verdict is Verdict.BROKEN


async def test_an_entry_of_the_navigation_that_leads_nowhere(lab) -> None:
    text = CREATE.replace(
        "1. Go to **Products** > **Buckets**.",
        "1. Go to **Products** > **Buckets**, then click **Lifecycle rules** in the navigation.",
    ).replace("2. Click **Create bucket**.", "2. Click **Add rule**.")
    changes = change("dead_link", "storage.navigation.data.entries.lifecycle")
    _, findings = await found(lab, text, CHECKS, changes)
    assert (DivergenceKind.DEAD_LINK, 5) in findings


GROUPS = """# Groups

## Create a group

1. Go to **Products** > **Identity and access** > **Groups**.
2. Click **Create group**.
3. Enter a **Group name**, and click **Create**.

The message **Group created** appears.
"""


async def test_a_pop_up_that_no_text_speaks_of_is_closed_without_a_word(lab) -> None:
    text = GROUPS.replace("**Identity and access** > **Groups**", "**Databases**").replace(
        "2. Click **Create group**.\n3. Enter a **Group name**, and click **Create**.\n",
        "2. Click **Create database**.\n",
    )
    text = text.replace("\nThe message **Group created** appears.\n", "")
    result = (await lab.verify(text)).procedures[0]
    assert result.findings == ()
    assert [s.status.value for s in result.steps] == ["as_written", "as_written"]


async def test_the_end_of_the_session_blocks_and_breaks_nothing(lab) -> None:
    def sign_out(event: object, api: httpx.Client) -> None:
        if isinstance(event, StepFinished) and event.step == "2":
            api.post("/api/accounts/alice/sign-out").raise_for_status()

    lab.on_event = sign_out
    result = (await lab.verify(CREATE, CHECKS)).procedures[0]
    assert result.verdict is Verdict.BLOCKED
    assert "session is over" in (result.blocked_by or "")
    assert result.findings == ()


async def test_a_button_that_is_not_above_the_list_any_more(lab) -> None:
    text = DELETE.replace(
        "2. In the row of the bucket, click **More**, and then click **Delete**.",
        "2. Select the check box of the bucket, and click **Delete** above the list.",
    )
    changes = change("remove_control", f"{BUCKETS}.actions.delete", **{"from": "list.batch"})
    _, findings = await found(lab, text, OLD, changes)
    assert findings in ([(DivergenceKind.MOVED_CONTROL, 6)], [(DivergenceKind.MISSING_CONTROL, 6)])
