"""Run `terraform init` once for all workspaces with equal requirements."""

import re
import shutil
import tempfile
from dataclasses import replace as replaced
from pathlib import Path

from appliance.core.blocking import in_thread
from appliance.environment.terraform import _configuration as configuration
from appliance.environment.terraform._commands import Commands, Ran
from appliance.environment.terraform.types import Diagnostic, Launcher, TerraformError
from appliance.system.files import write_whole

MARK = "initialised"
"""Holds the key of the `init` that a workspace has."""
LOCK_FILE = ".terraform.lock.hcl"
DATA = ".terraform"
OFFLINE = {
    "PATH": "/nonexistent",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "GIT_ALLOW_PROTOCOL": "none",
}
"""A module or provider from elsewhere is an error at once, and no program is started for it."""
_MISSING = re.compile(r"provider (?:registry )?(\S+/\S+/\S+?)[,:]? (?:was not found|does not have)")
_NO_VERSION = re.compile(r"(?:available releases|versions) .*?(?:provider )?(\S+/\S+)[:,. ]")


class Initialiser:
    """Initialises workspaces from a store of earlier results of `init`."""

    def __init__(self, store: Path, fingerprint: str, launcher: Launcher) -> None:
        self._launcher = launcher
        self._store, self._fingerprint = store, fingerprint[:16]

    async def ensure(self, id: str, folder: Path, commands: Commands) -> None:
        """Initialise a workspace unless it is already.

        Raises:
            TerraformError: It cannot be, for instance because a provider is not mirrored.
        """
        key = await in_thread(self._key, folder)
        if await in_thread(self._is_provided, folder, key):
            return
        await in_thread(_clear, folder)
        await self._run(id, folder, commands)
        await in_thread(self._keep_result, folder, key)

    async def again(self, id: str, folder: Path, commands: Commands) -> None:
        """Reinitialise a workspace that Terraform rejects because the mirror has changed."""
        await in_thread(self._forget, folder)
        await self.ensure(id, folder, commands)

    def _forget(self, folder: Path) -> None:
        (folder / MARK).unlink(missing_ok=True)
        shutil.rmtree(self._store / self._key(folder), ignore_errors=True)

    def _key(self, folder: Path) -> str:
        files = configuration.read(folder)
        return f"{self._fingerprint}-{configuration.init_key(folder, files)}"

    async def _run(self, id: str, folder: Path, commands: Commands) -> None:
        # Also for a configuration that is locked up elsewhere: nothing of it is carried out, and
        # what a lock-up would bring back could not be started.
        ran = await replaced(commands, launcher=self._launcher).run(
            id,
            folder,
            ("init", "-input=false", "-no-color", "-backend=false"),
            on_progress=lambda progress: None,
            is_kept=False,
            variables=OFFLINE,
        )
        if ran.code != 0 or ran.stopped_by:
            raise TerraformError(f"initialising the workspace {id}", _explain(ran))

    def _keep_result(self, folder: Path, key: str) -> None:
        """Store the result of `init` unless another process already did."""
        self._store.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".", dir=self._store))
        try:
            shutil.copytree(folder / DATA, fresh / DATA, symlinks=True, dirs_exist_ok=True)
            if (folder / LOCK_FILE).exists():
                shutil.copy(folder / LOCK_FILE, fresh / LOCK_FILE)
            fresh.chmod(0o755)
            fresh.rename(self._store / key)
        except OSError:
            shutil.rmtree(fresh, ignore_errors=True)
        write_whole(folder / MARK, key, is_durable=True)

    def _is_provided(self, folder: Path, key: str) -> bool:
        """Whether the workspace is initialised, if need be from a stored result."""
        mark = folder / MARK
        if mark.exists() and mark.read_text(encoding="utf-8") == key:
            return True
        if not self._is_copied(folder, key):
            return False
        write_whole(mark, key, is_durable=True)
        return True

    def _is_copied(self, folder: Path, key: str) -> bool:
        copy_folder = self._store / key
        if not copy_folder.is_dir():
            return False
        shutil.rmtree(folder / DATA, ignore_errors=True)
        (folder / DATA).mkdir()
        for each in (copy_folder / DATA).iterdir():
            if each.name == "providers":  # they may be large
                (folder / DATA / each.name).symlink_to(each)
            elif each.is_dir():
                shutil.copytree(each, folder / DATA / each.name, symlinks=True)
            else:
                shutil.copy(each, folder / DATA / each.name)
        if (copy_folder / LOCK_FILE).exists():
            shutil.copy(copy_folder / LOCK_FILE, folder / LOCK_FILE)
        return True


def _clear(folder: Path) -> None:
    shutil.rmtree(folder / DATA, ignore_errors=True)
    (folder / LOCK_FILE).unlink(missing_ok=True)


def _explain(ran: Ran) -> list[Diagnostic]:
    """The message of `init`, with advice on a missing provider."""
    for each in ran.diagnostics:
        missing = _MISSING.search(str(each)) or _NO_VERSION.search(str(each))
        if missing and each.severity == "error":
            return [
                Diagnostic(
                    severity="error",
                    summary=f"the provider {missing[1]} is not in the mirror",
                    detail="Fetch it with `terraform providers mirror FOLDER` where there is a "
                    "network, and name that folder as environment.terraform.mirror. "
                    f"Terraform says: {each.summary}: {each.detail}",
                )
            ]
    return list(ran.diagnostics)
