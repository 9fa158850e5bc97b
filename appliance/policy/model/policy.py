"""The policy that asks a model for every action, and checks its answers against the page."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from appliance.config import AgentSettings
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.page import Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.inference.client import ModelClient
from appliance.inference.messages import ModelReply
from appliance.inference.prompts import language_of
from appliance.policy.base import Decision, Exchange, Spent, Task
from appliance.policy.literal import file_named
from appliance.policy.model.answer import AgentAnswer, Described, schema_for
from appliance.policy.model.conversation import Asker, BudgetError, Purse
from appliance.policy.model.doing import action_of
from appliance.policy.model.fence import line
from appliance.policy.model.formats import misfit
from appliance.policy.model.grounding import Grounder
from appliance.policy.model.history import History
from appliance.policy.model.notes import Notebook, NotebookUpdate, action_in_words
from appliance.policy.model.prompting import Prompter, Situation
from appliance.policy.model.reading import (
    Rules,
    UnusableError,
    named_elements,
    read,
    validate_answer,
)
from appliance.policy.model.secret_values import Values
from appliance.policy.model.short_policy import ShortPolicy
from appliance.policy.model.wording import procedure_text

Picture = Callable[[Observation], Awaitable[bytes]]
"""The page's screenshot with a numbered mark on every element, JPEG or WebP."""
_WARMER = 0.3
"""How much higher the temperature of each further attempt is: the same question would get the same
answer."""
_GROUNDER_TOKENS = 300
"""Longest answer of the grounder."""
_THOUGHT = 500
"""Characters of a thought in a report; all of it is in the exchange."""


