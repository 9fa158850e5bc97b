"""`/store`: backups, checkpoints, and what is past its time."""

import asyncio
from typing import Annotated

from litestar import Controller, get, post
from litestar.params import QueryParameter

from appliance.engine.schedules.retention import retain
from appliance.server.activity import about
from appliance.server.api._operations import problems
from appliance.server.api.shapes.administration import Backup, Backups, Retained, StoreInfo
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs
from appliance.store.backup import Backups as Copies
from appliance.store.backup import checkpoint
from appliance.store.info import info


class Storage(Controller):
    """Look after the store."""

    path = "/store"
    tags = ("Administration",)

    @get(operation_id="getStore", summary="Get the store's size", responses=problems())
    async def show(self, service: TheService) -> StoreInfo:
        """How large it is, and what is in it."""
        return StoreInfo.model_validate(await asyncio.to_thread(info, service.store.session))

    @get("/backups", operation_id="listBackups", summary="List backups", responses=problems())
    async def backups(self, service: TheService) -> Backups:
        """Copies of the store, newest first."""
        copies = await asyncio.to_thread(Copies(service.store.session).list)
        newest = sorted(copies, key=lambda one: one.made_at, reverse=True)
        return Backups.model_validate({"items": newest})

    @post(
        "/backups",
        opt=needs(Permission.BACK_UP_STORE),
        operation_id="makeBackup",
        summary="Make a backup",
        response_description="The backup.",
        responses=problems(403, 409, 422),
    )
    async def backup(self, service: TheService) -> Backup:
        """A copy that is whole, made while everything goes on; the oldest ones go.

        The settings' `retention.backups` says how many are kept.
        """
        recipients = service.settings.storage.backup_recipients
        copies, now = Copies(service.store.session, recipients), service.engine.clock.now()
        made = Backup.model_validate(await asyncio.to_thread(copies.make, now))
        about(made.id)
        await asyncio.to_thread(copies.prune, service.settings.retention.backups)
        return made

    @post(
        "/checkpoint",
        opt=needs(Permission.CHECKPOINT_STORE),
        operation_id="makeCheckpoint",
        summary="Write a checkpoint",
        status_code=200,
        response_description="The store as it stands now.",
        responses=problems(403, 409, 422),
    )
    async def checkpoint(self, service: TheService) -> StoreInfo:
        """Bring what was written last from the store's log into its file."""
        await asyncio.to_thread(checkpoint, service.store.session)
        return StoreInfo.model_validate(await asyncio.to_thread(info, service.store.session))

    @post(
        "/prune",
        opt=needs(Permission.PRUNE_STORE),
        operation_id="pruneStore",
        summary="Remove what is past its time",
        status_code=200,
        response_description="What was removed, or would be.",
        responses=problems(403, 409, 422),
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
            retain,
            service.store,
            service.settings.retention,
            service.engine.clock.now(),
            busy=[run.id for run in service.engine.live.now().runs],
            dry_run=is_dry_run,
        )
        about("store", str(retained))
        return Retained.model_validate(retained)
