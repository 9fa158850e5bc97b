"""Secrets that are told in files: on the first line, alone."""

from pathlib import Path

from appliance.core.errors import SetupError
from appliance.practice.accounts import DEVELOPMENT_PASSWORD


def password_in(file: Path | None) -> str:
    """The password of all accounts; without a file, the one that everybody knows."""
    return DEVELOPMENT_PASSWORD if file is None else _first_line(file, "password")


def second_factor_in(file: Path | None) -> str:
    """The secret of the second factor; without a file, none."""
    return "" if file is None else _first_line(file, "second factor")


def _first_line(file: Path, what: str) -> str:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise SetupError(f"cannot read the {what} file {file}: {exc}") from exc
    if not lines or not lines[0].strip():
        raise SetupError(f"the {what} file {file} is empty: its first line is the {what}")
    return lines[0].strip()
