"""The attempts of a phase, as `kl` and `dpo` learn from them: tokens, and what they were worth."""

from collections.abc import Callable, Collection, Iterator, Sequence

from appliance.benchmark.suite import folder_of
from appliance.benchmark.trials import BenchmarkResult, Trial
from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef
from appliance.store.demonstrations import JudgedDemonstration
from appliance.training.attempts import state_of
from appliance.training.phases.labels import is_known, is_right
from appliance.training.rollouts import Exchanged, RolledOut
from appliance.verification import Demonstration


def learnt_from(
    results: Sequence[BenchmarkResult],
    tasks: Collection[str],
    judged: Collection[JudgedDemonstration],
    artifact: Callable[[ArtifactRef], bytes],
) -> list[RolledOut]:
    """Attempts at these tasks whose tokens are kept, but for those of which nobody can tell.

    Args:
        results: What was tried.
        tasks: Ids of those that are learnt from.
        judged: The attempts that were kept of it, oldest first. Of several at a task in a run the
            last is meant: the label is that of its verdict.
        artifact: Reads what was kept of one.
    """
    last = {(one.row.run_id, _folder(one.row.procedure_id)): one.row.artifact for one in judged}
    found = list[RolledOut]()
    for result in results:
        runs = {(part.run, part.release): part.run_id for part in result.parts}
        for trial in result.trials:
            kept = last.get((runs.get((trial.run, trial.release), ""), folder_of(trial.task)))
            if kept is not None and trial.task in tasks and is_known(trial):
                found += _rolled_out(trial, kept, artifact)
    return found


def _folder(procedure: str) -> str:
    return procedure.partition("/")[0]


def _rolled_out(
    trial: Trial, kept: ArtifactRef, artifact: Callable[[ArtifactRef], bytes]
) -> Iterator[RolledOut]:
    try:
        of = Demonstration.from_json(artifact(kept))
    except StoreError:
        return
    own_names = (of.unique, *of.bindings.values())
    exchanges = [
        Exchanged(
            prompt=said.tokens.prompt,
            answer=said.tokens.answer,
            logprobs=said.tokens.logprobs,
            said=said.text,
            state=state_of(view, own_names),
        )
        for view, said in of.answers()
    ]
    if exchanges:
        yield RolledOut(
            task=trial.task,
            reward=float(is_right(trial)),
            advantage=0.0,
            why=trial.reason,
            reached=trial.success,
            exchanges=exchanges,
        )
