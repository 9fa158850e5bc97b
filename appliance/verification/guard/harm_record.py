"""What the attempts of a procedure may have done, kept where the next process finds it."""

from collections.abc import Callable, Iterable, Iterator

from appliance.core.harm import Deed
from appliance.store.deeds import DeedTable


def _nowhere(deeds: frozenset[Deed]) -> None:
    pass


class HarmRecord:
    """Of one procedure in one run."""

    def __init__(
        self, deeds: Iterable[Deed] = (), keep: Callable[[frozenset[Deed]], None] = _nowhere
    ) -> None:
        self._deeds = frozenset(deeds)
        self._keep = keep

    @classmethod
    def kept(cls, table: DeedTable, run_id: str, procedure_id: str) -> "HarmRecord":
        """As an earlier process left it, and kept on."""
        return cls(
            table.of(run_id, procedure_id), lambda deeds: table.keep(run_id, procedure_id, deeds)
        )

    def __iter__(self) -> Iterator[Deed]:
        return iter(self._deeds)

    def add(self, deed: Deed) -> None:
        """It may be done from now on."""
        self._become(self._deeds | {deed})

    def discard(self, deed: Deed) -> None:
        """It was not done after all."""
        self._become(self._deeds - {deed})

    def _become(self, deeds: frozenset[Deed]) -> None:
        if deeds != self._deeds:
            self._keep(deeds)
            self._deeds = deeds
