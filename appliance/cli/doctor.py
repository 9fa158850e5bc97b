"""`appliance doctor`: whether this machine has what it needs."""

import asyncio
import os
import platform
import shutil
import stat
import subprocess
import sys
from asyncio import to_thread
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._check import CheckResult, Status, failure, fine, warning
from appliance.cli._output import data_console, json_option, write_json
from appliance.config import ConsoleSettings, Loaded, SandboxSettings, Settings
from appliance.core.errors import ApplianceError, SetupError
from appliance.engine.address import Address, server_address
from appliance.store.privacy import loose
from appliance.store.store import FILE_NAME, Store
from appliance.system.child_environment import Child, child_environment

if TYPE_CHECKING:  # imported where it is used: it takes long
    from appliance.environment.obstacles import DiskSpace

_GOOD_DISK_BYTES = 5 << 30
"""A run of some hundred procedures keeps about a fifth of this in screenshots."""
_GOOD_SHM_BYTES = 256 << 20
"""Chromium keeps decoded pictures and canvases there; with a container's 64 MiB tabs crash."""
_FC_LIST_TIMEOUT_S = 20.0


async def diagnose(loaded: Loaded) -> AsyncIterator[CheckResult]:
    """All checks, one after the other."""
    from appliance.cli._model_checks import model_checks
    from appliance.cli._network_checks import network_checks
    from appliance.cli._service_checks import identity_checks, service_checks
    from appliance.environment.obstacles import Space

    settings = loaded.settings
    yield _python()
    yield fine("settings", str(loaded.file or "no file: the embedded default"))
    server = server_address(settings.data_dir)
    yield _data_dir(settings.data_dir)
    for disk_space in Space(settings).places():
        yield _disk(disk_space)
    yield await to_thread(_store, settings.data_dir, server)
    for check in service_checks(settings, server):
        yield check
    async for check in identity_checks(settings):
        yield check
    yield _shared_memory(Path("/dev/shm"))  # noqa: S108 - asked for its size, nothing is written
    yield _fonts()
    yield await _browser(settings)
    yield await to_thread(_terraform, settings.environment.terraform.binary)
    yield await _sandbox(settings.environment.sandbox)
    yield await to_thread(_modules, settings)
    async for check in network_checks(settings):
        yield check
    async for check in model_checks(
        settings.model, settings.outward, is_serving=server is not None
    ):
        yield check
    for name, console in settings.consoles.items():
        for check in (*_passwords(name, console), *_second_factors(name, console)):
            yield check
        yield await _console(name, console, settings)


def _python() -> CheckResult:
    """An older one than 3.11 could not have come this far."""
    where = f"{sys.executable}, {platform.system()} {platform.machine()}"
    return fine("python", f"{platform.python_version()} ({where})")


def _data_dir(folder: Path) -> CheckResult:
    nearest = _nearest(folder)
    if not nearest.is_dir():
        return failure("data folder", f"{nearest} is not a folder.", _SET_DATA_DIR)
    if not os.access(nearest, os.W_OK | os.X_OK):
        return failure("data folder", f"{nearest} may not be written.", _SET_DATA_DIR)
    if open_to_others := loose(folder):
        many = f" and {len(open_to_others) - 1} more in it" if len(open_to_others) > 1 else ""
        says = f"others may read {open_to_others[0]}{many}."
        return warning("data folder", says, _CHMOD.format(folder=folder))
    return fine("data folder", f"{folder}{'' if folder.exists() else ' (to be made)'}")


_CHMOD = (
    "The next command that opens the store changes that where the files are its own; for those of"
    " another user: chmod -R go= {folder}"
)
_SET_DATA_DIR = "Make it writable, or set data_dir (APPLIANCE_DATA_DIR) to a folder that is."


def _disk(place: "DiskSpace") -> CheckResult:
    """Below the least nothing is begun."""
    name = "disk" if place.name == "data" else "temporary files"
    says = f"{place.free / (1 << 30):.1f} GiB free in {place.folder}"
    if place.is_short:
        remedy = f"Make room: {place.setting} asks for {place.least_mib} MiB, or nothing is begun."
        return failure(name, says, remedy)
    if place.name == "data" and place.free < _GOOD_DISK_BYTES:
        return warning(name, says, "Make room soon: long runs need about 5 GiB.")
    return fine(name, says)


