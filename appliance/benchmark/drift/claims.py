"""What a procedure claims of the console, as statements that product data can be held against."""

from collections.abc import Iterator
from dataclasses import replace

from appliance.benchmark.drift import cues
from appliance.benchmark.drift.claim import Claim, Facet, field_owner
from appliance.benchmark.drift.marks import TextMark
from appliance.benchmark.drift.spots import Spot, SpotRole, kind_of
from appliance.benchmark.drift.walk import ReaderPosition, ResolvedMark
from appliance.practice.catalogue import Catalogue, Value


def claims_of(walk: ReaderPosition) -> list[Claim]:
    """All claims of a procedure, in reading order."""
    claims = [claim for named in walk.named for claim in _of_mark(named, walk)]
    claims += _of_sentences(walk)
    for context in dict.fromkeys(named.spot.context for named in walk.named):
        if context.startswith("form:"):
            claims += of_form(context, walk)
        elif context.startswith("confirm:"):
            claims += of_confirmation(context, walk)
    claims += _of_permissions(walk)
    claims += _of_words(walk)
    return sorted(claims, key=lambda claim: (claim.mark.line, claim.mark.column))


def _of_mark(named: ResolvedMark, walk: ReaderPosition) -> Iterator[Claim]:
    mark, spot = named.mark, named.spot
    catalogue = walk.spots.catalogue
    base = Claim(facet=Facet.LABEL, mark=mark, quote=mark.text, role=spot.role, path=spot.path,
                 text=mark.text)  # fmt: skip
    yield base
    field = replace(base, path=spot.field, text="")
    match spot.role:
        case SpotRole.ACTION:
            yield replace(base, facet=Facet.PLACE, path=spot.thing, place=spot.place)
        case SpotRole.FIELD | SpotRole.COLUMN if _has_field(catalogue, spot.field):
            yield replace(field, facet=Facet.SHOWN)
        case SpotRole.OPTION:
            value = spot.thing.partition(".options.")[2]
            yield replace(field, facet=Facet.OPTION, value=value)
            yield replace(field, facet=Facet.SHOWN)
            if named.is_default:
                yield replace(field, facet=Facet.DEFAULT, value=value)
        case SpotRole.MENU | SpotRole.NAV:
            yield replace(base, facet=Facet.LINK, path=_entry_of(catalogue, spot))
            if (group := _group_before(named, walk)) is not None:
                path = spot.thing if spot.role is SpotRole.NAV else spot.path.partition(".")[0]
                yield replace(base, facet=Facet.GROUP, path=path, place=group)


def _has_field(catalogue: Catalogue, path: str) -> bool:
    """`state` and `created` are columns and no fields."""
    owner, name = field_owner(catalogue, path)
    return name in owner.resource.fields


def _entry_of(catalogue: Catalogue, spot: Spot) -> str:
    """The navigation entry that a menu leads to."""
    if spot.role is SpotRole.NAV:
        return spot.thing
    service = spot.path.partition(".")[0]
    product = catalogue.products[service]
    group = next(g for g in product.navigation if product.entry in [e.id for e in g.entries])
    return f"{service}.navigation.{group.id}.entries.{product.entry}"


def _group_before(named: ResolvedMark, walk: ReaderPosition) -> str | None:
    """The heading that a menu path names before an entry."""
    at = walk.named.index(named)
    before = walk.named[at - 1].spot if at else None
    if before is None or walk.named[at - 1].mark.line != named.mark.line:
        return None
    if before.role in (SpotRole.CATEGORY, SpotRole.GROUP):
        return before.path.removesuffix(".label").rpartition(".")[2]
    return None


def _of_sentences(walk: ReaderPosition) -> Iterator[Claim]:
    """Defaults of fields that a sentence names without marking a value, and what is optional."""
    candidates: list[tuple[TextMark, int, int | str | None, str]] = [
        (mark, at, cues.default_said(mark.sentence.text), "")
        for mark, at in walk.ends
        if not (at and walk.named[at - 1].is_default)
    ]
    candidates += [
        (mark, at, mark.text, mark.text) for mark, at in walk.literals if cues.is_default(mark)
    ]
    for mark, at, default, quote in candidates:
        fields = [n.spot for n in walk.named[:at] if n.spot.role is SpotRole.FIELD]
        if fields and default is not None:
            owner, name = field_owner(walk.spots.catalogue, fields[-1].field)
            is_number = owner.resource.fields[name].kind == "number"
            value = int(default) if is_number else default
            yield Claim(facet=Facet.DEFAULT, mark=mark, quote=quote or mark.sentence.text,
                        role=SpotRole.FIELD, path=fields[-1].field, value=value)  # fmt: skip


