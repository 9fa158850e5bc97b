"""Sentences that leave it to few."""

import pytest

from appliance.core.procedure import Sentence
from appliance.core.source import Span
from appliance.verification.permission import _is_of


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Only administrators can rename a subnet.", "Rename a subnet"),
        ("Only the project owner may restart databases.", "Restart a database"),
        ("只有管理员可以重启数据库实例。", "重启数据库实例"),
        ("仅主账号能创建存储桶。", "创建存储桶"),
    ],
)
def test_it_is_said_of_what_is_done(said: str, title: str) -> None:
    assert _is_of(Sentence(text=said, span=Span("a.md", 1, 1, 1, 9)), title, is_first=False)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Only administrators can rename a subnet of another project.", "Rename a subnet"),
        ("Only administrators can rename a network.", "Rename a subnet"),
        ("Administrators can rename a subnet.", "Rename a subnet"),
        ("Only members can rename a subnet.", "Rename a subnet"),
        ("Only administrators can rename a subnet, unless you allow others to.", "Rename a subnet"),
        ("只有管理员可以重启生产数据库实例。", "重启数据库实例"),
    ],
)
def test_it_is_said_of_something_else_or_of_others(said: str, title: str) -> None:
    assert not _is_of(Sentence(text=said, span=Span("a.md", 1, 1, 1, 9)), title, is_first=False)


@pytest.mark.parametrize(
    "said",
    [
        "Only administrators can do this.",
        "只有管理员可以执行此操作。",
        "普通成员无法执行此操作，请联系账号所有者。",
    ],
)
def test_this_is_the_procedure_where_nothing_else_was_said(said: str) -> None:
    sentence = Sentence(text=said, span=Span("a.md", 1, 1, 1, 9))
    assert _is_of(sentence, "Rename a subnet", is_first=True)
    assert not _is_of(sentence, "Rename a subnet", is_first=False)
