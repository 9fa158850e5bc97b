"""Samples to learn from, of the attempts that were kept."""

from dataclasses import dataclass

from appliance.config import Settings
from appliance.store.store import Store
from appliance.training.built import build_samples, seen_pages
from appliance.training.collect import Collected, collect
from appliance.training.kinds import PromptForm
from appliance.training.outcomes import outcome_samples
from appliance.training.samples import Sampler

_CONTEXT = 32768
"""Tokens of a prompt and its answer, where the settings do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptSelection:
    """Which attempts to collect, and what samples to make of them."""

    console: str | None = None
    runs: tuple[str, ...] = ()
    """None: all."""
    forms: tuple[str, ...] = ()
    """How questions are put; none: in every way."""
    built: tuple[str, ...] = ()
    """Kinds of samples that are built by rule from the pages seen."""
    outcomes: bool = False
    """Also whole attempts with what the audit log says of them."""
    roles: bool = False
    """Also what planner and grounder are asked."""


def collect_attempts(settings: Settings, console: str, selection: AttemptSelection) -> Collected:
    """Collect samples from the stored attempts on a console."""
    context = settings.model.context_tokens or _CONTEXT
    forms = tuple(PromptForm(form) for form in selection.forms) or tuple(PromptForm)
    with Store.open(settings.data_dir) as store:
        judged = store.demonstrations.judged(console, selection.runs)
        agent = settings.agent.model_copy(update={"planner_grounder": False})
        sampler = Sampler(forms=forms, agent=agent, context_tokens=context)
        attempts = collect(judged, store.artifacts.get, sampler)
        if selection.built:
            pages = seen_pages(judged, store.artifacts.get)
            attempts.samples += build_samples(pages, selection.built, sampler)
        if selection.outcomes:
            attempts.samples += outcome_samples(judged, store.artifacts.get)
        if selection.roles:
            apart = agent.model_copy(update={"planner_grounder": True})
            roles = Sampler(forms=(PromptForm.FULL,), agent=apart, context_tokens=context)
            attempts.samples += collect(judged, store.artifacts.get, roles).samples
    return attempts
