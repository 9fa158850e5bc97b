"""New words in place of old ones that run over lines: the lines stay."""

import re
from typing import NamedTuple

from appliance.documents._text import CJK
from appliance.documents.editing.source import SourceText, Stretch
from appliance.documents.editing.words import BREAK

_SPACE = re.compile(r"(?<=\S) (?=\S)")
_CJK_GAP = re.compile(rf"(?<=[{CJK}])(?=[{CJK}])")
_REST = re.compile(r"[^\s|]*(?P<space> )(?=\S)")


class Placed(NamedTuple):
    """What stands in the source instead of which characters."""

    at: Stretch
    new: str


def place_words(source: SourceText, at: Stretch, new: str) -> Placed | None:
    """The new words in the lines of the old ones; None where a table has no room for that.

    A line break between old words is kept at the nearest gap between new ones; where there is none,
    behind what follows on the last line.
    """
    breaks = list(BREAK.finditer(source.text[at.start : at.end]))
    done, text, taken = 0, "", 0
    for number, match in enumerate(breaks):
        target = max(match.start() - taken, done)
        taken += len(match.group()) - 1
        gap = _nearest(new, done, target)
        if gap is None:
            return _after(source, at, text + new[done:], [m.group() for m in breaks[number:]])
        start, end = gap
        text += new[done:start] + match.group()
        done = end
    return Placed(at, text + new[done:])


def _nearest(new: str, done: int, target: int) -> tuple[int, int] | None:
    spaces = [m.span() for m in _SPACE.finditer(new, done)]
    gaps = spaces or [m.span() for m in _CJK_GAP.finditer(new, done + 1)]
    return min(gaps, key=lambda gap: abs(gap[0] - target), default=None)


def _after(source: SourceText, at: Stretch, text: str, left: list[str]) -> Placed | None:
    """With the breaks that had no room in it behind the words that follow."""
    if any("|" in one for one in left):
        return None  # each line of a cell stands where it stands
    rest = _REST.match(source.text, at.end)
    if rest is None or not text.strip():
        return Placed(at, text)
    break_ = left[-1].lstrip(" \t")
    return Placed(Stretch(at.start, rest.end()), text + rest.group()[:-1] + break_)
