"""Makes the suite `grounding`: pages of the practice cloud, an instruction each, and what is right.

    python -m tests.benchmarks.grounding [FILE]      about three minutes

What is right comes from the product data that draws the pages (which field has that label, which
row is that item), not from any reader of ours. An instruction is `documented` (it names the control
as manuals do) or `told` (in words of common sense, or by what an option is for).
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from appliance.browser import BrowserPool
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.core.actions import Click
from appliance.core.checks import Need
from appliance.core.jsonable import to_jsonable
from appliance.core.page import Element, Observation
from appliance.practice.accounts import ACCOUNTS
from appliance.practice.catalogue import FieldKind, FieldSpec, Located, Resource
from appliance.practice.releases import catalogue, releases
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

FILE = Path("appliance/benchmark/suites/grounding.jsonl")
SPLITS = {
    "disk": "train", "instance": "train", "user": "validation", "bucket": "held-out",
    "database": "train", "network": "train", "policy": "validation", "alarm": "held-out",
    "log_project": "train", "key_pair": "held-out", "security_group": "held-out",
    "snapshot_policy": "held-out", "parameter_group": "held-out", "contact": "held-out",
    "elastic_address": "validation", "group": "train", "load_balancer": "train",
}  # fmt: skip
"""Kinds of things whose pages are taken, and what they may be used for."""
ITEMS = ("alpha-one", "beta-two", "gamma-three")
BEGIN = {
    "en": ("begin a new one", "we are one short: set up another", "start from nothing"),
    "zh": ("新增一个", "还缺一个，再弄一个", "从头做一个新的"),
}
LOOK = {
    "en": (
        "find out more about the {}",
        "have a closer look at the {}",
        "see what is known of the {}",
    ),
    "zh": ("看看该{}的详细情况", "了解一下该{}", "查一查该{}是怎么回事"),
}
DISCARD = {
    "en": ("get rid of the {}", "do away with the {}", "throw the {} out"),
    "zh": ("把该{}清理掉", "不要该{}了", "让该{}消失"),
}
"""Words of common sense for what the console calls by other names; they take turns."""
SAMPLE = {FieldKind.TEXT: "sample-name", FieldKind.MULTILINE: "A few words", FieldKind.NUMBER: "17"}


@dataclass(frozen=True, kw_only=True)
class Step:
    """An instruction, and what is right."""

    style: str
    instruction: str
    accepted: tuple[dict[str, Any], ...]  # Any: JSON
    bindings: dict[str, str] = field(default_factory=dict)
    """What the instruction leaves open: which item is meant."""


def click(*elements: Element) -> tuple[dict[str, Any], ...]:
    """Any of them may be clicked."""
    return tuple({"action": "click", "element": one.id} for one in elements)


def only(view: Observation, fits: Callable[[Element], bool]) -> Element | None:
    """The one element that fits; None where none or several do."""
    found = [one for one in view.elements if fits(one) and "disabled" not in one.states]
    return found[0] if len(found) == 1 else None


def _called(name: str, role: str = "") -> Callable[[Element], bool]:
    return lambda e: e.name == name and role in ("", e.role)


def told(words: Mapping[str, Sequence[str]], resource: Resource, language: str, number: int) -> str:
    """An instruction in words of common sense; kinds of things get different ones."""
    page, choice = resource.plural.in_language(language), words[language]
    said = choice[(len(resource.collection) + number) % len(choice)]
    said = said.format(resource.name.in_language(language))
    return (
        f"在 **{page}** 页面，{said}。" if language == "zh" else f"On the **{page}** page, {said}."
    )


def on_list(view: Observation, resource: Resource, language: str) -> Iterator[Step]:
    """Of a list: its controls, its rows, and the way to other pages."""
    zh, kind = language == "zh", resource.name.in_language(language)
    create = resource.actions.get("create")
    label = create.label.in_language(language) if create else ""
    if button := only(view, lambda e: e.name == label and e.role in ("button", "link")):
        text = f"点击 **{label}**。" if zh else f"Click **{label}**."
        yield Step(style="documented", instruction=text, accepted=click(button))
        yield Step(
            style="told",
            instruction=told(BEGIN, resource, language, 0),
            accepted=click(button),
        )
    search = resource.list.search_label.in_language(language)
    if box := only(view, lambda e: search in (e.name, e.placeholder)):
        typed = ({"action": "type", "element": box.id, "argument": "beta"},)
        text = f"在 **{search}** 中输入 `beta`。" if zh else f"Enter `beta` in **{search}**."
        yield Step(style="documented", instruction=text, accepted=typed)
    for number, name in enumerate(ITEMS):
        if link := only(view, _called(name, "link")):
            text = f"点击该{kind}的名称。" if zh else f"Click the name of the {kind}."
            meant = {kind: name}
            yield Step(style="documented", instruction=text, accepted=click(link), bindings=meant)
            yield Step(
                style="told",
                instruction=told(LOOK, resource, language, number),
                accepted=click(link),
                bindings=meant,
            )
    yield from in_rows(view, resource, language)


def in_rows(view: Observation, resource: Resource, language: str) -> Iterator[Step]:
    """What a row offers, at once or behind a menu."""
    zh, kind = language == "zh", resource.name.in_language(language)
    for name, action_name in zip(ITEMS, (*resource.list.row, *resource.list.more), strict=False):
        label = resource.actions[action_name].label.in_language(language)
        meant = {kind: name}
        here = [e for e in view.elements if (e.row or "").startswith(name)]
        direct = [e for e in here if e.name.startswith(label) and "disabled" not in e.states]
        if action_name in resource.list.row and len(direct) == 1:
            text = (
                f"在该{kind}所在的行中，点击 **{label}**。"
                if zh
                else f"In the row of the {kind}, click **{label}**."
            )
            yield Step(
                style="documented", instruction=text, accepted=click(*direct), bindings=meant
            )
        menus = [e for e in here if "haspopup" in e.states]
        if action_name in resource.list.more and len(menus) == 1:
            more = menus[0].text or menus[0].name
            text = (
                f"在该{kind}所在的行中，点击 **{more}** > **{label}**。"
                if zh
                else f"In the row of the {kind}, click **{more}** > **{label}**."
            )
            yield Step(style="documented", instruction=text, accepted=click(*menus), bindings=meant)
    for number, name in enumerate(ITEMS[1:]):
        here = [e for e in view.elements if (e.row or "").startswith(name)]
        ways = [e for e in here if "haspopup" in e.states or e.name == name]
        if "delete" in resource.list.more and ways:
            yield Step(
                style="told",
                instruction=told(DISCARD, resource, language, number),
                accepted=click(*ways),
                bindings={kind: name},
            )


def on_form(
    view: Observation, resource: Resource, names: Sequence[str], language: str
) -> Iterator[Step]:
    """Of a form: each field that it shows."""
    for name in names:
        spec = resource.fields[name]
        label = spec.label.in_language(language)
        inside = [e for e in view.elements if e.region != "navigation"]
        fitting = [e for e in inside if e.name == label]
        yield from in_field(inside, fitting, spec, label, language)


def in_field(
    inside: Sequence[Element],
    fitting: Sequence[Element],
    spec: FieldSpec,
    label: str,
    language: str,
) -> Iterator[Step]:
    zh = language == "zh"
    match spec.kind:
        case FieldKind.TEXT | FieldKind.NUMBER | FieldKind.MULTILINE if len(fitting) == 1:
            value = SAMPLE[spec.kind]
            typed = ({"action": "type", "element": fitting[0].id, "argument": value},)
            text = (
                f"在 **{label}** 中输入 `{value}`。" if zh else f"Enter `{value}` in **{label}**."
            )
            yield Step(style="documented", instruction=text, accepted=typed)
        case FieldKind.BOOLEAN if len(fitting) == 1 and "checked" not in fitting[0].states:
            accepted = (
                {"action": "check", "element": fitting[0].id, "argument": "True"},
                *click(*fitting),
            )
            text = f"打开 **{label}**。" if zh else f"Turn on **{label}**."
            yield Step(style="documented", instruction=text, accepted=accepted)
        case FieldKind.CHOICE:
            yield from in_choice(inside, fitting, spec, label, language)


def in_choice(
    inside: Sequence[Element],
    fitting: Sequence[Element],
    spec: FieldSpec,
    label: str,
    language: str,
) -> Iterator[Step]:
    zh = language == "zh"
    for option in [o for o in spec.options if o.value != spec.default][:2]:
        wanted = option.label.in_language(language)
        cards = [e for e in inside if e.role == "radio" and e.name.startswith(wanted)]
        if spec.widget in ("cards", "radio"):
            right = cards[:1] if len(cards) == 1 else []
            accepted = (
                *({"action": "check", "element": e.id, "argument": "True"} for e in right),
                *click(*right),
            )
        elif len(fitting) == 1:
            accepted = (
                {"action": "select", "element": fitting[0].id, "argument": wanted},
                {"action": "type", "element": fitting[0].id, "argument": wanted},
                *click(*fitting),
            )
        else:
            accepted = ()
        if not accepted:
            continue
        text = (
            f"在 **{label}** 中选择 **{wanted}**。"
            if zh
            else f"Under **{label}**, choose **{wanted}**."
        )
        yield Step(style="documented", instruction=text, accepted=accepted)
        if option.description and spec.widget == "cards":
            for_what = option.description.in_language(language).rstrip(".。")
            text = (
                f"**{label}**：选择这样的一种：{for_what}。"
                if zh
                else f"Under **{label}**, choose the one that is described so: {for_what}."
            )
            yield Step(style="told", instruction=text, accepted=accepted)


def shown_fields(resource: Resource) -> tuple[str, ...]:
    """Those of the form's first page that it always shows."""
    create = resource.actions["create"]
    form = create.form
    if form is None:
        return ()
    steps = form.steps[:1] if form.layout == "wizard" else form.steps
    return tuple(
        n
        for step in steps
        for n in step.fields
        if resource.fields[n].shown_if is None and not resource.fields[n].generated
    )


