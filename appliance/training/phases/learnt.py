"""The attempts of a phase, as `kl` and `dpo` learn from them: tokens, and what they were worth."""

from collections.abc import Callable, Collection, Iterator, Sequence

from appliance.benchmark.suite import folder_of
from appliance.benchmark.trials import BenchmarkResult, Trial
from appliance.core.errors import StoreError
from appliance.core.result import ArtifactRef
from appliance.store.demonstrations import JudgedDemonstration
from appliance.training.attempts import state_of
from appliance.training.phases.labels import is_decided, is_right
from appliance.training.rollouts import RolledOutAttempt, TokenExchange
from appliance.verification import Demonstration


def learnt_from(
    results: Sequence[BenchmarkResult],
    tasks: Collection[str],
    judged: Collection[JudgedDemonstration],
    artifact: Callable[[ArtifactRef], bytes],
) -> list[RolledOutAttempt]:
    """Attempts at these tasks whose tokens are kept, but for those of which nobody can tell.

    Args:
        results: What was tried.
        tasks: Ids of those that are learnt from.
        judged: The attempts that were kept of it, oldest first. Of several at a task in a run the
            last is meant: the label is that of its verdict.
        artifact: Reads what was kept of one.
    """
    last_artifact = {
        (attempt.row.run_id, _folder(attempt.row.procedure_id)): attempt.row.artifact
        for attempt in judged
    }
    rollouts = list[RolledOutAttempt]()
    for result in results:
        runs = {(part.run, part.release): part.run_id for part in result.parts}
        for trial in result.trials:
            artifact_ref = last_artifact.get(
                (runs.get((trial.run, trial.release), ""), folder_of(trial.task))
            )
            if artifact_ref is not None and trial.task in tasks and is_decided(trial):
                rollouts += _rolled_out(trial, artifact_ref, artifact)
    return rollouts


def _folder(procedure: str) -> str:
    return procedure.partition("/")[0]


def _rolled_out(
    trial: Trial, artifact_ref: ArtifactRef, artifact: Callable[[ArtifactRef], bytes]
) -> Iterator[RolledOutAttempt]:
    try:
        demonstration = Demonstration.from_json(artifact(artifact_ref))
    except StoreError:
        return
    own_names = (demonstration.unique, *demonstration.bindings.values())
    exchanges = [
        TokenExchange(
            prompt=answer.tokens.prompt,
            answer=answer.tokens.answer,
            logprobs=answer.tokens.logprobs,
            said=answer.text,
            state=state_of(view, own_names),
        )
        for view, answer in demonstration.answers()
    ]
    if exchanges:
        yield RolledOutAttempt(
            task=trial.task,
            reward=float(is_right(trial)),
            advantage=0.0,
            why=trial.reason,
            reached=trial.success,
            exchanges=exchanges,
        )
