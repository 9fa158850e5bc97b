"""What a procedure claims of the console, as statements that product data can be held against."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from appliance.benchmark.drift import cues
from appliance.benchmark.drift.marks import Mark
from appliance.benchmark.drift.spots import Role, Spot, kind_of
from appliance.benchmark.drift.walk import Named, Walk
from appliance.practice.catalogue import Catalogue, Located, Value


class Facet(StrEnum):
    """What of the console a claim is about."""

    LABEL = "label"  # what a text says
    PLACE = "place"  # where an action stands
    SHOWN = "shown"  # a field is there
    OPTION = "option"  # an option is there
    DEFAULT = "default"
    OPTIONAL = "optional"  # a field may be left empty
    STEP = "step"  # in which step of a wizard a field is asked for
    ORDER = "order"  # one step of a wizard comes after another
    COMPLETE = "complete"  # the form can be sent after what the text gave
    NAMED = "named"  # the name has to be typed
    CONFIRMED = "confirmed"  # a dialog asks for no more than the text says
    PERMITTED = "permitted"  # the reader may do it
    LINK = "link"  # an entry of a menu leads somewhere
    GROUP = "group"  # in which group of a menu an entry stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement about one place of the product data."""

    facet: Facet
    mark: Mark
    quote: str
    path: str
    """Of the text for LABEL, else of the thing: action, field, entry, product."""
    role: Role
    text: str = ""
    """LABEL: what the documentation says."""
    place: str = ""
    """PLACE; STEP: the step; ORDER: the earlier step; GROUP: the group."""
    value: Value = None
    """OPTION, DEFAULT."""
    given: frozenset[str] = frozenset()
    """COMPLETE: the fields that the text gives; CONFIRMED: what it says has to be done."""
    chosen: tuple[tuple[str, Value], ...] = ()
    """COMPLETE: the values that it chooses, by field."""
    steps: tuple[str, ...] = ()
    """COMPLETE: the steps of the form that are sent; empty: all."""
    action: str = ""
    """STEP, ORDER, COMPLETE: path of the action whose form it is."""
    instead: tuple[int, ...] = ()
    """Lines at which the same may be said."""


def claims_of(walk: Walk) -> list[Claim]:
    """All claims of a procedure, in reading order."""
    claims = [claim for named in walk.named for claim in _of_mark(named, walk)]
    claims += _of_sentences(walk)
    for context in dict.fromkeys(named.spot.context for named in walk.named):
        if context.startswith("form:"):
            claims += _of_form(context, walk)
        elif context.startswith("confirm:"):
            claims += _of_confirmation(context, walk)
    claims += _of_permissions(walk)
    return sorted(claims, key=lambda claim: (claim.mark.line, claim.mark.column))


def _of_mark(named: Named, walk: Walk) -> Iterator[Claim]:
    mark, spot = named.mark, named.spot
    catalogue = walk.spots.catalogue
    said = {"mark": mark, "quote": mark.text, "role": spot.role}
    yield Claim(facet=Facet.LABEL, path=spot.path, text=mark.text, **said)
    match spot.role:
        case Role.ACTION:
            yield Claim(facet=Facet.PLACE, path=spot.thing, place=spot.place, **said)
        case Role.FIELD | Role.COLUMN if _has_field(catalogue, spot.field):
            yield Claim(facet=Facet.SHOWN, path=spot.field, **said)
        case Role.OPTION:
            value = spot.thing.partition(".options.")[2]
            yield Claim(facet=Facet.OPTION, path=spot.field, value=value, **said)
            yield Claim(facet=Facet.SHOWN, path=spot.field, **said)
            if named.is_default:
                yield Claim(facet=Facet.DEFAULT, path=spot.field, value=value, **said)
        case Role.MENU | Role.NAV:
            entry = _entry_of(catalogue, spot)
            yield Claim(facet=Facet.LINK, path=entry, **said)
            if (group := _group_before(named, walk)) is not None:
                path = spot.thing if spot.role is Role.NAV else spot.path.partition(".")[0]
                yield Claim(facet=Facet.GROUP, path=path, place=group, **said)


def _has_field(catalogue: Catalogue, path: str) -> bool:
    """`state` and `created` are columns and no fields."""
    found, name = field_owner(catalogue, path)
    return name in found.resource.fields


def field_owner(catalogue: Catalogue, path: str) -> tuple[Located, str]:
    """The resource of a field or action, and its name."""
    _, _, kind, _, name = path.split(".", 4)
    return catalogue.resource(kind), name


def _entry_of(catalogue: Catalogue, spot: Spot) -> str:
    """The navigation entry that a menu leads to."""
    if spot.role is Role.NAV:
        return spot.thing
    service = spot.path.partition(".")[0]
    product = catalogue.products[service]
    group = next(g for g in product.navigation if product.entry in [e.id for e in g.entries])
    return f"{service}.navigation.{group.id}.entries.{product.entry}"


