"""What settings of the certificate and the identity provider must be true of together."""

import pytest

from appliance.config import load_settings
from appliance.core.errors import SetupError

OIDC = "issuer: https://login.example, client_id: a, default_role: viewer"
WRONG = {
    "tls: {key: a.pem}": "`server.tls` has a `key` and no `certificate`; name both.",
    "tls: {certificate: a.pem, key_password_env: A, key_password_file: b}": "keep one.",
    "oidc: {client_id: a}": "`server.oidc` has a `client_id` and no `issuer`; name both.",
    "oidc: {issuer: 'https://login.example', default_role: viewer}": "client_id` is required",
    "oidc: {issuer: 'https://login.example', client_id: a}": "needs `roles` or `default_role`",
    f"oidc: {{{OIDC}, scopes: [email]}}": "`server.oidc.scopes` needs `openid`.",
    f"oidc: {{{OIDC}, client_secret_env: A, client_secret_file: b}}": "keep one.",
    f"oidc: {{{OIDC}, roles: {{staff: owner}}}}": "operator",
    "oidc: {issuer: 'http://login.example', client_id: a, default_role: viewer}": "https://",
    "oidc: {issuer: 'https://a.example/?b', client_id: a, default_role: viewer}": "without a query",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=list(WRONG))
def test_what_does_not_fit_together_is_said(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(f"server:\n  {text}\n")
    with pytest.raises(SetupError) as refused:
        load_settings(None, {}, {})
    assert message in str(refused.value)


def test_what_fits_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text(
        f"server:\n  oidc: {{{OIDC}, roles: {{'CN=Docs, OU=Staff': operator}}}}\n"
        "  tls: {certificate: tls/a.pem}\n"
    )
    server = load_settings(None, {}, {}).server
    assert server.oidc.roles == {"CN=Docs, OU=Staff": "operator"}
    assert server.tls.certificate.absolute() == tmp_path / "tls" / "a.pem"
