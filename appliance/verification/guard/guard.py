"""The one place that says whether an action may be done, before it is done, for every policy.

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
from appliance.language.harm_words import MAKES, SAVES, YES
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
    are_more_ticked,
    counts,
    name_in_form,
    names_listed,
    thing_of_page,
    thing_of_row,
    ticked,
)
from appliance.verification.guard.words import says_no_more, scopes

_DRAWN = "a click on what is only drawn"


@dataclass(slots=True, kw_only=True)
class Guard:
    """Of one attempt. It sees every page and every action."""

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
    """Of earlier attempts; this one's are added."""
    _earlier: frozenset[HarmfulAction] = field(init=False)
    _opened: Ruling | None = None
    """What was allowed last, and may have to be confirmed yet."""
    _before: Ruling | None = None
    """What `_opened` was before the action under way, or the last."""
    _step: str = ""
    _focus: int | None = None
    dismissed: str = ""
    """Why a question of the browser was answered with no during the last action."""

    def __post_init__(self) -> None:
        self._text = ProcedureText(self.procedure, self.intro)
        self._things = KnownThings(self.unique)
        self._changes = AttemptChanges(self._things)
        self._earlier = frozenset(self.done)

    _text: ProcedureText = field(init=False)
    _things: KnownThings = field(init=False)
    _changes: AttemptChanges = field(init=False)

    def see(self, view: Observation) -> None:
        """Take in a page before anything is done on it."""
        self._things.see(view)
        if view.dialogs and self._doing and not self._doing.is_asked:
            self._take_back(self._doing)
        self._before, self.dismissed = self._opened, ""

    def read_on(self, procedure: Procedure) -> None:
        """Go on by a text that says more; what was seen and done stays known."""
        self.procedure, self._text = procedure, ProcedureText(procedure, self.intro)

    def begin(self, ruling: Ruling | None) -> None:
        """It is done now: from here on it may have been, whatever comes of it."""
        if ruling is not None:
            self._opened = ruling
            self.done.add(self._deed_of(ruling))

    def forgo(self) -> None:
        """It was not done after all."""
        if self._doing is not None:
            self._take_back(self._doing)
        self._opened = self._before

    @property
    def deeds(self) -> frozenset[HarmfulAction]:
        """What this attempt may have done that earlier ones had not."""
        return frozenset(self.done) - self._earlier

    @property
    def _doing(self) -> Ruling | None:
        """What is being done, or was last; the browser may ask about it."""
        return self._opened if self._opened is not self._before else None

    def _take_back(self, ruling: Ruling) -> None:
        deed = self._deed_of(ruling)
        if deed not in self._earlier:
            self.done.discard(deed)

    def objects(self, message: str) -> str:
        """What is against saying yes to a question of the browser's own; empty: nothing."""
        doing = self._doing
        harm = words.harm_mentioned(message) or (
            words.asked_change(message) if self.protects_existing else None
        )
        if harm is None:
            return ""
        hazard = Hazard(harm=harm, names=("OK",), is_confirming=True, texts=(message,))
        things = doing.things if doing else (NamedThing(tuple(words.names_in(message))),)
        rule = self._rule(harm)
        is_unasked = rule == "ask" and (doing is None or doing.hazard.harm is not harm)
        self.dismissed = (
            (f"agent.sensitive.{harm} is {rule}" if rule == "refuse" or is_unasked else "")
            or self._unnamed(hazard, self._step, things)
            or self._larger(hazard, self._step)
            or self._another(message, things)
            or self._not_its_own(None, hazard, things)
            or self._repeated(hazard, things)
        )
        if self.dismissed:
            self.dismissed = f"the browser asks {message!r}: {self.dismissed}"
        return self.dismissed

    def judge(self, view: Observation, decision: Decision) -> Ruling | None:
        """What is said of an action; None: it does no harm that could be told."""
        self._step = decision.step
        hazard = hazard_of(view, decision.action, self._focus)
        if hazard and hazard.is_blind and self._text.names_key(hazard.names[0], decision.step):
            hazard = None
        if hazard and self._is_only_named_so(hazard):
            hazard = None  # "new-checkout" pays for nothing
        if hazard and hazard.is_confirming:
            bare = self._things.without_names(view, self._known_names())
            hazard = hazard if hazard_of(bare, decision.action, self._focus) else None
        if hazard is None and is_drawn(view, decision.action):
            harm = self._text.harm_mentioned(decision.step)
            hazard = Hazard(harm=harm, names=(_DRAWN,), is_blind=True) if harm else None
        is_way = self._is_way_to_known(view, decision.action)
        if hazard is None and self.protects_existing and not is_way:
            hazard = self._changes.hazard(view, decision.action, self._focus)
        if hazard is None:
            return None
        things = self._done_to(view, hazard)
        objection = (
            self._unnamed(hazard, decision.step, things)
            or self._larger(hazard, decision.step)
            or self._not_its_own(view, hazard, things)
            or self._repeated(hazard, things)
        )
        return Ruling(hazard, self._rule(hazard.harm), objection, things, bool(view.dialogs))

    def note(self, view: Observation, action: Action) -> None:
        """Keep what was done, or tried so that it may have been done."""
        element = None if action.element is None else view.element(action.element)
        if isinstance(action, actions.Type):
            is_field = element is None or not is_search(element)
            self._things.typed(action.text if is_field else "")
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
        if self._doing is None and isinstance(action, actions.Click) and is_on_page:
            self._opened = None

    def _is_way_to_known(self, view: Observation, action: Action) -> bool:
        """Whether it is a link to the page of a known thing, called just so: "Rename the shop"."""
        e = view.element(action.element) if action.element is not None else None
        is_link = e is not None and e.role == "link" and isinstance(action, actions.Click)
        return bool(is_link and e and leads_away(view, e) and plain(e.name) in self._known_names())

    def _is_only_named_so(self, hazard: Hazard) -> bool:
        """Whether the words of harm are a part of a known thing's name."""
        known = [name for name in self._known_names() if words.harms_of(name, but=None)]
        if hazard.is_confirming or not known:
            return False
        description = hazard.element.description if hazard.element else ""
        shown = bare = [plain(text) for text in (*hazard.names, description)]
        for one in known:
            bare = [text.replace(one, " ") for text in bare]
        return bare != shown and not any(words.harms_of(text, but=None) for text in bare)

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

    def _unnamed(self, hazard: Hazard, step: str, things: tuple[NamedThing, ...]) -> str:
        """The control is another than the text names, or the text does not ask for such a thing."""
        if hazard.harm is Harm.CHANGE:
            return ""
        far = self._rule(hazard.harm) == "allow"
        is_confirming = hazard.is_confirming or self._is_answer(hazard)
        if not far and not self._text.asks_for(hazard.harm, step, is_confirming=is_confirming):
            return "the step does not say to"
        if is_confirming:
            return self._says_more(hazard, step)
        if any(self._text.names_control(n, step, far=far) for n in self._bare_names(hazard)):
            return ""
        # "Edit Role" where the text says "Edit", in "Edit a role"; "Destroy" where it says "Delete"
        if self._is_own(things) and says_no_more(
            words.bare_of_ending(hazard.names[0]), self._text.about(step)
        ):
            return ""
        return "the text does not name it so: what only resembles the words is not tried"

    def _is_answer(self, hazard: Hazard) -> bool:
        """Whether it answers the question that an allowed click has brought."""
        e = hazard.element
        return self._opened is not None and e is not None and e.dialog is not None

    def _says_more(self, hazard: Hazard, step: str) -> str:
        """What is confirmed goes beyond the words of the text."""
        opened = self._opened.hazard.names if self._opened else ()
        known = (self._text.whole(step), *self._known_names(), *opened, *self._names_opened())
        text = " ".join(known)
        control = [n for n in hazard.names[:1] if not YES.match(n.strip())]
        named = [n for n in control if self._text.names_control(n, step, far=True)]
        for shown in (*(n for n in control if n not in named), hazard.title):
            said = words.bare_of_ending(shown) if self._opens_own() else shown
            if hazard.element is not None and hazard.element.dialog is None:
                said = words.bare_of_editing(said)
            if shown and not says_no_more(said, text) and not self._is_told_apart(hazard, shown):
                return f"the text does not speak of {shown!r}"
        return ""

    def _opens_own(self) -> bool:
        """Whether what was opened is about this attempt's own: it may be ended by any word."""
        return self._is_own(self._opened_things)

    def _is_told_apart(self, hazard: Hazard, shown: str) -> bool:
        """Whether the question names what it is done to, and what to take that from, as bound.

        "Remove 'ben' from 'Biology 8'?" says more exactly what is meant than its title "Remove
        user", where the text calls him a learner: one word that the text has not is no other thing.
        """
        text = " ".join((self._text.whole(self._step), *self._known_names()))
        things = self._opened_things
        bound = {plain(v) for v in self.bound.values() if v}
        own = {n for thing in things for n in thing.names}
        for asked in hazard.texts:
            named = set(words.names_in(asked))
            if named & own and named & (bound - own) and named <= own | bound:
                return len(words.more_in(shown, text)) == 1
        return False

    def _larger(self, hazard: Hazard, step: str) -> str:
        """It reaches further than the text says: all of something, or for ever."""
        if hazard.harm is Harm.CHANGE:
            return ""
        control = scopes(" ".join((*hazard.names, hazard.title)))
        allowed = self._text.scopes(step) | scopes(" ".join((*self.bound, *self.bound.values())))
        if more := (control | self._scopes_asked(hazard, step)) - allowed:
            classes = " and ".join(f'"{m}"' for m in sorted(more))
            return f"the page says {classes} (or the like), which the text does not"
        known = " ".join((self._text.whole(step), *self._known_names(), *self._names_opened()))
        for text in hazard.texts:
            besides = words.without_contained(text) if self._ends_whole() else text
            if words.adds(besides) and not says_no_more(words.bare_of_harm(besides), known):
                return f"the page says {text!r}, and the text does not speak of that"
        if self._opened is None or not hazard.texts:
            return ""
        if counts((hazard.title, *hazard.texts)) > max(1, len(self._opened.things)):
            return "the page speaks of more things than were meant"
        if other := self._things.others_named(
            (hazard.title, *hazard.texts), {*self._known_names(), *self._names_opened()}
        ):
            return f"the page speaks of {other!r}"
        return ""

    def _scopes_asked(self, hazard: Hazard, step: str) -> frozenset[str]:
        """How far a question reaches beyond the thing itself."""
        kind = " ".join((self._text.about(step), *self.bound))
        is_within = self._ends_whole() and all(words.is_within(t, kind) for t in hazard.texts)
        return frozenset() if is_within else scopes(words.without_advice(" ".join(hazard.texts)))

    def _ends_whole(self) -> bool:
        """Whether what was opened is bound, or this attempt's: what is in it may end with it."""
        things, known = self._opened_things, self._bound_or_made()
        return bool(things) and all(t.is_one_of(known) for t in things)

    @property
    def _opened_things(self) -> tuple[NamedThing, ...]:
        """What the allowed action before this one was done to."""
        return self._opened.things if self._opened else ()

    def _names_opened(self) -> tuple[str, ...]:
        """The names of that."""
        return tuple(n for t in self._opened_things for n in t.names)

    def _another(self, question: str, things: tuple[NamedThing, ...]) -> str:
        """A question that has names in it, and none of them is the thing's."""
        known = {*self._allowed(marked=True), *(n for t in things for n in t.names)}
        named = words.names_in(question)
        if named and not any(NamedThing((n,)).is_one_of(known) for n in named):
            return f"the question is about {named[0]!r}"
        return ""

    def _not_its_own(
        self, view: Observation | None, hazard: Hazard, things: tuple[NamedThing, ...]
    ) -> str:
        """What it is done to is not named by the text, bound, or made in this attempt."""
        e = hazard.element
        if hazard.is_saving and (
            self._changes.is_bound(self.bound) or self._changes.renames(self._bound_or_made(), e)
        ):
            return ""
        if view and e and not hazard.is_saving and self._changes.is_unsaved(view, e):
            return ""
        in_row = e is not None and (e.row is not None or is_in_menu(e))
        selected = ticked(view, 0) if view else ()
        allowed = self._allowed(marked=in_row or view is None or bool(selected))
        if not (self._opened and things == self._opened.things):  # else it was asked then
            allowed = self._meant(view, hazard.harm) or allowed
        are_rows = selected and not in_row and hazard.harm is not Harm.PAY
        if view and are_rows and things and are_more_ticked(view, len(things)):
            return "more is selected than what is seen to be"
        is_row = e is not None and (e.row is not None or (in_row and self._changes.menu_row))
        is_own = NamedThing.is_called if is_row or selected else NamedThing.is_one_of
        if other := next((t for t in things if not is_own(t, allowed)), None):
            if not self.protects_existing:
                return f"neither text nor bindings name {str(other)!r}"
            return (
                f"{str(other)!r} is not of this attempt: what was there before is changed only"
                f' where its name is bound in the checks, or by --set "it={other}"'
            )
        if things or hazard.harm is Harm.PAY or self._makes(hazard):
            return ""
        return "nothing on the page says what it is done to"

    def _repeated(self, hazard: Hazard, things: tuple[NamedThing, ...]) -> str:
        """An earlier attempt may have done it, and the thing was not made anew."""
        if self._is_own(things):
            return ""
        names = self._names_of(things)
        for deed in self._earlier:
            is_same = hazard.harm is Harm.PAY or deed.things & names
            if deed.harm is hazard.harm and (is_same or not (deed.things and names)):
                return "an earlier attempt may have done it already: it is not done twice"
        return ""

    def _is_own(self, things: tuple[NamedThing, ...]) -> bool:
        """Whether they were made for this attempt or by it."""
        fresh = {plain(p) for p in self.provided} | self._things.made()
        return bool(things) and all(t.is_one_of(fresh) for t in things)

    # -- what it is done to ------------------------------------------------------------------------

    def _done_to(self, view: Observation, hazard: Hazard) -> tuple[NamedThing, ...]:
        e = hazard.element
        if e is not None and e.row is not None and e.dialog is None:
            row = thing_of_row(view, e.row)
            return (row,) if row.names else ()
        if e is not None and is_in_menu(e) and self._changes.menu_row:
            return (NamedThing(self._changes.menu_row),)
        if self._opened is not None and (hazard.is_confirming or (e and e.dialog is not None)):
            return self._opened.things
        if view.dialogs and self._changes.selected:
            return self._changes.selected
        frame = e.frame if e else 0
        if rows := ticked(view, frame):
            return rows
        if hazard.harm is Harm.PAY or self._makes(hazard):
            return ()
        page = self._of_page(view, e)
        is_saving = hazard.is_saving or any(SAVES.search(n.strip()) for n in hazard.names[:1])
        if e is not None and is_saving and (name := name_in_form(view, e)):
            page = NamedThing((name, *page.names))
        return (page,) if page.names else ()

    def _of_page(self, view: Observation, e: Element | None) -> NamedThing:
        """By its headings; where these name nothing known, by the row that led to it."""
        page = thing_of_page(view, e)
        dialog = (plain(e.dialog),) if e is not None and e.dialog else ()
        whole = NamedThing((*dialog, *page.names))
        entered = self._changes.entered(view)
        if entered and not whole.is_one_of(self._allowed()):
            return NamedThing((*entered, *whole.names))
        return whole

    def _makes(self, hazard: Hazard) -> bool:
        """Whether it makes something new, so that there is nothing yet to be named."""
        return hazard.harm is Harm.IDENTITY and bool(MAKES.search(self._named_by(hazard)))

    @staticmethod
    def _named_by(hazard: Hazard) -> str:
        """What says what is done: the dialog that is confirmed, else the control."""
        return hazard.title if hazard.is_confirming else "".join(hazard.names[:1])

    def _allowed(self, *, marked: bool = False) -> frozenset[str]:
        """Names of what may be changed.

        Args:
            marked: Whether all that the text marks is meant: of rows, which are no pages.
        """
        known = self._bound_or_made()
        if not self.protects_existing:
            known |= self._text.names_things(marked=marked)
        return frozenset(known)

    def _meant(self, view: Observation | None, harm: Harm) -> frozenset[str]:
        """Names of what may be changed, where the step itself says what it is done to."""
        objects = self._text.objects(harm, self._step, names_listed(view) if view else ())
        if self.protects_existing or not objects:
            return frozenset()
        return objects | self._bound_or_made()

    def _bound_or_made(self) -> set[str]:
        """What is known, and what the attempt itself has made."""
        return self._known_names() | self._things.made()

    def _known_names(self) -> set[str]:
        """What is bound, or was made for the attempt; also with its kind: "Dora Lopez Coach"."""
        named = {f"{v} {k}" for k, v in self.bound.items() if v}
        return {plain(v) for v in (*self.bound.values(), *named, *self.provided)} - {""}

    def _bare_names(self, hazard: Hazard) -> list[str]:
        """The control's names, and each without the name of the thing it is done to."""
        out = list(hazard.names)
        known = sorted(self._allowed(), key=len, reverse=True)
        for name in hazard.names:
            bare = plain(name)
            for one in known:
                if len(one) > 2 and one in bare and one != bare:
                    bare = " ".join(bare.replace(one, " ").split()).strip(" \"'“”‘’「」:：-–")
            out.append(bare)
        return [n for n in out if n]

    def _deed_of(self, ruling: Ruling) -> HarmfulAction:
        control = plain(self._named_by(ruling.hazard))
        things = self._names_of(ruling.things)
        return HarmfulAction(harm=ruling.hazard.harm, control=control, things=things)

    def _names_of(self, things: tuple[NamedThing, ...]) -> frozenset[str]:
        """What things are called, in the words of the text and the bindings where these do.

        A row and a page may call the same thing differently.
        """
        known = self._known_names() | self._text.names_things(marked=False)
        out = {k for t in things for k in known if t.is_one_of({k})}
        return frozenset(out or {n for t in things for n in t.names[:1]})
