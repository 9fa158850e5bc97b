"""What a plan knows ahead of shared resources is what the attempt then shares."""

from itertools import product

import pytest

from appliance.core.checks import Need
from appliance.core.errors import ProvisioningError
from appliance.environment.modules import Catalogue
from appliance.environment.needs import plan, shared_by

CATALOGUE = Catalogue.load()


@pytest.mark.parametrize("console", CATALOGUE.consoles)
def test_it_is_what_the_attempt_shares(console: str) -> None:
    modules = CATALOGUE.of(console)
    compared = 0
    for kinds in [(name,) for name in modules] + list(product(modules, modules)):
        try:
            made = plan([Need(kind=kind) for kind in kinds], modules, "cda000000")
        except ProvisioningError:
            continue  # it takes values that only a checks file gives
        assert shared_by(kinds, modules) == {block.module.name for block in made.shared}, kinds
        compared += 1
    assert compared


def test_it_knows_what_documentation_calls_a_thing() -> None:
    modules = CATALOGUE.of("openstack")
    assert shared_by(["virtual machine"], modules) == {"image", "network", "subnet"}
    assert shared_by(["no such thing"], modules) == frozenset()
