"""Samples built by rule from pages that were seen, whatever became of the attempts on them.

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
from appliance.training.answers import place_of
from appliance.training.kinds import PromptForm, Stage
from appliance.training.personal import Masking
from appliance.training.samples import Asked, Sample, Sampler, sample_of
from appliance.verification import Demonstration, KeptAction, Moment

POLICY = "rule"
VERSION = "built-1"
_A_PAGE = 4
"""Operations on each page."""
_CLICKED = frozenset({"button", "link", "tab", "menuitem"})
_BOXES = frozenset({"checkbox", "switch"})
_TYPED = frozenset({"textbox", "searchbox"})
_FIXED = frozenset({"disabled", "readonly", "covered"})
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
    """A page that an attempt has seen, and which attempt it was."""

    row: DemonstrationRow
    of: Demonstration
    turn: int

    @property
    def view(self) -> Observation:
        """The page."""
        return self.of.moments[self.turn].view

    @property
    def language(self) -> str:
        """Of the document that led there: sentences are written in it."""
        return self.of.procedure.language if self.of.procedure.language in _SENTENCES else "en"


def seen_pages(
    judged: Collection[JudgedDemonstration], artifact: Callable[[ArtifactRef], bytes]
) -> list[SeenPage]:
    """All pages of a store's attempts, each once; what is not kept any more is left out."""
    found: dict[tuple[str, str], SeenPage] = {}
    for one in judged:
        try:
            of = Demonstration.from_json(artifact(one.row.artifact))
        except StoreError:
            continue
        for turn, moment in enumerate(of.moments):
            text = short_page(moment.view)
            known = text.replace(of.unique, "*") if of.unique else text
            found.setdefault((one.row.document, known), SeenPage(one.row, of, turn))
    return list(found.values())


class Built(StrEnum):
    """What can be built."""

    RECOGNITION = "recognition"
    OPERATION = "operation"
    GROUNDING = "grounding"  # which element is meant, for the grounder alone


def built(pages: Sequence[SeenPage], wanted: Collection[str], sampler: Sampler) -> list[Sample]:
    """All that is wanted.

    Args:
        pages: Of which it is built.
        wanted: Kinds of it.
        sampler: Of samples that are asked as the agent is.
    """
    made = list[Sample]()
    if Built.RECOGNITION in wanted:
        made += recognitions(pages, sampler.forms)
    if Built.OPERATION in wanted:
        made += operations(pages, sampler, _named)
    if Built.GROUNDING in wanted:
        apart = sampler.agent.model_copy(update={"planner_grounder": True})
        asked = replace(sampler, forms=(PromptForm.FULL,), agent=apart)
        made += [one for one in operations(pages, asked, _twins) if one.role == "grounder"]
    return made


def operations(
    pages: Sequence[SeenPage], sampler: Sampler, on: Callable[[Observation], list[Element]]
) -> list[Sample]:
    """Single actions, each with the sentence that asks for it, asked as the agent asks.

    Args:
        pages: Where they are done.
        sampler: Makes samples as of attempts.
        on: Which elements of a page they are done on.
    """
    made = list[Sample]()
    for page in pages:
        for action, sentence in _operations(page, on(page.view)):
            of = _one_step(page, action, sentence)
            row = replace(page.row, procedure_id=of.procedure.id, attempt=0)
            made += [
                replace(one, policy=POLICY, stage=Stage.OPERATION)
                for one in asyncio.run(sampler.sample(row, of)).samples
            ]
    return made


def recognitions(pages: Sequence[SeenPage], forms: Collection[PromptForm]) -> list[Sample]:
    """What a page is called, and whether something is on it: of those asked for, half are not."""
    names = sorted({_label(one) for page in pages for one in _named(page.view)})
    return [
        _recognition(page, form, question, answer)
        for page in pages
        for question, answer in _questions(page, names)
        for form in forms
    ]


