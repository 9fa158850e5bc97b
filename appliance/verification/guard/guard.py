"""The one place that decides whether an action may be done, before it is done, for every policy.

A control that deletes, pays or changes who may log in is used only where the text names it
exactly and the thing it is done to is named by the text, by a binding, or was made in this attempt.
In a console that cannot put anything back, what was there before is changed only where the user
bound it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from appliance.config import SensitiveRule, SensitiveSettings
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.harm import Harm, HarmfulAction
from appliance.core.page import Element, Observation
from appliance.core.procedure import Procedure
from appliance.language.harm_words import JOINS, MAKES, SAVES, YES
from appliance.language.names import plain
from appliance.policy.base import Decision
from appliance.policy.literal import is_search
from appliance.verification.guard import words
from appliance.verification.guard.changes import AttemptChanges, is_in_menu
from appliance.verification.guard.harm_record import HarmRecord
from appliance.verification.guard.hazard import Hazard, Ruling, hazard_of, is_drawn, leads_away
from appliance.verification.guard.text import ProcedureText
from appliance.verification.guard.things import (
    KnownThings,
    NamedThing,
    has_more_selected,
    largest_count_lost,
    listed_names,
    name_typed_in_form,
    selected_things,
    thing_of_page,
    thing_of_row,
)
from appliance.verification.guard.words import covered_by, scopes

_KINDS = ("user", "account", "member")
"""What is also bound by other names; no words by which somebody may be called, such as "admin"."""
_ONLY_LOOKS = "it is only looked for what the text names"
_PICTURE_CLICK = "a click on what is only drawn"


@dataclass(slots=True, kw_only=True)
class Guard:
    """Judges the actions of one attempt; it sees every page and every action."""

    procedure: Procedure
    settings: SensitiveSettings
    intro: str = ""
    """What the document says above the procedure's first step."""
    bound: Mapping[str, str] = field(default_factory=dict)
    """What the user, or the environment, gave values to."""
    provided: Collection[str] = ()
    """Names of what was made for this attempt."""
    unique: str = ""
    protects_existing: bool = False
    """Whether what was there before is left alone, since the console cannot put it back."""
    done: HarmRecord = field(default_factory=HarmRecord)
    """Harmful actions of earlier attempts, to which this attempt adds its own."""
    _earlier_actions: frozenset[HarmfulAction] = field(init=False)
    _allowed_ruling: Ruling | None = None
    """The ruling that was allowed last and may still have to be confirmed."""
    _previous_ruling: Ruling | None = None
    """What `_opened` was before the action under way, or the last."""
    _step: str = ""
    _focus: int | None = None
    _fields_before: frozenset[str] = frozenset()
    """Names of the fields that were empty when an action was judged last."""
    dismissed: str = ""
    """Why a question of the browser was answered with no during the last action."""

    def __post_init__(self) -> None:
        self._text = ProcedureText(self.procedure, self.intro)
        self._things = KnownThings(self.unique)
        bound = frozenset(map(plain, self.bound.values()))
        self._changes = AttemptChanges(self._things, bound)
        self._earlier_actions = frozenset(self.done)

    _text: ProcedureText = field(init=False)
    _things: KnownThings = field(init=False)
    _changes: AttemptChanges = field(init=False)

    def see(self, view: Observation) -> None:
        """Observe a page before anything is done on it."""
        self._things.see(view)
        ruling = self._current_ruling
        if ruling and not ruling.is_asked and (view.dialogs or self._has_opened_form(view, ruling)):
            self._retract(ruling)
        self._previous_ruling, self.dismissed = self._allowed_ruling, ""

    def read_on(self, procedure: Procedure) -> None:
        """Continue with a more detailed text; what was seen and done is kept."""
        self.procedure, self._text = procedure, ProcedureText(procedure, self.intro)

    def begin(self, ruling: Ruling | None) -> None:
        """Record a ruling just before its action is done: from now on it may have happened."""
        if ruling is not None:
            self._allowed_ruling = ruling
            self.done.add(self._harmful_action(ruling))

    def forgo(self) -> None:
        """Undo the last `begin`, since the action was not done after all."""
        if self._current_ruling is not None:
            self._retract(self._current_ruling)
        self._allowed_ruling = self._previous_ruling

    @property
    def deeds(self) -> frozenset[HarmfulAction]:
        """Harmful actions that this attempt may have done and earlier ones had not."""
        return frozenset(self.done) - self._earlier_actions

    @property
    def _is_sandbox(self) -> bool:
        """Whether what cannot be put back may be changed all the same."""
        return self.protects_existing and self.settings.change == "allow"

    @property
    def _keeps_existing(self) -> bool:
        """Whether a name in the text is not enough to change, or delete, what bears it."""
        return self.protects_existing and not self._is_sandbox

    @property
    def _is_thing_bound(self) -> bool:
        """Whether the user said which things are meant: then others are not."""
        return any(value not in ("", self.unique) for value in self.bound.values())

    @property
    def _current_ruling(self) -> Ruling | None:
        """The ruling on the current or last action, which the browser may ask about."""
        return self._allowed_ruling if self._allowed_ruling is not self._previous_ruling else None

    def _has_opened_form(self, view: Observation, ruling: Ruling) -> bool:
        """Whether "Create user" only led to the form for one: nothing was entered before."""
        is_there = any(f not in self._fields_before for f in _empty_fields(view))
        return is_there and not self._changes.has_edits and self._creates_something(ruling.hazard)

    def _retract(self, ruling: Ruling) -> None:
        harmful_action = self._harmful_action(ruling)
        if harmful_action not in self._earlier_actions:
            self.done.discard(harmful_action)

    def objects(self, message: str) -> str:
        """Why a question of the browser's own must not be answered with yes; empty if it may."""
        ruling = self._current_ruling
        harm = words.harm_mentioned(message) or (
            words.change_asked_about(message) if self.protects_existing else None
        )
        if harm is None:
            return ""
        hazard = Hazard(harm=harm, names=("OK",), is_confirming=True, texts=(message,))
        things = ruling.things if ruling else (NamedThing(tuple(words.names_in(message))),)
        rule = self._rule(harm)
        is_unexpected = rule == "ask" and (ruling is None or ruling.hazard.harm is not harm)
        self.dismissed = (
            (f"agent.sensitive.{harm} is {rule}" if rule == "refuse" or is_unexpected else "")
            or self._objection_to_control(hazard, self._step, things)
            or self._objection_to_scope(hazard, self._step)
            or self._objection_to_other_name(message, things)
            or self._objection_to_target(None, hazard, things)
            or self._objection_to_repetition(hazard, things)
        )
        if self.dismissed:
            self.dismissed = f"the browser asks {message!r}: {self.dismissed}"
        return self.dismissed

    def judge(self, view: Observation, decision: Decision) -> Ruling | None:
        """The ruling on an action; None if no harm can be recognised."""
        self._step, self._fields_before = decision.step, _empty_fields(view)
        hazard = hazard_of(view, decision.action, self._focus)
        if hazard and hazard.is_blind and self._text.names_key(hazard.names[0], decision.step):
            hazard = None
        if hazard and self._is_only_named_so(hazard):
            hazard = None  # "new-checkout" pays for nothing
        if hazard and self._only_opens_list(view, hazard):
            hazard = None
        if hazard and hazard.is_confirming:
            masked_view = self._things.without_names(view, self._known_names())
            hazard = hazard if hazard_of(masked_view, decision.action, self._focus) else None
        if hazard is None and is_drawn(view, decision.action):
            harm = self._text.harm_mentioned(decision.step)
            hazard = Hazard(harm=harm, names=(_PICTURE_CLICK,), is_blind=True) if harm else None
        is_way = self._is_way_to_known(view, decision.action)
        if hazard is None and self.protects_existing and not is_way:
            hazard = self._changes.hazard(view, decision.action, self._focus)
        if hazard is None:
            return None
        things = self._targets(view, hazard)
        objection = (
            (_ONLY_LOOKS if decision.is_search else "")
            or self._objection_to_control(hazard, decision.step, things)
            or self._objection_to_scope(hazard, decision.step)
            or self._objection_to_target(view, hazard, things)
            or self._objection_to_repetition(hazard, things)
        )
        return Ruling(hazard, self._rule(hazard.harm), objection, things, bool(view.dialogs))

    def note(self, view: Observation, action: Action) -> None:
        """Remember an action that was done, or tried so that it may have been done."""
        element = None if action.element is None else view.element(action.element)
        if isinstance(action, actions.Type):
            is_field = element is None or not is_search(element)
            self._things.record_typed(action.text if is_field else "")
        is_invented = (
            not self._text.says(action.argument)
            and plain(action.argument) not in self._known_names()
        )
        self._changes.note(view, action, is_invented=is_invented)
        if action.element is not None:
            self._focus = action.element
        elif isinstance(action, (actions.Press, actions.ClickAt)):
            self._focus = None  # it may have gone elsewhere
        is_on_page = element is not None and element.dialog is None
        if self._current_ruling is None and isinstance(action, actions.Click) and is_on_page:
            self._allowed_ruling = None

    def _is_way_to_known(self, view: Observation, action: Action) -> bool:
        """Whether it is a link to the page of a known thing, called just so: "Rename the shop"."""
        e = view.element(action.element) if action.element is not None else None
        is_link = e is not None and e.role == "link" and isinstance(action, actions.Click)
        return bool(is_link and e and leads_away(view, e) and plain(e.name) in self._known_names())

    def _only_opens_list(self, view: Observation, hazard: Hazard) -> bool:
        """Whether it is a link of the page, behind which the text says that a list is shown."""
        e = hazard.element
        is_link = e is not None and bool(e.href) and e.row is None and e.dialog is None
        return bool(is_link and e and leads_away(view, e) and self._text.announces_list(self._step))

    def _is_only_named_so(self, hazard: Hazard) -> bool:
        """Whether its harmful words occur only within the names of known things."""
        harmful_names = [name for name in self._known_names() if words.harms_of(name, ignored=None)]
        if hazard.is_confirming or not harmful_names:
            return False
        description = hazard.element.description if hazard.element else ""
        control_texts = without_names = [plain(text) for text in (*hazard.names, description)]
        for one in harmful_names:
            without_names = [text.replace(one, " ") for text in without_names]
        return without_names != control_texts and not any(
            words.harms_of(text, ignored=None) for text in without_names
        )

    def _rule(self, harm: Harm) -> SensitiveRule:
        match harm:
            case Harm.DELETE:
                return self.settings.delete
            case Harm.PAY:
                return self.settings.pay
            case Harm.IDENTITY:
                return self.settings.identity
            case Harm.CHANGE:
                return self.settings.change

    # -- what may be against it --------------------------------------------------------------------

    def _objection_to_control(
        self, hazard: Hazard, step: str, things: tuple[NamedThing, ...]
    ) -> str:
        """An objection if the text does not ask for this harm or names another control."""
        if hazard.harm is Harm.CHANGE:
            return ""
        is_allowed = self._rule(hazard.harm) == "allow"
        is_confirming = hazard.is_confirming or self._answers_question(hazard)
        if not is_allowed and not self._text.asks_for(
            hazard.harm, step, is_confirming=is_confirming
        ):
            return "the step does not say to"
        if is_confirming:
            return self._objection_to_confirmation(hazard, step)
        if any(
            self._text.names_control(n, step, any_earlier=is_allowed)
            for n in self._bare_names(hazard)
        ):
            return ""
        are_known = bool(things) and all(t.is_one_of(self._bound_or_made()) for t in things)
        if are_known and any(self._text.names_as_plural(n, step) for n in hazard.names):
            return ""
        # "Create User" where the text says "Add user": nothing that is there is changed by it
        around = self._text.text_until(step) if self._is_sandbox else self._text.text_near(step)
        made = MAKES.sub(" ", hazard.names[0]) if hazard.names else ""
        if self._creates_something(hazard) and covered_by(made, around):
            return ""
        # "Assign User" where it says "assign a token to a user", of the token that is bound
        is_joining = hazard.harm is Harm.IDENTITY and JOINS.search(hazard.names[0].strip())
        if is_joining and are_known and covered_by(hazard.names[0], self._text.text_near(step)):
            return ""
        # "Edit Role" where the text says "Edit", in "Edit a role"; "Destroy" where it says "Delete"
        if self._is_own(things) and covered_by(
            words.without_delete_words(hazard.names[0]), self._text.text_near(step)
        ):
            return ""
        return "the text does not name it so: what only resembles the words is not tried"

    def _answers_question(self, hazard: Hazard) -> bool:
        """Whether it answers the question that an allowed click brought up."""
        e = hazard.element
        return self._allowed_ruling is not None and e is not None and e.dialog is not None

    def _objection_to_confirmation(self, hazard: Hazard, step: str) -> str:
        """An objection if what is confirmed goes beyond the words of the text."""
        allowed_controls = self._allowed_ruling.hazard.names if self._allowed_ruling else ()
        known_text = (
            self._text.text_until(step),
            *self._known_names(),
            *allowed_controls,
            *self._allowed_thing_names(),
        )
        text = " ".join(known_text)
        control_names = [n for n in hazard.names[:1] if not YES.match(n.strip())]
        named_controls = [
            n for n in control_names if self._text.names_control(n, step, any_earlier=True)
        ]
        for label in (*(n for n in control_names if n not in named_controls), hazard.title):
            needed = words.without_delete_words(label) if self._allowed_own_things() else label
            if hazard.element is not None and hazard.element.dialog is None:
                needed = words.without_edit_words(needed)
            if self._is_sandbox and self._creates_something(hazard):
                needed = MAKES.sub(" ", needed)
            if (
                label
                and not covered_by(needed, text)
                and not self._names_both_things(hazard, label)
            ):
                return f"the text does not speak of {label!r}"
        return ""

    def _allowed_own_things(self) -> bool:
        """Whether the allowed action targets this attempt's own things: any delete word will do."""
        return self._is_own(self._allowed_things)

    def _names_both_things(self, hazard: Hazard, title: str) -> bool:
        """Whether the question names what it is done to, and what to take that from, as bound.

        "Remove 'ben' from 'Biology 8'?" says more exactly what is meant than its title "Remove
        user", where the text calls him a learner: one word that the text has not is no other thing.
        """
        text = " ".join((self._text.text_until(self._step), *self._known_names()))
        things = self._allowed_things
        bound_values = {plain(v) for v in self.bound.values() if v}
        target_names = {n for named_thing in things for n in named_thing.names}
        for question_text in hazard.texts:
            names_in_question = set(words.names_in(question_text))
            if (
                names_in_question & target_names
                and names_in_question & (bound_values - target_names)
                and names_in_question <= target_names | bound_values
            ):
                return len(words.words_not_in(title, text)) == 1
        return False

    def _objection_to_scope(self, hazard: Hazard, step: str) -> str:
        """An objection if it reaches further than the text says: all of something, or for ever."""
        if hazard.harm is Harm.CHANGE:
            return ""
        control_scopes = scopes(" ".join((*hazard.names, hazard.title)))
        allowed = self._text.scopes(step) | scopes(" ".join((*self.bound, *self.bound.values())))
        if excess_scopes := (control_scopes | self._scopes_in_question(hazard, step)) - allowed:
            classes = " and ".join(f'"{m}"' for m in sorted(excess_scopes))
            return f"the page says {classes} (or the like), which the text does not"
        known_text = " ".join(
            (self._text.text_until(step), *self._known_names(), *self._allowed_thing_names())
        )
        for text in hazard.texts:
            to_check = words.without_contained(text) if self._may_delete_contents() else text
            if words.announces_side_effects(to_check) and not covered_by(
                words.without_delete_and_scope_words(to_check), known_text
            ):
                return f"the page says {text!r}, and the text does not speak of that"
        if self._allowed_ruling is None or not hazard.texts:
            return ""
        if largest_count_lost((hazard.title, *hazard.texts)) > max(
            1, len(self._allowed_ruling.things)
        ):
            return "the page speaks of more things than were meant"
        if other := self._things.other_thing_named(
            (hazard.title, *hazard.texts), {*self._known_names(), *self._allowed_thing_names()}
        ):
            return f"the page speaks of {other!r}"
        return ""

    def _scopes_in_question(self, hazard: Hazard, step: str) -> frozenset[str]:
        """Scope words by which a question reaches beyond the thing itself."""
        kind = " ".join((self._text.text_near(step), *self.bound))
        is_within = self._may_delete_contents() and all(
            words.is_within(t, kind) for t in hazard.texts
        )
        return frozenset() if is_within else scopes(words.without_advice(" ".join(hazard.texts)))

    def _may_delete_contents(self) -> bool:
        """Whether all targets are bound or this attempt's own: their contents may go too."""
        things, own_names = self._allowed_things, self._bound_or_made()
        return bool(things) and all(t.is_one_of(own_names) for t in things)

    @property
    def _allowed_things(self) -> tuple[NamedThing, ...]:
        """The targets of the action that was allowed last."""
        return self._allowed_ruling.things if self._allowed_ruling else ()

    def _allowed_thing_names(self) -> tuple[str, ...]:
        """The names of `_allowed_things`."""
        return tuple(n for t in self._allowed_things for n in t.names)

    def _objection_to_other_name(self, question: str, things: tuple[NamedThing, ...]) -> str:
        """An objection if a question mentions names and none of them is the target's."""
        changeable_names = {
            *self._changeable_names(marked=True),
            *(n for t in things for n in t.names),
        }
        mentioned = words.names_in(question)
        if mentioned and not any(NamedThing((n,)).is_one_of(changeable_names) for n in mentioned):
            return f"the question is about {mentioned[0]!r}"
        return ""

    def _objection_to_target(
        self, view: Observation | None, hazard: Hazard, things: tuple[NamedThing, ...]
    ) -> str:
        """An objection if a target is not named by the text, bound, or created by this attempt."""
        e = hazard.element
        is_free = self._is_sandbox and (hazard.is_saving or not self._is_thing_bound)
        if hazard.harm is Harm.CHANGE and is_free:
            return ""
        if hazard.is_saving and (
            self._changes.is_bound(self.bound) or self._changes.renames(self._bound_or_made(), e)
        ):
            return ""
        if view and e and not hazard.is_saving and self._changes.is_unsaved(view, e):
            return ""
        in_row = e is not None and (e.row is not None or is_in_menu(e))
        selected_rows = selected_things(view, 0) if view and not _saves(hazard) else ()
        allowed = self._changeable_names(marked=in_row or view is None or bool(selected_rows))
        if not (
            self._allowed_ruling and things == self._allowed_ruling.things
        ):  # else it was asked then
            allowed = self._step_objects(view, hazard.harm) or allowed
        are_rows = selected_rows and not in_row and hazard.harm is not Harm.PAY
        if view and are_rows and things and has_more_selected(view, len(things)):
            return "more is selected than what is seen to be"
        is_row = e is not None and (e.row is not None or (in_row and self._changes.menu_row))
        is_allowed = NamedThing.is_called if is_row or selected_rows else NamedThing.is_one_of
        if foreign := next((t for t in things if not is_allowed(t, allowed)), None):
            if not self._keeps_existing:
                return f"neither text nor bindings name {str(foreign)!r}"
            return (
                f"{str(foreign)!r} is not of this attempt: what was there before is changed only"
                f' where its name is bound in the checks, or by --set "it={foreign}", or where'
                " agent.sensitive.change is allow"
            )
        if things or hazard.harm is Harm.PAY or self._creates_something(hazard):
            return ""
        return "nothing on the page says what it is done to"

    def _objection_to_repetition(self, hazard: Hazard, things: tuple[NamedThing, ...]) -> str:
        """An objection if an earlier attempt may have done it and the thing was not recreated."""
        if self._is_own(things) or (hazard.harm is Harm.CHANGE and self._is_sandbox):
            return ""
        names = self._names_of(things)
        for earlier in self._earlier_actions:
            is_same = hazard.harm is Harm.PAY or earlier.things & names
            if earlier.harm is hazard.harm and (is_same or not (earlier.things and names)):
                return "an earlier attempt may have done it already: it is not done twice"
        return ""

    def _is_own(self, things: tuple[NamedThing, ...]) -> bool:
        """Whether all of them were created for this attempt or by it."""
        own_names = {plain(p) for p in self.provided} | self._things.created_names()
        return bool(things) and all(t.is_one_of(own_names) for t in things)

    # -- what it is done to ------------------------------------------------------------------------

    def _targets(self, view: Observation, hazard: Hazard) -> tuple[NamedThing, ...]:
        e = hazard.element
        if e is not None and e.row is not None and e.dialog is None:
            row = thing_of_row(view, e.row)
            is_property = not e.column and hazard.harm is not Harm.DELETE and self._is_kind(row)
            if not is_property or not (page := self._page_thing(view, e)).names:
                return (row,) if row.names else ()
            return (page,)  # of a table of what it has
        if e is not None and is_in_menu(e) and self._changes.menu_row:
            return (NamedThing(self._changes.menu_row),)
        if self._allowed_ruling is not None and (
            hazard.is_confirming or (e and e.dialog is not None)
        ):
            return self._allowed_ruling.things
        if view.dialogs and self._changes.selected:
            return self._changes.selected
        frame = e.frame if e else 0
        if not _saves(hazard) and (rows := selected_things(view, frame)):
            return rows
        if hazard.harm is Harm.PAY or self._creates_something(hazard):
            return ()
        page = self._page_thing(view, e)
        if e is not None and _saves(hazard) and (name := name_typed_in_form(view, e)):
            page = NamedThing((name, *page.names))
        return (page,) if page.names else ()

    def _is_kind(self, thing: NamedThing) -> bool:
        """Whether it bears the name of a kind of things: "User" is none of the users."""
        kinds = words.stems(" ".join((*self.bound, *_KINDS)))
        return bool(thing.names) and all(words.stems(name) <= kinds for name in thing.names)

    def _page_thing(self, view: Observation, e: Element | None) -> NamedThing:
        """What the page is about: by its headings, or else by the row that led to it."""
        page = thing_of_page(view, e)
        dialog = (plain(e.dialog),) if e is not None and e.dialog else ()
        with_dialog = NamedThing((*dialog, *page.names))
        entered = self._changes.entered_names(view)
        if entered and not with_dialog.is_one_of(self._changeable_names()):
            return NamedThing((*entered, *with_dialog.names))
        return with_dialog

    def _creates_something(self, hazard: Hazard) -> bool:
        """Whether it creates something new, so that no target has a name yet."""
        return hazard.harm is Harm.IDENTITY and bool(MAKES.search(self._act_text(hazard)))

    @staticmethod
    def _act_text(hazard: Hazard) -> str:
        """The words that describe the act: the title of the confirmed dialog, or the control."""
        return hazard.title if hazard.is_confirming else "".join(hazard.names[:1])

    def _changeable_names(self, *, marked: bool = False) -> frozenset[str]:
        """Names of what may be changed.

        Args:
            marked: Whether all that the text marks is meant: of rows, which are no pages.
        """
        names = self._bound_or_made()
        if not self._keeps_existing:
            names |= self._text.thing_names(marked=marked)
        return frozenset(names)

    def _step_objects(self, view: Observation | None, harm: Harm) -> frozenset[str]:
        """Names of what may be changed, where the step itself says what it is done to."""
        objects = self._text.harm_objects(harm, self._step, listed_names(view) if view else ())
        if self._keeps_existing or not objects:
            return frozenset()
        return objects | self._bound_or_made()

    def _bound_or_made(self) -> set[str]:
        """Known names and the names of what the attempt itself created."""
        return self._known_names() | self._things.created_names()

    def _known_names(self) -> set[str]:
        """What is bound, or was made for the attempt; also with its kind: "Dora Lopez Coach"."""
        named = {f"{v} {k}" for k, v in self.bound.items() if v}
        return {plain(v) for v in (*self.bound.values(), *named, *self.provided)} - {""}

    def _bare_names(self, hazard: Hazard) -> list[str]:
        """The control's names, and each without the name of the thing it is done to."""
        variants = list(hazard.names)
        names_by_length = sorted(self._changeable_names(), key=len, reverse=True)
        for name in hazard.names:
            bare = plain(name)
            for known_name in names_by_length:
                if len(known_name) > 2 and known_name in bare and known_name != bare:
                    bare = " ".join(bare.replace(known_name, " ").split()).strip(
                        " \"'“”‘’「」:：-–"
                    )
            variants.append(bare)
        return [n for n in variants if n]

    def _harmful_action(self, ruling: Ruling) -> HarmfulAction:
        control = plain(self._act_text(ruling.hazard))
        things = self._names_of(ruling.things)
        return HarmfulAction(harm=ruling.hazard.harm, control=control, things=things)

    def _names_of(self, things: tuple[NamedThing, ...]) -> frozenset[str]:
        """Names of the things, in the words of the text and the bindings where possible.

        A row and a page may call the same thing differently.
        """
        names = self._known_names() | self._text.thing_names(marked=False)
        common_names = {k for t in things for k in names if t.is_one_of({k})}
        return frozenset(common_names or {n for t in things for n in t.names[:1]})


def _empty_fields(view: Observation) -> frozenset[str]:
    """The names of the text fields of forms that are empty."""
    return frozenset(
        e.name
        for e in view.elements
        if e.role == "textbox" and not e.value and e.row is None and not is_search(e)
    )


def _saves(hazard: Hazard) -> bool:
    """Whether it sends a form: boxes ticked in rows of that form are values, and select nothing."""
    return hazard.is_saving or any(SAVES.search(name.strip()) for name in hazard.names[:1])
