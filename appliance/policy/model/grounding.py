"""Finds on the page the element that a planner named in words."""

from collections.abc import Awaitable, Callable
from functools import partial

from appliance.browser import LEGEND, describe
from appliance.core.page import Element, Observation
from appliance.core.tokens import estimate_tokens
from appliance.inference.messages import IMAGE_TOKENS, ModelReply
from appliance.language.names import plain
from appliance.policy.literal import in_row, is_in_several_rows, match_clickable, match_field
from appliance.policy.model.answer import Described, GrounderAnswer, found_schema
from appliance.policy.model.conversation import Asker
from appliance.policy.model.doing import Grounded, element_at
from appliance.policy.model.fence import text_to_assistant
from appliance.policy.model.prompting import question
from appliance.policy.model.prompts import render
from appliance.policy.model.reading import UnusableError, read

_FILLED = frozenset({"type", "select", "check", "upload"})


class Grounder:
    """Finds an element by its text, else by asking the model, which may see the screenshot."""

    def __init__(self, asker: Asker, *, tokens: int, images: bool) -> None:
        self._asker, self._language = asker, asker.language
        self._tokens, self._images = tokens, images
        self._schema = found_schema(images=images)
        self._system = render(
            asker.language, "grounder", legend=LEGEND[asker.language], images=images
        )
        self._fixed_tokens = estimate_tokens(self._system)

    async def find(
        self,
        described: Described,
        action: str,
        view: Observation,
        picture: Callable[[], Awaitable[bytes | None]],
    ) -> Grounded:
        """The element that these words describe.

        Raises:
            UnusableError: It is not there, as words for the planner.
            ModelError: The model's endpoint is away, or refuses.
        """
        if (element := by_text(described, action, view)) is not None:
            return Grounded(element=element.id)
        shot = await picture() if self._images else None
        page = describe(view, budget=self._tokens)
        prompt_text = render(
            self._language, "find", page=page, action=action, role=described.role or "element",
            label=described.label, place=described.place, warning=text_to_assistant(view),
        )  # fmt: skip
        tokens = self._fixed_tokens + estimate_tokens(prompt_text) + (IMAGE_TOKENS if shot else 0)
        answer = await self._asker.ask(
            question(self._system, prompt_text, shot), tokens, self._schema, partial(_use, view)
        )
        if answer.found == "element":
            return Grounded(element=answer.element)
        if answer.found == "point" and action == "click":
            return element_at(view, answer.x, answer.y)
        raise UnusableError(
            f"no element of the page is {described.role or 'an element'} {described.label!r}"
            f"{f', {described.place}' if described.place else ''}"
        )


async def _use(view: Observation, reply: ModelReply, is_last: bool) -> GrounderAnswer:
    answer = read(reply, GrounderAnswer)
    if answer.found == "element" and view.element(answer.element) is None:
        raise UnusableError(f"there is no element {answer.element} on the page")
    return answer


def by_text(described: Described, action: str, view: Observation) -> Element | None:
    """The single element of exactly that name; None if there is none, or more than one."""
    rows = {e.row for e in view.elements if e.row is not None}
    row = next((cell for cell in _cells(rows) if cell and cell in plain(described.place)), "")
    if action in _FILLED or described.role in ("textbox", "combobox", "checkbox", "field"):
        match = match_field(view, described.label) or match_clickable(
            view, described.label, row=row
        )
    else:
        match = match_clickable(view, described.label, noun=described.role, row=row)
        match = match or match_field(view, described.label)
    if match is None or not match.how.is_strict:
        return None
    element = match.element
    if row:
        return element if in_row(element, row) else None
    return None if is_in_several_rows(view, match) or _has_twin(element, view) else element


def _cells(rows: set[str]) -> list[str]:
    """The first cell of each row, which tells rows apart, longest first."""
    cells = {plain(row.split(" | ")[0]) for row in rows}
    return sorted(cells, key=len, reverse=True)


def _has_twin(element: Element, view: Observation) -> bool:
    """Whether the words describe another element as well, so that a model has to choose."""
    return any(
        e.id != element.id
        and (e.role, plain(e.name), e.dialog, e.region)
        == (element.role, plain(element.name), element.dialog, element.region)
        for e in view.elements
    )
