"""Rules that put another label in the place of one that the console bears."""

from collections.abc import Iterator
from random import Random

from appliance.benchmark.drift.claim import Claim, Facet, field_owner
from appliance.benchmark.drift.spots import SpotRole
from appliance.benchmark.invented.untruth import InventedUntruth
from appliance.benchmark.invented.wording import Sheet, wording
from appliance.core.claims import ClaimKind
from appliance.practice.catalogue import Catalogue

_KINDS = {
    SpotRole.ACTION: ClaimKind.CONTROL,
    SpotRole.SUBMIT: ClaimKind.CONTROL,
    SpotRole.TICK: ClaimKind.CONTROL,
    SpotRole.MENU: ClaimKind.MENU_PATH,
    SpotRole.NAV: ClaimKind.MENU_PATH,
    SpotRole.FIELD: ClaimKind.FIELD,
    SpotRole.OPTION: ClaimKind.OPTION,
    SpotRole.STATE: ClaimKind.STATE,
    SpotRole.MESSAGE: ClaimKind.MESSAGE,
    SpotRole.TITLE: ClaimKind.TITLE,
    SpotRole.STEP: ClaimKind.PLACE,
    SpotRole.TAB: ClaimKind.PLACE,
    SpotRole.COLUMN: ClaimKind.ROW,
}
"""What an untrue label is called, by what it names."""


def relabelled(
    sheet: Sheet, catalogue: Catalogue, taken: frozenset[str], random: Random
) -> Iterator[tuple[str, InventedUntruth]]:
    """Every label that can be replaced, with the rule.

    Args:
        sheet: The procedure in its document.
        catalogue: What the console offers.
        taken: What the console says somewhere: no invented label.
        random: Draws.
    """
    defaults = {
        (c.mark.line, c.mark.column): c for c in sheet.read.claims if c.facet is Facet.DEFAULT
    }
    for claim in sheet.read.claims:
        if claim.facet is not Facet.LABEL or claim.role not in _KINDS:
            continue
        place = sheet.place_of_label(claim.quote, claim.mark.line, claim.mark.column)
        if place is None:
            continue
        default = defaults.get((claim.mark.line, claim.mark.column))
        if default is not None and claim.role is SpotRole.OPTION:
            kind, rule, text = (
                ClaimKind.DEFAULT,
                "another default",
                _other_option(default, sheet, catalogue),
            )
            why = f"the default is {claim.quote}"
        else:
            kind, rule = _KINDS[claim.role], f"another {claim.role}"
            text = _invented_label(kind, sheet.language, taken, random)
            why = f"it is called {claim.quote}"
        if text:
            yield (
                rule,
                InventedUntruth(
                    id=f"{rule} at {claim.mark.line}:{claim.mark.column}",
                    document=sheet.read.document,
                    kind=kind,
                    part="seen",
                    origin="rule",
                    start=place[0],
                    end=place[1],
                    text=text,
                    words=text,
                    why=why,
                ),
            )


def _invented_label(kind: ClaimKind, language: str, taken: frozenset[str], random: Random) -> str:
    names = [n for n in wording().names[kind][language] if n.casefold() not in taken]
    return random.choice(names)


def _other_option(claim: Claim, sheet: Sheet, catalogue: Catalogue) -> str:
    """Another option of a field than its default."""
    located, name = field_owner(catalogue, claim.path)
    field = located.resource.fields[name]
    others = [
        o.label.in_language(sheet.language) for o in field.options if o.value != field.default
    ]
    return others[0] if others else ""
