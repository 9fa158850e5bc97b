"""Puts together what the model is asked, within the length that it takes."""

from dataclasses import dataclass

from appliance.browser import LEGEND, describe
from appliance.config import AgentSettings
from appliance.core.errors import PolicyError
from appliance.core.page import Observation
from appliance.core.tokens import estimate_tokens
from appliance.core.verdict import DivergenceKind
from appliance.inference.client import ModelClient
from appliance.inference.messages import IMAGE_TOKENS, Message, image_part
from appliance.inference.prompts import language_of
from appliance.policy.base import Task
from appliance.policy.model.fence import addressed
from appliance.policy.model.history import History
from appliance.policy.model.notes import Notebook
from appliance.policy.model.prompts import render
from appliance.policy.model.secret_values import Values
from appliance.policy.model.wording import step_text, written

_NEAR = 0.85
"""Part of the context from which on tokens are counted exactly: estimates are off by so much."""
_SMALLEST = 500
"""Tokens below which a page tells nothing."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where an attempt is."""

    view: Observation
    history: History
    notebook: Notebook
    step: str
    """That the last action served; before the first one, that it begins with."""
    progress: str
    """What the model said last of its progress; empty in the first turn."""
    picture: bytes | None
    """The screenshot, where there is one."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked in one turn."""

    messages: tuple[Message, ...]
    tokens: int
    """About how many they are."""
    suspicious: str
    """Text of the page that speaks to an assistant; empty: none."""


def task_text(task: Task, values: Values | None = None) -> str:
    """What is to be done, with what, and by whom, in words."""
    return render(
        language_of(task.procedure.language),
        "task",
        title=task.procedure.title,
        procedure=written(task.procedure),
        values=(values or Values(task.bindings)).shown,
        username=task.username,
        project=task.project,
        unique=task.unique,
        resources=task.resources,
        handover=task.handover,
    )


class Prompter:
    """Makes the prompts of one attempt. What stays the same comes first, and is made once."""

    def __init__(
        self,
        task: Task,
        settings: AgentSettings,
        context_tokens: int,
        values: Values,
        *,
        points: bool,
    ) -> None:
        self._settings, self._context = settings, context_tokens
        self._language = language_of(task.procedure.language)
        self._steps = {step.index: step for step in task.procedure.walk()}
        self._system = render(
            self._language,
            "system",
            legend=LEGEND[self._language],
            kinds=[kind.value for kind in DivergenceKind],
            worded=settings.planner_grounder,
            points=points,
        )
        self._task_said = task_text(task, values)
        self._fixed = estimate_tokens(self._system) + estimate_tokens(self._task_said)

    async def prompt(self, now: Situation, client: ModelClient) -> Prompt:
        """What to ask now.

        Args:
            now: Where the attempt is.
            client: Counts tokens exactly, where it is close.

        Raises:
            ModelError: The model's endpoint cannot count.
            PolicyError: Not even a short page fits.
        """
        suspicious = addressed(now.view)
        longest = self._context - self._settings.answer_tokens
        budget, picture = self._settings.observation_tokens, now.picture
        while True:
            said = self._turn(now, budget, is_pictured=picture is not None, warning=suspicious)
            messages = question(self._system, f"{self._task_said}\n\n{said}", picture)
            tokens = self._fixed + estimate_tokens(said) + (IMAGE_TOKENS if picture else 0)
            if tokens > _NEAR * longest:
                tokens = await client.count_tokens(messages, self._settings.adapter)
            over = tokens - longest
            if over <= 0:
                return Prompt(messages, tokens, suspicious)
            if budget > _SMALLEST:
                budget = max(_SMALLEST, min(budget - over, budget * 3 // 4))
            elif picture is not None:
                picture = None
            else:
                raise PolicyError(
                    f"the procedure and the shortest page take {tokens} tokens, and the model's"
                    f" context has room for {longest}: serve it with a longer context"
                )

    def _turn(self, now: Situation, budget: int, *, is_pictured: bool, warning: str) -> str:
        done, left_out = now.history.told()
        kept = [turn.view for turn in done if turn.view is not None]
        told = _told([*kept, now.view], budget)
        pages = dict(zip((t.number for t in done if t.view is not None), told, strict=False))
        rows = now.history.unfolded(now.view)
        states = now.notebook.states
        return render(
            self._language,
            "turn",
            done=done,
            pages=pages,
            left_out=left_out,
            steps=[(index, states.get(index)) for index in self._steps],
            last=now.step if done else "",
            progress=now.progress,
            around=self._around(now.step),
            nudges=now.history.nudges(),
            warning=warning,
            page=told[-1],
            rows=describe(rows, budget=budget // 2, whole=True) if rows else "",
            picture=is_pictured,
        )

    def _around(self, index: str) -> list[tuple[str, str]]:
        """The step that the last action served and the one after it, with their words."""
        order = list(self._steps)
        at = order.index(index) if index else 0
        return [(i, step_text(self._steps[i])) for i in order[at : at + 2]]


def _told(views: list[Observation], budget: int) -> list[str]:
    """The oldest page in full, the others as what is different from the one before."""
    before = [None, *views[:-1]]
    return [
        describe(view, since=since, budget=budget)
        for view, since in zip(views, before, strict=True)
    ]


def question(system: str, said: str, picture: bytes | None) -> tuple[Message, ...]:
    """Two messages: some models take no more than one of a kind in a row."""
    content: object = said
    if picture is not None:
        content = [{"type": "text", "text": said}, image_part(picture)]
    return ({"role": "system", "content": system}, {"role": "user", "content": content})
