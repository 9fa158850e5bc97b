"""Holds claims of the documentation against a catalogue: which are untrue, and their names.

A claim about something that is not there any more is not untrue by itself: the sentence that says
how to get there is. So the dialog of an action that was removed is still described rightly.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from appliance.benchmark.drift.claim import Claim, Facet, field_owner
from appliance.benchmark.drift.spots import SpotRole, says
from appliance.core.verdict import DivergenceKind as K
from appliance.practice.catalogue import (
    Action,
    Catalogue,
    FieldSpec,
    NavEntry,
    Resource,
    Value,
)
from appliance.practice.loading import name_of

PERMISSION_ROLE = "member"
"""Role of the accounts that documentation is verified with when it names none."""


class UntrueClaim(NamedTuple):
    """What an untrue claim is called, best name first."""

    kinds: tuple[K, ...]
    note: str
    is_optional: bool = False
    becomes: str = ""
    """What it is called now, where it has only got another name."""


class ClaimCatalogue:
    """A catalogue that claims are held against."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._texts = dict(_texts(catalogue.model_dump(mode="json", exclude_none=True), ""))

    def text(self, path: str, language: str) -> str | None:
        """A text by its path; None where it is gone. Entries of menus may have moved."""
        service, _, rest = path.partition(".navigation.")
        if ".entries." in rest:
            name = rest.partition(".entries.")[2].removesuffix(".label")
            entry = self._entry(service, name)
            return entry[1].label.in_language(language) if entry else None
        texts = self._texts.get(path)
        return texts[language] if texts else None

    def _entry(self, service: str, name: str) -> tuple[str, NavEntry] | None:
        """A navigation entry with the group it stands in."""
        for group in self.catalogue.products[service].navigation:
            for entry in group.entries:
                if entry.id == name:
                    return group.id, entry
        return None

    def untrue(
        self, claim: Claim, language: str, role: str = PERMISSION_ROLE
    ) -> UntrueClaim | None:
        """Why a claim does not hold; None when it does."""
        if claim.facet is Facet.LABEL:
            return self._label(claim, language)
        if claim.facet is Facet.PERMITTED:
            return self._permitted(claim, role)
        return _BY_FACET[claim.facet](self, claim)

    def _label(self, claim: Claim, language: str) -> UntrueClaim | None:
        current_label = self.text(claim.path, language)
        if current_label is None or says(current_label, claim.text):
            return None
        return UntrueClaim(
            _RENAMED[claim.role], f"It now says “{current_label}”.", becomes=current_label
        )

    def _permitted(self, claim: Claim, role: str) -> UntrueClaim | None:
        needed = self._action(claim.path).permission
        if not needed or role in self.catalogue.console.permissions[needed].roles:
            return None
        kinds = (K.PERMISSION, K.ERROR_SHOWN, K.MISSING_PREREQUISITE)
        return UntrueClaim(kinds, f"It now needs the permission {needed}, which a {role} has not.")

    def _action(self, path: str) -> Action:
        owner, name = field_owner(self.catalogue, path)
        return owner.resource.actions[name]

    def _field(self, path: str) -> FieldSpec:
        owner, name = field_owner(self.catalogue, path)
        return owner.resource.fields[name]

    def _place(self, claim: Claim) -> UntrueClaim | None:
        owner, name = field_owner(self.catalogue, claim.path)
        current_places = places_of(owner.resource, name) | _related_places(
            self.catalogue, owner.kind, name
        )
        if claim.place in current_places:
            return None
        if not current_places:
            return UntrueClaim((K.MISSING_CONTROL,), "It is nowhere any more.")
        page = claim.place.partition(".")[0]
        is_near = any(place.partition(".")[0] == page for place in current_places)
        menu = {"list.more": owner.resource.list.more, "detail.more": owner.resource.detail.more}
        has_more_menu = is_near and menu.get(claim.place, ("",)) != ()
        kinds = (K.MOVED_CONTROL,) if has_more_menu else (K.MOVED_CONTROL, K.MISSING_CONTROL)
        return UntrueClaim(kinds, f"It now stands in {', '.join(sorted(current_places))}.")

    def _shown(self, claim: Claim) -> UntrueClaim | None:
        if not self._field(claim.path).is_hidden:
            return None
        extra_kinds = {SpotRole.COLUMN: (K.WRONG_RESULT,), SpotRole.OPTION: (K.CHANGED_OPTION,)}
        kinds = (K.MISSING_CONTROL, *extra_kinds.get(claim.role, ()))
        return UntrueClaim(
            kinds, "The field is shown nowhere any more.", claim.role is SpotRole.OPTION
        )

    def _option(self, claim: Claim) -> UntrueClaim | None:
        options = self._field(claim.path).options
        if any(option.value == claim.value for option in options):
            return None
        kinds = (K.CHANGED_OPTION, K.RENAMED_LABEL, K.MISSING_CONTROL)
        return UntrueClaim(kinds, "The option is gone.")

    def _default(self, claim: Claim) -> UntrueClaim | None:
        field = self._field(claim.path)
        is_among = isinstance(field.default, list) and claim.value in field.default
        if field.default == claim.value or is_among:
            return None
        return UntrueClaim((K.CHANGED_DEFAULT,), f"The default is now {field.default}.")

    def _optional(self, claim: Claim) -> UntrueClaim | None:
        field = self._field(claim.path)
        if not field.required or has_value(field):
            return None
        return UntrueClaim((K.MISSING_STEP, K.ERROR_SHOWN), "The field must now be filled in.")

    def _step(self, claim: Claim) -> UntrueClaim | None:
        form = self._action(claim.action).form
        name = claim.path.rpartition(".")[2]
        step_of_field = (
            {field: step.id for step in form.steps for field in step.fields} if form else {}
        )
        if step_of_field.get(name, claim.place) == claim.place:
            return None
        kinds = (K.MOVED_CONTROL, K.WRONG_ORDER, K.MISSING_STEP)
        return UntrueClaim(kinds, f"The wizard now asks for it in the step {step_of_field[name]}.")

    def _order(self, claim: Claim) -> UntrueClaim | None:
        form = self._action(claim.action).form
        ids = [step.id for step in form.steps] if form else []
        step = claim.path.rpartition(".")[2]
        if (ids.index(claim.place) < ids.index(step)) == claim.value:
            return None
        where = "before" if claim.value else "after"
        kinds = (K.WRONG_ORDER, K.MOVED_CONTROL)
        return UntrueClaim(kinds, f"The wizard asks for it {where} the step {claim.place}.")

    def _complete(self, claim: Claim) -> UntrueClaim | None:
        owner, name = field_owner(self.catalogue, claim.path)
        missing = [
            field
            for field in _form_fields(owner.resource, name, claim)
            if field not in claim.given and _must_be_given(owner.resource, field, claim)
        ]
        if not missing:
            return None
        return UntrueClaim(
            (K.MISSING_STEP, K.ERROR_SHOWN), f"{', '.join(missing)} must be filled in first."
        )

    def _named(self, claim: Claim) -> UntrueClaim | None:
        confirm = self._action(claim.path).confirm
        if confirm is None or confirm.types_name:
            return None
        return UntrueClaim((K.EXTRA_STEP, K.MISSING_CONTROL), "No name has to be typed any more.")

    def _confirmed(self, claim: Claim) -> UntrueClaim | None:
        confirm = self._action(claim.path).confirm
        demanded = {"name"} if confirm and confirm.types_name else set()
        demanded |= {"acknowledge"} if confirm and confirm.acknowledge else set()
        missing = sorted(demanded - claim.given)
        if not missing:
            return None
        demands = {"name": "the name has to be typed", "acknowledge": "a box has to be ticked"}
        kinds = (K.MISSING_STEP, K.ERROR_SHOWN)
        return UntrueClaim(
            kinds, f"Before it, {' and '.join(demands[demand] for demand in missing)}."
        )

    def _link(self, claim: Claim) -> UntrueClaim | None:
        service, _, rest = claim.path.partition(".navigation.")
        entry = self._entry(service, rest.partition(".entries.")[2])
        if entry is None or not entry[1].is_dead:
            return None
        kinds = (K.DEAD_LINK, K.ERROR_SHOWN, K.MISSING_CONTROL, K.WRONG_RESULT)
        return UntrueClaim(kinds, "It leads to a page that does not exist.")

    def _group(self, claim: Claim) -> UntrueClaim | None:
        service, _, rest = claim.path.partition(".navigation.")
        if rest:
            entry = self._entry(service, rest.partition(".entries.")[2])
            current_group = entry[0] if entry else claim.place
        else:
            current_group = self.catalogue.products[service].category
        if current_group == claim.place:
            return None
        return UntrueClaim(
            (K.MOVED_CONTROL, K.MISSING_CONTROL), f"It now stands under {current_group}."
        )


