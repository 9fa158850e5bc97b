"""Untruths that people wrote, as YAML: `seen.yaml` and `held-out.yaml`.

An entry either changes words (`change`, `to`) or adds some: `add` right `after` an anchor, or on
lines of its own `below` the line in which an anchor ends.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.benchmark.invented.untruth import InventedUntruth, Part, place_of
from appliance.core.claims import ClaimKind
from appliance.core.errors import SetupError
from appliance.practice.loading import read_source
from appliance.practice.releases import DOCUMENTATION

_HERE = Path(__file__).resolve().parent
FILES: dict[Part, Path] = {"seen": _HERE / "seen.yaml", "held-out": _HERE / "held-out.yaml"}


class Entry(BaseModel):
    """One untruth, as it was written down."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    document: str
    kind: ClaimKind
    section: str = ""
    """The anchor is the first one behind these words."""
    change: str = ""
    to: str = ""
    after: str = ""
    below: str = ""
    add: str = ""
    untrue: str = ""
    """The words that are untrue; empty: all that is new."""
    why: str


class EntryFile(BaseModel):
    """A file of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    untruths: tuple[Entry, ...]


def written_by_hand(part: Part) -> tuple[InventedUntruth, ...]:
    """All of one part; `SetupError` where an anchor is not in its document."""
    file = FILES[part]
    try:
        entries = EntryFile.model_validate(read_source(file, is_ours=True).data).untruths
    except ValidationError as exc:
        raise SetupError(f"{file} is no file of untruths: {exc.errors()[0]}") from exc
    texts = {
        name: (DOCUMENTATION / name).read_text(encoding="utf-8")
        for name in {entry.document for entry in entries}
    }
    return tuple(
        _placed(f"{part}-{number}", entry, texts[entry.document], part)
        for number, entry in enumerate(entries, 1)
    )


def _placed(name: str, entry: Entry, source: str, part: Part) -> InventedUntruth:
    anchors = [one for one in (entry.change, entry.after, entry.below) if one]
    if (
        len(anchors) != 1
        or bool(entry.change) != bool(entry.to)
        or bool(entry.add) == bool(entry.to)
    ):
        raise SetupError(f"{name}: change and to, or add with after or below")
    try:
        start, end = place_of(source, anchors[0], entry.section)
    except SetupError as exc:
        raise SetupError(f"{name}, {entry.document}: {exc}") from None
    text = entry.to
    if entry.after:
        start = end
        text = entry.add
        if ".zh." not in entry.document and not text[0].isspace():
            text = f" {text}"
    elif entry.below:
        start = end = _line_end(source, end)
        text = "\n" + entry.add.rstrip("\n")
    return InventedUntruth(
        id=name,
        document=entry.document,
        kind=entry.kind,
        part=part,
        origin="hand",
        start=start,
        end=end,
        text=text,
        words=entry.untrue or text.strip(),
        why=entry.why,
    )


def _line_end(source: str, at: int) -> int:
    end = source.find("\n", at)
    return len(source) if end < 0 else end
