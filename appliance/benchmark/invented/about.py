"""Rules that add a false sentence about a field or an action that a procedure names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from appliance.benchmark.drift.claim import Facet, field_owner
from appliance.benchmark.drift.spots import SpotRole
from appliance.benchmark.invented.untruth import InventedUntruth
from appliance.benchmark.invented.wording import Insertion, Sheet, wording
from appliance.core.claims import ClaimKind
from appliance.practice.catalogue import Action, Catalogue, FieldKind, FieldSpec, Resource

_TYPED = (FieldKind.TEXT, FieldKind.MULTILINE, FieldKind.SECRET)
_MUCH = 10
"""Times the largest number that a field takes."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A false sentence before it is written down."""

    rule: str
    why: str
    label: str = ""
    other: str = ""
    n: str = ""


def false_sentences(
    sheet: Sheet, catalogue: Catalogue, taken: frozenset[str], random: Random
) -> Iterator[tuple[str, InventedUntruth]]:
    """All that can be said falsely of what a procedure names, with the rule.

    Args:
        sheet: The procedure in its document.
        catalogue: What the console offers.
        taken: What the console says somewhere: no invented label.
        random: Draws the place and the names.
    """
    for claim in sheet.read.claims:
        if claim.facet is not Facet.LABEL or claim.mark.is_remark:
            continue
        thing = claim.path.removesuffix(".label")
        if claim.role is SpotRole.FIELD:
            located, name = field_owner(catalogue, thing)
            at = sheet.behind(claim.mark.line, claim.mark.column)
            said = _of_field(located.resource, name, claim.quote, sheet.language)
            places = [at]
        elif claim.role in (SpotRole.ACTION, SpotRole.SUBMIT) and ".actions." in thing:
            located, name = field_owner(catalogue, _action_path(thing))
            action = located.resource.actions[name]
            at = sheet.behind(claim.mark.line, claim.mark.column)
            label = claim.quote if claim.role is SpotRole.ACTION else ""
            said = _of_action(located.resource, name, action, label)
            places = [at, sheet.behind_result(), sheet.as_introduction(), sheet.as_note()]
        else:
            continue
        for one in said:
            insertion = _chosen(one, places, random)
            if insertion is not None:
                yield one.rule, _written(one, insertion, sheet, taken, random)


def _action_path(path: str) -> str:
    """The action that a label or a button of its form belongs to."""
    return re.sub(r"(\.actions\.[^.]+)\..*", r"\1", path)


def _chosen(one: _Said, places: list[Insertion | None], random: Random) -> Insertion | None:
    """What is done stands where it is done; the rest also before and behind."""
    if wording().sentences[one.rule].kind in (ClaimKind.CONTROL, ClaimKind.TITLE):
        return places[0]
    there = [place for place in places if place is not None]
    return random.choice(there) if there else None


def _written(
    said: _Said, insertion: Insertion, sheet: Sheet, taken: frozenset[str], random: Random
) -> InventedUntruth:
    template = wording().sentences[said.rule]
    invented = [
        name
        for name in wording().names.get(template.kind, {}).get(sheet.language, ())
        if name.casefold() not in taken
    ]
    pattern = template.zh if sheet.language == "zh" else template.en
    other = said.other or (random.choice(invented) if "{other}" in pattern else "")
    products = "产品" if sheet.language == "zh" else "Products"
    parts = {
        "label": sheet.marked(said.label), "other": sheet.marked(other), "n": said.n,
        "products": sheet.marked(products),
    }  # fmt: skip
    sentence = sheet.literal(pattern).format(**parts).strip()
    return InventedUntruth(
        id=f"{said.rule} at {insertion.at}",
        document=sheet.read.document,
        kind=template.kind,
        part="seen",
        origin="rule",
        start=insertion.at,
        end=insertion.at,
        text=insertion.before + sentence + insertion.after,
        words=_untrue(pattern, said, other),
        why=said.why,
    )


def _untrue(pattern: str, said: _Said, other: str) -> str:
    """The untrue words: not a label that is there indeed."""
    return other or said.n or max(re.split(r"\{\w+\}", pattern), key=len).strip(" .。")


