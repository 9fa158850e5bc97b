"""Samples built by rule from recorded pages, whether or not the attempts on them succeeded.

AutoWebGLM (Lai et al. 2024, arXiv 2404.03648, section 3.3) teaches in this order: to recognise a
page, then single operations, each written backwards (an element of the page first, then the
sentence that asks for it), then whole tasks. Its sentences are written by a model; ours by rule, as
documentation writes them, and read as documentation is.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.errors import StoreError
from appliance.core.page import Element, Observation
from appliance.core.result import ArtifactRef
from appliance.documents import parse_document
from appliance.policy.model import short_page, usable_elements
from appliance.store.demonstrations import DemonstrationRow, JudgedDemonstration
from appliance.training.answers import describe_place
from appliance.training.kinds import PromptForm, Stage
from appliance.training.personal import Masking
from appliance.training.samples import LabelledQuestion, Sample, Sampler, sample_of
from appliance.verification import Demonstration, KeptAction, Moment

POLICY = "rule"
VERSION = "built-1"
_OPERATIONS_PER_PAGE = 4
"""Operations on each page."""
_CLICKABLE_ROLES = frozenset({"button", "link", "tab", "menuitem"})
_CHECKABLE_ROLES = frozenset({"checkbox", "switch"})
_TEXT_ROLES = frozenset({"textbox", "searchbox"})
_UNUSABLE_STATES = frozenset({"disabled", "readonly", "covered"})
_SENTENCES = {
    "en": {
        "click": "Click **{label}**.",
        "check": "Select the **{label}** check box.",
        "uncheck": "Clear the **{label}** check box.",
        "type": "In **{label}**, enter `{value}`.",
        "select": "From **{label}**, select **{value}**.",
    },
    "zh": {
        "click": "单击 **{label}**。",
        "check": "选中 **{label}** 复选框。",
        "uncheck": "取消选中 **{label}** 复选框。",
        "type": "在 **{label}** 中输入 `{value}`。",
        "select": "在 **{label}** 中选择 **{value}**。",
    },
}
_QUESTIONS = {
    "en": ("What is this page called?", "Is there anything called “{label}” here?", "yes", "no"),
    "zh": ("这个页面叫什么？", "页面上有名为“{label}”的内容吗？", "有", "没有"),
}


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page recorded during an attempt."""

    row: DemonstrationRow
    attempt: Demonstration
    turn: int

    @property
    def view(self) -> Observation:
        """The page."""
        return self.attempt.moments[self.turn].view

    @property
    def language(self) -> str:
        """Language of the document that led to the page; sentences are built in it."""
        return (
            self.attempt.procedure.language
            if self.attempt.procedure.language in _SENTENCES
            else "en"
        )


def seen_pages(
    judged: Collection[JudgedDemonstration], artifact: Callable[[ArtifactRef], bytes]
) -> list[SeenPage]:
    """Return each distinct page of the attempts once; deleted artifacts are skipped."""
    pages: dict[tuple[str, str], SeenPage] = {}
    for judged_attempt in judged:
        try:
            attempt = Demonstration.from_json(artifact(judged_attempt.row.artifact))
        except StoreError:
            continue
        for turn, moment in enumerate(attempt.moments):
            text = short_page(moment.view)
            masked_text = text.replace(attempt.unique, "*") if attempt.unique else text
            pages.setdefault(
                (judged_attempt.row.document, masked_text),
                SeenPage(judged_attempt.row, attempt, turn),
            )
    return list(pages.values())


class SampleSource(StrEnum):
    """The kinds of samples that can be built."""

    RECOGNITION = "recognition"
    OPERATION = "operation"
    GROUNDING = "grounding"  # which element is meant, for the grounder alone


def build_samples(
    pages: Sequence[SeenPage], sources: Collection[str], sampler: Sampler
) -> list[Sample]:
    """Build samples of the requested kinds.

    Args:
        pages: The pages to build from.
        sources: The kinds of samples to build.
        sampler: Makes samples whose prompts are the agent's.
    """
    samples = list[Sample]()
    if SampleSource.RECOGNITION in sources:
        samples += recognition_samples(pages, sampler.forms)
    if SampleSource.OPERATION in sources:
        samples += operation_samples(pages, sampler, _uniquely_labelled)
    if SampleSource.GROUNDING in sources:
        grounder_agent = sampler.agent.model_copy(update={"planner_grounder": True})
        grounder_sampler = replace(sampler, forms=(PromptForm.FULL,), agent=grounder_agent)
        samples += [
            sample
            for sample in operation_samples(pages, grounder_sampler, _told_apart_by_place)
            if sample.role == "grounder"
        ]
    return samples


def operation_samples(
    pages: Sequence[SeenPage],
    sampler: Sampler,
    choose_elements: Callable[[Observation], list[Element]],
) -> list[Sample]:
    """Build single-action samples with the agent's prompt, each with a sentence that asks for it.

    Args:
        pages: The pages to act on.
        sampler: Makes samples as it does for attempts.
        choose_elements: Selects the elements of a page to act on.
    """
    samples = list[Sample]()
    for page in pages:
        for action, sentence in _operations_on(page, choose_elements(page.view)):
            attempt = _single_step_attempt(page, action, sentence)
            row = replace(page.row, procedure_id=attempt.procedure.id, attempt=0)
            samples += [
                replace(sample, policy=POLICY, stage=Stage.OPERATION)
                for sample in asyncio.run(sampler.sample(row, attempt)).samples
            ]
    return samples


