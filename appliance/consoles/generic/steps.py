"""A log-in that somebody wrote down: prose as of a guide, read and carried out word by word.

Secrets are known by name until they are typed: the reader sees a stand-in for each.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from appliance.browser import Page, Person
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors, password_of
from appliance.consoles.generic.login import Asked, enter, fill_in, refusal_on
from appliance.consoles.generic.way_in import stopped_at
from appliance.consoles.starting import open_start
from appliance.core import actions
from appliance.core.errors import ConsoleError, PersonError, PolicyError, SetupError
from appliance.core.page import Observation, Performed
from appliance.core.procedure import Procedure, Sentence
from appliance.core.secrets import without_secrets
from appliance.core.verdict import StepStatus
from appliance.documents import parse_document
from appliance.language.names import plain
from appliance.policy.base import StepReport, Task
from appliance.policy.literal import Intent, IntentKind, LiteralPolicy, read_procedure

_MARK = re.compile(r"^\s*(?:\d+[.)、]|[-*+])\s*(?=\S)")
_PASSWORD, _CODE = "the password of this account", "the code of this account"
_NAMES = {
    _PASSWORD: ("password", "passphrase", "密码", "口令"),
    _CODE: (
        *("code", "one-time code", "one-time password", "one-time passcode", "passcode", "OTP"),
        *("verification code", "security code", "authentication code", "TOTP", "token"),
        *("验证码", "动态码", "动态口令", "动态密码", "一次性密码", "校验码", "安全码"),
    ),
}
"""What texts call what is secret."""
_USER = (
    *("user name", "username", "user", "login", "account", "account name", "email"),
    *("email address", "e-mail", "user ID", "用户名", "账号", "帐号", "账户", "登录名", "邮箱"),
)
_ACTIONS = 40
"""In one step: a list may have to be looked through."""
_TRIES = 4
_PAUSE_S = 2.0
"""Before a step is tried again of which nothing was done: its page may be on its way."""
_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class LogInStep:
    """One sentence of a log-in."""

    number: int
    text: str
    procedure: Procedure
    """That sentence alone."""
    intents: tuple[Intent, ...]
    """What it asks for, in order."""

    @property
    def kinds(self) -> frozenset[IntentKind]:
        """What it asks for."""
        return frozenset(intent.kind for intent in self.intents)

    def __str__(self) -> str:
        return f'step {self.number} of log_in_steps ("{self.text}")'


def read_log_in(text: str) -> tuple[LogInStep, ...]:
    """The steps, one or more sentences a line.

    Raises:
        SetupError: One is not understood.
    """
    lines = [_MARK.sub("", line).strip() for line in text.splitlines() if line.strip()]
    steps = [step for number, line in enumerate(lines, 1) for step in _read_line(number, line)]
    if not steps:
        raise SetupError("log_in_steps has no steps: write one a line")
    return tuple(steps)


def _read_line(number: int, line: str) -> Iterator[LogInStep]:
    """Each by itself: one may be in another language than the next."""
    document = parse_document(f"# Log in\n\n1. {line}\n", "log_in_steps", "markdown")
    found = (*document.procedures, *document.candidates)
    for step in found[0].steps if found else ():
        for part in step.body:
            if not isinstance(part, Sentence):
                raise SetupError(f"log_in_steps: line {number} has more than sentences in it")
            alone = replace(found[0], steps=(replace(step, body=(part,)),))
            read = LogInStep(number, part.text, alone, read_procedure(alone))
            if read.kinds <= {IntentKind.INFORM} or IntentKind.UNCLEAR in read.kinds:
                raise SetupError(
                    f"{read} is not understood: say what to click or to enter, as a guide does, and"
                    ' what a person must do as "Ask a person to …"'
                )
            yield read


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLogIn:
    """One log-in by its steps."""

    page: Page
    url: str
    account: Account
    codes: SecondFactors
    person: Person | None = None

    async def run(self, steps: tuple[LogInStep, ...]) -> None:
        """Carry them out, from the first page on.

        Raises:
            ConsoleError: One cannot be; or the console asks for a log-in still.
            PersonError: Only a person can do it, and none comes.
        """
        async with stopped_at(self.page):
            await open_start(self.page, self.url)
            for step in steps:
                await self._one(step)
            await self.page.observe()  # as soon as it is quiet
            if (why := await refusal_on(self.page)) is not None:
                user = self.account.settings.username
                raise ConsoleError(
                    f"after the last of log_in_steps the console still asks user {user} to log in"
                    f" at {self._place}{why and f': {why}'}"
                )

    async def _one(self, step: LogInStep) -> None:
        if IntentKind.EXTERNAL in step.kinds:
            if self.person is None:
                raise PersonError(f"{step} is for a person, and nobody can be asked here")
            await self.person.take_over(self.page, step.text, str(step.number))
        elif IntentKind.LOG_IN in step.kinds:
            await fill_in(self.page, self.url, self.account, self.codes)
        else:
            for intent in step.intents:
                if not await self._enter(intent):
                    await self._carry_out(step, intent)

    async def _enter(self, intent: Intent) -> bool:
        """Enter what the text calls by its plain name where the page's form asks for it."""
        is_plain = intent.label is None and intent.place.field is None and intent.value is None
        if intent.kind is not IntentKind.FILL or not is_plain:
            return False
        return await enter(self.page, self.account, self.codes, _what(intent.thing))

    async def _carry_out(self, step: LogInStep, intent: Intent) -> None:
        for further in range(_TRIES, 0, -1):
            walk = _Walk(self, step, intent)
            why = await walk.run()
            if not why:
                return
            if walk.has_acted or further == 1:
                break
            await asyncio.sleep(_PAUSE_S)
        said = await refusal_on(self.page)
        says = f'; the page says "{said}"' if said else ""
        raise ConsoleError(
            without_secrets(
                f"{step} cannot be carried out at {self._place}: {why}{says}; {walk.shown}"
            )
        )

    @property
    def _place(self) -> str:
        return self.page.url.partition("?")[0]


