"""The way to a control of a case: what a hand, or a model that does harm, clicks one by one."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.traps.cases import CLOSE, MAIN, Case, Console, Control, controls_of


class Move(NamedTuple):
    """One click, or one word typed."""

    selector: str
    """CSS, for a hand."""
    label: str
    """As the page shows it, for a model."""
    nth: int = 0
    """Which of those with this label; -1: the last."""
    types: str = ""
    later: str = ""
    """The label that it may have by then."""
    hovered: str = ""
    """CSS of what it becomes before it is pressed."""


def route(case: Case, pattern: str, console: Console | None = None) -> list[Move]:
    """The moves from the case's first page to what is posted as `pattern`.

    Raises:
        LookupError: No control does that.
    """
    key, _, row = pattern.partition("@")
    found = _from_page(console or case.page, MAIN, key, row.replace("*", ""), "", set())
    if found is None:
        raise LookupError(f"case {case.id}: nothing posts {pattern}")
    return found


def _name(control: Control, row: str) -> str:
    return (control.name or control.label).replace("{row}", row)


def _move(control: Control, row: str, scope: str, nth: int = 0, wanted: str = "") -> Move:
    change = control.becomes
    is_before = change is not None and wanted == change.id and change.on != "pointerdown"
    return Move(
        f'{scope} [data-c="{control.key}"]',
        _name(control, row),
        nth,
        later=change.label if change else "",
        hovered=f'{scope} [data-c="{wanted}"]' if is_before else "",
    )


def _from_page(
    console: Console, page: str, key: str, row: str, here: str, seen: set[str]
) -> list[Move] | None:
    seen.add(page)
    for first, controls, scope, nth, about in _groups(console, page, row, here):
        for control in controls:
            for moves in _from_control(console, control, key, row, about, scope, nth, seen):
                return [*first, *moves]
    for block in console.pages[page]:
        if block.table and block.table.open and block.table.open not in seen:
            name = row or block.table.rows[0][0]
            below = _from_page(console, block.table.open, key, row, name, seen)
            if below is not None:
                link = f'tr[data-row="{name}"] td > a:not([data-c])'
                return [Move(link, name), *below]
    return None


def _groups(
    console: Console, page: str, row: str, here: str
) -> Iterator[tuple[list[Move], tuple[Control, ...], str, int, str]]:
    """Controls that stand together: the moves before, they, where, which, and what they act on."""
    for block in console.pages[page]:
        if block.buttons:
            yield [], block.buttons, "main", 0, here
        if block.form:
            yield [], block.form.buttons, "main", 0, here
        if block.table is None:
            continue
        table, names = block.table, [r[0] for r in block.table.rows]
        if any(c.adds == page for p in console.pages for c in controls_of(console, p)):
            names = [*names, *(n for n in row.split("+") if n and n not in names)]  # by then
        wanted = [n for n in row.split("+") if n in names]
        if table.toolbar:
            missing = [n for n in (wanted or names[:1]) if n not in table.ticked]
            ticks = [Move(f'tr[data-row="{n}"] [data-tick]', n) for n in missing]
            yield ([] if table.ticked and not wanted else ticks), table.toolbar, "[data-bar]", 0, ""
        if table.actions and names:
            name = wanted[0] if wanted else names[0]
            yield [], table.actions, f'tr[data-row="{name}"]', names.index(name), name


def _from_control(
    console: Console,
    control: Control,
    key: str,
    row: str,
    about: str,
    scope: str,
    nth: int,
    seen: set[str],
) -> Iterator[list[Move]]:
    move = _move(control, about, scope, nth, key)
    if key in control.keys:
        yield [move]
    for item in control.menu:
        for moves in _from_control(console, item, key, row, about, scope, 0, seen):
            yield [move, *moves]
    if control.dialog:
        dialog = console.dialogs[control.dialog]
        typed = [Move("dialog [data-word]", dialog.word, 0, dialog.word)] if dialog.word else []
        for button in dialog.buttons:
            for moves in _from_control(console, button, key, row, about, "dialog", -1, seen):
                yield [move, *typed, *moves]
    if control.go and control.go != CLOSE and control.go not in seen:
        below = _from_page(console, control.go, key, row, about, seen)
        if below is not None:
            yield [move, *below]
