"""What an attempt made in the practice cloud goes, and what it changed is put back."""

import asyncio
import random
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx
import pytest

from appliance.consoles import Trace, open_console
from appliance.core.checks import Need
from appliance.core.resources import Inventory, ReceiptKind
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

MARKER = "cda0a1b2"
NETWORK = {"cidr": "10.1.0.0/16"}


def names(api, path="/api/inventory"):
    return sorted(item["name"] for item in api.get(path).json()["items"])


def said(receipts, deed):
    return sorted(f"{r.kind} {r.name}" for r in receipts if r.deed is deed)


def post(api, path, **body):
    answer = api.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def trace_from_now(console, account, **more):
    """As before an attempt."""
    before = await console.inventory(account)
    await console.remember(account)
    return Trace(**{"since": datetime.now(UTC), "unique": MARKER, "before": before} | more)


async def provided(console, account, *needs, unique=MARKER):
    return (await console.provide(needs, account, {"unique": unique})).bindings


def need(kind, **values):
    return Need(kind=kind, values=values)


async def test_the_inventory_is_of_all_kinds_and_regions(console, alice, api):
    bucket = post(api, "/api/storage/buckets", name="near")
    east = {"x-practice-region": "east"}
    network = api.post("/api/networking/networks", json={"name": "far", **NETWORK}, headers=east)
    inventory = await console.inventory(alice)
    assert inventory.keys == {("bucket", bucket["id"]), ("network", network.json()["id"])}
    assert {(t.name, t.region) for t in inventory.things} == {("near", "north"), ("far", "east")}
    assert all(thing.created for thing in inventory.things)


async def test_what_was_there_before_stays(console, alice, api):
    post(api, "/api/storage/buckets", name="before")
    trace = await trace_from_now(console, alice)
    await provided(console, alice, need("instance", name="web"))
    post(api, "/api/storage/buckets", name="after")
    east = {"x-practice-region": "east"}
    api.post("/api/networking/networks", json={"name": "far", **NETWORK}, headers=east)
    receipts = await console.recover(alice, trace)
    assert {receipt.deed for receipt in receipts} == {ReceiptKind.DELETED}
    assert said(receipts, ReceiptKind.DELETED) == [
        "bucket after",
        "instance web",
        f"key_pair key-pair-{MARKER}",
        "network far",
        f"network network-{MARKER}",
        f"security_group security-group-{MARKER}",
        f"subnet subnet-{MARKER}",
    ]
    assert names(api) == ["before"]
    assert await console.recover(alice, trace) == []


async def test_users_go_before_what_they_use_and_nothing_is_tried_in_vain(console, alice, api):
    trace = await trace_from_now(console, alice)
    late = post(api, "/api/networking/security-groups", name="late")
    bound = await provided(console, alice, need("instance", name="web"))
    path = f"/api/compute/instances/{bound['instance id']}"
    assert api.patch(path, json={"groups": [late["id"]]}).is_success
    assert not any(r.deed is ReceiptKind.FAILED for r in await console.recover(alice, trace))
    records = api.get("/api/audit").json()["events"]
    deleted = [(r["target_type"], r["outcome"]) for r in records if r["name"].startswith("Delete")]
    assert {outcome for _, outcome in deleted} == {"success"}
    kinds = [kind for kind, _ in deleted]
    assert kinds.index("instance") < kinds.index("security_group")
    assert kinds.index("subnet") < kinds.index("network")


async def test_what_terraform_will_remove_stays_and_lets_go_of_the_rest(console, alice, api):
    network = post(api, "/api/networking/networks", name="kept", **NETWORK)
    trace = await trace_from_now(console, alice, keep=frozenset({network["id"]}))
    bound = await provided(
        console,
        alice,
        need("instance", name="web"),
        need("disk", name="data", instance="web", state="in-use"),
    )
    keep = frozenset({network["id"], bound["disk id"]})
    receipts = await console.recover(alice, Trace(since=trace.since, unique=MARKER,
                                                  before=trace.before, keep=keep))  # fmt: skip
    assert "instance web" in said(receipts, ReceiptKind.DELETED)
    (freed,) = [r for r in receipts if r.deed is ReceiptKind.RESTORED]
    assert (freed.kind, freed.name, freed.why) == ("disk", "data", "no longer uses instance web")
    assert names(api) == ["data", "kept"]