_CONTROL = (K.RENAMED_LABEL, K.MISSING_CONTROL)
_RENAMED: dict[SpotRole, tuple[K, ...]] = {
    SpotRole.MENU: _CONTROL,
    SpotRole.CATEGORY: (K.RENAMED_LABEL, K.MISSING_CONTROL, K.MOVED_CONTROL),
    SpotRole.NAV: _CONTROL,
    SpotRole.GROUP: (K.RENAMED_LABEL, K.MISSING_CONTROL, K.MOVED_CONTROL),
    SpotRole.ACTION: _CONTROL,
    SpotRole.TAB: _CONTROL,
    SpotRole.FIELD: _CONTROL,
    SpotRole.COLUMN: (K.RENAMED_LABEL, K.WRONG_RESULT, K.MISSING_CONTROL),
    SpotRole.OPTION: (K.CHANGED_OPTION, K.RENAMED_LABEL, K.MISSING_CONTROL),
    SpotRole.STATE: (K.WRONG_RESULT, K.RENAMED_LABEL),
    SpotRole.TITLE: (K.RENAMED_LABEL, K.WRONG_RESULT),
    SpotRole.STEP: (K.RENAMED_LABEL, K.WRONG_RESULT, K.MISSING_CONTROL),
    SpotRole.SUBMIT: _CONTROL,
    SpotRole.TICK: _CONTROL,
    SpotRole.MESSAGE: (K.WRONG_RESULT,),
    SpotRole.SEARCH: _CONTROL,
    SpotRole.REMARK: (K.WRONG_RESULT, K.RENAMED_LABEL),
    SpotRole.SHELL: _CONTROL,
}

