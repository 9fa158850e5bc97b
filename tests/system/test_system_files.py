"""Whole files: the old content or the new one, also where writing fails."""

import os
import stat
from pathlib import Path

import pytest

from appliance.system.files import make_durable, write_whole


@pytest.mark.parametrize("is_durable", [False, True])
def test_what_is_written_is_there_and_nothing_beside_it(tmp_path: Path, is_durable):
    file = tmp_path / ("n" * 255)
    file.write_text("old")
    assert write_whole(file, "neü", is_durable=is_durable) == file
    assert file.read_bytes() == "neü".encode()
    assert write_whole(file, b"\xff", is_durable=is_durable).read_bytes() == b"\xff"
    make_durable(file)
    assert list(tmp_path.iterdir()) == [file]


def test_permissions_are_those_that_were_asked_for_whatever_the_umask(tmp_path: Path):
    before = os.umask(0o077)
    try:
        program, plain = (
            write_whole(tmp_path / "p", "", mode=0o755),
            write_whole(tmp_path / "f", ""),
        )
    finally:
        os.umask(before)
    assert stat.S_IMODE(program.stat().st_mode) == 0o755
    assert stat.S_IMODE(plain.stat().st_mode) == 0o600
    assert stat.S_IMODE(write_whole(tmp_path / "s", "", mode=0o600).stat().st_mode) == 0o600


def test_a_reader_of_the_old_file_goes_on_with_it(tmp_path: Path):
    file = write_whole(tmp_path / "file", "old")
    with file.open() as reader:
        write_whole(file, "new")
        assert reader.read() == "old"
    assert file.read_text() == "new"


def test_what_cannot_take_its_place_leaves_no_draft(tmp_path: Path):
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path / "folder", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "file", "\ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
