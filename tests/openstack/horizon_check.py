"""Verifies Horizon's own guides against a Horizon: started by scripts/horizon-check."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from horizon_guides import GuidesError, fetch_guides, guide_files
from horizon_score import score
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LABELS = ROOT / "appliance" / "benchmark" / "suites" / "horizon.yaml"
COULD_NOT_RUN = 2
PASSWORDS = {"HORIZON_DEMO_PASSWORD": "demopass", "HORIZON_ADMIN_PASSWORD": "adminpass"}


def main(arguments: list[str] | None = None) -> int:
    """Fetch, verify, score, show; 0 whatever the guides say, 2 when nothing could be run."""
    options = options_of(arguments)
    out = Path(options.out).absolute()
    out.mkdir(parents=True, exist_ok=True)
    if not Path(options.audit_file).is_file():
        return _give_up(f"no audit file {options.audit_file}: name it with --audit-file")
    try:
        guides = fetch_guides(options.release, Path(options.cache).absolute())
    except GuidesError as exc:
        return _give_up(str(exc))
    config = out / "config.yaml"
    config.write_text(yaml.safe_dump(settings_of(options, out), sort_keys=False))
    result = _verify(options, config, guide_files(guides, options.all_files), out)
    if result is None:
        return _give_up("appliance verify gave no result (its messages are above)")
    labels = yaml.safe_load(LABELS.read_text())
    scored = {
        "schema_version": 1,
        "horizon": options.release,
        "appliance": result["appliance"],
        "started_at": result["started_at"],
        "ended_at": result["ended_at"],
        **score(result, labels),
    }
    (out / "horizon-check.json").write_text(json.dumps(scored, indent=2) + "\n")
    _show(scored, Console())
    print(f"\nResult: {out / 'horizon-check.json'}\nReport: {out / 'report.html'}")
    return 0


def options_of(arguments: list[str] | None) -> argparse.Namespace:
    env = os.environ.get
    scratch = Path(env("TMPDIR", tempfile.gettempdir()))
    parser = argparse.ArgumentParser(
        prog="scripts/horizon-check",
        description="Verifies Horizon's user and administrator guides against a running Horizon.",
        epilog="Passwords: HORIZON_DEMO_PASSWORD and HORIZON_ADMIN_PASSWORD.",
    )
    add = parser.add_argument
    add("--url", default=env("HORIZON_URL", "http://127.0.0.1:5080/"), help="[%(default)s]")
    add("--auth-url", default=env("OS_AUTH_URL", "http://127.0.0.1:5000/v3"), help="[%(default)s]")
    add(
        "--audit-file",
        default=env("AUDIT_FILE", str(scratch / "openstack-lab" / "audit.jsonl")),
        help="the cloud's notifications, one JSON object a line [%(default)s]",
    )
    add("--demo-user", default=env("HORIZON_DEMO_USER", "demo"), help="[%(default)s]")
    add("--admin-user", default=env("HORIZON_ADMIN_USER", "admin"), help="[%(default)s]")
    add("--demo-project", default=env("HORIZON_DEMO_PROJECT", "demo"), help="[%(default)s]")
    add("--admin-project", default=env("HORIZON_ADMIN_PROJECT", "admin"), help="[%(default)s]")
    add("--release", default=env("HORIZON_RELEASE", "23.0.0"), help="of the guides [%(default)s]")
    add("--only", action="append", default=[], metavar="GLOB", help="only these procedures")
    add("--all-files", action="store_true", help="also the files about the server's own files")
    add("--out", default="data/horizon-check", help="folder for results [%(default)s]")
    add("--cache", default="data/guides", help="folder for the fetched guides [%(default)s]")
    add("--parallel", type=int, default=2, help="procedures at a time [%(default)s]")
    return parser.parse_args(arguments)


def settings_of(options: argparse.Namespace, out: Path) -> dict[str, Any]:
    return {
        "data_dir": str(out / "data"),
        "console": "horizon",
        "consoles": {
            "horizon": {
                "kind": "openstack",
                "url": options.url,
                "auth_url": options.auth_url,
                "audit": {"kind": "cadf", "path": str(Path(options.audit_file).absolute())},
                "accounts": {
                    "demo": {
                        "username": options.demo_user,
                        "password_env": "HORIZON_DEMO_PASSWORD",
                        "role": "member",
                        "project": options.demo_project,
                    },
                    "admin": {
                        "username": options.admin_user,
                        "password_env": "HORIZON_ADMIN_PASSWORD",
                        "role": "admin",
                        "project": options.admin_project,
                    },
                },
            }
        },
        "verification": {"parallel": options.parallel},
    }


def _verify(
    options: argparse.Namespace, config: Path, files: list[Path], out: Path
) -> dict[str, Any] | None:
    command = [sys.executable, "-m", "appliance.cli", "--config", str(config), "verify"]
    command += [str(file) for file in files]
    command += ["--checks", str(HERE / "checks"), "--console", "horizon"]
    command += ["--out", str(out), "--format", "html,json,markdown", "--json"]
    for pattern in options.only:
        command += ["--procedure", pattern]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        cwd=ROOT,
        env=PASSWORDS | os.environ,
    )
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        return None


def _show(scored: dict[str, Any], console: Console) -> None:
    table = Table(title="Procedures")
    for head in ("procedure", "verdict", "steps", "audit", "findings"):
        table.add_column(head, overflow="fold")
    for row in scored["procedures"]:
        wrong = row["acceptable"] and row["verdict"] not in row["acceptable"]
        wanted = f" (not {'/'.join(row['acceptable'])})" if wrong else ""
        findings = [f"+ {text}" for text in row["found"]]
        findings += [f"? {text}" for text in row["unlabelled"]]
        findings += [f"- {text}" for text in row["missed"]]
        table.add_row(
            row["id"].split("/", 1)[-1],
            row["verdict"] + wanted,
            f"{row['attempted']}/{row['steps']}",
            {True: "yes", False: "no", None: ""}[row["audit"]],
            "\n".join(findings or ([row["blocked_by"]] if row["blocked_by"] else [])),
        )
    console.print(table)
    console.print(
        "+ labelled and found   - labelled and missed   ? not labelled: look at it by hand"
    )
    for name, value in scored["totals"].items():
        console.print(f"{name.replace('_', ' '):32} {value}")


def _give_up(why: str) -> int:
    print(f"horizon-check: {why}", file=sys.stderr)
    return COULD_NOT_RUN


if __name__ == "__main__":
    sys.exit(main())
