"""What a procedure claims of the console, as statements that product data can be held against."""

from collections.abc import Iterator
from dataclasses import replace

from appliance.benchmark.drift import cues
from appliance.benchmark.drift.claim import Claim, Facet, field_owner
from appliance.benchmark.drift.form_claims import of_confirmation, of_form
from appliance.benchmark.drift.marks import TextMark
from appliance.benchmark.drift.spots import Spot, SpotRole
from appliance.benchmark.drift.walk import ReaderPosition, ResolvedMark
from appliance.practice.catalogue import Catalogue


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
