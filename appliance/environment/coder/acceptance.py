"""Makes a resource module of what the coder wrote, when a person accepts it."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from appliance.config import Settings
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.environment.coder.draft import Block, Draft
from appliance.environment.coder.look import NAME, OUTPUTS
from appliance.environment.modules import (
    ACCEPTED,
    MODULE_FILE,
    Catalogue,
    WrongModule,
    module_folders,
    read_module,
)
from appliance.store.candidates import Candidate, CandidateState, CandidateTable
from appliance.system.yaml import Dumper

_NAME = re.compile(r"[a-z][a-z0-9_]{1,40}")


def accept(
    candidates: CandidateTable,
    candidate: Candidate,
    settings: Settings,
    *,
    name: str = "",
    by: str,
    note: str = "",
) -> Path:
    """Write the module into the first writable folder of modules; the folder that it is in.

    Without a name, the module is called after what it makes.

    Raises:
        SetupError: It was decided before, there is a module of that name, no folder can be
            written, or the catalogue would not take it.
    """
    if candidate.state is not CandidateState.PROPOSED:
        raise SetupError(f"{candidate.id} was {candidate.state} by {candidate.decided_by} before")
    catalogue = Catalogue.load(module_folders(settings))
    name = name or _name_of(candidate)
    if not _NAME.fullmatch(name):
        raise SetupError(f"{name!r} is no name of a module: small letters, digits and _; --name")
    if name in catalogue.of(candidate.console):
        raise SetupError(f"there is a module {candidate.console}/{name} already: give another name")
    place = _writable(settings) / candidate.console / name
    fresh = place.with_name(f".{name}") / candidate.console / name
    try:
        _write(fresh, candidate, catalogue)
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh.replace(place)
    except OSError as exc:
        raise SetupError(f"the module cannot be written to {place}: {exc}") from exc
    finally:
        shutil.rmtree(place.with_name(f".{name}"), ignore_errors=True)
    candidates.decide(candidate.id, CandidateState.ACCEPTED, by=by, note=note or str(place))
    return place


def _writable(settings: Settings) -> Path:
    for folder in settings.environment.terraform.modules:
        if folder.is_dir() and os.access(folder, os.W_OK):
            return folder
    return settings.data_dir / ACCEPTED


def _write(folder: Path, candidate: Candidate, catalogue: Catalogue) -> None:
    """The files of the module, held against what the catalogue asks of every module."""
    try:
        draft = Draft(json.loads(candidate.hcl))
    except ValueError as exc:
        raise SetupError(
            f"{candidate.id} was written in HCL, for an earlier version: what is written today is"
            " JSON. Reject it, and the next run that needs it has it written anew; or make a module"
            " by hand of what `appliance resource coder show` says."
        ) from exc
    provider, source = (str(candidate.report[key]) for key in ("provider", "source"))
    draft.write(folder, provider, source)
    described = yaml.dump(
        _describe(folder.name, candidate, draft, catalogue),
        Dumper=Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )
    (folder / MODULE_FILE).write_text(described, encoding="utf-8")
    module = read_module(folder / MODULE_FILE)
    if problems := Catalogue([module]).check(module.console):
        raise WrongModule(problems)


def _name_of(candidate: Candidate) -> str:
    """`network_with_subnet`: of the kinds that it makes."""
    kinds = list(dict.fromkeys(str(resource["kind"]) for resource in _resources_made(candidate)))
    main = _main(candidate)
    first = str(main["kind"]) if main else next(iter(kinds), "module")
    rest = [kind for kind in kinds if kind != first]
    return f"{first}_with_{'_and_'.join(rest)}" if rest else f"{first}_{candidate.id}"


def _resources_made(candidate: Candidate) -> list[Mapping[str, Json]]:
    made = candidate.report.get("made")
    return [each for each in made if isinstance(each, dict)] if isinstance(made, list) else []


def _outputs(candidate: Candidate) -> Mapping[str, Json]:
    outputs = candidate.report.get("outputs")
    return outputs if isinstance(outputs, dict) else {}


def _main(candidate: Candidate) -> Mapping[str, Json] | None:
    """The thing whose id it puts out."""
    main_id = _outputs(candidate).get("id")
    return next(
        (resource for resource in _resources_made(candidate) if resource["id"] == main_id), None
    )


def _describe(
    name: str, candidate: Candidate, draft: Draft, catalogue: Catalogue
) -> dict[str, Any]:  # Any: what yaml writes
    """`module.yaml`. A person may say it better, and translate it."""
    report, words = candidate.report, name.replace("_", " ")
    main = _main(candidate)
    kind = str(main["kind"]) if main else ""
    same = catalogue.of(candidate.console).get(kind)
    outputs = _outputs(candidate)
    request = " ".join(candidate.request.split())
    kinds = dict.fromkeys(
        str(each["kind"]).replace("_", " ") for each in _resources_made(candidate)
    )
    return {
        "provides": {"en": request, "zh": request},
        "words": {"en": [words], "zh": [words]},
        "provider": report["provider"],
        "named": "made-${unique}",
        "variables": {b.labels[0]: dict(_variable(b)) for b in draft.of("variable")},
        "outputs": {b.labels[0]: _output_type(b.labels[0], outputs) for b in draft.of("output")},
        "check": {"kind": same.check.kind if same else kind or "unknown"},
        "takes_s": round(float(str(report.get("apply_s") or 0)), 1),
        "cost": {
            "per_hour": report.get("cost_per_hour") or 0,
            "currency": report.get("currency") or "USD",
            "note": f"The sum of the modules' own prices on {candidate.made_at:%Y-%m-%d}.",
        },
        "destroyed_by": f"Terraform deletes it: {', '.join(kinds)}.",
    }


def _variable(block: Block) -> Iterator[tuple[str, Json]]:
    name = block.labels[0]
    yield "type", block.body.get("type", "string")
    yield "description", block.body.get("description") or f"{name.replace('_', ' ').capitalize()}."
    if name == NAME:
        yield "is_required", True
    elif (default := block.body.get("default")) is not None:
        yield "default", default


def _output_type(name: str, outputs: Mapping[str, Json]) -> str:
    match outputs.get(name):
        case bool():
            return "bool"
        case int() | float() if name not in OUTPUTS:
            return "number"
        case list():
            return "list(string)"
        case dict():
            return "map(string)"
    return "string"
