"""How many of a kind an account may have, and has."""

from typing import NamedTuple

from appliance.practice.catalogue import Located, Text
from appliance.practice.refusals import Code, MessageRef, RequestRefused
from appliance.practice.state import AccountState


class Quota(NamedTuple):
    """What an account has of what it may have, in a region."""

    service: str
    kind: str
    used: int
    limit: int
    """0: as many as it likes."""


def quota_of(located: Located, state: AccountState, region: str) -> Quota:
    """The quota of a kind; of one that is everywhere the region does not matter."""
    where = "" if located.resource.is_global else region
    used = sum(1 for item in state.of_kind(located.kind) if item.region == where)
    limit = state.quotas.get(located.kind, located.resource.quota)
    return Quota(located.service, located.kind, used, limit)


def check_quota(located: Located, state: AccountState, region: str) -> None:
    """See that one more is allowed."""
    quota = quota_of(located, state, region)
    if quota.limit and quota.used >= quota.limit:
        values: dict[str, Text | str] = {
            "kind": located.resource.plural,
            "used": str(quota.used),
            "limit": str(quota.limit),
        }
        raise RequestRefused(Code.QUOTA, MessageRef("refused_quota", values))
