"""The catalogue: all is said in both languages, and nothing that is not in it."""

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from string import Formatter

import pytest
from markupsafe import Markup

from appliance.config import ScheduleSettings, WebhookSettings
from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.resources import Deed, Phase
from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.engine.plan import Reason
from appliance.environment.account_rows import Standing
from appliance.inference.server import ServerState
from appliance.reports._wording import KINDS
from appliance.server.dashboard.formats import Formats
from appliance.server.dashboard.navigation import NAVIGATION
from appliance.server.dashboard.wording import CATALOGUE, CHINESE, ENGLISH, Pair, Words
from appliance.server.dashboard.wording._catalogue import merged
from appliance.store.keys import Role
from appliance.store.outbox import DeliveryState
from appliance.store.schedules import ScheduleOutcome
from appliance.store.sweeps import ItemState, SweepState

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
CHINESE_CHARACTER = re.compile("[\u3400-\u9fff]")
TEMPLATES = files("appliance.server.dashboard") / "templates"
SAME_IN_BOTH = {"language.en", "language.zh", "nav.webhooks", "nav.api", "webhooks.title"}


def braces(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_both_languages_say_the_same() -> None:
    assert {
        key: wrong for key, pair in CATALOGUE.items() if (wrong := what_is_wrong(key, pair))
    } == {}


def what_is_wrong(key: str, pair: Pair) -> str:
    if not pair.en.strip() or not pair.zh.strip():
        return "empty"
    for form in pair.en.split("|"):
        if missing := (braces(form) ^ braces(pair.zh)) - ({"n"} if "|" in pair.en else set()):
            return f"only one has {missing}"
    if "|" in pair.zh:
        return "Chinese has one form"
    if CHINESE_CHARACTER.search(pair.en) and key not in SAME_IN_BOTH:
        return "Chinese among the English"
    is_translated = CHINESE_CHARACTER.search(pair.zh) or key in SAME_IN_BOTH
    is_name = re.fullmatch(r"[\W\d]*|.*[`{].*|[A-Z].*", pair.zh)
    return "" if is_translated or is_name else "not translated"


def test_every_key_of_a_template_is_in_the_catalogue() -> None:
    unknown = {
        (file.name, key)
        for file in TEMPLATES.iterdir()
        for key in re.findall(r"\bt\([\"']([a-z_0-9.]+[a-z0-9])[\"'][,)]", file.read_text("utf-8"))
        if key not in CATALOGUE
    }
    assert unknown == set()


@pytest.mark.parametrize(
    ("prefix", "members"),
    [
        ("verdict", Verdict),
        ("kind", DivergenceKind),
        ("severity", Severity),
        ("step", StepStatus),
        ("channel", GoalChannel),
        ("state", SweepState),
        ("state", ItemState),
        ("role", Role),
        ("delivery", DeliveryState),
        ("outcome", ScheduleOutcome),
        ("reason", Reason),
        ("phase", Phase),
        ("deed", Deed),
        ("standing", [word.replace(" ", "_") for word in Standing]),
        ("job", ScheduleSettings.model_fields["job"].annotation.__args__),  # type: ignore[union-attr]
        ("questionkind", QuestionKind),
        ("question.title", QuestionKind),
        ("questionstate", QuestionState),
        ("replied", ReplyKind),
        ("serverstate", ServerState),
        ("event", WebhookSettings.model_fields["events"].default),
        ("nav", [entry.key for _, entries in NAVIGATION for entry in entries]),
    ],
)
def test_every_member_of_a_closed_set_has_its_word(prefix: str, members: list[str]) -> None:
    assert [m for m in members if f"{prefix}.{m}" not in CATALOGUE] == []


def test_kinds_are_told_as_in_the_reports() -> None:
    for kind, words in KINDS.items():
        assert ENGLISH(f"kind.{kind}") == words.title
        assert CHINESE(f"kind.{kind}") != words.title


def test_one_is_told_from_many_and_what_comes_from_outside_is_escaped() -> None:
    words = Words("en", {"k": Pair("{n} finding|{n} findings", "{n} 个"), "m": Pair("{a} {b}", "")})
    assert [words("k", n) for n in (0, 1, 2, 1234)] == [
        "0 findings",
        "1 finding",
        "2 findings",
        "1,234 findings",
    ]
    assert words("m", a=Markup("<b>"), b="<i>") == "<b> &lt;i&gt;"
    with pytest.raises(KeyError):
        words("none")


def test_nothing_stands_in_the_catalogue_twice() -> None:
    with pytest.raises(ValueError, match="twice in the catalogue: a"):
        merged({"a": Pair("x", "y")}, {"a": Pair("x", "y"), "b": Pair("x", "y")})


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [
        (3, "just now", "刚刚"),
        (-3, "just now", "刚刚"),
        (59, "59 seconds ago", "59 秒前"),
        (60, "1 minute ago", "1 分钟前"),
        (3 * 3600 + 5, "3 hours ago", "3 小时前"),
        (8 * 86400, "8 days ago", "8 天前"),
        (15 * 86400, "2 weeks ago", "2 周前"),
        (-22 * 3600, "in 22 hours", "22 小时后"),
        (100 * 86400, "13 Aug 2026, 12:00", "2026年8月13日 12:00"),
    ],
)
def test_ages(seconds: int, english: str, chinese: str) -> None:
    moment = NOW - timedelta(seconds=seconds)
    for words, said in ((ENGLISH, english), (CHINESE, chinese)):
        html = Formats(words, NOW, "UTC").age(moment)
        assert html.striptags() == said
        assert f'datetime="{moment.isoformat()}"' in html


def test_moments_are_shown_in_the_zone_of_the_settings() -> None:
    berlin = Formats(ENGLISH, NOW, "Europe/Berlin")
    assert berlin.moment(NOW).striptags() == "21 Nov 2026, 13:00"
    assert 'title="21 Nov 2026, 13:00 CET"' in berlin.age(NOW)
    assert berlin.moment(None).striptags() == "–"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, "–"), (4.24, "4.2 s"), (59, "59 s"), (185, "3 min 5 s"), (3720, "1 h 2 min")],
)
def test_durations(seconds: float | None, said: str) -> None:
    assert Formats(ENGLISH, NOW, "UTC").duration(seconds) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [(None, "–"), (0, "0 %"), (0.001, "<1 %"), (0.42, "42 %"), (0.999, ">99 %"), (1, "100 %")],
)
def test_shares_are_never_rounded_to_none_or_all(share: float | None, said: str) -> None:
    assert Formats(ENGLISH, NOW, "UTC").percent(share) == said