def _of_field(resource: Resource, name: str, label: str, language: str) -> Iterator[_Said]:
    field = resource.fields[name]
    yield _Said("on_invoice", "there are no invoices", label)
    yield _Said("further_field", "the form has no such field", label)
    yield _Said("in_section", "the form has no such section", label)
    if field.kind in _TYPED and field.max_length >= 20:
        n = str(field.max_length // 4)
        yield _Said("longest", f"max_length: {field.max_length}", label, n=n)
    if field.kind is FieldKind.NUMBER and field.max >= 4:
        yield _Said("largest", f"max: {field.max}", label, n=str(field.max // 4))
        yield _Said("takes_number", f"max: {field.max}", label, n=str(field.max * _MUCH))
    if field.pattern:
        refused = [
            value
            for value in wording().names[ClaimKind.VALUE][language]
            if not re.fullmatch(field.pattern, value)
        ]
        if refused:
            yield _Said("takes_text", f"pattern: {field.pattern}", label, n=refused[0])
    yield from _of_necessity(field, label)
    yield from _of_default(field, label, language)
    yield from _of_options(field, label, language)
    yield from _of_order(resource, name, label)


def _of_necessity(field: FieldSpec, label: str) -> Iterator[_Said]:
    is_typed = field.kind in _TYPED or field.kind is FieldKind.DATE
    if is_typed and field.required and field.default is None:
        yield _Said("may_be_empty", "required: true", label)
    elif is_typed and not field.required:
        yield _Said("must_be_given", "required: false", label)


def _of_default(field: FieldSpec, label: str, language: str) -> Iterator[_Said]:
    match field.default:
        case bool() as is_on:
            yield _Said("default_off" if is_on else "default_on", f"default: {is_on}", label)
        case int() as number:
            yield _Said("default_number", f"default: {number}", label, n=str(number * 3 + 2))
        case str() as value if field.kind is FieldKind.CHOICE:
            others = [o.label.in_language(language) for o in field.options if o.value != value]
            yield _Said("default", f"default: {value}", label, other=others[-1])


def _of_options(field: FieldSpec, label: str, language: str) -> Iterator[_Said]:
    if field.options:
        offered = ", ".join(option.label.en for option in field.options)
        yield _Said("also_offers", f"options: {offered}", label)
    told = [option for option in field.options if option.description is not None]
    for one, other in zip(told, told[1:] + told[:1], strict=True):
        if one.description and other.description and one.description != other.description:
            says = other.description.in_language(language).rstrip(".。")
            why = one.description.en
            yield _Said("other_description", why, one.label.in_language(language), n=says)


def _of_order(resource: Resource, name: str, label: str) -> Iterator[_Said]:
    """A field that comes first is not the last one."""
    forms = [action.form.steps for action in resource.actions.values() if action.form]
    steps = [step.fields for form in forms for step in form if name in step.fields]
    edits = [a.fields for a in resource.actions.values() if a.kind == "edit" and name in a.fields]
    if steps and all(fields.index(name) == 0 and len(fields) > 2 for fields in steps) and not edits:
        yield _Said("last_field", f"it is the first of {len(steps[0])}", label)


def _of_action(resource: Resource, name: str, action: Action, label: str) -> Iterator[_Said]:
    if not action.permission:
        yield _Said("only_administrators", "it needs no permission")
        yield _Said("only_owner", "it needs no permission")
    yield _Said("takes_hours", f"through: {action.through or 'done at once'}; seconds at most")
    if not action.through:
        yield _Said("next_day", "it is done at once")
    yield _Said("sends_mail", "the cloud sends nothing")
    yield _Said("signs_out", "a session goes on")
    yield _Said("copies_first", "nothing but the operation itself is done")
    for rule in ("then_click", "other_way", "window_opens", "console_says", "is_meanwhile"):
        yield _Said(rule, "the console says this nowhere")
    columns = ", ".join(column.field for column in resource.list.columns)
    yield _Said("column_tells", f"columns: {columns}")
    if not label:  # a button of a dialog
        return
    if name in resource.list.header:
        yield _Said("below_the_list", "it is in the header of the list", label)
    elif name in (*resource.list.row, *resource.list.more) and name not in resource.list.batch:
        yield _Said("above_the_list", "it is in the row", label)
