from appliance.benchmark.trials import Setup


def setup_of(suite, tasks, policy, runs):
    """Of a benchmark over tasks of a suite."""
    return Setup(
        suite=suite.name,
        suite_version=suite.version,
        policy=policy,
        runs=runs,
        seed=1,
        tasks=tuple(task.id for task in tasks),
    )
