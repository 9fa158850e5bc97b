"""What is built by rule from pages: recognition, single operations, questions to the grounder."""

import json
from dataclasses import replace

import pytest

from appliance.config.settings import AgentSettings
from appliance.core import actions
from appliance.policy.model import ShortForm
from appliance.training.built import (
    SampleSource,
    _operations_on,
    _single_step_attempt,
    _uniquely_labelled,
    build_samples,
    seen_pages,
)
from appliance.training.dataset import Dataset
from appliance.training.kinds import PromptForm, Stage
from appliance.training.options import SftOptions, options_of
from appliance.training.samples import Sampler
from appliance.training.selection import why_not_attempt
from appliance.training.stages import order_by_stage
from tests.policy.policy_model_desk import element, view
from tests.training.training_attempts import NAME, attempt, judged, turn, turns

SAMPLER = Sampler(forms=tuple(PromptForm), agent=AgentSettings(), context_tokens=8192)
FIELDS = view(
    element(1, "button", "Create"),
    element(2, "checkbox", "Replicate", states=frozenset({"checked"})),
    element(3, "combobox", "Size", value="Small", options=("Small", "Large")),
    element(4, "textbox", "Label", value=""),
    element(5, "textbox", "Password", type="password", value=""),
    element(6, "button", "Twice", section="Above"),
    element(7, "button", "Twice", section="Below"),
    element(8, "button", "Grey", states=frozenset({"disabled"})),
    title="Disks",
    fingerprint="fields",
)
MADE = {
    "docs/a.md": attempt([turn(FIELDS, actions.Click(1), "1")]),
    "docs/b.md": attempt(turns()),
}


def pages():
    # nothing of the first is fit to be imitated
    rows = [judged(document=name, artifact=name) for name in MADE]
    rows[0] = replace(rows[0], row=replace(rows[0].row, reached=False))
    assert why_not_attempt(rows[0])
    return seen_pages(rows, lambda name: MADE[name].to_json().encode())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_operation_is_read_as_documentation_is_and_its_answer_does_it(language):
    (page,) = [one for one in pages() if one.view.fingerprint == "fields"]
    page = replace(
        page,
        attempt=replace(page.attempt, procedure=replace(page.attempt.procedure, language=language)),
    )
    made = dict(_operations_on(page, _uniquely_labelled(page.view)))
    assert {type(one) for one in made} <= {
        actions.Click,
        actions.Check,
        actions.Select,
        actions.Type,
    }
    assert {one.element for one in made} <= {1, 2, 3, 4}  # no secret, nothing grey or ambiguous
    assert len(made) >= 3
    for action, sentence in made.items():
        of = _single_step_attempt(page, action, sentence)
        form = ShortForm(of.procedure, of.bindings, of.unique)
        said = form.answer(page.view, action, "1", ())
        assert said is not None
        assert form.read(said, page.view).action == action
        assert sentence in form.prompt(page.view)


def test_built_samples_are_asked_as_the_agent_asks_and_are_of_their_stage():
    made = build_samples(pages(), [SampleSource.OPERATION], SAMPLER)
    assert {one.form for one in made} == set(PromptForm)
    assert {(one.stage, one.policy) for one in made} == {(Stage.OPERATION, "rule")}
    short = next(one for one in made if one.form is PromptForm.SHORT)
    assert json.loads(short.messages)[0]["content"].endswith("Action:")
    full = next(one for one in made if one.form is PromptForm.FULL)
    assert json.loads(full.answer)["action"]["kind"]
    assert made == build_samples(pages(), [SampleSource.OPERATION], SAMPLER)


def test_the_grounder_learns_from_observations_alone():
    made = build_samples(pages(), [SampleSource.GROUNDING], SAMPLER)
    assert {one.role for one in made} == {"grounder"}
    assert {json.loads(one.answer)["element"] for one in made} == {6, 7}
    (above,) = [one for one in made if json.loads(one.answer)["element"] == 6]
    assert "Above" in json.loads(above.messages)[-1]["content"]


def test_a_page_is_recognised_without_its_title_and_half_of_what_is_asked_for_is_not_there():
    made = build_samples(
        pages(), [SampleSource.RECOGNITION], replace(SAMPLER, forms=(PromptForm.SHORT,))
    )
    asked = {one.id: json.loads(one.messages)[0]["content"] for one in made}
    called = [one for one in made if "called?" in asked[one.id]]
    assert {one.answer for one in called} >= {"Disks", "Buckets", "Home"}
    assert all("Page: " not in text for text in asked.values())
    there = [one.answer for one in made if "Is there" in asked[one.id]]
    assert there.count("yes") == there.count("no") > 0
    for one in made:
        if one.answer == "no":
            label = asked[one.id].rpartition("“")[2].partition("”")[0]
            assert label not in asked[one.id].rpartition("\n")[0]
    assert all(NAME not in text for text in asked.values() if "called?" in text)


def test_a_page_of_several_attempts_is_seen_once():
    rows = [judged(document="docs/b.md", artifact=n, attempt=n) for n in (1, 2)]
    made = {1: attempt(turns()), 2: attempt(turns())}
    seen = seen_pages(rows, lambda number: made[number].to_json().encode())
    assert len(seen) == len({one.view.fingerprint + one.view.title for one in seen})
    assert {one.row.attempt for one in seen} == {1}


def test_held_out_documents_are_asked_about_with_turns_of_attempts_only():
    made = build_samples(pages(), list(SampleSource), SAMPLER)
    turns_of = [replace(one, stage=Stage.TASK, id=f"{one.id}-t") for one in made[-2:]]
    held = Dataset.of([*made, *turns_of], [turns_of[0].document.rpartition("/")[2]])
    assert {one.stage for one in held.held_out} == {Stage.TASK}
    assert {one.document for one in held.train}.isdisjoint(one.document for one in held.held_out)
    alone = Dataset.of(made, ["a.*"])
    assert {one.stage for one in alone.held_out} == {Stage.OPERATION}


def test_stages_are_learnt_one_after_the_other_each_as_often_as_the_epochs_say():
    samples = [{"id": n, "stage": stage} for n, stage in enumerate(["task", "recognition"] * 4)]
    samples.append({"id": 9})  # of a dataset of before
    order = [one.value for one in Stage]
    learnt = order_by_stage(samples, order, 1.5, seed=1)
    assert [one.get("stage", "task") for one in learnt] == ["recognition"] * 6 + ["task"] * 8
    assert len({one["id"] for one in learnt[:4]}) == 4  # all of them before any comes again
    assert order_by_stage(samples[8:], order, 2, seed=0) == []
    told = options_of(SftOptions, ["stages=operation, task"])
    assert told.stages == (Stage.OPERATION, Stage.TASK)
