"""`appliance train judge`, `compare-judges`: a model that says whether attempts got there."""

import json

import click

from appliance.benchmark.finding import load_suite
from appliance.benchmark.judging import JudgeSuite
from appliance.benchmark.trials import find_result
from appliance.cli._app import CLEAN, COULD_NOT_RUN, Invocation, pass_invocation
from appliance.cli._bench_run import RESULTS
from appliance.cli._options import collect_options
from appliance.cli._output import json_option, write_json
from appliance.cli._train_runs import TrainingArguments, begin, training_options
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.training.judge_comparison import compare_judges
from appliance.training.judge_options import JudgeOptions
from appliance.training.options import options_of
from appliance.training.runs import find_run


@click.command("judge")
@training_options
@pass_invocation
@collect_options(TrainingArguments)
def judge_command(invocation: Invocation, arguments: TrainingArguments) -> int:
    """Train a model that says whether attempts got there, on what audit logs said.

    The dataset is one of `train collect --outcomes`. Half of the held-out documents calibrate it,
    the other half say how often it is right.
    """
    return begin(
        invocation.settings(), "judge", arguments, options_of(JudgeOptions, arguments.said)
    )


@click.command("compare-judges")
@click.argument("run", default="")
@click.option("--benchmark", required=True, metavar="ID", help="Of the suite `judge`, with judges.")
@json_option
@pass_invocation
def compare_command(invocation: Invocation, run: str, benchmark: str, as_json: bool) -> int:
    """Hold a model of outcomes against the judges, on held-out attempts that both have judged.

    Only one that is right more often may reward attempts (`train live --set outcome_model=RUN`),
    and only those of which no audit log says anything. Exit code 2: it is not.
    """
    data_dir = invocation.settings().data_dir
    training = find_run(data_dir, run)
    outcomes = training.folder / "outcomes.jsonl"
    if training.file.kind != "judge" or not outcomes.is_file():
        raise SetupError(f"{training.file.id} is no finished training of kind judge")
    result = find_result(data_dir / RESULTS, benchmark)
    suite = load_suite(result.setup.suite)
    if not isinstance(suite, JudgeSuite):
        raise SetupError(f"{result.id} is of {result.setup.suite}, not of labelled attempts")
    lines = map(json.loads, outcomes.read_text(encoding="utf-8").splitlines())
    comparison = compare_judges(lines, result, suite)
    decision = json_object(comparison) | {"is_better": comparison.is_better}
    training.keep_decision(decision)
    if as_json:
        write_json(decision)
    else:
        click.echo(
            f"{comparison.attempts} attempts: the outcome model is right of"
            f" {comparison.outcome_model:.1%}, the judges of {comparison.judges:.1%}."
            f" It {'may' if comparison.is_better else 'may not'} reward."
        )
    return CLEAN if comparison.is_better else COULD_NOT_RUN


JUDGING = (judge_command, compare_command)
