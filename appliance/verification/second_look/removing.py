"""How a thing is deleted: by a documented procedure, or the control in its row or on its page."""

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
from appliance.language.names import of_one, plain
from appliance.policy.base import Decision
from appliance.policy.literal import in_row
from appliance.verification.guard.things import thing_of_page
from appliance.verification.performer import Performer
from appliance.verification.second_look.shown import Shown

_DELETES = WORDS[Harm.DELETE].on_controls
_CLICKED = frozenset(("button", "link", "menuitem"))
_MENUS = re.compile(
    r"^(?:more|actions?|options|menu|…|\.{3}|⋮|⋯|更多|操作)\b|[…⋮⋯]|\bactions?\b|\boptions\b|更多",
    re.IGNORECASE,
)
_BESIDE = frozenset(("navigation", "banner", "contentinfo", "complementary", "search", "tablist"))
"""Regions that are about the console."""
_MOST_ANSWERS = 6
"""To what asks whether it is meant."""
_SAFE = re.compile(r"[^`*\n]+")
"""What may stand between marks of Markdown."""
_ARTICLES = frozenset(("a", "an", "the", "new", "your", "one", "some"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Controls that are clicked one after the other."""

    labels: tuple[str, ...]
    """Empty words: a menu without a name."""
    is_in_row: bool
    """Whether the first stands in the thing's own row."""


def deletes_such(
    made_by: Procedure, procedures: Sequence[ProcedureOutline]
) -> Iterator[tuple[ProcedureOutline, str]]:
    """Procedures that delete what this one makes, each with what they call it."""
    nouns = _noun(made_by.title, verbs.CREATES.both)
    for one in procedures:
        noun = _noun(one.title, verbs.DELETES.both)
        if noun and noun == nouns and one.id != made_by.id:
            yield one, noun


def called(made_by: Procedure, thing: Shown) -> str:
    """What such a thing is called, by the title of what makes it and by its list."""
    noun = _noun(made_by.title, verbs.CREATES.both)
    listed = " ".join(of_one(word) for word in plain(thing.place).split())
    return ", ".join(dict.fromkeys(word for word in (noun, listed) if word))


def _noun(title: str, of: Sequence[str] | frozenset[str]) -> str:
    """What a title is about, after such a verb; empty: it begins with another."""
    name = plain(title)
    verb = next((v for v in of if v >= "\u4e00" and name.startswith(v)), "")
    if verb:
        return name[len(verb) :]
    first, *rest = name.split() or [""]
    if first not in of and not any(_is_gerund(first, verb) for verb in of):
        return ""
    return " ".join(of_one(word) for word in rest if word not in _ARTICLES)


def _is_gerund(word: str, verb: str) -> bool:
    return word in (f"{verb}ing", f"{verb.removesuffix('e')}ing")


def instructions(name: str, way: Way, called: str) -> Procedure:
    """The way in words: what the guard holds each click against.

    Args:
        name: Of the thing.
        way: How it is deleted.
        called: What the documentation and the console call such a thing; dialogs may.
    """
    labels = [f"**{label}**" if label else "the menu button" for label in way.labels]
    clicks = ", and then click ".join(labels)
    click = f"In the row of `{name}`, click {clicks}." if way.is_in_row else f"Click {clicks}."
    of_kind = f" ({called})" if _SAFE.fullmatch(called) else ""
    markdown = (
        f"# Delete `{name}`\n\n1. {click} This deletes `{name}`{of_kind} with all that is in it.\n"
        f"2. Type `{name}` to confirm, and confirm that `{name}` is deleted.\n"
    )
    return parse_document(markdown, "clean-up.md", "markdown").procedures[0]


async def control_ways(page: Page, thing: Shown) -> list[Way]:
    """Ways on the page that is open; a menu is opened to see what it has."""
    view, name = await page.observe(), plain(thing.name)
    if not _SAFE.fullmatch(thing.name):
        return []
    ways = []
    for is_in_row in (True, False):
        here = [e for e in view.elements if _is_of(view, e, name, is_in_row=is_in_row)]
        ways += [Way(labels=(e.name,), is_in_row=is_in_row) for e in here if _is_deleting(e)]
        for menu in [e for e in here if _is_menu(e)]:
            ways += [
                Way(labels=(menu.name, label), is_in_row=is_in_row)
                for label in await _entries(page, view, menu)
            ]
        if ways:
            break
    return ways


def _is_of(view: Observation, e: Element, name: str, *, is_in_row: bool) -> bool:
    """Whether a control is the thing's: in its row, or on the page that is about it."""
    is_bare_menu = not e.name and "haspopup" in e.states
    if e.role not in _CLICKED or e.dialog is not None:
        return False
    if not _SAFE.fullmatch(e.name) and not is_bare_menu:
        return False
    if "disabled" in e.states or e.region in _BESIDE:
        return False
    if is_in_row:
        return in_row(e, name)
    return e.row is None and thing_of_page(view).is_one_of({name})


def _is_deleting(e: Element) -> bool:
    return bool(_DELETES.search(e.name)) and "haspopup" not in e.states


def _is_menu(e: Element) -> bool:
    return bool(e.states & {"haspopup", "collapsed"}) or bool(_MENUS.search(e.name))


async def _entries(page: Page, before: Observation, menu: Element) -> list[str]:
    """What deletes, in a menu; it is closed again."""
    known = {e.id for e in before.elements}
    done = await page.perform(actions.Click(menu.id))
    view = await page.observe()
    labels = [
        e.name
        for e in view.elements
        if done.ok
        and e.id not in known
        and e.role in _CLICKED
        and _is_deleting(e)
        and _SAFE.fullmatch(e.name)
    ]
    await page.perform(actions.Press("Escape"))
    return list(dict.fromkeys(labels))


async def remove_by(hands: Performer, thing: Shown, way: Way, called: str) -> str:
    """Click the way, then answer what asks; what was in the way."""
    for number, label in enumerate(way.labels):
        view = await hands.page.observe()
        e = _labelled(view, label, plain(thing.name) if way.is_in_row and number == 0 else "")
        if e is None:
            return f"{label!r} is not there"
        said = await _do(hands, view, actions.Click(e.id), "1")
        if said:
            return said
    for _ in range(_MOST_ANSWERS):
        view = await hands.page.observe()
        action = _answer(view, thing.name)
        if action is None:
            return ""
        asking = view.element(action.element) if isinstance(action, actions.Click) else None
        if asking is not None and asking.dialog is None:  # a page of its own, which names the thing
            way = replace(way, labels=(*way.labels, asking.name))
            hands.guard.read_on(instructions(thing.name, way, called))
        if said := await _do(hands, view, action, "2"):
            return said
    return "it asks again and again"


async def _do(hands: Performer, view: Observation, action: Action, step: str) -> str:
    done = await hands.perform(view, Decision(action=action, step=step))
    return "" if done.performed.ok else done.performed.error


def _labelled(view: Observation, label: str, row: str) -> Element | None:
    """The control of that name; of several, the one in the row, or none where that is not told.

    What has no name is a menu.
    """
    named = [
        e
        for e in view.elements
        if e.role in _CLICKED
        and e.name == label
        and "disabled" not in e.states
        and (label or "haspopup" in e.states)
    ]
    if row:
        named = [e for e in named if in_row(e, row)]
    return named[0] if len(named) == 1 else None


def _answer(view: Observation, name: str) -> Action | None:
    """What answers a question about the thing; None: nothing asks."""
    dialog = view.dialogs[-1] if view.dialogs else None
    here = [e for e in view.elements if e.dialog == dialog and e.row is None]
    texts = [
        t.text
        for t in view.texts
        if t.dialog == dialog and t.row is None and (dialog or t.kind is not TextKind.NOTICE)
    ]
    asks = [*texts, dialog or "", *(e.name for e in here)]
    is_about = any(plain(name) in plain(t) for t in asks)
    button = _yes(here)
    if button is None or not (is_about or dialog is not None) or not _SAFE.fullmatch(button.name):
        return None
    if _reaches_further(button.name, dialog or "") or (_reaches_further(*asks) and not is_about):
        return None
    if dialog is None and not any(CONSEQUENCE.search(t) or _DELETES.search(t) for t in texts):
        return None
    for e in here:
        if e.role == "textbox" and not e.value and any(plain(name) in plain(t) for t in asks):
            return actions.Type(e.id, name)
    return actions.Click(button.id) if "disabled" not in button.states else None


def _reaches_further(*texts: str) -> bool:
    """Whether all of something is spoken of: no harm where it is all that is in the thing."""
    return any(pattern.search(text) for pattern in SCOPE.values() for text in texts)


def _yes(here: Sequence[Element]) -> Element | None:
    """The one button that says yes, or deletes."""
    buttons = [e for e in here if e.role in ("button", "link") and not NO.search(e.name.strip())]
    for group in (
        [e for e in buttons if e.is_submit and (_DELETES.search(e.name) or YES.search(e.name))],
        [e for e in buttons if e.role == "button" and _DELETES.search(e.name)],
        [e for e in buttons if e.role == "button" and YES.search(e.name)],
    ):
        if len(group) == 1:
            return group[0]
    return None
