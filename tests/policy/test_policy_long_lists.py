"""Rows that a long list keeps back: the reader asks for them before it gives up."""

from appliance.core.actions import ActionKind
from appliance.core.page import Element, Fold, FoldKind, Observation, Performed, TextBlock, TextKind
from appliance.documents import parse_document
from appliance.policy.base import Task
from appliance.policy.literal import LiteralPolicy

LISTED = 20


class LongList:
    """A page with a table of which the first rows are listed, and those asked for."""

    def __init__(self, count: int, kind: FoldKind = FoldKind.TABLE) -> None:
        self.names = [f"disk-{n}" for n in range(count)]
        self.kind = kind
        self.shown = set(range(min(LISTED, count)))
        self.ticked: set[int] = set()
        self.did: list[tuple[ActionKind, str, str]] = []

    def view(self) -> Observation:
        def ticked(n: int) -> frozenset[str]:
            return frozenset({"checked" if n in self.ticked else "unchecked"})

        elements, texts = [], []
        for n in sorted(self.shown):
            row = f"{self.names[n]} | Ready"
            place = {"row": row, "fold": 1}
            elements += [
                Element(id=10 * n + 11, role="link", name=self.names[n], column="Name", **place),
                Element(id=10 * n + 12, role="button", name="Delete", **place),
                Element(id=10 * n + 13, role="checkbox", name="", states=ticked(n), **place),
            ]
            texts.append(TextBlock(kind=TextKind.CELL, text="Ready", column="State", **place))
        fold = Fold(id=1, kind=self.kind, total=len(self.names), listed=len(self.shown))
        is_long = len(self.shown) < len(self.names)
        return Observation(
            url="http://c/disks", title="Disks", elements=tuple(elements), texts=tuple(texts),
            folds=(fold,) if is_long else (),
        )  # fmt: skip

    async def follow(self, steps: str, **bindings: str) -> None:
        """Carry the steps out, and remember what was done."""
        document = parse_document(f"# T\n\n{steps}\n", "docs/a.md", "markdown")
        task = Task(procedure=document.procedures[0], bindings=bindings, unique="u", patience_s=2.0)
        policy, last = LiteralPolicy(task), None
        for _ in range(20):
            view = self.view()
            action = (await policy.choose(view, last)).action
            if action.is_final:
                return
            element = view.element(action.element or 0)
            told = element.row.split(" | ")[0] if element and element.row else ""
            self.did.append((action.kind, told, action.argument))
            if action.kind is ActionKind.UNFOLD:
                found = {n for n, name in enumerate(self.names) if action.argument in name}
                is_rolling = self.kind is FoldKind.VIRTUAL
                self.shown = found if is_rolling and found else self.shown | found
            if action.kind is ActionKind.CHECK:
                self.ticked ^= {self.names.index(told)}
            last = Performed(ok=True)
        raise AssertionError(self.did)


async def test_a_row_that_is_not_listed_is_asked_for() -> None:
    page = LongList(2000)
    await page.follow("1. In the row of the disk, click **Delete**.", disk="disk-1734")
    assert page.did == [
        (ActionKind.UNFOLD, "", "disk-1734"),
        (ActionKind.CLICK, "disk-1734", ""),
    ]


async def test_a_row_is_not_taken_for_another_that_begins_alike() -> None:
    page = LongList(2000)
    page.shown -= {3}  # disk-3 is folded away, disk-13 is listed
    await page.follow("1. Click the name of the disk.", disk="disk-3")
    assert page.did[0] == (ActionKind.UNFOLD, "", "disk-3")
    assert page.did[1] == (ActionKind.CLICK, "disk-3", "")


async def test_it_asks_once_and_then_says_so() -> None:
    page = LongList(2000)
    await page.follow("1. Select the disk.", disk="nowhere")
    assert [kind for kind, _, _ in page.did].count(ActionKind.UNFOLD) == 1
    assert ActionKind.CLICK not in {kind for kind, _, _ in page.did}


async def test_nothing_is_asked_where_all_is_listed() -> None:
    page = LongList(LISTED)
    await page.follow("1. Select the disk.", disk="nowhere")
    assert ActionKind.UNFOLD not in {kind for kind, _, _ in page.did}


async def test_a_list_that_is_scrolled_is_asked_again_for_a_row_that_went_out_of_view() -> None:
    page = LongList(2000, FoldKind.VIRTUAL)
    steps = "1. Select the disk.\n2. Select the other.\n3. Clear the check box of the disk."
    await page.follow(steps, disk="disk-1734", other="disk-1999")
    wanted = ["disk-1734", "disk-1999", "disk-1734"]
    assert [text for kind, _, text in page.did if kind is ActionKind.UNFOLD] == wanted
