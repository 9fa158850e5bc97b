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

_TEXT_KINDS = (FieldKind.TEXT, FieldKind.MULTILINE, FieldKind.SECRET)
_OVERSHOOT = 10
"""Times the largest number that a field takes."""


@dataclass(frozen=True, slots=True)
class _FalseStatement:
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
        path = claim.path.removesuffix(".label")
        if claim.role is SpotRole.FIELD:
            located, name = field_owner(catalogue, path)
            insertion_point = sheet.behind(claim.mark.line, claim.mark.column)
            statements = _field_statements(located.resource, name, claim.quote, sheet.language)
            places = [insertion_point]
        elif claim.role in (SpotRole.ACTION, SpotRole.SUBMIT) and ".actions." in path:
            located, name = field_owner(catalogue, _action_path(path))
            action = located.resource.actions[name]
            insertion_point = sheet.behind(claim.mark.line, claim.mark.column)
            label = claim.quote if claim.role is SpotRole.ACTION else ""
            statements = _action_statements(located.resource, name, action, label)
            places = [
                insertion_point,
                sheet.behind_result(),
                sheet.as_introduction(),
                sheet.as_note(),
            ]
        else:
            continue
        for statement in statements:
            insertion = _choose_insertion(statement, places, random)
            if insertion is not None:
                yield statement.rule, _write_down(statement, insertion, sheet, taken, random)


def _action_path(path: str) -> str:
    """The action that a label or a button of its form belongs to."""
    return re.sub(r"(\.actions\.[^.]+)\..*", r"\1", path)


def _choose_insertion(
    statement: _FalseStatement, places: list[Insertion | None], random: Random
) -> Insertion | None:
    """What is done stands where it is done; the rest also before and behind."""
    if wording().sentences[statement.rule].kind in (ClaimKind.CONTROL, ClaimKind.TITLE):
        return places[0]
    possible = [place for place in places if place is not None]
    return random.choice(possible) if possible else None


def _write_down(
    statement: _FalseStatement,
    insertion: Insertion,
    sheet: Sheet,
    taken: frozenset[str],
    random: Random,
) -> InventedUntruth:
    template = wording().sentences[statement.rule]
    invented = [
        name
        for name in wording().names.get(template.kind, {}).get(sheet.language, ())
        if name.casefold() not in taken
    ]
    pattern = template.zh if sheet.language == "zh" else template.en
    other = statement.other or (random.choice(invented) if "{other}" in pattern else "")
    products = "产品" if sheet.language == "zh" else "Products"
    parts = {
        "label": sheet.marked(statement.label), "other": sheet.marked(other), "n": statement.n,
        "products": sheet.marked(products),
    }  # fmt: skip
    sentence = sheet.literal(pattern).format(**parts).strip()
    return InventedUntruth(
        id=f"{statement.rule} at {insertion.at}",
        document=sheet.read.document,
        kind=template.kind,
        part="seen",
        origin="rule",
        start=insertion.at,
        end=insertion.at,
        text=insertion.before + sentence + insertion.after,
        words=_untrue_words(pattern, statement, other),
        why=statement.why,
    )


def _untrue_words(pattern: str, statement: _FalseStatement, other: str) -> str:
    """The untrue words: not a label that is there indeed."""
    return other or statement.n or max(re.split(r"\{\w+\}", pattern), key=len).strip(" .。")


