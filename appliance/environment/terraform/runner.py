"""Terraform for the whole appliance: the binary is found and the mirror laid out once."""

import asyncio
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from appliance.config import TerraformSettings
from appliance.consoles import TerraformAccess
from appliance.core.errors import ProvisioningError
from appliance.core.jsonable import Json
from appliance.environment.terraform import _configuration as texts
from appliance.environment.terraform._commands import Commands
from appliance.environment.terraform._initialising import Initialiser
from appliance.environment.terraform.binary import TerraformBinary, find_terraform
from appliance.environment.terraform.host import HostLauncher
from appliance.environment.terraform.mirror import PROVIDER, Mirror, lay_out
from appliance.environment.terraform.providers import KeptProviders
from appliance.environment.terraform.statefile import read_state
from appliance.environment.terraform.types import Launcher, StateResource
from appliance.environment.terraform.workspace import Workspace, at_work, remove_folder

_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")
_NO_FILES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class LetIn:
    """What a launcher that locks programs up has to let in, beside the workspace's own folder."""

    paths: tuple[Path, ...]
    """To be read only, at the same place: program, providers, interpreter, files with passwords."""
    hosts: frozenset[str]
    """`host:port` that the providers talk to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Installation:
    binary: TerraformBinary
    mirror: Mirror
    initialiser: Initialiser
    kept: KeptProviders


class Terraform:
    """Opens workspaces. The binary is not searched before the first one."""

    def __init__(self, settings: TerraformSettings, data_dir: Path) -> None:
        self._settings = settings
        self._root = (data_dir / "terraform").resolve()
        self._workspaces = self._root / "workspaces"
        self._host = HostLauncher()
        self._installation: _Installation | None = None
        self._finding = asyncio.Lock()  # so that it is looked for once

    async def open(
        self,
        id: str,
        configuration: Mapping[str, Json] | None,
        access: TerraformAccess | Sequence[TerraformAccess],
        launcher: Launcher | None = None,
        *,
        files: Mapping[str, str] = _NO_FILES,
    ) -> Workspace:
        """The workspace of an id, made where there is none yet.

        Args:
            id: Its name on the data volume: that of the attempt, or begins with it.
            configuration: The root module as JSON; None: the one that it has, for instance to
                destroy what a process made that is no more. A module whose `source` is an absolute
                path is copied into the workspace.
            access: How its providers get in. Their blocks are written for it.
            launcher: Where the programs run; None: here.
            files: Further files by relative path: `request.tf`, `made/main.tf`. Those of before
                that are not among them are removed.

        Raises:
            SetupError: There is no Terraform.
            ProvisioningError: The workspace cannot be written, or another run is under way in it.
        """
        if not _ID.fullmatch(id):
            raise ProvisioningError(f"{id!r} cannot be the name of a workspace")
        look = await self._installed()
        accesses = (access,) if isinstance(access, TerraformAccess) else tuple(access)
        folder = self._workspaces / id
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            async with at_work(folder):
                if configuration is not None:
                    await asyncio.to_thread(texts.keep, folder, configuration, files)
                texts.write(folder, accesses)
        except OSError as exc:
            raise ProvisioningError(f"the workspace {folder} cannot be written: {exc}") from exc
        commands = Commands(
            command=look.binary.command,
            mirror=look.mirror,
            launcher=launcher or self._host,
            accesses=accesses,
            kept=look.kept if launcher is None else None,
            timeout_s=self._settings.timeout_s,
        )
        return Workspace(id, folder, accesses, commands, look.initialiser)

    def known(self) -> tuple[str, ...]:
        """The ids of the workspaces on the data volume."""
        try:
            ids = sorted(each.name for each in self._workspaces.iterdir() if each.is_dir())
        except FileNotFoundError:
            return ()
        return tuple(name for name in ids if _ID.fullmatch(name))

    def state(self, id: str) -> Sequence[StateResource]:
        """The state of a workspace, without opening it; empty if there is none."""
        return read_state(self._workspaces / id).resources

    def abandon(self, id: str) -> None:
        """Remove a workspace whatever it holds: the console is gone with all that was in it."""
        remove_folder(self._workspaces / id)

    async def has_provider(self, address: str) -> bool:
        """Whether a provider is mirrored; `SetupError` if there is no Terraform."""
        return (await self._installed()).mirror.has(address)

    async def let_in(self, access: TerraformAccess | Sequence[TerraformAccess]) -> LetIn:
        """What a launcher has to let in so that these accesses work."""
        look = await self._installed()
        accesses = (access,) if isinstance(access, TerraformAccess) else tuple(access)
        value_lists = [{**each.arguments, **each.environment}.values() for each in accesses]
        named = [Path(value) for values in value_lists for value in values]
        files = [path for path in named if path.is_absolute() and path.is_file()]
        program = [Path(part) for part in look.binary.command if Path(part).is_absolute()]
        paths = [*program, *(each.resolve() for each in program), *_interpreter()]
        paths += [look.mirror.folder, PROVIDER, self._root / "inits", *files]
        paths += [look.mirror.further] if look.mirror.further else []
        return LetIn(
            paths=tuple(dict.fromkeys(paths)),
            hosts=frozenset(host for each in accesses for host in each.hosts),
        )

    async def close(self) -> None:
        """End the kept providers."""
        if self._installation is not None:
            await self._installation.kept.close()

    async def _installed(self) -> _Installation:
        async with self._finding:
            if self._installation is None:
                self._installation = await asyncio.to_thread(self._find)
        return self._installation

    def _find(self) -> _Installation:
        settings = self._settings
        binary = find_terraform(settings.binary)
        mirror = lay_out(self._root / "providers", further=settings.mirror)
        for gone in self._workspaces.glob(".*.gone"):
            shutil.rmtree(gone, ignore_errors=True)
        differs = f"{binary} {mirror.fingerprint}"
        return _Installation(
            binary=binary,
            mirror=mirror,
            initialiser=Initialiser(
                self._root / "inits", hashlib.sha256(differs.encode()).hexdigest(), self._host
            ),
            kept=KeptProviders(mirror.program, mirror.folder, settings.keep_providers_s),
        )


def _interpreter() -> list[Path]:
    """Folders of Python and its packages, in which the provider is written."""
    places = [sys.prefix, sys.base_prefix, str(Path(os.__file__).parent)]
    return [Path(place) for place in dict.fromkeys(places)]
