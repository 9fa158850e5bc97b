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
    """Something that `provide` made."""

    kind: str
    id: str
    name: str
    state: str = ""
    """The state that it was asked for in; empty: any that it settles in."""
    action: str = ""
    """What brings it there."""
    body: Mapping[str, object] = MappingProxyType({})
    """What that action is given."""


class Maker:
    """Makes things for one attempt, the ones that others need first."""

    def __init__(self, api: PracticeApi, kinds: Kinds, values: Mapping[str, str]) -> None:
        self._api, self._kinds, self._values = api, kinds, values
        self.made: list[ProvidedItem] = []
        self._invented: dict[tuple[str, frozenset[tuple[str, str]]], str] = {}
        """Ids of what was made unasked, by kind, region and what it had to be like."""
        self._region = ""
        """Where things are made; empty: in the first region."""

    async def make_all(self, needs: Sequence[Need]) -> dict[str, str]:
        """Make the needed things and wait until they are ready; names and ids by kind."""
        bound: dict[str, str] = {}
        for need in needs:
            given = {name: self._expand(value) for name, value in need.values.items()}
            is_field = "region" in self._kind_facts(need.kind)["fields"]
            self._region = "" if is_field else given.pop("region", "")
            made = await self._make(need.kind, given)
            count = sum(1 for key in bound if key.split(" ")[0] == need.kind and "id" not in key)
            key = need.kind if count == 0 else f"{need.kind} {count + 1}"
            bound |= {key: made.name, f"{key} id": made.id}
        for made in self.made:
            await self._settle(made)
        return bound

    async def _settle(self, made: ProvidedItem) -> None:
        """Wait until a thing is ready, and bring it into the state that was asked for."""
        path = self._kinds[made.kind]["path"]
        item = await self._api.wait_settled(ProvisioningError, path, made.id)
        if made.action and item["state"] != made.state:
            at = f"{path}/{made.id}/{made.action}"
            await self._api.call(ProvisioningError, "POST", at, made.body, EVERYWHERE)
            await self._api.wait_settled(ProvisioningError, path, made.id)

    def _expand(self, value: str) -> str:
        try:
            return expand(value, self._values)
        except OutcomeError as exc:
            raise ProvisioningError(str(exc)) from exc

    async def _make(self, kind: str, given: Mapping[str, str]) -> ProvidedItem:
        known = self._kind_facts(kind)
        fields: Json = known["fields"]
        for name in given.keys() - {"state"}:
            if name not in fields:
                raise ProvisioningError(f"a {kind} has no {name!r}; {nearest(name, fields)}")
        state = given.get("state", "")
        action = _action_to(kind, known, state)
        later = known["actions"][action]["fields"] if action else []
        values = await self._values_of(kind, {n: f for n, f in fields.items() if n in later}, given)
        body = await self._values_of(
            kind, {n: f for n, f in fields.items() if n not in later}, given
        )
        try:
            where = {"region": self._region} if self._region else None
            item = await self._api.call(ProvisioningError, "POST", known["path"], body, where)
        except RefusedError as exc:
            raise ProvisioningError(f"cannot make the {kind} {body.get('name')}: {exc}") from exc
        name = item["values"].get("name", item["id"])
        made = ProvidedItem(kind, item["id"], name, state, action, values)
        self.made.append(made)
        return made

    async def _values_of(
        self, kind: str, fields: Json, given: Mapping[str, str]
    ) -> dict[str, object]:
        """What was given, and what is needed although it was not."""
        body: dict[str, object] = {}
        for name, field in fields.items():
            if name in given:
                body[name] = await self.value_of(field, given[name])
            elif field["required"] and _is_open(field, body, fields):
                body[name] = await self._invent(kind, name, field, body)
        return body

    def _kind_facts(self, kind: str) -> Json:
        if kind not in self._kinds:
            raise ProvisioningError(
                f"the practice cloud cannot make a {kind!r}; {nearest(kind, self._kinds)}"
            )
        known: Json = self._kinds[kind]
        return known

    async def value_of(self, field: Json, text: str) -> object:
        """What the API takes for a text: names of things become their ids."""
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
                return [await self._id_of(field["refers_to"], one) for one in _parse_list(text)]
            case "file":
                content = base64.b64encode(b"practice\n").decode()
                return {"name": text, "content": content}
            case _:
                return text

    async def _id_of(self, kind: str, name: str) -> str:
        path = self._kind_facts(kind)["path"]
        for item in await self._api.items(ProvisioningError, path):
            if name in (item["values"].get("name"), item["id"]):
                return str(item["id"])
        raise ProvisioningError(f"there is no {kind} {name!r}: list it before what needs it")

    async def _invent(self, kind: str, name: str, field: Json, body: Json) -> object:
        """A value for a required field that nobody gave one: what is needed is made as well."""
        match field["kind"]:
            case "reference":
                return await self._made_unasked(field["refers_to"], body)
            case "references":
                return [await self._made_unasked(field["refers_to"], body)]
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

    async def _made_unasked(self, kind: str, body: Json) -> str:
        """Something to refer to; the same again for a second one that needs its like."""
        around = {n: str(v) for n, v in body.items() if n in self._kind_facts(kind)["fields"]}
        shared = {n: v for n, v in around.items() if n in self._references(kind)}
        like = (f"{kind} {self._region}", frozenset(shared.items()))
        if like not in self._invented:
            self._invented[like] = (await self._make(kind, shared)).id
        return self._invented[like]

    def _references(self, kind: str) -> set[str]:
        fields: Json = self._kinds[kind]["fields"]
        return {name for name, field in fields.items() if field["kind"] == "reference"}


def _new_name(kind: str, unique: str, field: Json) -> str:
    """A name that tells the attempt, in the form that the field asks for."""
    name = f"{kind.replace('_', '-')}-{unique}"
    forms = (name, name.replace("-", "_"), f"{name}.example.com")
    fitting = (one for one in forms if re.fullmatch(field["pattern"] or ".*", one))
    return next(fitting, name)


def _action_to(kind: str, known: Json, state: str) -> str:
    """The action that brings a new thing of the kind into a state; empty: none is needed."""
    created = known["actions"]["create"]["to"]
    if state in ("", created):
        return ""
    ways = {
        action["to"]: name
        for name, action in known["actions"].items()
        if action["kind"] in ("edit", "transition") and action["to"]
    } | known["transitions"]
    if state not in ways:
        raise ProvisioningError(
            f"a {kind} cannot be brought into the state {state!r}; {nearest(state, ways)}"
        )
    return str(ways[state])


def _is_open(field: Json, body: Mapping[str, object], fields: Json) -> bool:
    """Whether a required field has to be given a value: no default, and it is asked for."""
    if field["default"] not in (None, "", []) or field["generated"]:
        return False
    condition = field["shown_if"]
    if condition is None:
        return True
    other = condition["field"]
    return body.get(other, fields[other]["default"]) in condition["values"]


def _parse_list(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
