"""What a procedure claims of forms and confirmations: their steps, and what is sent with them."""

from collections.abc import Iterator

from appliance.benchmark.drift import cues
from appliance.benchmark.drift.claim import Claim, Facet, field_owner
from appliance.benchmark.drift.marks import TextMark
from appliance.benchmark.drift.spots import SpotRole, kind_of
from appliance.benchmark.drift.walk import ReaderPosition, ResolvedMark
from appliance.practice.catalogue import Catalogue, Value


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