@dataclass(slots=True)
class _Walk:
    """One step, tried once."""

    log_in: WrittenLogIn
    step: LogInStep
    intent: Intent
    has_acted: bool = False
    view: Observation | None = None

    @property
    def shown(self) -> str:
        """What there is to act upon, for whoever mends the step."""
        named = [e.name for e in self.view.elements if e.name] if self.view else []
        shown = ", ".join(f'"{name}"' for name in dict.fromkeys(named[:_MOST_SHOWN]))
        return f"there is {shown}" if shown else "there is nothing to act upon"

    async def run(self) -> str:
        """Why it cannot be carried out; empty: it was."""
        user = self.log_in.account.settings.username
        bindings = {name: user for name in _USER}
        bindings |= {name: secret for secret, names in _NAMES.items() for name in names}
        task = Task(procedure=self.step.procedure, bindings=bindings, username=user, is_log_in=True)
        policy, last = LiteralPolicy(task, (self.intent,)), None
        for _ in range(_ACTIONS):
            self.view = await self.log_in.page.observe()
            try:
                decision = await policy.choose(self.view, last)
            except PolicyError as exc:
                return str(exc)
            if problem := _problem(decision.reports):
                return problem
            if decision.action.is_final:
                return ""
            if isinstance(decision.action, actions.Type) and not self._is_given(decision.action):
                return "it does not say which to enter: user name, password or code"
            last = await self._perform(decision.action)
        return f"{_ACTIONS} actions did not do it"

    def _is_given(self, action: actions.Type) -> bool:
        """Whether the text is one of the account's, or stands in the step; else it is made up."""
        known = (self.log_in.account.settings.username, *_NAMES)
        return action.text in known or action.text in self.step.text

    async def _perform(self, action: actions.Action) -> Performed:
        if not isinstance(action, actions.Wait):
            self.has_acted = True
        if isinstance(action, actions.Type):
            action = replace(action, text=await self._secret(action.text))
        return await self.log_in.page.perform(action)

    async def _secret(self, text: str) -> str:
        account = self.log_in.account
        if text == _PASSWORD:
            return password_of(account.name, account.settings)
        return await self.log_in.codes.code_of(account) if text == _CODE else text


def _what(thing: str) -> Asked | None:
    """What of an account a text calls so."""
    said = plain(thing)
    if said in map(plain, _USER):
        return "user"
    if said in map(plain, _NAMES[_PASSWORD]):
        return "password"
    return "code" if said in map(plain, _NAMES[_CODE]) else None


def _problem(reports: tuple[StepReport, ...]) -> str:
    """What could not be done; what a reader who understands more might do counts as well."""
    return next(
        (
            report.note or "it is not understood"
            for report in reports
            if report.status in (StepStatus.STUCK, StepStatus.UNREACHED) or report.is_open
        ),
        "",
    )