def _field_statements(
    resource: Resource, name: str, label: str, language: str
) -> Iterator[_FalseStatement]:
    field = resource.fields[name]
    yield _FalseStatement("on_invoice", "there are no invoices", label)
    yield _FalseStatement("further_field", "the form has no such field", label)
    yield _FalseStatement("in_section", "the form has no such section", label)
    if field.kind in _TEXT_KINDS and field.max_length >= 20:
        n = str(field.max_length // 4)
        yield _FalseStatement("longest", f"max_length: {field.max_length}", label, n=n)
    if field.kind is FieldKind.NUMBER and field.max >= 4:
        yield _FalseStatement("largest", f"max: {field.max}", label, n=str(field.max // 4))
        yield _FalseStatement(
            "takes_number", f"max: {field.max}", label, n=str(field.max * _OVERSHOOT)
        )
    if field.pattern:
        refused = [
            value
            for value in wording().names[ClaimKind.VALUE][language]
            if not re.fullmatch(field.pattern, value)
        ]
        if refused:
            yield _FalseStatement("takes_text", f"pattern: {field.pattern}", label, n=refused[0])
    yield from _necessity_statements(field, label)
    yield from _default_statements(field, label, language)
    yield from _option_statements(field, label, language)
    yield from _order_statements(resource, name, label)


def _necessity_statements(field: FieldSpec, label: str) -> Iterator[_FalseStatement]:
    is_typed = field.kind in _TEXT_KINDS or field.kind is FieldKind.DATE
    if is_typed and field.required and field.default is None:
        yield _FalseStatement("may_be_empty", "required: true", label)
    elif is_typed and not field.required:
        yield _FalseStatement("must_be_given", "required: false", label)


def _default_statements(field: FieldSpec, label: str, language: str) -> Iterator[_FalseStatement]:
    match field.default:
        case bool() as is_on:
            yield _FalseStatement(
                "default_off" if is_on else "default_on", f"default: {is_on}", label
            )
        case int() as number:
            yield _FalseStatement(
                "default_number", f"default: {number}", label, n=str(number * 3 + 2)
            )
        case str() as value if field.kind is FieldKind.CHOICE:
            others = [o.label.in_language(language) for o in field.options if o.value != value]
            yield _FalseStatement("default", f"default: {value}", label, other=others[-1])


def _option_statements(field: FieldSpec, label: str, language: str) -> Iterator[_FalseStatement]:
    if field.options:
        offered = ", ".join(option.label.en for option in field.options)
        yield _FalseStatement("also_offers", f"options: {offered}", label)
    described = [option for option in field.options if option.description is not None]
    for option_, other in zip(described, described[1:] + described[:1], strict=True):
        if option_.description and other.description and option_.description != other.description:
            says = other.description.in_language(language).rstrip(".。")
            why = option_.description.en
            yield _FalseStatement(
                "other_description", why, option_.label.in_language(language), n=says
            )


def _order_statements(resource: Resource, name: str, label: str) -> Iterator[_FalseStatement]:
    """A field that comes first is not the last one."""
    forms = [action.form.steps for action in resource.actions.values() if action.form]
    steps = [step.fields for form in forms for step in form if name in step.fields]
    edits = [a.fields for a in resource.actions.values() if a.kind == "edit" and name in a.fields]
    if steps and all(fields.index(name) == 0 and len(fields) > 2 for fields in steps) and not edits:
        yield _FalseStatement("last_field", f"it is the first of {len(steps[0])}", label)


def _action_statements(
    resource: Resource, name: str, action: Action, label: str
) -> Iterator[_FalseStatement]:
    if not action.permission:
        yield _FalseStatement("only_administrators", "it needs no permission")
        yield _FalseStatement("only_owner", "it needs no permission")
    yield _FalseStatement(
        "takes_hours", f"through: {action.through or 'done at once'}; seconds at most"
    )
    if not action.through:
        yield _FalseStatement("next_day", "it is done at once")
    yield _FalseStatement("sends_mail", "the cloud sends nothing")
    yield _FalseStatement("signs_out", "a session goes on")
    yield _FalseStatement("copies_first", "nothing but the operation itself is done")
    for rule in ("then_click", "other_way", "window_opens", "console_says", "is_meanwhile"):
        yield _FalseStatement(rule, "the console says this nowhere")
    columns = ", ".join(column.field for column in resource.list.columns)
    yield _FalseStatement("column_tells", f"columns: {columns}")
    if not label:  # a button of a dialog
        return
    if name in resource.list.header:
        yield _FalseStatement("below_the_list", "it is in the header of the list", label)
    elif name in (*resource.list.row, *resource.list.more) and name not in resource.list.batch:
        yield _FalseStatement("above_the_list", "it is in the row", label)
