"""A console that shows the password it was given: nothing that a verification leaves holds it."""

import io
import json
import threading
from base64 import b64encode
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote_plus

import duckdb
import pytest
from PIL import Image

from appliance.browser.observation.picture import SECRET_COLOUR

PASSWORD = "Zq7&tangerine"
BASIC = b64encode(f"alice:{PASSWORD}".encode()).decode()

LOG_IN = """<!doctype html><title>Sign in</title><form method="post" action="/home">
  <label>User name <input name="user"></label>
  <label>Password <input type="password" name="password"></label><button>Sign in</button></form>"""
HOME = """<!doctype html><title>Keys of {s}</title>
  <style>* {{ font: 18px monospace }} #echo {{ position: fixed; left: 0; top: 0; margin: 0 }}
  main {{ margin-top: 40px }} .told::after {{ content: attr(data-key) }}</style>
  <pre id="echo">{s}</pre><main><h1>Keys</h1>
  <p role="status">Signed in with {s}.</p><p><b>{s:.3}</b><i>{rest}</i> again, and {s:.9}</p>
  <p class="told" data-key="{s}"></p><a href="/home?password={url}">Reload {s}</a>
  <pre>Authorization: Basic {basic}</pre><p role="alert">{s} expires soon</p>
  <table><tr><th>Name<th>Value<tr><td>one<td>{s}</table>
  <button onclick="dialog.showModal()">Rotate key</button>
  <dialog id="dialog" aria-label="Rotate"><h2>Rotate {s}?</h2><label>Comment <input></label>
    <label>New key <input value="{s}"></label>
    <button onclick="alert('Rotated {js}'); dialog.close()">Confirm</button></dialog>
  </main><script>history.replaceState(0, '', '/home?password={url}')</script>"""
GUIDE = """# Keys

## Rotate a key

1. Click **Rotate key**.
2. In **Comment**, enter `spring`.
3. Click **Confirm rotation**.
"""


class Echo(BaseHTTPRequestHandler):
    """Shows the password on every page."""

    seen = ""

    def do_GET(self):
        self._send(HOME if self.path.startswith("/home") else LOG_IN)

    def do_POST(self):
        sent = self.rfile.read(int(self.headers["content-length"])).decode()
        Echo.seen = unquote_plus(sent.partition("password=")[2])
        self._send(HOME)

    def _send(self, page):
        s = escape(Echo.seen)
        body = page.format(
            s=s, rest=escape(Echo.seen[3:]), url=quote(Echo.seen, safe=""), basic=BASIC,
            js=json.dumps(Echo.seen)[1:-1],
        ) if page is HOME else page  # fmt: skip
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        """Nothing is said."""


@pytest.fixture
def console():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()
    Echo.seen = ""


def texts_of(file: Path) -> str:
    """All that is written in a file, a database's rows as well."""
    if file.suffix == ".duckdb":
        with duckdb.connect(file, read_only=True) as opened:
            tables = [name for (name,) in opened.execute("SHOW TABLES").fetchall()]
            return "\n".join(str(opened.table(name).fetchall()) for name in tables)
    return file.read_bytes().decode("utf-8", "replace")


def test_a_password_that_the_console_shows_is_nowhere_in_what_is_kept(
    appliance, folder, console, monkeypatch
):
    monkeypatch.setenv("LAB_PASSWORD", PASSWORD)
    Path("guide.md").write_text(GUIDE)
    Path("config.yaml").write_text(
        f"console: lab\nconsoles:\n  lab:\n    kind: generic\n    url: {console}\n"
        "    accounts: {alice: {username: alice, password_env: LAB_PASSWORD}}\n"
        "verification: {settle_resource_s: 2, audit_wait_s: 1}\n"
    )
    formats = "html,junit,sarif,github,markdown,json"
    run = appliance(
        "verify", "guide.md", "--policy", "literal", "--out", "out", "--format", formats, "--json"
    )
    seen = appliance("observe", "--marks", "page.png", "--whole")
    as_json = appliance("observe", "--json")
    assert Echo.seen == PASSWORD
    [result] = json.loads(run.out)["procedures"]
    assert result["findings"], [run.err, result]
    assert "***" in seen.out
    files = [file for file in folder.rglob("*") if file.is_file()]
    said = {str(file): texts_of(file) for file in files}
    for name, outcome in {"verify": run, "observe": seen, "json": as_json}.items():
        said |= {f"{name}: stdout": outcome.out, f"{name}: stderr": outcome.err}
    for name, text in said.items():
        bare = "".join(text.split())
        for form in (PASSWORD, escape(PASSWORD), quote(PASSWORD), "tangerine", BASIC[10:-4]):
            at = bare.find(form)
            assert at < 0, f"{name}: {bare[max(at - 100, 0) : at + 50]}"
    pictures = [
        Image.open(io.BytesIO(data)).convert("RGB")
        for file in files
        if (data := file.read_bytes()).startswith((b"\xff\xd8\xff", b"\x89PNG"))
    ]
    assert len(pictures) > 3
    for picture in pictures:
        letters = picture.crop((2, 2, 130, 18))
        for (low, high), grey in zip(letters.getextrema(), SECRET_COLOUR, strict=True):
            assert grey - 20 < low <= high < grey + 20
