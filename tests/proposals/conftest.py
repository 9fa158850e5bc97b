from tests.cli.conftest import appliance, folder  # noqa: F401 - fixtures
