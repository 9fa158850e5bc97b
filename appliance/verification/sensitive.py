"""What hurts when it is wrong: deleting, paying, changing who may log in.

The rules hold for every policy. What a control does is told by its name, and by the dialog that it
confirms.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from appliance.config.model_settings import SensitiveRule, SensitiveSettings
from appliance.core.page import Action, ActionKind, Element, Observation
from appliance.core.procedure import Procedure, Step
from appliance.policy import Decision


class Sensitive(StrEnum):
    """Kinds of it."""

    DELETE = "delete"
    PAY = "pay"
    IDENTITY = "identity"


class _Words(NamedTuple):
    on_controls: re.Pattern[str]
    """On a button, in a menu, in the title of a dialog."""
    in_texts: re.Pattern[str]
    """In an instruction that asks for it; looser, as whoever writes it means it."""
    doing: str
    """For a sentence: `deletes or releases something`."""


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.VERBOSE)


_WORDS = {
    Sensitive.DELETE: _Words(
        _pattern(
            r"""\b(delete|remove|terminate|destroy|purge|erase|wipe|deregister|unsubscribe)\b
            (?!\s(filter|sort|protection))
            | ^(release|drop|empty)\b (?!\s*(notes?|:))
            | \bconfirm\s(deletion|removal|release)\b
            | (删除|释放|移除|销毁|清空|退订|终止) (?!保护)"""
        ),
        _pattern(
            r"""\b(delet|remov|releas|terminat|destroy|purg|eras|wip|deregister|unsubscrib|drop
            |empt(y|ies)|clean|discard|trash)
            | 删除|释放|移除|销毁|清空|退订|终止|清理|去除"""
        ),
        "deletes or releases something",
    ),
    Sensitive.PAY: _Words(
        _pattern(
            r"""\b(buy|purchase|renew|subscribe|check\s?out)\b | \bpay\b(?!-|\sas\b)
            | ^order(\snow)?$ | \b(place|submit|confirm)\s(the\s|your\s)?order\b
            | 购买|支付|付款|下单|订购|续费|提交订单|充值"""
        ),
        _pattern(
            r"""\b(buy|purchas|pay|paid|renew|subscri|check\s?out|order)
            | 购买|支付|付款|付费|下单|订购|订单|续费|充值"""
        ),
        "orders or pays for something",
    ),
    Sensitive.IDENTITY: _Words(
        _pattern(
            r"""\b(reset|change|set|update|rotate|regenerate|create|add|generate|disable|enable
            |edit|modify|assign|grant|revoke|attach|detach|invite)\b .*
            \b(passwords?|access\skeys?|api\skeys?|secret\skeys?|credentials?|mfa
            |two-factor|second\sfactor|roles?|permissions?|privileges?|members?|users?|admins?)\b
            | (重置|修改|设置|更改|轮换|[创新]建|添加|新增|生成|禁用|启用|编辑
            |授[予权]|撤销|解除|邀请)
            .*(密码|口令|密钥|访问凭证|凭据|角色|权限|成员|用户|子账号|管理员|多因素)"""
        ),
        _pattern(
            r"""\b(password|key|credential|mfa|factor|role|permission|privilege|member|user|admin
            |grant|invit|log\s?in|sign\s?in|access)
            | 密码|口令|密钥|凭证|凭据|角色|权限|成员|用户|账号|管理员|授权|登录|多因素"""
        ),
        "changes who may log in, or with what rights",
    ),
}
_YES = _pattern(
    r"""^(ok|yes|confirm|continue|proceed|submit|apply|save|create|add|i\s?understand)\b
    | ^(确定|确认|是|继续|提交|保存|应用|创建|添加|我已知晓)"""
)
_ENTRIES = frozenset(
    ("checkbox", "radio", "switch", "tab", "textbox", "combobox", "searchbox", "spinbutton",
     "slider", "listbox", "columnheader", "treeitem")
)  # fmt: skip
"""Roles that only enter something, or show another part of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A sensitive action, and whether it may be carried out."""

    kind: Sensitive
    rule: SensitiveRule
    is_documented: bool
    what: str
    """The action as a sentence."""

    @property
    def is_refused(self) -> bool:
        """Whether nobody needs to be asked: no."""
        undocumented = self.rule == "documented" and not self.is_documented
        return self.rule == "refuse" or undocumented

    @property
    def why_not(self) -> str:
        """For whoever wanted it."""
        if self.rule == "documented":
            return f"{self.what}, and the step does not say to (agent.sensitive.{self.kind})"
        return f"{self.what} (agent.sensitive.{self.kind} is {self.rule})"


@dataclass(frozen=True, slots=True)
class Gate:
    """Looks at every action before it is carried out."""

    procedure: Procedure
    settings: SensitiveSettings

    def passage(self, view: Observation, decision: Decision) -> Passage | None:
        """What is sensitive about it; None: nothing."""
        found = sensitive_kind(view, decision.action)
        if found is None:
            return None
        kind, name, dialog = found
        where = f" in the dialog {dialog!r}" if dialog else ""
        return Passage(
            kind=kind,
            rule=self._rule(kind),
            is_documented=self._is_documented(kind, decision.step, is_confirming=bool(dialog)),
            what=f"{name!r}{where} {_WORDS[kind].doing}",
        )

    def _rule(self, kind: Sensitive) -> SensitiveRule:
        match kind:
            case Sensitive.DELETE:
                return self.settings.delete
            case Sensitive.PAY:
                return self.settings.pay
            case Sensitive.IDENTITY:
                return self.settings.identity

    def _is_documented(self, kind: Sensitive, step: str, *, is_confirming: bool) -> bool:
        """Whether the step says it, or one above it or just before it.

        What confirms in a dialog may have been said in any step until then, and in the title.
        """
        steps = list(self.procedure.walk())
        at = next((n for n, one in enumerate(steps) if one.index == step), len(steps) - 1)
        above = [one for one in steps[:at] if step.startswith(f"{one.index}.")]
        near = steps[: at + 1] if is_confirming else [*above, *steps[max(at - 1, 0) : at + 1]]
        said = [words for one in near for words in _own_words(one)]
        if is_confirming:
            said.append(self.procedure.title)
        return any(_WORDS[kind].in_texts.search(words) for words in said)


class _Found(NamedTuple):
    kind: Sensitive
    name: str
    dialog: str
    """Title of the dialog that it confirms; empty: it is its own name that says so."""


def sensitive_kind(view: Observation, action: Action) -> _Found | None:
    """What kind of harm an action could do, by what is written on it and over it."""
    if action.kind not in (ActionKind.CLICK, ActionKind.PRESS):
        return None
    element = _element_of(view, action)
    if action.kind is ActionKind.PRESS:
        return _confirmed(view, element, action.text) if "enter" in action.text.lower() else None
    if element is None:
        return _confirmed(view, None, "a click")
    if element.role in _ENTRIES:
        return None
    name = element.name or element.text
    for kind, words in _WORDS.items():
        is_way = element.role == "link" and element.region == "navigation"
        if not is_way and words.on_controls.search(name):
            return _Found(kind, name, "")
    if element.dialog and (element.is_submit or _YES.search(name)):
        return _confirmed(view, element, name)
    return None


def _confirmed(view: Observation, element: Element | None, name: str) -> _Found | None:
    """The dialog that is confirmed by it, where its title is a warning."""
    open_one = view.dialogs[-1] if view.dialogs else ""
    title = (element.dialog or "") if element else open_one
    for kind, words in _WORDS.items():
        if title and words.on_controls.search(title):
            return _Found(kind, name, title)
    return None


def _element_of(view: Observation, action: Action) -> Element | None:
    if action.element is not None:
        return view.element(action.element)
    if action.point is None:
        return None
    x, y = action.point
    at = [
        e
        for e in view.elements
        if e.box.x <= x <= e.box.x + e.box.width and e.box.y <= y <= e.box.y + e.box.height
    ]
    return min(at, key=lambda e: e.box.width * e.box.height, default=None)


def _own_words(step: Step) -> Iterator[str]:
    yield step.text
    for entry in step.fields:
        yield from (label.text for label in entry.labels)
