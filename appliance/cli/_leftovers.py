"""What a crash left, and what became of it, in words."""

from collections.abc import Iterable

from appliance.cli._output import talk
from appliance.cli._summary import counted
from appliance.core.resources import Deed, Lifetime
from appliance.environment.janitor import Reaped


def tell_reaped(reaped: Iterable[Reaped]) -> None:
    """What the janitor did, in lines for a person."""
    for one in reaped:
        what = f"{one.attempt.id} ({what_for(one.attempt)})" if one.attempt else "strays"
        gone = [r for r in one.receipts if r.deed in (Deed.DELETED, Deed.DESTROYED)]
        talk(f"Cleaned up in account {one.account} after {what}: {counted(len(gone), 'thing')}.")
        for receipt in gone:
            talk(f"  {receipt.deed.value} {receipt}")
        if one.problem:
            talk(f"  still there: {one.problem}")


def what_for(lifetime: Lifetime) -> str:
    """The procedure it was made for."""
    return lifetime.procedure_id or "made by hand"
