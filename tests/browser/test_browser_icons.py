"""Icons without words are told by their class, their address, or the shape that is drawn."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.browser._scripts import _read

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True
