"""Rows of lists: selecting them, ticking them, following their names."""

import re

from appliance.core.page import Element
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language import nouns, verbs
from appliance.language.names import plain, same, singular_words, words
from appliance.policy.literal.act import dialogs, sending
from appliance.policy.literal.act.choices import Did, choose_by_words
from appliance.policy.literal.act.fields import parts_here
from appliance.policy.literal.act.groups import choose_in, is_list, is_of_group
from appliance.policy.literal.act.unfolding import bring_out
from appliance.policy.literal.match.grounding import (
    CLICKABLE,
    FRAME,
    TOGGLES,
    card_of,
    closed_menus,
    folded_parts,
    in_row,
    is_enabled,
    is_page_of,
    leads_to,
    match_clickable,
    match_field,
    text_shown,
)
from appliance.policy.literal.read.intents import FIND, PRONOUNS, Gesture, Intent, IntentKind
from appliance.policy.literal.session import Script, Session

_MAX_PAGES = 5


def pick(s: Session, intent: Intent) -> Script:
    """Select a row, or the thing of that name; in a dialog, the value of the field of that name."""
    key = _key(s, intent)
    if intent.is_optional and s.values.row(intent.thing) is None and intent.value is None:
        s.report(StepStatus.SKIPPED, "the text leaves it open")
        return
    if (yield from _picked(s, intent, key)):
        return
    if not key and (yield from _any_will_do(s, intent)):
        return
    if not key and intent.thing:
        yield from s.look_again(intent.thing)
        if (yield from _any_will_do(s, intent)):
            return
    if s.lost is not None:
        s.unreached()
    elif key:
        s.stuck(f'no row shows "{key}" in {s.describe_place()}')
    else:
        s.left_open(intent.thing)


def _is_section_shown(s: Session, intent: Intent) -> bool:
    label = intent.place.section
    return label is not None and text_shown(s.view, label.text) is not None


def _picked(s: Session, intent: Intent, key: str) -> Did:
    """Whether it was found: here, in a menu, on the page of its list, behind a dialog."""
    if (yield from _in_a_field(s, intent, key)):
        return True
    if key and (yield from _at_hand(s, intent, key)):
        return True
    if (yield from choose_by_words(s, intent)):
        return True
    if key and s.lost is None and (yield from _on_its_page(s, intent, key)):
        return True
    if key and intent.place.in_menu and (yield from _pick_in_menu(s, key)):
        return True
    return bool(key) and s.lost is None and (yield from _behind_dialog(s, intent, key))


def _any_will_do(s: Session, intent: Intent) -> Did:
    """Whether the text leaves open what nothing depends on: a part of a known thing, a new one."""
    if part := _first_part(s, intent):
        yield from _open_part(s, part)
    elif card := _first_card(s):
        s.row = card
        s.report(StepStatus.AS_WRITTEN, "the text leaves it open: the first one", is_seen=False)
    elif intent.noun == FIND and _is_section_shown(s, intent):
        s.report(StepStatus.AS_WRITTEN, "the part of the page is there", is_seen=False)
    elif parts_here(s, [intent.thing]):
        note = f"the form has {intent.thing}; the text leaves open what to set"
        s.report(StepStatus.AS_WRITTEN, note, is_seen=False)
    else:
        return False
    return True


def _at_hand(s: Session, intent: Intent, key: str) -> Did:
    """Whether a row, something of that name, or a part of the page is the thing."""
    if (yield from _bring_into_view(s, key)):
        s.row = key
        s.found()
        if "check" in intent.noun or "复选框" in intent.noun:
            yield from tick_row(s)
        s.report(StepStatus.AS_WRITTEN, f'the row of "{key}"')
        return True
    named = match_clickable(s.view, key)
    # a switch of that name is not selected by being turned, nor is a part of the page another page
    is_other = named is not None and (
        named.element.role == "switch"
        or (intent.noun == FIND and named.element.region == "navigation")
    )
    if named is not None and _is_beside_next(s, intent):
        alike = [e for e in s.view.elements if e.role in CLICKABLE and same(key, e.name)]
        # of a menu that has just been opened, rather than of the page below it
        fresh = [e for e in alike if s.before.element(e.id) is None]
        s.spotted = next(iter(fresh or alike), named.element)
        s.met(key, s.spotted)
        s.report(StepStatus.AS_WRITTEN, f'"{key}" is there')
        return True
    if named is not None and not is_other:
        s.met(key, named.element)
        done = yield from s.click(named.element, f'select "{key}"')
        s.row = key
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
        return True
    if part := _part_of(s, intent, key):
        s.met(key, part)
        s.row = key
        yield from _open_part(s, part)
        return True
    return False


