"""Secrets by reference: all that was written, but the line break after it."""

from pathlib import Path

import pytest

from appliance.system.secret_references import SecretReference, UnreadableSecretError


@pytest.mark.parametrize(
    ("written", "in_file", "in_variable"),
    [
        ("s", "s", "s"),
        ("s\n", "s", "s"),
        ("s\r\n", "s", "s"),
        (" s \t\n", " s \t", " s \t"),
        ("s\n\n", "s", "s\n"),
        ("s\nanother", "s", "s\nanother"),
        ("s\r", "s", "s\r"),
        ("", "", ""),
        ("\n", "", ""),
    ],
)
def test_only_the_line_break_after_it_is_no_part(
    tmp_path: Path, monkeypatch, written, in_file, in_variable
):
    file = tmp_path / "secret"
    file.write_bytes(written.encode())
    monkeypatch.setenv("A_SECRET", written)
    assert SecretReference(file=file).read() == in_file
    assert SecretReference("A_SECRET").read() == in_variable


def test_it_says_where_it_is(tmp_path: Path):
    assert str(SecretReference("A_SECRET")) == "the environment variable A_SECRET"
    assert str(SecretReference(None, tmp_path)) == f"the file {tmp_path}"
    assert SecretReference("A_SECRET")
    assert not SecretReference("", None)
    assert SecretReference().read() == ""
    assert SecretReference("A_SECRET_THAT_IS_NOT_SET").read() == ""


def test_why_it_cannot_be_read_holds_nothing_of_it(tmp_path: Path):
    with pytest.raises(UnreadableSecretError, match=r"^No such file or directory$"):
        SecretReference(file=tmp_path / "none").read()
    (tmp_path / "bytes").write_bytes(b"secret\xff")
    with pytest.raises(UnreadableSecretError, match=r"^it is no text$") as caught:
        SecretReference(file=tmp_path / "bytes").read()
    assert caught.value.__cause__ is None