async def test_what_the_cloud_refuses_is_a_receipt_in_its_own_words(console, alice, api):
    trace = await trace_from_now(console, alice)
    bound = await provided(console, alice, need("subnet", name="inner"))
    keep = frozenset({bound["subnet id"]})
    began = asyncio.get_running_loop().time()
    trace = Trace(since=trace.since, unique=MARKER, before=trace.before, keep=keep)
    (receipt,) = await console.recover(alice, trace)
    assert asyncio.get_running_loop().time() - began < 5
    assert (receipt.deed, receipt.kind) == (ReceiptKind.FAILED, "network")
    name = f"network-{MARKER}"
    assert receipt.why == (
        f"DependencyViolation: {name} cannot be deleted: it is still used by subnet inner."
    )


async def test_what_arrives_late_goes_too(console, alice, api):
    trace = await trace_from_now(console, alice)
    post(api, "/api/storage/buckets", name="early")

    async def click_s_request():
        await asyncio.sleep(0.2)
        return await asyncio.to_thread(post, api, "/api/storage/buckets", name="late")

    receipts, _ = await asyncio.gather(console.recover(alice, trace), click_s_request())
    assert said(receipts, ReceiptKind.DELETED) == ["bucket early", "bucket late"]
    assert names(api) == []


async def test_in_a_shared_account_only_what_bears_the_marker_goes(console, alice, api):
    trace = await trace_from_now(console, alice, before=None)
    post(api, "/api/storage/buckets", name="somebody-else-s")
    network = post(api, "/api/networking/networks", name=f"net-{MARKER}", **NETWORK)
    inner = {"name": "inner", "network": network["id"], "cidr": "10.1.1.0/24"}
    post(api, "/api/networking/subnets", **inner)
    renamed = post(api, "/api/storage/buckets", name=f"box-{MARKER}")
    old = post(api, "/api/networking/networks", name="plain", **NETWORK)
    path = f"/api/networking/networks/{network['id']}"
    assert api.patch(path, json={"name": "renamed"}).is_success
    path = f"/api/networking/networks/{old['id']}"
    assert api.patch(path, json={"name": f"now-{MARKER}"}).is_success
    receipts = await console.recover(alice, trace)
    assert {r.id for r in receipts if r.deed is ReceiptKind.DELETED} >= {
        network["id"],
        renamed["id"],
    }
    assert names(api) == ["somebody-else-s"]


async def test_in_a_shared_account_the_late_log_is_waited_for(tmp_path, settings_for):
    file = tmp_path / "password"
    with serving(PracticeSettings(audit_delay_s=1.5, settle_s=0)) as practice:
        file.write_text(practice.password, encoding="utf-8")
        console = open_console("practice", settings_for(practice.url, file))
        account = console.accounts("alice")[0]
        trace = await trace_from_now(console, account, before=None)
        auth = ("alice", practice.password)
        with httpx.Client(base_url=practice.url, auth=auth, trust_env=False) as api:
            network = post(api, "/api/networking/networks", name=f"net-{MARKER}", **NETWORK)
            inner = {"name": "inner", "network": network["id"], "cidr": "10.1.1.0/24"}
            post(api, "/api/networking/subnets", **inner)
            receipts = await console.recover(account, trace)
            assert said(receipts, ReceiptKind.DELETED) == [f"network net-{MARKER}", "subnet inner"]
            assert names(api) == []
        await console.close()