def _is_beside_next(s: Session, intent: Intent) -> bool:
    """Whether it is only to be found: the sign that is clicked next stands beside it."""
    after = next(iter(s.upcoming[1:2]), None)
    if after is None or after.kind is not IntentKind.OPEN or after.label is None:
        return False
    is_sign = after.noun in nouns.ICONS.both or not any(map(str.isalnum, after.label.text))
    return is_sign and bool(_FINDS.match(intent.sentence.text))


_FINDS = re.compile(r"\W*(?:then |next,? )?(?:find|locate|look for)\b", re.IGNORECASE)


def _open_part(s: Session, part: Element) -> Script:
    """Unfold a part of the page, where it is folded."""
    s.part = part.name
    if "expanded" not in part.states:
        yield from s.click(part, f'open "{part.name}"')
    s.report(StepStatus.AS_WRITTEN, f'"{part.name}"')


def _behind_dialog(s: Session, intent: Intent, key: str) -> Did:
    """A dialog that the text left open is in the way of the list: what was done in it is kept."""
    if s.dialog is None:
        return False
    if s.dialog in s.touched:
        before = s.past[-1] if s.past else intent
        yield from sending.finish_dialog(s, before.sentence)
    else:
        yield from dialogs.leave(s)
    return s.dialog is None and (yield from _at_hand(s, intent, key))


def _part_of(s: Session, intent: Intent, key: str) -> Element | None:
    """The folded part of the page about the thing: "Environment development, 1 strategy"."""
    kind = singular_words(intent.thing)
    parts = [e for e in folded_parts(s.view) if words(key) <= words(e.name)]
    parts = [e for e in parts if kind & singular_words(e.name)]
    return parts[0] if len(parts) == 1 else None


def _first_part(s: Session, intent: Intent) -> Element | None:
    """Where the page is that of a bound thing, any of its parts of the kind that the text says."""
    kind = singular_words(intent.thing)
    is_bound = any(is_page_of(s.view, value) for value in s.task.bindings.values() if value)
    parts = [e for e in folded_parts(s.view) if kind and kind <= singular_words(e.name)]
    return parts[0] if is_bound and len(parts) > 1 else None


def _first_card(s: Session) -> str:
    """Of the cards of a dialog, the first with the button that the text names next.

    What a dialog offers is not there yet: any of it may be taken where the text leaves it open.
    """
    after = next((i.label for i in s.upcoming[1:2] if i.label is not None), None)
    cards = (
        e.row
        for e in s.view.elements
        if after is not None and e.dialog is not None and e.row and same(after.text, e.name)
    )
    return next(cards, "") if s.lost is None else ""


def _in_a_field(s: Session, intent: Intent, key: str) -> Did:
    """Whether it is a choice in a form: of a dialog, or of the field named as the place."""
    radios = (e for e in s.view.elements if e.role == "radio" and same(intent.thing, e.name))
    if radio := next(radios, None):  # "Select the entire class": an option is called so
        done = yield from s.check(radio, checked=True, thought=f'choose "{radio.name}"')
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
        return True
    if s.view.dialogs and (yield from choose_by_words(s, intent)):
        return True
    label = intent.place.section
    match = match_field(s.view, label.text) if label is not None else None
    if not key or label is None or match is None or not match.how.is_strict:
        return False
    if not (is_list(match.element) or is_of_group(match.element, key)):
        return False
    s.met(label.text, match.element)
    given = s.values.bound(label.text) or key
    return (yield from choose_in(s, match.element, given, named=label.text, words=None))


def _on_its_page(s: Session, intent: Intent, key: str) -> Did:
    """The list itself has to be opened first, and the text does not say so."""
    wanted = singular_words(intent.thing)
    entries = [
        e
        for e in s.view.elements
        if e.region == "navigation"
        and e.role == "link"
        and wanted
        and singular_words(e.name) == wanted
    ]
    is_told_elsewhere = bool(_REFERS.search(intent.sentence.text))
    if not entries or s.view.dialogs or intent.noun == FIND or is_told_elsewhere:
        return False
    yield from s.click(entries[0], f'look for "{key}" in "{entries[0].name}"')
    if not (yield from _bring_into_view(s, key)):
        return False
    s.diverge(
        DivergenceKind.MISSING_STEP,
        intent.sentence,
        f'"{entries[0].name}" has to be opened first',
        basis=Basis.ELSEWHERE,
    )
    s.row = key
    return True


