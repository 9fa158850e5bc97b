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
    claims = [claim for named in walk.named for claim in _mark_claims(named, walk)]
    claims += _default_claims(walk)
    for context in dict.fromkeys(named.spot.context for named in walk.named):
        if context.startswith("form:"):
            claims += form_claims(context, walk)
        elif context.startswith("confirm:"):
            claims += confirmation_claims(context, walk)
    claims += _permission_claims(walk)
    claims += _unmarked_field_claims(walk)
    return sorted(claims, key=lambda claim: (claim.mark.line, claim.mark.column))


def _mark_claims(named: ResolvedMark, walk: ReaderPosition) -> Iterator[Claim]:
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
    position = walk.named.index(named)
    previous = walk.named[position - 1].spot if position else None
    if previous is None or walk.named[position - 1].mark.line != named.mark.line:
        return None
    if previous.role in (SpotRole.CATEGORY, SpotRole.GROUP):
        return previous.path.removesuffix(".label").rpartition(".")[2]
    return None


def _default_claims(walk: ReaderPosition) -> Iterator[Claim]:
    """Defaults of fields that a sentence names without marking a value, and what is optional."""
    candidates: list[tuple[TextMark, int, int | str | None, str]] = [
        (mark, position, cues.default_said(mark.sentence.text), "")
        for mark, position in walk.ends
        if not (position and walk.named[position - 1].is_default)
    ]
    candidates += [
        (mark, position, mark.text, mark.text)
        for mark, position in walk.literals
        if cues.is_default(mark)
    ]
    for mark, position, default, quote in candidates:
        fields = [n.spot for n in walk.named[:position] if n.spot.role is SpotRole.FIELD]
        if fields and default is not None:
            owner, name = field_owner(walk.spots.catalogue, fields[-1].field)
            is_number = owner.resource.fields[name].kind == "number"
            value = int(default) if is_number else default
            yield Claim(facet=Facet.DEFAULT, mark=mark, quote=quote or mark.sentence.text,
                        role=SpotRole.FIELD, path=fields[-1].field, value=value)  # fmt: skip


def _unmarked_field_claims(walk: ReaderPosition) -> Iterator[Claim]:
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


def _permission_claims(walk: ReaderPosition) -> Iterator[Claim]:
    """Everything that is done may be done; it shows at the latest where it is sent."""
    for named in walk.named:
        spot = named.spot
        if spot.role is not SpotRole.ACTION or named.mark.is_remark:
            continue
        ends = [
            n for n in walk.named if n.spot.role is SpotRole.SUBMIT and n.spot.context == spot.to
        ]
        done = f"done:{spot.to.partition(':')[2]}"
        followed_by = [n for n in walk.named if n.spot.context == done]
        shown_at = ends[0] if ends else named
        lines = tuple(
            n.mark.line for n in (named, *followed_by) if n.mark.line != shown_at.mark.line
        )
        kind, _, name = spot.to.partition(":")[2].partition(".")
        service = walk.spots.service_of[kind]
        path = f"{service}.resources.{kind}.actions.{name}"
        yield Claim(facet=Facet.PERMITTED, mark=shown_at.mark, quote=shown_at.mark.text,
                    role=shown_at.spot.role, path=path, instead=lines)  # fmt: skip


def form_claims(context: str, walk: ReaderPosition) -> Iterator[Claim]:
    """What the text says of a form: its steps, their order, and what is sent with it."""
    kind, _, name = context.partition(":")[2].partition(".")
    located = walk.spots.catalogue.resource(kind)
    form = located.resource.actions[name].form
    path = f"{located.service}.resources.{kind}.actions.{name}"
    form_marks = [n for n in walk.named if n.spot.context == context and not n.mark.is_remark]
    submit_marks = [n for n in form_marks if n.spot.role is SpotRole.SUBMIT]
    is_wizard = form is not None and form.layout == "wizard"
    step_of = {f: s.id for s in form.steps for f in s.fields} if form and is_wizard else {}
    first_mark_of_step: dict[str, ResolvedMark] = {}
    for named in form_marks:
        step = step_of.get(_field_name(named)) or _step_name(named)
        if is_wizard and step:
            first_mark_of_step.setdefault(step, named)
            if named.spot.role is SpotRole.FIELD:
                yield Claim(
                    facet=Facet.STEP, mark=named.mark, quote=named.mark.text, role=SpotRole.FIELD,
                    path=named.spot.field, place=step, action=path,
                    instead=_next_clicks_before(named, walk),
                )  # fmt: skip
    yield from _order_claims(first_mark_of_step, path)
    if form is not None and submit_marks:
        yield from _completeness_claims(context, walk, path, form_marks, submit_marks)


def _field_name(named: ResolvedMark) -> str:
    return named.spot.field.rpartition(".")[2] if named.spot.role is SpotRole.FIELD else ""


def _step_name(named: ResolvedMark) -> str:
    return named.spot.thing.rpartition(".")[2] if named.spot.role is SpotRole.STEP else ""


def _next_clicks_before(named: ResolvedMark, walk: ReaderPosition) -> tuple[int, ...]:
    """Lines of the clicks on "Next" before a mark: there a field that comes earlier is missed."""
    before = walk.named[: walk.named.index(named)]
    return tuple(n.mark.line for n in before if n.spot.path == "console.texts.next")


def _order_claims(first: dict[str, ResolvedMark], path: str) -> Iterator[Claim]:
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


