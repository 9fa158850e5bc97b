"""What a clean-up writes down. It goes on without: a full disk leaves nothing in a cloud."""

from collections.abc import Callable

import structlog

from appliance.core.errors import StoreError

_log = structlog.get_logger()


class Notes:
    """Of one clean-up."""

    def __init__(self) -> None:
        self.failed: StoreError | None = None
        """The first that could not be kept. The store then has the clean-up as unfinished, and it
        is done again, which does no harm."""

    def keep(self, write: Callable[[], object]) -> None:
        """Write it down, where that can be done."""
        try:
            write()
        except StoreError as exc:
            _log.warning("clean_up_not_noted", reason=str(exc))
            self.failed = self.failed or exc