def _nearest(folder: Path) -> Path:
    """The folder itself, or the innermost one around it that is there."""
    absolute = folder.absolute()
    return next(path for path in (absolute, *absolute.parents) if path.exists())


def _store(folder: Path, server: Address | None) -> CheckResult:
    if server is not None:
        return fine("store", f"open in the server at {server.url}")
    if not (folder / FILE_NAME).exists():
        return fine("store", "made by the first run")
    try:
        with Store.open(folder):
            return fine("store", "can be opened for writing")
    except ApplianceError as exc:
        return failure("store", str(exc))


def _shared_memory(folder: Path) -> CheckResult:
    if not folder.is_dir():
        return warning("shared memory", f"{folder} is not there", _SHM_REMEDY)
    size = shutil.disk_usage(folder).total
    status = Status.OK if size >= _GOOD_SHM_BYTES else Status.WARN
    remedy = "" if status is Status.OK else _SHM_REMEDY
    return CheckResult("shared memory", status, f"{size >> 20} MiB", remedy)


_SHM_REMEDY = "Start the container with --shm-size=256m or more, or browser tabs may crash."


def _fonts() -> CheckResult:
    remedy = "Install fonts-noto-cjk, or screenshots show boxes instead of Chinese text."
    try:
        listed = subprocess.run(
            ["fc-list", ":lang=zh", "family"],
            capture_output=True,
            text=True,
            timeout=_FC_LIST_TIMEOUT_S,
            env=child_environment(Child.TOOL),
            check=False,
        ).stdout.splitlines()
    except (OSError, subprocess.TimeoutExpired):
        return warning("Chinese fonts", "fc-list cannot be run", remedy)
    if not listed:
        return warning("Chinese fonts", "none", remedy)
    return fine("Chinese fonts", sorted(listed)[0].split(",")[0])


async def _browser(settings: Settings) -> CheckResult:
    from appliance.browser import BrowserPool

    try:
        async with BrowserPool(settings.browser, settings.networks()) as pool:
            description = f"{pool.version} ({pool.executable})"
            if pool.is_sandboxed:
                return fine("browser", f"{description}, as user {pool.user}, in its own sandbox")
            user = "root" if pool.user == 0 else f"user {pool.user}"
            says = f"{description}, as {user}, with no sandbox"
            return warning("browser", says, _SANDBOX_REMEDY[pool.user == 0])
    except ApplianceError as exc:
        return failure("browser", str(exc))


_SANDBOX_REMEDY = {
    False: "Allow user namespaces, in a container with the profile scripts/seccomp-chromium.json.",
    True: "Run the appliance as another user; browser.allow_root_without_sandbox allows this.",
}


def _terraform(configured: Path | None) -> CheckResult:
    from appliance.environment.terraform import find_terraform

    try:
        return fine("terraform", str(find_terraform(configured)))
    except SetupError as exc:
        remedy = "Only procedures that need something in the cloud first need it."
        return warning("terraform", str(exc), remedy)


def _modules(settings: Settings) -> CheckResult:
    from appliance.environment.modules import Catalogue, module_folders

    kinds = {console.kind for console in settings.consoles.values()}
    try:
        catalogue = Catalogue.load(module_folders(settings))
        problems = [str(problem) for kind in sorted(kinds) for problem in catalogue.check(kind)]
    except SetupError as exc:
        problems = [str(exc)]
    if problems:
        return failure("resource modules", "; ".join(problems))
    count = sum(len(catalogue.of(kind)) for kind in kinds)
    return fine("resource modules", f"{count} for {', '.join(sorted(kinds))}")


async def _sandbox(settings: SandboxSettings) -> CheckResult:
    from appliance.environment.sandbox import survey

    sandboxes = await survey(settings)
    if sandboxes.is_locked:
        return fine("sandbox", str(sandboxes))
    if not sandboxes.name:
        remedy = "Set environment.sandbox.engine to auto, or start that one."
        return warning("sandbox", str(sandboxes), remedy)
    remedy = "Install docker, podman or bubblewrap before a model writes Terraform here."
    return warning("sandbox", str(sandboxes), remedy)


