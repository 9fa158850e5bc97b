"""A small page per kind of widget: what is listed of it, and how a reader is told of it.

A kind is an entry of `kinds/*.yaml`: `html`, and what must be seen of it. `controls` lists all that
is listed, in order; `has` some of it, each once; `count` how many there are; `absent` names that
are not; `texts`, `notices` and `dialogs` what can be read. A control says only what matters:
attributes of `Element` as they must be, `states` it has, and states it is `without`.
"""

from pathlib import Path

import pytest
import yaml

from appliance.browser import describe
from appliance.core.page import TextKind

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

KINDS = {
    f"{file.stem}: {name}": kind
    for file in sorted((Path(__file__).parent / "kinds").glob("*.yaml"))
    for name, kind in yaml.safe_load(file.read_text("utf-8")).items()
}


def fits(element, wanted):
    """Whether an element is what the file says."""
    rest = {k: v for k, v in wanted.items() if k not in ("states", "without")}
    return (
        set(wanted.get("states", ())) <= element.states
        and not set(wanted.get("without", ())) & element.states
        and all(told(element, key) == value for key, value in rest.items())
    )


def told(element, key):
    value = getattr(element, key)
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("kind", KINDS)
async def test_a_kind_of_widget(see, kind):
    wanted = KINDS[kind]
    view = await see(wanted["html"])
    seen = describe(view) + "\n".join(str(e) for e in view.elements)
    if "controls" in wanted:
        assert len(view.elements) == len(wanted["controls"]), seen
        for element, control in zip(view.elements, wanted["controls"], strict=True):
            assert fits(element, control), f"{control}\n{element}\n{seen}"
    for control in wanted.get("has", ()):
        hits = [e for e in view.elements if fits(e, control)]
        assert len(hits) == 1, f"{len(hits)} of {control}\n{seen}"
    assert len(view.elements) == wanted.get("count", len(view.elements)), seen
    assert not {e.name for e in view.elements} & set(wanted.get("absent", ())), seen
    texts = {t.text for t in view.texts}
    assert set(wanted.get("texts", ())) <= texts, seen
    errors = {t.text for t in view.texts if t.kind is TextKind.ERROR}
    assert set(wanted.get("errors", ())) <= errors, seen
    assert set(wanted.get("notices", ())) <= {t.text for t in view.notices()}, seen
    assert list(view.dialogs) == wanted.get("dialogs", list(view.dialogs)), seen
