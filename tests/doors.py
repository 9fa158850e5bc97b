"""Ways into a console of which its own pages know nothing: single sign-on, and HTTP's own."""

import secrets
from base64 import b64decode
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from tests.identity_provider import Client, IdentityProvider

WELCOME = """<title>Tag console</title><h1>Tag console</h1><p>You are not signed in.</p>
<button onclick="location.href='/sso'">Sign in with SSO</button>"""


@dataclass
class SsoDoor:
    """A relying party of OpenID Connect (authorization code, confidential client)."""

    provider: IdentityProvider
    welcome: str = WELCOME
    client: Client | None = None
    url: str = ""
    sessions: dict[str, str] = field(default_factory=dict)
    """User names by cookie."""
    lasts_s: int = 0
    """How long cookies last; 0: as long as the browser."""
    log_ins: int = 0
    _asked: dict[str, str] = field(default_factory=dict)
    """Nonces by state."""

    async def build(self, url: str, *, consents: bool = False) -> None:
        """Make it known to the provider."""
        self.url = url.rstrip("/")
        self.client = await self.provider.register(f"{self.url}/callback", consents=consents)

    def opens(self, handler: BaseHTTPRequestHandler) -> bool:
        path = urlsplit(handler.path)
        cookie = SimpleCookie(handler.headers.get("cookie", "")).get("console")
        if cookie is not None and cookie.value in self.sessions and path.path != "/callback":
            return True
        match path.path:
            case "/sso":
                _redirect(handler, self._authorize())
            case "/callback":
                told = {name: values[0] for name, values in parse_qs(path.query).items()}
                self._callback(handler, told)
            case _:
                _page(handler, 200, self.welcome)
        return False

    def _authorize(self) -> str:
        assert self.client is not None, "build it first"
        state, nonce = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self._asked[state] = nonce
        asked = {
            "response_type": "code",
            "client_id": self.client.id,
            "scope": "openid profile",
            "redirect_uri": f"{self.url}/callback",
            "state": state,
            "nonce": nonce,
        }
        return f"{self.provider.url}/oauth/authorize?{urlencode(asked)}"

    def _callback(self, handler: BaseHTTPRequestHandler, told: dict[str, str]) -> None:
        assert self.client is not None
        if self._asked.pop(told.get("state", ""), None) is None or "code" not in told:
            _page(handler, 403, f"<h1>{told.get('error', 'Not from here')}</h1>")
            return
        form = {
            "grant_type": "authorization_code",
            "code": told["code"],
            "redirect_uri": f"{self.url}/callback",
        }
        auth = (self.client.id, self.client.secret)
        with httpx.Client(base_url=self.provider.url) as http:
            token = http.post("/oauth/token", data=form, auth=auth).json()["access_token"]
            bearer = {"authorization": f"Bearer {token}"}
            user = http.get("/oauth/userinfo", headers=bearer).json()["sub"]
        self.log_ins += 1
        cookie = secrets.token_urlsafe(24)
        self.sessions[cookie] = user
        lasts = f"; Max-Age={self.lasts_s}" if self.lasts_s else ""
        _redirect(handler, "/", f"console={cookie}; HttpOnly; Path=/{lasts}")


FORM = """<title>Tag console</title><style>input, button { position: absolute; left: 100px;
width: 300px; height: 40px }</style><form method="post" action="/in">
<input name="user" aria-label="User name" style="top: 100px">
<input name="password" type="password" aria-label="Password" style="top: 200px">
<button style="top: 300px">Sign in</button></form>"""
USER_AT, PASSWORD_AT, BUTTON_AT = (200.0, 120.0), (200.0, 220.0), (200.0, 320.0)
"""Where a person clicks in its picture."""


@dataclass
class FormDoor:
    """A form, whose sessions get another cookie whenever the start page is opened."""

    user: str
    password: str
    sessions: set[str] = field(default_factory=set)

    def opens(self, handler: BaseHTTPRequestHandler) -> bool:
        cookie = SimpleCookie(handler.headers.get("cookie", "")).get("console")
        is_known = cookie is not None and cookie.value in self.sessions
        if handler.path == "/in":
            size = int(handler.headers["content-length"])
            form = parse_qs(handler.rfile.read(size).decode())
            if (form.get("user"), form.get("password")) == ([self.user], [self.password]):
                self._let_in(handler)
            else:
                _page(handler, 200, f"<p role=alert>Wrong user or password</p>{FORM}")
            return False
        if not is_known:
            _page(handler, 200, FORM)
        elif handler.path == "/":
            self.sessions.discard(cookie.value)
            self._let_in(handler)
        return is_known and handler.path != "/"

    def _let_in(self, handler: BaseHTTPRequestHandler) -> None:
        fresh = secrets.token_urlsafe(24)
        self.sessions.add(fresh)
        _redirect(handler, "/?said=", f"console={fresh}; HttpOnly; Path=/; Max-Age=86400")


@dataclass
class BasicDoor:
    """HTTP's own log-in (RFC 7617): a 401, and no page to type into."""

    user: str
    password: str
    seen: list[str] = field(default_factory=list)

    def opens(self, handler: BaseHTTPRequestHandler) -> bool:
        given = handler.headers.get("authorization", "").removeprefix("Basic ")
        self.seen.append(given)
        if given and b64decode(given).decode() == f"{self.user}:{self.password}":
            return True
        _page(handler, 401, "<h1>Authorization Required</h1>", 'Basic realm="Tags"')
        return False


def _redirect(handler: BaseHTTPRequestHandler, to: str, cookie: str = "") -> None:
    handler.send_response(303)
    handler.send_header("location", to)
    if cookie:
        handler.send_header("set-cookie", cookie)
    handler.end_headers()


def _page(handler: BaseHTTPRequestHandler, status: int, html: str, challenge: str = "") -> None:
    handler.send_response(status)
    handler.send_header("content-type", "text/html; charset=utf-8")
    if challenge:
        handler.send_header("www-authenticate", challenge)
    handler.end_headers()
    handler.wfile.write(html.encode())