def _passwords(name: str, console: ConsoleSettings) -> Iterator[CheckResult]:
    from appliance.consoles import password_of

    for key, account in console.accounts.items():
        check_name = f"password of {name}/{key}"
        if not account.password_env and not account.password_file:
            continue  # only a practice cloud may leave it to the adapter
        try:
            password_of(key, account)
        except ApplianceError as exc:
            yield failure(check_name, str(exc), f"See consoles.{name}.accounts.{key}.")
            continue
        yield _check_file_mode(check_name, account.password_file, account.password_env)


def _second_factors(name: str, console: ConsoleSettings) -> Iterator[CheckResult]:
    from appliance.consoles import check_second_factor, has_second_factor

    for key, account in console.accounts.items():
        if not has_second_factor(account):
            continue
        check_name = f"second factor of {name}/{key}"
        try:
            check_second_factor(key, account)
        except ApplianceError as exc:
            yield failure(check_name, str(exc), f"See consoles.{name}.accounts.{key}.")
            continue
        yield _check_file_mode(check_name, account.totp_file, account.totp_env)


def _check_file_mode(name: str, file: Path | None, variable: str | None) -> CheckResult:
    if file and stat.S_IMODE(file.stat().st_mode) & 0o077:
        return warning(name, f"{file} can be read by others", f"chmod 600 {file}")
    return fine(name, f"in {file or variable}")


async def _console(name: str, settings: ConsoleSettings, all_settings: Settings) -> CheckResult:
    """Whether it answers, and lets its first account in."""
    from appliance.consoles import configured_console

    check_name = f"console {name}"
    if settings.kind == "practice" and not settings.url:
        return fine(check_name, "a practice cloud is started for each run")
    try:
        console = await to_thread(configured_console, all_settings, name)
    except ApplianceError as exc:
        return failure(check_name, str(exc), f"Correct consoles.{name}.")
    try:
        await console.check()
        account = console.accounts(None)[0]
        health = await console.health(account)
    except ApplianceError as exc:
        return failure(check_name, str(exc), f"Correct consoles.{name}, or start it.")
    finally:
        await console.close()
    if not health.can_log_in:
        remedy = f"Correct consoles.{name}.accounts.{account.name}, or the account itself."
        return failure(
            check_name, f"{settings.url}: {account.name} cannot log in: {health.problem}", remedy
        )
    if settings.kind == "generic":
        return warning(
            check_name,
            f"{settings.url}: {_way_in(settings, account.name)}; what attempts make is deleted as a"
            " reader would, in its pages",
            "Remove by hand what `appliance resource list --left` shows; use an account of its own"
            " with a small quota.",
        )
    return fine(check_name, f"{settings.url}: {account.name} can log in")


def _way_in(settings: ConsoleSettings, account: str) -> str:
    return f"{account} can log in" if settings.accounts else "it opens without a log-in"


_COLOURS = {Status.OK: "green", Status.WARN: "yellow", Status.FAIL: "red"}


@click.command("doctor")
@json_option
@pass_invocation
def command(invocation: Invocation, as_json: bool) -> int:
    """Check that this machine has what it needs, and say what to do where it has not.

    Looks at Python, the settings, the data folder, the store, shared memory, fonts, the browser,
    the way to each address of the settings with its certificate, the model, the consoles,
    passwords and second factors; and for `serve` at its port, keys, schedules, webhooks and
    notifications. Exit code 2 where something keeps `verify` or `serve` from working.
    """
    checks = asyncio.run(_run(invocation.load(), as_json))
    failed = [check for check in checks if check.status is Status.FAIL]
    if as_json:
        write_json({"ok": not failed, "checks": [asdict(check) for check in checks]})
    return COULD_NOT_RUN if failed else CLEAN


async def _run(loaded: Loaded, as_json: bool) -> list[CheckResult]:
    console = data_console()
    checks = []
    async for check in diagnose(loaded):
        checks.append(check)
        if not as_json:
            console.print(_line(check), soft_wrap=True)
    return checks


def _line(check: CheckResult) -> Text:
    line = Text(check.status.ljust(5), style=_COLOURS[check.status])
    line.append(check.name, style="bold").append(f": {check.says}", style="not bold default")
    return line.append(f"\n      {check.remedy}", style="dim") if check.remedy else line
