"""Causes the events that audit rules expect, by the practice cloud's API alone."""

import json
from collections.abc import Mapping, Sequence

from appliance.config import ConsoleSettings
from appliance.consoles.base import Account
from appliance.consoles.credentials import SecondFactors
from appliance.consoles.practice.api import EVERYWHERE, Json, PracticeApi, RefusedError
from appliance.consoles.practice.make import Maker
from appliance.core.checks import AnyOf, Comparison, Constraint, EventRule, Need
from appliance.core.errors import PolicyError
from appliance.outcome.bindings import expand

_PARAMETERS = "parameters."


async def cause_events(
    rules: Sequence[EventRule | AnyOf],
    console: ConsoleSettings,
    username: str,
    bindings: Mapping[str, str],
) -> None:
    """Perform what the rules expect, one after the other; of alternatives, the first.

    Args:
        rules: What is expected.
        console: The practice cloud.
        username: Who does it.
        bindings: Values that rules name.

    Raises:
        PolicyError: It cannot be done.
    """
    accounts = [Account(name=name, settings=account) for name, account in console.accounts.items()]
    actor = next(account for account in accounts if account.settings.username == username)
    api = PracticeApi(console.url.rstrip("/"), actor, SecondFactors())
    try:
        causer = _EventCauser(api, await api.call(PolicyError, "GET", "/api/kinds"), bindings)
        for rule in rules:
            await causer.do(rule)
    except RefusedError as exc:
        raise PolicyError(f"the practice cloud refuses: {exc}") from exc
    finally:
        await api.close()


class _EventCauser:
    def __init__(self, api: PracticeApi, kinds: Json, bindings: Mapping[str, str]) -> None:
        self._api, self._kinds, self._bindings = api, kinds, bindings
        self._maker = Maker(api, kinds, bindings)

    async def do(self, rule: EventRule | AnyOf) -> None:
        """Cause the event that a rule expects."""
        if isinstance(rule, AnyOf):
            for alternative in rule.alternatives[0]:
                await self.do(alternative)
            return
        values, target_name = self._values(rule.where)
        kind, name, action = self._action(rule.event, values)
        fields: Json = self._kinds[kind]["fields"]
        values = {
            n: _as_whole_document(fields[n], text) if n in fields else text
            for n, text in values.items()
        }
        if action["kind"] == "create":
            values |= {"name": target_name} if target_name else {}
            values |= await self._references(kind, values)
            values |= _values_that_show(fields, values)
            await self._maker.make_all([Need(kind=kind, values=values)])
            return
        item = await self._item(kind, target_name)
        path = f"{self._kinds[kind]['path']}/{item['id']}"
        item = await self._api.wait_settled(PolicyError, self._kinds[kind]["path"], item["id"])
        if action["kind"] == "delete":
            await self._api.call(PolicyError, "DELETE", path, query=EVERYWHERE)
            return
        body = (
            {} if action["kind"] == "transition" else await self._body(kind, action, values, item)
        )
        await self._api.call(PolicyError, "POST", f"{path}/{name}", body, EVERYWHERE)

    def _values(self, where: Sequence[Constraint]) -> tuple[dict[str, str], str]:
        """The values that the rule requires, by field, and the name of the item acted upon."""
        values: dict[str, str] = {}
        target_name = ""
        for constraint in where:
            value = expand(constraint.expected[0], self._bindings)
            if constraint.path == "target_name":
                target_name = value
            elif constraint.path == "raw.region":
                values["region"] = value
            elif constraint.path.startswith(_PARAMETERS):
                field, _, key = constraint.path.removeprefix(_PARAMETERS).partition(".")
                field = field.removesuffix("_names").removesuffix("_name")
                if field == "tags":
                    value = f"{key}={value}"
                values[field] = _as_need_value(value, constraint.comparison)
        return values, target_name

    def _action(self, event: str, values: Mapping[str, str]) -> tuple[str, str, Json]:
        """Kind, name and description of the action that causes an event and takes the values."""
        for kind, description in self._kinds.items():
            for name, action in description["actions"].items():
                accepted_fields = action["fields"] or description["fields"]
                if action["event"] == event and {*values} - {"region"} <= {*accepted_fields}:
                    return kind, name, action
        raise PolicyError(f"nothing in the practice cloud causes {event} with {sorted(values)}")

    async def _references(self, kind: str, values: Mapping[str, str]) -> dict[str, str]:
        """The things that are there for what a rule leaves open and the cloud requires."""
        references: dict[str, str] = {}
        for name, field in self._kinds[kind]["fields"].items():
            is_missing = field["kind"].startswith("reference") and field["required"]
            if not is_missing or name in values:
                continue
            path = self._kinds[field["refers_to"]]["path"]
            for item in await self._api.items(PolicyError, path):
                if (known := item["values"].get("name")) in self._bindings.values():
                    references[name] = str(known)
        return references

    async def _item(self, kind: str, name: str) -> Json:
        """The item of that name; if the rule gives none, one that a binding names."""
        items = await self._api.items(PolicyError, self._kinds[kind]["path"])
        identifiers = [name] if name else list(self._bindings.values())
        for item in items:
            names = (item["id"], *map(str, item["values"].values()))
            if any(identifier in names for identifier in identifiers):
                return item
        raise PolicyError(f"there is no {kind} {' or '.join(identifiers)}")

    async def _body(
        self, kind: str, action: Json, values: Mapping[str, str], item: Json
    ) -> dict[str, object]:
        fields: Json = {n: self._kinds[kind]["fields"][n] for n in action["fields"]}
        body = {n: await self._maker.value_of(fields[n], text) for n, text in values.items()}
        for name, field in fields.items():
            if name in body or (body and name not in action["requires"]):
                continue
            body[name] = _different_value(field, item["values"].get(name), self._bindings)
        return body


def _as_need_value(value: str, comparison: Comparison) -> str:
    """A value in the notation of `Need.values`."""
    if comparison is Comparison.MATCHES:
        return value.strip('"') if value.count('"') == 2 else value
    if value.startswith("["):
        return ",".join(map(str, json.loads(value)))
    return value


def _values_that_show(fields: Json, values: Mapping[str, str]) -> dict[str, str]:
    """What other fields must hold for the form to show the given ones."""
    conditions = [fields[n]["shown_if"] for n in values if n in fields and fields[n]["shown_if"]]
    return {c["field"]: str(c["values"][0]) for c in conditions if c["field"] not in values}


def _as_whole_document(field: Json, text: str) -> str:
    """A fragment of a JSON document completed to a whole one, if that is what the field takes."""
    if field["language"] != "json" or text.startswith("{"):
        return text
    return f"{{{text}}}" if text.startswith('"') else json.dumps({"contains": text})


def _different_value(field: Json, current: object, bindings: Mapping[str, str]) -> object:
    """A value other than the current one that the field accepts."""
    options = [option for option in field.get("options", []) if option != current]
    if options:
        return options[0]
    if field["kind"] in ("number", "boolean", "reference", "references"):
        return current
    return field["example"] or f"Other-{bindings.get('unique', '1')}-pass"
