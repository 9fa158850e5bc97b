"""Findings of benchmarks as labels: their truth is known."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.core.errors import SetupError
from appliance.core.result import Finding, RunResult
from appliance.verification import Label, LabelSource, Signs


class _LabelledResult(BaseModel):
    model_config = ConfigDict(extra="ignore")

    labels: tuple[Label, ...]


def labels_of(
    run: RunResult, source: LabelSource, is_true: Callable[[Finding], bool]
) -> tuple[Label, ...]:
    """One for each finding of a run, also for those that are not sure enough to alarm."""
    return tuple(
        Label(
            signs=Signs.of_result(finding, result),
            document=Path(finding.document).name,
            source=source,
            true=int(is_true(finding)),
            false=int(not is_true(finding)),
        )
        for result in run.procedures
        for finding in result.findings
    )


def labels_in(paths: Iterable[Path]) -> Iterator[Label]:
    """Those of result files, or of all `result-*.json` of folders.

    Raises:
        SetupError: There is none, or one has no labels.
    """
    for path in paths:
        files = sorted(path.glob("result-*.json")) if path.is_dir() else [path]
        if not files:
            raise SetupError(
                f"{path} has no results of benchmarks (result-*.json): `appliance bench drift --out"
                f" {path}` makes some"
            )
        for file in files:
            yield from _read(file)


def _read(file: Path) -> tuple[Label, ...]:
    try:
        return _LabelledResult.model_validate_json(file.read_text(encoding="utf-8")).labels
    except OSError as exc:
        raise SetupError(f"cannot read {file}: {exc}") from exc
    except ValidationError as exc:
        raise SetupError(
            f"{file} has no labelled findings ({exc.errors()[0]['msg']}): it is no result of"
            " `appliance bench drift` or `bench invented`, or one of an earlier appliance"
        ) from exc
