"""Write the files of a workspace's folder for Terraform."""

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from appliance.consoles import TerraformAccess
from appliance.core.errors import ProvisioningError
from appliance.core.jsonable import Json
from appliance.system.files import write_whole

REQUEST = "request.json"
"""What was asked for, kept so that a later process can go on with it as another account. All other
files are made from it."""
MAIN = "main.tf.json"
MODULES = "modules"
SCHEMA_VERSION = 1
_IS_READ = re.compile(r"\.(tf|tofu|tfvars)(\.json)?$")
_LEFT_OUT = shutil.ignore_patterns(".*", "*.tfstate*", "module.yaml", "__pycache__")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\.tf(\.json)?")

Table = dict[str, Json]


def keep(folder: Path, configuration: Mapping[str, Json], files: Mapping[str, str]) -> None:
    """Store a configuration, with copies of the modules that it refers to by folder.

    The workspace then holds all that it needs: a module that is changed or removed later, or that
    a sandbox does not see, does no harm.
    """
    for name in files:
        *folders, last = name.split("/")
        is_name = bool(_FILE.fullmatch(last)) and all(map(_PART.fullmatch, folders))
        if not is_name or name == MAIN or folders[:1] in (["tmp"], [MODULES]):
            raise ProvisioningError(f"{name!r} cannot be the name of a configuration file")
    configuration_copy = dict(configuration)
    if isinstance(modules := configuration_copy.get("module"), Mapping):
        configuration_copy["module"] = {
            name: _copy_module(folder, call) for name, call in modules.items()
        }
    _remove(folder, read(folder, REQUEST))
    texts: Table = dict(files)
    request: Table = {
        "schema_version": SCHEMA_VERSION,
        "configuration": configuration_copy,
        "files": texts,
    }
    write_whole(
        folder / REQUEST,
        json.dumps(request, ensure_ascii=False, indent=2),
        mode=0o600,
        is_durable=True,
    )


def read(folder: Path, name: str = MAIN) -> Table:
    """Read one of our files; empty if it was never written."""
    try:
        return _table(json.loads((folder / name).read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError):
        return {}


def write(folder: Path, accesses: Sequence[TerraformAccess], *, is_bare: bool = False) -> None:
    """Write the stored configuration and the providers' access.

    Args:
        folder: The workspace.
        accesses: A provider each.
        is_bare: Only the providers: applying that destroys all that the state holds, whatever has
            become of the configuration.
    """
    request = read(folder, REQUEST)
    settings = _table(request.get("configuration"))
    _remove(folder, request)
    if is_bare:
        settings = {key: settings[key] for key in ("terraform", "provider") if key in settings}
    else:
        for name, text in _table(request.get("files")).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / name, str(text), is_durable=True)
    terraform = dict(_table(settings.get("terraform")))
    required = dict(_table(terraform.get("required_providers")))
    providers = dict(_table(settings.get("provider")))
    for access in accesses:
        named = required.get(access.provider)
        required[access.provider] = {**_table(named), "source": access.source}
        blocks = providers.get(access.provider, {})
        providers[access.provider] = (
            [_as_today(_table(block), access) for block in blocks]
            if isinstance(blocks, list)
            else _as_today(_table(blocks), access)
        )
    settings = {
        **settings,
        "terraform": {**terraform, "required_providers": required},
        "provider": providers,
    }
    write_whole(folder / MAIN, json.dumps(settings, ensure_ascii=False, indent=2), is_durable=True)


def _as_today(block: Table, access: TerraformAccess) -> Table:
    """A provider's block with present access data, as addresses and password files may change."""
    today: Table = {key: escaped(value) for key, value in access.arguments.items()}
    own = {"region": block["region"]} if "alias" in block and "region" in block else {}
    return {**block, **today, **own}


def escaped(value: Json) -> Json:
    """Escape a value so that Terraform takes it literally, without templates."""
    match value:
        case str():
            return value.replace("${", "$${").replace("%{", "%%{")
        case list():
            return [escaped(item) for item in value]
        case dict():
            return {str(escaped(key)): escaped(item) for key, item in value.items()}
        case _:
            return value


def _remove(folder: Path, request: Table) -> None:
    """Remove all other files that Terraform would read besides `main.tf.json`."""
    for name in _table(request.get("files")):
        (folder / name).unlink(missing_ok=True)
    for file in folder.iterdir():
        if file.name != MAIN and _IS_READ.search(file.name):
            file.unlink()


def has_one_each(configuration: Table) -> bool:
    """Whether each provider has just one block, as a kept process holds one configuration."""
    providers = _table(configuration.get("provider"))
    return all(isinstance(block, dict) for block in providers.values())


def init_key(folder: Path, configuration: Table) -> str:
    """The same for configurations that `init` does the same for."""
    modules = _table(configuration.get("module"))
    terraform = configuration.get("terraform")
    files = read(folder, REQUEST).get("files")
    inputs = [
        terraform,
        {name: _table(call).get("source") for name, call in modules.items()},
        files,
    ]
    digest = hashlib.sha256(json.dumps(inputs, sort_keys=True).encode())
    within = folder / MODULES
    used = {str(_table(call).get("source")) for call in modules.values()}
    for file in sorted(each for each in within.rglob("*") if each.is_file()):
        name = file.relative_to(folder).as_posix()
        if any(f"./{name}".startswith(f"{source}/") for source in used):
            digest.update(f"{name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def _copy_module(folder: Path, call: Json) -> Json:
    """A module call whose source is in the workspace."""
    source = _table(call).get("source")
    if not isinstance(source, str) or not Path(source).is_absolute():
        return call
    original = Path(source)
    if not original.is_dir():
        raise ProvisioningError(f"there is no module in {original}")
    # Two of one name differ in where they come from.
    mark = hashlib.sha256(source.encode()).hexdigest()[:6]
    place = folder / MODULES / f"{original.name}-{mark}"
    fresh = place.with_name(f".{place.name}")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(original, fresh, ignore=_LEFT_OUT)
    shutil.rmtree(place, ignore_errors=True)
    fresh.replace(place)
    return {**_table(call), "source": f"./{MODULES}/{place.name}"}


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}
