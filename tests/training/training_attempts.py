"""Attempts made by hand, and a store that has kept them."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Change, ChangeKind, Observation, Performed
from appliance.core.result import (
    ChannelResult,
    Cost,
    Goal,
    ProcedureResult,
    RunResult,
)
from appliance.core.source import Span
from appliance.core.verdict import (
    Basis,
    DivergenceKind,
    GoalChannel,
    PolicyName,
    Severity,
    StepStatus,
    Verdict,
)
from appliance.policy.base import Decision, Divergence, StepReport, Task
from appliance.store.demonstrations import DemonstrationRow, JudgedDemonstration
from appliance.store.store import Store
from appliance.training.child.folder import ANSWERS, CURVES
from appliance.training.dataset import FACTS
from appliance.training.options import SftOptions
from appliance.training.rollouts import ROLLOUTS
from appliance.training.runs import RunStatus, new_run
from appliance.verification import Demonstration, StopReason, Trajectory, Turn
from appliance.verification.demonstrations import MEDIA_TYPE, demonstration_of
from tests.policy.policy_model_desk import element, procedure, view

NOW = datetime(2026, 11, 26, 9, tzinfo=UTC)
UNIQUE = "k3f9"
NAME = f"docs-{UNIQUE}"
MENU = (element(1, "link", "Storage"), element(2, "link", "Buckets"))
LIST = (*MENU, element(3, "button", "Create bucket"))
FORM = (
    element(4, "textbox", "Name", value="", dialog="New"),
    element(5, "button", "Save", dialog="New"),
)
CHANGED = Performed(ok=True, changes=(Change(kind=ChangeKind.URL, text="/next"),))


def turn(
    page: Observation,
    action: Action,
    step: str,
    *reports: StepReport,
    performed: Performed | None = CHANGED,
    **more: object,
) -> Turn:
    decision = Decision(action=action, step=step, thought=f"{action.kind}", reports=reports, **more)
    return Turn(
        view=page,
        decision=decision,
        performed=None if action.is_final else performed,
        before=None,
    )


def as_written(step: str) -> StepReport:
    return StepReport(step=step, status=StepStatus.AS_WRITTEN)


def turns(name: str = NAME) -> list[Turn]:
    """The procedure of the desk, as a careful reader does it."""
    form = view(*FORM, dialogs=("New",), title="Buckets")
    return [
        turn(view(*MENU, title="Home"), actions.Click(1), "1"),
        turn(view(*LIST, title="Storage"), actions.Click(2), "1"),
        turn(view(*LIST, title="Buckets"), actions.Click(3), "2", as_written("1")),
        turn(form, actions.Type(4, name), "3", as_written("2")),
        turn(
            view(*FORM, dialogs=("New",), title="Buckets", fingerprint="typed"),
            actions.Click(5),
            "3",
        ),
        turn(
            view(*LIST, title="All buckets"), actions.Complete("it is listed"), "3", as_written("3")
        ),
    ]


def untrue(step: str = "2") -> Divergence:
    return Divergence(
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        basis=Basis.READ,
        span=Span("guide.md", 6, 10, 6, 23),
        quote="Create bucket",
        shown="New bucket",
        suggestion="New bucket",
        step=step,
    )


def attempt(made: Sequence[Turn] | None = None, **task: object) -> Demonstration:
    wanted = {"bindings": {"unique": UNIQUE, "Name": NAME}, "unique": UNIQUE, "username": "alice"}
    of = Task(procedure=procedure(), **(wanted | task))
    return demonstration_of(of, Trajectory(policy=PolicyName.LITERAL, turns=list(made or turns())))


def row(
    store: Store | None = None, demonstration: Demonstration | None = None, **more: object
) -> DemonstrationRow:
    text = (demonstration or attempt()).to_json().encode()
    values = {
        "run_id": "r1",
        "procedure_id": "guide/create",
        "attempt": 1,
        "console": "practice",
        "release": "2025.1",
        "document": "docs/guide.md",
        "policy": PolicyName.LITERAL,
        "stop": StopReason.ANSWERED,
        "reached": True,
        "witnesses": ("audit", "ui"),
        "artifact": store.artifacts.put(text, MEDIA_TYPE) if store else None,
        "kept_at": NOW,
    }
    return DemonstrationRow(**(values | more))


def judged(verdict: Verdict = Verdict.VERIFIED, **more: object) -> JudgedDemonstration:
    said = {name: more.pop(name, 0) for name in ("findings", "confirmed", "rejected")}
    return JudgedDemonstration(row=row(**more), verdict=verdict, **said)


def keep(
    folder: Path,
    attempts: Mapping[str, Demonstration],
    witnesses: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> None:
    """A store in which an attempt of each document is kept."""
    rows = [f"docs/{name}" for name in attempts]
    with Store.open(folder) as store:
        results = tuple(_result(n, name) for n, name in enumerate(rows))
        store.save_run(
            RunResult(
                id="r1",
                appliance_version="0",
                commit="c0ffee",
                console="practice",
                policy="literal",
                started_at=NOW,
                ended_at=NOW,
                procedures=results,
            )
        )
        for result, (name, made) in zip(results, attempts.items(), strict=True):
            said = {"witnesses": witnesses[name]} if name in witnesses else {}
            store.demonstrations.put(
                row(store, made, procedure_id=result.id, document=result.document, **said)
            )


def _result(number: int, document: str) -> ProcedureResult:
    witness = ChannelResult(channel=GoalChannel.AUDIT, reached=True, reason="it is there")
    return ProcedureResult(
        id=f"docs/p{number}",
        title="Create",
        title_path=("Buckets", "Create"),
        document=document,
        line=1,
        end_line=2,
        verdict=Verdict.VERIFIED,
        goal=Goal(reached=True, channels=(witness,)),
        path="as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(),
        steps=(),
    )


def trained(data_dir: Path, *, why: str = "") -> str:
    """A training as it is left when it is over; its id."""
    base, dataset = data_dir / "base", data_dir / "dataset"
    for folder, name, content in ((base, "config.json", {}), (dataset, FACTS, {"files": {}})):
        folder.mkdir(parents=True)
        (folder / name).write_text(json.dumps(content))
    run = new_run(
        data_dir,
        kind="sft",
        base=base,
        dataset=dataset,
        settings=SftOptions(),
        threads=1,
        now=NOW,
    )
    state = "failed" if why else "done"
    run.tell(RunStatus(state=state, step=4, of=4, best=0.5, why=why))
    answer = {"step": 4, "kind": "click", "answer": "1 click <b>", "right": "1 click Save"}
    lines = {CURVES: {"step": 4, "eval_exact_action": 0.5}, ANSWERS: answer | {"is_exact": False}}
    for name, line in lines.items():
        (run.folder / name).write_text(json.dumps(line) + "\n")
    exchange = {"prompt": [1], "answer": [2], "logprobs": [0.0], "said": "2 click Go"}
    tried = {"task": "buckets/create", "reward": 1.0, "why": "it is there", "exchanges": [exchange]}
    (run.folder / ROLLOUTS).mkdir()
    for name in ("3", "3-validation"):
        (run.folder / ROLLOUTS / f"{name}.json").write_text(json.dumps({"attempts": [tried]}))
    return run.file.id
