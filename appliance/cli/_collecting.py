"""Samples to learn from, of the attempts that were kept."""

from appliance.config import Settings
from appliance.store.store import Store
from appliance.training.collect import Collected, collect
from appliance.training.samples import PromptForm, Sampler

_CONTEXT = 32768
"""Tokens of a prompt and its answer, where the settings do not say."""


def collected(
    settings: Settings,
    console: str,
    runs: tuple[str, ...],
    forms: tuple[str, ...],
    *,
    with_roles: bool,
) -> Collected:
    """Samples of the attempts that the store of a data folder has kept.

    Args:
        settings: Which folder, and how the agent asks.
        console: Whose attempts.
        runs: Only of these runs; none: of all.
        forms: How questions are put; none: in every way.
        with_roles: Also what planner and grounder are asked.
    """
    context = settings.model.context_tokens or _CONTEXT
    wanted = tuple(PromptForm(form) for form in forms) or tuple(PromptForm)
    with Store.open(settings.data_dir) as store:
        judged = store.demonstrations.judged(console, runs)
        agent = settings.agent.model_copy(update={"planner_grounder": False})
        sampler = Sampler(forms=wanted, agent=agent, context_tokens=context)
        found = collect(judged, store.artifacts.get, sampler)
        if with_roles:
            apart = agent.model_copy(update={"planner_grounder": True})
            roles = Sampler(forms=(PromptForm.FULL,), agent=apart, context_tokens=context)
            found.samples += collect(judged, store.artifacts.get, roles).samples
    return found
