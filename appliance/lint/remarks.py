"""What remarks are about."""

from enum import StrEnum


class RemarkKind(StrEnum):
    """What a remark is about."""

    RENAMED = "renamed_label"
    MOVED = "moved_control"
    GONE = "missing_control"
    UNSEEN = "unseen_label"
    NOT_UNDERSTOOD = "not_understood"
