"""The catalogue: all is said in both languages, and nothing that is not in it."""

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

import pytest
from markupsafe import Markup

from appliance.config import ScheduleSettings, WebhookSettings
from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.resources import Phase, ReceiptKind
from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.engine.plan import Reason
from appliance.environment.account_rows import Standing
from appliance.inference.server import ServerState
from appliance.reports.catalogue import Words, check_catalogue, load_catalogue
from appliance.server.dashboard.formats import Formats
from appliance.server.dashboard.navigation import NAVIGATION
from appliance.server.dashboard.preferences import words_in
from appliance.store.keys import Role
from appliance.store.outbox import DeliveryState
from appliance.store.schedules import ScheduleOutcome
from appliance.store.sweeps import ItemState, SweepState

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
CHINESE_CHARACTER = re.compile("[\u3400-\u9fff]")
TEMPLATES = files("appliance.server.dashboard") / "templates"
CATALOGUE = load_catalogue("appliance.reports", "appliance.server.dashboard")
ENGLISH_TEXTS = tuple(CATALOGUE["en"].items())
ENGLISH, CHINESE = words_in("en"), words_in("zh")
SAME_IN_BOTH = {"language.en", "language.zh", "nav.webhooks", "nav.api"}


def test_both_languages_say_the_same() -> None:
    wrong = {key: what_is_wrong(key, text, CATALOGUE["zh"][key]) for key, text in ENGLISH_TEXTS}
    assert {key: said for key, said in wrong.items() if said} == {}


def what_is_wrong(key: str, english: str, chinese: str) -> str:
    if not english.strip() or not chinese.strip():
        return "empty"
    if "|" in chinese:
        return "Chinese has one form"
    if CHINESE_CHARACTER.search(english) and key not in SAME_IN_BOTH:
        return "Chinese among the English"
    is_translated = CHINESE_CHARACTER.search(chinese) or key in SAME_IN_BOTH
    is_name = re.fullmatch(r"[\W\d]*|.*[`{].*|[A-Z].*", chinese)
    return "" if is_translated or is_name else "not translated"


@pytest.mark.parametrize(
    ("english", "chinese", "message"),
    [
        ({"a": "x"}, {}, "in one language only: a"),
        ({}, {"a": "x"}, "in one language only: a"),
        ({"a": "{x} and {y}"}, {"a": "{x}"}, "a: one language only has y"),
        ({"a": "{n} of {x}|{n}"}, {"a": "{x}"}, "a: one language only has x"),
    ],
)
def test_languages_that_differ_are_refused(
    english: dict[str, str], chinese: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        check_catalogue({"en": english, "zh": chinese})


def test_nothing_stands_in_the_catalogue_without_use() -> None:
    folders = [Path(str(files(package))) for package in ("appliance.server", "appliance.reports")]
    code = "\n".join(
        file.read_text("utf-8")
        for folder in folders
        for file in folder.rglob("*")
        if file.suffix in (".py", ".jinja")
    )
    whole = set(re.findall(r"[\"']([a-z_0-9.]+)[\"']", code))
    whole |= {f"{file.stem}.title" for file in TEMPLATES.iterdir()}
    begun = {
        start for start in re.findall(r"[\"']([a-z_]+\.[a-z_.]*)[\"'{]", code) if start[-1:] in "._"
    }
    unused = [
        key for key, _ in ENGLISH_TEXTS if key not in whole and not key.startswith(tuple(begun))
    ]
    assert unused == []


def test_every_key_of_a_template_is_in_the_catalogue() -> None:
    unknown = {
        (file.name, key)
        for file in TEMPLATES.iterdir()
        for key in re.findall(r"\bt\([\"']([a-z_0-9.]+[a-z0-9])[\"'][,)]", file.read_text("utf-8"))
        if not ENGLISH.has(key)
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
        ("deed", ReceiptKind),
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
    assert [m for m in members if not ENGLISH.has(f"{prefix}.{m}")] == []


def test_one_is_told_from_many_and_what_comes_from_outside_is_escaped() -> None:
    words = Words("en", {"k": "{n} finding|{n} findings", "m": "{a} {b}"})
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
    with pytest.raises(ValueError, match=r"twice in the catalogue: advice\.blocked"):
        load_catalogue("appliance.reports", "appliance.reports")


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
