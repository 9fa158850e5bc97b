"""No child process is started but with variables that were chosen for it."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import appliance
from appliance.system.child_environment import Child, child_environment
from tests.system.children import CANARIES

PACKAGE = Path(appliance.__file__).parent
STARTERS = {
    *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_call"),
    *("subprocess.check_output", "asyncio.create_subprocess_exec"),
    *("asyncio.create_subprocess_shell", "asyncio.get_running_loop().subprocess_exec"),
    "asyncio.get_running_loop().subprocess_shell",
}
NEVER = ("multiprocessing", "concurrent.futures.process", "pty")
NEVER_CALLED = ("os.system", "os.popen", "os.exec", "os.spawn", "os.posix_spawn")
MAY_READ_ALL = {"system/child_environment.py", "cli/_app.py"}
"""One makes the variables of children, one reads settings."""


ABOUT_CHILDREN = re.compile(r"\b(?:os|subprocess|asyncio|multiprocessing|concurrent|pty)\b")


@cache
def parsed() -> tuple[tuple[str, ast.AST], ...]:
    """What is in every file that has to do with processes, once for all tests."""
    texts = ((p, p.read_text(encoding="utf-8")) for p in sorted(PACKAGE.rglob("*.py")))
    return tuple(
        (str(path.relative_to(PACKAGE)), node)
        for path, text in texts
        if ABOUT_CHILDREN.search(text)
        for node in ast.walk(ast.parse(text))
    )


def test_every_child_is_given_its_variables():
    started = [
        (name, node.lineno, {keyword.arg for keyword in node.keywords})
        for name, node in parsed()
        if isinstance(node, ast.Call) and called(node.func) in STARTERS
    ]
    assert len(started) > 8
    assert [(name, line) for name, line, given in started if "env" not in given] == []


def test_nobody_hands_down_all_variables():
    """`os.environ` may be asked for one name; it is never copied, merged or passed on."""
    asked, whole = set(), set()
    for name, node in parsed():
        if isinstance(node, ast.Attribute | ast.Subscript) and is_environ(node.value):
            if isinstance(node, ast.Subscript) or node.attr == "get":
                asked.add(node.value)
        elif isinstance(node, ast.expr) and is_environ(node) and name not in MAY_READ_ALL:
            whole.add((name, node))
    assert [(name, node.lineno) for name, node in whole if node not in asked] == []


def is_environ(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute) and node.attr == "environ" and called(node) == "os.environ"
    )


def called(function: ast.expr) -> str:
    """`os.system` as it is written; empty for what is no name, which takes long to write out."""
    return ast.unparse(function) if isinstance(function, ast.Attribute | ast.Name) else ""


def test_no_other_way_to_start_a_child_is_used():
    found = []
    for name, node in parsed():
        match node:
            case ast.Import(names=names):
                found += [(name, each.name) for each in names if each.name.startswith(NEVER)]
                found += [
                    (name, each.name) for each in names if each.asname and "process" in each.name
                ]
            case ast.ImportFrom(module=str(module), names=names):
                if module in ("os", "subprocess", "asyncio", *NEVER):
                    found += [(name, each.name) for each in names if is_starter(module, each.name)]
                if module == "concurrent.futures":
                    found += [(name, each.name) for each in names if "Process" in each.name]
            case ast.Call(func=func) if called(func).startswith(NEVER_CALLED):
                found.append((name, ast.unparse(func)))
    assert found == []


def is_starter(module: str, name: str) -> bool:
    whole = f"{module}.{name}"
    return whole in STARTERS or whole.startswith((*NEVER, *NEVER_CALLED)) or whole == "os.environ"


@pytest.mark.parametrize("child", Child)
def test_only_names_that_are_known_are_handed_down(monkeypatch, child):
    for name, value in (CANARIES | {"LC_TIME": "C", "ANYTHING": "else"}).items():
        monkeypatch.setenv(name, value)
    found = child_environment(child, {"OWN": "1"})
    assert not set(CANARIES) & set(found)
    assert "ANYTHING" not in found
    assert (found["OWN"], found["LC_TIME"]) == ("1", "C")
    assert found["PATH"]


def test_what_is_given_wins(monkeypatch):
    monkeypatch.setenv("TMPDIR", "/ours")
    assert child_environment(Child.TOOL, {"TMPDIR": "/own"})["TMPDIR"] == "/own"


def test_the_driver_is_not_made_to_write_down_what_is_typed(monkeypatch):
    monkeypatch.setenv("DEBUG", "*")  # for another program; of Playwright: every message
    assert "DEBUG" not in child_environment(Child.DRIVER)