_REFERS = re.compile(r"\bfollow the (?:instructions|steps|procedure|directions)\b", re.IGNORECASE)
"""Where the thing is found, another text says."""


def _pick_in_menu(s: Session, key: str) -> Did:
    """Click the menu entry that a binding names ("In the menu of the row, select the state")."""
    for toggle in closed_menus(s.view, row=s.row, label=key):
        yield from s.click(toggle, f'look for "{key}" in the menu')
        entry = match_clickable(s.view, key, row=s.row)
        if entry:
            done = yield from s.click(entry.element, f'choose "{key}"')
            s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
            return True
    return False


def _key(s: Session, intent: Intent) -> str:
    """What identifies the row: a value the text gives, a binding, or a word that a row shows."""
    if intent.value is not None:
        return s.values.bound(intent.value.text) or intent.value.text
    if bound := s.values.row(intent.thing):
        return bound
    if intent.thing in PRONOUNS:
        return s.row
    if named := _named_with_its_kind(s, intent.thing):
        return named
    rows = {e.row for e in s.view.elements if e.row}
    for word in intent.thing.split():
        if any(word.casefold() in [c.casefold() for c in row.split(" | ")] for row in rows):
            return word
    return ""


def _named_with_its_kind(s: Session, thing: str) -> str:
    """What the words begin with, of all that can be chosen here: "the public link type"."""
    named = {
        e.name
        for e in s.front
        if e.role in ("button", "radio", "option") and e.row is None and e.region not in FRAME
        and e.name and plain(thing).startswith(f"{plain(e.name)} ")
    }  # fmt: skip
    return named.pop() if len(named) == 1 else ""


def _bring_into_view(s: Session, key: str) -> Did:
    """Whether a row shows the key, after unfolding and turning pages of the list where need be."""
    for _ in range(_MAX_PAGES):
        if (yield from bring_out(s, key)):
            return True
        more = _pager(s)
        if more is None:
            return False
        yield from s.click(more, f'look for "{key}" on the next page of the list')
    return False


def _pager(s: Session) -> Element | None:
    """What turns the page of a list; the "Next" of a form without a list is none."""
    has_rows = any(e.row for e in s.view.elements) or any(t.row for t in s.view.texts)
    if s.dialog is not None or not has_rows:
        return None
    return next(
        (
            e
            for e in s.view.elements
            if e.row is None and is_enabled(e) and not e.is_submit
            and any(same(w, e.name) for w in ("Next page", "Next", "下一页", "»", "›"))
        ),
        None,
    )  # fmt: skip


def tick_row(s: Session) -> Script:
    """Tick the check box of the current row."""
    for e in s.view.elements:
        if e.role in ("checkbox", "radio") and in_row(e, s.row):
            if "checked" not in e.states:
                yield from s.check(e, checked=True, thought=f'select the row of "{s.row}"')
                s.touch()
            return


def _row_spoken_of(s: Session, intent: Intent) -> str:
    """The row that the text last spoke of, unless that was of another kind of thing."""
    bound = (kind for kind, value in s.task.bindings.items() if same(value, s.row))
    of = next(bound, "")
    is_other = bool(of) and not singular_words(of) & singular_words(intent.thing)
    return "" if is_other and intent.thing else s.row


def _is_listed(s: Session, key: str) -> Did:
    """Whether a row shows it; lists come later than their pages."""
    if (yield from _bring_into_view(s, key)):
        return True
    if match_clickable(s.view, key) is not None:
        return False
    yield from s.look_again(key)
    return (yield from _bring_into_view(s, key))


