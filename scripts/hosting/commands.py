"""The command line of `scripts/appliance`."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from python_on_whales import DockerClient

from hosting.bundle import bundle, load
from hosting.container import client, find, require_container, run_inside, start, stop, wait_ready
from hosting.copies import backup, restore
from hosting.examine import examine
from hosting.options import Options, add_options, options_from_arguments
from hosting.problems import Problem
from hosting.upgrading import upgrade

IMAGE = "console-docs-appliance:cpu"
_SIGNS = {"ok": "✓", "warn": "!", "fail": "✗"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked: 0 done, 1 `doctor` found a fault, 2 it could not be done."""
    parsed = _parser().parse_args(arguments)
    try:
        code: int = parsed.do(client(), parsed) or 0
    except Problem as exc:
        say(f"Error: {exc}")
        return 2
    except KeyboardInterrupt:
        return 130
    return code


def say(text: str) -> None:
    """Talk goes to standard error; data to standard output."""
    print(text, file=sys.stderr)  # noqa: T201 - this is a program


def _up(engine: DockerClient, arguments: argparse.Namespace) -> None:
    options = options_from_arguments(arguments)
    existing = find(engine, options.name)
    if existing is not None:
        raise Problem(
            f"A container {options.name!r} is there already ({existing.state.status}): "
            "`down` ends it, `upgrade` gives it another image."
        )
    if not engine.image.exists(options.image):
        raise Problem(
            f"There is no image {options.image} here: `scripts/appliance load BUNDLE`, or "
            "`scripts/image build`."
        )
    container = start(engine, options)
    try:
        ready = wait_ready(container)
    except Problem:
        container.remove(force=True)
        raise
    say(f"Ready after {ready.took_s:.1f} s: {ready.scheme}://{options.address}:{options.port}")
    _tell_first_key(container)


def _tell_first_key(container: object) -> None:
    """Shown once: it is removed then."""
    shell = "test ! -f /data/first-key || { cat /data/first-key && rm /data/first-key; }"
    key = run_inside(container, ["/bin/sh", "-c", shell]).strip()
    if key:
        say(f"The first key, with the role admin. It cannot be shown again:\n\n  {key}\n")


def _down(engine: DockerClient, arguments: argparse.Namespace) -> None:
    stop(require_container(engine, arguments.name))
    say("Stopped and removed; its data stay.")


def _logs(engine: DockerClient, arguments: argparse.Namespace) -> None:
    container = require_container(engine, arguments.name)
    if not arguments.follow:
        print(container.logs(tail=arguments.tail), end="")  # noqa: T201 - this is a program
        return
    for _, line in container.logs(tail=arguments.tail, follow=True, stream=True):
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def _upgrade(engine: DockerClient, arguments: argparse.Namespace) -> None:
    upgrade(engine, arguments.name, arguments.image, arguments.timeout, say)


def _backup(engine: DockerClient, arguments: argparse.Namespace) -> None:
    size = backup(engine, arguments.name, arguments.file)
    say(f"{arguments.file}: {size / (1 << 20):,.1f} MiB")


def _restore(engine: DockerClient, arguments: argparse.Namespace) -> None:
    say(restore(engine, arguments.name, arguments.file, arguments.identity).strip())


def _doctor(engine: DockerClient, arguments: argparse.Namespace) -> int:
    container = find(engine, arguments.name)
    options = (
        options_from_arguments(arguments)
        if container is None
        else Options.of_label(container.config.labels)
    )
    checks = list(examine(engine, options))
    if arguments.json:
        print(json.dumps([asdict(check) for check in checks], indent=1))  # noqa: T201
    for check in () if arguments.json else checks:
        print(f"{_SIGNS[check.status]} {check.name:8} {check.found}")  # noqa: T201
        if check.remedy and check.status != "ok":
            print(f"  {'':8} {check.remedy}")  # noqa: T201
    return int(any(check.status == "fail" for check in checks))


def _bundle(engine: DockerClient, arguments: argparse.Namespace) -> None:
    bundle(
        engine,
        arguments.image,
        arguments.file,
        models=arguments.model,
        providers=arguments.providers,
        python=arguments.python,
        say=say,
    )
    say(f"{arguments.file}: {arguments.file.stat().st_size / (1 << 20):,.0f} MiB")


def _load(engine: DockerClient, arguments: argparse.Namespace) -> None:
    image = load(engine, arguments.file, arguments.into, say)
    say(
        f"{image} is here; the rest is in {arguments.into}."
        f" Next: {arguments.into}/scripts/appliance up"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="appliance", description="Runs the appliance's container")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, do: object, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(do=do)
        made.add_argument("--name", default="appliance", help="name of the container [appliance]")
        return made

    up = command("up", _up, "start it, locked down, and wait until it is ready")
    up.add_argument("--image", default=IMAGE)
    add_options(up)
    command("down", _down, "stop and remove it; its data stay")
    logs = command("logs", _logs, "what it says")
    logs.add_argument("-f", "--follow", action="store_true")
    logs.add_argument("--tail", type=int, default=200)
    newer = command("upgrade", _upgrade, "go to another image; back when that does not get ready")
    newer.add_argument("image")
    newer.add_argument("--timeout", type=float, default=120.0, help="seconds to get ready [120]")
    copy = command("backup", _backup, "write store and evidence into an archive, while it runs")
    copy.add_argument("file", type=Path)
    back = command("restore", _restore, "put such an archive in the place of what is there")
    back.add_argument("file", type=Path)
    back.add_argument("--identity", type=Path, help="private key of a backup that is encrypted")
    doctor = command("doctor", _doctor, "look at what would keep it from running well here")
    doctor.add_argument("--image", default=IMAGE)
    doctor.add_argument("--json", action="store_true")
    add_options(doctor)
    pack = command("bundle", _bundle, "everything for a machine without internet, in one archive")
    pack.add_argument("file", type=Path)
    pack.add_argument("--image", default=IMAGE)
    pack.add_argument("--model", type=Path, action="append", default=[], help="folder of weights")
    pack.add_argument("--providers", type=Path, help="mirror of Terraform providers")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    pack.add_argument("--python", default=version, help=f"version on that machine [{version}]")
    unpack = command("load", _load, "check a bundle, load its image, unpack the rest")
    unpack.add_argument("file", type=Path)
    unpack.add_argument("--into", type=Path, default=Path("appliance-bundle"))
    return parser
