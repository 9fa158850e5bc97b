"""Check that an edited document differs from the original only in the edited words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass

from appliance.core.procedure import Document, InlineRole, Procedure
from appliance.core.source import Span
from appliance.documents._marks import ARROW

_MOST_READINGS = 256
"""Most possible results of editing a text in which the old words occur several times."""
_LABELS = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)


@dataclass(frozen=True, slots=True)
class Edited:
    """An edit, as a reader sees it."""

    old: str
    new: str
    first_line: int
    last_line: int
    """Lines of the old text, from 1."""


def is_same_document(old: Document, new: Document, edits: Sequence[Edited]) -> bool:
    """Whether both have the same procedures, steps and texts except for the edited words."""
    names = [[p.id for p in document.all_procedures] for document in (old, new)]
    if names[0] != names[1] or old.title != new.title or len(new.problems) > len(old.problems):
        return False
    comparison = _Comparison(edits)
    return all(
        comparison.same_procedure(*pair)
        for pair in zip(old.all_procedures, new.all_procedures, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Comparison:
    edits: Sequence[Edited]

    def same_procedure(self, old: Procedure, new: Procedure) -> bool:
        return all(
            self._same(getattr(old, name), getattr(new, name), ())
            for name in ("title_path", "steps", "prerequisites", "results", "language")
        )

    def _same(self, old: object, new: object, here: Sequence[Edited], name: str = "") -> bool:
        if old == new:  # nearly all of a document
            return True
        if isinstance(old, str) and isinstance(new, str):
            return self._is_edited(old, new, here, name)
        if isinstance(old, tuple) and isinstance(new, tuple):
            if name == "parts" and here:
                return True  # of a path whose text is compared
            return len(old) == len(new) and all(
                self._same(*pair, here) for pair in zip(old, new, strict=True)
            )
        if isinstance(old, Span) or name in ("start", "end", "verbatim"):
            return True  # places shift
        if is_dataclass(old) and type(old) is type(new):
            span = getattr(old, "span", None)
            edits_here = self._edits_on(span) if isinstance(span, Span) else here
            return all(
                self._same(
                    getattr(old, attribute.name),
                    getattr(new, attribute.name),
                    edits_here,
                    attribute.name,
                )
                for attribute in fields(old)
            )
        return False

    def _edits_on(self, span: Span) -> Sequence[Edited]:
        """The edits on the lines of a span."""
        return [e for e in self.edits if e.first_line <= span.end_line and span.line <= e.last_line]

    def _is_edited(self, old: str, new: str, here: Sequence[Edited], name: str) -> bool:
        if name == "role" and here:
            return old in _LABELS and new in _LABELS
        return any(text == _bare(new) for text in _possible_results(_bare(old), here))


def _possible_results(text: str, edits: Sequence[Edited]) -> Iterator[str]:
    """All results of making some of the edits at any occurrence of their words."""
    texts = {text}
    for edit in edits:
        old, new = _bare(edit.old), _bare(edit.new)
        for reading in tuple(texts):
            found_at = reading.find(old) if old else -1
            while found_at >= 0 and len(texts) < _MOST_READINGS:
                texts.add(_bare(reading[:found_at] + new + reading[found_at + len(old) :]))
                found_at = reading.find(old, found_at + 1)
    yield from texts


def _bare(text: str) -> str:
    """The text with all arrows of menu paths written the same way."""
    return " ".join(ARROW.sub(" > ", text).split())
