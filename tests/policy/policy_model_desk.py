"""A model policy at a desk: a procedure, a page made by hand, a model that answers as told."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from appliance.config.model_settings import AgentSettings, ModelSettings
from appliance.core.page import Box, Element, Observation, Performed, TextBlock, TextKind
from appliance.core.procedure import Procedure
from appliance.documents import parse_document
from appliance.inference.client import ModelClient
from appliance.inference.scripted import Offer, Script, Scripted, serving
from appliance.policy.base import Decision, Task
from appliance.policy.model import ModelPolicy, ShortPolicy, agent_policy

GUIDE = """# Buckets

## Create a bucket

1. Open **Storage** > **Buckets**.
2. Click **Create bucket**.
3. Enter a **Name** and click **Save**.

The bucket is shown in the list.
"""
DONE = Performed(ok=True)


def procedure(text: str = GUIDE) -> Procedure:
    return parse_document(text, "guide.md", "markdown").procedures[0]


def element(number: int, role: str, name: str, **more: object) -> Element:
    box = more.pop("box", Box(10, 40.0 * number, 100, 30))
    return Element(id=number, role=role, name=name, box=box, **more)


def view(*elements: Element, texts: Sequence[str] = (), **more: object) -> Observation:
    return Observation(
        **{
            "url": "http://console/storage",
            "title": "Console",
            "elements": elements or BUCKETS,
            "texts": tuple(
                TextBlock(kind=TextKind.TEXT, text=text, box=Box(10, 600 + 30.0 * n, 400, 20))
                for n, text in enumerate(texts)
            ),
            "viewport": Box(0, 0, 1280, 800),
            "fingerprint": str(elements),
            **more,
        }
    )


BUCKETS = (
    element(1, "link", "Storage"),
    element(2, "link", "Buckets"),
    element(3, "button", "Create bucket"),
    element(4, "textbox", "Name", value=""),
    element(5, "button", "Save"),
)


def said(**what: object) -> str:
    """An answer, with what is not said filled in."""
    usual: dict[str, object] = {
        "progress": "nothing yet",
        "page": "the console",
        "next": "go on",
        "notes": [],
        "suspicious": "",
        "step": "1",
        "is_detour": False,
        "action": {"kind": "click", "element": 1, "how": ""},
    }
    return json.dumps(usual | what)


def note(step: str, matched: str = "as_written", **more: str) -> dict[str, str]:
    usual = {"quote": "", "shown": "", "suggestion": "", "kind": "none"}
    return {"step": step, "matched": matched, **usual, **more}


@dataclass
class Desk:
    policy: ModelPolicy | ShortPolicy
    model: Scripted
    decisions: list[Decision] = field(default_factory=list)

    async def choose(
        self, page: Observation | None = None, last: Performed | None = DONE
    ) -> Decision:
        made = await self.policy.choose(page or view(), last if self.decisions else None)
        self.decisions.append(made)
        return made

    @property
    def prompt(self) -> str:
        """The newest question."""
        return self.model.requests[-1].text


@asynccontextmanager
async def desk(
    script: Script,
    settings: AgentSettings | None = None,
    task: Task | None = None,
    offer: Offer | None = None,
    attempt: int = 1,
    picture: object = None,
) -> AsyncIterator[Desk]:
    with serving(script, offer or Offer()) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            policy = agent_policy(
                task or Task(procedure=procedure()),
                client,
                settings or AgentSettings(),
                picture,
                attempt=attempt,
            )
            yield Desk(policy, model)