def _completeness_claims(
    context: str,
    walk: ReaderPosition,
    path: str,
    form_marks: list[ResolvedMark],
    submit_marks: list[ResolvedMark],
) -> Iterator[Claim]:
    """The form is complete where it is sent; in a wizard each "Next" sends one step."""
    kind, _, name = context.partition(":")[2].partition(".")
    catalogue = walk.spots.catalogue
    form = catalogue.resource(kind).resource.actions[name].form
    assert form is not None  # noqa: S101 - the caller looked
    given_fields = {_field_name(n): n for n in form_marks if n.spot.role is SpotRole.FIELD}
    all_given = (
        frozenset(given_fields)
        | _prefilled_reference(context, walk)
        | _fields_in_words(context, walk)
    )
    surely_given = frozenset(
        f for f, n in given_fields.items() if not _may_stay_empty(n, catalogue)
    )
    chosen = tuple(_chosen_values(form_marks, catalogue))
    clicks = [n for n in walk.named if n.spot.path == "console.texts.next" and n.mark.step]
    submissions: list[tuple[ResolvedMark, tuple[str, ...]]] = [(submit_marks[0], ())]
    if form.layout == "wizard" and len(clicks) == len(form.steps) - 1:
        submissions = [(click, (step.id,)) for click, step in zip(clicks, form.steps, strict=False)]
        submissions.append((submit_marks[0], (form.steps[-1].id,)))
    lines = tuple(n.mark.line for n, _ in submissions)
    for click, steps in submissions:
        yield Claim(
            facet=Facet.COMPLETE, mark=click.mark, quote=click.mark.text, role=click.spot.role,
            path=path, action=path, given=all_given, chosen=chosen, steps=steps,
        )  # fmt: skip
    for field, named in given_fields.items():
        if field not in surely_given:
            yield Claim(facet=Facet.OPTIONAL, mark=named.mark, quote=named.mark.text,
                        role=SpotRole.FIELD, path=named.spot.field,
                        instead=(*named.mark.lines, *lines),
                        is_weak=cues.says_for_whom(named.mark.sentence.text))  # fmt: skip


def _may_stay_empty(named: ResolvedMark, catalogue: Catalogue) -> bool:
    """Whether the text leaves a field to the reader, where the console does as well."""
    if cues.says_optional(named.mark.sentence.text):
        return True
    is_left = named.mark.is_optional or cues.says_for_whom(named.mark.sentence.text)
    owner, name = field_owner(catalogue, named.spot.field)
    return is_left and not owner.resource.fields[name].required


def _fields_in_words(context: str, walk: ReaderPosition) -> frozenset[str]:
    """Fields that the steps name without marking them: "Select the network and the subnet."."""
    kind = kind_of(context)
    text = " ".join(mark.sentence.text for mark, _ in walk.ends if mark.step)
    language = walk.procedure.language
    fields = walk.spots.catalogue.resource(kind).resource.fields
    return frozenset(
        f for f, s in fields.items() if cues.mentions(text, s.label.in_language(language))
    )


def _chosen_values(
    form_marks: list[ResolvedMark], catalogue: Catalogue
) -> Iterator[tuple[str, Value]]:
    for named in form_marks:
        spot = named.spot
        if spot.role is SpotRole.OPTION and not named.is_default:
            yield spot.field.rpartition(".")[2], spot.thing.partition(".options.")[2]
        if spot.role is SpotRole.FIELD:
            owner, name = field_owner(catalogue, spot.field)
            if owner.resource.fields[name].kind == "boolean":
                is_on = cues.switch_in(named.mark.sentence.text)
                if is_on is not None and not named.mark.is_optional:
                    yield name, is_on


def _prefilled_reference(context: str, walk: ReaderPosition) -> frozenset[str]:
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


def confirmation_claims(context: str, walk: ReaderPosition) -> Iterator[Claim]:
    """What the text says has to be done before a dialog lets something happen."""
    kind, _, name = context.partition(":")[2].partition(".")
    located = walk.spots.catalogue.resource(kind)
    path = f"{located.service}.resources.{kind}.actions.{name}"
    dialog_marks = [n for n in walk.named if n.spot.context == context and not n.mark.is_remark]
    typing_mark = _typing_mark(dialog_marks, walk)
    for submit_mark in [n for n in dialog_marks if n.spot.role is SpotRole.SUBMIT][:1]:
        fields = {"name"} if typing_mark else set()
        fields |= (
            {"acknowledge"} if any(n.spot.role is SpotRole.TICK for n in dialog_marks) else set()
        )
        yield Claim(facet=Facet.CONFIRMED, mark=submit_mark.mark, quote=submit_mark.mark.text,
                    role=SpotRole.SUBMIT, path=path, given=frozenset(fields))  # fmt: skip
    if typing_mark is not None:
        yield Claim(
            facet=Facet.NAMED,
            mark=typing_mark,
            quote=typing_mark.sentence.text,
            role=SpotRole.TITLE,
            path=path,
        )


def _typing_mark(dialog_marks: list[ResolvedMark], walk: ReaderPosition) -> TextMark | None:
    """The end of the sentence that tells to type the name, at the dialog or just after it."""
    steps = {n.mark.step for n in dialog_marks}
    for mark, _ in walk.ends:
        if mark.step in steps and cues.types_name(mark.sentence.text):
            return mark
    return None
