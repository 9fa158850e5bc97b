"""What procedures need that is made once for several, as far as a plan can know it ahead."""

from collections.abc import Mapping
from functools import cached_property

from appliance.config import Settings
from appliance.documents import ProcedureOutline
from appliance.environment.modules import Catalogue, Module, module_folders
from appliance.environment.needs import shared_by


class SharedNeeds:
    """Of the procedures of one console, by what their checks say that they need.

    What only the text of a procedure tells is found out when its turn comes.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: dict[tuple[str, ...], str] = {(): ""}

    def of(self, procedure: ProcedureOutline) -> str:
        """Equal for those that share the same; empty: it shares nothing, or nobody knows."""
        needs = procedure.needs
        if needs not in self._known:
            self._known[needs] = " ".join(sorted(shared_by(needs, self._modules)))
        return self._known[needs]

    @cached_property
    def _modules(self) -> Mapping[str, Module]:
        catalogue = Catalogue.load(module_folders(self._settings))
        return catalogue.of(self._settings.consoles[self._settings.console].kind)
