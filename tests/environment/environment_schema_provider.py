"""A provider that knows a schema and no cloud: Terraform starts it to validate modules with.

`python environment_schema_provider.py SCHEMA.json ADDRESS`. What it makes exists nowhere: every
attribute that a cloud would tell has some value of its type.
"""

import json
import sys
from pathlib import Path

from tf import provider as framework
from tf import utils
from tf.gen import tfplugin_pb2 as pb
from tf.runner import run_provider
from tf.schema import Schema
from tf.types import Unknown
from tf.utils import read_dynamic_value, to_dynamic_value

utils._msgpack_ext_hook = lambda code, data: Unknown  # refined unknown values are unknown, too
NESTING = {"list": pb.Schema.NestedBlock.LIST, "set": pb.Schema.NestedBlock.SET}
FLAGS = ("required", "optional", "computed", "sensitive")


class SchemaProvider:
    """What the framework wants to know."""

    def __init__(self, schema, address):
        self.schema = schema["provider_schemas"][address]
        self.address = address

    def full_name(self):
        return self.address


class Servicer(framework.ProviderServicer):
    """Answers from the schema alone."""

    def _schemas(self, key):
        return self.app.schema.get(key, {})

    def GetProviderSchema(self, request, context):
        return pb.GetProviderSchema.Response(
            provider=Schema(version=0, attributes=[]).to_pb(),
            provider_meta=Schema(version=0, attributes=[]).to_pb(),
            resource_schemas={n: as_pb(s) for n, s in self._schemas("resource_schemas").items()},
            data_source_schemas={
                n: as_pb(s) for n, s in self._schemas("data_source_schemas").items()
            },
        )

    def ValidateProviderConfig(self, request, context):
        return pb.ValidateProviderConfig.Response()

    def ValidateResourceConfig(self, request, context):
        return pb.ValidateResourceConfig.Response()

    def ValidateDataResourceConfig(self, request, context):
        return pb.ValidateDataResourceConfig.Response()

    def ConfigureProvider(self, request, context):
        return pb.ConfigureProvider.Response()

    def PlanResourceChange(self, request, context):
        block = self._schemas("resource_schemas")[request.type_name]["block"]
        planned = filled(block, read_dynamic_value(request.proposed_new_state), lambda _: Unknown)
        return pb.PlanResourceChange.Response(planned_state=to_dynamic_value(planned))

    def ApplyResourceChange(self, request, context):
        block = self._schemas("resource_schemas")[request.type_name]["block"]
        state = made(block, read_dynamic_value(request.planned_state))
        return pb.ApplyResourceChange.Response(new_state=to_dynamic_value(state))

    def ReadDataSource(self, request, context):
        block = self._schemas("data_source_schemas")[request.type_name]["block"]
        state = filled(block, read_dynamic_value(request.config), some)
        return pb.ReadDataSource.Response(state=to_dynamic_value(state))


def filled(block, values, value):
    """Values with what the provider tells."""
    if values is None:
        return None
    told = {
        name: value(attribute["type"])
        for name, attribute in block["attributes"].items()
        if attribute.get("computed") and values.get(name) is None
    }
    return {**values, **told}


def made(block, values):
    """Values in which nothing is unknown any more."""
    if values is None:
        return None
    kinds = {name: attribute["type"] for name, attribute in block["attributes"].items()}
    return {n: some(kinds[n]) if v is Unknown else v for n, v in values.items()}


def some(kind):
    """A value of a type."""
    match kind:
        case "string":
            return "1"  # reads as a number, too
        case "number":
            return 1
        case "bool":
            return False
        case ["list" | "set", inner]:
            return [some(inner)]
        case ["map", inner]:
            return {"min": some(inner)}  # the one key that a module of ours asks for
        case ["object", fields]:
            return {name: some(inner) for name, inner in fields.items()}
    raise AssertionError(kind)


def as_pb(schema):
    return pb.Schema(version=schema["version"], block=block_pb(schema["block"]))


def block_pb(block):
    return pb.Schema.Block(
        version=0,
        attributes=[
            pb.Schema.Attribute(
                name=name,
                type=json.dumps(attribute["type"]).encode(),
                **{flag: attribute.get(flag, False) for flag in FLAGS},
            )
            for name, attribute in block.get("attributes", {}).items()
        ],
        block_types=[
            pb.Schema.NestedBlock(
                type_name=name,
                block=block_pb(inner["block"]),
                nesting=NESTING.get(inner["nesting_mode"], pb.Schema.NestedBlock.SINGLE),
                min_items=inner.get("min_items", 0),
                max_items=inner.get("max_items", 0),
            )
            for name, inner in block.get("block_types", {}).items()
        ],
    )


if __name__ == "__main__":
    known = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    framework.ProviderServicer = Servicer
    run_provider(SchemaProvider(known, sys.argv[2]), sys.argv[:1])
