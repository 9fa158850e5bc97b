"""The other way round: what the console has, and no document names."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.core.page import TextKind
from appliance.language.names import key, singular_of
from appliance.store.labels import ConsoleLabel

_NOT_USED = frozenset({"option", *(kind.value for kind in TextKind)})
"""Roles of what nobody acts on; and values are told by the field that offers them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undocumented:
    """A control that no document names."""

    name: str
    role: str
    page: str
    """The first that has it."""
    dialog: str
    parent: str
    places: int
    """How many have it."""


class UndocumentedControls:
    """Controls that no text has named so far."""

    def __init__(self, labels: Iterable[ConsoleLabel]) -> None:
        self._places: dict[str, list[ConsoleLabel]] = defaultdict(list)
        for label in labels:
            if label.role not in _NOT_USED:
                self._places[key(label.name)].append(label)
        self._words = {
            name: frozenset(filter(str.isascii, _words(places[0].name)))
            for name, places in self._places.items()
        }

    def see(self, text: str) -> None:
        """What the text names is documented, however it is marked."""
        words = _words(text)
        word_set, joined_words = frozenset(words), "".join(words)  # as `key` makes it of a name
        for name in [
            control_name
            for control_name, control_words in self._words.items()
            if control_words <= word_set
        ]:
            if name in joined_words:
                del self._words[name]

    def undocumented(self) -> tuple[Undocumented, ...]:
        """What no text named, page by page."""
        controls = (_undocumented(self._places[name]) for name in self._words)
        return tuple(
            sorted(
                controls,
                key=lambda control: (control.page, control.dialog, control.parent, control.name),
            )
        )


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("&", "and")
    return [singular_of(word) for word in re.split(r"[\W_]+", plain) if word]


def _undocumented(places: Sequence[ConsoleLabel]) -> Undocumented:
    first = places[0]
    return Undocumented(
        name=first.name,
        role=first.role,
        page=first.page,
        dialog=first.dialog,
        parent=first.parent,
        places=len({label.place for label in places}),
    )
