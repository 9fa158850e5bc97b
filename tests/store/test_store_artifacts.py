from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef
from appliance.store.artifacts import ArtifactStore
from appliance.store.store import Store


@pytest.fixture
def artifacts(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(tmp_path / "artifacts")


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.binary(max_size=2000))
def test_what_is_put_can_be_got(artifacts: ArtifactStore, data: bytes) -> None:
    ref = artifacts.put(data, "image/png")
    assert (ref.media_type, ref.size) == ("image/png", len(data))
    assert artifacts.get(ref) == data


def test_the_same_bytes_are_kept_once_under_the_first_two_digits(
    artifacts: ArtifactStore, tmp_path: Path
) -> None:
    ref = artifacts.put(b"x", "text/plain")
    artifacts.put(b"x", "text/html")
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert file == artifacts.path(ref) == tmp_path / "artifacts" / ref.sha256[:2] / ref.sha256


def test_a_file_cut_short_is_written_again(artifacts: ArtifactStore) -> None:
    ref = artifacts.put(b"whole", "text/plain")
    artifacts.path(ref).write_bytes(b"who")
    artifacts.put(b"whole", "text/plain")
    assert artifacts.get(ref) == b"whole"


def test_damage_is_noticed(artifacts: ArtifactStore) -> None:
    ref = artifacts.put(b"whole", "text/plain")
    artifacts.path(ref).write_bytes(b"wh0le")
    with pytest.raises(StoreError, match="is damaged"):
        artifacts.get(ref)


def test_what_is_gone_is_told(artifacts: ArtifactStore) -> None:
    with pytest.raises(StoreError, match=r"cannot be read: No such file.*run the verification"):
        artifacts.get(ArtifactRef("a" * 64, "image/png", 3))


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64, "a" * 63])
def test_a_name_that_is_no_hash_reaches_no_file(artifacts: ArtifactStore, name: str) -> None:
    with pytest.raises(StoreError, match="not the name of an artifact"):
        artifacts.path(ArtifactRef(name, "image/png", 3))


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "artifacts").write_text("a file")
    with pytest.raises(StoreError, match="cannot be written"):
        ArtifactStore(tmp_path / "artifacts").put(b"x", "text/plain")


def test_nothing_half_written_is_left_when_the_rename_fails(artifacts: ArtifactStore) -> None:
    ref = ArtifactRef("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881", "x/y", 1)
    artifacts.path(ref).mkdir(parents=True)  # a folder stands where the file would go
    (artifacts.path(ref) / "inside").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        artifacts.put(b"x", "x/y")
    assert list(artifacts.path(ref).parent.iterdir()) == [artifacts.path(ref)]


def test_a_store_has_its_artifacts_beside_it(store: Store) -> None:
    ref = store.artifacts.put(b"x", "text/plain")
    assert store.artifacts.path(ref).is_relative_to(store.path.parent / "artifacts")