def recognition_samples(pages: Sequence[SeenPage], forms: Collection[PromptForm]) -> list[Sample]:
    """Build questions about a page's title, and about whether a label is there (half are not)."""
    names = sorted({_label(element) for page in pages for element in _uniquely_labelled(page.view)})
    return [
        _recognition_sample(page, form, question, answer)
        for page in pages
        for question, answer in _questions(page, names)
        for form in forms
    ]


def _operations_on(page: SeenPage, on: Sequence[Element]) -> Iterator[tuple[Action, str]]:
    random = _page_random(page)
    elements = [one for one in on if not one.states & _UNUSABLE_STATES]
    for element in random.sample(elements, len(elements))[:_OPERATIONS_PER_PAGE]:
        if (operation := _operation_on(element, random)) is not None:
            action, kind, value = operation
            words = _SENTENCES[page.language][kind]
            yield action, words.format(label=_label(element), value=value)


def _operation_on(element: Element, random: Random) -> tuple[Action, str, str] | None:
    """An action that makes sense on an element, its kind, and what is typed or chosen."""
    if element.role in _CLICKABLE_ROLES:
        return actions.Click(element.id), "click", ""
    if element.role in _CHECKABLE_ROLES:
        checked = "checked" not in element.states
        return actions.Check(element.id, checked), "check" if checked else "uncheck", ""
    if others := [
        option_text
        for option_text in element.options
        if option_text and option_text != element.value
    ]:
        option = random.choice(others)
        return actions.Select(element.id, option), "select", option
    if element.role in _TEXT_ROLES and element.type != "password":
        value = f"{random.choice(('web', 'demo', 'test', 'app'))}-{random.randrange(100, 1000)}"
        return actions.Type(element.id, value), "type", value
    return None


def _single_step_attempt(page: SeenPage, action: Action, sentence: str) -> Demonstration:
    """Return an attempt that consists of this one action."""
    title = sentence.translate(str.maketrans("", "", "*`")).rstrip(".。")
    text = f"# {page.view.title or '…'}\n\n## {title}\n\n1. {sentence}\n"
    (procedure,) = parse_document(text, page.row.document, "markdown").procedures
    moment = Moment(view=page.view, action=KeptAction.of(action), step=procedure.steps[0].index)
    return replace(page.attempt, procedure=procedure, bindings={}, resources="", moments=(moment,))


def _questions(page: SeenPage, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    title_question, presence_question, yes, no = _QUESTIONS[page.language]
    random, present_labels = (
        _page_random(page),
        [_label(one) for one in _uniquely_labelled(page.view)],
    )
    page_text = short_page(page.view)
    absent_labels = [name for name in names if name not in page_text]
    if page.view.title:
        yield title_question, page.view.title
    if present_labels and absent_labels:
        yield presence_question.format(label=random.choice(present_labels)), yes
        yield presence_question.format(label=random.choice(absent_labels)), no


def _recognition_sample(page: SeenPage, form: PromptForm, question: str, answer: str) -> Sample:
    page_text = "\n".join(short_page(page.view).splitlines()[1:])  # the first line is its title
    messages = ({"role": "user", "content": f"{page_text}\n{question}"},)
    labelled_question = LabelledQuestion("agent", VERSION, messages, answer)
    return replace(
        sample_of(page.row, page.attempt, form, page.turn, labelled_question, Masking()),
        language=page.language,
        policy=POLICY,
        kind="recognise",
        is_untrue=False,
        stage=Stage.RECOGNITION,
    )


def _uniquely_labelled(view: Observation) -> list[Element]:
    """Return the usable elements whose labels are unique on the page."""
    labelled = _with_labels(view)
    labels = [label for _, label in labelled]
    return [element for element, label in labelled if labels.count(label) == 1]


def _told_apart_by_place(view: Observation) -> list[Element]:
    """Return the elements that share a label and differ only by place: the grounder's task."""
    labelled = _with_labels(view)
    labels = [label for _, label in labelled]
    places = [(label, describe_place(element)) for element, label in labelled]
    return [
        element
        for (element, label), place in zip(labelled, places, strict=True)
        if labels.count(label) > 1 and place[1] and places.count(place) == 1
    ]


def _with_labels(view: Observation) -> list[tuple[Element, str]]:
    """Return the usable elements whose labels documentation could set in bold."""
    labelled = [(element, _label(element)) for element in usable_elements(view)]
    return [(element, label) for element, label in labelled if label and not set(label) & set("*`")]


def _label(element: Element) -> str:
    return " ".join((element.name or element.text).split())


def _page_random(page: SeenPage) -> Random:
    return Random(f"{page.row.document}/{page.view.fingerprint}")  # noqa: S311 - repeatable
