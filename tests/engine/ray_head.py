"""A head in a process of its own, which a test kills; it is given its settings and a guide."""

import asyncio
import sys
from pathlib import Path

from appliance.config import Settings
from tests.running import verified

if __name__ == "__main__":
    settings = Settings.model_validate_json(Path(sys.argv[1]).read_text())
    asyncio.run(verified(settings, [Path(sys.argv[2])]))