class ModelPolicy:
    """Asks a model what to do next, and holds its answers to what is on the page.

    With `planner_grounder` two roles are asked: the planner names elements in words, the grounder
    finds them. Every question and answer is in `Decision.exchanges` under its role (`agent`, or
    `planner` and `grounder`) with the version of its prompts and whether it could be used, so that
    what a training collects for one role never holds what the other was asked.
    """

    name = PolicyName.MODEL

    def __init__(
        self,
        task: Task,
        client: ModelClient,
        settings: AgentSettings,
        picture: Picture | None = None,
        *,
        attempt: int = 1,
    ) -> None:
        """A policy for one attempt.

        Args:
            task: What is to be carried out.
            client: The model.
            settings: How it is asked.
            picture: Takes the screenshot; None: the model is shown text only.
            attempt: Number of the attempt: from the second on it is asked at a higher temperature.
        """
        self._task, self._client, self._settings = task, client, settings
        self._picture = picture if settings.screenshots else None
        self._purse = Purse(settings.budget_tokens)
        self._history, self._notebook = History(), Notebook(task.procedure)
        self._values = Values(task.bindings)
        self._step = task.procedure.steps[0].index if task.procedure.steps else ""
        self._progress = ""
        self._text = procedure_text(task.procedure).casefold()
        self._warned_of: set[str] = set()
        self._unreported_warnings: list[str] = []
        """Warnings that are in no report yet."""
        self._prompter: Prompter | None = None  # with what depends on the model, once it is asked
        self._asker = self._asker_for(
            "planner" if settings.planner_grounder else "agent",
            settings.adapter,
            settings.answer_tokens,
            temperature_of(settings, attempt),
        )

    @property
    def spent(self) -> Spent:
        """What models have used so far, including a turn that ended in an error."""
        return self._purse.spent

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The exchanges of this turn, also if it ended in an error."""
        return tuple(self._purse.exchanges)

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now.

        Raises:
            ModelError: The model's endpoint is away, or refuses.
            AnswerError: Two answers in a row could not be used.
            PolicyError: The procedure is too long for the model.
        """
        self._purse.begin()
        try:
            return await self._choose(view, last)
        except BudgetError as exc:
            action = actions.Unachievable(why=str(exc))
            last_word = self._decision(action, str(exc), self._notebook.close(), is_detour=False)
            return replace(last_word, is_over_budget=True)

    async def _choose(self, view: Observation, last: Performed | None) -> Decision:
        prompter = self._prompter = self._prompter or await self._begin()
        self._history.settle(last)
        self._notebook.see(view)
        picture = await self._screenshot(view)
        situation = Situation(
            view, self._history, self._notebook, self._step, self._progress, picture
        )
        prompt = await prompter.prompt(situation, self._client)
        answer, action = await self._asker.ask(
            prompt.messages, prompt.tokens, self._schema, partial(self._use, view)
        )
        return self._conclude(view, answer, action, prompt.suspicious)

    async def _begin(self) -> Prompter:
        settings, task = self._settings, self._task
        model = await self._client.served(settings.adapter)
        images = self._is_pictured = self._picture is not None and model.takes_images
        steps = tuple(step.index for step in task.procedure.walk())
        by_description = settings.planner_grounder
        self._rules = Rules(
            steps=frozenset(steps),
            worded=by_description,
            points=images and not by_description,  # where something is, is the grounder's affair
            has_file=bool(task.sample_file),
        )
        self._schema = schema_for(steps, worded=by_description, points=self._rules.points)
        self._grounder = Grounder(
            self._asker_for(
                "grounder", settings.grounder_adapter or settings.adapter, _GROUNDER_TOKENS
            ),
            tokens=settings.observation_tokens,
            images=images,
        )
        return Prompter(
            task, settings, model.context_tokens, self._values, points=self._rules.points
        )

    def _asker_for(self, role: str, model: str, tokens: int, temperature: float = 0.0) -> Asker:
        return Asker(
            role=role,
            client=self._client,
            purse=self._purse,
            model=model,
            language=language_of(self._task.procedure.language),
            max_tokens=tokens,
            temperature=temperature,
        )

    async def _screenshot(self, view: Observation) -> bytes | None:
        return await self._picture(view) if self._picture and self._is_pictured else None

    async def _use(
        self, view: Observation, reply: ModelReply, is_last: bool
    ) -> tuple[AgentAnswer, Action]:
        """The answer and its action, if valid; missing notes are asked for once."""
        answer = read(reply, AgentAnswer)
        validate_answer(answer, view, self._rules)
        kind = answer.action.kind
        places = {
            target: await self._grounder.find(target, kind, view, partial(self._screenshot, view))
            for target in named_elements(answer)
            if isinstance(target, Described)
        }
        action = action_of(answer.action, view, places, self._file)
        if answer.is_detour and self._notebook.is_incidental(answer.step, action, view):
            answer = answer.model_copy(update={"is_detour": False})
        objection = self._notebook.missing_note(answer) or self._misfit(action, view)
        if objection and not is_last:
            raise UnusableError(objection)
        return answer, action

    def _misfit(self, action: Action, view: Observation) -> str:
        """Why the field refuses the value; values from the text or a binding are not judged."""
        if not isinstance(action, actions.Type):
            return ""
        element, value = view.element(action.element), self._values.real(action.text)
        is_prescribed = value in self._task.bindings.values() or value.casefold() in self._text
        if element is None or is_prescribed or not (accepted := misfit(value, element)):
            return ""
        return f"field {element.id} takes {accepted}: make up a value that fits"

    def _file(self, name: str) -> str:
        """The path of a file of that name; only a binding may name an existing one."""
        is_binding = name in self._task.bindings.values()
        return file_named(self._task, name or None, None, is_bound=is_binding)

    def _conclude(
        self, view: Observation, answer: AgentAnswer, action: Action, suspicious: str
    ) -> Decision:
        update = self._notebook.take(answer.notes, view)
        step = self._step = answer.step
        self._progress = answer.progress
        self._history.add(
            view,
            action,
            step,
            is_detour=answer.is_detour,
            page_limit=self._settings.kept_observations,
        )
        if action.is_final:
            update = update.merged_with(self._notebook.close())
        else:
            action_text = action_in_words(view, action)
            self._notebook.record_action(step, action_text, is_detour=answer.is_detour)
        if isinstance(action, actions.Type):
            action = replace(action, text=self._values.real(action.text))
        thought = " ".join(f"{answer.page} {answer.next}".split())[:_THOUGHT]
        if suspicious_text := suspicious or answer.suspicious.strip():
            thought = f"{thought} [{_warning(suspicious_text)}]".strip()
            if suspicious_text not in self._warned_of:
                self._warned_of.add(suspicious_text)
                self._unreported_warnings.append(_warning(suspicious_text))
        update = self._with_warnings(update)
        return self._decision(action, thought, update, is_detour=answer.is_detour)

    def _with_warnings(self, update: NotebookUpdate) -> NotebookUpdate:
        """Add warnings about text for an assistant to the next report."""
        if not (update.reports and self._unreported_warnings):
            return update
        first, *others = update.reports
        note = "; ".join(filter(None, (first.note, *self._unreported_warnings)))
        self._unreported_warnings.clear()
        return update._replace(reports=(replace(first, note=note), *others))

    def _decision(
        self, action: Action, thought: str, update: NotebookUpdate, *, is_detour: bool
    ) -> Decision:
        return Decision(
            action=action,
            step=self._step,
            thought=thought,
            reports=update.reports,
            divergences=update.divergences,
            withdrawn=update.withdrawn,
            is_detour=is_detour,
            spent=self._purse.turn,
            exchanges=self.exchanges,
        )


def agent_policy(
    task: Task,
    client: ModelClient,
    settings: AgentSettings,
    picture: Picture | None = None,
    *,
    attempt: int = 1,
) -> ModelPolicy | ShortPolicy:
    """The policy for one attempt, in the form that the settings name."""
    if settings.form == "short":
        return ShortPolicy(task, client, settings, temperature_of(settings, attempt))
    return ModelPolicy(task, client, settings, picture, attempt=attempt)


def temperature_of(settings: AgentSettings, attempt: int) -> float:
    """The temperature of all questions of an attempt."""
    return min(2.0, settings.temperature + _WARMER * (attempt - 1))


def _warning(text: str) -> str:
    return f"the page holds text addressed to an assistant: “{line(text)}”"
