"""`appliance bench run --policy browser-use`: an agent that is not ours, with scripted answers.

The agent itself is real: it needs a Python that has it, named by BROWSER_USE_PYTHON.
"""

import json
import os
import re
import sys

import pytest

from appliance.inference.scripted import NAME, ReceivedRequest, ScriptedReply, serving

PYTHON = os.environ.get("BROWSER_USE_PYTHON", "")
STOP = "instances/stop-an-instance@2025.1"
WORDS = ("bench", "run", "--policy", "browser-use", "--runs", 1, "--task", STOP)


def reply(**action: object) -> ScriptedReply:
    told = dict.fromkeys(("thinking", "evaluation_previous_goal", "memory", "next_goal"), "-")
    return ScriptedReply(text=json.dumps({**told, "action": [action]}))


def last_button(state: str, name: str) -> int:
    """The number of the last button of that name on the page, as browser-use writes it down."""
    return int(re.findall(rf"\[(\d+)\]<button[^\n]*/>\s*{name}\s*\n", state)[-1])


class StopsAnInstance:
    """Goes by the page that it is shown, turn by turn."""

    def __init__(self) -> None:
        self.turn = 0

    def __call__(self, request: ReceivedRequest) -> ScriptedReply:
        self.turn += 1
        state = request.last.rpartition("<browser_state>")[2].partition("</browser_state>")[0]
        match self.turn:
            case 1:
                at = re.search(r"http://127\.0\.0\.1:\d+", state).group()
                return reply(navigate={"url": f"{at}/console/compute/instances", "new_tab": False})
            case 2:
                return reply(click={"index": last_button(state, "Stop")})
            case 3:
                return reply(click={"index": last_button(state, "Stop instance")})
            case _:
                return reply(done={"text": "Stopped", "success": True, "files_to_display": []})


def configure(folder, url):
    text = f"model: {{endpoint: '{url}', name: {NAME}}}\n"
    (folder / "config.yaml").write_text(text, encoding="utf-8")


@pytest.mark.skipif(not PYTHON, reason="BROWSER_USE_PYTHON names no Python that has browser-use")
def test_it_does_a_task_and_its_questions_are_counted(appliance, folder):
    with serving(StopsAnInstance()) as scripted:
        configure(folder, scripted.url)
        done = appliance(*WORDS, "--agent-python", PYTHON)
    assert done.code == 0, done.err
    (row,) = json.loads(appliance("bench", "show", "--json").out)
    assert (row["policy"], row["successes"]) == ("browser-use", 1), done.err
    trial = json.loads(appliance("bench", "export", row["id"]).out)
    assert trial["model"] == NAME
    assert trial["cost"]["model_calls"] >= 4
    assert trial["cost"]["tokens"] > 1000
    assert trial["turns"][-1]["action"] == "complete"


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ((), "policy browser-use needs --agent-python"),
        (("--agent-python", sys.executable), "has no browser-use"),
    ],
)
def test_what_it_needs_is_said(appliance, folder, more, why):
    configure(folder, "http://127.0.0.1:9/v1")
    done = appliance(*WORDS, *more)
    assert (done.code, why in done.err) == (2, True), done.err


def test_it_needs_a_model(appliance):
    done = appliance(*WORDS, "--agent-python", sys.executable)
    assert (done.code, "needs model.endpoint" in done.err) == (2, True), done.err
