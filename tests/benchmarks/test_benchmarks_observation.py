"""The measurement of observations works; how good they are is not for a test to say."""

import json
import os
import shutil
import subprocess
import sys

import httpx
import pytest

from tests.benchmarks.observation import generated
from tests.benchmarks.observation.__main__ import main
from tests.benchmarks.observation.site import served

WIDGETS = (
    "<button>Save</button><div id=host></div><iframe src=/leaf></iframe>"
    "<button disabled>Never</button><div style='height:3000px'></div><a href=#low>Low</a>"
    "<script>host.attachShadow({mode:'closed'}).innerHTML='<button>Closed</button>'</script>"
)


def test_pages_are_measured_and_held_against_the_truth(capsys):
    assert main(["--json", "--page", "modal", "frames", "--reps", "5"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["schema_version"] == 1
    modal, frames = figures["pages"]
    assert (modal["page"], modal["frames"], frames["frames"]) == ("modal", 1, 7)
    assert modal["found"]["true"] == modal["found"]["offered"] == 5
    assert frames["found"]["recall"] == 1
    for row in (modal, frames):
        assert row["look"]["ms_p95"] >= row["look"]["ms"] > 0
        assert row["peer_tokens"] > row["tokens"] > 0
        assert row["found"]["noise"] == row["found"]["duplicates"] == 0


def test_a_page_that_is_not_there_is_said(capsys):
    assert main(["--page", "nowhere"]) == 2
    assert "there is no page nowhere; there are: practice_list" in capsys.readouterr().err


class Harness:
    """Speaks to the adapter as a harness does."""

    def __init__(self, *flags):
        answers, told = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.observation", "--adapter", *flags],
            stdin=subprocess.PIPE,
            text=True,
            pass_fds=[told],
            env=os.environ | {"BENCH_OUT": str(told)},
        )
        os.close(told)
        self.answers = os.fdopen(answers)

    def ask(self, **asked):
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.answers.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.answers.close()


@pytest.fixture
def harness():
    made = Harness()
    yield made
    made.close()


@pytest.fixture
def chromium(tmp_path):
    """A browser that somebody else started; its addresses."""
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
    command = [shutil.which("chromium"), *flags, f"--user-data-dir={tmp_path}", "about:blank"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        line = next(text for text in process.stderr if "DevTools listening on" in text)
        ws = line.split()[-1]
        yield {"ws": ws, "http": "http://" + ws.split("/")[2]}
        process.terminate()


def test_a_harness_is_answered(harness, chromium):
    pages = {"/": generated.page("Adapter", WIDGETS), "/leaf": generated.inner("leaf")}
    with served(pages, {}) as site:
        assert harness.ask(op="observe") == {"ok": False, "error": "NoPageError: attach first"}
        assert harness.ask(op="attach", url=f"{site.url}/", **chromium) == {"ok": True}
        seen = harness.ask(op="observe", want_text=True)
        assert seen["ok"]
        assert seen["ms"] > 0
        assert "Save" in seen["text"]
        elements = harness.ask(op="elements")["elements"]
        # Save, Closed and the frame's link, button and field; not what is disabled or far below.
        assert len(elements) == 5
        assert len({e["frame"] for e in elements}) == 2
        assert all(isinstance(e["bid"], int) for e in elements)
        assert harness.ask(op="click", h=elements[0]["h"])["ok"]
        assert not harness.ask(op="click", h=10**6)["ok"]
        assert harness.ask(op="quit") == {"ok": True}
    assert httpx.get(f"{chromium['http']}/json/version").is_success  # it is not ours to close
