"""Ways to delete a thing: a documented procedure, or a control in its row or on its page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.browser import Page
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.harm import Harm
from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import Procedure
from appliance.documents import ProcedureOutline, parse_document
from appliance.language import verbs
from appliance.language.harm_words import CONSEQUENCE, NO, SCOPE, WORDS, YES
from appliance.language.names import plain, singular_of
from appliance.policy.base import Decision
from appliance.policy.literal import in_row
from appliance.verification.guard.things import PERIPHERAL_REGIONS, thing_of_page
from appliance.verification.performer import Performer
from appliance.verification.second_look.shown import Shown

_DELETES = WORDS[Harm.DELETE].on_controls
_CLICKABLE_ROLES = frozenset(("button", "link", "menuitem"))
_MENUS = re.compile(
    r"^(?:more|actions?|options|menu|…|\.{3}|⋮|⋯|更多|操作)\b|[…⋮⋯]|\bactions?\b|\boptions\b|更多",
    re.IGNORECASE,
)
_MAX_CONFIRMATIONS = 6
"""Confirmations answered for one removal."""
_MARKDOWN_SAFE = re.compile(r"[^`*\n]+")
"""Text that may stand inside Markdown markup."""
_ASKED = (
    "You are sure that you want to permanently delete this, and that all of the following related"
    " items, objects or records will be deleted."
)
"""What pages say of a new thing that nothing else depends on, before they delete it."""
_ARTICLES = frozenset(("a", "an", "the", "new", "your", "one", "some"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalPath:
    """The controls that are clicked, in order, to delete something."""

    labels: tuple[str, ...]
    """Labels of the controls; an empty one is a menu without a name."""
    is_in_row: bool
    """Whether the first stands in the thing's own row."""


def deleting_procedures(
    made_by: Procedure, procedures: Sequence[ProcedureOutline]
) -> Iterator[tuple[ProcedureOutline, str]]:
    """Procedures that delete what `made_by` creates, each with its noun for the thing."""
    created_noun = _object_of_title(made_by.title, verbs.CREATES.both)
    for candidate in procedures:
        noun = _object_of_title(candidate.title, verbs.DELETES.both)
        if noun and noun == created_noun and candidate.id != made_by.id:
            yield candidate, noun


def kind_names(made_by: Procedure, thing: Shown) -> str:
    """Nouns for such a thing, from the title of the creating procedure and of its list."""
    noun = _object_of_title(made_by.title, verbs.CREATES.both)
    list_title = " ".join(singular_of(word) for word in plain(thing.place).split())
    return ", ".join(dict.fromkeys(word for word in (noun, list_title) if word))


def _object_of_title(title: str, verb_forms: Sequence[str] | frozenset[str]) -> str:
    """The object of a title that begins with one of the verbs; empty if it does not."""
    name = plain(title)
    verb = next((v for v in verb_forms if v >= "\u4e00" and name.startswith(v)), "")
    if verb:
        return name[len(verb) :]
    first_word, *remaining_words = name.split() or [""]
    if first_word not in verb_forms and not any(
        _is_gerund(first_word, verb) for verb in verb_forms
    ):
        return ""
    return " ".join(singular_of(word) for word in remaining_words if word not in _ARTICLES)


def _is_gerund(word: str, verb: str) -> bool:
    return word in (f"{verb}ing", f"{verb.removesuffix('e')}ing")


def instructions(name: str, path: RemovalPath, kind: str) -> Procedure:
    """The removal as a procedure, against which the guard judges each click.

    Args:
        name: Of the thing.
        path: The controls that delete it.
        kind: Nouns for such a thing, which dialogs may use.
    """
    labels = [f"**{label}**" if label else "the menu button" for label in path.labels]
    clicks = ", and then click ".join(labels)
    click = f"In the row of `{name}`, click {clicks}." if path.is_in_row else f"Click {clicks}."
    kind_note = f" ({kind})" if _MARKDOWN_SAFE.fullmatch(kind) else ""
    markdown = (
        f"# Delete `{name}`\n\n"
        f"1. {click} This deletes `{name}`{kind_note} with all that is in it.\n"
        f"2. Type `{name}` to confirm, and confirm that `{name}` is deleted. {_ASKED}\n"
    )
    return parse_document(markdown, "clean-up.md", "markdown").procedures[0]


async def removal_paths(page: Page, thing: Shown) -> list[RemovalPath]:
    """Removal paths on the open page; menus are opened to read their entries."""
    view, name = await page.observe(), plain(thing.name)
    if not _MARKDOWN_SAFE.fullmatch(thing.name):
        return []
    paths = []
    for is_in_row in (True, False):
        controls = [e for e in view.elements if _belongs_to(view, e, name, is_in_row=is_in_row)]
        paths += [
            RemovalPath(labels=(e.name,), is_in_row=is_in_row) for e in controls if _is_deleting(e)
        ]
        for menu in [e for e in controls if _is_menu(e)]:
            paths += [
                RemovalPath(labels=(menu.name, label), is_in_row=is_in_row)
                for label in await _delete_entries(page, view, menu)
            ]
        if paths:
            break
    return paths


