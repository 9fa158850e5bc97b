"""The second factor: six digits that change every thirty seconds (RFC 6238), each of use once."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

import pyotp

from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import SetupError
from appliance.practice.accounts import Account

STEP_S = 30
"""How long a code is shown, as every authenticator does it."""
_SKEW = 1
"""Steps that the reader's clock may be off."""
_PENDING_S = 300.0
"""How long the page that asks for the code may stay open."""
_TRIES = 5
"""Wrong codes before the password is asked for again."""


@dataclass(slots=True)
class _PendingLogin:
    """Somebody whose password was right."""

    account: Account
    until: datetime
    tries: int = 0


class SecondFactor:
    """Checks codes. All accounts share the secret, and each uses up codes of its own.

    The time is the machine's, however the cloud's own clock was put forward: so is that of the
    device which shows the code.
    """

    def __init__(self, secret: str, clock: Clock | None = None) -> None:
        try:
            self._codes = pyotp.HOTP(secret.replace(" ", "").upper())
            self._codes.at(0)
        except ValueError as exc:
            raise SetupError(
                "the secret of the second factor is not in base 32 (letters A-Z and digits 2-7)"
            ) from exc
        self._clock = clock or SystemClock()
        self._used: dict[str, int] = {}
        self._pending: dict[str, _PendingLogin] = {}

    def accepts(self, account: Account, code: str) -> bool:
        """Whether the code is right and was not used before; it is used up then."""
        step = int(self._clock.now().timestamp()) // STEP_S
        first = max(step - _SKEW, self._used.get(account.name, -1) + 1, 0)
        for candidate in range(first, step + _SKEW + 1):
            if secrets.compare_digest(self._codes.at(candidate).encode(), code.strip().encode()):
                self._used[account.name] = candidate
                return True
        return False

    def ask(self, account: Account) -> str:
        """The password was right; a token for the page that asks for the code."""
        now = self._clock.now()
        self._pending = {t: pending for t, pending in self._pending.items() if pending.until > now}
        token = secrets.token_urlsafe(24)
        self._pending[token] = _PendingLogin(account, now + timedelta(seconds=_PENDING_S))
        return token

    def account_of(self, token: str) -> Account | None:
        """The account that a pending login is of; None: unknown or expired."""
        pending = self._pending.get(token)
        return pending.account if pending and pending.until > self._clock.now() else None

    def answer(self, token: str, code: str) -> bool:
        """Whether the code is right; the token is worthless then, and after too many wrong ones."""
        pending = self._pending[token]
        pending.tries += 1
        is_right = self.accepts(pending.account, code)
        if is_right or pending.tries >= _TRIES:
            del self._pending[token]
        return is_right