def bare(view: Observation, origin: str) -> dict[str, Any]:
    """As JSON, without what is as usual, and without the address of this run."""
    view = replace(view, url=view.url.removeprefix(origin), took_s=0.0)
    text = json.dumps(_bare(view), ensure_ascii=False).replace(origin, "https://console.example")
    return dict(json.loads(text))


def _bare(value: object) -> Any:
    if not hasattr(value, "__dataclass_fields__"):
        if isinstance(value, list | tuple):
            return [_bare(one) for one in value]
        return to_jsonable(value)
    kept = {}
    for one in fields(value):  # type: ignore[arg-type]  # seen to be a dataclass above
        now = getattr(value, one.name)
        usual = one.default if one.default_factory is MISSING else one.default_factory()
        if one.name not in ("box", "fingerprint") and now != usual:
            kept[one.name] = _bare(now)
    return kept


def needs_of(located: Located) -> list[Need]:
    """Three items of a kind."""
    return [Need(kind=located.kind, values={"name": name}) for name in ITEMS]


async def made(language: str) -> list[dict[str, Any]]:
    """All lines in a language."""
    lines: list[dict[str, Any]] = []
    release = releases()[0]
    with (
        serving(PracticeSettings(release=release, settle_s=0.0)) as running,
        tempfile.TemporaryDirectory() as folder,
    ):
        password = Path(folder) / "password"
        password.write_text(running.password, "utf-8")
        accounts = {
            a.name: AccountSettings(username=a.name, role=a.role, password_file=password)
            for a in ACCOUNTS
        }
        settings = ConsoleSettings(kind="practice", url=running.url, accounts=accounts)
        console = open_console("practice", settings)
        await console.check()
        account = console.accounts(None)[0]
        chosen = [one for one in catalogue(release).resources() if one.kind in SPLITS]
        for one in chosen:
            await console.provide(needs_of(one), account, {"unique": one.kind.replace("_", "-")})
        async with (
            BrowserPool(BrowserSettings()) as pool,
            pool.page(console.hosts, language) as page,
        ):
            await console.log_in(page, account)
            for located in chosen:
                resource = located.resource
                await page.goto(f"{running.url}/console/{located.service}/{resource.collection}")
                view = await page.observe()
                about = {"product": located.service, "split": SPLITS[located.kind]}
                lines += page_lines(
                    f"{located.kind}/list/{language}",
                    language,
                    view,
                    running.url,
                    [*on_list(view, resource, language)],
                    about,
                )
                label = resource.actions["create"].label.in_language(language)
                button = only(view, _called(label))
                if button is None:
                    continue
                await page.perform(Click(button.id))
                view = await page.observe()
                steps = [*on_form(view, resource, shown_fields(resource), language)]
                lines += page_lines(
                    f"{located.kind}/form/{language}", language, view, running.url, steps, about
                )
        await console.close()
    return lines


def page_lines(
    page: str,
    language: str,
    view: Observation,
    origin: str,
    steps: Sequence[Step],
    about: dict[str, str],
) -> Iterator[dict[str, Any]]:
    """The page, then its steps."""
    if not steps:
        return
    yield {"page": page, "observation": bare(view, origin)}
    for number, step in enumerate(steps, 1):
        yield {
            "id": f"{page}/{number}",
            "page": page,
            "language": language,
            **about,
            "style": step.style,
            "instruction": step.instruction,
            "bindings": step.bindings,
            "accepted": list(step.accepted),
        }


def main() -> None:
    """Write the file."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    head = {
        "schema_version": 1,
        "kind": "grounding",
        "title": "Single steps on pages of the practice cloud",
    }
    lines = [head, *asyncio.run(made("en")), *asyncio.run(made("zh"))]
    text = "".join(
        json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in lines
    )
    file.write_text(text, encoding="utf-8")
    steps = [one for one in lines if "instruction" in one]
    print(f"{len(steps)} steps on {len(lines) - 1 - len(steps)} pages, {len(text) >> 10} KiB")


if __name__ == "__main__":
    main()
