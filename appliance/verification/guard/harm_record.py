"""What the attempts of a procedure may have done, kept where the next process finds it."""

from collections.abc import Callable, Iterable, Iterator

from appliance.core.harm import Harm, HarmfulAction
from appliance.language.harm_words import MAKES
from appliance.store.attempts import HarmfulActionTable


def _discard_record(deeds: frozenset[HarmfulAction]) -> None:
    pass


class HarmRecord:
    """The harmful actions that attempts of one procedure may have done in one run."""

    def __init__(
        self,
        deeds: Iterable[HarmfulAction] = (),
        save: Callable[[frozenset[HarmfulAction]], None] = _discard_record,
    ) -> None:
        self._deeds = frozenset(deeds)
        self._save = save

    @classmethod
    def load(cls, table: HarmfulActionTable, run_id: str, procedure_id: str) -> "HarmRecord":
        """Load the record from the store; later changes are written back."""
        return cls(
            table.of(run_id, procedure_id), lambda deeds: table.keep(run_id, procedure_id, deeds)
        )

    def __iter__(self) -> Iterator[HarmfulAction]:
        return iter(self._deeds)

    def add(self, deed: HarmfulAction) -> None:
        """Record an action just before it is done: it may have happened from now on."""
        self.replace(self._deeds | {deed})

    def discard(self, deed: HarmfulAction) -> None:
        """Remove an action that was not done after all."""
        self.replace(self._deeds - {deed})

    def forget_made(self) -> None:
        """Forget creations once they are certainly deleted, so that they may be created again."""
        creations = {
            action
            for action in self._deeds
            if action.harm is Harm.IDENTITY and not action.things and MAKES.search(action.control)
        }
        self.replace(self._deeds - creations)

    def replace(self, deeds: frozenset[HarmfulAction]) -> None:
        """Set all actions that may have been done. Blocks on the store, if there is one."""
        if deeds != self._deeds:
            self._save(deeds)
            self._deeds = deeds
