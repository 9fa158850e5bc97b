"""A log-in described in prose, as in a guide, and carried out sentence by sentence.

Secrets stay behind names until they are typed: the reader sees a placeholder for each.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from appliance.browser import Page, Person
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors, password_of
from appliance.consoles.generic.login import FieldKind, enter, fill_in, refusal_on
from appliance.consoles.generic.way_in import explain_foreign_host
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
_SECRET_NAMES = {
    _PASSWORD: ("password", "passphrase", "密码", "口令"),
    _CODE: (
        *("code", "one-time code", "one-time password", "one-time passcode", "passcode", "OTP"),
        *("verification code", "security code", "authentication code", "TOTP", "token"),
        *("验证码", "动态码", "动态口令", "动态密码", "一次性密码", "校验码", "安全码"),
    ),
}
"""The names that texts use for each secret."""
_USER_NAMES = (
    *("user name", "username", "user", "login", "account", "account name", "email"),
    *("email address", "e-mail", "user ID", "用户名", "账号", "帐号", "账户", "登录名", "邮箱"),
)
_MAX_ACTIONS = 40
"""Actions in one step; a long list may have to be searched."""
_MAX_TRIES = 4
_PAUSE_S = 2.0
"""Pause before retrying a step that did nothing yet: its page may still be loading."""
_MAX_SHOWN = 12


@dataclass(frozen=True, slots=True)
class LogInStep:
    """One sentence of a log-in description."""

    number: int
    text: str
    procedure: Procedure
    """That sentence alone."""
    intents: tuple[Intent, ...]
    """What it asks for, in order."""

    @property
    def kinds(self) -> frozenset[IntentKind]:
        """The kinds of its intents."""
        return frozenset(intent.kind for intent in self.intents)

    def __str__(self) -> str:
        return f'step {self.number} of log_in_steps ("{self.text}")'


def read_log_in(text: str) -> tuple[LogInStep, ...]:
    """Parse the steps: each line holds one or more sentences.

    Raises:
        SetupError: One is not understood.
    """
    lines = [_MARK.sub("", line).strip() for line in text.splitlines() if line.strip()]
    steps = [step for number, line in enumerate(lines, 1) for step in _read_line(number, line)]
    if not steps:
        raise SetupError("log_in_steps has no steps: write one a line")
    return tuple(steps)


def _read_line(number: int, line: str) -> Iterator[LogInStep]:
    """The steps of one line, parsed by itself: lines may be in different languages."""
    document = parse_document(f"# Log in\n\n1. {line}\n", "log_in_steps", "markdown")
    procedures = (*document.procedures, *document.candidates)
    for step in procedures[0].steps if procedures else ():
        for part in step.body:
            if not isinstance(part, Sentence):
                raise SetupError(f"log_in_steps: line {number} has more than sentences in it")
            single_step = replace(procedures[0], steps=(replace(step, body=(part,)),))
            log_in_step = LogInStep(number, part.text, single_step, read_procedure(single_step))
            if log_in_step.kinds <= {IntentKind.INFORM} or IntentKind.UNCLEAR in log_in_step.kinds:
                raise SetupError(
                    f"{log_in_step} is not understood: say what to click or to enter, as a guide"
                    ' does, and what a person must do as "Ask a person to …"'
                )
            yield log_in_step


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLogIn:
    """One log-in by written steps."""

    page: Page
    url: str
    account: Account
    codes: SecondFactors
    person: Person | None = None

    async def run(self, steps: tuple[LogInStep, ...]) -> None:
        """Carry out the steps from the first page on.

        Raises:
            ConsoleError: One cannot be; or the console asks for a log-in still.
            PersonError: Only a person can do it, and none comes.
        """
        async with explain_foreign_host(self.page):
            await open_start(self.page, self.url)
            for step in steps:
                await self._run_step(step)
            await self.page.observe()  # as soon as it is quiet
            if (why := await refusal_on(self.page)) is not None:
                user = self.account.settings.username
                raise ConsoleError(
                    f"after the last of log_in_steps the console still asks user {user} to log in"
                    f" at {self._place}{why and f': {why}'}"
                )

    async def _run_step(self, step: LogInStep) -> None:
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
        """Enter what the text calls by a plain name, if the page's form asks for it."""
        is_plain = intent.label is None and intent.place.field is None and intent.value is None
        if intent.kind is not IntentKind.FILL or not is_plain:
            return False
        return await enter(self.page, self.account, self.codes, _field_kind(intent.thing))

    async def _carry_out(self, step: LogInStep, intent: Intent) -> None:
        for tries_left in range(_MAX_TRIES, 0, -1):
            walk = _StepAttempt(self, step, intent)
            why = await walk.run()
            if not why:
                return
            if walk.has_acted or tries_left == 1:
                break
            await asyncio.sleep(_PAUSE_S)
        page_error = await refusal_on(self.page)
        page_says = f'; the page says "{page_error}"' if page_error else ""
        raise ConsoleError(
            without_secrets(
                f"{step} cannot be carried out at {self._place}: {why}{page_says};"
                f" {walk.describe_elements}"
            )
        )

    @property
    def _place(self) -> str:
        return self.page.url.partition("?")[0]


@dataclass(slots=True)
class _StepAttempt:
    """One try at one step."""

    log_in: WrittenLogIn
    step: LogInStep
    intent: Intent
    has_acted: bool = False
    view: Observation | None = None

    @property
    def describe_elements(self) -> str:
        """The elements that could be acted upon, to help whoever corrects the step."""
        names = [e.name for e in self.view.elements if e.name] if self.view else []
        listed = ", ".join(f'"{name}"' for name in dict.fromkeys(names[:_MAX_SHOWN]))
        return f"there is {listed}" if listed else "there is nothing to act upon"

    async def run(self) -> str:
        """Try the step; return why it cannot be carried out, or "" if it was."""
        user = self.log_in.account.settings.username
        bindings = {name: user for name in _USER_NAMES}
        bindings |= {name: secret for secret, names in _SECRET_NAMES.items() for name in names}
        task = Task(procedure=self.step.procedure, bindings=bindings, username=user, is_log_in=True)
        policy, last = LiteralPolicy(task, (self.intent,)), None
        for _ in range(_MAX_ACTIONS):
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
        return f"{_MAX_ACTIONS} actions did not do it"

    def _is_given(self, action: actions.Type) -> bool:
        """Whether the text is the account's or occurs in the step; otherwise it is made up."""
        account_texts = (self.log_in.account.settings.username, *_SECRET_NAMES)
        return action.text in account_texts or action.text in self.step.text

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


def _field_kind(thing: str) -> FieldKind | None:
    """Which of the account's values a text means by this name."""
    normalised = plain(thing)
    if normalised in map(plain, _USER_NAMES):
        return "user"
    if normalised in map(plain, _SECRET_NAMES[_PASSWORD]):
        return "password"
    return "code" if normalised in map(plain, _SECRET_NAMES[_CODE]) else None


def _problem(reports: tuple[StepReport, ...]) -> str:
    """The first problem that a report tells; parts that were not understood count as well."""
    return next(
        (
            report.note or "it is not understood"
            for report in reports
            if report.status in (StepStatus.STUCK, StepStatus.UNREACHED) or report.is_open
        ),
        "",
    )
