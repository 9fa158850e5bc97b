"""Room on the disk: by the settings, by the system's own word, and by what is seen."""

import errno
from pathlib import Path

from appliance.config import Settings
from appliance.core.causes import CauseKind
from appliance.core.errors import StoreError
from appliance.environment.obstacles import Space, free_bytes

_MIB = 1 << 20


class Disk:
    """One that a test fills."""

    def __init__(self) -> None:
        self.free = 5000 * _MIB

    def __call__(self, folder: Path) -> int:
        return self.free


def test_what_is_asked_for_is_looked_at_each_time(tmp_path):
    disk = Disk()
    space = Space(Settings(data_dir=tmp_path), disk)
    assert space.lack() is None
    disk.free = 999 * _MIB
    lack = space.lack()
    assert lack is not None
    assert lack.kind is CauseKind.DISK_FULL
    said = f"the disk is full: {tmp_path} has 999 MiB free, and storage.min_free_mib asks for 1000"
    assert lack.text == f"{said}: make room"
    assert [place.name for place in space.places() if place.is_short] == ["data"]
    disk.free = 99 * _MIB
    assert [place.name for place in space.places() if place.is_short] == ["data", "temp"]


def test_a_failure_is_told_apart_by_its_number_and_by_what_is_seen(tmp_path):
    disk = Disk()
    space = Space(Settings(data_dir=tmp_path), disk)
    full = StoreError("the artifact cannot be written")
    full.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    group = ExceptionGroup("work", [ValueError("a"), full])
    assert space.behind(group).kind is CauseKind.DISK_FULL
    other = StoreError("No space left on device")  # words alone say nothing
    assert space.behind(other) is None
    disk.free = 0
    assert space.behind(other).kind is CauseKind.DISK_FULL


def test_a_folder_that_is_not_there_yet_has_the_room_of_the_one_around_it(tmp_path):
    assert free_bytes(tmp_path / "a" / "b") > 0
