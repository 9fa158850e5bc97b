"""The provider's schema.json is the product data's."""

import json

from practice_provider.spec import SCHEMA

from appliance.practice.releases import catalogue, releases
from appliance.practice.terraform_schema import terraform_schema


def test_the_committed_schema_is_the_one_of_the_product_data():
    offered = terraform_schema(catalogue(releases()[0]))
    committed = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert committed == json.loads(json.dumps(offered)), (
        "The product data has changed: appliance practice schema > "
        "terraform/provider/practice_provider/schema.json"
    )


def test_every_kind_of_the_cloud_is_a_resource():
    committed = json.loads(SCHEMA.read_text(encoding="utf-8"))["resources"]
    assert set(committed) == {found.kind for found in catalogue(releases()[0]).resources()}
