"""`appliance finding calibrate`: learns from labelled findings how sure the others are."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from markupsafe import Markup

from appliance.benchmark.labels import labels_in
from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._history import store_if_any
from appliance.cli._output import as_the_user_wants, json_option, print_table, talk, write_json
from appliance.cli._summary import counted
from appliance.config import Settings
from appliance.store.privacy import keep_private

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.verification import Bin, Calibration, Label, LabelSource


@click.command("calibrate")
@click.argument("results", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--only", is_flag=True, help="Without the labels that come with the appliance.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where it is kept [default: calibration.json in the data folder, which is used from then"
    " on]",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also draw how reliable it is, as SVG.",
)
@json_option
@pass_invocation
def command(
    invocation: Invocation,
    results: tuple[Path, ...],
    only: bool,
    out: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Learn how sure findings are: from triage, and from RESULTS of benchmarks.

    RESULTS are files of `appliance bench drift` and `bench invented`, or their folders. What people
    said of findings (confirm, accept-until, reject) is read from the store, and the labels that
    come with the appliance are added. Every figure is of findings in documents that were left out
    when it was learnt.
    """
    from appliance.verification import FILE_NAME, Calibration

    settings = invocation.settings()
    labels = [*labels_in(results), *_from_triage(settings)]
    own_count = len(labels)
    if not only:
        labels += Calibration.bundled().labels
    talk(f"{counted(own_count, 'labelled finding')} of yours; fitting, document by document.")
    calibration = Calibration.fitted(labels)
    file = out or settings.data_dir / FILE_NAME
    if out is None:
        keep_private(settings.data_dir)
    with as_the_user_wants():
        calibration.write(file)
        if plot is not None:
            plot.write_text(reliability(calibration.bins), encoding="utf-8")
    if as_json:
        write_json(_document(calibration, settings.findings.precision, file))
        return
    _show(calibration)
    for line in _lines(calibration, settings.findings.precision):
        click.echo(line)
    talk(f"Written: {file}")


def _from_triage(settings: Settings) -> "tuple[Label, ...]":
    """What people said; nothing where there is no store yet."""
    from appliance.verification import triage_labels

    adapted = {name for name, console in settings.consoles.items() if console.kind != "generic"}
    with store_if_any(settings) as store:
        return tuple(triage_labels(store.incidents.decided(), adapted)) if store else ()


def _document(
    calibration: "Calibration", precision: float, file: Path
) -> dict[str, Any]:  # Any: JSON
    from appliance.verification import LabelSource, counts_by_kind

    threshold = calibration.threshold(precision)
    return {
        "schema_version": 1,
        "file": str(file),
        "labels": calibration.count,
        "by_source": {
            source.value: [sum(x) for x in zip(*_counts(calibration, source), strict=True)]
            or [0, 0]
            for source in LabelSource
        },
        "by_kind": {
            one.name: {"true": one.true, "false": one.false}
            for one in counts_by_kind(calibration.labels)
        },
        "brier": calibration.brier,
        "brier_of_share": calibration.brier_of_share,
        "calibration_error": calibration.calibration_error,
        "reliability": [one._asdict() for one in calibration.bins],
        "wanted_precision": precision,
        "threshold": threshold._asdict(),
    }


def _counts(calibration: "Calibration", source: "LabelSource") -> list[tuple[int, int]]:
    return [(label.true, label.false) for label in calibration.labels if label.source is source]


def _show(calibration: "Calibration") -> None:
    from appliance.verification import counts_by_kind

    cells = []
    for kind in counts_by_kind(calibration.labels):
        counts = (kind.true, kind.false) if kind.true or kind.false else ("", "")
        cells.append((kind.name.replace("_", " "), *counts))
    print_table(("Kind", "True", "False"), cells, right=("True", "False"))


def _lines(calibration: "Calibration", precision: float) -> Iterator[str]:
    from appliance.verification import counts_by_kind

    unknown = [
        kind.name.replace("_", " ")
        for kind in counts_by_kind(calibration.labels)
        if not sum(kind[1:])
    ]
    if unknown:
        yield f"Nothing is known of {', '.join(unknown)}: there the prior speaks, which is wide."
    yield (
        f"{counted(calibration.count, 'labelled finding')}: Brier score {calibration.brier:.3f}"
        f" (the share alone: {calibration.brier_of_share:.3f}), expected calibration error"
        f" {calibration.calibration_error:.3f}."
    )
    threshold = calibration.threshold(precision)
    reached = "" if threshold.is_reached else f"; {precision:.2f} needs more labels, or better ones"
    yield (
        f"Findings alarm from a confidence of {threshold.confidence:.2f} on: of"
        f" {threshold.alarms} labelled ones a share of {threshold.precision:.3f} is true, one true"
        f" and one false more counted{reached}."
    )


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


def reliability(bins: "Sequence[Bin]") -> str:
    """How sure was said, and how often it was so: a picture that stands alone, as SVG."""
    points = [(round(500 * bin.confidence), round(500 * (1 - bin.observed))) for bin in bins]
    ticks = [(500 - 50 * tenth, 504 - 50 * tenth, 50 * tenth, tenth / 10) for tenth in range(11)]
    return str(
        _RELIABILITY.format(
            grid=Markup().join(_TICK.format(*tick) for tick in ticks),
            line="L".join(f"{x} {y}" for x, y in points) or "0 0",
            dots=Markup().join(
                _DOT.format(*point, bin.size) for point, bin in zip(points, bins, strict=True)
            ),
        )
    )
