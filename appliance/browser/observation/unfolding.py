"""Which rows of long tables and lists were asked for."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from appliance.browser.observation.identity import Handle

ROWS_AT_ONCE = 100
_RANGE = re.compile(r"\s*(\d{1,7})\s*[-–—~～至到]\s*(\d{1,7})\s*")


@dataclass(frozen=True, slots=True)
class RowRange:
    """Rows by their numbers, from 1."""

    first: int
    last: int

    def for_observer(self) -> dict[str, object]:
        """As the observer takes it."""
        return {"from": self.first, "to": self.last}


@dataclass(frozen=True, slots=True)
class RowSearch:
    """Rows that hold these words."""

    containing: str

    def for_observer(self) -> dict[str, object]:
        """As the observer takes it."""
        return {"containing": self.containing}


Wanted = RowRange | RowSearch


def parse_unfold(text: str) -> Wanted | str:
    """What the text of an `unfold` action asks for; a sentence where it is nothing."""
    if not text.strip():
        return 'say which rows to unfold: "51-100", or words that a row holds'
    if not (match := _RANGE.fullmatch(text)):
        return RowSearch(text.strip())
    first, last = max(1, int(match[1])), int(match[2])
    if last < first:
        return f"rows {first}-{last} are none: the first must not come after the last"
    if last - first >= ROWS_AT_ONCE:
        return f"{last - first + 1} rows are too many: at most {ROWS_AT_ONCE} can be unfolded"
    return RowRange(first, last)


class UnfoldRequests:
    """The asks of one tab, by the fold's number; of every fold only the last counts."""

    def __init__(self) -> None:
        self._asks: dict[int, Wanted] = {}

    def ask(self, fold: int, wanted: Wanted) -> None:
        """Have these rows in the observations to come."""
        self._asks[fold] = wanted

    def options(self, handle_of: Callable[[int], Handle | None]) -> dict[str, dict[str, object]]:
        """The observer's options for every frame, by its id."""
        frames: dict[str, dict[str, object]] = {}
        for number, ask in self._asks.items():
            handle = handle_of(number)
            if handle is not None:
                option = frames.setdefault(
                    handle.frame, {"document": handle.document, "unfold": {}}
                )
                unfold = option["unfold"]
                assert isinstance(unfold, dict)  # noqa: S101 - made above
                unfold[str(handle.local)] = [ask.for_observer()]
        return frames