async def test_protection_against_deletion_is_turned_off_first(console, alice, api):
    await provided(console, alice, need("database", name="before"), unique="base")
    before = next(i for i in api.get("/api/inventory").json()["items"] if i["name"] == "before")
    trace = await trace_from_now(console, alice)
    needs = need("database", name="mine"), need("load_balancer", name="kept-lb")
    bound = await provided(console, alice, *needs)
    on = {"is_protected": True}
    for path in (
        f"/api/databases/databases/{bound['database id']}",
        f"/api/databases/databases/{before['id']}",
        f"/api/networking/load-balancers/{bound['load_balancer id']}",
    ):
        assert api.put(f"{path}/protection", json=on).json()["is_protected"] is True
    mine = f"/api/databases/databases/{bound['database id']}"
    refused = api.delete(mine).json()
    assert (refused["code"], refused["detail"]) == (
        "DeletionProtected",
        "mine is protected against deletion.",
    )
    balancer = bound["load_balancer id"]
    things = {i["id"] for i in api.get("/api/inventory").json()["items"]}
    users = {balancer, *_used_by(api, balancer)}
    trace = Trace(since=trace.since, unique=MARKER, before=trace.before,
                  keep=frozenset(users & things))  # fmt: skip
    receipts = await console.recover(alice, trace)
    assert "database mine" in said(receipts, ReceiptKind.DELETED)
    assert said(receipts, ReceiptKind.RESTORED) == ["database before", "load_balancer kept-lb"]
    assert not said(receipts, ReceiptKind.FAILED)
    left = {i["name"]: i["is_protected"] for i in api.get("/api/inventory").json()["items"]}
    assert (left["before"], left["kept-lb"]) == (False, False)


def _used_by(api, id_):
    """Ids of all that a thing uses, and of what that uses in turn."""
    items = {item["id"]: item for item in api.get("/api/inventory").json()["items"]}
    found, new = set(), {id_}
    while new:
        found |= new
        new = {used for one in new for used in items[one]["uses"]} - found
    return found


async def test_what_cannot_be_protected_says_so(api):
    bucket = post(api, "/api/storage/buckets", name="box")
    answer = api.put(f"/api/storage/buckets/{bucket['id']}/protection", json={"is_protected": True})
    assert answer.json()["code"] == "UnknownOperation"


async def test_values_and_states_are_put_back(console, alice, api):
    bound = await provided(
        console,
        alice,
        need("instance", name="web"),
        need("disk", name="data", instance="web", state="in-use"),
        need("bucket", name="box", tags="a=1"),
        need("disk", name="gone"),
        unique="base",
    )
    trace = await trace_from_now(console, alice)
    instance = f"/api/compute/instances/{bound['instance id']}"
    disk = f"/api/disks/disks/{bound['disk id']}"
    bucket = f"/api/storage/buckets/{bound['bucket id']}"
    before = [api.get(path).json() for path in (instance, disk, bucket)]
    post(api, f"{disk}/detach")
    assert api.patch(bucket, json={"tags": {"b": "2"}}).is_success
    post(api, f"{instance}/stop")
    assert api.delete(f"/api/disks/disks/{bound['disk 2 id']}").is_success
    await asyncio.sleep(0.5)
    receipts = await console.recover(alice, trace)
    assert said(receipts, ReceiptKind.RESTORED) == ["bucket box", "disk data", "instance web"]
    (failed,) = [r for r in receipts if r.deed is ReceiptKind.FAILED]
    assert (failed.name, failed.why) == ("gone", "it was deleted, and cannot be brought back")
    assert [api.get(path).json() for path in (instance, disk, bucket)] == before


async def test_what_cannot_be_put_back_is_told_in_every_round_of_an_attempt(console, alice, api):
    bucket = post(api, "/api/storage/buckets", name="gone")
    trace = await trace_from_now(console, alice)
    assert api.delete(f"/api/storage/buckets/{bucket['id']}").is_success
    for _ in range(2):
        assert said(await console.recover(alice, trace), ReceiptKind.FAILED) == ["bucket gone"]
    stray = post(api, "/api/storage/buckets", name="stray")
    of_none = Trace(since=trace.since, unique="", before=Inventory())
    (receipt,) = await console.recover(alice, of_none)
    assert (receipt.deed, receipt.id) == (ReceiptKind.DELETED, stray["id"])
    await console.remember(alice)
    assert await console.recover(alice, trace) == []


