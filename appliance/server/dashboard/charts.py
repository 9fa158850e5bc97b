"""Charts as SVG: bars that our style sheets colour, of which a table tells the numbers too."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

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
        head=tuple(label for label, _ in series.values()),
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
