"""Makes what procedures need in the practice cloud, from its own description of what there is."""

import difflib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from appliance.consoles._practice_api import Json, PracticeApi, RefusedError
from appliance.core.checks import Need
from appliance.core.errors import OutcomeError, ProvisioningError
from appliance.outcome import expand

Kinds = Mapping[str, Json]
_TRUE = frozenset({"true", "yes", "on", "enabled", "1"})


class Made(NamedTuple):
    """Something that `provide` made."""

    kind: str
    id: str
    name: str
    state: str = ""
    """The state that it was asked for in; empty: any that it settles in."""


class Maker:
    """Makes things for one attempt, the ones that others need first."""

    def __init__(self, api: PracticeApi, kinds: Kinds, values: Mapping[str, str]) -> None:
        self._api, self._kinds, self._values = api, kinds, values
        self.made: list[Made] = []

    async def make_all(self, needs: Sequence[Need]) -> dict[str, str]:
        """Make the needed things and wait until they are ready; names and ids by kind."""
        bound: dict[str, str] = {}
        for need in needs:
            given = {name: self._expanded(value) for name, value in need.values.items()}
            made = await self._make(need.kind, given)
            count = sum(1 for key in bound if key.split(" ")[0] == need.kind and "id" not in key)
            key = need.kind if count == 0 else f"{need.kind} {count + 1}"
            bound |= {key: made.name, f"{key} id": made.id}
        for made in self.made:
            await self._settle(made)
        return bound

    async def _settle(self, made: Made) -> None:
        """Wait until a thing is ready, and bring it into the state that was asked for."""
        kind = self._kinds[made.kind]
        item = await self._api.settled(ProvisioningError, kind["path"], made.id)
        if made.state in ("", item["state"]):
            return
        if made.state not in kind["transitions"]:
            raise ProvisioningError(
                f"a {made.kind} cannot be brought into the state {made.state!r}; "
                f"{_nearest(made.state, kind['transitions'])}"
            )
        action = kind["transitions"][made.state]
        await self._api.call(ProvisioningError, "POST", f"{kind['path']}/{made.id}/{action}", {})
        await self._api.settled(ProvisioningError, kind["path"], made.id)

    def _expanded(self, value: str) -> str:
        try:
            return expand(value, self._values)
        except OutcomeError as exc:
            raise ProvisioningError(str(exc)) from exc

    async def _make(self, kind: str, given: Mapping[str, str]) -> Made:
        known = self._known(kind)
        fields: Json = known["fields"]
        for name in given.keys() - {"state"}:
            if name not in fields:
                raise ProvisioningError(f"a {kind} has no {name!r}; {_nearest(name, fields)}")
        body: dict[str, object] = {}
        for name, field in fields.items():
            if name in given:
                body[name] = await self._value(field, given[name])
            elif field["required"] and field["default"] in (None, ""):
                body[name] = await self._invented(kind, name, field, body)
        try:
            item = await self._api.call(ProvisioningError, "POST", known["path"], body)
        except RefusedError as exc:
            raise ProvisioningError(f"cannot make the {kind} {body.get('name')}: {exc}") from exc
        name = item["values"].get("name", item["id"])
        made = Made(kind, item["id"], name, given.get("state", ""))
        self.made.append(made)
        return made

    def _known(self, kind: str) -> Json:
        if kind not in self._kinds:
            raise ProvisioningError(
                f"the practice cloud cannot make a {kind!r}; {_nearest(kind, self._kinds)}"
            )
        known: Json = self._kinds[kind]
        return known

    async def _value(self, field: Json, text: str) -> object:
        match field["kind"]:
            case "boolean":
                return text.casefold() in _TRUE
            case "tags":
                pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
                return {key.strip(): value.strip() for key, _, value in pairs}
            case "reference":
                return await self._id_of(field["refers_to"], text)
            case _:
                return text

    async def _id_of(self, kind: str, name: str) -> str:
        path = self._known(kind)["path"]
        for item in await self._api.items(ProvisioningError, path):
            if name in (item["values"].get("name"), item["id"]):
                return str(item["id"])
        raise ProvisioningError(f"there is no {kind} {name!r}: list it before what needs it")

    async def _invented(self, kind: str, name: str, field: Json, body: Json) -> object:
        """A value for a required field that nobody gave one: what is needed is made as well."""
        if field["kind"] == "reference":
            other = field["refers_to"]
            around = {n: str(v) for n, v in body.items() if n in self._known(other)["fields"]}
            shared = {n: v for n, v in around.items() if n in self._references(other)}
            return (await self._make(other, shared)).id
        if name == "name":
            return f"{kind}-{self._values.get('unique', '') or len(self.made)}"
        return field["example"] or "example"

    def _references(self, kind: str) -> set[str]:
        fields: Json = self._kinds[kind]["fields"]
        return {name for name, field in fields.items() if field["kind"] == "reference"}


def _nearest(word: str, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there is {', '.join(sorted(known))}"