@pytest.fixture(scope="module")
def quick():
    """A cloud where everything is done at once."""
    with serving(PracticeSettings(release="2025.2", settle_s=0)) as practice:
        yield practice


@pytest.mark.parametrize("user", ["alice", "bob", "carol", "dave", "admin"])
async def test_whatever_was_done_the_account_holds_what_it_held(
    quick, user, tmp_path, settings_for
):
    file = tmp_path / "password"
    file.write_text(quick.password, encoding="utf-8")
    settings = settings_for(quick.url, file)
    auth = (user, quick.password)
    with httpx.Client(base_url=quick.url, auth=auth, trust_env=False) as api:
        async with (
            _closing(open_console("practice", settings)) as somebody,
            _closing(open_console("practice", settings)) as console,
        ):
            await _is_as_it_was(api, somebody, console, user, random.Random(user))


@asynccontextmanager
async def _closing(console):
    try:
        yield console
    finally:
        await console.close()


async def _is_as_it_was(api, somebody, console, user, chance):
    kinds = api.get("/api/kinds").json()
    (account,) = console.accounts(user)

    async def make(count):
        for kind in chance.sample([k for k in kinds if "create" in kinds[k]["actions"]], count):
            values = {"unique": f"{chance.randrange(10**6):06}"}
            await somebody.provide([Need(kind=kind, values={})], account, values)

    await make(8)
    trace = await trace_from_now(console, account)
    before = _all_items(api, kinds)
    await make(12)
    for _ in range(60):
        _do_something(api, kinds, chance, spared=before)
    changed = {id_ for id_, item in _all_items(api, kinds).items() if item != before.get(id_)}
    receipts = await console.recover(account, trace)
    failed = {r.id: str(r) for r in receipts if r.deed is ReceiptKind.FAILED}
    now = _all_items(api, kinds)
    assert len(changed - set(before)) >= 8
    assert changed & set(before)
    assert now.keys() == before.keys(), failed
    assert {id_ for id_ in before if now[id_] != before[id_]} == failed.keys()
    assert all("nothing changes back" in why for why in failed.values())


def _all_items(api, kinds):
    every = {"region": "*", "per_page": "200"}
    found = [i for k in kinds.values() for i in api.get(k["path"], params=every).json()["items"]]
    return {item["id"]: item for item in found}


def _do_something(api, kinds, chance, spared):
    """An action on something; many are refused. What was there before is not deleted."""
    items = {item["id"]: item for item in api.get("/api/inventory").json()["items"]}
    item = chance.choice([*items.values()])
    kind = kinds[item["kind"]]
    name, action = chance.choice([*kind["actions"].items()])
    path = f"{kind['path']}/{item['id']}"
    match action["kind"]:
        case "transition":
            api.post(f"{path}/{name}", json={}, params={"region": "*"})
        case "edit" | "tags":
            body = {field: _value(kind["fields"][field], items, chance)
                    for field in action["fields"]}  # fmt: skip
            api.post(f"{path}/{name}", json=body, params={"region": "*"})
        case "delete" if item["id"] not in spared:
            api.delete(path, params={"region": "*"})


def _value(field, items, chance):
    ids = [id_ for id_, item in items.items() if item["kind"] == field["refers_to"]]
    match field["kind"]:
        case "boolean":
            return chance.random() < 0.5
        case "number":
            return chance.randint(field["min"], field["max"])
        case "tags":
            return {"made-by": str(chance.randrange(100))}
        case "choice":
            return chance.choice(field["options"])
        case "choices":
            return chance.sample(field["options"], 1)
        case "reference":
            return chance.choice([*ids, ""])
        case "references":
            return chance.sample(ids, min(len(ids), 1))
        case _:
            return field["example"] or f"text{chance.randrange(100)}"