def _group_before(named: Named, walk: Walk) -> str | None:
    """The heading that a menu path names before an entry."""
    at = walk.named.index(named)
    before = walk.named[at - 1].spot if at else None
    if before is None or walk.named[at - 1].mark.line != named.mark.line:
        return None
    if before.role in (Role.CATEGORY, Role.GROUP):
        return before.path.removesuffix(".label").rpartition(".")[2]
    return None


def _of_sentences(walk: Walk) -> Iterator[Claim]:
    """Defaults of fields that a sentence names without marking a value, and what is optional."""
    said = [
        (mark, at, cues.default_said(mark.sentence.text), "")
        for mark, at in walk.ends
        if not (at and walk.named[at - 1].is_default)
    ]
    said += [
        (mark, at, mark.text, mark.text) for mark, at in walk.literals if cues.is_default(mark)
    ]
    for mark, at, default, quote in said:
        fields = [n.spot for n in walk.named[:at] if n.spot.role is Role.FIELD]
        if fields and default is not None:
            found, name = field_owner(walk.spots.catalogue, fields[-1].field)
            is_number = found.resource.fields[name].kind == "number"
            value = int(default) if is_number else default
            yield Claim(facet=Facet.DEFAULT, mark=mark, quote=quote or mark.sentence.text,
                        role=Role.FIELD, path=fields[-1].field, value=value)  # fmt: skip


def _of_form(context: str, walk: Walk) -> Iterator[Claim]:
    """What the text says of a form: its steps, their order, and what is sent with it."""
    kind, _, name = context.partition(":")[2].partition(".")
    found = walk.spots.catalogue.resource(kind)
    form = found.resource.actions[name].form
    path = f"{found.service}.resources.{kind}.actions.{name}"
    inside = [n for n in walk.named if n.spot.context == context and not n.mark.is_remark]
    sends = [n for n in inside if n.spot.role is Role.SUBMIT]
    is_wizard = form is not None and form.layout == "wizard"
    step_of = {f: s.id for s in form.steps for f in s.fields} if form and is_wizard else {}
    first: dict[str, Named] = {}
    for named in inside:
        step = step_of.get(_name(named)) or _step_named(named)
        if is_wizard and step:
            first.setdefault(step, named)
            if named.spot.role is Role.FIELD:
                yield Claim(
                    facet=Facet.STEP, mark=named.mark, quote=named.mark.text, role=Role.FIELD,
                    path=named.spot.field, place=step, action=path,
                    instead=_leads_on_before(named, walk),
                )  # fmt: skip
    yield from _orders(first, path)
    if form is not None and sends:
        yield from _completes(context, walk, path, inside, sends)


def _name(named: Named) -> str:
    return named.spot.field.rpartition(".")[2] if named.spot.role is Role.FIELD else ""


def _step_named(named: Named) -> str:
    return named.spot.thing.rpartition(".")[2] if named.spot.role is Role.STEP else ""


def _leads_on_before(named: Named, walk: Walk) -> tuple[int, ...]:
    """Lines of the clicks on "Next" before a mark: there a field that comes earlier is missed."""
    before = walk.named[: walk.named.index(named)]
    return tuple(n.mark.line for n in before if n.spot.path == "console.texts.next")


def _orders(first: dict[str, Named], path: str) -> Iterator[Claim]:
    """Each step comes after those that the text names before it."""
    steps = sorted(first, key=lambda step: (first[step].mark.line, first[step].mark.column))
    for number, step in enumerate(steps):
        for other in steps:
            if other != step:
                is_before = steps.index(other) < number
                yield Claim(
                    facet=Facet.ORDER, mark=first[step].mark, quote=first[step].mark.text,
                    role=Role.STEP, path=f"{path}.form.steps.{step}", place=other,
                    value=is_before, action=path,
                    instead=(first[other].mark.line,),
                )  # fmt: skip


def _completes(
    context: str, walk: Walk, path: str, inside: list[Named], sends: list[Named]
) -> Iterator[Claim]:
    """The form is complete where it is sent; in a wizard each "Next" sends one step."""
    kind, _, name = context.partition(":")[2].partition(".")
    catalogue = walk.spots.catalogue
    form = catalogue.resource(kind).resource.actions[name].form
    assert form is not None  # noqa: S101 - the caller looked
    given = {_name(n): n for n in inside if n.spot.role is Role.FIELD}
    sure = frozenset(f for f, n in given.items() if not _may_be_left(n, catalogue))
    chosen = tuple(_chosen(inside, catalogue))
    fixed = _fixed(context, walk)
    clicks = [n for n in walk.named if n.spot.path == "console.texts.next" and n.mark.step]
    if form.layout == "wizard" and len(clicks) == len(form.steps) - 1:
        sent = [(click, (step.id,)) for click, step in zip(clicks, form.steps, strict=False)]
        sent.append((sends[0], (form.steps[-1].id,)))
    else:
        sent = [(sends[0], ())]
    lines = tuple(n.mark.line for n, _ in sent)
    for click, steps in sent:
        yield Claim(
            facet=Facet.COMPLETE, mark=click.mark, quote=click.mark.text, role=click.spot.role,
            path=path, action=path, given=frozenset(given) | fixed | _in_words(context, walk), chosen=chosen, steps=steps,
        )  # fmt: skip
    for field, named in given.items():
        if field not in sure:
            yield Claim(facet=Facet.OPTIONAL, mark=named.mark, quote=named.mark.text,
                        role=Role.FIELD, path=named.spot.field, instead=lines)  # fmt: skip


