"""Makes what procedures need in the practice cloud, from its own description of what there is."""

import base64
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from appliance.consoles.practice.api import EVERYWHERE, Json, PracticeApi, RefusedError
from appliance.core.checks import Need
from appliance.core.errors import OutcomeError, ProvisioningError
from appliance.core.near import nearest
from appliance.outcome.bindings import expand

Kinds = Mapping[str, Json]
_TRUE = frozenset({"true", "yes", "on", "enabled", "1"})


class ProvidedItem(NamedTuple):
    """Something that `provide` created."""

    kind: str
    id: str
    name: str
    state: str = ""
    """The requested state; empty if whatever state it settles in will do."""
    action: str = ""
    """The action that leads to that state; empty if none is needed."""
    body: Mapping[str, object] = MappingProxyType({})
    """The request body of that action."""


class Maker:
    """Creates resources for one attempt; whatever they depend on is created first."""

    def __init__(self, api: PracticeApi, kinds: Kinds, values: Mapping[str, str]) -> None:
        self._api, self._kinds, self._values = api, kinds, values
        self.made: list[ProvidedItem] = []
        self._invented: dict[tuple[str, frozenset[tuple[str, str]]], str] = {}
        """Ids of resources created without a need, by kind and region, and by their references."""
        self._region = ""
        """Where resources are created; empty for the first region."""

    async def make_all(self, needs: Sequence[Need]) -> dict[str, str]:
        """Create the needed resources, wait until they are ready; return names and ids by kind."""
        bindings: dict[str, str] = {}
        for need in needs:
            values = {name: self._expand(value) for name, value in need.values.items()}
            has_region_field = "region" in self._describe_kind(need.kind)["fields"]
            self._region = "" if has_region_field else values.pop("region", "")
            item = await self._make(need.kind, values)
            count = sum(1 for key in bindings if key.split(" ")[0] == need.kind and "id" not in key)
            key = need.kind if count == 0 else f"{need.kind} {count + 1}"
            bindings |= {key: item.name, f"{key} id": item.id}
        for item in self.made:
            await self._settle(item)
        return bindings

    async def _settle(self, provided: ProvidedItem) -> None:
        """Wait until a resource is ready, then bring it into the requested state."""
        path = self._kinds[provided.kind]["path"]
        item = await self._api.wait_settled(ProvisioningError, path, provided.id)
        if provided.action and item["state"] != provided.state:
            action_path = f"{path}/{provided.id}/{provided.action}"
            await self._api.call(ProvisioningError, "POST", action_path, provided.body, EVERYWHERE)
            await self._api.wait_settled(ProvisioningError, path, provided.id)

    def _expand(self, value: str) -> str:
        try:
            return expand(value, self._values)
        except OutcomeError as exc:
            raise ProvisioningError(str(exc)) from exc

    async def _make(self, kind: str, values: Mapping[str, str]) -> ProvidedItem:
        description = self._describe_kind(kind)
        fields: Json = description["fields"]
        for name in values.keys() - {"state"}:
            if name not in fields:
                raise ProvisioningError(f"a {kind} has no {name!r}; {nearest(name, fields)}")
        state = values.get("state", "")
        action = _action_to(kind, description, state)
        later_fields = description["actions"][action]["fields"] if action else []
        later_values = await self._values_of(
            kind, {n: f for n, f in fields.items() if n in later_fields}, values
        )
        body = await self._values_of(
            kind, {n: f for n, f in fields.items() if n not in later_fields}, values
        )
        try:
            query = {"region": self._region} if self._region else None
            item = await self._api.call(ProvisioningError, "POST", description["path"], body, query)
        except RefusedError as exc:
            raise ProvisioningError(f"cannot make the {kind} {body.get('name')}: {exc}") from exc
        name = item["values"].get("name", item["id"])
        provided = ProvidedItem(kind, item["id"], name, state, action, later_values)
        self.made.append(provided)
        return provided

    async def _values_of(
        self, kind: str, fields: Json, values: Mapping[str, str]
    ) -> dict[str, object]:
        """The values that were given, and invented ones for required fields that have none."""
        body: dict[str, object] = {}
        for name, field in fields.items():
            if name in values:
                body[name] = await self.value_of(field, values[name])
            elif field["required"] and _needs_value(field, body, fields):
                body[name] = await self._invent_value(kind, name, field, body)
        return body

    def _describe_kind(self, kind: str) -> Json:
        if kind not in self._kinds:
            raise ProvisioningError(
                f"the practice cloud cannot make a {kind!r}; {nearest(kind, self._kinds)}"
            )
        description: Json = self._kinds[kind]
        return description

    async def value_of(self, field: Json, text: str) -> object:
        """What the API takes for a text: names of resources become their ids."""
        match field["kind"]:
            case "boolean":
                return text.casefold() in _TRUE
            case "tags":
                pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
                return {key.strip(): value.strip() for key, _, value in pairs}
            case "number":
                return int(text) if text.strip().lstrip("-").isdigit() else text
            case "choices":
                return _parse_list(text)
            case "reference":
                return await self._id_of(field["refers_to"], text)
            case "references":
                return [await self._id_of(field["refers_to"], name) for name in _parse_list(text)]
            case "file":
                content = base64.b64encode(b"practice\n").decode()
                return {"name": text, "content": content}
            case _:
                return text

    async def _id_of(self, kind: str, name: str) -> str:
        path = self._describe_kind(kind)["path"]
        for item in await self._api.items(ProvisioningError, path):
            if name in (item["values"].get("name"), item["id"]):
                return str(item["id"])
        raise ProvisioningError(f"there is no {kind} {name!r}: list it before what needs it")

    async def _invent_value(self, kind: str, name: str, field: Json, body: Json) -> object:
        """A value for a required field that was given none; resources it refers to are created."""
        match field["kind"]:
            case "reference":
                return await self._provide_implied(field["refers_to"], body)
            case "references":
                return [await self._provide_implied(field["refers_to"], body)]
            case "choices":
                return _parse_list(field["example"])
            case "number":
                return field["min"]
            case "tags":
                return {"purpose": "documentation"}
            case "file":
                return await self.value_of(field, f"example{next(iter(field['accept']), '.txt')}")
        if name == "name":
            return _new_name(kind, self._values.get("unique", "") or str(len(self.made)), field)
        return field["example"] or "example"

    async def _provide_implied(self, kind: str, body: Json) -> str:
        """The id of a resource to refer to; one with the same references is created only once."""
        inherited = {n: str(v) for n, v in body.items() if n in self._describe_kind(kind)["fields"]}
        shared = {n: v for n, v in inherited.items() if n in self._references(kind)}
        cache_key = (f"{kind} {self._region}", frozenset(shared.items()))
        if cache_key not in self._invented:
            self._invented[cache_key] = (await self._make(kind, shared)).id
        return self._invented[cache_key]

    def _references(self, kind: str) -> set[str]:
        fields: Json = self._kinds[kind]["fields"]
        return {name for name, field in fields.items() if field["kind"] == "reference"}


