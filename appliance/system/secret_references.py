"""Secrets that settings name by an environment variable or a file; read when they are used."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import ApplianceError, SetupError
from appliance.core.secrets import learn


class UnreadableSecretError(Exception):
    """The file of a secret cannot be read; the message says why, and holds nothing of it."""


@dataclass(frozen=True, slots=True)
class SecretReference:
    """Where a secret is; at most one of both is named. As a text: the place, in words."""

    variable: str | None = None
    file: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.variable or self.file)

    def __str__(self) -> str:
        if self.variable:
            return f"the environment variable {self.variable}"
        return f"the file {self.file}"

    def read(self) -> str:
        """What the variable holds, or the first line of the file; empty: there is none.

        The line break after it is no part of it; blanks are, since passwords have them. Who reads
        a kind of secret that has none (a key, a token) strips them.

        Raises:
            UnreadableSecretError: The file cannot be read, or is not text.
        """
        if self in _lent:
            return _lent[self]
        if self.variable:
            text = os.environ.get(self.variable, "")
            return text[:-1].removesuffix("\r") if text.endswith("\n") else text
        if self.file is None:
            return ""
        try:
            text = self.file.read_text(encoding="utf-8")
        except OSError as error:
            raise UnreadableSecretError(error.strerror or str(error)) from error
        except UnicodeDecodeError:  # whose message may hold a part of it
            raise UnreadableSecretError("it is no text") from None
        return text.partition("\n")[0].removesuffix("\r")

    def require(self, what: str, blame: type[ApplianceError] = SetupError) -> str:
        """The secret, which is known as one from now on.

        Args:
            what: What it is, for the message: "the password of account a".
            blame: What is raised.

        Raises:
            ApplianceError: It cannot be read, or is empty.
        """
        try:
            secret = self.read()
        except UnreadableSecretError as error:
            raise blame(f"cannot read {what} from {self}: {error}") from None
        if not secret.strip():
            raise blame(f"{what} is empty: set {self}")
        learn(secret.strip())
        return learn(secret)


_lent: dict[SecretReference, str] = {}


@contextmanager
def lent(secrets: Mapping[SecretReference, str]) -> Iterator[None]:
    """As long as the block runs, these places hold what another machine's hold there.

    For a process that does one thing at a time.
    """
    _lent.update(secrets)
    try:
        yield
    finally:
        _lent.clear()
