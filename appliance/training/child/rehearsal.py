"""A training that trains nothing and does all else: what supervises trainings is tried with it."""

import json
import time
from pathlib import Path

from appliance.training.child.folder import CHECKPOINTS, CURVES, Folder


def main(path: str) -> None:
    """Take as many steps as the settings say, each with a checkpoint."""
    folder = Folder(Path(path))
    steps, fails_at = folder.settings["max_steps"], folder.settings.get("fails_at", 0)
    last = folder.last_checkpoint
    done = int(last.name.rpartition("-")[2]) if last else 0
    folder.rewind(done)
    for step in range(done + 1, steps + 1):
        if step == fails_at:
            raise FloatingPointError(f"the loss is no number at step {step}")
        time.sleep(folder.settings["step_s"])
        folder.add(CURVES, [{"step": step, "loss": 1 / step}])
        checkpoint = folder.path / CHECKPOINTS / f"checkpoint-{step}"
        checkpoint.mkdir(parents=True)
        (checkpoint / "trainer_state.json").write_text(json.dumps({"step": step}))
        folder.say("running", step=step, of=steps)
        if folder.is_to_stop:
            folder.say("stopped", step=step, of=steps)
            return
    folder.adapter.mkdir()
    folder.say("done", step=steps, of=steps, best=1.0)
