"""Charts as SVG: bars that our style sheets colour, of which a table tells the numbers too."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from markupsafe import Markup

_WIDTH = 460
"""Of a chart, in its own units: about as many pixels as it gets on any screen, so that its text
is as large as it says."""
_LEFT, _TOP, _BOTTOM = 44, 8, 24
"""Around the bars: room for what their axes say."""
_BAR = 0.9
"""Of what a day has of the width."""
_MOST_LABELS = 6
"""On the axis of days: more would overlap."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture, and the numbers in it."""

    svg: Markup
    label: str
    """What a screen reader says of the picture."""
    head: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


def stacked_bars(
    label: str, days: Sequence[str], series: Mapping[str, tuple[str, Sequence[int]]], *, height: int
) -> Chart:
    """How many of what on each day, as bars of several parts.

    Args:
        label: What it shows.
        days: The names of the bars.
        series: By CSS class: the word, and a number for each day.
        height: In the picture's own units.
    """
    bars = list(zip(*(values for _, values in series.values()), strict=True))
    scale = _scale(max(map(sum, bars), default=0))
    svg = Markup(
        '<svg class="bars" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">'
        "<title>{2}</title>{3}</svg>"
    ).format(_WIDTH, height, label, Markup().join(_drawn(days, bars, tuple(series), scale, height)))
    return Chart(
        svg=svg,
        label=label,
        head=tuple(word for word, _ in series.values()),
        rows=tuple((day, *bar) for day, bar in zip(days, bars, strict=True) if any(bar)),
    )


def _drawn(
    days: Sequence[str],
    bars: Sequence[tuple[int, ...]],
    names: Sequence[str],
    scale: Sequence[int],
    height: int,
) -> Iterable[Markup]:
    unit = (height - _TOP - _BOTTOM) / scale[-1]
    width = (_WIDTH - _LEFT) / max(1, len(days))
    foot = height - _BOTTOM
    for value in scale:
        y = foot - value * unit
        yield Markup('<path class="line" d="M{} {:.1f}H{}"/>').format(_LEFT, y, _WIDTH)
        yield Markup('<text class="y" x="{}" y="{:.1f}">{:,}</text>').format(
            _LEFT - 6, y + 4, value
        )
    for number in range(0, len(days), max(1, -(-len(days) // _MOST_LABELS))):
        x = _LEFT + (number + 0.5) * width
        yield Markup('<text class="x" x="{:.1f}" y="{}">{}</text>').format(
            x, height - 6, days[number]
        )
    rect = Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>')
    for number, bar in enumerate(bars):
        x = _LEFT + (number + (1 - _BAR) / 2) * width
        for name, value, top in zip(names, bar, accumulate(bar), strict=True):
            if value:
                yield rect.format(name, x, foot - top * unit, width * _BAR, value * unit)


def _scale(highest: int) -> list[int]:
    """Whole numbers from nothing to above the highest, three to five of them."""
    steps = (1, 2, 5)
    step = next(s * 10**power for power in range(12) for s in steps if s * 10**power * 4 >= highest)
    return [step * number for number in range(max(2, -(-highest // step)) + 1)]


class Reliable(Protocol):
    """Findings of about the same confidence."""

    @property
    def confidence(self) -> float:
        """The mean."""
        ...

    @property
    def observed(self) -> float:
        """The part of them that is true."""
        ...

    @property
    def size(self) -> int:
        """How many."""
        ...


_RELIABILITY = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-60 -40 600 600" font-family="sans-serif"'
    ' font-size="12"><rect x="-60" y="-40" width="600" height="600" fill="#fff"/>'
    '<text x="250" y="-18" font-size="14" text-anchor="middle">Reliability: labelled findings,'
    " their document left out</text>{grid}"
    '<text x="250" y="545" text-anchor="middle">Confidence</text>'
    '<text x="-42" y="250" text-anchor="middle" transform="rotate(-90 -42 250)">Part that is true'
    '</text><path d="M0 500L500 0" stroke="#3f51b5"/>'
    '<text x="330" y="188" fill="#3f51b5">what a reliable one would be</text>'
    '<path d="M{line}" fill="none" stroke="#c62828"/>{dots}</svg>'
)
_TICK = Markup(
    '<path d="M0 {0}H500" stroke="#ddd"/><text x="-8" y="{1}" text-anchor="end">{3}</text>'
    '<text x="{2}" y="518" text-anchor="middle">{3}</text>'
)
_DOT = Markup('<circle cx="{}" cy="{}" r="4" fill="#c62828"><title>{} findings</title></circle>')


def reliability(bins: Sequence[Reliable]) -> str:
    """How sure was said, and how often it was so: a picture that stands alone, as SVG."""
    places = [(round(500 * one.confidence), round(500 * (1 - one.observed))) for one in bins]
    ticks = [(500 - 50 * tenth, 504 - 50 * tenth, 50 * tenth, tenth / 10) for tenth in range(11)]
    return str(
        _RELIABILITY.format(
            grid=Markup().join(_TICK.format(*tick) for tick in ticks),
            line="L".join(f"{x} {y}" for x, y in places) or "0 0",
            dots=Markup().join(
                _DOT.format(*place, one.size) for place, one in zip(places, bins, strict=True)
            ),
        )
    )
