"""What `scripts/appliance` does that needs no container engine."""

import io
import os
import sys
import tarfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from hosting.copies import private_archive
from hosting.unpacking import unpack


@pytest.mark.parametrize("is_left_over", [False, True])
def test_an_archive_of_the_store_is_its_owner_s_alone(tmp_path, is_left_over):
    draft, inner = tmp_path / "backup.tar.gz.draft", tmp_path / "store"
    inner.write_text("x")
    before = os.umask(0o022)
    try:
        if is_left_over:
            draft.write_text("of one that was killed")
        with private_archive(draft) as archive:
            archive.add(inner, arcname="store")
    finally:
        os.umask(before)
    assert draft.stat().st_mode & 0o777 == 0o600
    with tarfile.open(draft) as archive:
        assert archive.getnames() == ["store"]


@pytest.fixture(params=["its own filter", "Python 3.11.2"])
def pythons(request, monkeypatch):
    """Debian 12's Python cannot filter what it unpacks."""
    if request.param == "Python 3.11.2":
        monkeypatch.delattr(tarfile, "data_filter", raising=False)


def archive_with(file: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(file, "w") as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return file


def member(name: str, **values: object) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size = 1
    for key, value in values.items():
        setattr(info, key, value)
    return info


@pytest.mark.usefixtures("pythons")
def test_an_archive_is_unpacked_as_whoever_does_it(tmp_path):
    whole = member("store/backup.json", mode=0o4777, uid=4711, gid=4711)
    with tarfile.open(archive_with(tmp_path / "a.tar", whole)) as archive:
        unpack(archive, tmp_path / "into")
    stat = (tmp_path / "into" / "store" / "backup.json").stat()
    assert (stat.st_uid, stat.st_mode & 0o7022) == (os.getuid(), 0)


@pytest.mark.usefixtures("pythons")
@pytest.mark.parametrize(
    "bad",
    [
        member("../outside"),
        member("a/../../outside"),
        member("outside", type=tarfile.SYMTYPE, size=0, linkname="/etc"),
        member("outside", type=tarfile.CHRTYPE, size=0),
    ],
    ids=["above", "below and above", "a link out of it", "a device"],
)
def test_an_archive_writes_nowhere_else(tmp_path, bad):
    file = archive_with(tmp_path / "a.tar", member("good"), bad)
    with tarfile.open(file) as archive, pytest.raises(tarfile.TarError):
        unpack(archive, tmp_path / "into")
    assert not (tmp_path / "outside").exists()
