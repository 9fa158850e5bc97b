"""`/store`: backups, checkpoints, and what is past its time."""

import asyncio
from typing import Annotated

from litestar import Controller
from litestar.params import QueryParameter
from pydantic import Field

from appliance.engine.schedules import retention
from appliance.server.activity import about
from appliance.server.api._operations import acts, reads
from appliance.server.api.shapes.base import Items, ResponseShape, shape_of
from appliance.server.parts import TheService
from appliance.server.permissions import Permission
from appliance.store import info, manifests
from appliance.store.backup import Backups as Copies
from appliance.store.backup import checkpoint


@shape_of(manifests.Backup, without=("schema",))
class Backup(ResponseShape):
    """A copy of the store."""

    id: str
    """Name of its folder."""
    migration: int = Field(alias="schema")
    """Number of its newest migration."""


class Backups(Items[Backup]):
    """Copies of the store, newest first."""


@shape_of(retention.FileTotals)
class Files(ResponseShape):
    """How many, and how large they are together."""


@shape_of(retention.Retained)
class Retained(ResponseShape):
    """What was removed because its time is over, or would be."""


@shape_of(info.StoreInfo, without=("schema",))
class StoreInfo(ResponseShape):
    """How large the store is, and what is in it."""

    migration: int = Field(alias="schema")
    """Number of its newest migration."""
    rows: dict[str, int] = Field(examples=[{"runs": 31, "findings": 212}])
    """How many each table has."""


class Storage(Controller):
    """Look after the store."""

    path = "/store"
    tags = ("Administration",)

    @reads("", "getStore", "Get the store's size")
    async def show(self, service: TheService) -> StoreInfo:
        """How large it is, and what is in it."""
        return StoreInfo.model_validate(await asyncio.to_thread(info.info, service.store.session))

    @reads("/backups", "listBackups", "List backups")
    async def backups(self, service: TheService) -> Backups:
        """Copies of the store, newest first."""
        copies = await asyncio.to_thread(Copies(service.store.session).list)
        newest = sorted(copies, key=lambda backup: backup.made_at, reverse=True)
        return Backups.model_validate({"items": newest})

    @acts(
        "/backups",
        "makeBackup",
        "Make a backup",
        Permission.BACK_UP_STORE,
        fails=(409, 422),
        answers="The backup.",
        status_code=201,
    )
    async def backup(self, service: TheService) -> Backup:
        """A copy that is whole, made while everything goes on; the oldest ones go.

        The settings' `retention.backups` says how many are kept.
        """
        recipients = service.settings.storage.backup_recipients
        copies, now = Copies(service.store.session, recipients), service.engine.clock.now()
        backup = Backup.model_validate(await asyncio.to_thread(copies.make, now))
        about(backup.id)
        await asyncio.to_thread(copies.prune, service.settings.retention.backups)
        return backup

    @acts(
        "/checkpoint",
        "makeCheckpoint",
        "Write a checkpoint",
        Permission.CHECKPOINT_STORE,
        fails=(409, 422),
        answers="The store as it stands now.",
    )
    async def checkpoint(self, service: TheService) -> StoreInfo:
        """Bring what was written last from the store's log into its file."""
        await asyncio.to_thread(checkpoint, service.store.session)
        return StoreInfo.model_validate(await asyncio.to_thread(info.info, service.store.session))

    @acts(
        "/prune",
        "pruneStore",
        "Remove what is past its time",
        Permission.PRUNE_STORE,
        fails=(409, 422),
        answers="What was removed, or would be.",
    )
    async def prune(
        self,
        service: TheService,
        is_dry_run: Annotated[
            bool, QueryParameter(name="dry_run", description="Only say what would be removed.")
        ] = False,
    ) -> Retained:
        """As the settings' `retention` says; the last verdict on a procedure stays."""
        retained = await asyncio.to_thread(
            retention.retain,
            service.store,
            service.settings.retention,
            service.engine.clock.now(),
            busy=[run.id for run in service.engine.live.now().runs],
            dry_run=is_dry_run,
        )
        about("store", str(retained))
        return Retained.model_validate(retained)
