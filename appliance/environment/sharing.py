"""Resources shared by several attempts: created once, kept while in use."""

import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from appliance.consoles import Account, TerraformAccess
from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.jsonable import Json, to_jsonable
from appliance.core.resources import Lifetime, Phase
from appliance.environment.needs import (
    Block,
    ResourcePlan,
    configuration,
    output_name,
    settle_references,
)
from appliance.environment.terraform import Terraform
from appliance.store.store import Store

_OUTPUTS = ("id", "name")


class Sharing:
    """The shared resources of one console."""

    def __init__(self, terraform: Terraform, store: Store, clock: Clock, minutes: float) -> None:
        self.terraform = terraform
        self._store = store
        self._clock = clock
        self._minutes = minutes
        # Invariant: nobody makes what somebody else is making.
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def outputs(
        self,
        blocks: Sequence[Block],
        lifetime: Lifetime,
        account: Account,
        access: Sequence[TerraformAccess],
    ) -> dict[str, Json]:
        """Outputs of the shared blocks, which are created if they do not exist yet.

        Raises:
            TerraformError: One cannot be made.
        """
        outputs_by_name: dict[str, Json] = {}
        for block in blocks:
            (settled,) = settle_references([block], outputs_by_name)
            key = _key(lifetime.console, account.name, settled)
            async with self._locks[key]:
                outputs = await self._apply_block(key, settled, lifetime, access)
                await in_thread(self._store.shared.use, key, lifetime.id)
            outputs_by_name |= {
                output_name(block.label, name): value for name, value in outputs.items()
            }
        return outputs_by_name

    async def _apply_block(
        self, key: str, block: Block, lifetime: Lifetime, access: Sequence[TerraformAccess]
    ) -> Mapping[str, Json]:
        shared = await asyncio.to_thread(self._store.shared.get, key)
        if shared is not None and _is_there(shared.outputs["id"], lifetime):
            return shared.outputs
        made_as = f"shared-{key}"
        if await asyncio.to_thread(self._store.attempts.get, made_as) is None:
            made_for = self._lifetime(made_as, key, block, lifetime)
            await in_thread(self._store.attempts.start, made_for)
        plan = ResourcePlan(blocks=(_with_unique_name(block, key),))
        workspace = await self.terraform.open(made_as, configuration(plan, access), access)
        applied = await workspace.apply()
        outputs = {name: applied.outputs[output_name(block.label, name)] for name in _OUTPUTS}
        await in_thread(self._add, key, made_as, outputs)
        return outputs

    def _add(self, key: str, made_as: str, outputs: Mapping[str, Json]) -> None:
        self._store.shared.forget(made_as)
        self._store.shared.add(key, made_as, outputs)

    def _lifetime(self, made_as: str, key: str, block: Block, user: Lifetime) -> Lifetime:
        now = self._clock.now()
        minutes = block.module.time_to_live_minutes or self._minutes
        return replace(
            user,
            id=made_as,
            procedure_id="",
            unique=_marker(key),
            phase=Phase.EXECUTING,
            baseline=None,
            since=now,
            started_at=now,
            expires_at=now + timedelta(minutes=minutes),
        )


def _key(console: str, account: str, block: Block) -> str:
    """A key, equal for equal blocks and short enough for a folder name."""
    what = [console, account, block.region, block.module.name, to_jsonable(block.arguments)]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]


def _marker(key: str) -> str:
    """The same for everybody who needs its like: `core.resources.MARKER`."""
    return f"cda{key[:6]}"


def _with_unique_name(block: Block, key: str) -> Block:
    """With a name, which the plan leaves open: it must not be that of one attempt."""
    name = block.module.named.replace("${unique}", _marker(key))
    return replace(block, arguments={"name": name, **block.arguments}) if name else block


def _is_there(output: Json, user: Lifetime) -> bool:
    """Whether somebody has deleted it meanwhile, as far as the account's inventory tells."""
    baseline = user.baseline
    return baseline is None or output in {t.id for t in baseline.things}
