"""Sentences that leave it to few."""

import pytest

from appliance.core.procedure import Sentence
from appliance.core.source import Span
from appliance.documents import parse_document
from appliance.verification.permission import _about_the_procedure, _is_of


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
    assert _is_of(Sentence(text=said, span=Span("a.md", 1, 1, 1, 9)), title, is_about=False)


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
    assert not _is_of(Sentence(text=said, span=Span("a.md", 1, 1, 1, 9)), title, is_about=False)


@pytest.mark.parametrize(
    "said",
    [
        "Only administrators can do this.",
        "只有管理员可以执行此操作。",
        "普通成员无法执行此操作，请联系账号所有者。",
        "Members of the account cannot do this; ask its owner.",
    ],
)
def test_this_is_the_procedure_where_nothing_else_was_said(said: str) -> None:
    sentence = Sentence(text=said, span=Span("a.md", 1, 1, 1, 9))
    assert _is_of(sentence, "Rename a subnet", is_about=True)
    assert not _is_of(sentence, "Rename a subnet", is_about=False)


@pytest.mark.parametrize(
    ("text", "is_about"),
    [
        ("Keys wear out. Only root can do this.\n\n1. Click **Renew**.", True),
        ("You can also delete a key. Only root can do this.\n\n1. Click **Renew**.", False),
        ("1. Click **Renew**. Only root can do this.", True),
        ("1. If it is old, click **Renew**. Only root can do this.", False),
        ("1. Click **Renew**.\n\n> **Note:** Only root can do this.", True),
        ("1. Click **Renew**.\n\nTo delete it, use the API. Only root can do this.", False),
    ],
)
def test_this_is_what_the_sentence_before_it_has_done(text: str, *, is_about: bool) -> None:
    (procedure,) = parse_document(f"# Keys\n\n{text}\n", "a.md", "markdown").procedures
    said = [one.text for one in _about_the_procedure(procedure)]
    assert any(text.endswith("Only root can do this.") for text in said) is is_about
