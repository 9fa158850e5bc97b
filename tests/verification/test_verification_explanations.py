"""What a choice is for: the console's words about another one are not true of this one."""

import pytest

from appliance.documents import parse_document
from appliance.language.names import key
from appliance.verification.explanations import _contradicted_help, _explanations, _Help

ALERTS = {
    ("Create alert", "radio", "", "Severity"): {
        key(name): _Help(name, text)
        for name, text in (
            ("Minor", "Somebody looks at it in the morning."),
            ("Critical", "Somebody is woken up."),
            ("警告", "第二天早上处理即可。"),
            ("严重", "立即通知值班人员。"),
        )
    }
}
TEXT = """# Alerts

## Create an alert

1. Click **Create alert**.
2. Set the severity:

   - **Minor**: {}
   - **Critical**: {}
3. Choose **Critical**. {}
"""
TEXT_ZH = "# 告警\n\n## 创建告警\n\n1. 单击**创建告警**。\n2. 选择**严重**。{}\n"


def contradicted(text: str, name: str) -> list[str]:
    (procedure,) = parse_document(text, name, "markdown").procedures
    said = [e.sentence.text for e in _explanations(procedure) if _contradicted_help(e, ALERTS)]
    return list(dict.fromkeys(said))


@pytest.mark.parametrize(
    ("said", "untrue"),
    [
        (("Look in the morning.", "Wakes people up.", "It is for emergencies."), []),
        (("Somebody looks at it in the morning.", "Somebody is woken up.", ""), []),
        (("Somebody is woken up.", "Urgent.", ""), ["Somebody is woken up."]),
        (
            ("Not urgent.", "Urgent.", "Somebody then looks at it in the morning."),
            ["Somebody then looks at it in the morning."],
        ),
        # both are said: the console's own words are among them
        (("Somebody looks at it in the morning; nobody, or somebody, is woken up.", "", ""), []),
    ],
)
def test_what_the_console_says_of_another_choice(said: tuple[str, str, str], untrue: list[str]):
    assert contradicted(TEXT.format(*said), "a.md") == untrue


@pytest.mark.parametrize(
    ("said", "untrue"),
    [
        ("会立即通知值班人员。", []),
        ("第二天早上处理即可。", ["第二天早上处理即可。"]),
        ("用于紧急情况。", []),
    ],
)
def test_in_chinese_too(said: str, untrue: list[str]):
    assert contradicted(TEXT_ZH.format(said), "a.zh.md") == untrue


SIZES = {
    ("Create database", "radio", "", "Size"): {
        key(name): _Help(name, text)
        for name, text in (("db.small", "1 vCPU, 2 GiB"), ("db.medium", "2 vCPUs, 8 GiB"))
    }
}


@pytest.mark.parametrize(
    ("said", "untrue"),
    [
        ("two processors and 8 GiB of memory", False),
        ("two processors and 256 GiB of memory", True),
        ("enough for most; a disk of 40 GB comes with it", False),
    ],
)
def test_another_figure_than_the_console_has(said: str, untrue: bool):
    text = (
        f"# Databases\n\n## Create a database\n\n1. Set the size:\n\n   - **db.medium**: {said}\n"
    )
    assert _contradicted(text) is untrue


def _contradicted(text: str) -> bool:
    (procedure,) = parse_document(text, "a.md", "markdown").procedures
    return any(_contradicted_help(one, SIZES) for one in _explanations(procedure))


@pytest.mark.parametrize(("said", "untrue"), [("8 GiB", False), ("256 GiB", True)])
def test_a_choice_that_a_field_s_description_names(said: str, untrue: bool):
    field = f"   - **Size**: Select **db.medium**. It has {said}.\n"
    text = f"# Databases\n\n## Create a database\n\n1. Click **Create**.\n2. Set these:\n\n{field}"
    assert _contradicted(text) is untrue
