"""A slow disk holds up what needs it, and nothing else."""

from appliance.core.verdict import Verdict
from appliance.engine.engine import EngineOptions, open_engine
from appliance.engine.request import InlineDocument
from appliance.store.store import Store
from tests.engine.test_engine import GUIDE, Lab, lab, verification
from tests.slow_store import Pulse, slow_store

__all__ = ["lab"]


async def test_a_run_in_a_console_leaves_the_loop_to_others(lab: Lab) -> None:
    Store.open(lab.settings.data_dir).close()
    pulse = Pulse()
    guide = InlineDocument("guide.md", GUIDE.format(name="first").encode())
    with slow_store(lab.settings.data_dir, pulse) as store:
        async with pulse.beating(), open_engine(lab.settings, store, EngineOptions()) as engine:
            row = await engine.start(verification(inline=(guide,)))
            async for _ in engine.live.follow(row.id):
                pass
        (result,) = store.load_run(row.id).procedures
    assert result.verdict is Verdict.VERIFIED
    assert pulse.stood_still == set()
    assert {
        "keeping a sweep",
        "starting a run",
        "starting an attempt",
        "saving a procedure",
        "saving a recipe",
        "ending a run",
    } <= pulse.uses
