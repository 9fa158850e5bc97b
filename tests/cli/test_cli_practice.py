import json
import signal

import httpx

from appliance.practice import releases


def test_releases_are_listed(appliance):
    listed = json.loads(appliance("practice", "releases", "--json").out)
    assert [release["name"] for release in listed] == list(releases())
    assert releases()[0] in appliance("practice", "releases").out


def test_a_practice_cloud_is_served_until_ctrl_c(program):
    with program("practice", "serve") as process:
        try:
            url = process.stdout.readline().strip()
            assert "password: practice" in process.stderr.readline()
            assert httpx.get(url, follow_redirects=True).status_code == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()


def test_what_cannot_be_served_is_said(appliance, tmp_path):
    result = appliance("practice", "serve", "--release", "1.0")
    assert result.code == 2
    assert result.err.startswith("Error: there is no release '1.0'")
    drift = tmp_path / "drift.yaml"
    drift.write_text("changes:\n  - kind: renam\n")
    result = appliance("practice", "serve", "--drift", drift)
    assert result.code == 2
    assert "drift.yaml:2" in result.err


def test_a_port_in_use_is_said(appliance):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = appliance("practice", "serve", "--port", taken.getsockname()[1])
    assert result.code == 2
    assert "choose another port" in result.err
