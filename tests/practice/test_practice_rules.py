"""Each rule of the product data, by breaking it."""

import copy

import pytest

from appliance.practice.loading import find
from appliance.practice.rules import problems_of

RACK, PART, KEY = (f"lab.resources.{kind}" for kind in ("rack", "part", "key"))


def test_the_lab_keeps_all_rules(lab_tree):
    assert problems_of(lab_tree) == []


BROKEN = [
    ("lab.category", "compote", "lab: no category 'compote'"),
    ("lab.entry", "rocks", "lab.entry: there is no 'rocks'; did you mean 'racks'?"),
    ("lab.navigation.all.entries.racks.id", "about", "lab.navigation: 'about' is there twice"),
    ("lab.navigation.all.entries.racks.resource", "rock", "racks: there is no 'rock'; did you"),
    ("lab.navigation.all.entries.about.page", "abut", "about: there is no 'abut'; did you mean"),
    ("console.regions.east.id", "north", "console.regions: 'north' is there twice"),
    ("console.permissions.billing.roles", ["boss"], "roles: there is no 'boss'"),
    (f"{PART}.collection", "racks", "lab: collection: 'racks' is there twice"),
    # lists and tabs
    (f"{RACK}.list.columns.state.field", "stat", "there is no 'stat'; did you mean 'state'?"),
    (f"{RACK}.list.columns.state.field", "name", "list.columns: 'name' is there twice"),
    (f"{RACK}.list.columns.state.field", "pin", "pin is a secret and cannot be listed"),
    (f"{RACK}.list.search", ["nme"], "list.search: there is no 'nme'"),
    (f"{RACK}.list.filters", ["height"], "list.filters: there is no 'height'"),
    (f"{RACK}.list.more", ["delte"], "rack.actions: there is no 'delte'; did you mean 'delete'?"),
    (f"{RACK}.detail.tabs.parts.resource", "key", "a key does not refer to a rack"),
    (f"{RACK}.detail.tabs.parts.header", ["paint"], "tabs.parts: there is no 'paint'"),
    (f"{RACK}.detail.tabs.paint.action", "delete", "tabs.paint: there is no 'delete'"),
    (f"{RACK}.detail.tabs.paint.id", "parts", "detail.tabs: 'parts' is there twice"),
    (f"{RACK}.detail.tabs.paint.fields", ["pin"], "pin is a secret and cannot be shown"),
    # actions
    (f"{RACK}.actions.create.event", "", "it needs an event and a success notice"),
    (f"{RACK}.actions.create.success", None, "it needs an event and a success notice"),
    (f"{RACK}.actions.create.form", None, "a creation has a form, and nothing else has"),
    (f"{RACK}.actions.create.to", "", "goes through a state and leads to none"),
    (f"{RACK}.actions.create.to", "redy", "there is no 'redy'; did you mean 'ready'?"),
    (f"{RACK}.actions.create.reveals", ["name"], "reveals: there is no 'name'"),
    (f"{RACK}.actions.create.form.steps.one.fields", ["nme"], "form.one: there is no 'nme'"),
    (f"{RACK}.actions.create.form.steps.one.fields", ["name", "name"], "is asked for twice"),
    (f"{RACK}.actions.create.form.steps.one.fields", ["address"], "address is generated"),
    (f"{RACK}.actions.paint.permission", "biling", "there is no 'biling'; did you mean 'billing'?"),
    (f"{RACK}.actions.paint.fields", [], "edits have fields, and nothing else has"),
    (f"{RACK}.actions.paint.kind", "delete", "the action of the kind delete is called delete"),
    (f"{RACK}.actions.paint.clears", ["colour"], "only a transition empties fields"),
    (f"{RACK}.actions.paint.reveals", ["address"], "only a creation reveals"),
    (f"{RACK}.actions.add-part.resource", "key", "a key does not refer to a rack"),
    (f"{RACK}.actions.add-part.resource", "prt", "there is no 'prt'; did you mean 'part'?"),
    (f"{PART}.actions.use.requires", ["name"], "requires: there is no 'name'"),
    (f"{PART}.actions.free.to", "", "a transition leads to a state"),
    (f"{PART}.actions.free.clears", ["keys"], "clears: there is no 'keys'; did you mean 'key'?"),
    # fields
    (f"{RACK}.fields.colour.default", "blue", "the default 'blue' is none of the options"),
    (f"{RACK}.fields.colour.options", [], "choices have options, and nothing else has"),
    (f"{RACK}.fields.colour.widget", "slider", "a choice cannot be entered with 'slider'"),
    (f"{RACK}.fields.colour.options.red.value", "grey", "an option is there twice"),
    (f"{RACK}.fields.height.default", 1, "the default 1 is not accepted"),
    (f"{RACK}.fields.height.max", 1, "the lower bound is above the upper one"),
    (f"{RACK}.fields.height.example", "50", "the example 50 is not accepted"),
    (f"{RACK}.fields.name.example", "No", "the example 'No' is not accepted"),
    (f"{RACK}.fields.name.pattern", "[", "the pattern cannot be used"),
    (f"{RACK}.fields.range.default", "10.0.0", "the default '10.0.0' is not accepted"),
    (f"{RACK}.fields.locked.generated", "key", "what is generated is a text or a secret"),
    (f"{RACK}.fields.pin.shown_if.field", "lock", "there is no 'lock'; did you mean 'locked'?"),
    (f"{RACK}.fields.pin.shown_if.field", "name", "name is neither a choice nor a boolean"),
    (f"{RACK}.fields.pin.shown_if.values", ["yes"], "locked is never 'yes'"),
    (f"{RACK}.fields.pin_kind.shown_if.field", "pin_kind", "pin_kind wait for one another"),
    (f"{RACK}.price.by", {"width": {"each": 1}}, "price.by: there is no 'width'"),
    (f"{RACK}.price.by.height", {"2": 1}, "a number has the price of one"),
    (f"{PART}.fields.rack.refers_to", "", "references name a kind in refers_to"),
    (f"{PART}.fields.rack.refers_to", "rak", "there is no 'rak'; did you mean 'rack'?"),
    (f"{PART}.fields.note.refers_to", "rack", "references name a kind in refers_to"),
    (f"{PART}.fields.range.within", "rck", "within: there is no 'rck'; did you mean 'rack'?"),
    (f"{PART}.fields.range.within", "note", "within: note is no reference"),
    (f"{PART}.fields.range.within", "key", "within: key: there is no 'range'"),
    (f"{PART}.fields.key.within", "rack", "within: key: there is no 'rack'"),
    (f"{PART}.fields.config.language", "yaml", "part.fields.config.language: input should be"),
]


@pytest.mark.parametrize(("path", "value", "said"), BROKEN, ids=lambda value: str(value)[:40])
def test_what_does_not_fit_is_said(lab_tree, path, value, said):
    tree = copy.deepcopy(lab_tree)
    *around, last = path.split(".")
    if "." in path and find(tree, ".".join(around)).value is not None:
        find(tree, ".".join(around)).value[last] = value
    problems = problems_of(tree)
    assert any(said in problem for problem in problems), problems


def test_code_says_how_long_it_may_be(lab_tree):
    tree = copy.deepcopy(lab_tree)
    del find(tree, f"{PART}.fields.config").value["max_length"]
    assert problems_of(tree) == [
        "lab.resources.part.fields.config: code needs a max_length, for the usual one is too short"
    ]


def test_a_kind_is_of_one_product(lab_tree):
    tree = copy.deepcopy(lab_tree)
    tree["products"]["other"] = copy.deepcopy(tree["products"]["lab"])
    assert "resource: 'rack' is there twice" in problems_of(tree)
