"""Leases, quarantine and health of accounts."""

from appliance.store._session import Session


class AccountTables:
    """The tables `account_states` and `leases`."""

    def __init__(self, session: Session) -> None:
        self._session = session