def _may_be_left(named: Named, catalogue: Catalogue) -> bool:
    """Whether the text leaves a field to the reader, where the console does as well."""
    if cues.says_optional(named.mark.sentence.text):
        return True
    found, name = field_owner(catalogue, named.spot.field)
    return named.mark.is_optional and not found.resource.fields[name].required


def _in_words(context: str, walk: Walk) -> frozenset[str]:
    """Fields that the steps name without marking them: "Select the network and the subnet."."""
    kind, _, _ = context.partition(":")[2].partition(".")
    said = " ".join(mark.sentence.text.casefold() for mark, _ in walk.ends if mark.step)
    language = walk.procedure.language
    fields = walk.spots.catalogue.resource(kind).resource.fields
    return frozenset(f for f, s in fields.items() if s.label.said(language).casefold() in said)


def _chosen(inside: list[Named], catalogue: Catalogue) -> Iterator[tuple[str, Value]]:
    for named in inside:
        spot = named.spot
        if spot.role is Role.OPTION and not named.is_default:
            yield spot.field.rpartition(".")[2], spot.thing.partition(".options.")[2]
        if spot.role is Role.FIELD:
            found, name = field_owner(catalogue, spot.field)
            if found.resource.fields[name].kind == "boolean":
                is_on = cues.switched(named.mark.sentence.text)
                if is_on is not None and not named.mark.is_optional:
                    yield name, is_on


def _fixed(context: str, walk: Walk) -> frozenset[str]:
    """The reference that is filled in when a form is opened from the page of another item."""
    kind, _, name = context.partition(":")[2].partition(".")
    resource = walk.spots.catalogue.resource(kind).resource
    for named in walk.named:
        if named.spot.to == context and named.spot.role is Role.ACTION:
            other = kind_of(named.spot.context)
            if other != kind:
                return frozenset(
                    f for f, spec in resource.fields.items() if spec.refers_to == other
                )
    return frozenset()


def _of_confirmation(context: str, walk: Walk) -> Iterator[Claim]:
    kind, _, name = context.partition(":")[2].partition(".")
    found = walk.spots.catalogue.resource(kind)
    path = f"{found.service}.resources.{kind}.actions.{name}"
    inside = [n for n in walk.named if n.spot.context == context and not n.mark.is_remark]
    typed = _typed(inside, walk)
    for send in [n for n in inside if n.spot.role is Role.SUBMIT][:1]:
        given = {"name"} if typed else set()
        given |= {"acknowledge"} if any(n.spot.role is Role.TICK for n in inside) else set()
        yield Claim(facet=Facet.CONFIRMED, mark=send.mark, quote=send.mark.text, role=Role.SUBMIT,
                    path=path, given=frozenset(given))  # fmt: skip
    if typed is not None:
        yield Claim(
            facet=Facet.NAMED, mark=typed, quote=typed.sentence.text, role=Role.TITLE, path=path
        )


def _typed(inside: list[Named], walk: Walk) -> Mark | None:
    """The end of the sentence that tells to type the name, at the dialog or just after it."""
    steps = {n.mark.step for n in inside}
    for mark, _ in walk.ends:
        if mark.step in steps and cues.types_name(mark.sentence.text):
            return mark
    return None


def _of_permissions(walk: Walk) -> Iterator[Claim]:
    """Everything that is done may be done; it shows at the latest where it is sent."""
    for named in walk.named:
        spot = named.spot
        if spot.role is not Role.ACTION or named.mark.is_remark:
            continue
        ends = [n for n in walk.named if n.spot.role is Role.SUBMIT and n.spot.context == spot.to]
        done = f"done:{spot.to.partition(':')[2]}"
        after = [n for n in walk.named if n.spot.context == done]
        at = ends[0] if ends else named
        lines = tuple(n.mark.line for n in (named, *after) if n.mark.line != at.mark.line)
        kind, _, name = spot.to.partition(":")[2].partition(".")
        service = walk.spots.service_of[kind]
        path = f"{service}.resources.{kind}.actions.{name}"
        yield Claim(facet=Facet.PERMITTED, mark=at.mark, quote=at.mark.text, role=at.spot.role,
                    path=path, instead=lines)  # fmt: skip