def _of_words(walk: ReaderPosition) -> Iterator[Claim]:
    """Fields of the forms that are named in passing, without a mark."""
    marked = {n.spot.field for n in walk.named}
    language = walk.procedure.language
    forms = dict.fromkeys(n.spot.context for n in walk.named if n.spot.context.startswith("form:"))
    for spot in [spot for form in forms for spot in walk.spots.by_context[form]]:
        text = spot.text.in_language(language)
        if spot.role is not SpotRole.FIELD or spot.field in marked or text in ("Name", "名称"):
            continue
        for mark, _ in walk.ends:
            if mark.step and cues.mentions(mark.sentence.text, text):
                yield (label := Claim(facet=Facet.LABEL, mark=mark, quote=text, role=SpotRole.FIELD,
                                      path=spot.path, text=text, is_weak=True))  # fmt: skip
                yield replace(label, facet=Facet.SHOWN, path=spot.field)
                break


def _of_permissions(walk: ReaderPosition) -> Iterator[Claim]:
    """Everything that is done may be done; it shows at the latest where it is sent."""
    for named in walk.named:
        spot = named.spot
        if spot.role is not SpotRole.ACTION or named.mark.is_remark:
            continue
        ends = [
            n for n in walk.named if n.spot.role is SpotRole.SUBMIT and n.spot.context == spot.to
        ]
        done = f"done:{spot.to.partition(':')[2]}"
        after = [n for n in walk.named if n.spot.context == done]
        at = ends[0] if ends else named
        lines = tuple(n.mark.line for n in (named, *after) if n.mark.line != at.mark.line)
        kind, _, name = spot.to.partition(":")[2].partition(".")
        service = walk.spots.service_of[kind]
        path = f"{service}.resources.{kind}.actions.{name}"
        yield Claim(facet=Facet.PERMITTED, mark=at.mark, quote=at.mark.text, role=at.spot.role,
                    path=path, instead=lines)  # fmt: skip


def of_form(context: str, walk: ReaderPosition) -> Iterator[Claim]:
    """What the text says of a form: its steps, their order, and what is sent with it."""
    kind, _, name = context.partition(":")[2].partition(".")
    located = walk.spots.catalogue.resource(kind)
    form = located.resource.actions[name].form
    path = f"{located.service}.resources.{kind}.actions.{name}"
    inside = [n for n in walk.named if n.spot.context == context and not n.mark.is_remark]
    sends = [n for n in inside if n.spot.role is SpotRole.SUBMIT]
    is_wizard = form is not None and form.layout == "wizard"
    step_of = {f: s.id for s in form.steps for f in s.fields} if form and is_wizard else {}
    first: dict[str, ResolvedMark] = {}
    for named in inside:
        step = step_of.get(_name(named)) or _step_named(named)
        if is_wizard and step:
            first.setdefault(step, named)
            if named.spot.role is SpotRole.FIELD:
                yield Claim(
                    facet=Facet.STEP, mark=named.mark, quote=named.mark.text, role=SpotRole.FIELD,
                    path=named.spot.field, place=step, action=path,
                    instead=_leads_on_before(named, walk),
                )  # fmt: skip
    yield from _orders(first, path)
    if form is not None and sends:
        yield from _completes(context, walk, path, inside, sends)


def _name(named: ResolvedMark) -> str:
    return named.spot.field.rpartition(".")[2] if named.spot.role is SpotRole.FIELD else ""


def _step_named(named: ResolvedMark) -> str:
    return named.spot.thing.rpartition(".")[2] if named.spot.role is SpotRole.STEP else ""


def _leads_on_before(named: ResolvedMark, walk: ReaderPosition) -> tuple[int, ...]:
    """Lines of the clicks on "Next" before a mark: there a field that comes earlier is missed."""
    before = walk.named[: walk.named.index(named)]
    return tuple(n.mark.line for n in before if n.spot.path == "console.texts.next")


def _orders(first: dict[str, ResolvedMark], path: str) -> Iterator[Claim]:
    """Each step comes after those that the text names before it."""
    steps = sorted(first, key=lambda step: (first[step].mark.line, first[step].mark.column))
    for number, step in enumerate(steps):
        for other in steps:
            if other != step:
                is_before = steps.index(other) < number
                yield Claim(
                    facet=Facet.ORDER, mark=first[step].mark, quote=first[step].mark.text,
                    role=SpotRole.STEP, path=f"{path}.form.steps.{step}", place=other,
                    value=is_before, action=path,
                    instead=(first[other].mark.line,),
                )  # fmt: skip


