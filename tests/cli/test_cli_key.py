import json
import re

KEY = re.compile(r"cda_[0-9a-f]{12}_[A-Za-z0-9_-]{43}")


def test_a_key_is_shown_once_and_never_kept(appliance, folder):
    made = appliance("key", "create", "ci", "--role", "operator")
    assert made.code == 0
    assert KEY.fullmatch(made.out.strip())
    assert "cannot be shown again" in made.err

    listed = appliance("key", "list", "--json")
    (row,) = json.loads(listed.out)
    assert (row["name"], row["role"], row["revoked_at"]) == ("ci", "operator", None)
    secret = made.out.strip().split("_", 2)[2]
    assert secret not in listed.out + made.err
    assert "argon2" not in listed.out
    kept = b"".join(file.read_bytes() for file in folder.rglob("store.duckdb*"))
    assert b"argon2id" in kept
    assert secret.encode() not in kept


def test_a_key_is_revoked_by_name_or_id(appliance):
    first = json.loads(appliance("key", "create", "first", "--json").out)
    assert first["role"] == "viewer"
    assert KEY.fullmatch(first["key"])
    appliance("key", "create", "second", "--role", "admin")

    assert appliance("key", "revoke", first["id"]).code == 0
    assert appliance("key", "revoke", "second").code == 0
    rows = json.loads(appliance("key", "list", "--json").out)
    assert [bool(row["revoked_at"]) for row in rows] == [True, True]
    table = appliance("key", "list").out
    assert "first" in table and "second" in table


def test_what_is_wrong_is_said(appliance):
    assert "There is no key." in appliance("key", "list").err
    appliance("key", "create", "ci")
    again = appliance("key", "create", "ci")
    assert (again.code, again.out) == (2, "")
    assert "there is a key 'ci'" in again.err
    assert "a key needs a name" in appliance("key", "create", "  ").err
    assert "there is no key 'nobody'" in appliance("key", "revoke", "nobody").err
    assert "'owner' is not one of" in appliance("key", "create", "x", "--role", "owner").err
    appliance("key", "revoke", "ci")
    assert appliance("key", "create", "ci").code == 0, "the name is free again"
