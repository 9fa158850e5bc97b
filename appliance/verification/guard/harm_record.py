"""What the attempts of a procedure may have done, kept where the next process finds it."""

from collections.abc import Callable, Iterable, Iterator

from appliance.core.harm import Harm, HarmfulAction
from appliance.language.harm_words import MAKES
from appliance.store.attempts import HarmfulActionTable


def _nowhere(deeds: frozenset[HarmfulAction]) -> None:
    pass


class HarmRecord:
    """Of one procedure in one run."""

    def __init__(
        self,
        deeds: Iterable[HarmfulAction] = (),
        keep: Callable[[frozenset[HarmfulAction]], None] = _nowhere,
    ) -> None:
        self._deeds = frozenset(deeds)
        self._keep = keep

    @classmethod
    def kept(cls, table: HarmfulActionTable, run_id: str, procedure_id: str) -> "HarmRecord":
        """As an earlier process left it, and kept on."""
        return cls(
            table.of(run_id, procedure_id), lambda deeds: table.keep(run_id, procedure_id, deeds)
        )

    def __iter__(self) -> Iterator[HarmfulAction]:
        return iter(self._deeds)

    def add(self, deed: HarmfulAction) -> None:
        """It may be done from now on."""
        self.become(self._deeds | {deed})

    def discard(self, deed: HarmfulAction) -> None:
        """It was not done after all."""
        self.become(self._deeds - {deed})

    def forget_made(self) -> None:
        """What attempts have made is deleted again, for certain: it may be made anew."""
        made = {
            deed
            for deed in self._deeds
            if deed.harm is Harm.IDENTITY and not deed.things and MAKES.search(deed.control)
        }
        self.become(self._deeds - made)

    def become(self, deeds: frozenset[HarmfulAction]) -> None:
        """These are all that may have been done. It blocks where they are kept."""
        if deeds != self._deeds:
            self._keep(deeds)
            self._deeds = deeds