_BY_FACET: dict[Facet, Callable[[ClaimCatalogue, Claim], UntrueClaim | None]] = {
    Facet.PLACE: ClaimCatalogue._place,
    Facet.SHOWN: ClaimCatalogue._shown,
    Facet.OPTION: ClaimCatalogue._option,
    Facet.DEFAULT: ClaimCatalogue._default,
    Facet.OPTIONAL: ClaimCatalogue._optional,
    Facet.STEP: ClaimCatalogue._step,
    Facet.ORDER: ClaimCatalogue._order,
    Facet.COMPLETE: ClaimCatalogue._complete,
    Facet.NAMED: ClaimCatalogue._named,
    Facet.CONFIRMED: ClaimCatalogue._confirmed,
    Facet.LINK: ClaimCatalogue._link,
    Facet.GROUP: ClaimCatalogue._group,
}


def _texts(value: object, path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """All texts by their paths; entries of lists go by what names them."""
    if isinstance(value, dict):
        if value.keys() == {"en", "zh"}:
            yield path.removeprefix(".products").removeprefix("."), value
            return
        for key, inner in value.items():
            yield from _texts(inner, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for inner in value:
            if isinstance(inner, dict) and (name := name_of(inner)):
                yield from _texts(inner, f"{path}.{name}")


def places_of(resource: Resource, action: str) -> set[str]:
    """Where an action stands on the pages of its own resource."""
    page, detail = resource.list, resource.detail
    lists = {f"list.{n}": getattr(page, n) for n in ("header", "batch", "row", "more")}
    lists |= {f"detail.{n}": getattr(detail, n) for n in ("header", "more")}
    lists |= {f"detail.tabs.{tab.id}": tab.header for tab in detail.tabs if tab.kind != "related"}
    return {place for place, names in lists.items() if action in names}


def _related_places(catalogue: Catalogue, kind: str, action: str) -> set[str]:
    """The tabs of other items above whose list an action stands."""
    return {
        f"{located.service}.resources.{located.kind}.detail.tabs.{tab.id}"
        for located in catalogue.resources()
        for tab in located.resource.detail.tabs
        if tab.resource == kind and action in tab.header
    }


def _form_fields(resource: Resource, action: str, claim: Claim) -> list[str]:
    form = resource.actions[action].form
    steps = form.steps if form else ()
    return [f for step in steps if not claim.steps or step.id in claim.steps for f in step.fields]


def has_value(field: FieldSpec) -> bool:
    """Whether a field holds something before anybody touches it."""
    return field.default not in (None, "", False) and field.default != []


def _must_be_given(resource: Resource, name: str, claim: Claim) -> bool:
    field = resource.fields[name]
    if not field.required or field.is_hidden or field.generated or has_value(field):
        return False
    if field.shown_if is None:
        return True
    chosen: dict[str, Value] = dict(claim.chosen)
    other = resource.fields[field.shown_if.field]
    return chosen.get(field.shown_if.field, other.default) in field.shown_if.values
