"""The questions of `appliance init`: what was given is not asked for, and nothing with `--yes`."""

from collections.abc import Mapping, Sequence

import click

from appliance.cli._output import talk
from appliance.core.errors import SetupError


class Asking:
    """Asks at standard error; standard output is data."""

    def __init__(self, answers: Mapping[str, str | None], *, is_silent: bool) -> None:
        """Bind them.

        Args:
            answers: Answers by the names of options; None: not given.
            is_silent: Whether what was not given takes its default.
        """
        self._answers = dict(answers)
        self._used: list[str] = []
        self._is_silent = is_silent

    def begin(self) -> None:
        """What is given from here on, `again` asks for."""
        self._used.clear()

    def again(self) -> None:
        """What was given since `begin` did not do: ask."""
        self._answers |= dict.fromkeys(self._used)

    def take(self, option: str) -> str | None:
        """What was given; None: nothing."""
        self._used.append(option)
        return self._answers.get(option)

    def text(self, option: str, question: str, default: str = "", *, is_needed: bool = True) -> str:
        """An answer. With `is_needed` it is not empty.

        Raises:
            SetupError: It is needed and not given, and nothing is asked.
        """
        answer_given = self.take(option)
        if answer_given is not None:
            return answer_given
        if not self._is_silent:
            shown = default or (None if is_needed else "")
            answer = click.prompt(question, default=shown, err=True, show_default=bool(default))
            return str(answer).strip()
        if is_needed and not default:
            raise SetupError(f"with --yes, give --{option.replace('_', '-')}")
        return default

    def choice(self, option: str, question: str, choices: Sequence[str], default: str) -> str:
        """One of some words."""
        given = self.take(option)
        if given is not None or self._is_silent:
            return given if given is not None else default
        return str(click.prompt(question, type=click.Choice(choices), default=default, err=True))

    def is_kept(self, problem: str) -> bool:
        """Whether to go on with what does not work; with `--yes` never."""
        talk(f"  It does not work: {problem}")
        if self._is_silent:
            raise SetupError(f"{problem} Nothing was written; --no-try writes without trying.")
        return click.confirm("  Keep it all the same?", default=False, err=True)

    def is_overwritten(self, file: str) -> bool:
        """Whether a file that is there may be replaced."""
        if self._is_silent:
            return False
        return click.confirm(f"{file} is there. Replace it?", default=False, err=True)
