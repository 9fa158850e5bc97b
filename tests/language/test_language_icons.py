"""Which looks of icons a text may mean by its words for them."""

import re
from importlib.resources import files

import pytest

from appliance.language.icons import may_be


@pytest.mark.parametrize(
    ("said", "look"),
    [
        ("pencil icon", "edit"),
        ("edit icon", "edit"),
        ("铅笔图标", "edit"),
        ("编辑图标", "edit"),
        ("plus sign", "+"),
        ("加号", "+"),
        ("minus icon", "-"),
        ("trash can icon", "delete"),
        ("删除图标", "delete"),
        ("gear", "settings"),
        ("three dots", "⋮"),
        ("three dots", "…"),
        ("more icon", "…"),
        ("更多图标", "⋮"),
        ("hamburger", "☰"),
        ("down arrow", "▾"),
        ("caret icon", "▾"),
        ("下拉箭头", "▾"),
        ("check mark", "check"),
        ("X", "×"),
        ("magnifying glass", "search"),
        ("funnel icon", "filter"),
        ("漏斗图标", "filter"),
        ("eye icon", "show"),
        ("star icon", "star"),
        ("bell", "notifications"),
        ("question mark icon", "?"),
        ("information icon", "i"),
        ("paper clip", "attach"),
        ("copy icon", "copy"),
        ("external link icon", "external link"),
    ],
)
def test_a_look_may_be_called_so(said: str, look: str) -> None:
    assert may_be(look, said)


@pytest.mark.parametrize(
    ("said", "look"),
    [
        ("pencil icon", "delete"),
        ("trash icon", "edit"),
        ("plus sign", "-"),
        ("minus sign", "+"),
        ("star icon", "user"),
        ("three dots", "☰☰"),
        ("pencil icon", ""),
        ("cross", "+"),
        ("up arrow", "▾"),
    ],
)
def test_another_look_is_not_meant(said: str, look: str) -> None:
    assert not may_be(look, said)


def test_what_acts_alike_is_called_alike_by_pages_and_texts() -> None:
    known = files("appliance.browser").joinpath("js", "looks.js").read_text("utf-8")
    looks = re.findall(r"(?:^  |', )(?:'([^']+)'|(\w+)):", known, re.MULTILINE)
    names = [quoted or bare for quoted, bare in looks]
    assert len(names) > 100
    assert all(may_be(name, f"{name} icon") for name in names)
