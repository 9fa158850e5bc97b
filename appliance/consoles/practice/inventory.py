"""Everything that an account of the practice cloud holds, read in one call."""

from dataclasses import dataclass
from datetime import datetime

from appliance.consoles.practice.api import Json, PracticeApi, RefusedError
from appliance.core.errors import ProvisioningError
from appliance.core.resources import Thing


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldItem:
    """One item that the account holds."""

    thing: Thing
    state: str
    is_settled: bool
    """Whether its state will not change without a request."""
    is_protected: bool
    """Whether deletion is refused until the protection is turned off."""
    uses: frozenset[str]
    """Ids of items that cannot be deleted while this one exists."""

    @property
    def id(self) -> str:
        """The thing's id."""
        return self.thing.id


async def read_held_items(api: PracticeApi) -> tuple[HeldItem, ...]:
    """All items of the account in every region, oldest first.

    Raises:
        ProvisioningError: The cloud does not answer, or refuses.
    """
    try:
        response = await api.call(ProvisioningError, "GET", "/api/inventory")
    except RefusedError as exc:
        raise ProvisioningError(f"the practice cloud refuses its inventory: {exc}") from exc
    return tuple(_parse_item(item) for item in response["items"])


def _parse_item(item: Json) -> HeldItem:
    thing = Thing(
        kind=item["kind"],
        id=item["id"],
        name=item["name"],
        created=datetime.fromisoformat(item["created"]),
        region=item["region"],
    )
    return HeldItem(
        thing=thing,
        state=item["state"],
        is_settled=item["is_settled"],
        is_protected=item["is_protected"],
        uses=frozenset(item["uses"]),
    )
