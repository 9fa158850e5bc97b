"""The curves of a training as one picture: a panel for each figure that was measured."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

_FIGURE_LABELS = {
    "loss": "loss",
    "eval_loss": "held-out loss",
    "eval_exact_action": "held-out steps answered exactly right",
    "live_reward": "reward of an attempt",
    "live_spread": "groups with spread",
    "live_turns": "turns of an attempt",
    "worth": "reward of an answer",
    "kl": "distance from what it began with (KL)",
    "log_ratio": "how much likelier answers became (logarithm)",
    "rewards/margins": "margin of the better answers",
    "entropy": "entropy",
    "completions/mean_length": "tokens of an answer",
    "grad_norm": "norm of the gradient",
}
_WIDTH, _HEIGHT, _MARGIN_LEFT, _MARGIN_TOP = 460, 130, 52, 24
"""Of a panel, and what is left free in it for words; in the picture's own units."""
_COLUMNS = 2


def curves_svg(curves: Sequence[Mapping[str, float]], title: str) -> str:
    """The picture as SVG, for a page or a file.

    Args:
        curves: Lines of `curves.jsonl`.
        title: What a screen reader says of it.
    """
    panels = [(name, points) for name in _FIGURE_LABELS if len(points := _points(curves, name)) > 0]
    rows = max(1, -(-len(panels) // _COLUMNS))
    size = f'viewBox="0 0 {_WIDTH * _COLUMNS} {_HEIGHT * rows}"'
    panels_svg = "".join(
        f'<g transform="translate({_WIDTH * (n % _COLUMNS)} {_HEIGHT * (n // _COLUMNS)})">'
        f"{''.join(_panel(_FIGURE_LABELS[name], points))}</g>"
        for n, (name, points) in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} font-family="sans-serif"'
        f' font-size="11" fill="currentColor"><title>{escape(title)}</title>{panels_svg}</svg>\n'
    )


def _points(curves: Sequence[Mapping[str, float]], name: str) -> list[tuple[float, float]]:
    return [(line["step"], line[name]) for line in curves if name in line]


def _panel(label: str, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    steps, values = [p[0] for p in points], [p[1] for p in points]
    low, high = min(values), max(values)
    bottom, right = _HEIGHT - 22, _WIDTH - 16

    def place(step: float, value: float) -> tuple[float, float]:
        across = (step - steps[0]) / ((steps[-1] - steps[0]) or 1)
        up = (value - low) / ((high - low) or 1)
        return _MARGIN_LEFT + across * (right - _MARGIN_LEFT), bottom - up * (bottom - _MARGIN_TOP)

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    yield f'<text x="{_MARGIN_LEFT}" y="14" font-weight="bold">{escape(label)}</text>'
    yield f'<path d="M{_MARGIN_LEFT} {_MARGIN_TOP}V{bottom}H{right}" fill="none"'
    yield ' stroke="currentColor" stroke-opacity="0.4"/>'
    yield f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    if len(points) == 1:
        x, y = place(*points[0])
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>'
    for value, y in {high: _MARGIN_TOP + 8, low: bottom}.items():
        yield f'<text x="{_MARGIN_LEFT - 4}" y="{y}" text-anchor="end">{value:.3g}</text>'
    for step, x, anchor in ((steps[0], _MARGIN_LEFT, "start"), (steps[-1], right, "end")):
        yield f'<text x="{x}" y="{bottom + 14}" text-anchor="{anchor}">{step:g}</text>'
