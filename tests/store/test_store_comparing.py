from collections.abc import Callable
from dataclasses import replace
from typing import Any

from appliance.core.verdict import Verdict
from appliance.store.comparing import Change
from appliance.store.store import Store

Make = Callable[..., Any]


def test_two_runs_are_held_against_each_other(store: Store, run: Make, procedure: Make) -> None:
    def said(number: int, verdict: Verdict, **more: object) -> Any:
        return replace(procedure(number, **more), verdict=verdict)

    first = (
        said(1, Verdict.VERIFIED),
        said(2, Verdict.BROKEN, findings=1),
        said(3, Verdict.VERIFIED),
        said(4, Verdict.DRIFTED, findings=1),
        said(5, Verdict.VERIFIED),
        said(6, Verdict.VERIFIED),
    )
    second = (
        said(1, Verdict.DRIFTED, findings=1),
        said(2, Verdict.DRIFTED, findings=1),
        said(3, Verdict.BLOCKED),
        said(4, Verdict.DRIFTED, findings=2),
        said(5, Verdict.VERIFIED),
        said(7, Verdict.BROKEN),
    )
    store.save_run(run("r1", *first))
    store.save_run(run("r2", *second))
    compared = store.comparison.procedures("r1", "r2")
    assert {one.id.removeprefix("buckets/p"): one.change for one in compared} == {
        "1": Change.BROKE,
        "2": Change.MENDED,
        "3": Change.OTHER,
        "4": Change.OTHER,
        "6": Change.GONE,
        "7": Change.NEW,
    }, "what says the same is left out"
    ids = [one.id for one in compared]
    appeared = store.comparison.only_in("r2", "r1", ids, 10)
    assert [one.procedure_id for one in appeared] == ["buckets/p1", "buckets/p4"]
    assert store.comparison.only_in("r2", "r1", ids[-1:], 10) == ()
    assert store.comparison.only_in("r1", "r2", ids, 10) == ()
    assert store.comparison.procedures("r1", "r1") == ()
    assert {one.change for one in store.comparison.procedures("none", "r1")} == {Change.NEW}
