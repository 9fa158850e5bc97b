"""The action and the template in `scripts/ci`, their steps run as a build server runs them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from tests.cli.served import GUIDE, served
from tests.serving import ROOT, environment

CI = ROOT / "scripts" / "ci"
EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a branch on which one procedure has become untrue."""
    top = tmp_path / "work" / "guides"
    docs = top / "docs with space"
    docs.mkdir(parents=True)
    guide = docs / "buckets.md"
    guide.write_text(GUIDE.replace("Storage buckets", "Buckets"))
    for words in (("init", "-b", "main"), ("add", "."), ("commit", "-m", "first")):
        git(top, *words)
    git(top, "switch", "-c", "ours")
    guide.write_text(GUIDE)
    git(top, "commit", "-am", "second")
    return top


def git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=t", "-c", "user.email=t@t.example")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def path(tmp_path: Path) -> str:
    """With the program on it."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "appliance"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m appliance.cli "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


@dataclass
class Runner:
    """Runs a composite action as GitHub's runner does, as far as ours needs it."""

    workspace: Path
    inputs: dict[str, str]
    path: str
    variables: dict[str, str] = field(default_factory=dict)
    """Of the machine that it runs on."""
    used: list[dict[str, object]] = field(default_factory=list)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    said: str = ""
    summary: str = ""

    def run(self, action: dict) -> int:
        known = {n: str(i.get("default", "")) for n, i in action["inputs"].items()}
        missing = [n for n, i in action["inputs"].items() if i.get("required")]
        assert set(missing) <= self.inputs.keys() <= known.keys()
        self.inputs = known | self.inputs
        for step in action["runs"]["steps"]:
            if not self.holds(step.get("if", "true")):
                continue
            if "uses" in step:
                with_ = {name: self.filled(text) for name, text in step["with"].items()}
                self.used.append({"uses": step["uses"]} | with_)
            elif code := self.shell(step):
                return code
        return 0

    def shell(self, step: dict) -> int:
        files = {n: self.workspace.parent / n.lower() for n in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        files["GITHUB_STEP_SUMMARY"] = self.workspace.parent / "summary"
        for file in files.values():
            file.write_text("")
        given = {name: self.filled(text) for name, text in step.get("env", {}).items()}
        given |= {name: str(file) for name, file in files.items()}
        given |= self.variables
        given |= {"PATH": self.path, "GITHUB_ACTION_PATH": str(CI), "RUNNER_TEMP": "/nowhere"}
        assert step["shell"] == "bash" and "${{" not in step["run"]  # nothing is put into scripts
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=self.workspace,
            env=environment(**given),
            capture_output=True,
            text=True,
        )
        self.said += done.stdout + done.stderr
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        lines = files["GITHUB_OUTPUT"].read_text().splitlines()
        self.outputs[step.get("id", "")] = dict(line.split("=", 1) for line in lines)
        return done.returncode

    def value(self, expression: str) -> str:
        if expression.startswith("'"):
            return expression.strip("'")
        what, *rest = expression.split(".")
        if what == "inputs":
            return self.inputs[rest[0]]
        assert (what, rest[1]) == ("steps", "outputs")
        return self.outputs[rest[0]].get(rest[2], "")

    def filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda m: self.value(m[1]), text)

    def holds(self, condition: str) -> bool:
        if condition == "true":
            return True
        parts = EXPRESSION.fullmatch(condition)[1].split(" && ")
        pairs = [part.split(" == ") for part in parts]
        return all(self.value(left) == self.value(right) for left, right in pairs)


def test_the_action_verifies_annotates_and_keeps_reports(server, checkout, path):
    action = yaml.safe_load((CI / "action.yml").read_text())
    inputs = {
        "server": server.url,
        "key": server.key,
        "documents": "\ndocs with space\n",
        "console": "cloud",
        "changed-since": "main",
        "upload-sarif": "true",
    }
    runner = Runner(checkout, inputs, path)
    assert runner.run(action) == 1, runner.said
    assert "Left out: 1 procedure of 2." in runner.said
    assert "::warning file=docs with space/buckets.md,line=14,col=26," in runner.said
    assert "| 🟠 drifted | Look at the buckets |" in runner.summary
    assert server.key not in runner.said
    sarif, kept = runner.used
    assert sarif["uses"].startswith("github/codeql-action/upload-sarif@")
    (result,) = json.loads((checkout / sarif["sarif_file"]).read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "docs%20with%20space/buckets.md"
    assert kept["uses"].startswith("actions/upload-artifact@")
    assert (checkout / kept["path"] / "report.html").is_file()

    nothing = Runner(checkout, inputs | {"changed-since": "ours", "out": "none"}, path)
    assert (nothing.run(action), nothing.used) == (0, []), nothing.said
    assert "Nothing to verify" in nothing.said

    wrong = Runner(checkout, inputs | {"key": "wrong"}, path)
    assert (wrong.run(action), wrong.used) == (2, []), wrong.said


def test_the_template_of_gitlab(server, checkout, path):
    job = yaml.safe_load((CI / "gitlab-ci.yml").read_text())["console-docs"]
    base = subprocess.check_output(["git", "rev-parse", "main"], cwd=checkout, text=True).strip()
    given = job["variables"] | {
        "CONSOLE_DOCS_PATHS": "docs with space",
        "APPLIANCE_SERVER": server.url,
        "APPLIANCE_KEY": server.key,
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
        "PATH": path,
    }
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(job["script"])],
        cwd=checkout,
        env=environment(**given),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "Left out: 1 procedure of 2." in done.stderr
    junit = (checkout / job["artifacts"]["reports"]["junit"]).read_text()
    assert 'tests="1" failures="1"' in junit
    assert (checkout / job["artifacts"]["paths"][0]).is_dir()