def _belongs_to(view: Observation, e: Element, name: str, *, is_in_row: bool) -> bool:
    """Whether a control belongs to the thing: in its row, or on the page about it."""
    is_bare_menu = not e.name and "haspopup" in e.states
    if e.role not in _CLICKABLE_ROLES or e.dialog is not None:
        return False
    if not _MARKDOWN_SAFE.fullmatch(e.name) and not is_bare_menu:
        return False
    if "disabled" in e.states or e.region in PERIPHERAL_REGIONS:
        return False
    if is_in_row:
        return in_row(e, name)
    return e.row is None and thing_of_page(view, e).is_one_of({name})


def _is_deleting(e: Element) -> bool:
    return bool(_DELETES.search(e.name)) and "haspopup" not in e.states


def _is_menu(e: Element) -> bool:
    return bool(e.states & {"haspopup", "collapsed"}) or bool(_MENUS.search(e.name))


async def _delete_entries(page: Page, view_before: Observation, menu: Element) -> list[str]:
    """Open a menu, read the labels of its deleting entries, and close it again."""
    earlier_ids = {e.id for e in view_before.elements}
    opened = await page.perform(actions.Click(menu.id))
    view = await page.observe()
    labels = [
        e.name
        for e in view.elements
        if opened.ok
        and e.id not in earlier_ids
        and e.role in _CLICKABLE_ROLES
        and _is_deleting(e)
        and _MARKDOWN_SAFE.fullmatch(e.name)
    ]
    await page.perform(actions.Press("Escape"))
    return list(dict.fromkeys(labels))


async def remove_via(performer: Performer, thing: Shown, path: RemovalPath, kind: str) -> str:
    """Click along the path and confirm; return what prevented it, or empty."""
    for index, label in enumerate(path.labels):
        view = await performer.page.observe()
        e = _control_labelled(
            view, label, plain(thing.name) if path.is_in_row and index == 0 else ""
        )
        if e is None:
            return f"{label!r} is not there"
        error = await _perform(performer, view, actions.Click(e.id), "1")
        if error:
            return error
    for _ in range(_MAX_CONFIRMATIONS):
        view = await performer.page.observe()
        action = _confirming_action(view, thing.name)
        if action is None:
            return ""
        button = view.element(action.element) if isinstance(action, actions.Click) else None
        if button is not None and button.dialog is None:  # a page of its own, which names the thing
            path = replace(path, labels=(*path.labels, button.name))
            performer.guard.read_on(instructions(thing.name, path, kind))
        if error := await _perform(performer, view, action, "2"):
            return error
    return "it asks again and again"


async def _perform(performer: Performer, view: Observation, action: Action, step: str) -> str:
    result = await performer.perform(view, Decision(action=action, step=step))
    return "" if result.performed.ok else result.performed.error


def _control_labelled(view: Observation, label: str, row: str) -> Element | None:
    """The control with that label; among several, the one in the row, or None if ambiguous.

    A control without a label is a menu.
    """
    matches = [
        e
        for e in view.elements
        if e.role in _CLICKABLE_ROLES
        and e.name == label
        and "disabled" not in e.states
        and (label or "haspopup" in e.states)
    ]
    if row:
        matches = [e for e in matches if in_row(e, row)]
    return matches[0] if len(matches) == 1 else None


def _confirming_action(view: Observation, name: str) -> Action | None:
    """The action that confirms a question about the thing; None if nothing asks."""
    dialog = view.dialogs[-1] if view.dialogs else None
    controls = [e for e in view.elements if e.dialog == dialog and e.row is None]
    texts = [
        t.text
        for t in view.texts
        if t.dialog == dialog and t.row is None and (dialog or t.kind is not TextKind.NOTICE)
    ]
    question_texts = [*texts, dialog or "", *(e.name for e in controls)]
    is_about = any(plain(name) in plain(t) for t in question_texts)
    button = _confirm_button(controls)
    if (
        button is None
        or not (is_about or dialog is not None)
        or not _MARKDOWN_SAFE.fullmatch(button.name)
    ):
        return None
    if _reaches_further(button.name, dialog or "") or (
        _reaches_further(*question_texts) and not is_about
    ):
        return None
    if dialog is None and not any(CONSEQUENCE.search(t) or _DELETES.search(t) for t in texts):
        return None
    for e in controls:
        if (
            e.role == "textbox"
            and not e.value
            and any(plain(name) in plain(t) for t in question_texts)
        ):
            return actions.Type(e.id, name)
    return actions.Click(button.id) if "disabled" not in button.states else None


def _reaches_further(*texts: str) -> bool:
    """Whether the texts speak of all of something, which may reach beyond the thing."""
    return any(pattern.search(text) for pattern in SCOPE.values() for text in texts)


def _confirm_button(controls: Sequence[Element]) -> Element | None:
    """The only button that confirms or deletes; None if there is none or several."""
    buttons = [
        e for e in controls if e.role in ("button", "link") and not NO.search(e.name.strip())
    ]
    for candidates in (
        [e for e in buttons if e.is_submit and (_DELETES.search(e.name) or YES.search(e.name))],
        [e for e in buttons if e.role == "button" and _DELETES.search(e.name)],
        [e for e in buttons if e.role == "button" and YES.search(e.name)],
    ):
        if len(candidates) == 1:
            return candidates[0]
    return None
