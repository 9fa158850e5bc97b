import pytest

from appliance.config import StorageSettings
from appliance.consoles import session_key
from appliance.core.errors import SetupError
from appliance.core.secrets import without_secrets

SECRET = "q8Yb0m1c7r2Z5xV9u4T6w3S1p0O8n7M6l5K4j3H2g1E="


def test_the_same_secret_gives_the_same_key_from_a_file_and_a_variable(tmp_path, monkeypatch):
    file, data_dir = tmp_path / "key", tmp_path / "data"
    file.write_text(f"{SECRET}\nmore\n")
    monkeypatch.setenv("LOGIN_KEY", SECRET)
    keys = [
        session_key(StorageSettings(key_file=file), data_dir),
        session_key(StorageSettings(key_env="LOGIN_KEY"), data_dir),
    ]
    assert keys[0] == keys[1]
    assert len(keys[0]) == 32
    assert SECRET not in without_secrets(f"a log with {SECRET}")
    assert session_key(StorageSettings(), data_dir) is None


def test_a_key_beside_what_it_protects_is_refused(tmp_path):
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    (data_dir / "key").write_text(SECRET)
    (tmp_path / "link").symlink_to(data_dir / "key")
    for file in (data_dir / "key", tmp_path / "link", data_dir / ".." / "data" / "key"):
        with pytest.raises(SetupError, match=r"lies in the data folder .*Keep it elsewhere"):
            session_key(StorageSettings(key_file=file), data_dir)


@pytest.mark.parametrize(
    "text, why", [("short", "5 characters, at least 32"), ("", "is empty"), (None, "No such")]
)
def test_what_is_no_key_is_said(tmp_path, text, why):
    file = tmp_path / "key"
    if text is not None:
        file.write_text(text)
    with pytest.raises(SetupError, match=why):
        session_key(StorageSettings(key_file=file), tmp_path / "data")
    with pytest.raises(SetupError, match=r"is empty.*LOGIN_KEY_THAT_IS_NOT_SET"):
        session_key(StorageSettings(key_env="LOGIN_KEY_THAT_IS_NOT_SET"), tmp_path / "data")
