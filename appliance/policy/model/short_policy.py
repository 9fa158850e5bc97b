"""The policy that asks a small model for every action, in the short form."""

from collections.abc import Iterator

from appliance.config import AgentSettings
from appliance.core import actions
from appliance.core.errors import AnswerError
from appliance.core.page import Observation, Performed
from appliance.core.tokens import estimate_tokens
from appliance.core.verdict import PolicyName
from appliance.inference.client import ModelClient
from appliance.policy.base import Decision, Exchange, Task
from appliance.policy.model.answer import Note
from appliance.policy.model.conversation import BudgetError, Purse
from appliance.policy.model.notes import Notebook, action_in_words
from appliance.policy.model.reading import UnusableError
from appliance.policy.model.secret_values import Values
from appliance.policy.model.short_form import VERSION, ShortAnswer, ShortForm


class ShortPolicy:
    """One question of some 300 tokens a turn; an answer that cannot be used ends the attempt."""

    name = PolicyName.MODEL

    def __init__(
        self, task: Task, client: ModelClient, settings: AgentSettings, temperature: float
    ) -> None:
        self._task, self._client, self._settings = task, client, settings
        self._temperature = temperature
        self._values = Values(task.bindings)
        self._form = ShortForm(task.procedure, dict(self._values.shown), task.unique)
        self._purse = Purse(settings.budget_tokens)
        self._acted_steps: dict[str, None] = {}
        self._untrue: set[str] = set()
        self._notebook = Notebook(task.procedure)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was asked in this turn, also where it ended in an error."""
        return tuple(self._purse.exchanges)

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now.

        Raises:
            ModelError: The model's endpoint is away, or refuses.
            AnswerError: Its answer could not be used.
        """
        self._purse.begin()
        prompt = self._form.prompt(view)
        try:
            self._purse.reserve(estimate_tokens(prompt) + self._settings.answer_tokens)
        except BudgetError as exc:
            return Decision(action=actions.Unachievable(why=str(exc)), step="", is_over_budget=True)
        answer = await self._ask(prompt, view)
        return self._decision(answer, view)

    async def _ask(self, prompt: str, view: Observation) -> ShortAnswer:
        messages = ({"role": "user", "content": prompt},)
        reply = await self._client.ask(
            messages,
            max_tokens=self._settings.answer_tokens,
            temperature=self._temperature,
            model=self._settings.adapter,
        )
        problem, answer = "", None
        try:
            answer = self._form.read(reply.text, view)
        except UnusableError as exc:
            problem = str(exc)
        self._purse.pay(
            reply,
            Exchange(
                role="agent",
                version=VERSION,
                messages=messages,
                answer=reply.text,
                problem=problem,
                trace=reply.trace,
            ),
        )
        if answer is None:
            raise AnswerError(f"the model's answer could not be used: {problem}")
        self._form.record_turn(answer.step, reply.text.strip())
        return answer

    def _decision(self, answer: ShortAnswer, view: Observation) -> Decision:
        action, notebook = answer.action, self._notebook
        notebook.see(view)
        noted = notebook.take(list(self._notes(answer, view)), view)
        if action.is_final:
            noted = noted.merged_with(notebook.close())
        else:
            notebook.record_action(answer.step, action_in_words(view, action), is_detour=False)
            self._acted_steps.setdefault(answer.step)
        if isinstance(action, actions.Type):
            action = actions.Type(action.element, self._values.real(action.text))
        return Decision(
            action=action,
            step=answer.step,
            reports=noted.reports,
            divergences=noted.divergences,
            withdrawn=noted.withdrawn,
            spent=self._purse.turn,
            exchanges=self.exchanges,
        )

    def _notes(self, answer: ShortAnswer, view: Observation) -> Iterator[Note]:
        """Notes on steps that the answer calls untrue; at the end, also on all other steps."""
        element = view.element(answer.action.element) if answer.action.element is not None else None
        for step, kind in answer.untrue:
            self._untrue.add(step)
            shown = (element.name or element.text) if element and answer.step == step else ""
            yield Note(step=step, matched="differs", kind=kind, shown=shown)
        if answer.action.is_final:
            for step in self._acted_steps:
                if step not in self._untrue:
                    yield Note(step=step, matched="as_written")
