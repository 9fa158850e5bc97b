"""`appliance init`: asks for what has to be known, tries it, and writes a settings file."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import tzlocal
from pydantic import ValidationError

from appliance.cli._app import Invocation, pass_invocation
from appliance.cli._asking import Asking
from appliance.cli._output import as_the_user_wants, json_option, talk, write_json
from appliance.cli._summary import counted
from appliance.config import ConsoleSettings, load, starting_config
from appliance.core.errors import ConfigError, SetupError
from appliance.system.files import write_whole

_NO_AUDIT = "none"
_IN_FILES = ("cadf", "jsonlines", "kubernetes")
_AUDITS = (_NO_AUDIT, *_IN_FILES, "cloudtrail", "actiontrail")
_FILE = Path("config.yaml")


@click.command("init")
@click.option("--name", metavar="NAME", help="What the console is to be called [default: lab]")
@click.option("--url", metavar="ADDRESS", help="Address of the console's log-in page.")
@click.option(
    "--kind", type=click.Choice(["generic", "openstack"]), help="Which adapter drives it."
)
@click.option("--auth-url", metavar="ADDRESS", help="openstack: address of Keystone's v3 API.")
@click.option("--username", metavar="USER", help="Who logs in; empty: nobody has to.")
@click.option("--password-env", metavar="VARIABLE", help="Variable that holds the password.")
@click.option("--password-file", metavar="FILE", help="File that holds the password.")
@click.option("--totp-env", metavar="VARIABLE", help="Variable of the second factor's secret.")
@click.option("--totp-file", metavar="FILE", help="File that holds that secret.")
@click.option("--project", metavar="NAME", help="openstack: project to work in.")
@click.option("--docs", metavar="PATH", help="File or folder of the documentation.")
@click.option("--audit", type=click.Choice(_AUDITS), help="What the backend writes down, and how.")
@click.option("--audit-path", metavar="FILE", help="Where, for what is kept in files.")
@click.option("--audit-region", metavar="REGION", help="Where, for cloudtrail and actiontrail.")
@click.option("--audit-key-id-env", metavar="VARIABLE", help="Variable of the access key's id.")
@click.option("--audit-key-secret-env", metavar="VARIABLE", help="Variable of its secret.")
@click.option("--time-zone", metavar="ZONE", help="Of schedules and shown times [default: here]")
@click.option("--yes", is_flag=True, help="Ask nothing: what is not given takes its default.")
@click.option("--no-try", is_flag=True, help="Do not try whether it works.")
@json_option
@pass_invocation
def command(
    invocation: Invocation, /, *, yes: bool, no_try: bool, as_json: bool, **answers: str | None
) -> None:
    """Ask for console, log-in, documentation and audit log, try each, and write config.yaml.

    Every question has an option, for scripts. Passwords are named, never asked for or written. A
    file that is there is replaced only when you say so.
    """
    file = invocation.config or _FILE
    asking = Asking(answers, is_silent=yes)
    if file.exists() and not asking.is_overwritten(str(file)):
        raise SetupError(f"{file} is there, and was left as it is; --config FILE writes another.")
    setup = _Setup(asking, file, tries=not no_try)
    text = setup.ask()
    with as_the_user_wants():
        _write(file, text)
    following = setup.following()
    if as_json:
        write_json({"file": str(file), "procedures": setup.procedures, "next": following})
        return
    talk(f"\nWritten: {file}. Next:")
    for line in following:
        click.echo(f"  {line}")


class _Setup:
    """The conversation."""

    def __init__(self, asking: Asking, file: Path, *, tries: bool) -> None:
        self._asking = asking
        self._file = file
        self._tries = tries
        self._docs = ""
        self._missing: list[str] = []
        """Variables that have yet to be set."""
        self.procedures = 0

    def ask(self) -> str:
        """The settings file, after all questions."""
        ask = self._asking
        name = ask.text("name", "Name of the console", "lab")
        console = self._until(self._console, self._answers(name, "console"))
        console = self._until(lambda: self._account(name, console), self._logs_in(name))
        self._docs = self._documentation()
        console = self._until(lambda: self._audit(console), self._is_written(name))
        zone = ask.text(
            "time_zone", "Time zone of schedules and times", tzlocal.get_localzone_name()
        )
        return starting_config(
            name, self._as_config(console), [str(self._from_file(Path(self._docs)))], zone
        )

    def following(self) -> list[str]:
        """What to do next, as commands."""
        config = "" if self._file == _FILE else f"--config {self._file} "
        return [
            *(f"export {variable}=…" for variable in self._missing),
            f"appliance {config}doctor",
            f"appliance {config}verify {self._docs}",
            f"appliance {config}serve",
        ]

    def _until(
        self,
        ask: Callable[[], ConsoleSettings],
        problem_with: Callable[[ConsoleSettings], str | None],
    ) -> ConsoleSettings:
        """Ask until it works, or is kept all the same; None: nothing can be tried."""
        while True:
            self._asking.begin()
            console = ask()
            problem = problem_with(console) if self._tries else None
            if problem == "":
                talk("  It works.")
            if not problem or self._asking.is_kept(problem):
                return console
            self._asking.again()

    def _answers(self, name: str, subject: str) -> Callable[[ConsoleSettings], str | None]:
        def try_out(console: ConsoleSettings) -> str:
            from appliance.cli import _trying as trying

            talk(f"  Trying the {subject} …")
            return trying.answers(name, console)

        return try_out

    def _is_written(self, name: str) -> Callable[[ConsoleSettings], str | None]:
        problem_with = self._answers(name, "audit log")
        return lambda console: problem_with(console) if console.audit.kind else None

    def _console(self) -> ConsoleSettings:
        ask = self._asking
        url = ask.text("url", "Address of the console's log-in page")
        kind = ask.choice(
            "kind", "Kind (generic: any with a log-in form)", ("generic", "openstack"), _guess(url)
        )
        values: dict[str, Any] = {"kind": kind, "url": url}  # Any: settings
        if kind == "openstack":
            values["auth_url"] = ask.text("auth_url", "Address of Keystone's v3 API")
        return _console_of(values)

    def _account(self, name: str, console: ConsoleSettings) -> ConsoleSettings:
        ask = self._asking
        user = ask.text("username", "User name (empty: nobody logs in)", is_needed=False)
        if not user:
            return console
        account: dict[str, str] = {"username": user}
        file = ask.text(
            "password_file", "File with the password (empty: a variable)", is_needed=False
        )
        if file:
            account["password_file"] = file
        else:
            variable = f"{name}_{user}_PASSWORD".upper()
            default = "".join(c if c.isalnum() else "_" for c in variable)
            account["password_env"] = ask.text(
                "password_env", "Variable that holds the password", default
            )
        if totp := ask.take("totp_file"):
            account["totp_file"] = totp
        elif totp := ask.text(
            "totp_env",
            "Variable with the second factor's secret, in base 32 (empty: none)",
            is_needed=False,
        ):
            account["totp_env"] = totp
        if console.kind == "openstack":
            account["project"] = ask.text("project", "Project to work in", is_needed=False)
        return _console_of(_plain(console) | {"accounts": {_key(user): account}})

    def _logs_in(self, name: str) -> Callable[[ConsoleSettings], str | None]:
        def tried(console: ConsoleSettings) -> str | None:
            from appliance.cli import _trying as trying

            missing = [
                variable
                for one in console.accounts.values()
                for variable in (one.password_env, one.totp_env)
                if variable and not os.environ.get(variable)
            ]
            if missing:
                self._missing = missing
                talk(f"  {missing[0]} is not set here: the log-in is not tried.")
                return None
            talk("  Trying the log-in …")
            return trying.password_problem(console) or trying.lets_in(name, console)

        return tried

    def _documentation(self) -> str:
        from appliance.cli import _trying as trying

        while True:
            self._asking.begin()
            default = "docs" if Path("docs").is_dir() else ""
            path = self._asking.text("docs", "File or folder of the documentation", default)
            try:
                self.procedures = trying.count_procedures([Path(path)])
            except SetupError as exc:
                if not self._tries or self._asking.is_kept(str(exc)):
                    return path
                self._asking.again()
            else:
                talk(f"  {counted(self.procedures, 'procedure')} found.")
                return path

    def _audit(self, console: ConsoleSettings) -> ConsoleSettings:
        ask = self._asking
        kinds = (_NO_AUDIT, "cadf") if console.kind == "openstack" else _AUDITS
        kind = ask.choice("audit", "Audit log of the backend", kinds, _NO_AUDIT)
        if kind == _NO_AUDIT:
            return console
        audit: dict[str, str] = {"kind": kind}
        if kind in _IN_FILES:
            audit["path"] = ask.text("audit_path", "Its file or folder")
        else:
            audit["region"] = ask.text("audit_region", "Region of its API")
            audit["key_id_env"] = ask.text(
                "audit_key_id_env", "Variable that holds the access key's id", "AUDIT_KEY_ID"
            )
            audit["key_secret_env"] = ask.text(
                "audit_key_secret_env", "Variable that holds its secret", "AUDIT_KEY_SECRET"
            )
        return _console_of(_plain(console) | {"audit": audit})

    def _as_config(self, console: ConsoleSettings) -> ConsoleSettings:
        """With paths as they stand in the settings file."""
        values = _plain(console)
        for section, key in (
            (values.get("audit", {}), "path"),
            *(
                (account, key)
                for account in values.get("accounts", {}).values()
                for key in ("password_file", "totp_file")
            ),
        ):
            if section.get(key):
                section[key] = self._from_file(section[key])
        return _console_of(values)

    def _from_file(self, path: Path) -> Path:
        """A path from that file's folder."""
        return path if path.is_absolute() else Path(os.path.relpath(path, self._file.parent))


def _guess(url: str) -> str:
    return "openstack" if "horizon" in url else "generic"


def _key(user: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in user.partition("@")[0].lower()) or "docs"


def _plain(console: ConsoleSettings) -> dict[str, Any]:  # Any: settings
    return console.model_dump(exclude_defaults=True)


def _console_of(values: dict[str, Any]) -> ConsoleSettings:  # Any: settings
    try:
        return ConsoleSettings.model_validate(values)
    except ValidationError as exc:
        raise SetupError("; ".join(error["msg"] for error in exc.errors())) from None


def _write(file: Path, text: str) -> None:
    """Settings that can be read again, or none."""
    draft = file.with_name(f".{file.name}.draft")
    try:
        write_whole(draft, text)
        load(draft, {}, {})
    except ConfigError as exc:
        raise SetupError(str(exc).replace(str(draft), str(file))) from None
    except OSError as exc:
        raise SetupError(f"{file} cannot be written: {exc.strerror or exc}") from None
    else:
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
