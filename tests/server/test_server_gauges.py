from appliance.core.causes import Cause, CauseKind
from appliance.engine.problems import NotReady
from appliance.store.sweeps import SweepRow, SweepState
from appliance.telemetry.gauges import watch_engine


async def test_the_metrics_tell_what_waits_and_what_is_not_ready(service, store, clock, local):
    watch_engine(service.metrics, service.engine)
    service.engine.not_ready = (NotReady("console practice", "it does not answer"),)
    for id, state in (("a", SweepState.WAITING), ("b", SweepState.PAUSED), ("c", SweepState.DONE)):
        row = SweepRow(
            id=id, console="practice", state=state, why="", request={}, planned_at=clock.now()
        )
        store.sweeps.add(row, ())
    store.sweeps.pause("b", Cause(CauseKind.DISK_FULL, "no room"), clock.now())
    answer = await local.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=1.0.0; charset=utf-8"
    told = answer.text.splitlines()
    assert "appliance_not_ready 1.0" in told
    assert 'appliance_runs_unfinished{state="waiting"} 1.0' in told
    assert 'appliance_runs_unfinished{state="paused"} 1.0' in told
    assert 'appliance_runs_paused{cause="disk_full"} 1.0' in told
    assert 'appliance_runs_paused{cause="by_hand"} 0.0' in told
    assert any(line.startswith('appliance_disk_free_bytes{place="data"} ') for line in told)
    assert any(line.startswith('appliance_disk_free_bytes{place="temp"} ') for line in told)
    assert not any('state="done"' in line and "unfinished" in line for line in told)
    names = [line.split()[2] for line in told if line.startswith("# HELP")]
    assert len(names) == len(set(names))
