"""Suites by their names: those of the user's folders, then those that come with the program."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from appliance.benchmark.grounding import StepSuite, load_steps
from appliance.benchmark.suite import Suite, read_suite
from appliance.core.errors import SetupError
from appliance.practice.loading import nearest

SUITES = Path(__file__).parent / "suites"
TASKS, STEPS = ".yaml", ".jsonl"
"""Endings of their files."""

AnySuite: TypeAlias = Suite | StepSuite


def suite_files(folders: Sequence[Path] = ()) -> dict[str, Path]:
    """The file of each suite."""
    return {
        file.stem: file
        for folder in (SUITES, *folders)
        for file in sorted(folder.iterdir())
        if file.suffix in (TASKS, STEPS)
    }


def load_suite(name: str, folders: Sequence[Path] = ()) -> AnySuite:
    """Read a suite.

    Raises:
        SetupError: There is none of that name, or its file is wrong; with file and line.
    """
    files = suite_files(folders)
    if name not in files:
        raise SetupError(f"there is no suite {name!r}; {nearest(name, files)}")
    file = files[name]
    return load_steps(file) if file.suffix == STEPS else read_suite(file)
