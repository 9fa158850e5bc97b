"""Pages of a small console, as the browser tells them, and attempts that go through them."""

from dataclasses import replace

from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.page import Element, Observation, Performed, TextBlock, TextKind
from appliance.core.verdict import StepStatus
from appliance.documents import parse_document
from appliance.policy.base import Decision, StepReport, Task
from appliance.policy.replay import Recipe, RecordedTurn, ReplayPolicy, compile_recipe

STEPS = """1. Click **Create disk**.
2. In **Name**, enter a name. The default of **Size** is `40` GiB.
3. Click **Create**.

The disk is shown with the status **Active**, and a message says **Disk created**.
"""
PROCEDURE = parse_document(f"# Disks\n\n{STEPS}", "disks.md", "markdown").procedures[0]
_H, _N, _T, _C = TextKind.HEADING, TextKind.NOTICE, TextKind.TEXT, TextKind.CELL


def task(unique: str = "cda1f00", **more: str) -> Task:
    """What one attempt is given."""
    bindings = {"unique": unique, "Name": f"docs-{unique}", "disk": f"root-{unique}"} | more
    return Task(procedure=PROCEDURE, bindings=bindings, unique=unique, username="alice")


def pages(
    unique: str = "cda1f00", at: str = "22 Nov 2026, 02:14", disks: int = 3
) -> list[Observation]:
    """The list, the empty form, the form filled in, and the list with the new disk."""
    listing = Observation(
        url="http://console/disks",
        title="Disks",
        elements=(
            Element(
                id=1, role="link", name="Disks", region="navigation", states=frozenset({"current"})
            ),
            Element(id=2, role="button", name="Create disk", region="toolbar", section="Disks"),
            Element(id=3, role="combobox", name="Zone", value="All", options=("All", "A", "B")),
            Element(id=4, role="link", name="other", row=f"other | Active | {at}", column="Name"),
        ),
        texts=(
            TextBlock(kind=_H, text="Disks", level=1),
            TextBlock(kind=_T, text=f"1–{disks} of {disks}, looked up at {at}"),
            TextBlock(kind=TextKind.COLUMN_HEADER, text="Name"),
            TextBlock(kind=_C, text="other", row=f"other | Active | {at}", column="Name"),
        ),
    )
    form = replace(
        listing,
        elements=(
            Element(
                id=5, role="textbox", name="Name", value="", dialog="Create disk", region="form"
            ),
            Element(
                id=6,
                role="spinbutton",
                name="Size",
                value="40",
                dialog="Create disk",
                region="form",
            ),
            Element(
                id=7,
                role="button",
                name="Create",
                dialog="Create disk",
                region="form",
                is_submit=True,
            ),
        ),
        texts=(TextBlock(kind=TextKind.DIALOG_TITLE, text="Create disk", dialog="Create disk"),),
        dialogs=("Create disk",),
    )
    name = replace(form.elements[0], value=f"docs-{unique}")
    filled = replace(form, elements=(name, *form.elements[1:]))
    row = f"docs-{unique} | Active | {at}"
    made = (
        Element(id=8, role="link", name=f"docs-{unique}", row=row, column="Name"),
        Element(id=9, role="button", name="More", row=row, column="Actions"),
    )
    cells = tuple(
        TextBlock(kind=_C, text=text, row=row, column=column)
        for column, text in (("Name", f"docs-{unique}"), ("Status", "Active"), ("Created", at))
    )
    done = TextBlock(kind=_N, text="Disk created", tone="success")
    listed = replace(
        listing, elements=(*listing.elements, *made), texts=(*listing.texts, *cells, done)
    )
    return [listing, form, filled, listed]


def turns(unique: str = "cda1f00", **more: object) -> list[RecordedTurn]:
    """A reader's way through them."""
    shown = pages(unique, **more)  # type: ignore[arg-type]  # at and disks
    name = f"docs-{unique}"
    moves = (
        actions.Click(2),
        actions.Type(5, text=name),
        actions.Click(7),
        actions.Complete(seen="Disk created"),
    )
    good = StepReport(step="1", status=StepStatus.AS_WRITTEN, note=f'"{name}" is shown')
    return [
        RecordedTurn(
            view, Decision(action=action, step=str(n + 1), reports=(good,)), Performed(ok=True)
        )
        for n, (view, action) in enumerate(zip(shown, moves, strict=True))
    ]


def recipe() -> Recipe:
    """Of a verified attempt."""
    return compile_recipe(task(), turns(), locale="en", tier="literal")


async def replayed(views: list[Observation], given: Task) -> tuple[list[Action], str]:
    """What replay does on these pages, and why it ended early; each page stays as it is."""
    policy, done, at = ReplayPolicy(given, recipe()), list[Action](), 0
    for _ in range(60):
        decision = await policy.choose(views[at], Performed(ok=True) if done else None)
        action = decision.action
        assert not decision.divergences
        if action.kind is ActionKind.WAIT:
            continue
        done.append(action)
        if action.is_final:
            return done, action.argument if action.kind is ActionKind.UNACHIEVABLE else ""
        at += 1
    raise AssertionError("it does not end")
