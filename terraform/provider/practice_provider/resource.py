"""A resource in Terraform, for any kind of the cloud."""

from typing import Protocol, TypeVar

from tf.iface import Resource
from tf.schema import Attribute as TfAttribute
from tf.schema import Schema
from tf.types import Bool, Map, Number, Set, String, TfType
from tf.utils import Diagnostics

from practice_provider.checking import problems
from practice_provider.client import Client, Item, Refused
from practice_provider.offered import unasked
from practice_provider.spec import OWN, Kind
from practice_provider.steps import steps, way_to
from practice_provider.values import (
    Attribute,
    Values,
    attributes,
    from_cloud,
    is_known,
    is_same,
    to_cloud,
)

_T = TypeVar("_T")
STATE_VERSION = 1
_TYPES: dict[str, TfType] = {
    "number": Number(),
    "boolean": Bool(),
    "tags": Map(String()),
    "choices": Set(String()),
    "references": Set(String()),
}
"""Everything else is a text."""


class Context(Protocol):
    """What the framework gives to every operation."""

    diagnostics: Diagnostics


class HasClient(Protocol):
    """The provider, once it is configured."""

    client: Client


class PracticeResource(Resource):
    """An item of one kind. `resource_class` makes the class of a kind."""

    kind: Kind

    def __init__(self, provider: HasClient) -> None:
        self._provider = provider

    @classmethod
    def get_name(cls) -> str:
        """What stands behind `practice_`."""
        return cls.kind.name.replace("-", "_")

    @classmethod
    def get_schema(cls) -> Schema:
        """Its attributes."""
        own = [TfAttribute(name, String(), computed=True, optional=name == "state") for name in OWN]
        fields = [_attribute(attribute) for attribute in attributes(cls.kind)]
        return Schema(version=STATE_VERSION, attributes=[*own, *fields])

    def validate(self, diags: Diagnostics, type_name: str, config: Values) -> None:
        """Say what is wrong with a block before anything is done."""
        super().validate(diags, type_name, config)
        for attribute, says in problems(self.kind, config):
            diags.add_error(f"Invalid {attribute}", says, path=[attribute])

    def create(self, ctx: Context, planned: Values) -> Values | None:
        """Make the item, wait for it, and set what only an edit sets."""
        given = {
            field.name: value
            for field in self.kind.fields
            if not field.generated and not field.is_set_later
            if (value := to_cloud(field, planned)) is not None
        }
        try:
            if offered := self._client.offered(self.kind.name):
                given |= unasked(self.kind, offered, given)
            made = self._client.create(self.kind.path, given)
        except Refused as refused:
            return self._tell(ctx, "create", refused, None)
        # The item is there: from here on it is kept in the state, whatever happens.
        state = from_cloud(self.kind, made, planned, {})
        try:
            self._client.settled(self.kind.path, made["id"])
            return self._brought_to(state, planned)
        except Refused as refused:
            return self._tell(ctx, "create", refused, state)

    def read(self, ctx: Context, current: Values) -> Values | None:
        """What it is now; None when it is gone."""
        try:
            item = self._client.settled(self.kind.path, current["id"])
            return None if item is None else self._state(item, current)
        except Refused as refused:
            return self._tell(ctx, "read", refused, current)

    def update(self, ctx: Context, current: Values, planned: Values) -> Values | None:
        """Change what differs, by the actions that cover it."""
        try:
            return self._brought_to(current, planned)
        except Refused as refused:
            self._tell(ctx, "change", refused, current)
            return self.read(ctx, current) or current

    def delete(self, ctx: Context, current: Values) -> None:
        """Delete it and wait until it is gone."""
        path, kind = self.kind.path, self.kind
        try:
            item = self._client.settled(path, current["id"])
            if item is not None and kind.deleted_from:
                for step in way_to(kind, item["state"], kind.deleted_from) or ():
                    item = item and self._client.act(path, item, step.action.name, {})
            if item is not None:
                self._client.delete(path, item)
        except Refused as refused:
            self._tell(ctx, "delete", refused, None)

    def import_(self, ctx: Context, id: str) -> Values | None:
        """The item of that id."""
        try:
            item = self._client.settled(self.kind.path, id)
        except Refused as refused:
            return self._tell(ctx, "import", refused, None)
        if item is None:
            ctx.diagnostics.add_error(f"There is no {self.kind.title} {id}", "Is the id right?")
            return None
        return self._state(item, {})

    @property
    def _client(self) -> Client:
        return self._provider.client

    def _brought_to(self, current: Values, planned: Values) -> Values:
        """The state after everything that differs from the plan was set."""
        path = self.kind.path
        item = self._client.settled(path, current["id"])
        if item is None:
            raise Refused("Gone", f"{current['id']} was deleted behind Terraform's back.")
        current = self._state(item, current)
        different = {
            attribute.field.name
            for attribute in attributes(self.kind)
            if not attribute.field.generated
            and (self.kind.is_editable(attribute.field.name) or self._is_cleared(attribute))
            and not is_same(attribute, current[attribute.name], planned[attribute.name])
        }
        wanted = {name: to_cloud(self.kind.field(name), planned) for name in different}
        emptied = {name for name, value in wanted.items() if value in (None, "", [], {})}
        goal = planned["state"] if is_known(planned["state"]) else ""
        way = steps(self.kind, item["state"], different, emptied, goal)
        if way is None:
            names = f" with {', '.join(sorted(different))} set" if different else ""
            what = f"become {goal}" if goal else "be changed"
            raise Refused("State", f"It cannot {what}{names} while it is {item['state']}.")
        for action, fields in way:
            values = {name: to_cloud(self.kind.field(name), planned) for name in fields}
            item = self._client.act(path, item, action.name, values)
            if item is None:
                raise Refused("Gone", f"{current['id']} went while it was changed.")
        return self._state(item, {**planned, **self._generated(current)})

    def _generated(self, current: Values) -> Values:
        """What the cloud made; a secret among it was answered once, and not again."""
        names = [field.attribute for field in self.kind.fields if field.generated]
        return {name: current[name] for name in names}

    def _is_cleared(self, attribute: Attribute) -> bool:
        return any(attribute.field.name in action.clears for action in self.kind.actions)

    def _state(self, item: Item, kept: Values) -> Values:
        contents = {
            field.name: self._client.file(self.kind.path, item["id"], field.name)
            for field in self.kind.fields
            if field.kind == "file" and item["values"].get(field.name)
        }
        return from_cloud(self.kind, item, kept, contents)

    def _tell(self, ctx: Context, doing: str, refused: Refused, state: _T) -> _T:
        """Make a refusal a diagnostic, of the attribute where it has one; gives `state` back."""
        summary = f"Cannot {doing} the {self.kind.title}: {refused.code}"
        if not refused.errors:
            ctx.diagnostics.add_error(summary, refused.detail)
        names = {field.name: field.attribute for field in self.kind.fields}
        for field, says in refused.errors.items():
            path = [names[field]] if field in names else None
            ctx.diagnostics.add_error(summary, says if path else f"{field}: {says}", path=path)
        return state


def resource_class(kind: Kind) -> type[PracticeResource]:
    """The class of a kind, as the framework wants it."""
    name = "".join(part.title() for part in kind.name.replace("-", "_").split("_"))
    return type(name, (PracticeResource,), {"kind": kind})


def _attribute(attribute: Attribute) -> TfAttribute:
    field = attribute.field
    has_default = attribute.default is not None
    is_required = field.required and field.shown_if is None and not has_default
    return TfAttribute(
        attribute.name,
        _TYPES.get(field.kind, String()),
        description=field.label,
        required=is_required,
        optional=not is_required and not field.generated,
        computed=bool(field.generated) or has_default,
        sensitive=field.is_secret,
    )
