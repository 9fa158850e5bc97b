"""Passwords and codes of the second factor (RFC 6238), read when they are typed; none is kept."""

import asyncio
from base64 import b32decode
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pyotp

from appliance.config import AccountSettings
from appliance.consoles.base import Account
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import ConsoleError
from appliance.core.secrets import learn
from appliance.system.secret_references import SecretReference

STEP_S = 30
"""How long a code is good for, as every console has it."""
_TOO_LATE_S = 3.0
"""A code that is good for less may be refused by the time it has been typed and sent."""
_SPENT_AFTER_S = 10 * STEP_S
"""When no console takes a code any more, and its digits are a number like others."""


class SecondFactors:
    """Codes of one console's accounts. None is given twice: consoles take each one once."""

    def __init__(
        self, clock: Clock | None = None, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._clock = clock or SystemClock()
        self._sleep = sleep
        self._last_steps: dict[str, int] = {}
        # Invariant: two who ask for the same account's code at once get different ones.
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def code_of(self, account: Account) -> str:
        """A code that was not given before and will be good for three seconds at least.

        Waits for it up to thirty seconds, for each who asks at the same time.

        Raises:
            ConsoleError: The account has no secret, or it cannot be read, or is not in base 32.
        """
        async with self._locks[account.name]:
            if _remote_sources:
                return learn(await _remote_sources[-1](), for_s=_SPENT_AFTER_S)
            while (wait_s := self._wait_s(account.name)) > 0:
                await self._sleep(wait_s)
            step = self._step()
            code = _code(account.name, account.settings, step)
            self._last_steps[account.name] = step
        return learn(code, for_s=_SPENT_AFTER_S)

    def _wait_s(self, name: str) -> float:
        """Seconds until a code may be given; 0: now."""
        remaining_s = STEP_S - self._clock.now().timestamp() % STEP_S
        is_good = remaining_s >= _TOO_LATE_S and self._step() > self._last_steps.get(name, -1)
        return 0.0 if is_good else remaining_s

    def _step(self) -> int:
        return int(self._clock.now().timestamp()) // STEP_S


_remote_sources: list[Callable[[], Awaitable[str]]] = []


@contextmanager
def codes_from(ask: Callable[[], Awaitable[str]]) -> Iterator[None]:
    """As long as the block runs, another machine makes the codes: it alone has the secret.

    For a process that works for one account at a time.
    """
    _remote_sources.append(ask)
    try:
        yield
    finally:
        _remote_sources.remove(ask)


def has_second_factor(settings: AccountSettings) -> bool:
    """Whether the settings name a secret for it."""
    return bool(_secret_reference(settings))


class _ShortSecretHotp(pyotp.HOTP):
    """Many consoles give out secrets of 80 bits, which the package refuses by itself."""

    def byte_secret(self) -> bytes:
        return b32decode(self.secret + "=" * (-len(self.secret) % 8), casefold=True)


def check_second_factor(name: str, settings: AccountSettings) -> None:
    """See whether codes can be made for the account `name`.

    Raises:
        ConsoleError: Its secret cannot be read, or is not in base 32.
    """
    _code(name, settings, step=0)


def _code(name: str, settings: AccountSettings, step: int) -> str:
    try:
        return _ShortSecretHotp(_secret(name, settings)).at(step)
    except ValueError:  # whose message may hold the secret
        raise ConsoleError(
            f"the second factor of account {name} is not in base 32"
            f" (letters A-Z and digits 2-7): correct {_secret_reference(settings)}"
        ) from None


def _secret(name: str, settings: AccountSettings) -> str:
    place = _secret_reference(settings)
    if not place:
        raise ConsoleError(
            f"the console asks for a second factor, and account {name} names no totp_env and no"
            " totp_file"
        )
    content = place.require(f"the second factor of account {name}", ConsoleError)
    return learn("".join(content.split()).upper())


def _secret_reference(settings: AccountSettings) -> SecretReference:
    return SecretReference(settings.totp_env, settings.totp_file)


def password_of(name: str, settings: AccountSettings) -> str:
    """The password of the account `name`.

    Raises:
        ConsoleError: The variable is not set, or the file cannot be read or is empty.
    """
    place = SecretReference(settings.password_env, settings.password_file)
    if not place:
        raise ConsoleError(f"account {name} names no password_env and no password_file")
    return place.require(f"the password of account {name}", ConsoleError)
