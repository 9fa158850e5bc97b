"""What `scripts/appliance` does that needs no container engine."""

import os
import sys
import tarfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from hosting.copies import archive_of_ours


@pytest.mark.parametrize("is_left_over", [False, True])
def test_an_archive_of_the_store_is_its_owner_s_alone(tmp_path, is_left_over):
    draft, inner = tmp_path / "backup.tar.gz.draft", tmp_path / "store"
    inner.write_text("x")
    before = os.umask(0o022)
    try:
        if is_left_over:
            draft.write_text("of one that was killed")
        with archive_of_ours(draft) as archive:
            archive.add(inner, arcname="store")
    finally:
        os.umask(before)
    assert draft.stat().st_mode & 0o777 == 0o600
    with tarfile.open(draft) as archive:
        assert archive.getnames() == ["store"]
