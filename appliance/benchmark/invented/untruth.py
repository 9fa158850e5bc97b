"""One false statement: where it is written into a document, and which of its words are untrue."""

import re
from dataclasses import dataclass
from typing import Literal

from appliance.core.claims import ClaimKind
from appliance.core.errors import SetupError

Part = Literal["seen", "held-out"]
"""Held out: nobody who works on the reader looks at it."""
Origin = Literal["hand", "rule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventedUntruth:
    """An edit of a document that makes one statement in it false."""

    id: str
    document: str
    """File name in the documentation folder."""
    kind: ClaimKind
    part: Part
    origin: Origin
    start: int
    end: int
    """The characters of the document that are replaced; none where something is added."""
    text: str
    """What stands there afterwards."""
    words: str
    """Those in it that are untrue: a sentence may name what is there, and say what is wrong."""
    why: str
    """What the product data says instead."""

    @property
    def source(self) -> str:
        """Where it comes from: `seen`, `held-out`, `rule`."""
        return self.part if self.origin == "hand" else self.origin

    @property
    def language(self) -> str:
        """`en` or `zh`."""
        return "zh" if ".zh." in self.document else "en"

    @property
    def format(self) -> str:
        """How the document is written."""
        return {"md": "Markdown", "rst": "RST", "html": "HTML"}[self.document.rpartition(".")[2]]

    @property
    def words_at(self) -> int:
        """Where the untrue words begin in `text`."""
        start = self.text.find(self.words)
        if start < 0 or not self.words.strip():
            raise SetupError(f"{self.id}: {self.words!r} is not in {self.text!r}")
        return start


def place_of(source: str, anchor: str, section: str) -> tuple[int, int]:
    """Where words stand in a document, however its lines are broken.

    Args:
        source: The document.
        anchor: The words.
        section: Words before which they are not looked for; empty: from the beginning, and then
            they must not stand there twice.

    Raises:
        SetupError: They are not there, or more than once.
    """
    first = source.find(section)
    matches = list(_pattern(anchor).finditer(source, max(first, 0)))
    if first < 0 or not matches or (len(matches) > 1 and not section):
        raise SetupError(f"{len(matches)} places say {anchor!r} (section {section!r})")
    return matches[0].span()


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(re.escape(word) for word in words.split()))
