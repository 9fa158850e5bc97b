"""Modules that the resource coder wrote, until a person accepts or rejects them."""

from appliance.store._session import Session


class CandidateTable:
    """The table `candidate_modules`."""

    def __init__(self, session: Session) -> None:
        self._session = session
