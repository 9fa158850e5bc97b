"""`appliance resource list --left`: what only a person can remove, one thing a line."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from appliance.core.resources import Lifetime, Phase, Receipt, ReceiptKind
from appliance.store.store import Store

NOW = datetime.now(UTC)


def keep(number: int, *receipts: Receipt) -> None:
    """An attempt that is over."""
    lifetime = Lifetime(
        id=f"a{number}",
        run_id="r1",
        procedure_id="guide/add-a-tag",
        number=number,
        console="tags",
        account="anyone",
        unique=f"cda00000{number}",
        phase=Phase.DONE,
        since=NOW,
        baseline=None,
        expires_at=NOW + timedelta(hours=1),
        started_at=NOW + timedelta(seconds=number),
    )
    with Store.open(Path("data")) as store:
        store.attempts.start(lifetime)
        store.attempts.add_receipts(lifetime.id, receipts)


def receipt(deed: ReceiptKind, name: str, why: str = "") -> Receipt:
    return Receipt(deed=deed, kind="Tags", id="http://c/tags", name=name, why=why)


def test_each_thing_that_is_left_has_one_line(appliance, folder):
    left = receipt(ReceiptKind.LEFT, "one", "no control deletes it: remove it by hand")
    keep(1, left, receipt(ReceiptKind.DELETED, "two"))
    keep(2, left, receipt(ReceiptKind.LEFT, "three", "refused: remove it by hand"))
    keep(3, receipt(ReceiptKind.LEFT, "four"))
    keep(4, receipt(ReceiptKind.DELETED, "four"), receipt(ReceiptKind.LEFT, "five"))
    found = json.loads(appliance("resource", "list", "--left", "--json").out)
    assert [(one["name"], one["kind"], one["id"]) for one in found] == [
        (name, "Tags", "http://c/tags") for name in ("one", "three", "five")
    ]
    shown = appliance("resource", "list", "--left")
    assert shown.out.count("no control deletes it") == 1
    assert "3 things left." in shown.err
