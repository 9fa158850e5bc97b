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
    """Do what the rules expect, one after the other; of alternatives the first.

    Args:
        rules: What is expected.
        console: The practice cloud.
        username: Who does it.
        bindings: Values that rules name.

    Raises:
        PolicyError: It cannot be done.
    """
    accounts = [Account(name=name, settings=one) for name, one in console.accounts.items()]
    account = next(one for one in accounts if one.settings.username == username)
    api = PracticeApi(console.url.rstrip("/"), account, SecondFactors())
    try:
        doer = _Doer(api, await api.call(PolicyError, "GET", "/api/kinds"), bindings)
        for rule in rules:
            await doer.do(rule)
    except RefusedError as exc:
        raise PolicyError(f"the practice cloud refuses: {exc}") from exc
    finally:
        await api.close()


class _Doer:
    def __init__(self, api: PracticeApi, kinds: Json, bindings: Mapping[str, str]) -> None:
        self._api, self._kinds, self._bindings = api, kinds, bindings
        self._maker = Maker(api, kinds, bindings)

    async def do(self, rule: EventRule | AnyOf) -> None:
        """Cause the event that a rule expects."""
        if isinstance(rule, AnyOf):
            for one in rule.alternatives[0]:
                await self.do(one)
            return
        given, target = self._values(rule.where)
        kind, name, action = self._action(rule.event, given)
        fields: Json = self._kinds[kind]["fields"]
        given = {n: _fit(fields[n], text) if n in fields else text for n, text in given.items()}
        if action["kind"] == "create":
            given |= {"name": target} if target else {}
            given |= await self._references(kind, given)
            given |= _conditions(fields, given)
            await self._maker.make_all([Need(kind=kind, values=given)])
            return
        item = await self._item(kind, target)
        path = f"{self._kinds[kind]['path']}/{item['id']}"
        item = await self._api.wait_settled(PolicyError, self._kinds[kind]["path"], item["id"])
        if action["kind"] == "delete":
            await self._api.call(PolicyError, "DELETE", path, query=EVERYWHERE)
            return
        body = {} if action["kind"] == "transition" else await self._body(kind, action, given, item)
        await self._api.call(PolicyError, "POST", f"{path}/{name}", body, EVERYWHERE)

    def _values(self, where: Sequence[Constraint]) -> tuple[dict[str, str], str]:
        """What the rule wants, by field, and the name of what it is done to."""
        given: dict[str, str] = {}
        target = ""
        for constraint in where:
            value = expand(constraint.expected[0], self._bindings)
            if constraint.path == "target_name":
                target = value
            elif constraint.path == "raw.region":
                given["region"] = value
            elif constraint.path.startswith(_PARAMETERS):
                field, _, key = constraint.path.removeprefix(_PARAMETERS).partition(".")
                field = field.removesuffix("_names").removesuffix("_name")
                if field == "tags":
                    value = f"{key}={value}"
                given[field] = _as_given(value, constraint.comparison)
        return given, target

    def _action(self, event: str, given: Mapping[str, str]) -> tuple[str, str, Json]:
        """Kind, name and description of the action that causes an event and takes the values."""
        for kind, known in self._kinds.items():
            for name, action in known["actions"].items():
                takes = action["fields"] or known["fields"]
                if action["event"] == event and {*given} - {"region"} <= {*takes}:
                    return kind, name, action
        raise PolicyError(f"nothing in the practice cloud causes {event} with {sorted(given)}")

    async def _references(self, kind: str, given: Mapping[str, str]) -> dict[str, str]:
        """The things that are there for what a rule leaves open and the cloud requires."""
        there: dict[str, str] = {}
        for name, field in self._kinds[kind]["fields"].items():
            is_open = field["kind"].startswith("reference") and field["required"]
            if not is_open or name in given:
                continue
            path = self._kinds[field["refers_to"]]["path"]
            for item in await self._api.items(PolicyError, path):
                if (known := item["values"].get("name")) in self._bindings.values():
                    there[name] = str(known)
        return there

    async def _item(self, kind: str, name: str) -> Json:
        """The item of that name; where the rule has none, one that a binding names."""
        items = await self._api.items(PolicyError, self._kinds[kind]["path"])
        wanted = [name] if name else list(self._bindings.values())
        for one in items:
            names = (one["id"], *map(str, one["values"].values()))
            if any(want in names for want in wanted):
                return one
        raise PolicyError(f"there is no {kind} {' or '.join(wanted)}")

    async def _body(
        self, kind: str, action: Json, given: Mapping[str, str], item: Json
    ) -> dict[str, object]:
        fields: Json = {n: self._kinds[kind]["fields"][n] for n in action["fields"]}
        body = {n: await self._maker.value_of(fields[n], text) for n, text in given.items()}
        for name, field in fields.items():
            if name in body or (body and name not in action["requires"]):
                continue
            body[name] = _other(field, item["values"].get(name), self._bindings)
        return body


def _as_given(value: str, comparison: Comparison) -> str:
    """A value in the form that needs are written in."""
    if comparison is Comparison.MATCHES:
        return value.strip('"') if value.count('"') == 2 else value
    if value.startswith("["):
        return ",".join(map(str, json.loads(value)))
    return value


def _conditions(fields: Json, given: Mapping[str, str]) -> dict[str, str]:
    """What other fields must hold so that the form takes the given ones."""
    conditions = [fields[n]["shown_if"] for n in given if n in fields and fields[n]["shown_if"]]
    return {c["field"]: str(c["values"][0]) for c in conditions if c["field"] not in given}


def _fit(field: Json, text: str) -> str:
    """A part of a document as a whole one, where the field takes nothing else."""
    if field["language"] != "json" or text.startswith("{"):
        return text
    return f"{{{text}}}" if text.startswith('"') else json.dumps({"contains": text})


def _other(field: Json, now: object, bindings: Mapping[str, str]) -> object:
    """Something else than there is, that the field takes."""
    options = [one for one in field.get("options", []) if one != now]
    if options:
        return options[0]
    if field["kind"] in ("number", "boolean", "reference", "references"):
        return now
    return field["example"] or f"Other-{bindings.get('unique', '1')}-pass"
