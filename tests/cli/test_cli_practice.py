import json
import signal

import httpx
import pytest

from appliance.practice.releases import releases


def test_releases_are_listed(appliance):
    listed = json.loads(appliance("practice", "releases", "--json").out)
    assert [release["name"] for release in listed] == list(releases())
    assert releases()[0] in appliance("practice", "releases").out


def test_a_practice_cloud_is_served_until_ctrl_c(program):
    more = ("--accounts", "2", "--settle-s", "0", "--session-s", "60", "--audit-delay-s", "1")
    with program("practice", "serve", *more, "--frame-origin", "http://localhost:1") as process:
        try:
            url = process.stdout.readline().strip()
            assert "user01, user02; password: practice-only" in process.stderr.readline()
            auth = ("user02", "practice-only")
            frame = httpx.post(f"{url}/ui/frame-token", auth=auth, trust_env=False).json()
            assert frame["origins"]["other"] == "http://localhost:1"
            assert httpx.get(url, follow_redirects=True).status_code == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--release", "1.0", "Error: there is no release '1.0'"),
        ("--drift", "drift.yaml", "drift.yaml:2"),
        ("--drift", "none.yaml", "none.yaml"),
    ],
)
def test_what_cannot_be_served_is_said(program, folder, option, value, message):
    (folder / "drift.yaml").write_text("changes:\n  - kind: renam\n")
    with program("practice", "serve", option, value) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("Error: ")
    assert message in err
    assert "Traceback" not in err


def test_a_port_in_use_is_said(appliance):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = appliance("practice", "serve", "--port", taken.getsockname()[1])
    assert result.code == 2
    assert "choose another port" in result.err
