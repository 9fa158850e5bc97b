"""Charts, drawn by pygal as SVG that our style sheets colour; a table tells the same numbers."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from xml.etree.ElementTree import Element

import pygal
from markupsafe import Markup
from pygal.style import Style

# pygal puts a finder for its maps into the imports of the whole program, by a way that Python has
# given up: every import that fails from then on warns of it. We draw no maps.
sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != "pygal"]

_WIDTH = 460
"""Of a chart, in its own units: about as many pixels as it gets on any screen, so that its text
is as large as it says."""
_MOST_LABELS = 6
"""On the axis of days: more would overlap."""
_LEFT_OUT = ("script", "style", "desc")


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
    chart = pygal.StackedBar(**_plain(height))
    chart.x_labels = days
    chart.x_labels_major_every = max(1, -(-len(days) // _MOST_LABELS))
    chart.show_minor_x_labels = False
    chart.y_labels = _scale(max((sum(v) for v in zip(*_values(series), strict=True)), default=0))
    for word, values in series.values():
        chart.add(word, [value or None for value in values])
    classes = tuple(series)
    chart.add_xml_filter(lambda root: _ours(root, classes, label))
    rows = zip(days, *_values(series), strict=True)
    return Chart(
        svg=Markup(chart.render(is_unicode=True)),  # noqa: S704 - pygal's, escaped by it
        label=label,
        head=tuple(word for word, _ in series.values()),
        rows=tuple(row for row in rows if any(row[1:])),
    )


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


def reliability(bins: Sequence[Reliable]) -> str:
    """How sure was said, and how often it was so: a picture that stands alone, as SVG."""
    chart = pygal.XY(
        js=[],
        title="Reliability: labelled findings, their document left out",
        x_title="Confidence",
        y_title="Part that is true",
        xrange=(0, 1),
        range=(0, 1),
        legend_at_bottom=True,
        dots_size=4,
    )
    points = [
        {"value": (one.confidence, one.observed), "label": f"{one.size} findings"} for one in bins
    ]
    chart.add("findings", points)
    chart.add("what a reliable one would be", [(0, 0), (1, 1)], show_dots=False)
    return str(chart.render(is_unicode=True))


def _values(series: Mapping[str, tuple[str, Sequence[int]]]) -> list[Sequence[int]]:
    return [values for _, values in series.values()]


def _scale(highest: int) -> list[int]:
    """Whole numbers from nothing to above the highest, three to five of them."""
    steps = (1, 2, 5)
    step = next(s * 10**power for power in range(12) for s in steps if s * 10**power * 4 >= highest)
    return [step * number for number in range(max(2, -(-highest // step)) + 1)]


def _plain(height: int) -> dict[str, object]:
    return {
        "js": [],
        "css": [],
        "style": Style(font_family="inherit", label_font_size=11, major_label_font_size=11),
        "width": _WIDTH,
        "height": height,
        "margin": 2,
        "margin_left": 4,
        "margin_bottom": 6,
        "spacing": 8,
        "show_legend": False,
        "no_prefix": True,
        "disable_xml_declaration": True,
        "truncate_label": -1,
        "formatter": lambda value: f"{value:,.0f}",
        "no_data_text": "",
        "print_values": False,
    }


def _ours(root: Element, classes: Sequence[str], label: str) -> Element:
    """Without script and style of its own, which the page's policy forbids; parts by our names."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in _LEFT_OUT or not isinstance(child.tag, str):  # else: a comment
                parent.remove(child)
        parent.attrib.pop("style", None)
        parent.attrib.pop("id", None)
        for number, name in enumerate(classes):
            if f"color-{number}" in parent.get("class", "").split():
                parent.set("class", f"{parent.get('class')} {name}")
    title = root.find("title")
    if title is not None:
        title.text = label
    root.set("role", "img")
    root.set("aria-label", label)
    root.set("preserveAspectRatio", "xMidYMid meet")
    return root
