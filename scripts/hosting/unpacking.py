"""Taking an archive apart without letting it write elsewhere."""

import os
import tarfile
from pathlib import Path, PurePosixPath


def unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Put its files into the folder, owned by whoever runs this.

    Raises:
        tarfile.TarError: A member would land outside, or is something else than a file.
    """
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
        return
    # Python 3.11 before 3.11.4, which Debian 12 has, knows no filter.
    for member in archive:
        name = PurePosixPath(member.name)
        is_inside = not name.is_absolute() and ".." not in name.parts
        if not is_inside or not (member.isfile() or member.isdir()):
            raise tarfile.TarError(f"{member.name} is no file or folder inside of it")
        member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
        member.mode &= 0o755
    archive.extractall(folder)  # noqa: S202 - each member was looked at
