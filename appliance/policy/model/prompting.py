"""Puts together the prompts for the model, within its context length."""

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
from appliance.policy.model.fence import text_to_assistant
from appliance.policy.model.history import History
from appliance.policy.model.notes import Notebook
from appliance.policy.model.prompts import render
from appliance.policy.model.secret_values import Values
from appliance.policy.model.wording import procedure_text, step_text

_EXACT_FROM = 0.85
"""Part of the context from which on tokens are counted exactly: estimates are off by so much."""
_SMALLEST = 500
"""Tokens below which a page tells nothing."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The state of an attempt."""

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
    """The question of one turn."""

    messages: tuple[Message, ...]
    tokens: int
    """About how many they are."""
    suspicious: str
    """Text of the page that speaks to an assistant; empty: none."""


def task_text(task: Task, values: Values | None = None) -> str:
    """What is to be done, with which values and by whom, in words."""
    return render(
        language_of(task.procedure.language),
        "task",
        title=task.procedure.title,
        procedure=procedure_text(task.procedure),
        values=(values or Values(task.bindings)).shown,
        username=task.username,
        project=task.project,
        unique=task.unique,
        resources=task.resources,
        handover=task.handover,
        may_be_done=task.may_be_done,
    )


class Prompter:
    """Makes the prompts of one attempt; the unchanging part comes first and is rendered once."""

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
        self._task_text = task_text(task, values)
        self._fixed_tokens = estimate_tokens(self._system) + estimate_tokens(self._task_text)

    async def prompt(self, situation: Situation, client: ModelClient) -> Prompt:
        """What to ask now.

        Args:
            situation: Where the attempt is.
            client: Counts tokens exactly, where it is close.

        Raises:
            ModelError: The model's endpoint cannot count.
            PolicyError: Not even a short page fits.
        """
        suspicious = text_to_assistant(situation.view)
        max_tokens = self._context - self._settings.answer_tokens
        budget, picture = self._settings.observation_tokens, situation.picture
        while True:
            turn_text = self._turn(
                situation, budget, is_pictured=picture is not None, warning=suspicious
            )
            messages = question(self._system, f"{self._task_text}\n\n{turn_text}", picture)
            tokens = (
                self._fixed_tokens + estimate_tokens(turn_text) + (IMAGE_TOKENS if picture else 0)
            )
            if tokens > _EXACT_FROM * max_tokens:
                tokens = await client.count_tokens(messages, self._settings.adapter)
            excess = tokens - max_tokens
            if excess <= 0:
                return Prompt(messages, tokens, suspicious)
            if budget > _SMALLEST:
                budget = max(_SMALLEST, min(budget - excess, budget * 3 // 4))
            elif picture is not None:
                picture = None
            else:
                raise PolicyError(
                    f"the procedure and the shortest page take {tokens} tokens, and the model's"
                    f" context has room for {max_tokens}: serve it with a longer context"
                )

    def _turn(self, situation: Situation, budget: int, *, is_pictured: bool, warning: str) -> str:
        turns, left_out = situation.history.recent_turns()
        earlier_views = [turn.view for turn in turns if turn.view is not None]
        pages_text = _page_texts([*earlier_views, situation.view], budget)
        pages = dict(
            zip((turn.number for turn in turns if turn.view is not None), pages_text, strict=False)
        )
        rows = situation.history.unfolded(situation.view)
        states = situation.notebook.states
        return render(
            self._language,
            "turn",
            done=turns,
            pages=pages,
            left_out=left_out,
            steps=[(index, states.get(index)) for index in self._steps],
            last=situation.step if turns else "",
            progress=situation.progress,
            around=self._around(situation.step),
            nudges=situation.history.nudges(),
            warning=warning,
            page=pages_text[-1],
            rows=describe(rows, budget=budget // 2, whole=True) if rows else "",
            picture=is_pictured,
        )

    def _around(self, index: str) -> list[tuple[str, str]]:
        """The step that the last action served and the one after it, with their words."""
        indexes = list(self._steps)
        position = indexes.index(index) if index else 0
        return [
            (neighbour, step_text(self._steps[neighbour]))
            for neighbour in indexes[position : position + 2]
        ]


def _page_texts(views: list[Observation], budget: int) -> list[str]:
    """The oldest page in full, each later one as its differences from the one before."""
    previous_views = [None, *views[:-1]]
    return [
        describe(view, since=since, budget=budget)
        for view, since in zip(views, previous_views, strict=True)
    ]


def question(system: str, text: str, picture: bytes | None) -> tuple[Message, ...]:
    """Two messages: some models take no more than one of a kind in a row."""
    content: object = text
    if picture is not None:
        content = [{"type": "text", "text": text}, image_part(picture)]
    return ({"role": "system", "content": system}, {"role": "user", "content": content})
