"""An identity provider that says whatever a test wants: real HTTP, real signatures."""

import json
import threading
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey


@cache
def rsa_key(kid: str, number: str = "") -> RSAKey:
    """One of that name; another for another number. To make one takes a second."""
    return RSAKey.generate_key(2048, {"kid": kid})


class ForgedProvider:
    """Told what to answer by its attributes; keeps what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.issuer = url
        self.key = rsa_key("one")
        self.published = [self.key]
        self.claims: dict[str, object] = {}
        self.userinfo: dict[str, object] = {}
        self.algorithm = "RS256"
        self.refuses = ""
        self.exchanged: list[dict[str, str]] = []
        self.authorizations: list[str] = []

    def discovery(self) -> dict[str, object]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
        }

    def token(self) -> str:
        header = {"alg": self.algorithm, "kid": self.key.kid}
        return jwt.encode(header, self.claims, self.key, algorithms=[self.algorithm])


@contextmanager
def forged_provider() -> Iterator[ForgedProvider]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """It is quiet."""

        def do_GET(self) -> None:
            if self.path == "/.well-known/openid-configuration":
                self.answer(provider.discovery())
            elif self.path == "/keys":
                self.answer(KeySet(provider.published).as_dict(private=False))
            elif self.path == "/userinfo":
                provider.authorizations.append(self.headers["authorization"])
                self.answer(provider.userinfo)

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            asked = parse_qs(self.rfile.read(length).decode())
            provider.exchanged.append({name: values[0] for name, values in asked.items()})
            provider.authorizations.append(self.headers.get("authorization", ""))
            if provider.refuses:
                self.answer({"error": provider.refuses}, 401)
            else:
                self.answer({"id_token": provider.token(), "access_token": "opaque-access"})

        def answer(self, told: dict[str, object], status: int = 200) -> None:
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = ForgedProvider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def challenge_of(verifier: str) -> str:
    """What PKCE makes of it."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
