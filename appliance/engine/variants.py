"""The matrix of a sweep: a procedure in each language, role and region that the settings name."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from appliance.config import SweepSettings
from appliance.core.procedure import Procedure
from appliance.documents import ProcedureOutline


@dataclass(frozen=True, slots=True)
class Variant:
    """One cell of the matrix for one procedure."""

    locale: str
    """Empty: left to the console's settings and the document."""
    role: str
    """Empty: left to the checks, else the default account."""
    region: str
    """Empty: that of whatever account it gets."""
    words: tuple[str, ...]
    """What tells it from the procedure's other cells; none where there is one only."""

    def id_of(self, procedure: Procedure | ProcedureOutline) -> str:
        """The id of its result, which differs from cell to cell."""
        return f"{procedure.id}@{','.join(self.words)}" if self.words else procedure.id

    def title_of(self, procedure: Procedure | ProcedureOutline) -> str:
        """The same for people."""
        return f"{procedure.title} ({', '.join(self.words)})" if self.words else procedure.title

    def of(self, procedure: Procedure) -> Procedure:
        """The procedure as it is to be carried out."""
        checks = procedure.checks
        return replace(
            procedure,
            id=self.id_of(procedure),
            title_path=(*procedure.title_path[:-1], self.title_of(procedure)),
            checks=replace(checks, account=self.role) if self.role else checks,
        )


def variants(procedure: ProcedureOutline, settings: SweepSettings) -> Iterator[Variant]:
    """The cells; none where its text is in a language that the settings do not name.

    A text is not held against a console in another language: every label would be untrue.
    """
    locales = [name for name in settings.locales if _language(name) == procedure.language]
    if settings.locales and not locales:
        return
    roles = settings.roles if settings.roles and not procedure.account else ("",)
    regions = settings.regions or ("",)
    for locale, role, region in product(locales or [""], roles, regions):
        several = ((locale, locales), (role, roles), (region, regions))
        words = tuple(word for word, all_of_them in several if len(all_of_them) > 1)
        yield Variant(locale, role, region, words)


def _language(locale: str) -> str:
    return locale.replace("_", "-").partition("-")[0].casefold()
