"""Suites by their names: those of the user's folders, then those that come with the program."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from appliance.benchmark.documentation import DocumentationSuite, read_documentation_suite
from appliance.benchmark.grounding import StepSuite, load_steps
from appliance.benchmark.judging import JudgeSuite, read_judge_suite
from appliance.benchmark.suite import Suite, read_suite
from appliance.core.errors import SetupError
from appliance.core.near import nearest
from appliance.practice.loading import read_source

SUITES = Path(__file__).parent / "suites"
TASKS, STEPS = ".yaml", ".jsonl"
"""Endings of their files."""

_PRACTICE = SUITES / f"practice{TASKS}"

AnySuite: TypeAlias = Suite | StepSuite | JudgeSuite | DocumentationSuite


def suite_files(folders: Sequence[Path] = ()) -> dict[str, Path]:
    """The file of each suite."""
    return {
        file.stem: file
        for folder in (SUITES, *folders)
        for file in sorted(folder.iterdir())
        if file.suffix in (TASKS, STEPS)
    }


def load_suite(name: str, folders: Sequence[Path] = ()) -> AnySuite:
    """Read a suite by its name, or by the path of a file with tasks.

    Raises:
        SetupError: There is none of that name, or its file is wrong; with file and line.
    """
    if (path := Path(name)).is_absolute() and path.suffix == TASKS:
        return read_suite(path)
    files = suite_files(folders)
    if name not in files:
        raise SetupError(f"there is no suite {name!r}; {nearest(name, files)}")
    file = files[name]
    if file.suffix == STEPS:
        return load_steps(file)
    if file == _PRACTICE:
        return _practice_suite()
    match read_source(file).data.get("kind"):
        case "judge":
            return read_judge_suite(file, _practice_suite())
        case "documentation":
            return read_documentation_suite(file)
        case _:
            return read_suite(file)


@cache
def _practice_suite() -> Suite:
    """It comes with the program, and does not change while that runs."""
    return read_suite(_PRACTICE)
