"""Creates and destroys what an attempt needs, by resource modules or the console's API."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from appliance.consoles import Account, Console, Provided, TerraformAccess
from appliance.core.blocking import in_thread
from appliance.core.checks import Need
from appliance.core.errors import AttemptError, ProvisioningError, SetupError, StoreError
from appliance.core.events import Events, ResourceProgressed
from appliance.core.jsonable import Json
from appliance.core.page import Performed
from appliance.core.resources import Lifetime, Receipt, ReceiptKind
from appliance.environment.modules import Module
from appliance.environment.needs import (
    ResourcePlan,
    bindings,
    configuration,
    find_module,
    plan,
    settle_references,
)
from appliance.environment.sharing import Sharing
from appliance.environment.terraform import (
    ApplyError,
    Progress,
    StateResource,
    TerraformError,
    Workspace,
)
from appliance.store.store import Store

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """The resources made for an attempt."""

    bindings: Mapping[str, str]
    """Names and ids, by the words of needs: `disk`, `disk id`, `disk 2`."""
    made: tuple[Receipt, ...] = ()
    cost_per_hour: float = 0.0
    """Of what modules made, without what others share; what has no price counts as nothing."""


class Notes:
    """What a clean-up writes down. It goes on without: a full disk leaves nothing in a cloud."""

    def __init__(self) -> None:
        self.failed: StoreError | None = None
        """The first that could not be kept. The store then has the clean-up as unfinished, and it
        is done again, which does no harm."""

    async def keep(self, write: Callable[[], object]) -> None:
        """Write it down, where that can be done."""
        try:
            await in_thread(write)
        except StoreError as exc:
            _log.warning("clean_up_not_noted", reason=str(exc))
            self.failed = self.failed or exc


class Coder(Protocol):
    """Creates what no module provides; see `environment.coder`."""

    async def supply(
        self, request: str, lifetime: Lifetime, account: Account, name: str = ""
    ) -> Performed:
        """Make it, under that name where one is given, and say what was made or why not."""


class Provisioner:
    """Creates and destroys resources in one console."""

    def __init__(
        self,
        console: Console,
        modules: Mapping[str, Module],
        sharing: Sharing,
        store: Store,
        events: Events,
        coder: Coder | None = None,
    ) -> None:
        self.coder = coder
        self.modules = modules
        self._console = console
        self._terraform = sharing.terraform
        self._sharing = sharing
        self._store = store
        self._events = events

    async def provide(
        self,
        lifetime: Lifetime,
        account: Account,
        needs: Sequence[Need],
        values: Mapping[str, str],
    ) -> Supply:
        """Create what is needed by modules, or without them if the console has outgrown one.

        Raises:
            ProvisioningError: It cannot be made; `destroy` removes what was made until then.
        """
        if not needs:
            return Supply(bindings={})
        access = await self._access(account)
        planned = plan(needs, await self._usable(access), lifetime.unique)
        try:
            supply = await self._provide_planned(planned, lifetime, account, access, values)
        except ApplyError as exc:
            supply = await self._provide_otherwise(exc, needs, lifetime, account, values)
        await in_thread(self._store.attempts.add_receipts, lifetime.id, supply.made)
        return supply

    async def _provide_planned(
        self,
        planned: ResourcePlan,
        lifetime: Lifetime,
        account: Account,
        access: Sequence[TerraformAccess],
        values: Mapping[str, str],
    ) -> Supply:
        """Create a plan's resources; if Terraform fails, everything it created is removed."""
        shared_bindings = await self._provide_shared(planned, lifetime, account, access)
        own = replace(planned, blocks=settle_references(planned.blocks, shared_bindings), shared=())
        bound = dict(bindings(planned, shared_bindings))
        receipts: list[Receipt] = []
        if own.blocks:
            workspace = await self._open(lifetime, own, access)
            try:
                applied = await workspace.apply(self._teller(lifetime))
            except TerraformError:
                await self._destroy(workspace.id, lifetime, account)
                raise
            bound |= bindings(own, applied.outputs)
            receipts += [_receipt(ReceiptKind.MADE, r) for r in applied.resources if not r.is_data]
        if own.by_console:
            provided = await self._without_module(
                own.by_console, lifetime, account, {**values, **bound}
            )
            bound |= provided.bindings
            receipts += _made_by_console(provided)
        cost = sum(block.module.cost.per_hour for block in own.blocks)
        return Supply(bindings=bound, made=tuple(receipts), cost_per_hour=cost)

    async def _provide_otherwise(
        self,
        failed: ApplyError,
        needs: Sequence[Need],
        lifetime: Lifetime,
        account: Account,
        values: Mapping[str, str],
    ) -> Supply:
        """Create it by the console's API, which knows the present requirements, or the coder."""
        _log.warning("modules_failed", reason=str(failed))
        try:
            provided = await self._without_module(needs, lifetime, account, values)
        except ProvisioningError as exc:
            raise ProvisioningError(f"{failed}; nor without a module: {exc}") from failed
        return Supply(bindings=provided.bindings, made=tuple(_made_by_console(provided)))

    async def provide_requested(
        self, words: str, lifetime: Lifetime, account: Account, values: Mapping[str, str]
    ) -> Performed:
        """Make what an agent asks for: by the module that provides it, else by the coder.

        Never raises: that it cannot be made is for the agent to know.
        """
        module = find_module(words, self.modules)
        if module is None and self.coder is not None:
            return await self.coder.supply(words, lifetime, account)
        if module is None:
            module_names = ", ".join(sorted(self.modules)) or "nothing"
            return Performed(
                ok=False, error=f"no resource module provides {words!r}; there are: {module_names}"
            )
        try:
            supply = await self.provide(lifetime, account, [Need(kind=module.name)], values)
        except AttemptError as exc:
            return Performed(ok=False, error=f"{words} could not be made: {exc}")
        bindings_text = ", ".join(f"{word}: {name}" for word, name in supply.bindings.items())
        return Performed(ok=True, report=f"Made on request: {bindings_text}.")

    async def prepare(self, lifetime: Lifetime, account: Account, needs: Sequence[Need]) -> int:
        """Make what of these is shared, and nothing else; how many there are now.

        Raises:
            ProvisioningError: One cannot be made.
        """
        access = await self._access(account)
        planned = plan(needs, await self._usable(access), lifetime.unique)
        await self._provide_shared(planned, lifetime, account, access)
        await in_thread(self._store.shared.leave, lifetime.id)
        return len(planned.shared)

    def kept(self) -> frozenset[str]:
        """Ids of all that Terraform has made and not destroyed yet, whoever it was for. Blocks."""
        return frozenset(
            r.id for name in self._terraform.known() for r in self._held_resources(name)
        )

    def _held_resources(self, workspace: str) -> Sequence[StateResource]:
        try:
            return self._terraform.state(workspace)
        except TerraformError as exc:  # its own clean-up says so, too
            _log.warning("state_unreadable", workspace=workspace, problem=str(exc))
            return ()

    async def destroy(
        self, lifetime: Lifetime, account: Account, notes: Notes
    ) -> tuple[Receipt, ...]:
        """Destroy what was made for it, in reverse order; what cannot be is a receipt that failed.

        Again does no harm.
        """
        await notes.keep(lambda: self._store.shared.leave(lifetime.id))
        receipts: list[Receipt] = []
        for name in await in_thread(self._own_workspaces, lifetime.id):
            receipts += await self._destroy(name, lifetime, account)
        await notes.keep(lambda: self._store.shared.forget(lifetime.id))
        return tuple(receipts)

    async def _destroy(self, name: str, lifetime: Lifetime, account: Account) -> list[Receipt]:
        try:
            workspace = await self._terraform.open(name, None, await self._access(account))
            gone = await workspace.destroy(self._teller(lifetime))
            await in_thread(workspace.forget)
        except ProvisioningError as exc:
            why = str(exc)
            remaining = [r for r in await in_thread(self._held_resources, name) if not r.is_data]
            failed = [_receipt(ReceiptKind.FAILED, resource, why) for resource in remaining]
            return failed or [Receipt(deed=ReceiptKind.FAILED, kind="workspace", id=name, why=why)]
        return [_receipt(ReceiptKind.DESTROYED, resource) for resource in gone]

    def forget(self, lifetime: Lifetime) -> None:
        """Drop what is kept of resources that went with their console. Blocks."""
        for name in self._own_workspaces(lifetime.id):
            self._terraform.abandon(name)
        self._store.shared.leave(lifetime.id)
        self._store.shared.forget(lifetime.id)

    def _own_workspaces(self, attempt_id: str) -> list[str]:
        """The workspaces of an attempt, newest first."""
        workspaces = self._terraform.known()
        return sorted((n for n in workspaces if n.partition(".")[0] == attempt_id), reverse=True)

    async def _usable(self, access: Sequence[TerraformAccess]) -> Mapping[str, Module]:
        """The modules whose provider has access to this console."""
        try:
            usable = [
                candidate
                for candidate in access
                if await self._terraform.has_provider(candidate.source)
            ]
        except SetupError as exc:  # consoles make what they can by their own API then
            _log.warning("no_terraform", reason=str(exc))
            return {}
        for candidate in access:
            if candidate not in usable:
                _log.debug("provider_not_mirrored", provider=candidate.source)
        providers = {candidate.provider for candidate in usable}
        return {n: m for n, m in self.modules.items() if m.provider in providers}

    async def _without_module(
        self,
        needs: Sequence[Need],
        lifetime: Lifetime,
        account: Account,
        values: Mapping[str, str],
    ) -> Provided:
        """Create it by the console's own API, or by the coder if that cannot."""
        try:
            return await self._console.provide(needs, account, values)
        except ProvisioningError as exc:
            if self.coder is None:
                raise
            named = {}
            for need in needs:
                word = need.kind.replace("_", "-")
                named[need.kind] = need.values.get("name", f"{word}-{lifetime.unique}")
                supply = await self.coder.supply(
                    _in_words(need), lifetime, account, named[need.kind]
                )
                if not supply.ok:
                    raise ProvisioningError(f"{exc}; nor by a model: {supply.error}") from exc
        return Provided(bindings=named, things=())

    async def _provide_shared(
        self,
        planned: ResourcePlan,
        lifetime: Lifetime,
        account: Account,
        access: Sequence[TerraformAccess],
    ) -> Mapping[str, Json]:
        if not planned.shared:
            return {}
        return await self._sharing.outputs(planned.shared, lifetime, account, access)

    async def _access(self, account: Account) -> tuple[TerraformAccess, ...]:
        """Request access once per job, as a console may create a token each time."""
        access = await self._console.terraform(account)
        return () if access is None else (access,)

    async def _open(
        self, lifetime: Lifetime, own: ResourcePlan, access: Sequence[TerraformAccess]
    ) -> Workspace:
        taken_names, name = set(await in_thread(self._own_workspaces, lifetime.id)), lifetime.id
        while name in taken_names:
            name = f"{lifetime.id}.{int(name.partition('.')[2] or 0) + 1}"
        return await self._terraform.open(name, configuration(own, access), access)

    def _teller(self, lifetime: Lifetime) -> Callable[[Progress], None]:
        def tell(progress: Progress) -> None:
            self._events.emit(
                ResourceProgressed(
                    run_id=lifetime.run_id,
                    procedure_id=lifetime.procedure_id,
                    attempt_id=lifetime.id,
                    what=progress.address,
                    doing=progress.doing,
                    took_s=progress.took_s,
                )
            )

        return tell


def _made_by_console(provided: Provided) -> list[Receipt]:
    return [
        Receipt(deed=ReceiptKind.MADE, kind=t.kind, id=t.id, name=t.name) for t in provided.things
    ]


def _in_words(need: Need) -> str:
    """A need phrased as a person would ask for it."""
    values = ", ".join(f"{name} {value!r}" for name, value in need.values.items())
    return f"a {need.kind.replace('_', ' ')}{f' with {values}' if values else ''}"


def _receipt(outcome: ReceiptKind, resource: StateResource, why: str = "") -> Receipt:
    return Receipt(deed=outcome, kind=resource.type, id=resource.id, name=resource.name, why=why)
