"""Charts: coloured by the page, told as a table too."""

import re
from importlib.resources import files
from xml.etree import ElementTree

import pytest

from appliance.server.dashboard.charts import _scale, stacked_bars

DAYS = [f"11/{day}" for day in range(1, 31)]


def drawn(verified: list[int], broken: list[int]):
    series = {"verified": ("<Verified>", verified), "broken": ("Broken", broken)}
    return stacked_bars("What & when", DAYS, series, height=180)


def test_a_chart_has_nothing_that_the_policy_of_pages_forbids() -> None:
    chart = drawn([3] * 30, [0, 1] * 15)
    root = ElementTree.fromstring(str(chart.svg))
    assert root.get("aria-label") == "What & when"
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"script", "style", "foreignObject", "image", "a"}
    assert not [e for e in root.iter() if "style" in e.attrib or "onclick" in e.attrib]
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", str(chart.svg))


def test_its_bars_have_the_colours_of_their_verdicts_and_the_table_their_numbers() -> None:
    chart = drawn([3] * 29 + [0], [0] * 28 + [2, 0])
    root = ElementTree.fromstring(str(chart.svg))
    bars = {name: root.findall(f"rect[@class='{name}']") for name in ("verified", "broken")}
    assert [len(bars["verified"]), len(bars["broken"])] == [29, 1]
    on_top, below = bars["broken"][0], bars["verified"][28]
    assert on_top.get("x") == below.get("x")
    assert edge(on_top) == pytest.approx(float(below.attrib["y"]), abs=0.2)
    assert float(on_top.attrib["height"]) == pytest.approx(
        float(below.attrib["height"]) * 2 / 3, abs=0.2
    )
    assert [edge(bar) for bar in bars["verified"]] == pytest.approx([180 - 24] * 29, abs=0.2)
    assert chart.head == ("<Verified>", "Broken")
    assert len(chart.rows) == 29
    assert chart.rows[-1] == ("11/29", 3, 2)
    assert len(root.findall("text[@class='x']")) <= 6, "labels would overlap"
    assert [each.text for each in root.findall("text[@class='y']")] == ["0", "2", "4", "6"]


def edge(bar: ElementTree.Element) -> float:
    """Where it stands on."""
    return float(bar.attrib["y"]) + float(bar.attrib["height"])


def test_nothing_to_show_is_a_chart_without_rows() -> None:
    assert drawn([0] * 30, [0] * 30).rows == ()


@pytest.mark.parametrize(
    ("highest", "labels"),
    [
        (0, [0, 1, 2]),
        (1, [0, 1, 2]),
        (3, [0, 1, 2, 3]),
        (8, [0, 2, 4, 6, 8]),
        (152, [0, 50, 100, 150, 200]),
    ],
)
def test_its_scale_counts_in_whole_numbers(highest: int, labels: list[int]) -> None:
    assert _scale(highest) == labels


def test_the_dashboard_has_the_colours_of_the_report() -> None:
    report = (files("appliance.reports") / "templates" / "report.css").read_text("utf-8")
    tokens = (files("appliance.server.dashboard") / "static" / "tokens.css").read_text("utf-8")
    ours = dict(re.findall(r"--([\w-]+): light-dark\((#\w+), #\w+\)", tokens))
    dark = dict(re.findall(r"--([\w-]+): light-dark\(#\w+, (#\w+)\)", tokens))
    light_of_report, dark_of_report = report.split("prefers-color-scheme: dark", 1)
    names = ("page", "text", "verified", "drifted", "broken", "blocked", "undecided", "old", "new")
    for name in names:
        assert f"--{name}: {ours[name]}" in light_of_report
        assert f"--{name}: {dark[name]}" in dark_of_report