def _completes(
    context: str,
    walk: ReaderPosition,
    path: str,
    inside: list[ResolvedMark],
    sends: list[ResolvedMark],
) -> Iterator[Claim]:
    """The form is complete where it is sent; in a wizard each "Next" sends one step."""
    kind, _, name = context.partition(":")[2].partition(".")
    catalogue = walk.spots.catalogue
    form = catalogue.resource(kind).resource.actions[name].form
    assert form is not None  # noqa: S101 - the caller looked
    given = {_name(n): n for n in inside if n.spot.role is SpotRole.FIELD}
    given_at_all = frozenset(given) | _filled_reference(context, walk) | _in_words(context, walk)
    sure = frozenset(f for f, n in given.items() if not _may_be_left(n, catalogue))
    chosen = tuple(_chosen_values(inside, catalogue))
    clicks = [n for n in walk.named if n.spot.path == "console.texts.next" and n.mark.step]
    sent: list[tuple[ResolvedMark, tuple[str, ...]]] = [(sends[0], ())]
    if form.layout == "wizard" and len(clicks) == len(form.steps) - 1:
        sent = [(click, (step.id,)) for click, step in zip(clicks, form.steps, strict=False)]
        sent.append((sends[0], (form.steps[-1].id,)))
    lines = tuple(n.mark.line for n, _ in sent)
    for click, steps in sent:
        yield Claim(
            facet=Facet.COMPLETE, mark=click.mark, quote=click.mark.text, role=click.spot.role,
            path=path, action=path, given=given_at_all, chosen=chosen, steps=steps,
        )  # fmt: skip
    for field, named in given.items():
        if field not in sure:
            yield Claim(facet=Facet.OPTIONAL, mark=named.mark, quote=named.mark.text,
                        role=SpotRole.FIELD, path=named.spot.field,
                        instead=(*named.mark.lines, *lines),
                        is_weak=cues.says_for_whom(named.mark.sentence.text))  # fmt: skip


def _may_be_left(named: ResolvedMark, catalogue: Catalogue) -> bool:
    """Whether the text leaves a field to the reader, where the console does as well."""
    if cues.says_optional(named.mark.sentence.text):
        return True
    is_left = named.mark.is_optional or cues.says_for_whom(named.mark.sentence.text)
    owner, name = field_owner(catalogue, named.spot.field)
    return is_left and not owner.resource.fields[name].required


def _in_words(context: str, walk: ReaderPosition) -> frozenset[str]:
    """Fields that the steps name without marking them: "Select the network and the subnet."."""
    kind = kind_of(context)
    text = " ".join(mark.sentence.text for mark, _ in walk.ends if mark.step)
    language = walk.procedure.language
    fields = walk.spots.catalogue.resource(kind).resource.fields
    return frozenset(
        f for f, s in fields.items() if cues.mentions(text, s.label.in_language(language))
    )


def _chosen_values(inside: list[ResolvedMark], catalogue: Catalogue) -> Iterator[tuple[str, Value]]:
    for named in inside:
        spot = named.spot
        if spot.role is SpotRole.OPTION and not named.is_default:
            yield spot.field.rpartition(".")[2], spot.thing.partition(".options.")[2]
        if spot.role is SpotRole.FIELD:
            owner, name = field_owner(catalogue, spot.field)
            if owner.resource.fields[name].kind == "boolean":
                is_on = cues.switch_in(named.mark.sentence.text)
                if is_on is not None and not named.mark.is_optional:
                    yield name, is_on


def _filled_reference(context: str, walk: ReaderPosition) -> frozenset[str]:
    """The reference that is filled in when a form is opened from the page of another item."""
    kind = kind_of(context)
    resource = walk.spots.catalogue.resource(kind).resource
    for named in walk.named:
        if named.spot.to == context and named.spot.role is SpotRole.ACTION:
            other = kind_of(named.spot.context)
            if other != kind:
                return frozenset(
                    f for f, spec in resource.fields.items() if spec.refers_to == other
                )
    return frozenset()


def of_confirmation(context: str, walk: ReaderPosition) -> Iterator[Claim]:
    """What the text says has to be done before a dialog lets something happen."""
    kind, _, name = context.partition(":")[2].partition(".")
    located = walk.spots.catalogue.resource(kind)
    path = f"{located.service}.resources.{kind}.actions.{name}"
    inside = [n for n in walk.named if n.spot.context == context and not n.mark.is_remark]
    typed = _typing_mark(inside, walk)
    for send in [n for n in inside if n.spot.role is SpotRole.SUBMIT][:1]:
        given = {"name"} if typed else set()
        given |= {"acknowledge"} if any(n.spot.role is SpotRole.TICK for n in inside) else set()
        yield Claim(facet=Facet.CONFIRMED, mark=send.mark, quote=send.mark.text,
                    role=SpotRole.SUBMIT, path=path, given=frozenset(given))  # fmt: skip
    if typed is not None:
        yield Claim(
            facet=Facet.NAMED, mark=typed, quote=typed.sentence.text, role=SpotRole.TITLE, path=path
        )


def _typing_mark(inside: list[ResolvedMark], walk: ReaderPosition) -> TextMark | None:
    """The end of the sentence that tells to type the name, at the dialog or just after it."""
    steps = {n.mark.step for n in inside}
    for mark, _ in walk.ends:
        if mark.step in steps and cues.types_name(mark.sentence.text):
            return mark
    return None
