"""What the programs that a verification starts are given of our variables."""

import os
import subprocess
import sys

from tests.system.children import CANARIES, Children

GUIDE = """\
# Disks

## Attach a disk

1. Open **Products** > **Disks**.
2. In the row of the disk, click **Attach**.
3. In the **Attach disk** dialog, select the instance from the **Attached to** list.
4. Click **Attach**.
"""
CHECKS = """\
procedures:
  attach-a-disk:
    needs:
      - instance: {name: "app-${unique}"}
      - disk: {name: "vol-${unique}"}
    bindings: {disk: "vol-${unique}", instance: "app-${unique}", Attached to: "app-${unique}"}
"""


def test_no_child_of_a_verification_is_given_a_secret(folder):
    (folder / "guide.md").write_text(GUIDE)
    (folder / "guide.checks.yaml").write_text(CHECKS)
    process = subprocess.Popen(
        [sys.executable, "-m", "appliance.cli", "verify", "guide.md", "--policy", "literal"],
        env=os.environ | CANARIES,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with Children(process.pid) as children:
        said, _ = process.communicate(timeout=100)
    assert process.returncode == 0, said
    assert children.of("appliance.practice")["PATH"]
    assert children.of("playwright", "run-driver")["PW_LANG_NAME"] == "python"
    assert children.of("--user-data-dir", "appliance-browser-")["TMPDIR"]
    assert children.of("--type=renderer")
    assert children.of("apply")["TF_CLI_CONFIG_FILE"]
    assert children.of("provider", "--dev")["PATH"]
    assert not children.with_canaries()
