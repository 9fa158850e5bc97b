"""A benchmark as Markdown, as a page with plots, and as JSON Lines. Pure functions."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape

from appliance.benchmark.comparison import Comparison
from appliance.benchmark.statistics import Rate
from appliance.benchmark.summary import GroupRow, Summary
from appliance.benchmark.trials import BenchmarkResult
from appliance.core.result import ArtifactRef

_ROW, _SCALE, _CHARACTER = 22, 400, 8
"""Pixels: height of a plot's row, width of its scale, and of a character before that."""


def percent(share: float) -> str:
    """A share of 0..1."""
    return f"{100 * share:.2f} %"


def headline(result: BenchmarkResult, summary: Summary) -> str:
    """The figure that a benchmark is quoted by."""
    setup = result.setup
    policy = f"{setup.policy} ({setup.model})" if setup.model else str(setup.policy)
    tasks = f"{summary.tasks} task{'' if summary.tasks == 1 else 's'}"
    runs = f"{summary.runs} run{'' if summary.runs == 1 else 's'}"
    parts = [
        f"{setup.suite}, {policy}: pass@1 {percent(summary.pass_at_1)}",
        f" ± {100 * summary.deviation:.2f}" if summary.runs > 1 else "",
        f" (95 % interval {100 * summary.interval.low:.1f} to {100 * summary.interval.high:.1f}",
        f", {tasks}, {runs})",
    ]
    if summary.runs > 1:
        parts.append(f", pass@{summary.runs} {percent(summary.pass_at_k[-1])}")
    return "".join(parts) + "."


def as_markdown(result: BenchmarkResult, summary: Summary) -> str:
    """For people and pull requests."""
    lines = [f"# {result.id}", "", headline(result, summary), ""]
    if not result.is_over:
        done = len(result.trials)
        lines += [f"Not over: {done} of {len(result.setup.tasks) * summary.runs} trials.", ""]
    if summary.tasks_per_minute:
        lines += [f"{summary.tasks_per_minute:.1f} trials a minute.", ""]
    groups = [
        (
            f"{group.name} {group.value}",
            group.tasks,
            percent(group.rate.share),
            _bounds(group.rate),
            f"{group.seconds:.1f}",
        )
        for group in summary.groups
    ]
    lines += table(("", "tasks", "success", "95 % interval", "median s"), groups)
    accuracy_rows = [
        (
            accuracy.who,
            percent(accuracy.rate.share),
            _bounds(accuracy.rate),
            accuracy.wrong_yes,
            accuracy.wrong_no,
            accuracy.undecided,
        )
        for accuracy in summary.said
    ]
    head = ("who says so", "right", "95 % interval", "wrong yes", "wrong no", "cannot tell")
    extra_figures = {
        name: value for name, value in result.figures.items() if name not in summary.figures
    }
    figures = [
        (name, f"{value:.4g}")
        for name, value in (extra_figures | summary.costs | summary.counts).items()
    ]
    for columns, rows in (
        (head, accuracy_rows),
        (("figure", "value"), figures),
        (("failures", "how", "trials"), summary.failures),
    ):
        lines += ["", *table(columns, rows)] if rows else []
    setup = result.setup
    lines += [
        "",
        f"Suite version {setup.suite_version}, seed {setup.seed},"
        f" appliance {result.appliance_version} ({result.commit}).",
    ]
    return "\n".join(lines)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a table in Markdown; all columns but the first are numbers."""
    yield f"| {' | '.join(columns)} |"
    yield f"|---|{'---:|' * (len(columns) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"


def _bounds(rate: Rate) -> str:
    return f"{100 * rate.interval.low:.1f} to {100 * rate.interval.high:.1f}"


def as_html(result: BenchmarkResult, summary: Summary) -> str:
    """A page that needs nothing else, with a plot of every group's share and interval."""
    names = list(dict.fromkeys(row.name for row in summary.groups))
    plots = "".join(
        f"<h2>{escape(name)}</h2>{interval_plot([r for r in summary.groups if r.name == name])}"
        for name in names
    )
    failure_rows = "".join(
        f"<tr><td>{escape(trial.task)}</td><td>{trial.run}</td><td>{escape(trial.blame or '')}</td>"
        f"<td>{escape(trial.shape or '')}</td><td>{escape(trial.reason)}</td></tr>"
        for trial in result.trials
        if not trial.success
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(result.id)}</title>'
        "<style>body{font:15px system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "td,th{padding:.2rem .6rem;text-align:left;vertical-align:top}</style>"
        f"<h1>{escape(result.id)}</h1><p>{escape(headline(result, summary))}</p>{plots}"
        "<h2>Failures</h2><table><thead><tr><th>task</th><th>run</th><th>blame</th><th>how</th>"
        f"<th>why</th></tr></thead><tbody>{failure_rows}</tbody></table></html>\n"
    )


def interval_plot(rows: Sequence[GroupRow]) -> str:
    """Shares as dots on a scale of 0 to 100 %, intervals as lines."""
    left = 12 + _CHARACTER * max(len(f"{row.value} ({row.tasks})") for row in rows)

    def x(share: float) -> float:
        return left + share * _SCALE

    marks, width = [], left + _SCALE + 70
    for number, row in enumerate(rows):
        y, rate = _ROW * number + _ROW / 2, row.rate
        marks.append(
            f'<text x="{left - 12}" y="{y + 5}" text-anchor="end">{escape(row.value)}'
            f" ({row.tasks})</text>"
            f'<line x1="{x(rate.interval.low):.1f}" x2="{x(rate.interval.high):.1f}" y1="{y}"'
            f' y2="{y}" stroke="currentColor" stroke-width="2" opacity="0.5"/>'
            f'<circle cx="{x(rate.share):.1f}" cy="{y}" r="4"/>'
            f'<text x="{width - 62}" y="{y + 5}">{100 * rate.share:.1f} %</text>'
        )
    height = _ROW * len(rows)
    edges = "".join(
        f'<line x1="{x(s)}" x2="{x(s)}" y1="0" y2="{height}" stroke="currentColor" opacity="0.2"/>'
        for s in (0, 0.5, 1)
    )
    label = ", ".join(f"{row.value}: {100 * row.rate.share:.1f} %" for row in rows)
    return (
        f'<svg class="intervals" role="img" aria-label="{escape(label)}" font-size="13"'
        f' fill="currentColor" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"{edges}{''.join(marks)}</svg>"
    )


def comparison_text(comparison: Comparison) -> str:
    """A table, and the sentence."""
    rows = (
        (comparison.first, percent(comparison.pass_first), comparison.only_first),
        (comparison.second, percent(comparison.pass_second), comparison.only_second),
    )
    return "\n".join(
        [
            *table(("", "pass@1", "tasks that it alone succeeds at"), rows),
            "",
            f"McNemar's exact test: p = {comparison.p_value:.3g}.",
            "",
            comparison.sentence,
        ]
    )


def json_lines(result: BenchmarkResult, read: Callable[[ArtifactRef], bytes]) -> Iterator[str]:
    """One object for each trial: the trial, what it belongs to, and its turns.

    Args:
        result: The benchmark.
        read: Gives the bytes of a trajectory.
    """
    about = {"benchmark": result.id, "suite": result.setup.suite, "policy": result.setup.policy}
    for trial in result.trials:
        turns = read(trial.trajectory).decode().splitlines() if trial.trajectory else []
        line = {
            "schema_version": 1,
            **about,
            "model": result.setup.model,
            **trial.model_dump(mode="json"),
            "turns": [json.loads(turn) for turn in turns],
        }
        yield json.dumps(line, ensure_ascii=False)
