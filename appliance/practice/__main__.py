"""`python -m appliance.practice`: the practice cloud as a program of its own."""

import argparse
import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.practice.accounts import (
    DEVELOPMENT_PASSWORD,
    SESSION_S,
    password_in,
    second_factor_in,
)
from appliance.practice.serving import PracticeSettings, Running, Stop, serve
from appliance.practice.single_sign_on import oidc_client_in


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped; 2 when it cannot start."""
    options = _parser().parse_args(arguments)

    def ready(running: Running, stop: Stop) -> None:
        sys.stdout.write(json.dumps({"url": running.url}) + "\n")
        sys.stdout.flush()
        if options.exit_with_parent:
            threading.Thread(target=_wait_for_parent, args=(stop,), daemon=True).start()

    try:
        serve(_settings(options), ready)
    except SetupError as exc:
        sys.stderr.write(f"Error: {exc}\n")
        return 2
    except KeyboardInterrupt:
        pass
    return 0


def _wait_for_parent(stop: Stop) -> None:
    """Standard input ends when the parent does, however it ends."""
    while sys.stdin.buffer.read(4096):
        continue
    stop()


def _settings(options: argparse.Namespace) -> PracticeSettings:
    return PracticeSettings(
        release=options.release,
        drift=options.drift,
        host=options.host,
        port=options.port,
        data_dir=options.data,
        settle_s=options.settle_s,
        password=password_in(options.password_file),
        second_factor=second_factor_in(options.second_factor_file),
        single_sign_on=oidc_client_in(
            options.oidc_issuer, options.oidc_client_id, options.oidc_secret_file
        ),
        accounts=options.accounts,
        session_s=options.session_s,
        audit_delay_s=options.audit_delay_s,
        frame_origin=options.frame_origin,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m appliance.practice",
        description="A small cloud console to practise on. Prints its address as one line of JSON.",
    )
    parser.add_argument("--release", default="", help="release to serve [the newest]")
    parser.add_argument("--drift", type=Path, metavar="FILE", help="changes to lay over it")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on [%(default)s]")
    parser.add_argument("--port", type=int, default=0, help="port to listen on [a free one]")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep state and audit log here")
    parser.add_argument(
        "--settle-s", type=float, default=1.5, help="seconds until a state settles [%(default)s]"
    )
    parser.add_argument(
        "--password-file",
        type=Path,
        metavar="FILE",
        help=f"password of all accounts, on its first line [{DEVELOPMENT_PASSWORD!r}]",
    )
    parser.add_argument(
        "--second-factor-file",
        type=Path,
        metavar="FILE",
        help="ask every account for a six-digit code too; its secret, in base 32 [do not]",
    )
    parser.add_argument(
        "--oidc-issuer",
        default="",
        metavar="URL",
        help="leave the console's log-in to this identity provider [do not]",
    )
    parser.add_argument("--oidc-client-id", default="", metavar="ID", help="the cloud's name there")
    parser.add_argument(
        "--oidc-secret-file", type=Path, metavar="FILE", help="the client's secret there"
    )
    parser.add_argument(
        "--accounts", type=int, default=0, metavar="N", help="accounts beside the named ones [0]"
    )
    parser.add_argument(
        "--session-s", type=float, default=SESSION_S, help="seconds a session lasts [%(default)g]"
    )
    parser.add_argument(
        "--audit-delay-s",
        type=float,
        default=0.0,
        help="seconds until an event can be read [%(default)g]",
    )
    parser.add_argument(
        "--frame-origin",
        default="",
        metavar="URL",
        help="where frames of another origin come from [the other name of the loopback address]",
    )
    parser.add_argument(
        "--exit-with-parent", action="store_true", help="stop when standard input ends"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