def _new_name(kind: str, unique: str, field: Json) -> str:
    """A name that contains the attempt's marker, in a form that the field accepts."""
    name = f"{kind.replace('_', '-')}-{unique}"
    candidates = (name, name.replace("-", "_"), f"{name}.example.com")
    accepted = (
        candidate for candidate in candidates if re.fullmatch(field["pattern"] or ".*", candidate)
    )
    return next(accepted, name)


def _action_to(kind: str, description: Json, state: str) -> str:
    """The action that takes a new item of this kind into a state; empty if none is needed."""
    initial_state = description["actions"]["create"]["to"]
    if state in ("", initial_state):
        return ""
    reachable = {
        action["to"]: name
        for name, action in description["actions"].items()
        if action["kind"] in ("edit", "transition") and action["to"]
    } | description["transitions"]
    if state not in reachable:
        raise ProvisioningError(
            f"a {kind} cannot be brought into the state {state!r}; {nearest(state, reachable)}"
        )
    return str(reachable[state])


def _needs_value(field: Json, body: Mapping[str, object], fields: Json) -> bool:
    """Whether a required field must be given a value: it has no default, and the form shows it."""
    if field["default"] not in (None, "", []) or field["generated"]:
        return False
    condition = field["shown_if"]
    if condition is None:
        return True
    controlling_field = condition["field"]
    return body.get(controlling_field, fields[controlling_field]["default"]) in condition["values"]


def _parse_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