def _operations(page: SeenPage, on: Sequence[Element]) -> Iterator[tuple[Action, str]]:
    draw = _draw(page)
    elements = [one for one in on if not one.states & _FIXED]
    for element in draw.sample(elements, len(elements))[:_A_PAGE]:
        if (found := _operation(element, draw)) is not None:
            action, kind, value = found
            words = _SENTENCES[page.language][kind]
            yield action, words.format(label=_label(element), value=value)


def _operation(element: Element, draw: Random) -> tuple[Action, str, str] | None:
    """An action that makes sense on an element, its kind, and what is typed or chosen."""
    if element.role in _CLICKED:
        return actions.Click(element.id), "click", ""
    if element.role in _BOXES:
        checked = "checked" not in element.states
        return actions.Check(element.id, checked), "check" if checked else "uncheck", ""
    if others := [one for one in element.options if one and one != element.value]:
        option = draw.choice(others)
        return actions.Select(element.id, option), "select", option
    if element.role in _TYPED and element.type != "password":
        value = f"{draw.choice(('web', 'demo', 'test', 'app'))}-{draw.randrange(100, 1000)}"
        return actions.Type(element.id, value), "type", value
    return None


def _one_step(page: SeenPage, action: Action, sentence: str) -> Demonstration:
    """The attempt of which this is all."""
    plain = sentence.translate(str.maketrans("", "", "*`")).rstrip(".。")
    text = f"# {page.view.title or '…'}\n\n## {plain}\n\n1. {sentence}\n"
    (procedure,) = parse_document(text, page.row.document, "markdown").procedures
    turn = Moment(view=page.view, action=KeptAction.of(action), step=procedure.steps[0].index)
    return replace(page.of, procedure=procedure, bindings={}, resources="", moments=(turn,))


def _questions(page: SeenPage, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    called, there, yes, no = _QUESTIONS[page.language]
    draw, here = _draw(page), [_label(one) for one in _named(page.view)]
    everything = short_page(page.view)
    away = [name for name in names if name not in everything]
    if page.view.title:
        yield called, page.view.title
    if here and away:
        yield there.format(label=draw.choice(here)), yes
        yield there.format(label=draw.choice(away)), no


def _recognition(page: SeenPage, form: PromptForm, question: str, answer: str) -> Sample:
    shown = "\n".join(short_page(page.view).splitlines()[1:])  # the first line is its title
    messages = ({"role": "user", "content": f"{shown}\n{question}"},)
    asked = Asked("agent", VERSION, messages, answer)
    return replace(
        sample_of(page.row, page.of, form, page.turn, asked, Masking()),
        language=page.language,
        policy=POLICY,
        kind="recognise",
        is_untrue=False,
        stage=Stage.RECOGNITION,
    )


def _named(view: Observation) -> list[Element]:
    """Elements that can be used and that their labels tell apart."""
    labelled = _labelled(view)
    labels = [label for _, label in labelled]
    return [one for one, label in labelled if labels.count(label) == 1]


def _twins(view: Observation) -> list[Element]:
    """Elements that only their places tell apart: of these the grounder is asked."""
    labelled = _labelled(view)
    labels = [label for _, label in labelled]
    places = [(label, place_of(one)) for one, label in labelled]
    return [
        one
        for (one, label), place in zip(labelled, places, strict=True)
        if labels.count(label) > 1 and place[1] and places.count(place) == 1
    ]


def _labelled(view: Observation) -> list[tuple[Element, str]]:
    """Those that can be used and that documentation could write in bold."""
    labelled = [(one, _label(one)) for one in usable_elements(view)]
    return [(one, label) for one, label in labelled if label and not set(label) & set("*`")]


def _label(element: Element) -> str:
    return " ".join((element.name or element.text).split())


def _draw(page: SeenPage) -> Random:
    return Random(f"{page.row.document}/{page.view.fingerprint}")  # noqa: S311 - repeatable