def follow(s: Session, intent: Intent) -> Script:
    """Click the name of a row, and then what leads to the side of the thing that is named."""
    yield from _follow(s, intent)
    side = _side_of(s, intent)
    if side is not None:
        done = yield from s.click(side, f'go to the {intent.thing}, by "{side.name}"')
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def edit(s: Session, intent: Intent) -> Script:
    """As "edit the user": the thing is opened, and then what leads to its form."""
    yield from _follow(s, intent)
    after = s.next_label
    is_there = after is not None and (
        match_field(s.view, after.text) or match_clickable(s.view, after.text)
    )
    doers = [
        e
        for e in s.view.elements
        if e.role in ("button", "link", "tab") and e.row is None and is_enabled(e)
        and e.name and plain(e.name.split()[0]) in verbs.EDITS.both
    ]  # fmt: skip
    if s.lost is not None or is_there:
        return
    if len(doers) == 1:
        yield from s.click(doers[0], f'edit it, by "{doers[0].name}"')
    else:  # this page of the thing need not be the one on which it is edited
        s.skip(f'not understood: where "{s.row or intent.thing}" is edited')
        s.lose("was not understood")


def _side_of(s: Session, intent: Intent) -> Element | None:
    """What leads to "the management area of an event", once the event is open."""
    side, of, thing = intent.thing.partition(" of ")
    key = s.values.row(thing) if of else None
    if key is None or s.view.dialogs or not is_page_of(s.view, key):
        return None
    named = [
        e
        for e in s.view.elements
        if e.role in ("link", "button", "tab") and e.row is None and is_enabled(e)
        and words(side) <= words(e.name) and not {"current", "selected"} & e.states
    ]  # fmt: skip
    return named[0] if len(named) == 1 else None


def _follow(s: Session, intent: Intent) -> Script:
    key = s.values.row(intent.thing) or _row_spoken_of(s, intent)
    is_click = intent.gesture is Gesture.CLICK  # a right click is not done by being there
    if is_click and key and not s.view.dialogs and is_page_of(s.view, key):
        s.found()
        s.report(StepStatus.AS_WRITTEN, f'"{key}" is already open')
        return
    if key and (yield from _is_listed(s, key)):
        of_row = [e for e in s.view.elements if in_row(e, key)]
        links = [e for e in of_row if e.role in ("link", "button")]
        links = links or [e for e in of_row if e.role == "row"]  # it opens the thing as a whole
        # another thing's row may show the name, too
        links = [e for e in links if e.row and same(key, e.row.split(" | ")[0])] or links
        named = (
            [e for e in links if same(key, e.name)]
            or [e for e in links if key in e.name]
            or links[:1]
        )
        if named:
            s.found()
            s.row = key
            done = yield from s.click(named[0], f'open "{key}"', intent.gesture)
            s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
            return
    match = match_clickable(s.view, key) if key else None
    bearer = match.element if match and match.element.role not in TOGGLES else None
    link = next((e for e in s.view.elements if leads_to(e, key)), bearer) or card_of(s.view, key)
    if link is not None:
        s.met(key, bearer or link)
        if singular_words(intent.thing) & singular_words(link.href):
            s.found()  # "/projects/default" is a project
        done = yield from s.click(link, f'open "{key}"', intent.gesture)
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
        return
    yield from _not_followed(s, intent, key)


def _not_followed(s: Session, intent: Intent, key: str) -> Script:
    """Nothing leads to the thing: said, unless it is only a page that the text tells in words."""
    if s.lost is not None:
        s.unreached()
    elif intent.gesture is Gesture.HOVER:
        s.report(StepStatus.SKIPPED, "whoever clicks what appears has the pointer there")
    elif key:
        s.stuck(f'no link "{key}" in {s.describe_place()}')
    elif intent.is_optional:
        s.report(StepStatus.SKIPPED, "the text leaves it open")
    elif not (yield from _at_a_page(s, intent)):
        s.left_open(intent.thing)


_PAGE = re.compile(r"\b(?:page|list|screen|overview|section)s?$", re.IGNORECASE)


def _at_a_page(s: Session, intent: Intent) -> Did:
    """Whether "the project list page" is one of the navigation, or this, which has what is next."""
    if not _PAGE.search(intent.thing):
        return False
    said = singular_words(intent.thing)
    after = s.next_label
    if after is not None and match_clickable(s.view, after.text) is not None:
        s.report(StepStatus.AS_WRITTEN, f'"{after.text}" is here', is_seen=False)
        return True
    entries = [
        e
        for e in s.view.elements
        if e.region == "navigation" and e.role == "link" and singular_words(e.name)
        and singular_words(e.name) <= said
    ]  # fmt: skip
    if len(entries) != 1:
        return False
    done = yield from s.click(entries[0], f'open "{entries[0].name}"')
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    return True
